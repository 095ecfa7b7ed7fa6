-- Devices: their properties, and how text selects them. Most tests run on machines invented by fake_devices.
-- suite: quick
-- process: shared

local device = require "clue.device"
local error_object = require "clue.error"
local fake = require "fake_devices"
local options = require "clue.options"
local support = require "support"

local function cpu_platform()
  return {name = "Portable Computing Language", vendor = "The pocl project", suffix = "POCL", devices = {
    {name = "pthread-cpu", type = "cpu", vendor = "AuthenticAMD", units = 2, mhz = 2600}}}
end

local function debugger_platform()
  return {name = "Oclgrind", vendor = "Oclgrind", devices = {
    {name = "Oclgrind Simulator", type = "default cpu gpu accelerator", vendor = "Oclgrind"}}}
end

local function llvmpipe_platform()
  return {name = "rusticl", vendor = "Mesa/X.org", suffix = "MESA", devices = {
    {name = "llvmpipe (LLVM 15)", type = "cpu", vendor = "Mesa/X.org", units = 64, mhz = 3000}}}
end

local function card(name, units, mhz, more)
  local made = {name = name, type = "gpu", vendor = "NVIDIA Corporation", units = units, mhz = mhz}
  for key, value in pairs(more or {}) do made[key] = value end
  return made
end

local function gpu_platform(...)
  return {name = "NVIDIA CUDA", vendor = "NVIDIA Corporation", suffix = "NV", devices = {...}}
end

local function other_platform()
  local vendor = "Advanced Micro Devices"
  return {name = "AMD Accelerated Parallel Processing", vendor = vendor, suffix = "AMD", devices = {
    card("gfx1100", 1000, 3000, {vendor = vendor})}}
end

-- Returns the ordinals that a text selects, as text, and the reason.
local function selected(spec, origin)
  local ordinals, why = device.select(spec, origin)
  return table.concat(ordinals, ","), why
end

local function problem_of(spec, origin)
  local found, problem = pcall(device.select, spec, origin)
  assert.is_false(found)
  assert.is_true(error_object.is(problem), tostring(problem))
  assert.equal("CL_DEVICE_NOT_FOUND", problem.name)
  return tostring(problem)
end

local device_before

before_each(function()
  device_before, options.device = options.device, nil
end)

after_each(function()
  options.device = device_before
  fake.restore()
end)

describe("the default device", function()
  local function default()
    local ordinal, why, again = device.pick()
    return ordinal .. " " .. again .. " " .. why
  end

  it("is the only GPU", function()
    fake.install {cpu_platform(), gpu_platform(card("RTX 4090", 128, 2500))}
    assert.equal("1 --device 1:0 the only GPU", default())
  end)

  it("is one vendor's GPU with the most compute units x MHz", function()
    fake.install {gpu_platform(card("small", 16, 1000), card("big", 100, 2000), card("middle", 100, 1500))}
    assert.equal("1 --device 0:1 the best of 3 GPUs by compute units x MHz", default())
  end)

  it("is the GPU with the lowest ordinal if the vendors differ, whatever the product", function()
    fake.install {gpu_platform(card("small", 10, 1000)), other_platform()}
    assert.equal("0 --device 0:0 the first of 2 GPUs of different vendors", default())
  end)

  it("is the best GPU of the first vendor if that vendor has several", function()
    fake.install {gpu_platform(card("small", 10, 1000), card("big", 20, 1000)), other_platform()}
    assert.equal("1 --device 0:1 the best of NVIDIA Corporation's 2 GPUs (of 3 in all)", default())
  end)

  it("is the first of identical cards, and says so", function()
    fake.install {gpu_platform(card("H200", 132, 1980), card("H200", 132, 1980))}
    assert.equal("0 --device 0:0 the first of 2 identical GPUs", default())
  end)

  it("is an accelerator if there is no GPU", function()
    fake.install {cpu_platform(), {name = "FPGA", devices = {{name = "board", type = "accelerator"}}}}
    assert.equal("1 --device 1:0 the only accelerator (there is no GPU)", default())
  end)

  it("is a CPU if there is neither, even behind a platform without devices", function()
    fake.install {{name = "Clover", devices = {}}, cpu_platform()}
    assert.equal("0 --device 1:0 the only CPU device (there is no GPU or accelerator)", default())
  end)

  it("is not a debugger if there is anything else", function()
    fake.install {debugger_platform(), cpu_platform()}
    assert.equal("1 --device 1:0 the only CPU device besides Oclgrind (there is no GPU or accelerator)", default())
  end)

  it("is a debugger if there is nothing else", function()
    fake.install {debugger_platform()}
    assert.equal("0 --device 0:0 there is no other device: Oclgrind, a debugger", default())
  end)

  it("is not a device with wrong results if there is a sound one", function()
    fake.install {llvmpipe_platform(), cpu_platform()}
    assert.equal("1 --device 1:0 the only CPU device besides llvmpipe (there is no GPU or accelerator)", default())
    fake.install {llvmpipe_platform(), debugger_platform()}
    assert.matches("^0 .* there is no other device: llvmpipe, whose long loops compute nonsense", default())
  end)

  it("is not a device that its driver calls unavailable", function()
    fake.install {gpu_platform(card("broken", 100, 2000, {available = false})), cpu_platform()}
    assert.matches("^1 .*the only CPU device %(there is no GPU or accelerator%)$", default())
  end)

  it("is none that runs no OpenCL C", function()
    fake.install {{name = "Codecs", devices = {{name = "decoder", type = "custom"}}}}
    assert.matches("no device here runs OpenCL C; there is:\n  0 (0:0) decoder [custom, Codecs]\n", problem_of(), 1,
      true)
  end)

  it("is an error with a remedy if there is no device", function()
    fake.install {{name = "Clover", devices = {}}}
    local problem = problem_of()
    assert.matches("^there is no OpenCL device; platforms without devices: Clover\n", problem)
    assert.matches("apt install pocl-opencl-icd", problem, 1, true)
    assert.matches("/etc/OpenCL/vendors", problem, 1, true)
  end)

  it("is an error that advises no driver which is there, but shows no device", function()
    fake.install {{name = "Portable Computing Language", devices = {}}}
    local problem = problem_of()
    assert.matches("^there is no OpenCL device; platforms without devices: Portable Computing Language\n", problem)
    assert.not_matches("pocl%-opencl%-icd", problem)
    assert.matches("`clue doctor` shows what this machine lacks", problem, 1, true)
  end)
end)

describe("a text that names devices", function()
  -- 0 CPU, 1 and 2 GPUs of one kind, 3 another GPU of the same platform, 4 Oclgrind, 5 AMD
  before_each(function()
    fake.install {
      cpu_platform(),
      gpu_platform(
        card("Tesla V100", 80, 1500, {uuid = "aabbccdd00112233445566778899aabb", pci = "0000:65:00.0"}),
        card("Tesla V100", 80, 1500, {uuid = "aabbccdd00112233445566778899ffff", pci = "0001:65:00.0"}),
        card("Tesla V100S", 80, 1600, {uuid = "0123456789abcdef0123456789abcdef", pci = "0000:b3:00.1"})),
      debugger_platform(),
      other_platform(),
    }
  end)

  it("may be the flat ordinal", function()
    for ordinal = 0, 5 do assert.equal(tostring(ordinal), (selected(tostring(ordinal)))) end
    assert.equal("3", (selected(3)))
    local problem = problem_of("6", "--device")
    assert.matches("^%-%-device 6: there is no device 6; there is:\n", problem)
    assert.matches("\n  0 (0:0) pthread-cpu [CPU, Portable Computing Language]\n", problem, 1, true)
    assert.matches("\n  4 (2:0) Oclgrind Simulator [CPU and GPU, Oclgrind]", problem, 1, true)
  end)

  it("may be platform:device by index", function()
    assert.equal("2", (selected("1:1")))
    assert.equal("5", (selected("3:0")))
    assert.matches("there is no platform 4: this machine has 4 platforms", problem_of("4:0"))
    assert.matches("platform NVIDIA CUDA has no device 3; there is:", problem_of("1:3"))
  end)

  it("finds no device on a platform without any", function()
    fake.install {cpu_platform(), {name = "Clover", devices = {}}}
    for _, text in ipairs {"1:0", "1:", "clover:gpu", "clover:tahiti"} do
      assert.matches(("device '%s': platform Clover has no devices: `clue doctor` says why$"):format(text),
        problem_of(text))
    end
  end)

  it("may be platform:device by parts of the names, in any case", function()
    assert.equal("3", (selected("nvidia:v100s")))
    assert.equal("2", (selected("CUDA:1")))
    assert.equal("3", (selected("1:V100S")))
    assert.equal("0", (selected("pocl:0")), "by the vendor")
    assert.matches("no platform has 'intel' in its name; there is:", problem_of("intel:0"))
    assert.matches("'nvidea' in its name %(is NVIDIA meant%?%); there is:", problem_of "nvidea")
    assert.matches("'opengrind' in its name %(is [Oo]clgrind meant%?%); there is:", problem_of "opengrind")
    assert.matches("'gpuu' in its name %(is gpu meant%?%); there is:", problem_of "gpuu")
    assert.matches("no device there has 'k80' in its name", problem_of("nvidia:k80"))
    assert.matches("'a' matches several platforms: ", problem_of("a:0"))
    assert.matches("give a platform before the colon", problem_of(":0"))
  end)

  it("may be a platform with a class of device, or with no device", function()
    assert.equal("3", (selected("nvidia:")))
    assert.equal("3", (selected("nvidia:gpu")))
    assert.equal("4", (selected("oclgrind:")))
    assert.matches("there is no CPU device on platform NVIDIA CUDA", problem_of("nvidia:cpu"))
  end)

  it("may be part of a device's name, though the whole name takes precedence", function()
    assert.equal("0", (selected("pthread")))
    assert.equal("3", (selected("v100s")))
    assert.equal("1", (selected("tesla v100")))
  end)

  it("takes the first of identical cards and says so", function()
    local ordinals, why = selected("tesla v100", "--device")
    assert.equal("1", ordinals)
    assert.equal("the first of 2 identical devices, named by --device", why)
  end)

  it("is refused if it matches devices of different names", function()
    local problem = problem_of("tesla", "--device")
    assert.matches("^%-%-device tesla matches 3 devices; name one of them:\n  1 %(1:0%) Tesla V100 ", problem)
    assert.matches("\n  3 (1:2) Tesla V100S ", problem, 1, true)
  end)

  it("may be part of a platform's name if no device's name matches", function()
    assert.equal("5", (selected("accelerated")))
    assert.equal("4", (selected("oclgrind")))
    assert.equal("0", (selected("pocl")))
    assert.matches("no device or platform has 'gtx' in its name; there is:\n", problem_of("gtx"))
  end)

  it("may be a class, and selects the best device of it", function()
    assert.equal("0", (selected("cpu")))
    local ordinals, why = selected("GPU", "--device")
    assert.equal("3", ordinals)
    assert.equal("the best of NVIDIA Corporation's 3 GPUs (of 4 in all) besides Oclgrind (--device GPU)", why)
    local problem = problem_of("accelerator", "--device")
    assert.matches("^%-%-device accelerator: there is no accelerator; there is:\n", problem)
  end)

  it("may be all: every device but debuggers", function()
    local ordinals, why = selected("all", "--device")
    assert.equal("0,1,2,3,5", ordinals)
    assert.equal("the first of all 5 (--device all)", why)
    fake.install {cpu_platform()}
    assert.equal("the only one (--device all)", select(2, selected("all", "--device")))
  end)

  it("says where there are others in the list, for a run that takes one", function()
    assert.equal("the first of 2 (--device 5,0)", select(2, selected("5,0", "--device")))
    assert.equal("the first of 2 (device '0, 1')", select(2, selected("0, 1", "the script")))
    assert.equal("named by --device", select(2, selected("5,5", "--device")))
  end)

  it("may be the start of a UUID, with or without dashes", function()
    assert.equal("2", (selected("uuid:aabbccdd-0011-2233-4455-66778899ffff")))
    assert.equal("3", (selected("uuid:0123")))
    assert.equal("3", (selected("UUID:GPU-01234567-89AB")))
    assert.matches("2 devices have a UUID that begins with this", problem_of("uuid:aabbccdd"))
    assert.matches("no device has this UUID", problem_of("uuid:ffff"))
    assert.matches("must have at least four hexadecimal digits", problem_of("uuid:xyz"))
  end)

  it("may be a PCI address", function()
    assert.equal("1", (selected("pci:0000:65:00.0")))
    assert.equal("1", (selected("pci:65:0")))
    assert.equal("2", (selected("pci:1:65:00.0")))
    assert.equal("3", (selected("PCI:B3:00.1")))
    assert.matches("no device reports this address", problem_of("pci:66:00.0"))
    assert.matches("must be hexadecimal, like 0000:65:00.0 or 65:00.0", problem_of("pci:here"))
  end)

  it("may be a list, from which each device is taken once", function()
    assert.equal("2,0,3", (selected("2, 0 ,2,v100s")))
    assert.equal("0,1,2,3,5", (selected("cpu,all")))
    for _, list in ipairs {",", "1,", ",1", "1,,2", ""} do
      assert.matches("a name is missing in the list", problem_of(list))
    end
    assert.matches("no device or platform has 'k80'", problem_of("1,k80"))
  end)

  it("is named with its origin in reasons and errors", function()
    assert.equal("named by --device", select(2, selected("0", "--device")))
    assert.equal("from CLUE_DEVICE", select(2, selected("0", "CLUE_DEVICE")))
    assert.equal("named by the script", select(2, selected("0")))
    assert.matches("^%-%-device 9: ", problem_of("9", "--device"))
    assert.matches("^CLUE_DEVICE=9: ", problem_of("9", "CLUE_DEVICE"))
    assert.matches("device_spec%.lua:%d+: device '9': ", problem_of("9"))
  end)

  it("takes precedence over the default if it comes from the command line", function()
    options.device = "oclgrind"
    local ordinal, why, again = device.pick()
    assert.same({4, "named by --device", "--device 2:0"}, {ordinal, why, again})
    assert.equal("0", (selected("cpu")), "a script's own word goes before it")
    assert.same({"oclgrind", "--device"}, {device.asked_for()})
    assert.same({"cpu", "the script"}, {device.asked_for("cpu")})
    assert.same({"cpu", "--device"}, {device.asked_for("cpu", "--device")})
  end)

  it("is nil if no option and no variable names a device", function()
    assert.is_nil(device.asked_for())
  end)
end)

describe("device.best", function()
  it("ignores options and variables", function()
    fake.install {cpu_platform(), gpu_platform(card("one", 1, 1))}
    options.device = "0"
    local ordinal, why, again = device.best("gpu")
    assert.same({1, "the only GPU", "--device 1:0"}, {ordinal, why, again})
  end)

  it("takes the best device that meets the condition, but never a debugger instead", function()
    fake.install {gpu_platform(card("fast", 9, 9), card("exact", 1, 1, {double = true})), debugger_platform()}
    local function exact(each) return each:has_double() end
    assert.equal(1, (device.best("gpu", exact)))
    fake.install {gpu_platform(card("fast", 9, 9)), debugger_platform()}
    local ordinal, why = device.best("gpu", exact)
    assert.is_nil(ordinal)
    assert.equal("there is no GPU", why)
  end)
end)

describe("a device", function()
  it("has its properties under OpenCL's names in lower case", function()
    fake.install {gpu_platform(card("H200", 132, 1980, {
      memory = 150 * 2 ^ 30, pci = "0002:65:00.0", double = true, uuid = "0123456789abcdef0123456789abcdef",
    }))}
    local it_is = device.get(0)
    assert.equal("H200", it_is.name)
    assert.equal(132, it_is.max_compute_units)
    assert.equal(150 * 2 ^ 30, it_is.global_mem_size)
    assert.equal("gpu", it_is.type)
    assert.equal("denorm, inf_nan, round_to_nearest, round_to_zero, round_to_inf, fma", it_is.double_fp_config .. "")
    assert.equal("gpu", it_is.kind)
    assert.is_true(it_is.available)
    assert.equal("01234567-89ab-cdef-0123-456789abcdef", it_is.uuid)
    assert.equal("0002:65:00.0", it_is.pci)
    assert.same({"denorm", "inf_nan", "round_to_nearest", "round_to_zero", "round_to_inf", "fma"},
      it_is.double_fp_config)
    assert.is_true(it_is:has_double())
    assert.equal("0:0", it_is.address)
    assert.equal("NVIDIA CUDA", it_is.platform.name)
    assert.equal("NV", it_is.platform.icd_suffix_khr)
    assert.equal("device 0 (0:0) H200 [GPU, NVIDIA CUDA]", tostring(it_is))
  end)

  it("gives nil for properties that its driver does not know, and for unknown names", function()
    fake.install {cpu_platform()}
    assert.is_nil(device.get(0).uuid)
    assert.is_nil(device.get(0).pci)
    assert.is_nil(device.get(0).max_work_group_size)
    assert.is_nil(device.get(0).colour)
    assert.is_nil(device.get(0).platform.colour)
  end)

  it("is queried only for properties of its version and its extensions", function()
    local asked = fake.install {cpu_platform()} -- an OpenCL 1.2 device
    local ours = device.get(0)
    ours:properties()
    for _, number in ipairs {0x1041, 0x1002, 0x1032} do
      assert.is_true(asked[0][number], ("0x%x"):format(number))
    end
    for _, number in ipairs {0x104C, 0x1053, 0x105B, 0x105E, 0x1065, 0x106A, 0x410F, 0x4000, 0x4037} do
      assert.is_nil(asked[0][number], ("0x%x"):format(number))
    end
    assert.is_nil(ours.svm_capabilities)
    assert.is_nil(asked[0][0x1053])
  end)

  it("cannot be had by a number that is neither an ordinal nor a handle", function()
    assert.has_error(function() device.get(65535) end)
    assert.has_error(function() device.get(-1) end)
  end)

  it("lists its extensions as words", function()
    fake.install {gpu_platform(card("one", 1, 1, {extensions = "cl_khr_fp64 cl_khr_fp16_more"}))}
    assert.is_true(device.get(0):has_extension("cl_khr_fp64"))
    assert.is_false(device.get(0):has_extension("cl_khr_fp16"))
  end)
end)

describe("the devices of this machine", function()
  local code = [[
    local device = require "clue.device"
    for _, each in ipairs(device.machine().devices) do
      local known = {}
      for _, entry in ipairs(each:properties("opencl")) do known[entry[1].name] = entry[2] end
      print(each.platform.name, each.kind, each.local_mem_type, known.CL_DEVICE_LOCAL_MEM_TYPE,
        each.max_compute_units > 0, each.max_work_item_sizes[1] >= 1, #each.extensions > 0, each.platform.profile,
        each.uuid)
    end
  ]]

  it("have properties on PoCL, Oclgrind and rusticl #once", function()
    local out = support.ended(0, support.run({"-e", code}, support.drivers("both")))
    assert.matches("Portable Computing Language\tcpu\t%l+\tCL_%u+\ttrue\ttrue\ttrue\tFULL_PROFILE\tnil\n", out)
    assert.matches("Oclgrind\tany\tlocal\tCL_LOCAL\ttrue\ttrue\ttrue\tFULL_PROFILE\tnil\n", out)
    out = support.ended(0, support.run({"-e", code}, support.drivers("rusticl")))
    assert.matches("rusticl\tcpu\t%l+\tCL_%u+\ttrue\ttrue\ttrue\tFULL_PROFILE\tnil\n", out)
  end)

  it("are chosen by CLUE_DEVICE, then by PYOPENCL_CTX #once", function()
    local function pick(env)
      local code_of_pick = "print(require('clue.device').pick())"
      local status, out, err = support.run({"-e", code_of_pick}, support.drivers("both", env))
      return status == 0 and out or err
    end
    assert.matches("^%d\tfrom CLUE_DEVICE\t%-%-device %d:0\n$",
      pick {CLUE_DEVICE = "oclgrind", PYOPENCL_CTX = "0"})
    assert.matches("^%d\tfrom PYOPENCL_CTX\t", pick {PYOPENCL_CTX = "oclgrind"})
    assert.matches("^1\tfrom PYOPENCL_CTX\t%-%-device 1:0", pick {CLUE_DEVICE = "", PYOPENCL_CTX = "1"})
    assert.matches("^1\tfrom PYOPENCL_CTX\t%-%-device 1:0", pick {PYOPENCL_CTX = "1:0"})
    assert.matches("CLUE_DEVICE=voodoo: no device or platform has 'voodoo' in its name",
      pick {CLUE_DEVICE = "voodoo"})
  end)

  it("may be none, which gives an error with a remedy #once", function()
    local status, _, err = support.run({"-e", "require('clue.device').pick()"}, support.drivers("none"))
    assert.not_equal(0, status)
    assert.matches("there is no OpenCL device", err, 1, true)
    assert.matches("apt install pocl-opencl-icd ocl-icd-libopencl1\n", err, 1, true)
    assert.matches("OCL_ICD_VENDORS=", err, 1, true)
  end)
end)

describe("device.announce", function()
  local code = [[
    local device = require "clue.device"
    for _ = 1, 2 do device.announce(device.pick()) end
  ]]

  it("names the device, the reason and the option that picks it again, once, on stderr #once", function()
    local out, err = support.ended(0, support.run({"-e", code}, support.drivers("pocl")))
    assert.equal("", out)
    assert.matches("^clue: device 0 %(0:0%) [^\n]* %[CPU, Portable Computing Language%]: the only CPU device "
      .. "%(there is no GPU or accelerator%); %-%-device 0:0 picks it again\n$", err)
  end)

  it("writes nothing with --quiet #once", function()
    support.clean(support.run({"--quiet", "-e", code}, support.drivers("pocl")))
  end)
end)
