-- clue's tables of device and platform properties against Khronos' headers.
-- suite: quick
-- process: shared bindings
-- drivers: pocl oclgrind rusticl

local device = require "clue.device"
local fake = require "fake_devices"
local opencl_headers = require "opencl_headers"
local info = require "clue.device_info"
local properties = require "clue.device_properties"

local headers = opencl_headers.read()

-- Constants that begin like properties but are not: values of properties, errors, and others that clGetDeviceInfo
-- does not take.
local no_property = {
  "^CL_DEVICE_TYPE_", "^CL_DEVICE_AFFINITY_DOMAIN_", "^CL_DEVICE_ATOMIC_[OS]", "^CL_DEVICE_SVM_[CFA]%a+_?G?%a*_",
  "^CL_DEVICE_SVM_ATOMICS", "^CL_DEVICE_PARTITION_BY_", "^CL_DEVICE_PARTITION_EQUALLY", "^CL_DEVICE_QUEUE_SUPPORTED$",
  "^CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT$", "^CL_DEVICE_NOT_", "^CL_DEVICE_PARTITION_FAILED", "_LIST_END",
  "^CL_DEVICE_FEATURE_FLAG_", "^CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_", "^CL_DEVICE_CONTROLLED_TERMINATION_[SFQ]",
  "^CL_DEVICE_SCHEDULING_[^C]", "^CL_DEVICE_SCHEDULING_COMPUTE", "^CL_PLATFORM_NOT_FOUND_KHR$",
  "^CL_DEVICE_HANDLE_LIST_KHR$", "^CL_DEVICE_TOPOLOGY_TYPE_",
}

-- Properties that clue does not read, and why.
local left_out = {
  CL_DEVICE_PLATFORM = "a pointer: device.platform is the object",
  CL_DEVICE_PARENT_DEVICE = "a pointer: device.parent is the object",
  CL_DEVICE_PARTITION_TYPE = "only sub-devices have it, and the script that made them knows it",
  CL_DEVICE_REFERENCE_COUNT = "only sub-devices have it, and it counts clue's own references",
  CL_DEVICE_QUEUE_FAMILY_PROPERTIES_INTEL = "structures whose layout later versions extend",
}
for _, name in ipairs {"EXTENDED_INSTRUCTION_SETS", "EXTENSIONS", "EXTENDED_INSTRUCTION_SETS_KHR", "EXTENSIONS_KHR"} do
  name = "CL_DEVICE_SPIRV_" .. name
  left_out[name] = headers.constants[name] and "pointers to texts" -- older headers lack it
end
-- OpenCL 1.2 took over all of cl_ext_device_fission.
for _, name in ipairs {"PARENT_DEVICE", "PARTITION_TYPES", "AFFINITY_DOMAINS", "REFERENCE_COUNT",
  "PARTITION_STYLE"} do
  left_out["CL_DEVICE_" .. name .. "_EXT"] = "OpenCL 1.2 has it without EXT"
end

local function is_property(name)
  if not (name:find "^CL_DEVICE_" or name:find "^CL_DRIVER_" or name:find "^CL_PLATFORM_") then return false end
  for _, pattern in ipairs(no_property) do
    if name:find(pattern) then return false end
  end
  return true
end

describe("the properties that clue knows", function()
  it("include all that the headers have", function()
    local missing, count = {}, 0
    for name in pairs(headers.constants) do
      if is_property(name) and not left_out[name] then
        local what = name:find "^CL_PLATFORM_" and "platform" or "device"
        local known = properties[what].by_name[name:gsub("^CL_DEVICE_", ""):gsub("^CL_PLATFORM_", "")
          :gsub("^CL_", ""):lower()]
        count = count + 1
        if not known or known.number ~= opencl_headers.value(headers, name) then missing[#missing + 1] = name end
      end
    end
    table.sort(missing)
    assert.same({}, missing)
    assert.is_true(count > 130, count .. " properties")
  end)

  it("have the headers' numbers, each only once", function()
    for _, what in ipairs {"platform", "device"} do
      local names = {}
      for _, property in ipairs(properties[what].list) do
        local number = opencl_headers.value(headers, property.name)
          or opencl_headers.value(headers, property.name .. "_KHR")
        -- NVIDIA documents four properties that the headers lack, and these headers may be older than OpenCL 3.1.
        local may_lack = property.name:find "_NV$" ~= nil or property.since == 31
        assert.is_true(number == property.number or number == nil and may_lack, property.name)
        assert.is_nil(names[property.number], property.name)
        names[property.number] = property.name
      end
    end
  end)

  it("have values with the headers' numbers", function()
    local checked = 0
    for _, what in ipairs {"platform", "device"} do
      for _, property in ipairs(properties[what].list) do
        for name, number in pairs(property.values and property.values.prefix and property.values or {}) do
          local full = name ~= "prefix" and property.values.prefix .. name
          if full then
            local given = opencl_headers.value(headers, full) or opencl_headers.value(headers, full .. "_KHR")
            assert.equal(given, number, full)
            checked = checked + 1
          end
        end
      end
    end
    assert.is_true(checked > 80)
  end)

  it("leave out only constants that the headers still have", function()
    for name in pairs(left_out) do assert.is_truthy(headers.constants[name], name) end
  end)
end)

describe("a property of an extension", function()
  after_each(fake.restore)

  local function property(name) return properties.device.by_name[name] end

  it("is read by its type", function()
    assert.same({"opaque_fd_khr", "sync_fd_khr", "0x9999"},
      info.read(property "semaphore_import_handle_types_khr", "\85\32\0\0\88\32\0\0\153\153\0\0"))
    assert.same({"CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR"},
      info.read(property "external_memory_import_handle_types_khr", "\103\32\0\0", "opencl"))
    assert.same({16, 32, 64},
      info.read(property "supported_register_allocations_arm", "\16\0\0\0\32\0\0\0\64\0\0\0"))
    assert.same({"signed", "accumulating_saturating_unsigned"},
      info.read(property "integer_dot_product_acceleration_properties_8bit_khr",
        "\1\0\0\0" .. ("\0"):rep(12) .. "\1\0\0\0" .. ("\0"):rep(4)))
    assert.same({"access_intel", "concurrent_access_intel"},
      info.read(property "device_mem_capabilities_intel", "\5\0\0\0\0\0\0\0"))
    assert.same({8, 16, 32}, info.read(property "sub_group_sizes_intel",
      "\8\0\0\0\0\0\0\0\16\0\0\0\0\0\0\0\32\0\0\0\0\0\0\0"))
  end)

  it("is queried only if the device lists the extension", function()
    local asked = fake.install {{name = "ACME", devices = {
      {name = "one", type = "gpu", extensions = "cl_intel_device_attribute_query"},
      {name = "two", type = "gpu"},
    }}}
    for ordinal = 0, 1 do assert.is_nil(device.get(ordinal).num_slices_intel) end
    assert.is_true(asked[0][0x4252])
    assert.is_nil(asked[1][0x4252])
  end)

  it("is queried without the extension from the version on that has it", function()
    fake.install {{name = "ACME", devices = {
      {name = "new", type = "gpu", version = "OpenCL 3.1 fake", plain_uuid = "0123456789abcdef0123456789abcdef"},
      {name = "old", type = "gpu", version = "OpenCL 3.0 fake", plain_uuid = "0123456789abcdef0123456789abcdef"},
    }}}
    assert.equal("01234567-89ab-cdef-0123-456789abcdef", device.get(0).uuid)
    assert.equal(device.get(0).uuid, device.get(0).uuid_khr)
    assert.is_nil(device.get(1).uuid)
  end)

  it("also goes by its names in earlier versions", function()
    assert.equal(property "uuid", property "uuid_khr")
    assert.equal(property "max_work_item_sizes", property "max_work_group_sizes")
    assert.equal(property "queue_on_host_properties", property "queue_properties")
    assert.equal(property "numeric_version", property "numeric_version_khr")
    local here = device.get(0)
    assert.same(here.queue_on_host_properties, here.queue_properties)
    assert.is_true(#here.queue_properties > 0)
  end)
end)
