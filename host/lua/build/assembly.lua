--- The result of a device's compiler, as text.
--
-- The first bytes of the binary identify its form: NVIDIA's is already PTX, PoCL's contains a shared library per
-- kernel (which is in its cache too), AMD's is an ELF file, Oclgrind's is LLVM bitcode.
-- @module clue.build.assembly
local child = require "clue.shared.child"
local lfs = require "lfs"
local read_file = require "clue.read_file"

local assembly = {}

-- ---- other programs ----

-- The output of a program; nil and the reason if it is missing or fails.
local function output_of(words, package)
  local text, seen = child.output_of(words, 60)
  if seen:is_well() then return text end
  if seen:status() == 127 then
    return nil, ("%s is not installed; on Debian and Ubuntu: apt install %s"):format(words[2], package)
  end
  return nil, ("%s failed: %s"):format(words[2], seen.errors:match "[^\n]+" or seen.state)
end

local function disassemble(path)
  local text, why = output_of({"/usr/bin/env", "objdump", "-d", "--no-show-raw-insn", "-j", ".text", path}, "binutils")
  if not text then return nil, why end
  return (text:gsub("^%s*[^\n]*file format", "file format", 1))
end

-- ---- one function per form ----

-- All files whose names end in a certain way, in a folder and the folders inside it: paths in order.
local function find_files(path, ending)
  local found = {}
  local function search(at)
    for name in lfs.dir(at) do
      local entry = at .. "/" .. name
      local mode = name ~= "." and name ~= ".." and lfs.symlinkattributes(entry, "mode")
      if mode == "directory" then search(entry) end
      if mode == "file" and name:sub(-#ending) == ending then found[#found + 1] = entry end
    end
  end
  search(path)
  table.sort(found)
  return found
end

-- An entry of PTX, with the lines before the first one, which all entries need: version and target.
local function ptx_entry(text, kernel)
  local from = text:find("%.visible%s+%.entry%s+" .. kernel .. "[%s(]") or text:find("%.entry%s+" .. kernel .. "[%s(]")
  if not from then return nil, ("the PTX has no kernel '%s'"):format(kernel) end
  local first = text:find "%.visible%s+%.entry" or text:find "%.entry"
  local to = text:find("\n}", from, true)
  return text:sub(1, first - 1) .. text:sub(from, to and to + 2)
end

local function ptx(result, _, kernel)
  local text = assert(read_file(result.binary)):match "^%Z*"
  if kernel then return ptx_entry(text, kernel) end
  return text
end

-- The libraries have their kernels' names. Those in the binaries suit any work-group; PoCL compiles others for the
-- size of a launch.
local function pocl(_, folder, kernel)
  local parts = {}
  for _, path in ipairs(find_files(folder .. "/pocl", ".so")) do
    local name = path:match "([^/]*)%.so$"
    if not kernel or name == kernel then
      local text, why = disassemble(path)
      if not text then return nil, why end
      parts[#parts + 1] = ("kernel %s, for any work-group: %s"):format(name, text)
    end
  end
  if #parts == 0 then return nil, "PoCL left no compiled kernel in its cache" end
  return table.concat(parts, "\n")
end

local function elf(result)
  return disassemble(result.binary)
end

local function bitcode(result)
  local text, why = output_of({"/usr/bin/env", "llvm-dis", "-o", "-", result.binary}, "llvm")
  if not text then return nil, why end
  return (text:gsub("^; ModuleID[^\n]*\n", "", 1)) -- a temporary file's name
end

local forms = {
  {name = "machine code", is = function(bytes) return bytes:find "^poclbin" end, text = pocl},
  {name = "machine code", is = function(bytes) return bytes:find "^\127ELF" end, text = elf, whole = true},
  {name = "LLVM's intermediate form, which the device interprets", is = function(bytes)
    return bytes:find "^BC\192\222"
  end, text = bitcode, whole = true},
  {name = "PTX", is = function(bytes) return bytes:find "%.version" and bytes:find "%.entry" end, text = ptx},
}

--- The text of a compiler's result.
-- @tparam table result a device's, from clue.build.child, with a binary
-- @tparam string folder the folder of that run
-- @tparam[opt] string kernel only this one, if the form can be divided
-- @treturn[1] string
-- @treturn[1] string its form: "PTX"
-- @treturn[1] bool whether it has all kernels although one was asked for
-- @treturn[2] nil
-- @treturn[2] string why there is none
function assembly.of(result, folder, kernel)
  if not result.binary then return nil, result.binary_failed end
  local bytes = assert(read_file(result.binary))
  for _, form in ipairs(forms) do
    if form.is(bytes) then
      local text, why = form.text(result, folder, kernel)
      if not text then return nil, why end
      return text, form.name, kernel ~= nil and form.whole or false
    end
  end
  return nil, ("the driver gives neither machine code nor assembly, but a binary (%d bytes) of an unknown form")
    :format(#bytes)
end

return assembly
