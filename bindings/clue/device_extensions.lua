--- Properties of platforms and devices that extensions add, for clue.device_properties only. Each is queried only if
-- the extension is listed.
local queue = {prefix = "CL_QUEUE_", OUT_OF_ORDER_EXEC_MODE_ENABLE = 1, PROFILING_ENABLE = 2}
local command_buffer = {
  prefix = "CL_COMMAND_BUFFER_CAPABILITY_",
  KERNEL_PRINTF_KHR = 1, DEVICE_SIDE_ENQUEUE_KHR = 2, SIMULTANEOUS_USE_KHR = 4, OUT_OF_ORDER_KHR = 8,
}
local mutable_dispatch = {
  prefix = "CL_MUTABLE_DISPATCH_",
  GLOBAL_OFFSET_KHR = 1, GLOBAL_SIZE_KHR = 2, LOCAL_SIZE_KHR = 4, ARGUMENTS_KHR = 8, EXEC_INFO_KHR = 16,
}
local shared_memory = {
  prefix = "CL_UNIFIED_SHARED_MEMORY_",
  ACCESS_INTEL = 1, ATOMIC_ACCESS_INTEL = 2, CONCURRENT_ACCESS_INTEL = 4, CONCURRENT_ATOMIC_ACCESS_INTEL = 8,
}
local features_intel = {prefix = "CL_DEVICE_FEATURE_FLAG_", DP4A_INTEL = 1, DPAS_INTEL = 2}
local svm_arm = {
  prefix = "CL_DEVICE_SVM_",
  COARSE_GRAIN_BUFFER_ARM = 1, FINE_GRAIN_BUFFER_ARM = 2, FINE_GRAIN_SYSTEM_ARM = 4, ATOMICS_ARM = 8,
}
local scheduling_arm = {
  prefix = "CL_DEVICE_SCHEDULING_",
  KERNEL_BATCHING_ARM = 1, WORKGROUP_BATCH_SIZE_ARM = 2, WORKGROUP_BATCH_SIZE_MODIFIER_ARM = 4, DEFERRED_FLUSH_ARM = 8,
  REGISTER_ALLOCATION_ARM = 16, WARP_THROTTLING_ARM = 32, COMPUTE_UNIT_BATCH_QUEUE_SIZE_ARM = 64,
}
local termination_arm = {
  prefix = "CL_DEVICE_CONTROLLED_TERMINATION_", SUCCESS_ARM = 1, FAILURE_ARM = 2, QUERY_ARM = 4,
}

local semaphore_types = {prefix = "CL_SEMAPHORE_TYPE_", BINARY_KHR = 1}
local semaphore_handles = {
  prefix = "CL_SEMAPHORE_HANDLE_",
  OPAQUE_FD_KHR = 0x2055, OPAQUE_WIN32_KHR = 0x2056, OPAQUE_WIN32_KMT_KHR = 0x2057, SYNC_FD_KHR = 0x2058,
  D3D12_FENCE_KHR = 0x2059,
}
local memory_handles = {
  prefix = "CL_EXTERNAL_MEMORY_HANDLE_",
  OPAQUE_FD_KHR = 0x2060, OPAQUE_WIN32_KHR = 0x2061, OPAQUE_WIN32_KMT_KHR = 0x2062, D3D11_TEXTURE_KHR = 0x2063,
  D3D11_TEXTURE_KMT_KHR = 0x2064, D3D12_HEAP_KHR = 0x2065, D3D12_RESOURCE_KHR = 0x2066, DMA_BUF_KHR = 0x2067,
}

-- An extension, and its properties, in the order in which they are shown: what identifies a card first, then by name.
local platform = {
  {"cl_khr_external_memory", {0x2044, "CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR", "words", memory_handles}},
  {"cl_khr_external_semaphore",
   {0x2037, "CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR", "words", semaphore_handles},
   {0x2038, "CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR", "words", semaphore_handles}},
  {"cl_khr_semaphore", {0x2036, "CL_PLATFORM_SEMAPHORE_TYPES_KHR", "words", semaphore_types}},
}

local device = {
  {"cl_khr_pci_bus_info", {0x410F, "CL_DEVICE_PCI_BUS_INFO_KHR", "pci"}},
  {"cl_nv_device_attribute_query",
   {0x4000, "CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV", "number"},
   {0x4001, "CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV", "number"},
   {0x4002, "CL_DEVICE_REGISTERS_PER_BLOCK_NV", "number"},
   {0x4003, "CL_DEVICE_WARP_SIZE_NV", "number"},
   {0x4004, "CL_DEVICE_GPU_OVERLAP_NV", "bool"},
   {0x4005, "CL_DEVICE_KERNEL_EXEC_TIMEOUT_NV", "bool"},
   {0x4006, "CL_DEVICE_INTEGRATED_MEMORY_NV", "bool"},
   {0x4007, "CL_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT_NV", "number"},
   {0x4008, "CL_DEVICE_PCI_BUS_ID_NV", "number"},
   {0x4009, "CL_DEVICE_PCI_SLOT_ID_NV", "number"},
   {0x400A, "CL_DEVICE_PCI_DOMAIN_ID_NV", "number"}},
  {"cl_amd_device_attribute_query",
   {0x4030, "CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_AMD", "number"},
   {0x4031, "CL_DEVICE_MAX_WORK_GROUP_SIZE_AMD", "number"},
   {0x4033, "CL_DEVICE_PREFERRED_CONSTANT_BUFFER_SIZE_AMD", "bytes"},
   {0x4034, "CL_DEVICE_PCIE_ID_AMD", "identifier"},
   {0x4036, "CL_DEVICE_PROFILING_TIMER_OFFSET_AMD", "number"},
   {0x4037, "CL_DEVICE_TOPOLOGY_AMD", "pci_amd"},
   {0x4038, "CL_DEVICE_BOARD_NAME_AMD", "text"},
   {0x4039, "CL_DEVICE_GLOBAL_FREE_MEMORY_AMD", "sizes"},
   {0x4040, "CL_DEVICE_SIMD_PER_COMPUTE_UNIT_AMD", "number"},
   {0x4041, "CL_DEVICE_SIMD_WIDTH_AMD", "number"},
   {0x4042, "CL_DEVICE_SIMD_INSTRUCTION_WIDTH_AMD", "number"},
   {0x4043, "CL_DEVICE_WAVEFRONT_WIDTH_AMD", "number"},
   {0x4044, "CL_DEVICE_GLOBAL_MEM_CHANNELS_AMD", "number"},
   {0x4045, "CL_DEVICE_GLOBAL_MEM_CHANNEL_BANKS_AMD", "number"},
   {0x4046, "CL_DEVICE_GLOBAL_MEM_CHANNEL_BANK_WIDTH_AMD", "number"},
   {0x4047, "CL_DEVICE_LOCAL_MEM_SIZE_PER_COMPUTE_UNIT_AMD", "bytes"},
   {0x4048, "CL_DEVICE_LOCAL_MEM_BANKS_AMD", "number"},
   {0x4049, "CL_DEVICE_THREAD_TRACE_SUPPORTED_AMD", "bool"},
   {0x404A, "CL_DEVICE_GFXIP_MAJOR_AMD", "number"},
   {0x404B, "CL_DEVICE_GFXIP_MINOR_AMD", "number"},
   {0x404C, "CL_DEVICE_AVAILABLE_ASYNC_QUEUES_AMD", "number"}},
  {"cl_arm_controlled_kernel_termination",
   {0x41EE, "CL_DEVICE_CONTROLLED_TERMINATION_CAPABILITIES_ARM", "flags", termination_arm}},
  {"cl_arm_get_core_id", {0x40BF, "CL_DEVICE_COMPUTE_UNITS_BITFIELD_ARM", "identifier"}},
  {"cl_arm_job_slot_selection", {0x41E0, "CL_DEVICE_JOB_SLOTS_ARM", "identifier"}},
  {"cl_arm_scheduling_controls",
   {0x41E4, "CL_DEVICE_SCHEDULING_CONTROLS_CAPABILITIES_ARM", "flags", scheduling_arm},
   {0x41EA, "CL_DEVICE_MAX_WARP_COUNT_ARM", "number"},
   {0x41EB, "CL_DEVICE_SUPPORTED_REGISTER_ALLOCATIONS_ARM", "integers"}},
  {"cl_arm_shared_virtual_memory", {0x40B6, "CL_DEVICE_SVM_CAPABILITIES_ARM", "flags", svm_arm}},
  {"cl_ext_atomic_counters_32", {0x4032, "CL_DEVICE_MAX_ATOMIC_COUNTERS_EXT", "number"}},
  {"cl_ext_cxx_for_opencl", {0x4230, "CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT", "version"}},
  {"cl_intel_device_attribute_query",
   {0x4250, "CL_DEVICE_IP_VERSION_INTEL", "identifier"},
   {0x4251, "CL_DEVICE_ID_INTEL", "identifier"},
   {0x4252, "CL_DEVICE_NUM_SLICES_INTEL", "number"},
   {0x4253, "CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL", "number"},
   {0x4254, "CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL", "number"},
   {0x4255, "CL_DEVICE_NUM_THREADS_PER_EU_INTEL", "number"},
   {0x4256, "CL_DEVICE_FEATURE_CAPABILITIES_INTEL", "flags", features_intel}},
  {"cl_intel_device_side_avc_motion_estimation",
   {0x410B, "CL_DEVICE_AVC_ME_VERSION_INTEL", "number"},
   {0x410C, "CL_DEVICE_AVC_ME_SUPPORTS_TEXTURE_SAMPLER_USE_INTEL", "bool"},
   {0x410D, "CL_DEVICE_AVC_ME_SUPPORTS_PREEMPTION_INTEL", "bool"}},
  {"cl_intel_motion_estimation", {0x407E, "CL_DEVICE_ME_VERSION_INTEL", "number"}},
  {"cl_intel_planar_yuv",
   {0x417E, "CL_DEVICE_PLANAR_YUV_MAX_WIDTH_INTEL", "number"},
   {0x417F, "CL_DEVICE_PLANAR_YUV_MAX_HEIGHT_INTEL", "number"}},
  {"cl_intel_required_subgroup_size", {0x4108, "CL_DEVICE_SUB_GROUP_SIZES_INTEL", "sizes"}},
  {"cl_intel_simultaneous_sharing",
   {0x4104, "CL_DEVICE_SIMULTANEOUS_INTEROPS_INTEL", "integers"},
   {0x4105, "CL_DEVICE_NUM_SIMULTANEOUS_INTEROPS_INTEL", "number"}},
  {"cl_intel_unified_shared_memory",
   {0x4190, "CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL", "flags", shared_memory},
   {0x4191, "CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL", "flags", shared_memory},
   {0x4192, "CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL", "flags", shared_memory},
   {0x4193, "CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL", "flags", shared_memory},
   {0x4194, "CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL", "flags", shared_memory}},
  {"cl_khr_command_buffer",
   {0x12A9, "CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR", "flags", command_buffer},
   {0x12AA, "CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR", "flags", queue}},
  {"cl_khr_command_buffer_mutable_dispatch",
   {0x12B0, "CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR", "flags", mutable_dispatch}},
  {"cl_khr_extended_versioning", {0x105F, "CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR", "version"}},
  {"cl_khr_external_memory", {0x204F, "CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR", "words", memory_handles}},
  {"cl_khr_external_semaphore",
   {0x204D, "CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR", "words", semaphore_handles},
   {0x204E, "CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR", "words", semaphore_handles}},
  {"cl_khr_semaphore", {0x204C, "CL_DEVICE_SEMAPHORE_TYPES_KHR", "words", semaphore_types}},
  {"cl_khr_spir", {0x40E0, "CL_DEVICE_SPIR_VERSIONS", "text"}},
  {"cl_khr_subgroup_named_barrier", {0x2035, "CL_DEVICE_MAX_NAMED_BARRIER_COUNT_KHR", "number"}},
  {"cl_khr_terminate_context", {0x2031, "CL_DEVICE_TERMINATE_CAPABILITY_KHR", "identifier"}},
  {"cl_qcom_ext_host_ptr",
   {0x40A0, "CL_DEVICE_EXT_MEM_PADDING_IN_BYTES_QCOM", "bytes"},
   {0x40A1, "CL_DEVICE_PAGE_SIZE_QCOM", "bytes"}},
}

local function listed(extensions)
  local list = {}
  for _, extension in ipairs(extensions) do
    for i = 2, #extension do
      list[#list + 1] = extension[i]
      extension[i].since, extension[i].extension = false, extension[1]
    end
  end
  return list
end

return {platform = listed(platform), device = listed(device)}
