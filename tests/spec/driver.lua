--- What drivers do otherwise than OpenCL has it, where no property of the device tells: specs that run on every device
-- ask here, and are pending with the words that stand here: if own.links_nothing then pending(own.links_nothing) end.
-- (busted's pending() ends a test only where it stands in the test itself.) A driver that is not named, and what is not
-- named of a driver, is as OpenCL says.

local driver = {}

local in_calling_thread = "%s runs commands in the calling thread: they are done before the call returns, and cannot "
  .. "be held back by a user event"

local function pocl(runs_in_calling_thread, tells_no_local_memory)
  return {
    crashes_on_cut_binaries = "PoCL ends the process at a binary that was cut: clue tells whether it was before",
    refuses_folders_with_spaces = "PoCL cannot read include folders with spaces in their names",
    runs_in_calling_thread = runs_in_calling_thread,
    tells_no_local_memory = tells_no_local_memory,
  }
end

local departures = {
  ["Portable Computing Language"] = pocl(),
  ["5.0+debian"] = pocl(nil, "PoCL 5 tells of no kernel how much local memory it declares"), -- a driver's version
  basic = pocl(in_calling_thread:format "PoCL's device basic"), -- POCL_DEVICES=basic
  ["NVIDIA CUDA"] = {
    keeps_order = "NVIDIA's queues keep their order, those out of order too",
    builds_binaries_late = "CL_BUILD_PROGRAM_FAILURE", -- what it says of some that are none
    tells_arguments_of_binaries = "NVIDIA's binaries tell the arguments of their kernels",
    tells_no_names_beside_empty = "NVIDIA's compiler gives no argument information beside a kernel without arguments",
  },
  Oclgrind = {
    runs_in_calling_thread = in_calling_thread:format "Oclgrind",
    links_what_is_missing = "Oclgrind links programs that call functions which are nowhere",
    lacks_icd_function = "Oclgrind does not give out the functions of its extension cl_khr_icd",
    tells_no_attributes = "Oclgrind does not tell the attributes of kernels",
    tells_arguments_of_binaries = "Oclgrind's binaries tell the arguments of their kernels",
  },
  rusticl = {
    counts_local_memory_twice = "rusticl counts a kernel's local memory twice",
    links_nothing = "rusticl links no two modules (Conflicting SPIR-V versions)",
    refuses_folders_with_spaces = "rusticl cannot read options with quotation marks",
    status_waits = "rusticl tells the status of a command only once it is not executing it",
    takes_no_binaries = "rusticl builds no programs from binaries",
  },
}

--- What the device's driver does otherwise: reasons by the names above.
-- @tparam table device as context.device gives it
-- @treturn table
function driver.of(device)
  return departures[device.name:match "^basic"] or departures[device.driver_version] or departures[device.platform.name]
    or {}
end

--- The reason why events tell no moments, nil where they do.
-- @tparam table device
-- @treturn string
function driver.no_timer(device)
  return device.profiling_timer_resolution == 0 and "the device has no timer (profiling_timer_resolution is 0)" or nil
end

return driver
