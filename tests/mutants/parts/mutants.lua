-- The mutants, for tests/mutants/run: which there are, and how one gets into a file.
--
--   clue mutants.lua list [WORD...]                   NAME|FILE|TEST|WORDS|BINDING|FAULT, a line for each
--   clue mutants.lua check ROOT                       whether all apply, and whether their tests exist; and whether
--                                                     docs/reliability.md has their numbers
--   clue mutants.lua apply NAME TREE                  plants one
--   clue mutants.lua command TESTS TEST WORDS BINDING the shell command of a test, by ctest's list of them
--   clue mutants.lua differing LIST FROM TO           the files of a list that differ between two folders
--
-- A mutant is a table of one of the lists beside this folder: its name, the file that has the fault, and
--   was, is   the right text, which the file has exactly once, and the wrong one
--   fault     what is wrong then, in words
--   test      the name in ctest of the test that kills it
--   says      for a spec: words in the names of the tests to run; others do not run
--   binding   "capi" or "ffi": for a spec that runs over that binding (default: the usual one)
local here = arg[0]:match "^(.*)/parts/[^/]*$"

local files = {"core", "sys", "walk", "bindings", "clue", "programs", "doctor", "sweep", "prompt", "main", "simulator",
               "farm"}

local function read(path)
  local file = io.open(path, "rb")
  if not file then return nil end
  local text = file:read "*a"
  file:close()
  return text
end

-- All mutants in order, each with its name; and the same by name.
local function all()
  local ordered, by_name = {}, {}
  for _, name in ipairs(files) do
    for _, mutant in ipairs(dofile(("%s/%s.lua"):format(here, name))) do
      mutant.name, mutant.file = mutant[1], mutant[2]
      assert(not by_name[mutant.name], "two mutants are called " .. tostring(mutant.name))
      by_name[mutant.name] = mutant
      ordered[#ordered + 1] = mutant
    end
  end
  return ordered, by_name
end

-- Where the right text is in a file's; nil and why not, if it is there less or more than once.
local function place(mutant, text)
  if not text then return nil, "there is no such file" end
  local from, to = text:find(mutant.was, 1, true)
  if not from then return nil, "it does not have the text" end
  if text:find(mutant.was, to + 1, true) then return nil, "it has the text more than once" end
  return from, to
end

-- ---- the commands ----

local commands = {}

local function is_wanted(mutant, words)
  for _, word in ipairs(words) do
    if mutant.name:find(word, 1, true) or mutant.file:find(word, 1, true) then return true end
  end
  return #words == 0
end

function commands.list(...)
  for _, mutant in ipairs((all())) do
    if is_wanted(mutant, {...}) then
      print(table.concat({mutant.name, mutant.file, mutant.test, mutant.says or "", mutant.binding or "", mutant.fault},
        "|"))
    end
  end
end

-- What is wrong with a mutant's test; nil if it exists.
local function missing_test(mutant, root)
  local kind, name = mutant.test:match "^(%l+)%.([%w_]+)"
  if kind == "c" then
    for _, room in ipairs {"core", "sys", "walk"} do
      if read(("%s/tests/%s/test_%s.c"):format(root, room, name)) then return nil end
    end
    return "there is no test_" .. name .. ".c"
  end
  local function spec(of) return read(("%s/tests/spec/%s_spec.lua"):format(root, of)) end
  local text = spec(name)
  if not text then -- a test for each folder that a spec's head names
    local of, folder = name:match "^(.*)_([^_]*)$"
    local each = spec(of or "")
    local path = each and each:match "\n%-%- each: ([^\n]+)"
    text = path and read(("%s/%s/%s/walkthrough.lua"):format(root, path, folder)) and each or nil
  end
  if not text then return ("there is no %s_spec.lua"):format(name) end
  if not mutant.says then return nil end
  for words in text:gmatch '%f[%l]it%("([^\n]-)", function' do
    if words:find(mutant.says, 1, true) then return nil end
  end
  return ("no test of %s says %q"):format(mutant.test, mutant.says)
end

local function fault_of(mutant, root)
  for _, field in ipairs {"name", "file", "was", "is", "fault", "test"} do
    if (mutant[field] or "") == "" and not (field == "is" and mutant.is) then return "it has no " .. field end
  end
  if (mutant.fault .. (mutant.says or "")):find "[|\n]" then return "its words have '|' or a new line" end
  if mutant.was == mutant.is then return "it changes nothing" end
  local found, why = place(mutant, read(root .. "/" .. mutant.file))
  return not found and ("it does not apply to %s: %s"):format(mutant.file, why) or missing_test(mutant, root)
end

-- How many mutants are in folders, or in all: "host/core", "bindings/ffi, bindings/capi".
local function count_in(ordered, folders)
  local count = 0
  for _, mutant in ipairs(ordered) do
    for folder in folders:gmatch "[^, ]+" do
      local path = mutant.file:gsub("^host/main%.c$", "host/main/main.c")
      if folder == "all" or path:sub(1, #folder + 1) == folder .. "/" then count = count + 1 end
    end
  end
  return count
end

-- Lines of the page that have another number: its first table has all faults, that of its section those of each part.
local function wrong_numbers(ordered, root)
  local wrong, text = {}, read(root .. "/docs/reliability.md")
  local function compare(folders, number)
    local right = count_in(ordered, folders)
    if tonumber(number) ~= right then wrong[#wrong + 1] = ("%s: %s, should be %d"):format(folders, number, right) end
  end
  compare("all", text:match "planted faults%]%(#planted%-faults%) %(mutants%) | (%d+)")
  local section = text:match "\n## Planted faults\n(.-)\n## "
  for folders, number in section:gmatch "\n| ([%w/, ]-) | (%d+) |" do compare(folders, number) end
  return wrong
end

function commands.check(root)
  local ordered, bad = all(), 0
  for _, mutant in ipairs(ordered) do
    local fault = fault_of(mutant, root)
    if fault then
      print(("%s: %s"):format(tostring(mutant.name), fault))
      bad = bad + 1
    end
  end
  print(("%d mutants, %d cannot be used"):format(#ordered, bad))
  local wrong = wrong_numbers(ordered, root)
  for _, line in ipairs(wrong) do print("docs/reliability.md: " .. line) end
  os.exit(bad == 0 and not wrong[1])
end

function commands.apply(name, tree)
  local _, by_name = all()
  local mutant = by_name[name]
  local path = tree .. "/" .. mutant.file
  local text = read(path)
  local from, to = place(mutant, text)
  if not from then
    io.stderr:write(mutant.file, ": ", to, "\n")
    os.exit(1)
  end
  local file = assert(io.open(path, "wb"))
  assert(file:write(text:sub(1, from - 1), mutant.is, text:sub(to + 1)))
  assert(file:close())
end

local function quoted(word)
  return "'" .. word:gsub("'", "'\\''") .. "'"
end

-- ctest's words for a test end with the program, busted and the spec; `env` before them sets variables.
function commands.command(tests, name, says, binding)
  for _, test in ipairs(require("clue.json").decode(read(tests)).tests) do
    if test.name == name then
      local words = {}
      for i = #test.command, 1, -1 do -- of the tests that a spec leaves to the whole suite, too
        test.command[i] = test.command[i]:gsub("^(%-%-exclude%-tags=.+),later$", "%1")
        if test.command[i] == "--exclude-tags=later" then table.remove(test.command, i) end
      end
      for i, word in ipairs(test.command) do
        if binding ~= "" and i == #test.command - 2 then words[#words + 1] = quoted("CLUE_BINDING=" .. binding) end
        words[#words + 1] = quoted(word)
      end
      if says ~= "" then words[#words + 1] = quoted("--filter=" .. says:gsub("%W", "%%%0")) end
      return print(table.concat(words, " "))
    end
  end
  error("ctest has no test " .. name)
end

function commands.differing(list, from, to)
  for name in io.lines(list) do
    if read(from .. "/" .. name) ~= read(to .. "/" .. name) then print(name) end
  end
end

commands[arg[1]](unpack(arg, 2)) -- luacheck: ignore 113
