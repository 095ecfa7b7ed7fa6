-- Makes the library of built-in functions for the tests' PoCL (tests/drivers.cmake), inside clue:
--
--     lean_pocl.lua FOLDER LIBRARIES    PoCL's folder for the tests, and the one of its installed libraries
--
-- Before PoCL compiles the first program of a process, it reads all 23,000 functions of its library, which takes more
-- than half of the time; and before each program a header that declares them. The library and the header made here are
-- the same without the functions whose name and vector types no file of this tree has together. They are made anew when
-- another one is named. If anything is not as it is on Debian 12, PoCL keeps its whole library, and tests take longer.
local ffi = require "ffi"
local lfs = require "lfs"

local folder, libraries = arg[1], arg[2]
local stamp = folder .. "/kept.txt"

ffi.cdef [[
  typedef struct lean_object *lean;
  lean LLVMContextCreate(void);
  int LLVMCreateMemoryBufferWithContentsOfFile(const char *path, lean *buffer_out, char **message_out);
  int LLVMParseBitcodeInContext2(lean context, lean buffer, lean *module_out);
  int LLVMWriteBitcodeToFile(lean module, const char *path);
  lean LLVMGetFirstFunction(lean module);
  lean LLVMGetNextFunction(lean function);
  const char *LLVMGetValueName2(lean value, size_t *length_out);
  lean LLVMGetFirstUse(lean value);
  void LLVMDeleteFunction(lean function);
]]

-- ---- what this tree names ----

-- Texts of which the tests' PoCL may compile kernels: not those of Oclgrind's plugin and the tests of it, of MQL5's
-- functions, which the host computes, and of random kernels, which take PoCL as it is installed.
local texts = "find README.md bindings docs host/lua kernels scripts tests -type f "
  .. "! -name '*.json' ! -name '*.npy' ! -name '*.png' ! -name '*.svg' ! -name '*.txt' ! -path 'tests/fuzz/corpus/*' "
  .. "! -path 'tests/check/*' ! -path 'tests/fuzz/parts/kernel/*' ! -path 'bindings/clue/mql5/*'"

local type_of = {c = "char", h = "uchar", s = "short", t = "ushort", i = "int", j = "uint", l = "long", m = "ulong",
                 f = "float", d = "double", Dh = "half"}
local is_type = {}
for _, name in pairs(type_of) do is_type[name] = true end

local function is_vector(word)
  return is_type[word:match "^(%l+)%d+$"]
end

-- The texts that have a word, as a set, for each word. Those that put names of types together, in OpenCL C or in Lua,
-- have each vector type that any text has.
local function words()
  local found, makers = setmetatable({}, {__index = function(list, word)
    list[word] = {}
    return list[word]
  end}), {}
  for path in io.popen(texts):lines() do
    local file = assert(io.open(path, "rb"))
    local text = file:read "*a"
    file:close()
    for word in text:gmatch "[%a_][%w_]*" do
      found[word][path], found[word:match "^(v%l+_?%l*)%d+$" or word][path] = true, true -- vload4, and vload
    end
    makers[path] = (text:find "%w##%w" or text:find "%%s%%d" or text:find "%.%. width") and true
  end
  for word, paths in pairs(found) do
    for path in pairs(is_vector(word) and makers or {}) do paths[path] = true end
  end
  return found
end

-- Whether a text has all of some words, which a string gives.
local function has_text(known, list)
  for path in pairs(known[list:match "%S+"]) do
    local all = true
    for word in list:gmatch "%S+" do all = all and known[word][path] end
    if all then return true end
  end
  return false
end

-- Whether a text has all words that a function needs to be kept even if no other one calls it: its name and the vector
-- types of its parameters. Names of conversions, loads and stores without a rounding mode are often put together: of
-- them, it needs what precedes the width, or the type. decided: what was found out, by the words.
local function is_named(known, decided, name, parameters)
  local list = {name:find "^v%l+_?%l*%d*$" and name:match "^v%l+_?%l*"
    or not name:find "_rt%l$" and name:match "^convert_(%l+%d*)" or name}
  for word in parameters:gmatch "%l+%d+" do
    if is_vector(word) then list[#list + 1] = word end
  end
  local key = table.concat(list, " ")
  if decided[key] == nil then decided[key] = has_text(known, key) end
  return decided[key]
end

-- The name and the parameters of a function of the library: "fmod" and "double4 S_" for "_Z8_cl_fmodDv4_dS_"; nil for
-- one without parameters in its name, which PoCL itself calls.
local function signature(symbol)
  local length, rest = symbol:match "^_Z(%d+)(.*)"
  if not length then return nil end
  local name, letters = rest:sub(1, tonumber(length)), rest:sub(tonumber(length) + 1)
  return name, (letters:gsub("Dv(%d+)_(D?%l)", function(width, of) return (" %s%d "):format(type_of[of], width) end))
end

-- ---- the library ----

-- What a lean library is made from: an installed one, and this script.
local function identity(path)
  local about, own = assert(lfs.attributes(path), path), lfs.attributes(arg[0])
  return ("%s %d %d %d"):format(path, about.size, about.modification, own.modification)
end

-- The path of the library that PoCL uses for this processor, and of its LLVM: both told by a program's build.
local function used()
  local program = [[
    local context = CLContextCreate(CL_USE_ANY)
    CLProgramCreate(context, "__kernel void nothing(__global int *a) { a[0] = %d; }")
    for line in io.lines "/proc/self/maps" do print(line) end]]
  local clue = os.getenv "CLUE"
  local said = io.popen(("POCL_DEBUG=llvm POCL_CACHE_DIR='%s/cache' '%s' --quiet -e '%s' 2>&1"):format(folder, clue,
    program:format(os.time()))):read "*a"
  return said:match "Using (%S+) as the built%-in lib", said:match "(/%S*/libLLVM%-?%d+%S*)"
end

local function load_module(llvm, path)
  local buffer, module, message = ffi.new "lean[1]", ffi.new "lean[1]", ffi.new "char *[1]"
  if llvm.LLVMCreateMemoryBufferWithContentsOfFile(path, buffer, message) ~= 0 then return nil end
  return llvm.LLVMParseBitcodeInContext2(llvm.LLVMContextCreate(), buffer[0], module) == 0 and module[0] or nil
end

-- The names that PoCL's header puts _cl_ in front of: its compiler of OpenCL C never calls those without it.
local function renamed()
  local set, file = {}, io.open(libraries .. "/include/_builtin_renames.h")
  for line in file and file:lines() or function() end do
    set[line:match "^#define +(%S+) +_cl_" or ""] = true
  end
  return set
end

-- Deletes functions that nothing needs until there are none. Returns the words that decided, with whether a text has
-- them.
local function prune(llvm, module, known)
  local decided, length, unused = {}, ffi.new "size_t[1]", renamed()
  local deleted
  local function is_needed(symbol)
    local name, parameters = signature(symbol)
    if not name then return not symbol:find "^Sleef_" end -- Sleef's functions have callers, or are of no use
    return not unused[name] and is_named(known, decided, name:gsub("^_cl_", ""), parameters)
  end
  repeat
    deleted = 0
    local at = llvm.LLVMGetFirstFunction(module)
    while at ~= nil do
      local following = llvm.LLVMGetNextFunction(at)
      if llvm.LLVMGetFirstUse(at) == nil and not is_needed(ffi.string(llvm.LLVMGetValueName2(at, length))) then
        llvm.LLVMDeleteFunction(at)
        deleted = deleted + 1
      end
      at = following
    end
  until deleted == 0
  return decided
end

-- ---- the header ----

-- The installed headers, so that a lean one can replace a link.
local function link_headers()
  local here = folder .. "/share/pocl/include"
  os.remove(here)
  lfs.mkdir(here)
  for name in lfs.dir(libraries .. "/include") do
    if name:find "%.h$" then
      os.remove(here .. "/" .. name)
      assert(lfs.link(("%s/include/%s"):format(libraries, name), ("%s/%s"):format(here, name), true))
    end
  end
end

-- Lines that are left out stay empty, so that the others keep their numbers.
local function write_header(known, decided)
  local path, lines = folder .. "/share/pocl/include/opencl-c.h", {}
  for line in io.lines(path) do
    local name, parameters = line:match "^[%w_ *]+__ovld[%w_ ]* ([%w_]+)(%(.*%));$"
    lines[#lines + 1] = (not name or is_named(known, decided, name, parameters)) and line or ""
  end
  os.remove(path)
  local file = assert(io.open(path, "w"))
  file:write(table.concat(lines, "\n"), "\n")
  file:close()
end

-- ---- what was made before ----

local function save(decided, original)
  local file = assert(io.open(stamp, "w"))
  file:write(identity(original), "\n", original, "\n")
  for word, is_known in pairs(decided) do file:write(word, is_known and " yes\n" or " no\n") end
  file:close()
end

-- Whether the library that was made suits the installed one, and what this tree names now.
local function is_current(known)
  local file = io.open(stamp)
  if not file then return false end
  local same, original = file:read(), file:read()
  local current = lfs.attributes(original) and same == identity(original)
  for line in file:lines() do
    local list, was = line:match "(.+) (%S+)"
    current = current and has_text(known, list) == (was == "yes")
  end
  file:close()
  return current
end

local known = words()
if is_current(known) then return end
for name in lfs.dir(libraries) do -- the whole library, from which the lean one is made
  if name:find "%.bc$" then
    os.remove(folder .. "/share/pocl/" .. name)
    assert(lfs.link(libraries .. "/" .. name, folder .. "/share/pocl/" .. name, true))
  end
end
link_headers()
local path, llvm_path = used()
local name = (path or ""):match "[^/]*$"
local module = llvm_path and load_module(ffi.load(llvm_path), libraries .. "/" .. name)
if not module then
  print(("the tests' PoCL keeps its whole library: %s"):format(path and "it cannot be read" or "PoCL does not name it"))
  return
end
local decided = prune(ffi.load(llvm_path), module, known)
assert(ffi.load(llvm_path).LLVMWriteBitcodeToFile(module, folder .. "/lean.bc") == 0)
os.remove(folder .. "/share/pocl/" .. name)
assert(os.rename(folder .. "/lean.bc", folder .. "/share/pocl/" .. name))
write_header(known, decided)
save(decided, libraries .. "/" .. name)
