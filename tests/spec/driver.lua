--- How drivers depart from OpenCL in ways that no property of the device shows. Specs that run on every device look
-- here, and are pending for the reason given here: if own.links_nothing then pending(own.links_nothing) end.
-- (busted's pending() ends a test only if the test itself calls it.) Drivers that are not listed follow OpenCL, and
-- listed ones depart from it only in the ways listed.

local driver = {}

local in_calling_thread = "%s runs commands in the calling thread: they finish before the call returns, so a user "
  .. "event cannot hold them back"

local function pocl(runs_in_calling_thread, tells_no_local_memory)
  return {
    crashes_on_cut_binaries = "PoCL ends the process if a binary is truncated, so clue checks that first",
    runs_in_calling_thread = runs_in_calling_thread,
    tells_no_local_memory = tells_no_local_memory,
  }
end

local departures = {
  ["Portable Computing Language"] = pocl(),
  ["5.0+debian"] = pocl(nil, "PoCL 5 reports no kernel's local memory"), -- a driver version
  basic = pocl(in_calling_thread:format "PoCL's device basic"), -- POCL_DEVICES=basic
  ["NVIDIA CUDA"] = {
    keeps_order = "NVIDIA's out-of-order queues run commands in order",
    builds_binaries_late = "CL_BUILD_PROGRAM_FAILURE", -- its error for some invalid binaries
    tells_arguments_of_binaries = "NVIDIA's binaries contain argument information",
    tells_no_names_beside_empty = "NVIDIA's compiler gives no argument information beside a kernel without arguments",
  },
  Oclgrind = {
    runs_in_calling_thread = in_calling_thread:format "Oclgrind",
    links_what_is_missing = "Oclgrind links programs that call undefined functions",
    lacks_icd_function = "Oclgrind does not provide the functions of its extension cl_khr_icd",
    tells_no_attributes = "Oclgrind does not report the attributes of kernels",
    tells_arguments_of_binaries = "Oclgrind's binaries contain argument information",
  },
  rusticl = {
    counts_local_memory_twice = "rusticl counts a kernel's local memory twice",
    miscounts_structs = "rusticl passes packed structs, and structs with arrays of structs, wrongly by value",
    links_nothing = "rusticl cannot link two modules (Conflicting SPIR-V versions)",
    status_waits = "rusticl reports the status of a command only when it is not executing it",
    takes_no_binaries = "rusticl cannot build programs from binaries",
  },
}

--- The departures of the device's driver from OpenCL: reasons by the names above.
-- @tparam table device as context.device gives it
-- @treturn table
function driver.of(device)
  return departures[device.name:match "^basic"] or departures[device.driver_version] or departures[device.platform.name]
    or {}
end

--- The reason why events have no times on this device, nil if they have.
-- @tparam table device
-- @treturn string
function driver.no_timer(device)
  return device.profiling_timer_resolution == 0 and "the device has no timer (profiling_timer_resolution is 0)" or nil
end

return driver
