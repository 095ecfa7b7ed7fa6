--- The ICD loader, and the drivers that are registered with it.
--
-- Loaders use different variables: ocl-icd knows OCL_ICD_VENDORS (a folder, an .icd file or a library) and
-- OPENCL_VENDOR_PATH; the Khronos loader knows OCL_ICD_VENDORS (a folder) and OCL_ICD_FILENAMES (libraries). The
-- loader's own file shows which variables it knows, so no list of versions is needed.
--
-- Parameters with one meaning everywhere: it, what examine() found; files, the machine's; environment, variables by
-- name.
local lists = require "clue.shared.list"

local loader = {}

--- Where drivers are registered unless a variable says otherwise.
loader.usual = "/etc/OpenCL/vendors"

--- The variables that some loader knows.
loader.variables = {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH", "OCL_ICD_FILENAMES", "OPENCL_LAYERS",
                    "OPENCL_LAYER_PATH", "OCL_ICD_PLATFORM_SORT"}

--- Examines the libOpenCL that is in use.
-- @tparam ?string path nil if no child lived to report it
-- @tparam ?string name what it calls itself
-- @treturn table path, name, kind ("ocl-icd", "Khronos", "unknown" or "none": a driver of its own), knows (set of
-- variables)
function loader.examine(files, path, name)
  local found = {path = path, name = name ~= "" and name or nil, knows = {}, kind = "unknown"}
  local text = path and files:read(path, 16 * 2 ^ 20)
  if not text then
    for _, variable in ipairs(loader.variables) do found.knows[variable] = true end
    return found
  end
  for _, variable in ipairs(loader.variables) do
    found.knows[variable] = text:find(variable, 1, true) ~= nil or nil
  end
  if found.knows.OPENCL_VENDOR_PATH then
    found.kind = "ocl-icd"
  elseif found.knows.OCL_ICD_FILENAMES then
    found.kind = "Khronos"
  elseif not text:find("OpenCL/vendors", 1, true) then
    found.kind = "none"
  end
  return found
end

local function is_icd(name)
  return #name > 4 and name:sub(-4) == ".icd"
end

-- The driver that an .icd file names: its first line, unchanged.
local function read_icd(files, path)
  local entry = {file = path, name = path:match "[^/]*$"}
  local text, why = files:read(path)
  if not text then
    entry.unreadable = why
  elseif text == "" then
    entry.empty = "the file is empty"
  elseif text:match "^[^\n]*" == "" then
    entry.empty = "its first line is empty"
  else
    entry.library = text:match "^[^\n]*"
  end
  return entry
end

local function read_folder(files, folder)
  local names, why = files:list(folder)
  local entries = lists.map(names or {}, function(name)
    return is_icd(name) and read_icd(files, folder .. "/" .. name) or nil
  end)
  return entries, names == nil and (why or "cannot be read") or nil
end

local function library_entry(path, variable)
  return {name = variable, library = path}
end

-- ocl-icd takes OCL_ICD_VENDORS as a folder, an .icd file or a library, depending on what it is.
local function named_by_variable(files, value, base)
  if files:kind(value) == "directory" then
    local entries, why = read_folder(files, value)
    return {folder = value, why = why, entries = entries}
  end
  if not is_icd(value) then return {entries = {library_entry(value, "OCL_ICD_VENDORS")}} end
  local beside = base .. "/" .. value
  local path = not value:find("/", 1, true) and files:kind(beside) and beside or value
  return {entries = {read_icd(files, path)}}
end

local function set(environment, it, name)
  local value = environment[name]
  if it.knows[name] and value and value ~= "" then return value end
  return nil
end

--- The drivers that are registered with the loader.
-- @treturn table folder (nil if none is read), why (it cannot be read), variable (that chose it), entries: list of
-- {name, file, library, unreadable, empty}
function loader.registered(files, environment, it)
  local vendors = set(environment, it, "OCL_ICD_VENDORS")
  local base = set(environment, it, "OPENCL_VENDOR_PATH")
  if it.kind == "none" then return {entries = {}} end
  if vendors and it.kind ~= "Khronos" then
    local found = named_by_variable(files, vendors, base or loader.usual)
    found.variable = "OCL_ICD_VENDORS"
    return found
  end
  local folder = vendors or base or loader.usual
  local entries, why = read_folder(files, folder)
  local variable = vendors and "OCL_ICD_VENDORS" or base and "OPENCL_VENDOR_PATH" or nil
  local position = 0
  for library in (it.kind == "Khronos" and set(environment, it, "OCL_ICD_FILENAMES") or ""):gmatch "[^:]+" do
    position = position + 1
    table.insert(entries, position, library_entry(library, "OCL_ICD_FILENAMES"))
  end
  return {folder = folder, why = why, variable = variable, entries = entries}
end

--- The variables that make the loader take one library and nothing else. A choice of Oclgrind would add its own.
-- @tparam string library
-- @treturn ?{string,...} nil if this loader has no such variable
function loader.only(it, library)
  if it.kind == "ocl-icd" then return {"OCL_ICD_VENDORS=" .. library, "CLUE_DEVICE="} end
  if it.kind == "Khronos" then
    return {"OCL_ICD_VENDORS=/proc/none", "OCL_ICD_FILENAMES=" .. library, "CLUE_DEVICE="}
  end
  return nil
end

--- The layers that OPENCL_LAYERS names.
-- @treturn {string,...} libraries
function loader.layers(environment, it)
  local layers = {}
  for library in (set(environment, it, "OPENCL_LAYERS") or ""):gmatch "[^:]+" do layers[#layers + 1] = library end
  return layers
end

return loader
