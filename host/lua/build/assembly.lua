--- The result of a device's compiler, as text.
--
-- The first bytes of the binary identify its form: NVIDIA's is already PTX, PoCL's contains a shared library per
-- kernel (which is in its cache too), AMD's is an ELF file, Oclgrind's is LLVM bitcode.
local child = require "clue.shared.child"
local installing = require "clue.installing"
local lfs = require "lfs"
local read_file = require("clue.file").read
local save = require("clue.file").save

local unpack = unpack or table.unpack -- luacheck: ignore

local assembly = {}

-- ---- other programs ----

-- CUDA's tools are often installed, but not in a folder that the shell searches.
local function search_path()
  return ("PATH=%s:/usr/local/cuda/bin"):format(os.getenv "PATH" or "")
end

-- The output of a program; nil and the reason if it is missing or fails.
local function output_of(words, package)
  local text, seen = child.output_of({"/usr/bin/env", search_path(), unpack(words)}, 60)
  if seen:is_well() then return text end
  if seen:status() == 127 then return nil, ("%s is not installed%s"):format(words[1], package) end
  return nil, ("%s failed: %s"):format(words[1], seen.errors:match "[^\n]+" or seen.state)
end

-- with_lines: whether with the lines of the source, if the file tells them.
local function disassemble(path, with_lines)
  local text, why = output_of({"objdump", with_lines and "-dl" or "-d", "--no-show-raw-insn", "-j", ".text", path},
    installing.advice "binutils")
  if not text then return nil, why end
  return (text:gsub("^%s*[^\n]*file format", "file format", 1))
end

-- ---- NVIDIA ----

-- An entry of PTX, with the lines before the first one, which all entries need: version and target.
local function ptx_entry(text, kernel)
  local from = text:find("%.visible%s+%.entry%s+" .. kernel .. "[%s(]") or text:find("%.entry%s+" .. kernel .. "[%s(]")
  if not from then return nil, ("the PTX has no kernel '%s'"):format(kernel) end
  local first = text:find "%.visible%s+%.entry" or text:find "%.entry"
  local to = text:find("\n}", from, true)
  return text:sub(1, first - 1) .. text:sub(from, to and to + 2)
end

-- NVIDIA's binary: PTX, and a byte 0 behind it.
local function ptx_text(job)
  return assert(read_file(job.result.binary)):match "^%Z*"
end

local function ptx(job)
  local text, why = ptx_text(job), nil
  if job.kernel then text, why = ptx_entry(text, job.kernel) end
  return text and {{kernel = job.kernel, text = text}}, why
end

local cuda = "; it is part of NVIDIA's CUDA toolkit"

-- The driver's own assembler gives no machine code away. CUDA's ptxas makes it of the same PTX for the same GPU.
local function sass(job)
  local source, cubin = job.result.binary .. ".ptx", job.result.binary .. ".cubin"
  local text = ptx_text(job)
  assert(save(source, text))
  local words = {"ptxas", "-arch=" .. text:match "%.target%s+(sm_%w+)", "-o", cubin, source}
  local limit = job.result.options:match "%-cl%-nv%-maxrregcount[= ](%d+)"
  if limit then table.insert(words, 3, "--maxrregcount=" .. limit) end
  local done, why = output_of(words, cuda)
  if not done then return nil, why end
  local code, problem = output_of({"nvdisasm", "-c", cubin}, cuda)
  if not code then return nil, problem end
  if not job.kernel then return {{text = code}} end
  local section = code:match("(\n//%-+ %.text%." .. job.kernel .. " .-)\n//%-%-%-") or
    code:match("(\n//%-+ %.text%." .. job.kernel .. " .*)$")
  if not section then return nil, ("the machine code has no kernel '%s'"):format(job.kernel) end
  return {{kernel = job.kernel, text = section:sub(2)}}
end

-- ---- PoCL ----

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

-- PoCL's folder of a kernel says for which launches the code is: "64-1-1-goffs0-smallgrid".
local function launch(folder)
  local x, y, z = folder:match "^(%d+)%-(%d+)%-(%d+)"
  if x == "0" then return "for any work-group" end
  return ("for work-groups of %s x %s x %s"):format(x, y, z)
    .. (folder:find "goffs0" and "" or ", with a global offset")
    .. (folder:find "smallgrid" and "" or ", for large ranges")
end

-- Adds the code in a folder of PoCL's cache: XX/HASH/KERNEL/LAUNCH/KERNEL.so.
local function add_pocl(parts, folder, job)
  for _, path in ipairs(find_files(folder, ".so")) do
    local for_launch, name = path:match "([^/]*)/([^/]*)%.so$"
    if not job.kernel or name == job.kernel then
      local text, why = disassemble(path, job.lines)
      if not text then return nil, why end
      parts[#parts + 1] = {kernel = name, launch = launch(for_launch), text = text}
    end
  end
  return parts
end

-- PoCL's folder for what a script launched of a program. Its name follows from source and options, so it is the same as
-- in this build; a linked program's is random: the only folder that has its kernels. nil if there is none.
local function launched_folder(job)
  local own, found = job.folder .. "/pocl", {}
  for _, kernel in ipairs(job.result.kernels) do
    local ending = "/" .. kernel.name .. ".so"
    for _, path in ipairs(find_files(job.launched .. "/pocl", kernel.name .. ".so")) do
      local name = path:sub(#job.launched + 6):match "^(/[^/]*/[^/]*)/"
      local same = job.linked or lfs.attributes(own .. name, "mode") == "directory"
      if same and path:sub(-#ending) == ending then found[job.launched .. "/pocl" .. name] = true end
    end
  end
  local one = next(found)
  return one and not next(found, one) and one or nil
end

-- What a script's launches needed is in its own cache; the rest in that of this build. The binary's code suits any
-- work-group; PoCL compiles other code for the size of a launch.
local function pocl(job)
  local launched, parts, why = job.launched and launched_folder(job), {}, nil
  if launched then parts, why = add_pocl(parts, launched, job) end
  if parts and #parts == 0 then parts, why = add_pocl(parts, job.folder .. "/pocl", job) end
  if parts and #parts == 0 then return nil, "PoCL left no compiled kernel in its cache" end
  return parts, why
end

-- ---- other drivers ----

local function elf(job)
  local text, why = disassemble(job.result.binary)
  return text and {{text = text}}, why
end

local function bitcode(job)
  local text, why = output_of({"llvm-dis", "-o", "-", job.result.binary}, installing.advice "llvm")
  return text and {{text = text:gsub("^; ModuleID[^\n]*\n", "", 1)}}, why -- a temporary file's name
end

local function is_ptx(bytes)
  return bytes:find "%.version" and bytes:find "%.entry"
end

local forms = {
  {name = "machine code", isa = "x86-64", is = function(bytes) return bytes:find "^poclbin" end, text = pocl},
  {name = "machine code", is = function(bytes) return bytes:find "^\127ELF" end, text = elf, whole = true},
  {name = "LLVM's intermediate form, which the device interprets", is = function(bytes)
    return bytes:find "^BC\192\222"
  end, text = bitcode, whole = true, comment = "; "},
  {name = "SASS", isa = "SASS", comment = "// ", is = function(bytes, job)
    return job.sass and is_ptx(bytes)
  end, text = sass},
  {name = "PTX", isa = "PTX", comment = "// ", is = is_ptx, text = ptx},
}

--- The text of a compiler's result.
-- @tparam table job result: a device's, from clue.build.child, with a binary; folder: of that run; kernel: only this
--   one, if the form can be divided; launched: the folder of a script's run (see @{clue.build.programs.build});
--   linked: whether its program was; sass: whether to assemble PTX; lines: whether to tell the lines of the source
-- @treturn[1] {table,...} text, kernel (nil: all of them) and launch ("for any work-group"; nil if the code is the same
--   for all) of each part
-- @treturn[1] table form: name ("PTX"), isa (for @{clue.build.loops}; nil: unknown), whole (whether it has all kernels
--   even if one was asked for), comment (what begins a comment in it; nil: nothing)
-- @treturn[2] nil
-- @treturn[2] string why there is none
function assembly.of(job)
  if not job.result.binary then return nil, job.result.binary_failed end
  local bytes = assert(read_file(job.result.binary))
  for _, form in ipairs(forms) do
    if form.is(bytes, job) then
      if job.sass and form.isa ~= "SASS" then return nil, "--sass is for NVIDIA's devices, whose drivers give PTX" end
      local parts, why = form.text(job)
      if not parts then return nil, why end
      return parts, form
    end
  end
  return nil, ("the driver gives neither machine code nor assembly, but a binary (%d bytes) of an unknown form")
    :format(#bytes)
end

return assembly
