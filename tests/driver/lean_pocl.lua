-- Makes the library of built-in functions for the tests' PoCL (tests/drivers.cmake), inside clue:
--
--     lean_pocl.lua FOLDER LIBRARIES    PoCL's folder for the tests, and the one of its installed libraries
--
-- Before PoCL compiles the first program of a process, it reads all 23,000 functions of its library, which takes more
-- than half of the time; and before each program a header that declares them. The library and the header made here are
-- the same without the functions that no file of this tree names. They are made anew when another function is named. If
-- anything is not as it is on Debian 12, PoCL keeps its whole library, and tests take longer.
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

local texts = "find README.md bindings docs host kernels scripts tests -type f "
  .. "! -name '*.json' ! -name '*.npy' ! -name '*.png' ! -name '*.svg' ! -path 'tests/fuzz/corpus/*'"

local function words()
  local found = {}
  for path in io.popen(texts):lines() do
    local file = assert(io.open(path, "rb"))
    for word in file:read("*a"):gmatch "[%a_][%w_]*" do found[word] = true end
    file:close()
  end
  return found
end

local type_of = {c = "char", h = "uchar", s = "short", t = "ushort", i = "int", j = "uint", l = "long", m = "ulong",
                 f = "float", d = "double", Dh = "half"}

-- Conversions, loads and stores without a rounding mode, whose names are often put together.
local function is_composed(name)
  return name:find "^v%l+_?%l*%d*$" or name:find "^convert_" and not name:find "_rt%l$"
end

-- The words that this tree must have for a function to be kept even if no other one calls it: for "_Z8_cl_fmodDv4_dS_"
-- its name and its vector type. None for those that PoCL itself calls.
local function needs(symbol)
  local length, rest = symbol:match "^_Z(%d+)(.*)"
  if not length then return {} end
  local name, types = rest:sub(1, tonumber(length)):gsub("^_cl_", ""), rest:sub(tonumber(length) + 1)
  if is_composed(name) then return {} end
  local list = {name}
  for width, letters in types:gmatch "Dv(%d+)_(D?%l)" do
    list[#list + 1] = type_of[letters] and type_of[letters] .. width
  end
  return list
end

-- ---- the library ----

local function identity(path)
  local about = assert(lfs.attributes(path), path)
  return ("%s %d %d"):format(path, about.size, about.modification)
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

-- Deletes functions that nothing needs until there are none. Returns the words that decided, each with whether this
-- tree has it.
local function prune(llvm, module, known)
  local decided, length = {}, ffi.new "size_t[1]"
  local deleted
  local function is_named(symbol)
    local all = true
    for _, word in ipairs(needs(symbol)) do
      decided[word] = known[word] or false
      all = all and decided[word]
    end
    return all
  end
  repeat
    deleted = 0
    local at = llvm.LLVMGetFirstFunction(module)
    while at ~= nil do
      local following = llvm.LLVMGetNextFunction(at)
      if llvm.LLVMGetFirstUse(at) == nil and not is_named(ffi.string(llvm.LLVMGetValueName2(at, length))) then
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
    local name = line:match "^[%w_ *]+__ovld[%w_ ]* ([%w_]+)%(.*%);$"
    local is_kept = not name or is_composed(name) or known[name]
    if name and not is_composed(name) then decided[name] = known[name] or false end
    lines[#lines + 1] = is_kept and line or ""
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
    local word, was = line:match "(%S+) (%S+)"
    current = current and (known[word] or false) == (was == "yes")
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
