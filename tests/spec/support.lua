--- Shared by all specs: the built executable, child processes, the choice of drivers, temporary files.
-- The settings come from the environment that ctest sets (tests/CMakeLists.txt).

local assert = require "luassert"
local json = require "dkjson"
local lfs = require "lfs"

local unpack = table.unpack or unpack -- luacheck: ignore

local support = {}

--- Path of the built executable.
support.clue = assert(os.getenv("CLUE"), "specs need CLUE, the path of the executable: run them by ./dev test")

-- <build>/tests, where the build puts the tests' own programs and libraries.
local folder = os.getenv("CLUE_TEST_FOLDER") or support.clue:match("^(.*)/") .. "/tests"

--- True if clue was built with sanitizers: memory use, times and crashes are different then.
support.sanitized = os.getenv("CLUE_TEST_SANITIZED") == "1"

--- True if a spec runs at its full size, which happens once, in the plain build. The results of C and of a browser are
-- the same in every interpreter, over either binding and in every build, so there the specs do less.
support.thorough = os.getenv("CLUE_TEST_THOROUGH") == "1"

--- Quotes a word for the shell.
-- @tparam string word
-- @treturn string
function support.quote(word)
  return "'" .. tostring(word):gsub("'", "'\\''") .. "'"
end

local home, made = nil, 0

-- The folder of this process's temporary files, in TMPDIR (tests/run) or /tmp.
local function temporary_home()
  if home then return home end
  local unique = os.tmpname() -- always in /tmp
  os.remove(unique)
  home = (os.getenv "TMPDIR" or "/tmp") .. "/" .. unique:match "[^/]+$"
  assert(lfs.mkdir(home))
  return home
end

--- A path where nothing exists yet. A file or folder made there is removed when the specs end.
-- @tparam[opt=""] string ending such as ".lua"
-- @treturn string
function support.temporary(ending)
  made = made + 1
  return ("%s/%d%s"):format(temporary_home(), made, ending or "")
end

--- A new, empty folder, removed when the specs end.
-- @treturn string its path
function support.folder()
  local path = support.temporary()
  assert(lfs.mkdir(path))
  return path
end

--- Writes a file; without a path, a new temporary one.
-- @tparam string text its bytes
-- @tparam[opt] string path
-- @treturn string its path
function support.write(text, path)
  path = path or support.temporary(".lua")
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
  return path
end

--- All bytes of a file.
-- @tparam string path
-- @treturn string nil if there is no such file
function support.read(path)
  local file = io.open(path, "rb")
  if not file then return nil end
  local text = file:read("*a")
  file:close()
  return text
end

--- Removes the temporary files, as the end of the specs does.
function support.clear()
  if home then os.execute("rm -rf " .. support.quote(home)) end
  home = nil
end

local subscribe = require("busted").subscribe -- nil outside of specs
if subscribe then subscribe({"suite", "end"}, support.clear) end

--- A function that makes each value once, by its name.
-- @tparam function make make(name)
-- @treturn function
function support.cached(make)
  local known = {}
  return function(name)
    if known[name] == nil then known[name] = make(name) end
    return known[name]
  end
end

--- What a shell's command prints.
-- @tparam string command
-- @treturn string
function support.output_of(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read "*a"
  pipe:close()
  return text
end

--- The text of the error that a call raises.
-- @tparam function call
-- @param ... its arguments
-- @treturn string
function support.text_of_error(call, ...)
  local done, problem = pcall(call, ...)
  assert.is_false(done)
  return type(problem) == "table" and problem.text or tostring(problem)
end

--- A text has a part, wherever its lines break: that depends on the length of paths, and so on TMPDIR.
-- @tparam string text
-- @tparam string part as it is
function support.has(text, part)
  local found = text:find(part, 1, true) or text:gsub("%s+", " "):find(part, 1, true)
  assert.is_truthy(found, ("no %q in:\n%s"):format(part, text))
end

--- A text lacks a part.
-- @tparam string text
-- @tparam string part as it is
function support.has_not(text, part)
  assert.is_nil(text:find(part, 1, true), ("%q in:\n%s"):format(part, text))
end

-- The n-th place of a heading in a line: a word, or words, of its own.
local function heading_at(line, heading, n)
  local from, to = 0, 0
  for _ = 1, n do
    repeat
      from, to = line:find(heading, to + 1, true)
    until not from or not line:sub(from - 1, from - 1):find "%S" and not line:sub(to + 1, to + 1):find "%S"
    if not from then return nil end
  end
  return from, to
end

-- What stands in a line below a heading. Cells are two blanks apart.
local function cell_below(line, from, to)
  local place = 1
  for cell in (line .. "  "):gmatch "(.-%s%s+)" do
    local last = place + #cell:gsub("%s+$", "") - 1
    if cell:find "%S" and place <= to and last >= from then return cell:match "^(.-)%s+$" end
    place = place + #cell
  end
  return ""
end

--- Reads a row of a table that clue printed by its headings: a test of these cells stays right if the table gets
-- further columns.
-- @tparam string out with a table, whose headings begin with #
-- @tparam string row how it begins, with two blanks between cells
-- @tparam string ... headings; one that is given again is its next one in the table
-- @treturn string the cells, with " | " between them
function support.cells(out, row, ...)
  local headings, found = {}, nil
  for line in out:gsub("[\194-\244][\128-\191]+", "."):gmatch "([^\n]*)\n" do
    if line == "" then headings = {} else table.insert(headings, 1, line) end
    if line:gsub("%s%s+", "  "):sub(1, #row) == row then found = line break end
  end
  assert(found, ("no row %q in:\n%s"):format(row, out))
  while not headings[1]:find "^%s*#" do table.remove(headings, 1) end
  local cells, times = {}, {}
  for i, heading in ipairs {...} do
    times[heading] = (times[heading] or 0) + 1
    local from, to
    for _, line in ipairs(headings) do
      if not from then from, to = heading_at(line, heading, times[heading]) end
    end
    assert(from, ("no heading %q in:\n%s"):format(heading, out))
    cells[i] = cell_below(found, from, to)
  end
  return table.concat(cells, " | ")
end

-- The text on one line, as if nothing had broken it: for sentences whose figures decide where they break.
function support.flat(text) return (text:gsub("%s+", " ")) end

--- An environment in which PoCL compiles each program, even if it has compiled the same before: so a build takes longer
-- than the 10 ms below which clue's cache keeps no program.
-- @tparam table env which gets the variable
-- @treturn table env
function support.uncached(env)
  env.POCL_KERNEL_CACHE = "0"
  return env
end

--- An environment in which PoCL compiles in half of the time, because it does not optimise: for specs that do not look
-- at how well it compiles, and whose kernels do little. tests/CMakeLists.txt gives it to C tests and shared specs.
-- @tparam table env which gets the variable
-- @treturn table env
function support.unoptimised(env)
  env.POCL_EXTRA_BUILD_FLAGS = "-cl-opt-disable"
  return env
end

-- For a shell, which changes variables of its own for nothing, where `env` is one more process.
local function environment_words(env)
  local names, words = {}, {}
  for name in pairs(env or {}) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local value = env[name]
    words[#words + 1] = value == false and ("unset %s;"):format(name)
      or ("export %s=%s;"):format(name, support.quote(value))
  end
  return table.concat(words, " ")
end

--- Runs any program and waits for it, by default at most 270 seconds, since walkthroughs are slow if PoCL's cache is
-- cold.
-- @tparam table words its path and its arguments
-- @tparam[opt] table env variables by name; false removes one
-- @tparam[opt=""] string input its standard input
-- @tparam[opt=270] number seconds
-- @treturn number exit status; 128 + n if signal n killed it, 124 if the time was up
-- @treturn string standard output
-- @treturn string standard error
function support.execute(words, env, input, seconds)
  local quoted = {}
  for i, word in ipairs(words) do quoted[i] = support.quote(word) end
  local out, err, status = support.temporary(), support.temporary(), support.temporary()
  local source = input and support.write(input, support.temporary()) or "/dev/null"
  os.execute(("{ %s timeout %d %s <%s >%s 2>%s; echo $? >%s; } 2>/dev/null"):format(environment_words(env),
    seconds or 270, table.concat(quoted, " "), source, out, err, status))
  return tonumber(support.read(status)), support.read(out), support.read(err)
end

--- What a program printed, which must have ended with a status.
-- @tparam number expected
-- @tparam number status with out and err, the results of support.execute or of what passes them on
-- @tparam string out
-- @tparam string err
-- @param ... returned as well
-- @treturn string standard output
-- @treturn string standard error
function support.ended(expected, status, out, err, ...)
  assert.equal(expected, status, (out or "") .. (err or ""))
  return out, err, ...
end

--- What a program printed that must have succeeded, and must have nothing on standard error.
-- @param ... the results of support.execute or of what passes them on
-- @treturn string standard output
function support.clean(...)
  local out, err = support.ended(0, ...)
  assert.equal("", err)
  return out
end

--- Why a program failed that must have ended with a status, and must have printed nothing.
-- @tparam number expected
-- @param ... as for @{clean}
-- @treturn string standard error
function support.refused(expected, ...)
  local out, err = support.ended(expected, ...)
  assert.equal("", out)
  return err
end

--- For LUA_INIT: steps of walks do not warm up, which takes longer than all else where they are small.
support.cold = ("@%s/tests/specimens/cold.lua"):format(lfs.currentdir())

--- For LD_LIBRARY_PATH: a folder before that of the drivers' prelinked libraries (tests/drivers.cmake).
-- @tparam string first
-- @treturn string
function support.libraries(first)
  local others = os.getenv "LD_LIBRARY_PATH"
  return others and first .. ":" .. others or first
end

-- Of a walk. The files there have the names of libraries that walkthroughs compare with, and cannot be loaded.
local of_walk = {LUA_INIT = support.cold,
                 LD_LIBRARY_PATH = support.libraries(lfs.currentdir() .. "/tests/library/absent")}

--- Runs the built executable, with the results of support.execute. No spec reads the times of a walk's steps, so they
-- do not warm up, and find no library to compare with, whatever is installed, unless env has a LUA_INIT or a
-- LD_LIBRARY_PATH.
-- @tparam table|string args its arguments; a string is one argument
-- @tparam[opt] table env
-- @tparam[opt] string input
-- @tparam[opt] number seconds
function support.run(args, env, input, seconds)
  local words, is_walk = {support.clue}, false
  for i, arg in ipairs(type(args) == "table" and args or {args}) do
    words[i + 1], is_walk = arg, is_walk or arg == "walk"
  end
  return support.execute(words, support.with(support.with({}, is_walk and of_walk or {}), env), input, seconds)
end

--- Runs a subcommand with --json, with the results of support.execute.
-- @tparam {string,...} words the subcommand, then what follows it
-- @tparam[opt] table env
-- @tparam[opt] number seconds as for @{execute}
-- @treturn number exit status
-- @treturn string standard output
-- @treturn string standard error
-- @treturn table the document; nil if it wrote none
function support.document(words, env, seconds)
  local path = support.temporary ".json"
  local status, out, err = support.run({words[1], "--json", path, unpack(words, 2)}, env, nil, seconds)
  local text = support.read(path)
  return status, out, err, text and assert(json.decode(text))
end

--- Words, and others behind them.
-- @tparam {string,...} words
-- @param ... more of them: each is a text of words, a list, or nil
-- @treturn {string,...} a new list
function support.words(words, ...)
  local all = {unpack(words)}
  for i = 1, select("#", ...) do
    local more = select(i, ...) or {}
    for _, word in ipairs(type(more) == "table" and more or {}) do all[#all + 1] = word end
    for word in (type(more) == "string" and more or ""):gmatch "%S+" do all[#all + 1] = word end
  end
  return all
end

--- A field of each table of a list.
-- @tparam {table,...} list
-- @param name of the field, or its number
-- @treturn {any,...}
function support.fields(list, name)
  local values = {}
  for i, each in ipairs(list) do values[i] = each[name] end
  return values
end

--- A table to which the fields of another are added, or which they replace.
-- @tparam table table
-- @tparam[opt] table more
-- @treturn table the same table
function support.with(table, more)
  for name, value in pairs(more or {}) do table[name] = value end
  return table
end

--- Each wrong use of a command ends with status 2 and one message that says why.
-- @tparam {string,...} words the command's first ones
-- @tparam table wrong what the message says, by the text of the other words
-- @tparam[opt] table env
function support.refuses(words, wrong, env)
  for text, says in pairs(wrong) do
    local err = support.refused(2, support.run(support.words(words, text), env))
    assert.matches(says, err, 1, true)
    assert.equal(1, select(2, err:gsub("\n", "")), err)
  end
end

--- Runs text as a script file of clue.
-- @tparam string text
-- @tparam[opt] table args the arguments after the script
-- @tparam[opt] table env
function support.run_script(text, args, env)
  local words = {support.write(text)}
  for i, arg in ipairs(args or {}) do words[i + 1] = arg end
  return support.run(words, env)
end

--- An environment that has exactly these drivers.
-- @tparam string name a folder of tests/drivers.cmake: pocl, oclgrind, rusticl, both, null, none or whole_pocl
-- @tparam[opt] table more variables to add
-- @treturn table for support.run
function support.drivers(name, more)
  local env = {OCL_ICD_VENDORS = folder .. "/icd/" .. name}
  if name == "rusticl" then env.RUSTICL_ENABLE = "llvmpipe" end
  -- Oclgrind deletes its images by a wrong type, which AddressSanitizer reports; it is not our fault.
  local sanitizer = os.getenv "ASAN_OPTIONS"
  if sanitizer and name == "oclgrind" then env.ASAN_OPTIONS = sanitizer .. ":new_delete_type_mismatch=0" end
  return support.with(env, more)
end

--- Path of a file that the build made for the tests, such as "layer/fail_nth.so".
-- @tparam string name
-- @treturn string
function support.built(name)
  return folder .. "/" .. name
end

return support
