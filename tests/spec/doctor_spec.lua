-- `clue doctor`: run on this machine as users do, and its judgement of imaginary machines.
-- suite: whole
-- cost: 15
-- builds: luajit lua54

local child = require "clue.doctor.child"
local diagnosis = require "clue.doctor.diagnosis"
local examination = require "clue.doctor.examination"
local files = require "clue.doctor.files"
local json = require "dkjson"
local lfs = require "lfs"
local support = require "support"

local function doctor(args, env)
  local words = {"doctor"}
  for i, arg in ipairs(args) do words[i + 1] = arg end
  return support.run(words, env)
end

-- Runs the doctor on a driver folder with these .icd files: {name = text}.
local function doctor_on(icds, args, more)
  local vendors = support.folder()
  for name, text in pairs(icds) do support.write(text, vendors .. "/" .. name .. ".icd") end
  local status, out, err = doctor(args or {}, support.with({OCL_ICD_VENDORS = vendors}, more))
  assert.equal("", err)
  return status, out, vendors
end

local function lines_of(text)
  local lines = {}
  for line in text:gmatch "[^\n]*\n" do lines[#lines + 1] = line end
  return lines
end

-- Text without its line breaks, so that wrapping does not matter.
local function flat(text)
  return (text:gsub("%s+", " "))
end

local pocl = support.read(support.drivers("whole_pocl").OCL_ICD_VENDORS .. "/libpocl.so.2.10.0.icd") or "libpocl.so.2\n"

describe("clue doctor on a healthy machine", function()
  it("reports loader, drivers and a test kernel in few lines", function()
    local out = support.clean(doctor({}, support.drivers "whole_pocl"))
    assert.matches("^clue      %d+%.%d+%.%d+ %(", out)
    assert.matches("\nloader    ocl%-icd %d[^\n]*, /[^\n]*libOpenCL%.so", out)
    assert.matches("Portable Computing Language: 1 device\n", out, 1, true)
    assert.matches("ran a test kernel, %d+%.%d+ s", flat(out))
    assert.matches("\nverdict: 1 device; clue takes 0 (0:0) ", out, 1, true)
    assert.is_nil(out:find("\nfault: ", 1, true))
    assert.is_true(#lines_of(out) <= 24, out)
  end)

  it("fits 100 columns", function()
    for _, name in ipairs {"pocl", "both"} do
      local _, out = doctor({}, support.drivers(name, {COLUMNS = "300"}))
      for _, line in ipairs(lines_of(out)) do assert.is_true(#line <= 101, line) end
    end
  end)

  it("marks the device that a script would run on, and names the variable that chose it", function()
    local out = support.ended(0, doctor({}, support.drivers("both", {CLUE_DEVICE = "oclgrind"})))
    assert.matches("\ndevices [^v]*%* %d %(%d:0%) Oclgrind Simulator", out)
    assert.matches("CLUE_DEVICE=oclgrind: the device that clue takes", out, 1, true)
    assert.matches("from CLUE_DEVICE\n", out, 1, true)
    assert.matches("the drivers there are the registered ones, not pocl.icd, ", flat(select(2, doctor({},
      support.drivers "oclgrind"))):gsub("not mesa.icd, ", "not "), 1, true)
  end)

  it("does not count a platform without devices as a fault, and says how to get one", function()
    local _, enabled = doctor({}, support.drivers "rusticl")
    assert.matches("wrong results: loops, nested ones counted together, end after 65535 iterations without an error, "
      .. "so longer ones compute wrong results", flat(enabled), 1, true)
    local vendors = support.drivers("rusticl").OCL_ICD_VENDORS
    local out = support.ended(1, doctor({}, {OCL_ICD_VENDORS = vendors, RUSTICL_ENABLE = false}))
    assert.matches("rusticl: no devices; RUSTICL_ENABLE=llvmpipe makes it show the CPU", flat(out), 1, true)
    assert.matches("\n    export RUSTICL_ENABLE=llvmpipe\n", out)
    assert.is_nil(out:find("\nfault: ", 1, true))
  end)
end)

describe("clue doctor without a device #once", function()
  it("names the variable that hides the registered drivers", function()
    local out = support.ended(1, doctor({}, support.drivers "none"))
    assert.matches("none: there is no .icd file in", out, 1, true)
    assert.matches("hides the drivers registered in /etc/OpenCL/vendors: ", flat(out), 1, true)
    assert.matches("\nverdict: no device; the first thing to do:\n    unset OCL_ICD_VENDORS\n$", out)
  end)

  it("names the setting that leaves a driver without devices", function()
    local out = support.ended(1, doctor({}, support.drivers("pocl", {POCL_DEVICES = "voodoo"})))
    assert.matches("POCL_DEVICES=voodoo may be why PoCL shows no devices\n    unset POCL_DEVICES\n", out, 1, true)
  end)

  it("says that PoCL has none without a folder for its cache, and how to give it one", function()
    local home = support.write("a file in the place of a home", support.temporary())
    local env = support.drivers("pocl", {HOME = home})
    for settings, folder in pairs {["unset POCL_CACHE_DIR XDG_CACHE_HOME"] = home .. "/.cache/pocl/kcache",
                                   ["unset POCL_CACHE_DIR; export XDG_CACHE_HOME="] = home .. "/.cache/pocl/kcache",
                                   ["unset XDG_CACHE_HOME"] = home .. "/pocl"} do
      env.POCL_CACHE_DIR = folder
      local out = support.ended(1, support.execute({"/bin/sh", "-c", settings .. '; exec "$@"', "sh",
                                                    support.clue, "doctor"}, env))
      assert.matches(("fault: PoCL shows no devices: it cannot make the folder of its cache, %s: Not a directory")
        :format(folder), flat(out), 1, true)
      assert.matches("\nverdict: no device; the first thing to do:\n    export POCL_CACHE_DIR=%$%(mktemp %-d%)\n$", out)
    end
    env.POCL_CACHE_DIR = support.folder()
    support.ended(0, doctor({}, env))
  end)

  it("says that an empty POCL_CACHE_DIR ends PoCL, which is not to be taken out", function()
    local out = support.ended(1, doctor({}, support.drivers("pocl", {POCL_CACHE_DIR = ""})))
    assert.matches("POCL_CACHE_DIR=: a setting of PoCL\n", out, 1, true)
    assert.matches("; POCL_CACHE_DIR is set but empty unset POCL_CACHE_DIR ", flat(out), 1, true)
    assert.matches("\nverdict: no device; the first thing to do:\n    unset POCL_CACHE_DIR\n$", out)
  end)

  it("names a variable that the loader ignores", function()
    local _, out = doctor({}, support.drivers("pocl", {OCL_ICD_FILENAMES = "libx.so"}))
    assert.matches("OCL_ICD_FILENAMES=libx.so: this loader ignores it", out, 1, true)
  end)

  it("reads OCL_ICD_VENDORS as ocl-icd does: a folder, an .icd file or a library", function()
    local library = pocl:match "^[^\n]*"
    local _, _, vendors = doctor_on({one = pocl, two = "libnothing.so\n"})
    for _, value in ipairs {library, vendors .. "/one.icd"} do
      local out = support.ended(0, doctor({}, {OCL_ICD_VENDORS = value}))
      assert.is_nil(out:find("libnothing", 1, true))
    end
    local out = support.ended(1, doctor({}, {OCL_ICD_VENDORS = "/no/such/folder"}))
    assert.matches("fault: OCL_ICD_VENDORS: /no/such/folder does not exist\n    unset OCL_ICD_VENDORS\n", out, 1, true)
  end)
end)

describe("clue doctor on registered drivers #once", function()
  it("fails if a library is missing, even if another driver works", function()
    local status, out, vendors = doctor_on {good = pocl, bad = "libnothing.so.1\n"}
    assert.equal(1, status)
    assert.matches("bad.icd (libnothing.so.1): does not load", out, 1, true)
    assert.matches("none of the linker's folders has libnothing.so.1", flat(out), 1, true)
    assert.matches(("\n    mv %s/bad.icd %s/bad.icd.off\n"):format(vendors, vendors), out, 1, true)
    assert.matches("\nverdict: 1 device; clue takes 0 (0:0) ", out, 1, true)
  end)

  it("says how to reinstall the package of a missing library", function()
    local _, out = doctor_on {intel = "/usr/lib/x86_64-linux-gnu/intel-opencl/libigdrcl.so\n"}
    assert.matches("libigdrcl.so does not exist\n    apt install --reinstall intel-opencl-icd\n",
      out:gsub("\n    sudo apt", "\n    apt"):gsub("\n  ([^ ])", " %1"), 1, true)
  end)

  for name, case in pairs {
    ["an empty file"] = {"", "names no library: the file is empty"},
    ["an empty first line"] = {"\nlibpocl.so.2\n", "names no library: its first line is empty"},
    ["a Windows line end"] = {"libpocl.so.2\r\n", "ends in a carriage return (a Windows line end)"},
    ["a library without OpenCL"] = {"libm.so.6\n", "libm.so.6 is not an OpenCL driver: it lacks"},
    ["a text file"] = {"/etc/passwd\n", "/etc/passwd is not a shared library ("},
  } do
    it("reports " .. name, function()
      local out = support.ended(1, doctor_on {bad = case[1]})
      assert.matches(case[2], flat(out), 1, true)
    end)
  end

  it("gives a remedy that removes a Windows line end", function()
    local _, out, vendors = doctor_on {bad = pocl:match "^[^\n]*" .. "\r\n"}
    assert.equal(0, (support.execute {"sh", "-c", assert(out:match "\n *s?u?d?o? ?(sed [^\n]*)\n")}))
    local status
    status, out = doctor({}, {OCL_ICD_VENDORS = vendors})
    assert.equal(0, status, out)
  end)

  it("says why an .icd file cannot be read", function()
    local vendors = support.folder()
    lfs.mkdir(vendors .. "/folder.icd")
    local out = support.ended(1, doctor({}, {OCL_ICD_VENDORS = vendors}))
    assert.matches("folder.icd cannot be read: Is a directory", flat(out), 1, true)
  end)

  it("names the architecture of a library for another one", function()
    local bytes = support.read(support.built "doctor/has_no_platform.so")
    local machine = bytes:byte(19) == 183 and 62 or 183
    local path = support.folder() .. "/foreign.so"
    support.write(bytes:sub(1, 18) .. string.char(machine) .. bytes:sub(20), path)
    local out = support.ended(1, doctor_on {foreign = path .. "\n"})
    assert.matches(machine == 183 and "is for 64-bit AArch64, but clue is 64-bit x86-64"
      or "is for 64-bit x86-64, but clue is 64-bit AArch64", flat(out), 1, true)
  end)

  it("names one that crashes, and stops one that hangs", function()
    local function icds(...)
      local list = {}
      for _, name in ipairs {...} do list[name] = support.built("doctor/" .. name .. ".so") .. "\n" end
      return list
    end
    -- On a busy machine, one that crashes may need more than the second after which one that hangs is stopped.
    local status, out = doctor_on(icds("crashes_at_load", "crashes_when_asked", "has_no_platform"))
    out = flat(out)
    assert.equal(1, status)
    assert.matches("crashes_at_load.so crashes when it is loaded (SIGABRT: the driver's last words)", out, 1, true)
    assert.matches("crashes_when_asked.so crashes when it is asked for its devices (SIGABRT", out, 1, true)
    assert.matches("has_no_platform.so shows no platform", out, 1, true)
    status, out = doctor_on(icds("crashes_at_load", "hangs_at_load"), {"--time-limit", "1"})
    assert.equal(1, status)
    assert.matches("hangs_at_load.so does not answer when it is loaded (stopped after 1 s)", flat(out), 1, true)
    assert.matches("loader    ocl-icd", out, 1, true)
  end)

  it("names a device on which the test kernel fails", function()
    local out = support.ended(1, doctor({}, support.drivers("pocl", {
      OPENCL_LAYERS = support.built "layer/fail_nth.so", CLUE_FAIL_NTH = "3",
    })))
    assert.matches("fault: device 0 is listed, but a test kernel on it fails: ", flat(out), 1, true)
    assert.matches("which does not work\n$", out)
    assert.matches("fail_nth.so: loads", flat(out), 1, true)
  end)

  it("names a device that computes wrong results", function()
    local out = support.ended(1, doctor({}, support.drivers "null")) -- its kernels do nothing
    assert.matches("fault: device 0 is listed, but a test kernel on it fails: it gives wrong results: 0 instead of 1 ",
      flat(out), 1, true)
    assert.matches("which does not work\n$", out)
  end)

  it("says that PoCL needs a linker, of which a script that crashes for it says, too", function()
    local function without_linker(...)
      return support.execute({"/bin/sh", "-c", 'PATH=/nowhere; exec "$@"', "sh", support.clue, ...},
        support.drivers("pocl", {POCL_CACHE_DIR = support.folder()}))
    end
    local out = support.ended(1, without_linker "doctor")
    assert.matches("fault: PoCL links each new kernel with ld, which is in no folder of PATH: ", flat(out), 1, true)
    assert.matches("apt install binutils", out, 1, true)
    local ended, _, err = without_linker("--quiet", "-e", [[local cl = require "clue"
      local context = cl.context()
      local program = context:program "kernel void f(global int *x) { x[0] = 1; }"
      program:kernel "f"(context:queue(), 1, nil, context:buffer(4))
      context:finish()]])
    assert.equal(128 + 6, ended)
    assert.matches("clue: SIGABRT with kernels that may have been running: kernel 'f' (global 1); PoCL links each new "
      .. "kernel with ld, which no folder of PATH has: apt install binutils\n", err:gsub(" in cl%w+ with", " with"), 1,
      true)
  end)

  it("names layers that the loader silently leaves out", function()
    local out = support.ended(1, doctor({}, support.drivers("pocl", {OPENCL_LAYERS = "/no/layer.so:libm.so.6"})))
    assert.matches("/no/layer.so does not exist; the loader silently leaves it out", flat(out), 1, true)
    assert.matches("libm.so.6 is not an OpenCL layer: it lacks clGetLayerInfo", flat(out), 1, true)
  end)
end)

describe("clue doctor --device #once", function()
  it("finds the device and runs a kernel on it", function()
    for _, words in ipairs {{"doctor", "--device", "oclgrind"}, {"--device", "oclgrind", "doctor"}} do
      local out = support.ended(0, support.run(words, support.drivers "both"))
      assert.matches("%* %d %(%d:0%) Oclgrind Simulator", out)
      assert.matches("named by --device\n", out, 1, true)
    end
  end)

  it("says why nothing matches, and lists the devices", function()
    local out = support.ended(1, doctor({"--device", "voodoo"}, support.drivers "pocl"))
    assert.matches("verdict: 1 device, but not the one asked for: --device voodoo: no device or platform has",
      flat(out), 1, true)
    assert.matches("\n  0 (0:0) ", out, 1, true)
    assert.not_matches("clue doctor", out, 1, true)
  end)

  it("begins with the remedy for that choice", function()
    local _, out = doctor({"--device", "oclgrind"}, support.drivers "pocl")
    assert.matches("debugger, is installed; for one run: clue --device oclgrind SCRIPT", out, 1, true)
    local status
    status, out = doctor({"--device", "rusticl"}, support.drivers "pocl")
    assert.equal(1, status)
    assert.matches("the first thing to do:\n    unset OCL_ICD_VENDORS\n$", out)
  end)

  it("reports a wrong CLUE_DEVICE, but still lists the devices", function()
    local out = support.ended(1, doctor({}, support.drivers("pocl", {CLUE_DEVICE = "voodoo"})))
    assert.matches("1 device, but not the one asked for: CLUE_DEVICE=voodoo: ", flat(out), 1, true)
  end)
end)

describe("clue doctor's command line", function()
  it("gives everything as JSON", function()
    local status, out, err = doctor({"--json"}, support.drivers "pocl")
    assert.equal(0, status)
    assert.equal("", err)
    local document = assert(json.decode(out))
    assert.equal(0, document.status)
    assert.equal("works", document.registered.entries[1].state)
    assert.equal("ocl-icd", document.loader.kind)
    assert.is_true(document.kernel.seconds > 0)
    assert.equal(1, #document.machine.devices)
    assert.matches('"problems":%[.*"', out)
    assert.matches('"layers":[]', out, 1, true)
  end)

  it("gives JSON even if there is no device", function()
    local status, out = doctor({"--json"}, support.drivers "none")
    assert.equal(1, status)
    local document = assert(json.decode(out))
    assert.equal(1, document.status)
    assert.same({"unset OCL_ICD_VENDORS"}, document.first)
    assert.matches('"entries":[]', out, 1, true)
  end)

  it("refuses unknown words and wrong values", function()
    for _, words in ipairs {{"--nonsense"}, {"more"}, {"--device"}, {"--time-limit", "0"},
                            {"--time-limit", "soon"}} do
      local err = support.refused(2, doctor(words, support.drivers "none"))
      assert.matches("^clue doctor: [^\n]+; `clue doctor %-%-help` lists the options\n$", err)
    end
  end)

  it("says how to install LuaFileSystem if it is missing", function()
    local blocked = "package.preload.lfs = function() error 'none' end"
    local err = support.refused(2, support.run({"doctor"}, support.drivers("pocl", {LUA_INIT = blocked})))
    assert.equal("clue doctor: the Lua library LuaFileSystem is not installed; on Debian and Ubuntu: "
      .. "apt install lua-filesystem\n", err)
  end)

  it("is recommended by the error that there is no device", function()
    local _, err = support.ended(1, support.run({"scripts/examples/hello.lua"}, support.drivers "none"))
    assert.matches("`clue doctor` shows what this machine lacks", err, 1, true)
  end)

  it("is recommended by every error that a device is missing", function()
    local unpack = rawget(_G, "unpack") or rawget(table, "unpack")
    local function said(drivers, ...)
      local _, err = support.ended(1, support.run({...}, support.drivers(drivers)))
      return err
    end
    for _, choice in ipairs {"gpu", "nvidia", "7", "0:9", "0:voodoo", "uuid:0000", "pci:99:00.0"} do
      assert.matches("`clue doctor` finds out why another one is missing", said("null", "devices", "--device", choice),
        1, true)
    end
    for _, words in ipairs {{"devices"}, {"peak"}, {"walk", "hello"}, {"build", "kernels/gemm.cl"},
                            {"asm", "kernels/gemm.cl"}, {"tune", "scripts/spaces/gemm.lua", "gpu"},
                            {"trace", "-o", support.temporary(), "scripts/examples/saxpy.lua"},
                            {"-e", "require('clue').context()"}, {"-e", "require('clue').device.get(0)"}} do
      assert.matches("`clue doctor` shows", said("none", unpack(words)), 1, true)
    end
    local _, out, err = support.run({"-e", "CLContextCreate(CL_USE_GPU_ONLY)\nCLContextCreate(5)"},
      support.drivers "pocl")
    assert.equal("", out)
    assert.equal(2, select(2, err:gsub("`clue doctor` finds out why another one is missing", "")))
  end)
end)

-- ---- imaginary machines -----------------------------------------------------------------------------------------

local loader_path = "/usr/lib/libOpenCL.so.1"
local ocl_icd = "OPENCL_VENDOR_PATH OCL_ICD_VENDORS OPENCL_LAYERS /etc/OpenCL/vendors"
local x86_64 = "\127ELF\2\1\1" .. ("\0"):rep(11) .. "\62\0"
local x86 = "\127ELF\1\1\1" .. ("\0"):rep(11) .. "\3\0"

local function put(root, path, text)
  local made = root
  for part in path:match("^(.*)/"):gmatch "[^/]+" do
    made = made .. "/" .. part
    lfs.mkdir(made)
  end
  support.write(text, root .. path)
end

local function card(root, address, vendor, device, class)
  local at = "/sys/bus/pci/devices/" .. address
  put(root, at .. "/class", (class or "0x030000") .. "\n")
  put(root, at .. "/vendor", vendor .. "\n")
  put(root, at .. "/device", device .. "\n")
end

-- A machine with these files and this environment, whose user is not root.
local function machine(tree, environment)
  local root, words = support.folder(), {}
  put(root, "/proc/self/status", "Name:\tclue\nUid:\t1000\t1000\t1000\t1000\n")
  put(root, "/proc/self/exe", x86_64)
  put(root, "/proc/cpuinfo", "processor\t: 0\nmodel name\t: Fake CPU\nprocessor\t: 1\nmodel name\t: Fake CPU\n")
  put(root, "/etc/passwd", "root:x:0:0::/root:/bin/sh\nann:x:1000:1000::/home/ann:/bin/sh\n")
  put(root, "/etc/group", "root:x:0:\nrender:x:105:bob\n")
  put(root, "/sys/devices/none", "")
  put(root, loader_path, ocl_icd)
  for path, text in pairs(tree) do put(root, path, text) end
  for name, value in pairs(environment or {}) do words[#words + 1] = ("%s=%s\0"):format(name, value) end
  put(root, "/proc/self/environ", table.concat(words))
  return files.new(root), root
end

-- What OpenCL on such a machine reports: these devices, or none.
local function answers(devices)
  return {
    machine = {loader = "OpenCL ICD Loader 2.3.1", loader_path = loader_path, platforms = {}, devices = devices or {},
               choice = devices and {ordinal = 0, why = "the only GPU"} or nil, binding = "ffi"},
    load = {loaded = true, missing = {}},
    kernel = {seconds = 0.1},
  }
end

local ask = child.ask

after_each(function() child.ask = ask end)

local function judged(its_files, how)
  how = how or {}
  local told = how.answers or answers(how.devices)
  child.ask = function(name) return told[name] end
  local exam = examination.examine(its_files, {seconds = 1, device = how.device, progress = function() end})
  child.ask = ask
  return diagnosis.judge(exam), exam
end

local function all_text(found)
  local parts = {}
  for _, problem in ipairs(found.problems) do
    parts[#parts + 1] = problem.text .. "\n" .. table.concat(problem.fix, "\n")
  end
  return table.concat(parts, "\n")
end

local nvidia = "/usr/lib/x86_64-linux-gnu/libnvidia-opencl.so.1"

describe("the doctor's judgement", function()
  it("says how to register an NVIDIA driver that no .icd file names, with sudo if needed", function()
    local its, root = machine {[nvidia] = x86_64}
    card(root, "0000:65:00.0", "0x10de", "0x2335", "0x030200")
    local found = judged(its)
    assert.equal(1, found.status)
    assert.equal("no device; the first thing to do:", found.verdict)
    assert.same({"sudo mkdir -p /etc/OpenCL/vendors && "
      .. "echo libnvidia-opencl.so.1 | sudo tee /etc/OpenCL/vendors/nvidia.icd"}, found.first)
    assert.matches("NVIDIA GPU 10de:2335: its driver is on the disk", all_text(found), 1, true)
    put(root, "/proc/self/status", "Uid:\t0\t0\t0\t0\n")
    assert.same({"mkdir -p /etc/OpenCL/vendors && echo libnvidia-opencl.so.1 > /etc/OpenCL/vendors/nvidia.icd"},
      judged(its).first)
  end)

  it("names a driver outside the linker's folders by its path", function()
    local its, root = machine {["/opt/rocm-6.0/lib/libamdocl64.so"] = x86_64}
    card(root, "0000:03:00.0", "0x1002", "0x744c")
    assert.matches("echo /opt/rocm%-6%.0/lib/libamdocl64%.so | ", judged(its).first[1])
  end)

  it("ignores a driver for another architecture", function()
    local its, root = machine {["/usr/lib/i386-linux-gnu/libnvidia-opencl.so.1"] = x86}
    card(root, "0000:65:00.0", "0x10de", "0x2335")
    local found = judged(its)
    assert.is_nil(all_text(found):find("nvidia.icd", 1, true))
    assert.same({"sudo apt install nvidia-driver nvidia-opencl-icd"}, found.first)
  end)

  it("recommends the package for the card", function()
    for vendor, line in pairs {["0x8086"] = "intel-opencl-icd", ["0x1002"] = "mesa-opencl-icd",
                               ["0x10de"] = "nvidia-driver nvidia-opencl-icd"} do
      local its, root = machine {}
      card(root, "0000:00:02.0", vendor, "0x1234")
      assert.same({"sudo apt install " .. line}, judged(its).first)
    end
  end)

  it("recommends PoCL if there is no card and no folder of drivers", function()
    local found, exam = judged((machine {}))
    assert.same({"sudo apt install pocl-opencl-icd"}, found.first)
    assert.equal("/etc/OpenCL/vendors", exam.registered.folder)
    assert.is_string(exam.registered.why)
  end)

  it("ignores cards that OpenCL cannot use", function()
    local its, root = machine {}
    card(root, "0000:00:01.0", "0x1af4", "0x1050")
    card(root, "0000:00:02.0", "0x10de", "0x0fbb", "0x040300")
    card(root, "0000:00:0b.0", "0x8086", "0x7d1d", "0x120000")
    assert.same({}, select(2, judged(its)).cards)
  end)

  it("says how to give a container the card", function()
    local its, root = machine {["/.dockerenv"] = ""}
    card(root, "0000:03:00.0", "0x1002", "0x744c")
    assert.same({"docker run --device /dev/dri --device /dev/kfd ..."}, judged(its).first)
    its, root = machine({}, {KUBERNETES_SERVICE_HOST = "10.0.0.1"})
    card(root, "0000:65:00.0", "0x10de", "0x2335")
    assert.same({"docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=compute,utility ..."}, judged(its).first)
  end)

  it("says how to join the group that may open the card", function()
    local its, root = machine {["/dev/dri/renderD128"] = "", ["/etc/OpenCL/vendors/intel.icd"] = "libigdrcl.so\n"}
    card(root, "0000:00:02.0", "0x8086", "0x46a6")
    its.open = function() return nil, "Permission denied" end
    its.group = function() return 105 end
    local found = judged(its)
    assert.equal(1, found.status)
    assert.matches("/dev/dri/renderD128: Permission denied; group render may open it (log in again after this)\n"
      .. "sudo usermod -aG render ann", all_text(found), 1, true)
    put(root, "/etc/group", "render:x:105:bob,ann\n")
    assert.matches("you were added to group render after this login: log in again", all_text(judged(its)), 1, true)
    its.open = function() return nil, "Operation not permitted" end
    put(root, "/etc/group", "render:x:105:bob\n")
    put(root, "/run/.containerenv", "")
    assert.matches("this container may not open it: docker run --device /dev/dri/renderD128", all_text(judged(its)),
      1, true)
  end)

  it("blames a driver without a platform only if its card is present", function()
    local tree = {["/etc/OpenCL/vendors/nvidia.icd"] = "libnvidia-opencl.so.1\n"}
    local its, root = machine(tree)
    assert.is_nil(all_text(judged(its)):find("shows no platform", 1, true))
    card(root, "0000:65:00.0", "0x10de", "0x2335")
    local found = judged(its)
    assert.is_true(found.problems[1].fault)
    assert.matches("libnvidia-opencl.so.1 shows no platform: the kernel's driver nvidia is not loaded",
      found.problems[1].text, 1, true)
  end)

  it("names the variable that hides NVIDIA's cards, even if it is empty", function()
    local its, root = machine({["/etc/OpenCL/vendors/nvidia.icd"] = "libnvidia-opencl.so.1\n",
                               ["/dev/nvidiactl"] = ""}, {CUDA_VISIBLE_DEVICES = ""})
    card(root, "0000:65:00.0", "0x10de", "0x2335")
    local found, exam = judged(its)
    assert.matches("shows no platform: CUDA_VISIBLE_DEVICES is set but empty, which hides its devices\n"
      .. "unset CUDA_VISIBLE_DEVICES", all_text(found), 1, true)
    assert.same({"unset CUDA_VISIBLE_DEVICES"}, found.first)
    assert.is_true(exam.settings[1].hides)
  end)

  it("finds no fault if a device serves the card", function()
    local its, root = machine {}
    card(root, "0000:65:00.0", "0x10de", "0x2335")
    local gpu = {ordinal = 0, text = "0 (0:0) H200", vendor_id = 0x10de, kind = "gpu"}
    local found = judged(its, {devices = {gpu}})
    assert.equal(0, found.status)
    assert.same({}, found.problems)
    assert.equal("1 device; clue takes 0 (0:0) H200: the only GPU", found.verdict)
  end)

  it("does not take a processor of the card's vendor for the card", function()
    local its, root = machine {}
    card(root, "0000:00:02.0", "0x8086", "0x46a6")
    local processor = {ordinal = 0, text = "0 (0:0) CPU", vendor_id = 0x8086, kind = "cpu"}
    local found = judged(its, {devices = {processor}})
    assert.equal(0, found.status)
    assert.matches("Intel GPU 8086:46a6: there is no OpenCL driver for it", all_text(found), 1, true)
  end)

  it("gives a remedy for an .icd file that cannot be read", function()
    local its = machine {["/etc/OpenCL/vendors/secret.icd"] = "libsecret.so\n"}
    local read = its.read
    its.read = function(self, path, most)
      if path:find("secret", 1, true) then return nil, "Permission denied" end
      return read(self, path, most)
    end
    local found = judged(its)
    assert.equal("/etc/OpenCL/vendors/secret.icd cannot be read: Permission denied", found.problems[1].text)
    assert.same({"sudo mv /etc/OpenCL/vendors/secret.icd /etc/OpenCL/vendors/secret.icd.off"}, found.first)
  end)

  it("recognises a libOpenCL that is a driver instead of a loader", function()
    local its = machine {[loader_path] = "a driver of its own"}
    local found, exam = judged(its)
    assert.equal("none", exam.loader.kind)
    assert.matches("is not an ICD loader, but a driver", all_text(found), 1, true)
  end)

  it("reads the same variables as the Khronos loader", function()
    local its = machine({[loader_path] = "OCL_ICD_FILENAMES OCL_ICD_VENDORS /etc/OpenCL/vendors",
                         ["/my/a.icd"] = "liba.so\n"},
      {OCL_ICD_FILENAMES = "libx.so:liby.so", OCL_ICD_VENDORS = "/my", OPENCL_VENDOR_PATH = "/other"})
    local _, exam = judged(its)
    assert.equal("Khronos", exam.loader.kind)
    assert.same({"libx.so", "liby.so", "liba.so"}, support.fields(exam.registered.entries, "library"))
    assert.equal("this loader ignores it", exam.settings[2].effect)
  end)

  it("says that PoCL needs /sys", function()
    local its, root = machine {["/etc/OpenCL/vendors/pocl.icd"] = "libpocl.so.2\n"}
    os.execute("rm -rf " .. support.quote(root .. "/sys"))
    local told = answers()
    child.ask = function(name, words)
      if name == "machine" and words[1] then return nil, {ended = "crashed", verb = "crashes", detail = "SIGABRT"} end
      return told[name]
    end
    local exam = examination.examine(its, {seconds = 1, progress = function() end})
    local found = diagnosis.judge(exam)
    assert.matches("there is no /sys, in which PoCL counts processors", found.problems[1].text, 1, true)
    assert.same({"sudo mount -t sysfs sysfs /sys"}, found.first)
  end)

  -- The system's loader leaves out a file that is no library, as it does one that is not there.
  it("starts without libOpenCL.so.1, as all of clue does, and says what to install", function()
    local folder = support.folder()
    support.write("", folder .. "/libOpenCL.so.1")
    local without = {LD_LIBRARY_PATH = folder}
    local status, out, err = support.run({"--version"}, without)
    assert.same({0, ""}, {status, err})
    assert.matches("^clue %d", out)
    status, out = support.run({"doctor"}, without)
    assert.equal(1, status)
    assert.matches("\nloader    none: libOpenCL.so.1 is not installed\n", out, 1, true)
    assert.matches("verdict: no device; the first thing to do:\n +[a-z ]*apt install ocl%-icd%-libopencl1\n", out)
    status, out, err = support.run({"-e", "print(1 + 1) require('clue').context()"}, without)
    assert.same({1, "2\n"}, {status, out})
    assert.matches("there is no OpenCL device\n  `clue doctor` shows", err, 1, true)
  end)

  it("names drivers that fail only together", function()
    local its = machine {["/etc/OpenCL/vendors/a.icd"] = "liba.so\n"}
    for ended, verb in pairs {crashed = "crashes", hung = "does not answer"} do
      local told = answers {{ordinal = 0, text = "0 (0:0) CPU", vendor_id = 1, kind = "cpu"}}
      told.machine.platforms[1] = {index = 0, name = "A"}
      child.ask = function(name, words, how)
        local together = name == "machine" and not words[1] and not how.environment
        if together then return nil, {ended = ended, verb = verb, detail = "SIGNAL"} end
        return told[name]
      end
      local found = diagnosis.judge(examination.examine(its, {seconds = 1, progress = function() end}))
      assert.equal(1, found.status)
      assert.equal(("OpenCL with all drivers together %s (SIGNAL), but no driver does alone; to use one alone:"):format(
        verb), found.problems[1].text)
      assert.same({"OCL_ICD_VENDORS=/etc/OpenCL/vendors/NAME.icd clue devices"}, found.first)
    end
  end)

  it("says that no card on the PCI bus fits the choice", function()
    local its = machine {}
    local told = answers {{ordinal = 0, text = "0 (0:0) CPU", vendor_id = 1, kind = "cpu"}}
    told.machine.choice = {problem = "--device nvidia: no device or platform has 'nvidia' in its name; there is:"}
    local found = judged(its, {answers = told, device = "nvidia"})
    assert.equal(1, found.status)
    assert.matches("\nthere is no NVIDIA card on this machine's PCI bus$", found.verdict)
  end)
end)
