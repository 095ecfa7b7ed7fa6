--- What specs share: the built executable, child processes, drivers to choose from, temporary files.
-- The settings come from the environment that ctest gives (tests/CMakeLists.txt).

local lfs = require "lfs"

local support = {}

--- Path of the built executable.
support.clue = assert(os.getenv("CLUE"), "specs need CLUE, the path of the executable: run them by ./dev test")

-- <build>/tests, where the build puts what it makes for the tests.
local folder = os.getenv("CLUE_TEST_FOLDER") or support.clue:match("^(.*)/") .. "/tests"

--- True where clue was built with sanitizers: memory use, times and what a crash looks like differ there.
support.sanitized = os.getenv("CLUE_TEST_SANITIZED") == "1"

--- True where a spec takes its full size: once, in the plain build. What C computes or a browser shows is the same in
-- every interpreter, over either binding and in every build, and much of it makes these slow.
support.thorough = os.getenv("CLUE_TEST_THOROUGH") == "1"

--- The word as one word for the shell.
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

--- A path where nothing is yet; what is made there is removed when the specs end.
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

--- Writes a file, a new temporary one where no path is given.
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
-- @treturn string nil where there is no such file
function support.read(path)
  local file = io.open(path, "rb")
  if not file then return nil end
  local text = file:read("*a")
  file:close()
  return text
end

require("busted").subscribe({"suite", "end"}, function()
  if home then os.execute("rm -rf " .. support.quote(home)) end
  home = nil
end)

local function environment_words(env)
  local names, words = {}, {"env"}
  for name in pairs(env or {}) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    if env[name] == false then
      words[#words + 1] = "-u " .. support.quote(name)
    end
  end
  for _, name in ipairs(names) do
    if env[name] ~= false then
      words[#words + 1] = support.quote(name .. "=" .. tostring(env[name]))
    end
  end
  return table.concat(words, " ")
end

--- Runs any program and waits for it, at most 270 seconds: a cold cache of PoCL makes walkthroughs slow.
-- @tparam table words its path and its arguments
-- @tparam[opt] table env variables by name; false removes one
-- @tparam[opt=""] string input what it reads from standard input
-- @treturn number exit status; 128 + n when signal n killed it, 124 when the time was up
-- @treturn string standard output
-- @treturn string standard error
function support.execute(words, env, input)
  local quoted = {}
  for i, word in ipairs(words) do quoted[i] = support.quote(word) end
  local out, err, status = support.temporary(), support.temporary(), support.temporary()
  local source = input and support.write(input, support.temporary()) or "/dev/null"
  os.execute(("{ %s timeout 270 %s <%s >%s 2>%s; echo $? >%s; } 2>/dev/null"):format(environment_words(env),
    table.concat(quoted, " "), source, out, err, status))
  return tonumber(support.read(status)), support.read(out), support.read(err)
end

--- Runs the built executable; see support.execute for the results.
-- @tparam table|string args its arguments; a string is one argument
-- @tparam[opt] table env
-- @tparam[opt] string input
function support.run(args, env, input)
  local words = {support.clue}
  for i, arg in ipairs(type(args) == "table" and args or {args}) do words[i + 1] = arg end
  return support.execute(words, env, input)
end

--- Runs text as a script file of clue.
-- @tparam string text
-- @tparam[opt] table args what follows the script
-- @tparam[opt] table env
function support.run_script(text, args, env)
  local words = {support.write(text)}
  for i, arg in ipairs(args or {}) do words[i + 1] = arg end
  return support.run(words, env)
end

--- The environment in which exactly these drivers are there.
-- @tparam string name pocl, oclgrind, rusticl, both (pocl and oclgrind), null (tests/driver) or none
-- @tparam[opt] table more variables to add
-- @treturn table for support.run
function support.drivers(name, more)
  local env = {OCL_ICD_VENDORS = folder .. "/icd/" .. name}
  if name == "rusticl" then env.RUSTICL_ENABLE = "llvmpipe" end
  -- Oclgrind deletes its images by a wrong type, which AddressSanitizer minds; it is no fault of ours.
  local sanitizer = os.getenv "ASAN_OPTIONS"
  if sanitizer and name == "oclgrind" then env.ASAN_OPTIONS = sanitizer .. ":new_delete_type_mismatch=0" end
  for key, value in pairs(more or {}) do env[key] = value end
  return env
end

--- Path of a file that the build made for the tests, such as "layer/fail_nth.so".
-- @tparam string name
-- @treturn string
function support.built(name)
  return folder .. "/" .. name
end

return support
