--- The properties of platforms and devices: OpenCL's numbers and names, and how their bytes are read.
-- Used by clue.device_info. A property is queried only if the device has the version (times ten; 10 unless `since`
-- says more) or lists the extension: some drivers misbehave on unknown numbers. Properties that hold pointers, or
-- that only parts of a device have, are left out. clue.device_extensions has those that extensions add.
--
-- Kinds: number, bytes (a number of them), identifier (a number shown in hexadecimal), bool, text, sizes (a list of
-- numbers), flags, choice and choices (constants, named below without their common prefix), version, versions (names
-- with versions), uuid, luid, pci, pci_amd; integers and words (lists like sizes and choices, of 4 bytes each),
-- abilities (the names of those that are true).
local unpack = rawget(table, "unpack") or rawget(_G, "unpack") -- a missing global would load all MQL5 names

local fp_config = {
  prefix = "CL_FP_",
  DENORM = 1, INF_NAN = 2, ROUND_TO_NEAREST = 4, ROUND_TO_ZERO = 8, ROUND_TO_INF = 16, FMA = 32, SOFT_FLOAT = 64,
  CORRECTLY_ROUNDED_DIVIDE_SQRT = 128,
}
local queue = {
  prefix = "CL_QUEUE_",
  OUT_OF_ORDER_EXEC_MODE_ENABLE = 1, PROFILING_ENABLE = 2, ON_DEVICE = 4, ON_DEVICE_DEFAULT = 8,
}
local atomics = {
  prefix = "CL_DEVICE_ATOMIC_",
  ORDER_RELAXED = 1, ORDER_ACQ_REL = 2, ORDER_SEQ_CST = 4, SCOPE_WORK_ITEM = 8, SCOPE_WORK_GROUP = 16,
  SCOPE_DEVICE = 32, SCOPE_ALL_DEVICES = 64,
}
local device_type = {prefix = "CL_DEVICE_TYPE_", DEFAULT = 1, CPU = 2, GPU = 4, ACCELERATOR = 8, CUSTOM = 16}
local cache_type = {prefix = "CL_", NONE = 0, READ_ONLY_CACHE = 1, READ_WRITE_CACHE = 2}
local memory_type = {prefix = "CL_", NONE = 0, LOCAL = 1, GLOBAL = 2}
local execution = {prefix = "CL_EXEC_", KERNEL = 1, NATIVE_KERNEL = 2}
local partitions = {
  prefix = "CL_DEVICE_PARTITION_", EQUALLY = 0x1086, BY_COUNTS = 0x1087, BY_AFFINITY_DOMAIN = 0x1088,
}
local affinity = {
  prefix = "CL_DEVICE_AFFINITY_DOMAIN_",
  NUMA = 1, L4_CACHE = 2, L3_CACHE = 4, L2_CACHE = 8, L1_CACHE = 16, NEXT_PARTITIONABLE = 32,
}
local svm = {
  prefix = "CL_DEVICE_SVM_", COARSE_GRAIN_BUFFER = 1, FINE_GRAIN_BUFFER = 2, FINE_GRAIN_SYSTEM = 4, ATOMICS = 8,
}
local device_enqueue = {prefix = "CL_DEVICE_QUEUE_", SUPPORTED = 1, REPLACEABLE_DEFAULT = 2}

local dot_product = {prefix = "CL_DEVICE_INTEGER_DOT_PRODUCT_", INPUT_4x8BIT_PACKED = 1, INPUT_4x8BIT = 2}
local accelerated = {
  "signed", "unsigned", "mixed_signedness", "accumulating_saturating_signed", "accumulating_saturating_unsigned",
  "accumulating_saturating_mixed_signedness",
}

local uuid, dot_products = "cl_khr_device_uuid", "cl_khr_integer_dot_product" -- before OpenCL 3.1
local versioning = "cl_khr_extended_versioning"

local platform = {
  {0x0900, "CL_PLATFORM_PROFILE", "text"},
  {0x0901, "CL_PLATFORM_VERSION", "text"},
  {0x0902, "CL_PLATFORM_NAME", "text"},
  {0x0903, "CL_PLATFORM_VENDOR", "text"},
  {0x0904, "CL_PLATFORM_EXTENSIONS", "text"},
  {0x0905, "CL_PLATFORM_HOST_TIMER_RESOLUTION", "number", since = 21},
  {0x0906, "CL_PLATFORM_NUMERIC_VERSION", "version", since = 30, extension = versioning},
  {0x0907, "CL_PLATFORM_EXTENSIONS_WITH_VERSION", "versions", since = 30, extension = versioning},
  {0x0920, "CL_PLATFORM_ICD_SUFFIX_KHR", "text", extension = "cl_khr_icd"},
}

local device = {
  {0x102B, "CL_DEVICE_NAME", "text"},
  {0x102C, "CL_DEVICE_VENDOR", "text"},
  {0x1001, "CL_DEVICE_VENDOR_ID", "identifier"},
  {0x1000, "CL_DEVICE_TYPE", "type", device_type},
  {0x102F, "CL_DEVICE_VERSION", "text"},
  {0x105E, "CL_DEVICE_NUMERIC_VERSION", "version", since = 30, extension = versioning},
  {0x102D, "CL_DRIVER_VERSION", "text"},
  {0x103D, "CL_DEVICE_OPENCL_C_VERSION", "text", since = 11},
  {0x1066, "CL_DEVICE_OPENCL_C_ALL_VERSIONS", "versions", since = 30},
  {0x106F, "CL_DEVICE_OPENCL_C_FEATURES", "versions", since = 30},
  {0x1072, "CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED", "text", since = 30},
  {0x102E, "CL_DEVICE_PROFILE", "text"},
  {0x1027, "CL_DEVICE_AVAILABLE", "bool"},
  {0x1028, "CL_DEVICE_COMPILER_AVAILABLE", "bool"},
  {0x103E, "CL_DEVICE_LINKER_AVAILABLE", "bool", since = 12},
  {0x1002, "CL_DEVICE_MAX_COMPUTE_UNITS", "number"},
  {0x100C, "CL_DEVICE_MAX_CLOCK_FREQUENCY", "number"},
  {0x1003, "CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS", "number"},
  {0x1005, "CL_DEVICE_MAX_WORK_ITEM_SIZES", "sizes"},
  {0x1004, "CL_DEVICE_MAX_WORK_GROUP_SIZE", "number"},
  {0x1067, "CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE", "number", since = 30},
  {0x1065, "CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT", "bool", since = 30},
  {0x1068, "CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT", "bool", since = 30},
  {0x105C, "CL_DEVICE_MAX_NUM_SUB_GROUPS", "number", since = 21},
  {0x105D, "CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS", "bool", since = 21},
  {0x1006, "CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR", "number"},
  {0x1007, "CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT", "number"},
  {0x1008, "CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT", "number"},
  {0x1009, "CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG", "number"},
  {0x1034, "CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF", "number", since = 11},
  {0x100A, "CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT", "number"},
  {0x100B, "CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE", "number"},
  {0x1036, "CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR", "number", since = 11},
  {0x1037, "CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT", "number", since = 11},
  {0x1038, "CL_DEVICE_NATIVE_VECTOR_WIDTH_INT", "number", since = 11},
  {0x1039, "CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG", "number", since = 11},
  {0x103C, "CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF", "number", since = 11},
  {0x103A, "CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT", "number", since = 11},
  {0x103B, "CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE", "number", since = 11},
  {0x1033, "CL_DEVICE_HALF_FP_CONFIG", "flags", fp_config, since = false, extension = "cl_khr_fp16"},
  {0x101B, "CL_DEVICE_SINGLE_FP_CONFIG", "flags", fp_config},
  {0x1032, "CL_DEVICE_DOUBLE_FP_CONFIG", "flags", fp_config, since = 12, extension = "cl_khr_fp64"},
  {0x100D, "CL_DEVICE_ADDRESS_BITS", "number"},
  {0x1026, "CL_DEVICE_ENDIAN_LITTLE", "bool"},
  {0x101F, "CL_DEVICE_GLOBAL_MEM_SIZE", "bytes"},
  {0x1010, "CL_DEVICE_MAX_MEM_ALLOC_SIZE", "bytes"},
  {0x1024, "CL_DEVICE_ERROR_CORRECTION_SUPPORT", "bool"},
  {0x1035, "CL_DEVICE_HOST_UNIFIED_MEMORY", "bool", since = 11},
  {0x101C, "CL_DEVICE_GLOBAL_MEM_CACHE_TYPE", "choice", cache_type},
  {0x101E, "CL_DEVICE_GLOBAL_MEM_CACHE_SIZE", "bytes"},
  {0x101D, "CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE", "bytes"},
  {0x1022, "CL_DEVICE_LOCAL_MEM_TYPE", "choice", memory_type},
  {0x1023, "CL_DEVICE_LOCAL_MEM_SIZE", "bytes"},
  {0x1020, "CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE", "bytes"},
  {0x1021, "CL_DEVICE_MAX_CONSTANT_ARGS", "number"},
  {0x104D, "CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE", "bytes", since = 20},
  {0x1054, "CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE", "bytes", since = 20},
  {0x1017, "CL_DEVICE_MAX_PARAMETER_SIZE", "bytes"},
  {0x1019, "CL_DEVICE_MEM_BASE_ADDR_ALIGN", "number"},
  {0x101A, "CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE", "bytes"},
  {0x1058, "CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT", "bytes", since = 20},
  {0x1059, "CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT", "bytes", since = 20},
  {0x105A, "CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT", "bytes", since = 20},
  {0x1063, "CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES", "flags", atomics, since = 30},
  {0x1064, "CL_DEVICE_ATOMIC_FENCE_CAPABILITIES", "flags", atomics, since = 30},
  {0x1053, "CL_DEVICE_SVM_CAPABILITIES", "flags", svm, since = 20},
  {0x1069, "CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT", "bool", since = 30},
  {0x1016, "CL_DEVICE_IMAGE_SUPPORT", "bool"},
  {0x100E, "CL_DEVICE_MAX_READ_IMAGE_ARGS", "number"},
  {0x100F, "CL_DEVICE_MAX_WRITE_IMAGE_ARGS", "number"},
  {0x104C, "CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS", "number", since = 20},
  {0x1011, "CL_DEVICE_IMAGE2D_MAX_WIDTH", "number"},
  {0x1012, "CL_DEVICE_IMAGE2D_MAX_HEIGHT", "number"},
  {0x1013, "CL_DEVICE_IMAGE3D_MAX_WIDTH", "number"},
  {0x1014, "CL_DEVICE_IMAGE3D_MAX_HEIGHT", "number"},
  {0x1015, "CL_DEVICE_IMAGE3D_MAX_DEPTH", "number"},
  {0x1040, "CL_DEVICE_IMAGE_MAX_BUFFER_SIZE", "number", since = 12},
  {0x1041, "CL_DEVICE_IMAGE_MAX_ARRAY_SIZE", "number", since = 12},
  {0x104A, "CL_DEVICE_IMAGE_PITCH_ALIGNMENT", "number", since = 20,
   extension = "cl_khr_image2d_from_buffer"},
  {0x104B, "CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT", "number", since = 20,
   extension = "cl_khr_image2d_from_buffer"},
  {0x1018, "CL_DEVICE_MAX_SAMPLERS", "number"},
  {0x1071, "CL_DEVICE_PIPE_SUPPORT", "bool", since = 30},
  {0x1055, "CL_DEVICE_MAX_PIPE_ARGS", "number", since = 20},
  {0x1056, "CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS", "number", since = 20},
  {0x1057, "CL_DEVICE_PIPE_MAX_PACKET_SIZE", "bytes", since = 20},
  {0x1029, "CL_DEVICE_EXECUTION_CAPABILITIES", "flags", execution},
  {0x102A, "CL_DEVICE_QUEUE_ON_HOST_PROPERTIES", "flags", queue},
  {0x1070, "CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES", "flags", device_enqueue, since = 30},
  {0x104E, "CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES", "flags", queue, since = 20},
  {0x104F, "CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE", "bytes", since = 20},
  {0x1050, "CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE", "bytes", since = 20},
  {0x1051, "CL_DEVICE_MAX_ON_DEVICE_QUEUES", "number", since = 20},
  {0x1052, "CL_DEVICE_MAX_ON_DEVICE_EVENTS", "number", since = 20},
  {0x1025, "CL_DEVICE_PROFILING_TIMER_RESOLUTION", "number"},
  {0x1049, "CL_DEVICE_PRINTF_BUFFER_SIZE", "bytes", since = 12},
  {0x1048, "CL_DEVICE_PREFERRED_INTEROP_USER_SYNC", "bool", since = 12},
  {0x1043, "CL_DEVICE_PARTITION_MAX_SUB_DEVICES", "number", since = 12},
  {0x1044, "CL_DEVICE_PARTITION_PROPERTIES", "choices", partitions, since = 12},
  {0x1045, "CL_DEVICE_PARTITION_AFFINITY_DOMAIN", "flags", affinity, since = 12},
  {0x103F, "CL_DEVICE_BUILT_IN_KERNELS", "text", since = 12},
  {0x1062, "CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION", "versions", since = 30, extension = versioning},
  {0x105B, "CL_DEVICE_IL_VERSION", "text", since = 21, extension = "cl_khr_il_program"},
  {0x1061, "CL_DEVICE_ILS_WITH_VERSION", "versions", since = 30, extension = versioning},
  {0x1030, "CL_DEVICE_EXTENSIONS", "text"},
  {0x1060, "CL_DEVICE_EXTENSIONS_WITH_VERSION", "versions", since = 30, extension = versioning},
  {0x106A, "CL_DEVICE_UUID", "uuid", since = 31, extension = uuid},
  {0x106B, "CL_DRIVER_UUID", "uuid", since = 31, extension = uuid},
  {0x106C, "CL_DEVICE_LUID_VALID", "bool", since = 31, extension = uuid},
  {0x106D, "CL_DEVICE_LUID", "luid", since = 31, extension = uuid},
  {0x106E, "CL_DEVICE_NODE_MASK", "identifier", since = 31, extension = uuid},
  {0x1073, "CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES", "flags", dot_product, since = 31, extension = dot_products},
  {0x1074, "CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT", "abilities", accelerated, since = 31,
   extension = dot_products},
  {0x1075, "CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED", "abilities", accelerated,
   since = 31, extension = dot_products},
  {0x12BB, "CL_DEVICE_SPIRV_CAPABILITIES", "integers", since = 31, extension = "cl_khr_spirv_queries"},
}

local extensions = require "clue.device_extensions"
for _, property in ipairs(extensions.platform) do platform[#platform + 1] = property end
for _, property in ipairs(extensions.device) do device[#device + 1] = property end

-- Other names for the same numbers: those of earlier versions and of extensions.
local older = {
  uuid_khr = "uuid", driver_uuid_khr = "driver_uuid", luid_valid_khr = "luid_valid", luid_khr = "luid",
  node_mask_khr = "node_mask",
  integer_dot_product_capabilities_khr = "integer_dot_product_capabilities",
  integer_dot_product_acceleration_properties_8bit_khr = "integer_dot_product_acceleration_properties_8bit",
  integer_dot_product_acceleration_properties_4x8bit_packed_khr =
    "integer_dot_product_acceleration_properties_4x8bit_packed",
  spirv_capabilities_khr = "spirv_capabilities",
  max_work_group_sizes = "max_work_item_sizes", -- its name since OpenCL 3.1
  queue_properties = "queue_on_host_properties",
  numeric_version_khr = "numeric_version",
  extensions_with_version_khr = "extensions_with_version",
  ils_with_version_khr = "ils_with_version",
  built_in_kernels_with_version_khr = "built_in_kernels_with_version",
  il_version_khr = "il_version",
  image_pitch_alignment_khr = "image_pitch_alignment",
  image_base_address_alignment_khr = "image_base_address_alignment",
}

-- Names every field, and adds the properties by the names that scripts use: "max_compute_units".
local function index(list, prefix)
  local by_name = {}
  for _, property in ipairs(list) do
    property.number, property.name, property.kind, property.values = unpack(property, 1, 4)
    if property.since == nil then property.since = 10 end
    property.short = property.name:gsub("^" .. prefix, ""):gsub("^CL_", ""):lower()
    by_name[property.short] = property
  end
  for name, present in pairs(older) do by_name[name] = by_name[present] end
  return {list = list, by_name = by_name}
end

return {platform = index(platform, "CL_PLATFORM_"), device = index(device, "CL_DEVICE_")}
