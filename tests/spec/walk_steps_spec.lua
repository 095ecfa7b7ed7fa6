-- The steps of a walkthrough are as walk_steps says: what `clue check` and `clue count` find at odd sizes, with the
-- verdicts; `clue walk --verify` on other drivers and at other sizes; and planted faults and races, which must be
-- found.
-- Copies with a planted text are a walkthrough of their own, so one run tries all of them.
-- suite: whole
-- cost: 60
-- each: scripts/walkthroughs
local catalogue = require "clue.run.catalogue"
local counted = require "counted_kernel"
local counts = require "claim_counts"
local json = require "dkjson"
local simulated = require "walk_steps_simulated"
local support = require "support"
local walks = require "walk_support"

-- two: PoCL, which shows its CPU as two devices; unoptimised: PoCL, for steps that it compiles as users have them at
-- another size.
local function driver(name)
  if name == "two" then return support.drivers("pocl", {POCL_DEVICES = "pthread pthread"}) end
  if name == "unoptimised" then return support.unoptimised(support.drivers "pocl") end
  return support.drivers(name)
end

local function with_words(words, more)
  for _, word in ipairs(more) do words[#words + 1] = word end
  return words
end

-- ---- the steps as they are ----

-- What is known of each step, by its number.
local function known(name, rows)
  local by_file, by_number = {}, {}
  for _, row in ipairs(rows) do by_file[row[1]] = row end
  for _, step in ipairs(catalogue.get(name).steps) do
    local file = step.path:match "([^/]*)%.lua$"
    by_number[tostring(step.number)], by_file[file] = by_file[file] or {file}, nil
  end
  assert.same({}, by_file, "walk_steps.lua: rows of no step of " .. name)
  return by_number
end

local function count_of(name) return #catalogue.get(name).steps end

-- Each step must be verified, or skipped for a known reason. Returns those that were verified.
local function judged(runs, by_number)
  local verified = {}
  for _, run in ipairs(runs) do
    local step = by_number[tostring(run.number)]
    if run.skipped then
      assert.matches(step.skipped or "nothing", run.skipped, step[1])
    else
      assert.is_true(run.check and run.check.verified, ("%s: %s"):format(step[1], run.check and run.check.text))
      verified[#verified + 1] = run
    end
  end
  return verified
end

-- ---- planted faults ----

local function words_of(how)
  local words = {"--size", how.size}
  for _, setting in ipairs(how.set or {}) do with_words(words, {"--set", setting}) end
  return words
end

-- The planted texts of one kind, in groups that one run can try: on, size and set are the same.
local function groups_of(rows, kind, default)
  local groups, by_key = {}, {}
  for _, row in ipairs(rows) do
    for i, planted in ipairs(row[kind] or {}) do
      local how = {on = planted.on or default.on, size = planted.size or default.size, set = planted.set or default.set}
      local key = table.concat(with_words({how.on}, words_of(how)), " ")
      if not by_key[key] then
        by_key[key] = how
        groups[#groups + 1] = how
      end
      table.insert(by_key[key], {step = row[1], name = ("%s, %d"):format(row[1], i), text = planted})
    end
  end
  return groups
end

-- A walkthrough of the copies of a group.
local function planted(name, group)
  local folder, source = support.folder(), ("scripts/walkthroughs/%s/"):format(name)
  local original = catalogue.get(name)
  local studies = original.sizes and ("sizes = {cpu = %q}"):format(original.sizes.cpu) or ""
  local about = 'return {title = "Planted", about = "", year = 2026, language = "Lua", hardware = "", size = %q, %s}\n'
  support.write(about:format(original.size, studies), folder .. "/walkthrough.lua")
  for i, each in ipairs(group) do
    local step, text = source .. each.step .. ".lua", each.text
    local changed = text.pattern and support.read(step):gsub(text.pattern, "")
      or support.read(walks.planted(step, text[1], text[2]))
    local path = support.write(changed, ("%s/%02d_planted.lua"):format(folder, i))
    if text[3] then walks.change(path, text[3][1], text[3][2]) end
  end
  return folder .. "/"
end

-- Runs the copies of a group; gives each with its row.
local function rows_of(name, group)
  local words = with_words({planted(name, group), "--verify"}, words_of(group))
  local _, out, err, document = walks.walk(words, support.unoptimised(driver(group.on)))
  local rows = walks.rows(document)
  assert.equal(#group, #rows, out .. err)
  return rows
end

local function is_found(row, says)
  return row.check and not row.check.verified and (not says or row.check.text:find(says))
end

local function test_planted(name, rows, default)
  for _, group in ipairs(groups_of(rows, "faults", default or {})) do
    it(("finds each planted fault of %s on %s, %s"):format(name, group.on, table.concat(words_of(group), " ")),
      function()
        local missed = {}
        for i, row in ipairs(rows_of(name, group)) do
          if not is_found(row, group[i].text.says) then
            missed[#missed + 1] = ("%s: %s"):format(group[i].name, json.encode(row.check or row.skipped or row.failed))
          end
        end
        assert.same({}, missed)
      end)
  end

  for _, group in ipairs(groups_of(rows, "harmless", default or {})) do
    it(("verifies changes of %s that do not matter, on %s"):format(name, group.on), function()
      for i, row in ipairs(rows_of(name, group)) do
        assert.is_true(row.check and row.check.verified, group[i].name)
      end
    end)
  end
end

local function test_races(name, rows, size)
  for _, group in ipairs(groups_of(rows, "races", {on = "oclgrind", size = size})) do
    it(("finds each planted race of %s at size %s"):format(name, group.size), function()
      local file, missed = support.temporary ".json", {}
      local status, out, err = support.run(with_words({"check", planted(name, group), "--json", file,
        "--schedules=0"}, words_of(group)))
      assert.is_true(status < 2, out .. err)
      for i, run in ipairs(json.decode(support.read(file)).runs) do
        local kinds = {}
        for _, finding in ipairs(run.findings) do kinds[finding.kind] = true end
        -- or an element that nobody has copied yet; or a value that many work-items write, as in dcltk 1
        if not (kinds.race or kinds.uninitialised or kinds["same value"]) then missed[#missed + 1] = group[i].name end
      end
      assert.same({}, missed)
    end)
  end
end

-- ---- all of a walkthrough ----

local RECOUNT = "kept counts are not those of now; after a change to a kernel: tests/claims/recount.lua NAME; step "

local function test_simulated(name, of, by_number)
  it("is right on the simulator, where nothing else is wrong, at a size that no tile divides: " .. name, function()
    local runs = simulated("check", name, of.check)
    assert.equal(count_of(name), #runs)
    for _, run in ipairs(judged(runs, by_number())) do
      local step = by_number()[tostring(run.number)]
      assert.same({}, run.findings, step[1])
      assert.equal(not step.no_kernel, run.launches > 0, step[1])
    end
  end)

  it("is counted, right, and as its kept counts are, at another odd size: " .. name, function()
    local runs = counts.odd(name)
    assert.equal(count_of(name), #runs)
    local before, now = counts.texts(counts.read().odd[name] or {}), counts.texts(counts.kept(runs))
    for number, step in pairs(by_number()) do
      if not (of.varies or step.varies) then assert.equal(before[number], now[number], RECOUNT .. number) end
    end
    for _, run in ipairs(judged(runs, by_number())) do
      local step = by_number()[tostring(run.number)]
      assert.equal(not step.no_kernel, run.kernels[1] ~= nil, step[1])
      for _, kernel in ipairs(run.kernels) do counted(kernel, step[1]) end
    end
  end)
end

local function test_verified(name, of, by_number)
  for _, run in ipairs(of.verify) do
    for _, size in ipairs(run.sizes) do
      local words = with_words({name, "--verify"}, words_of {size = size, set = run.set})
      for _, option in ipairs {"steps", "type", "device"} do
        if run[option] then with_words(words, {"--" .. option, run[option]}) end
      end
      it(("is verified on %s: %s"):format(run.on, table.concat(words, " ")), function()
        local out, _, document = support.ended(0, walks.walk(words, driver(run.on)))
        local rows = walks.rows(document)
        assert.is_true(run.steps ~= nil or #rows == count_of(name), out)
        assert.is_true(#judged(rows, by_number()) > 0, out)
      end)
    end
  end
end

local name = assert(os.getenv "CLUE_TEST_EACH", "CLUE_TEST_EACH names the walkthrough: ./dev test walk_steps_NAME")
local of, numbers = assert(require "walk_steps"[name], "walk_steps.lua has no " .. name), nil
local function by_number()
  numbers = numbers or known(name, of)
  return numbers
end

test_simulated(name, of, by_number)
test_verified(name, of, by_number)
test_planted(name, of, of.on_fault)
test_races(name, of, of.race)
