-- `clue walk`: its options and its rows, and that a step that fails does not affect the others.
-- suite: quick
-- builds: luajit lua54
-- cost: 25
local catalogue = require "clue.run.catalogue"
local device_kind = require("clue.result.device").kind
local json = require "dkjson"
local lfs = require "lfs"
local sizes = require "clue.walk.size"
local support = require "support"
local request = require "clue.run.request"
local statistics = require "clue.result.statistics"
local gains = require "clue.result.gain"
local walks = require "walk_support"

-- Exit status, output, errors and the decoded document of `clue walk`.
local function walk(args, env)
  return support.document(support.words({"walk"}, args), support.with({COLUMNS = "132"}, env))
end

-- The rows of the only run.
local function rows_of(document)
  return document.walkthroughs[1].runs[1].rows
end

it("the results of a walk do not name who measured: paths below the home begin with ~", function()
  local home = support.folder() .. "/anna.b"
  local mine = home .. "/mine"
  lfs.mkdir(home)
  lfs.mkdir(mine)
  support.write('return {title = "mine", about = "a copy"}', mine .. "/walkthrough.lua")
  support.write('-- A step that fails.\nerror "no"\n', mine .. "/01_fails.lua")
  local _, _, _, document = walk({mine}, {HOME = home, USER = "anna.b", LOGNAME = "anna.b"})
  local lines = table.concat(rows_of(document)[1].failed.lines, "\n")
  assert.matches("~/mine/01_fails.lua:2: no", lines, 1, true)
  document.walkthroughs[1].name = nil -- as it was typed
  assert.not_matches("anna", json.encode(document), 1, true)
end)

describe("a size", function()
  it("is N or MxKxN", function()
    assert.same({480, 480, 480}, {sizes.product "480"})
    assert.same({1, 20, 300}, {sizes.product "1x20x300"})
    assert.same({100, 200, 1500}, {sizes.product "1e2x2e2x1.5e3"}) -- every option takes whole numbers in this form
    assert.equal(100000, sizes.count "1e5")
    assert.same({1000, 10}, {sizes.plane "1e3x10"})
  end)

  it("is refused with the reason", function()
    for _, text in ipairs {"", "0", "-4", "3x4", "4.5", "axbxc", "3x0x4", "1e-3", "1e20", "99999999"} do
      local size, why = sizes.product(text)
      assert.is_nil(size)
      assert.matches("size '" .. text .. "'", why, 1, true)
    end
  end)
end)

describe("--steps", function()
  local steps = {{number = 1}, {number = 2}, {number = 3}, {number = 5}}

  it("takes numbers and ranges", function()
    assert.same({[1] = true, [3] = true, [5] = true}, request.parse_steps("1,3-5", steps))
    assert.same({[1] = true, [3] = true, [5] = true}, request.parse_steps(" 1, 3 - 5 ", steps))
  end)

  it("refuses steps that do not exist", function()
    for _, text in ipairs {"0", "4", "6", "3-2", "x", "1,,2", "1 2", "", " "} do
      assert.is_nil((request.parse_steps(text, steps)))
    end
  end)
end)

describe("the step that another one is compared with", function()
  local function base(over, kind)
    local folder = support.folder()
    for _, name in ipairs {"01_a", "02_b", "02t_c", "03_d"} do support.write("", ("%s/%s.lua"):format(folder, name)) end
    support.write(("return {title = 'x', over = {%s}}"):format(over), folder .. "/walkthrough.lua")
    local found, why = catalogue.get(folder .. "/")
    support.execute {"rm", "-r", folder}
    if not found then return nil, why end
    return catalogue.base(found.steps[4], kind)
  end

  it("is the one that walkthrough.lua names", function()
    assert.equal(1, base("[3] = 1", "gpu"))
    assert.equal("2t", base("[3] = '2t'", "gpu"))
    assert.is_nil((base("[2] = 1", "gpu")))
  end)

  it("may depend on the device", function()
    assert.equal(1, base("[3] = {cpu = 1, gpu = 2}", "cpu"))
    assert.equal(2, base("[3] = {cpu = 1, gpu = 2}", "gpu"))
    assert.equal(2, base("[3] = {cpu = 1, gpu = 2}", "accelerator"))
  end)

  it("must be a step before it", function()
    for over, says in pairs {
      ["[3] = 3"] = "over[3]: step 3", ["[2] = 3"] = "over[2]: step 3", ["[9] = 1"] = "over[9]",
      ["[3] = {cpu = 1}"] = "over[3]: step nil", ["[3] = {cpu = 1, gpu = 8}"] = "step 8 is no",
    } do
      local found, why = base(over, "cpu")
      assert.is_nil(found)
      assert.matches(says, why, 1, true)
    end
  end)

  it("is told of the first wrong entry, whatever the order of the others is", function()
    local entries = {"[19] = 20", '["7b"] = 9', "[8] = 9", '["4b"] = 9', '["3c"] = 9', "[31] = 40", "[7] = 9"}
    for _ = 1, #entries do
      table.insert(entries, 1, table.remove(entries))
      local _, why = base(table.concat(entries, ", "), "cpu")
      assert.matches("over[7]: step 9 is no", why, 1, true)
    end
  end)
end)

describe("a form for another kind of device", function()
  local folder
  before_each(function()
    folder = support.folder()
    for _, name in ipairs {"01_slow", "02_fast", "03_same"} do
      support.write(support.read("tests/specimens/turns/" .. name .. ".lua"), ("%s/%s.lua"):format(folder, name))
    end
  end)

  it("is left out, and said to be, unless it is named or only verified", function()
    support.write("return {title = 'x', forms = {cpu = {1}, gpu = {2}}}", folder .. "/walkthrough.lua")
    local function numbers_of(...)
      local _, _, _, document = walk {folder .. "/", ...}
      local run = document.walkthroughs[1].runs[1]
      return support.fields(run.rows, "number"), run.left_out
    end
    local numbers, left_out = numbers_of("--repeat", "1")
    assert.same({{1, 3}, {2}}, {numbers, left_out})
    numbers, left_out = numbers_of("--repeat", "1", "--steps", "2,3")
    assert.same({{2, 3}}, {numbers, left_out})
    assert.same({1, 2, 3}, (numbers_of "--verify"))
  end)

  it("must be a step", function()
    support.write("return {title = 'x', forms = {cpu = {9}}}", folder .. "/walkthrough.lua")
    local found, why = catalogue.get(folder .. "/")
    assert.is_nil(found)
    assert.matches("forms: there is no step 9", why, 1, true)
  end)

  it("is for CPUs, or for all other devices", function()
    assert.is_true(catalogue.is_for_others({form = "cpu"}, "accelerator"))
    assert.is_true(catalogue.is_for_others({form = "gpu"}, "cpu"))
    assert.is_false(catalogue.is_for_others({form = "gpu"}, "gpu"))
    assert.is_false(catalogue.is_for_others({}, "cpu"))
  end)
end)

describe("clue walk", function()
  it("lists the walkthroughs if none is named", function()
    local out = support.ended(0, support.run {"walk"})
    assert.matches("mql5: OpenCL: From Naive Towards More Insightful Programming", out, 1, true)
    assert.matches("2012, MQL5; 27 steps", out, 1, true)
    assert.matches("hardware: an OpenCL CPU device", out, 1, true)
    assert.matches("headline: about 200:1 over the host loop", out, 1, true)
    assert.not_matches("in %l+ steps", support.flat(out)) -- the files are counted; a text would not follow them
  end)

  it("refuses wrong use with one message and exit status 2 #once", function()
    support.refuses({"walk"}, {
      ["nbdy"] = "there is no walkthrough 'nbdy'; steps on nbody: `clue walk amd --steps 15,16,17,",
      ["nothing_there"] = "there is no walkthrough 'nothing_there'; there are: amd, dcltk, ",
      ["mql5 --size 3x4"] = "size '3x4' is neither N nor MxKxN",
      ["mql5 --steps 25"] = "steps '25': give numbers from 1 to 24",
      ["mql5 --type int"] = "--type",
      ["mql5 --until-stable --repeat 3"] = "--until-stable and --repeat exclude each other",
      ["mql5 --repeat 0"] = "--repeat: '0' must be a whole number of 1 or more",
      ["mql5 --repeat -3"] = "--repeat: a value that begins with - is joined by =: --repeat=-3",
      ["mql5 --repeat=-3"] = "--repeat: '-3' must be a whole number of 1 or more",
      ["-3"] = "unknown option '-3'",
      ["mql5 --time-limit inf"] = "--time-limit: 'inf' must be seconds, more than 0",
      ["mql5 --sise 4"] = "--sise",
      ["mql5 --html x"] = "unknown option '--html': did you mean --report?",
      ["mql5 --plot=x"] = "--report FILE writes a page with charts",
      ["mql5 --list"] = "unknown option '--list': `clue help NAME` lists a walkthrough's steps",
      ["mql5 --resume"] = "--resume needs --json FILE",
      ["mql5 --explain 25"] = "--explain: steps '25': give numbers from 1 to 24",
      ["mql5 --quiz --json x"] = "--quiz and --json exclude each other: --quiz asks about one walkthrough, and "
        .. "measures nothing",
      ["mql5 --quiz --size 64,128"] = "--quiz is for one run: give one --size, one value for each --set, and --options "
        .. "once",
      ["mql5 --explain 1 --json x"] = "--explain and --json exclude each other",
      ["mql5 --all"] = "--all and 'mql5' exclude each other",
      ["mql5 --asm"] = "--asm needs --report FILE, which shows the machine code, or --json FILE; --explain STEP prints",
      ["mql5 --diff 4 --asm"] = "--diff and --asm exclude each other",
      ["mql5 --source 4 --notes"] = "--source and --notes exclude each other",
      ["--steps 4"] = "--steps: which walkthrough? Name it, or give --all; `clue walk` alone lists them",
      ["--json x.json --notes"] = "--json, --notes: which walkthrough?",
      ["--set tile=8 --repeat 2"] = "--set, --repeat: which walkthrough?",
      ["mql5 --json tests/x --csv tests/../tests/./x"] = "--json and --csv would both write tests/../tests/./x: give",
      ["mql5 --report ./x --json x"] = "would both write ./x",
      ["--all --steps 1"] = "--steps: name one walkthrough",
    })
  end)

  it("explains a step on one device only", function()
    local two = support.drivers("pocl", {POCL_DEVICES = "pthread pthread"})
    for _, what in ipairs {"--explain", "--diff", "--source"} do
      local status, out, err = support.run({"walk", "mql5", what, "4", "--device", "0:0,0:1", "--size", "8"}, two)
      assert.equal(2, status)
      assert.equal("", out)
      assert.matches(what .. " shows one device, but 2 were chosen: give --device one of them", err, 1, true)
    end
  end)

  it("says once that there is no such device, and lists those that exist", function()
    local out, err = support.ended(1, support.run {"walk", "mql5", "--device", "no such thing", "--size", "8"})
    local said = out .. err
    assert.matches("no such thing", said, 1, true)
    assert.matches("0:0", said, 1, true)
    assert.equal(1, select(2, said:gsub("has 'no such thing'", "")), said)
  end)

  it("goes on after steps that crash, never end, are wrong, fail or need too much, and names them #once", function()
    local status, out, _, document = walk {"tests/specimens/ends/", "--steps", "1,2,4-8"}
    local words = {}
    for i, row in ipairs(rows_of(document)) do
      words[i] = row.failed and row.failed.word or row.skipped and "skipped"
        or row.check.verified and "verified" or "WRONG"
    end
    assert.same({"verified", "crashed", "WRONG", "skipped", "failed", "no result", "verified"}, words)
    assert.equal(1, status)
    assert.matches("crashed: killed by SIGSEGV", out, 1, true)
    assert.matches("WRONG: exact on whole numbers: C[15][15] is", out, 1, true)
    assert.matches("\nfor races and accesses outside of memory: clue check tests/specimens/ends/", out, 1, true)
    assert.matches("needs 1099511627776 bytes of local memory, but the device has", out, 1, true)
    assert.matches("use of undeclared identifier 'nothing'", out, 1, true)
    assert.matches("2 of 7 steps verified", support.flat(out), 1, true)
  end)

  it("says which command shows what a step's kernels did, if the step could not say it itself", function()
    local folder = support.folder()
    support.write(support.read "tests/specimens/ends/walkthrough.lua", folder .. "/walkthrough.lua")
    support.write([[
      local product = require "clue.walk.product"
      product.inputs(input, "16")
      function OnStart()
        os.execute "kill -s SEGV $PPID"
        os.execute "sleep 5"
      end
    ]], folder .. "/01_crash.lua")
    local _, _, document = support.ended(1, walk {folder .. "/", "--size", "24"})
    assert.equal(("crashed: killed by SIGSEGV; to see what a kernel does wrong: clue check %s/01_crash.lua --size 24")
      :format(folder), rows_of(document)[1].failed.text)
  end)

  it("stops a step that never ends #once", function()
    local status, out, _, document = walk {"tests/specimens/ends/", "--steps", "3", "--time-limit", "2"}
    assert.equal("time limit", rows_of(document)[1].failed.word)
    assert.equal(1, status)
    assert.matches("stopped after 2 s (--time-limit)", out, 1, true)
  end)

  it("keeps its rows if it is interrupted, and leaves no step behind #once", function()
    -- a shell lets its background processes ignore SIGINT; the endless step is found in the list of processes
    local out, err = support.ended(130, support.execute {"sh", "-c", [[
      env --default-signal=INT "$0" walk tests/specimens/ends/ --steps 1,3 &
    ]] .. walks.await_process "$0 [^ ]*ends/03_endles[s]" .. [[
      sleep 0.3
      kill -INT $!
      wait $!]], support.clue})
    assert.matches("1 of 1 step%s+verified", out)
    assert.matches("clue walk: interrupted!", err, 1, true)
    local function is_listed(script) -- among this test's own processes
      local _, processes = support.execute {"sh", "-c", walks.processes}
      return processes:find(script) ~= nil
    end
    assert.is_true(is_listed "busted") -- this process is in the list, so the step would be, too
    local left = 600 -- a busy machine may let a killed step live a little longer
    while left > 0 and is_listed "ends/03_endless%.lua" do
      left = left - 1
      os.execute "sleep 0.05"
    end
    assert.is_true(left > 0)
  end)

  it("measures no limits for the report of a run that was interrupted #once #later", function()
    -- interrupted on the second device, when the first one's rows are there
    local report, kept = support.temporary ".html", support.temporary ".json"
    support.ended(130, support.execute({"sh", "-c", [[
      env --default-signal=INT "$0" walk hello --steps 1 --size 64 --device 0:0,1:0 --report "$1" --json "$2" &
    ]] .. walks.await_process "$0 --device 1:0 [^ ]*hello/0[1]" .. [[
      kill -INT $!
      wait $!]], support.clue, report, kept}, support.drivers "both"))
    assert.matches("<!DOCTYPE html>", support.read(report))
    local devices = json.decode(support.read(kept)).devices
    assert.is_true(#devices >= 1)
    for _, device in ipairs(devices) do assert.is_nil(device.peak) end
  end)

  it("says of a name that is a folder here how to write it, and guesses which name was meant", function()
    local folder = support.folder()
    support.write("return {}", support.execute({"mkdir", folder .. "/mine", folder .. "/other"}) == 0
      and folder .. "/mine/walkthrough.lua")
    for name, says in pairs {
      mine = "there is no walkthrough 'mine', but mine/ is a folder here: write it with a slash: ./mine",
      other = "there is no walkthrough 'other', and the folder other/ here is none: it has no walkthrough.lua; "
        .. "`clue new walkthrough` makes one",
      mql = "there is no walkthrough 'mql': did you mean mql5? There are: amd, ",
    } do
      local status, _, err = support.execute({"sh", "-c", ("cd %s && %s walk %s"):format(folder, support.clue, name)})
      assert.equal(2, status)
      assert.matches("clue walk: " .. says, err, 1, true)
    end
  end)

  it("refuses a wrong walkthrough of the user's with the reason", function()
    local folder = support.folder()
    local _, _, none = support.run {"walk", folder .. "/"}
    assert.matches("there is no walkthrough '" .. folder .. "/': the folder has no walkthrough.lua; the shortest is: "
      .. "return {title = \"mine\"}; `clue new walkthrough` makes one\n", none, 1, true)
    for text, says in pairs {
      ["return {"] = "walkthrough.lua:1:", ["return 5"] = "does not return a table with a title",
      ["return {title = 'x', year = 1, language = 'Lua'}"] = "has no steps: files named NN_name.lua",
      ["return {title = 'x', over = {[8] = 6}}"] = "walkthrough.lua: over[8]: step 6 is no step before it",
      ["return {title = 'x', over = 8}"] = "walkthrough.lua: walkthrough.over is not a table",
      ["return {title = 'x', sizes = 8}"] = "walkthrough.sizes is not a table",
      ["return {title = 'x', forms = {cpu = 2}}"] = "walkthrough.forms.cpu is not a list",
      ["return {title = 'x', figures = {}}"] = "walkthrough.figures is not a string",
      ["return {title = 'x', links = 'x'}"] = "walkthrough.links is not a list",
      ["return {title = 'x', try = {{1, 2}}}"] = "walkthrough.try[0] is not a pair of texts",
      ["return {title = 'x', lessons = 4}"] = "walkthrough.lessons is not a list",
    } do
      support.write(text, folder .. "/walkthrough.lua")
      local err = support.refused(2, support.run {"walk", folder .. "/"})
      assert.matches(says, err, 1, true)
    end
    support.write("return {title = 'x', size = 'list'}", folder .. "/walkthrough.lua")
    support.write("", folder .. "/01_a.lua")
    local err = support.refused(2, support.run {"walk", folder .. "/", "--size", "5"})
    assert.matches('has size = "list", which is no way to read a size', err, 1, true)
  end)

  it("names a file of a walkthrough that is there, but cannot be read", function()
    local folder = support.folder()
    local function said()
      local err = support.refused(1, support.run {"walk", folder .. "/"})
      return err
    end
    assert(lfs.link("walkthrough.lua", folder .. "/walkthrough.lua", true))
    assert.equal(("clue walk: %s/walkthrough.lua: Too many levels of symbolic links\n"):format(folder), said())
    os.remove(folder .. "/walkthrough.lua")
    support.write("return {title = 'x'}", folder .. "/walkthrough.lua")
    assert(lfs.mkdir(folder .. "/01_step.lua"))
    assert.equal(("clue walk: %s/01_step.lua: this is a folder, but a file is expected\n"):format(folder), said())
  end)

  it("fails if its results cannot be written", function()
    local status, _, err = support.run {"walk", "mql5", "--steps", "1", "--size", "8", "--json", "/dev/full"}
    assert.equal(1, status)
    assert.matches("--json: cannot write", err, 1, true)
    local out
    status, out, err = support.run {"walk", "mql5", "--steps", "1", "--size", "8", "--report", "/no/such/folder/r.html"}
    assert.equal(1, status)
    assert.matches("--report: cannot write /no/such/folder/r.html", err, 1, true)
    assert.is_nil(out:find("verified", 1, true)) -- before the work
  end)

  it("keeps every raw time in the JSON document", function()
    local _, _, document = support.ended(0, walk {"mql5", "--steps", "2", "--size", "16", "--repeat", "3"})
    local row = rows_of(document)[1]
    for _, part in ipairs {"upload", "kernel", "read", "total"} do
      assert.equal(3, #row.times[part])
      for _, seconds in ipairs(row.times[part]) do assert.is_true(seconds > 0) end
    end
    assert.equal(2 * 16 ^ 3, row.times.flops)
    assert.equal("device", row.times.clock)
    assert.equal("0:0", row.device.address)
  end)
end)

local function escaped(text) return (text:gsub("%p", "%%%0")) end

describe("steps that take turns", function()
  local status, out, _, document = walk {"tests/specimens/turns/"}
  local rows = rows_of(document)

  it("get their gain from pairs of runs, with its interval #once", function()
    local gain = rows[2].gain
    assert.equal(1, gain.over)
    assert.is_true(gain.pairs >= 6)
    assert.equal(gain.pairs, #gain.before)
    assert.equal(gain.pairs, #gain.now)
    assert.is_true(gain.low <= gain.ratio and gain.ratio <= gain.high)
    -- three; less if a busy machine adds milliseconds to both
    assert.is_true(gain.ratio > 1.3 and gain.ratio < 4, gain.ratio)
    local text = ("%.2f (%.2f-%.2f)"):format(gain.ratio, gain.low, gain.high)
    assert.matches("\n[!> ]+2 [^\n]* " .. escaped(text) .. " +1\n", out)
  end)

  -- In 19 of 20 runs, the interval of two equal steps contains 1 (walk_statistics_spec tests what is a difference).
  it("show the gain that the interval gives for two equal steps", function()
    local gain = rows[3].gain
    assert.is_true(gain.ratio > 0.5 and gain.ratio < 2, gain.ratio)
    assert.matches(gains.text(gain), out:match "gain.-\n[!> ]+(3 [^\n]+)", 1, true)
  end)

  it("fail if they cannot run again, but the other steps keep their rows #once", function()
    assert.equal("failed", rows[4].failed.word)
    assert.is_nil(rows[4].gain and rows[4].gain.low)
    assert.equal(3, rows[5].gain.over)
    assert.matches("\n[!> ]+5 [^\n]* +3\n", out)
    assert.is_nil(rows[3].over)
    assert.is_nil(rows[5].failed)
    assert.equal(1, status)
  end)

  it("are compared with the step that the walkthrough names, and the gain says so", function()
    local gain = rows[6].gain
    assert.equal(1, rows[6].over)
    assert.equal(1, gain.over)
    assert.is_true(gain.pairs >= 6) -- step 1 can still run
    assert.is_true(gain.ratio > 1.3 and gain.ratio < 4, gain.ratio)
    assert.matches("\n[!> ]+6 [^\n]* " .. escaped(gains.text(gain)) .. " +1\n", out)
  end)

  it("are compared with the last verified step if the named one did not run #once", function()
    local _, few_out, _, few = walk {"tests/specimens/turns/", "--steps", "2,6", "--repeat", "6"}
    assert.equal(2, rows_of(few)[2].gain.over)
    assert.equal(1, rows_of(few)[2].over)
    assert.matches("\n[!> ]+6 [^\n]* " .. escaped(gains.text(rows_of(few)[2].gain)) .. " +2\n", few_out)
  end)

  it("run until their medians and gains are certain, if asked to #once", function()
    local _, _, _, long = walk {"tests/specimens/turns/", "--steps", "1-2", "--until-stable"}
    assert.is_true(long.options.until_stable)
    for _, each in ipairs(rows_of(long)) do
      assert.is_true(each.times.runs >= 6)
      assert.equal(each.times.runs, #each.times.total)
    end
    assert.is_true(rows_of(long)[2].gain.pairs >= 6)
    local seconds = rows_of(long)[1].times.total -- of steps that sleep: certain after six runs, even on a busy machine
    assert.is_true(statistics.are_stable(seconds, 0) or #seconds * 0.024 > statistics.most_seconds)
  end)

  it("make exactly as many pairs as --repeat says, if they are enough for an interval #once", function()
    local function run(count)
      local _, few_out, _, few = walk {"tests/specimens/turns/", "--steps", "1-2", "--repeat", count, "--notes"}
      return rows_of(few)[2].gain, few_out
    end
    assert.equal(8, run("8").pairs)
    local gain, few_out = run "3"
    assert.same({}, {gain.pairs, gain.low, gain.before})
    assert.matches("a gain without an interval is by medians: fewer than six pairs", few_out, 1, true)
  end)
end)

describe("--json", function()
  it("keeps the results that are there, and says so #once", function()
    local path = support.temporary ".json"
    local words = {"walk", "tests/specimens/turns/", "--steps", "1", "--repeat", "1", "--json", path}
    local _, _, err = support.run(words)
    assert.equal("", err)
    local before = support.read(path)
    _, _, err = support.run(words)
    assert.equal(("clue: %s had results: %s.old keeps them\n"):format(path, path), err)
    assert.equal(before, support.read(path .. ".old"))
    words[#words + 1] = "--resume" -- replaces nothing
    _, _, err = support.run(words)
    assert.equal("", err)
    support.clean(support.run {"compare", path .. ".old", path})
  end)

  it("does not keep what it cannot, and says why #once", function()
    local folder = support.folder()
    local path = support.write("something", folder .. "/there.json")
    assert.is_true(require("lfs").mkdir(path .. ".old"))
    local _, _, err = support.run {"walk", "tests/specimens/turns/", "--steps", "1", "--repeat", "1", "--json", path}
    assert.matches(("^clue: the results in %s cannot be kept: [^\n]+\n$"):format(path:gsub("%p", "%%%0")), err)
  end)
end)

describe("--resume", function()
  local path = support.temporary ".json"

  local function resume(args, env, name)
    local words = {"walk", name or "mql5", "--json", path, "--resume", "--repeat", "1", "--size", "16"}
    local status, out, err = support.run(support.words(words, args), env)
    return status, out, err, json.decode(support.read(path) or "null")
  end

  local function numbers_of(document) return support.fields(rows_of(document), "number") end

  it("runs everything if nothing was kept", function()
    local _, _, document = support.ended(0, resume {"--steps", "2-3"})
    assert.equal(2, #rows_of(document))
  end)

  it("runs only steps that are missing or were not right", function()
    local document = json.decode(support.read(path))
    rows_of(document)[1].times.total = {12345}
    rows_of(document)[2].check.verified = false
    support.write(json.encode(document), path)
    local _, _, after = support.ended(0, resume {"--steps", "2-4"})
    local rows = rows_of(after)
    assert.same({2, 3, 4}, {rows[1].number, rows[2].number, rows[3].number})
    assert.same({12345}, rows[1].times.total) -- kept
    assert.is_true(rows[2].check.verified) -- run again
  end)

  it("leaves in the file what this run does not measure #once", function()
    local status, out, _, document = resume {"--steps", "5"}
    assert.equal(0, status)
    assert.same({2, 3, 4, 5}, numbers_of(document))
    assert.matches("1 of 1 step verified", support.flat(out), 1, true) -- prints what it was asked for
    assert.is_nil(document.options.steps)
    assert.equal(2, #document.resumed) -- how often it was continued
    status, _, _, document = resume({"--steps", "1"}, nil, "hello")
    assert.equal(0, status)
    assert.same({"hello", "mql5"}, {document.walkthroughs[1].name, document.walkthroughs[2].name})
    assert.equal(4, #document.walkthroughs[2].runs[1].rows)
    status, _, _, document = resume({"--device", "0:1", "--steps", "2"},
      support.drivers("pocl", {POCL_DEVICES = "pthread pthread"}))
    assert.equal(0, status)
    assert.same({"0:1", "0:0"}, {document.devices[1].address, document.devices[2].address})
    assert.same({1, 4}, {#document.walkthroughs[1].runs[1].rows, #document.walkthroughs[1].runs[2].rows})
    local report, csv = support.temporary ".html", support.temporary ".csv"
    -- The device's limits are known, so that they are not measured.
    local cache = support.folder()
    lfs.mkdir(cache .. "/limits")
    local file = table.concat(device_kind(document.devices[2]), "--"):gsub("[^%w.+-]+", "_")
    support.write('{"format": "clue limits 3", "flops": {"float": 1e15}, "bandwidth": {"read": 1e15}}',
      ("%s/limits/%s.json"):format(cache, file))
    local told, said, why = resume({"--steps", "2", "--report", report, "--csv", csv},
      {CLUE_CACHE_DIR = cache, CLUE_NO_CACHE = ""})
    assert.equal(0, told, said .. why)
    assert.matches("continued <time", support.read(report), 1, true)
    assert.matches("\nhello,", support.read(csv), 1, true)
  end)

  it("loses nothing when it is interrupted before it has measured a step #once", function()
    local before = support.read(path)
    support.ended(130, support.execute {"sh", "-c", [[
      env --default-signal=INT "$0" walk tests/specimens/ends/ --steps 3 --json "$1" --resume --repeat 1 --size 16 &
    ]] .. walks.await_process "$0 [^ ]*ends/03_endles[s]" .. [[
      kill -INT $!
      wait $!]], support.clue, path})
    local document, kept = json.decode(support.read(path)), json.decode(before)
    for _, entry in ipairs(kept.walkthroughs) do
      local found
      for _, each in ipairs(document.walkthroughs) do found = each.name == entry.name and each or found end
      assert.same(entry, found)
    end
  end)

  it("refuses what another device, other options of the environment, clue or machine measured #once", function()
    local before = support.read(path)
    local status, _, err = resume({"--steps", "2"}, support.drivers "oclgrind")
    assert.equal(2, status)
    assert.matches("its device 0:0 is .-, driver .-, and now Oclgrind Simulator, driver ", err)
    status, _, err = resume({"--steps", "2"}, {CLUE_BUILD_OPTIONS = "-w"})
    assert.equal(2, status)
    assert.matches("it was made without CLUE_BUILD_OPTIONS, and this run is with CLUE_BUILD_OPTIONS -w", err, 1, true)
    assert.equal(before, support.read(path))
    local others = {clue = "0.0.1", machine = {cores = 3, processor = "abacus"}}
    for field, says in pairs {clue = "made by clue 0.0.1, and this", machine = "made on 3 cores of abacus, and this"} do
      local document = json.decode(before)
      document[field] = others[field]
      support.write(json.encode(document), path)
      status, _, err = resume {"--steps", "2"}
      assert.equal(2, status)
      assert.matches(says, err, 1, true)
    end
    support.write(before, path)
    status, _, err = support.run {"walk", "mql5", "--json", path, "--resume", "--until-stable", "--size", "16"}
    assert.equal(2, status)
    assert.matches("it was made with --repeat 1, and this run is without --repeat; without --resume, all is measured "
      .. "anew, and " .. path .. ".old keeps what was measured", support.flat(err), 1, true)
  end)

  it("runs a step again that was edited, or that may read a file that was #once", function()
    local copy = support.folder() .. "/mine"
    assert.equal(0, (support.run {"new", "walkthrough", copy, "--from", "mql5", "--steps", "2,3"}))
    local its_path = support.temporary ".json"
    local function run_again()
      support.ended(0, support.run {"walk", copy, "--repeat", "1", "--size", "16", "--resume", "--json",
                                            its_path})
      local document, kept = json.decode(support.read(its_path)), {}
      for _, row in ipairs(document.walkthroughs[1].runs[1].rows) do
        if row.times.total[1] == 12345 then kept[#kept + 1] = row.number end
        row.times.total = {12345}
      end
      support.write(json.encode(document), its_path)
      return kept
    end
    assert.same({}, run_again())
    assert.same({2, 3}, run_again())
    local step = copy .. "/02_one_item_per_element.lua"
    support.write(assert(support.read(step)) .. "-- edited\n", step)
    assert.same({3}, run_again())
    support.write("-- a module", copy .. "/beside.lua")
    assert.same({}, run_again())
  end)

  it("refuses a document of other options, and files that are not documents", function()
    local _, err = support.ended(2, resume {"--type", "double"})
    assert.matches("it was made without --type, and this run is with --type double", err, 1, true)
    for text, says in pairs {
      ["{"] = "not JSON", ['{"rows": []}'] = "this JSON is not from `clue walk --json`",
      ['{"format": "clue walk 2", "walkthroughs": [7]}'] = "walkthroughs[0] is not an object",
      ['{"format": "clue peak 1", "limits": []}'] = "is from clue peak, not from clue walk",
    } do
      support.write(text, path)
      _, err = support.ended(2, resume {})
      assert.matches(says, err, 1, true)
    end
  end)
end)

describe("several devices #once", function()
  local two = support.drivers("pocl", {POCL_DEVICES = "pthread pthread"})

  it("each get a run and a group of columns", function()
    local args = {"mql5", "--steps", "2,4", "--size", "16", "--repeat", "1", "--device", "all"}
    local out, _, document = support.ended(0, walk(args, two))
    local runs = document.walkthroughs[1].runs
    assert.same({"0:0", "0:1"}, {runs[1].device, runs[2].device})
    assert.equal(2, #document.devices)
    assert.equal(2, #runs[2].rows)
    assert.equal("0:1", runs[2].rows[1].device.address)
    local columns = " +ms +GFLOPS +step 2 +gain +over"
    assert.matches("\n +0:0 +over +0:1 +over\n# +step" .. columns .. columns .. "\n", out)
    assert.matches("\nmql5 on 0:1: step %d, .-; 2%s+of%s+2%s+steps%s+verified\n", out)
  end)

  it("are chosen by a list, in its order", function()
    local _, _, _, document = walk({"mql5", "--steps", "2", "--size", "8", "--repeat", "1", "--device", "0:1,0:0"}, two)
    local runs = document.walkthroughs[1].runs
    assert.same({"0:1", "0:0"}, {runs[1].device, runs[2].device})
  end)
end)

describe("a question about one step", function()
  local function ask(...)
    return (support.ended(0, support.run {"walk", "mql5", "--size", "16", "--repeat", "1", ...}))
  end

  it("is answered with its head comment, what decides, and what the author saw #once #later", function()
    local out = ask("--explain", "7")
    assert.matches("each column of B is copied into local memory", out, 1, true)
    assert.matches("CL_DEVICE_LOCAL_MEM_TYPE = CL_GLOBAL", out, 1, true)
    assert.matches("kernel matr_mul_col_local: work%-groups of up to %d+, in multiples of", out)
    assert.matches("verified; upload [%d.e-]+ ms, kernel [%d.e-]+ ms", out)
    assert.matches("the author's GPU: 1.592 s, 10.05 GFLOPS", out, 1, true)
  end)

  it("is answered with properties as OpenCL writes them #once #later", function()
    local folder = walks.copied("amd", "17")
    walks.change(folder .. "/17_nbody_local.lua",
      'decides = {"local_mem_type", "local_mem_size", "max_work_group_size"}',
      'decides = {"extensions", "double_fp_config", "partition_properties", "image_support", "half_fp_config"}')
    local status, out, err = support.run {"walk", folder .. "/", "--size", "33", "--repeat", "1", "--explain", "17"}
    assert.equal(0, status, err)
    for _, says in ipairs {
      "memory, besides what a call gives to tile\n",
      "CL_DEVICE_EXTENSIONS = cl_khr_",
      "CL_DEVICE_IMAGE_SUPPORT = CL_TRUE\n",
      "CL_DEVICE_DOUBLE_FP_CONFIG = CL_FP_DENORM, CL_FP_INF_NAN",
      "CL_DEVICE_PARTITION_PROPERTIES = CL_DEVICE_PARTITION_EQUALLY, ",
      "CL_DEVICE_HALF_FP_CONFIG = not known to this driver\n",
    } do
      assert.matches(says, out, 1, true)
    end
  end)

  it("is answered with each kernel once #once #later", function()
    local _, out = support.run({"walk", "amd", "--size", "33", "--repeat", "1", "--explain", "21"},
      support.drivers "oclgrind")
    assert.equal(1, select(2, out:gsub("kernel enabled: work%-groups", "")))
  end)

  it("is answered with the source as it is built", function()
    local out = ask("--source", "4")
    assert.matches("#define K 16\n", out, 1, true)
    assert.matches("sum += a[row * K + k] * b[column * K + k];", out, 1, true)
    assert.matches("builds no kernel", ask("--source", "1"), 1, true)
  end)

  it("is answered with the difference from the step before", function()
    local out = ask("--diff", "4")
    assert.matches("\n+    REALTYPE sum = 0;\n", out, 1, true)
    assert.matches("\n-        c[row * N + column] += a[row * K + k] * b[column * K + k];\n", out, 1, true)
    assert.matches("\n #define K 16\n", out, 1, true)
    assert.matches("^%-%-%- step 1, matr_mul_2dim\n%+%+%+ step 2, matr_mul_1dim\n", ask("--diff", "2"))
    local step = require "clue.show.walk.step"
    local host, kernel = {number = 1, name = "a"}, {number = 2, name = "b", programs = {{source = "x"}}}
    assert.matches("step 1 builds no kernel, nor does", step.difference(nil, host).text, 1, true)
    assert.matches("the kernel of step 2 is that of step 2: ", step.difference(kernel, kernel).text, 1, true)
  end)

  it("has colours where --color says so, before or after the subcommand's name #once #later", function()
    local function escapes(words, env)
      local out = support.ended(0, support.run(support.words(words, "--size 16 --repeat 1"), env))
      return out:find("\27[3", 1, true) ~= nil
    end
    assert.is_false(escapes {"walk", "mql5", "--diff", "4"})
    assert.is_true(escapes {"--color", "always", "walk", "mql5", "--diff", "4"})
    assert.is_true(escapes({"walk", "mql5", "--diff", "4", "--color=always"}, {NO_COLOR = "1"}))
    assert.is_false(escapes {"--color=always", "walk", "--color", "never", "mql5", "--diff", "4"})
  end)

  it("is answered with the difference from the step that it is compared with", function()
    assert.matches("^%-%-%- step 6, matr_mul_row_in_private\n%+%+%+ step 8, matr_mul_vect\n", ask("--diff", "8"))
  end)
end)
