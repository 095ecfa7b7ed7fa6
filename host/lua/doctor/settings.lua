--- The environment variables that change which devices there are, and the effect of each.
local lists = require "clue.shared.list"
local loader = require "clue.doctor.loader"

local settings = {}

--- The environment of this process.
-- @tparam table files
-- @treturn table variables by name
function settings.environment(files)
  local environment = {}
  for entry in (files:read("/proc/self/environ", 2 ^ 22) or ""):gmatch "[^%z]+" do
    local name, value = entry:match "^([^=]+)=(.*)$"
    if name then environment[name] = value end
  end
  return environment
end

-- In the order in which they are printed. hides: it can hide devices (of the driver stem); even_empty: if it is set
-- but empty, it hides all.
local variables = {
  {"OCL_ICD_VENDORS", "the drivers there are the registered ones", hides = true},
  {"OPENCL_VENDOR_PATH", "only the drivers in this folder are loaded", hides = true},
  {"OCL_ICD_FILENAMES", "these drivers are loaded besides the registered ones"},
  {"OCL_ICD_PLATFORM_SORT", "changes the order of platforms, and so the devices' numbers"},
  {"OPENCL_LAYERS", "these layers are loaded between programs and drivers"},
  {"OPENCL_LAYER_PATH", "layers are loaded from this folder"},
  {"POCL_DEVICES", "PoCL shows only these devices", hides = true, stem = "libpocl"},
  {"POCL_AFFINITY", "1: each of PoCL's threads has a processor of its own (clue asks PoCL for it); 0: none has"},
  {"RUSTICL_ENABLE", "rusticl shows only devices of these drivers", hides = true, stem = "libRusticlOpenCL"},
  {"CUDA_VISIBLE_DEVICES", "NVIDIA shows only these GPUs", hides = true, even_empty = true,
   stem = "libnvidia-opencl"},
  {"NVIDIA_VISIBLE_DEVICES", "the container has only these GPUs", hides = true},
  {"NVIDIA_DRIVER_CAPABILITIES", "the container has these parts of the driver; OpenCL needs compute"},
  {"ROCR_VISIBLE_DEVICES", "AMD ROCm shows only these GPUs", hides = true, even_empty = true, stem = "libamdocl64"},
  {"HIP_VISIBLE_DEVICES", "AMD ROCm shows only these GPUs", hides = true, even_empty = true, stem = "libamdocl64"},
  {"GPU_DEVICE_ORDINAL", "AMD shows only these GPUs", hides = true, even_empty = true, stem = "libamdocl64"},
  {"ZE_AFFINITY_MASK", "Intel shows only these GPUs", hides = true, stem = "libigdrcl"},
  {"LD_LIBRARY_PATH", "libraries, including drivers, are searched there first"},
  {"LD_PRELOAD", "these libraries are loaded before all others"},
  {"CLUE_DEVICE", "the device that clue takes without --device"},
  {"PYOPENCL_CTX", "like CLUE_DEVICE, if that is not set"},
  {"CLUE_BUILD_OPTIONS", "added to the build options of every program"},
  {"CLUE_TRACE", "clue's processes record their OpenCL calls in this folder"},
  {"CLUE_BINDING", "clue's way from Lua to its library"},
  {"CLUE_CACHE_DIR", "the folder for clue's built programs"},
  {"CLUE_NO_CACHE", "if not 0, clue does not keep, reuse or share built programs"},
  {"CLUE_NO_POOL", "if set, clue does not reuse the memory of freed buffers"},
}
--- Those of them that are not families: a list of {name, effect}.
settings.variables = variables

local families = {
  {"POCL_", "a setting of PoCL"}, {"OCLGRIND_", "a setting of Oclgrind"}, {"RUSTICL_", "a setting of rusticl"},
}

local of_loaders = lists.set(loader.variables)

-- entry: of the variables above; nil for one of a family
local function setting(environment, it, name, effect, entry)
  if of_loaders[name] and not it.knows[name] then
    return {name = name, value = environment[name], effect = "this loader ignores it"}
  end
  if environment[name] == "" and entry then effect = "set but empty, it hides all of this driver's GPUs" end
  return {name = name, value = environment[name], effect = effect, hides = entry and entry.hides,
          stem = entry and entry.stem}
end

--- The variables that are set.
-- @tparam table environment
-- @tparam table it the loader, the result of clue.doctor.loader
-- @treturn {table,...} name, value, effect (in words), hides (true if it can hide devices), stem
-- (the driver whose devices it hides)
function settings.list(environment, it)
  local list, seen = {}, {}
  for _, entry in ipairs(variables) do
    local name = entry[1]
    seen[name] = true
    if environment[name] and (environment[name] ~= "" or entry.even_empty) then
      list[#list + 1] = setting(environment, it, name, entry[2], entry)
    end
  end
  for _, name in ipairs(lists.keys(environment)) do
    for _, family in ipairs(families) do
      if not seen[name] and name:sub(1, #family[1]) == family[1] then
        list[#list + 1] = setting(environment, it, name, family[2])
      end
    end
  end
  return list
end

return settings
