-- `clue devices`, as users run it.
-- suite: quick
-- builds: luajit lua54

local children = require "clue.shared.child"
local command = require "clue.command.devices"
local fake = require "fake_devices"
local json = require "dkjson"
local remote = require "clue.devices.remote"
local support = require "support"
local terminal = require "clue.show.text"

local function devices(args, env)
  local words = {"devices"}
  for i, arg in ipairs(args) do words[i + 1] = arg end
  return support.run(words, env)
end

local function widest(text)
  local most = 0
  for line in text:gmatch("[^\n]+") do most = math.max(most, #line) end
  return most
end

describe("clue devices", function()
  it("lists every device with its ordinals, its name and its figures, and marks the default", function()
    local out = support.clean(devices({}, support.drivers("both")))
    assert.matches("platform %d: Portable Computing Language, OpenCL 3.0\n", out)
    assert.matches("\n%* %d  %d:0  pthread", out)
    assert.matches("\n  %d  %d:0  Oclgrind Simulator\n     any, %d+ units, %d+ MHz, 128 MiB, local 32 KiB, OpenCL 1.2, "
      .. "fp 64,", out)
    assert.matches("taken only by name, or if there is no other: Oclgrind, a debugger", out)
    assert.matches("\n%* a run takes device %d: the only CPU[^;]+%(there is[^;]+accelerator%);", out)
  end)

  it("fits 80 columns, and uses more if there are more", function()
    local _, narrow = devices({}, support.drivers("both"))
    assert.is_true(widest(narrow) <= 80, narrow)
    local _, wide = devices({}, support.drivers("both", {COLUMNS = "160"}))
    assert.matches("\n%* %d  %d:0  pthread[^\n]*  CPU  +%d+ ", wide)
    local _, verbose = devices({"-v"}, support.drivers("pocl", {COLUMNS = "100"}))
    assert.is_true(widest(verbose) > 80 and widest(verbose) <= 100)
  end)

  it("warns of a device with wrong results, in the list, with -v and in the JSON", function()
    local told = "loops, nested ones counted together, end after 65535 iterations without an error"
    for _, args in ipairs {{}, {"-v"}, {"--json"}} do
      local out = support.ended(0, devices(args, support.drivers("rusticl")))
      assert.matches(told, support.flat(out), 1, true)
      out = support.ended(0, devices(args, support.drivers("both")))
      assert.is_nil(out:find("65535 rounds", 1, true))
    end
  end)

  it("fails if there is no device, and says what to install", function()
    local err = support.refused(1, devices({}, support.drivers("none")))
    assert.matches("clue devices: there is no OpenCL device\n", err, 1, true)
    assert.matches("apt install pocl-opencl-icd", err, 1, true)
    local message = select(3, devices({}, support.drivers("rusticl", {RUSTICL_ENABLE = ""})))
    assert.matches("there is no OpenCL device; platforms without devices: ", message, 1, true)
  end)

  it("lists a machine of several cards and a platform without devices", function()
    local lines, print_before = {}, terminal.print
    fake.install {
      {name = "NVIDIA CUDA", devices = {
       {name = "NVIDIA H200", type = "gpu", units = 132, mhz = 1980, memory = 150754820096, double = true,
        extensions = "cl_khr_fp16"},
       {name = "NVIDIA H200", type = "gpu", units = 132, mhz = 1980, memory = 150754820096},
      }},
      {name = "Clover", devices = {}},
    }
    terminal.print = function(blocks)
      for i, line in ipairs(terminal.lines(blocks, 80)) do lines[i] = line[1] end
    end
    local status = command.run {}
    terminal.print = print_before
    fake.restore()
    assert.equal(0, status)
    assert.same({
      "  #  P:D  name         type  units   MHz   memory   local  OpenCL  fp     driver",
      "platform 0: NVIDIA CUDA, OpenCL 1.2",
      "* 0  0:0  NVIDIA H200  GPU     132  1980  140 GiB  32 KiB  1.2     16 64  1.0",
      "  1  0:1  NVIDIA H200  GPU     132  1980  140 GiB  32 KiB  1.2     -      1.0",
      "platform 1: Clover, OpenCL 1.2: no devices",
      "* a run takes device 0: the first of 2 identical GPUs; --device 0:0 picks it",
      "again",
    }, lines)
  end)

  describe("of a remote device", function()
    -- Drivers behind a layer that adds to the version of each device what PoCL's remote driver adds.
    local function remote_drivers(name, more)
      local env = support.drivers(name, {OPENCL_LAYERS = support.built "layer/hostile.so",
        CLUE_HOSTILE = support.write("HSTR: pocl-remote: pthread", support.temporary())})
      for key, value in pairs(more or {}) do env[key] = value end
      return env
    end

    it("says that it is remote, and measures its latency", function()
      local words = "device 0 is remote, by PoCL-R; reading 4 bytes takes "
      for _, args in ipairs {{}, {"-v"}} do
        local out = support.ended(0, devices(args, remote_drivers("pocl")))
        local _, last = support.flat(out):find(words, 1, true)
        assert.is_number(last, out)
        assert.matches("^[%d.]+ [mun]s %(10 to 90 %%: [%d.]+ [mun]s to [%d.]+ [mun]s%) ",
          support.flat(out):sub(last + 1))
      end
      local _, out = devices({"--json"}, remote_drivers("pocl"))
      local facts = json.decode(out).devices[1].remote
      assert.is_nil(facts.server)
      local latency = facts.latency
      assert.is_true(latency.low > 0 and latency.low <= latency.median and latency.median <= latency.high)
      assert.is_true(latency.rounds >= 7)
    end)

    it("says why its latency is not known", function()
      local out = support.ended(0, devices({}, remote_drivers("null", {CLUE_NULL_FAIL = "clEnqueueReadBuffer:-5"})))
      assert.matches("device 0 is remote, by PoCL-R; its latency is not known: clEnqueueReadBuffer: "
        .. "CL_OUT_OF_RESOURCES (-5) * a run", support.flat(out), 1, true)
    end)

    it("does not wait for one that does not answer", function()
      local call = children.call
      children.call = function(module, name, words, options)
        assert.same({"clue.devices.remote", "measure", "3", 10}, {module, name, words[1], options.seconds})
        return {state = "timeout", close = function() end}
      end
      local far = {ordinal = 3, version = "OpenCL 3.0 PoCL HSTR: pocl-remote: cuda"}
      local facts = remote.facts(far)
      children.call = call
      assert.equal("device 3 is remote, by PoCL-R; its latency is not known: it does not answer within 10 s",
        remote.line(far, facts))
    end)

    it("costs nothing if it is none", function()
      local call = children.call
      children.call = function() error "a child" end
      local facts = remote.facts {ordinal = 0, version = "OpenCL 3.0 PoCL HSTR: pthread-x86_64-pc-linux-gnu"}
      children.call = call
      assert.is_nil(facts)
      local _, out = devices({"--json"}, support.drivers("both"))
      assert.is_nil(out:find('"remote"', 1, true))
    end)
  end)

  it("lists every property with -v", function()
    local out = support.ended(0, devices({"-v"}, support.drivers("pocl")))
    assert.matches("\n  max_compute_units +%d+\n", out)
    assert.matches("\n  local_mem_size +%d+ %(%S+ [KM]iB%)\n", out)
    assert.matches("\n  single_fp_config +denorm, inf_nan,", out)
    assert.matches("\n  vendor_id +0x%x+\n", out)
    assert.matches("\n  numeric_version +3%.0%.0\n", out)
    assert.is_true(widest(out) <= 80)
  end)

  it("gives everything as JSON under OpenCL's names", function()
    local out = support.ended(0, devices({"--json"}, support.drivers("both")))
    local document = assert(json.decode(out))
    assert.equal(2, #document.platforms)
    assert.equal(2, #document.devices)
    local taken = document.devices[document.default.ordinal + 1]
    assert.equal("Portable Computing Language", document.platforms[taken.platform + 1].properties.CL_PLATFORM_NAME)
    assert.is_string(document.default.why)
    assert.equal("cpu", taken.kind)
    assert.same({"CL_DEVICE_TYPE_CPU"}, taken.properties.CL_DEVICE_TYPE)
    assert.equal(3, #taken.properties.CL_DEVICE_MAX_WORK_ITEM_SIZES)
    assert.is_true(taken.properties.CL_DEVICE_AVAILABLE)
    assert.equal("OpenCL C", taken.properties.CL_DEVICE_OPENCL_C_ALL_VERSIONS[1].name)
    assert.matches('"CL_DEVICE_GLOBAL_MEM_SIZE":%d+,', out)
  end)

  it("gives empty JSON lists if there is no device", function()
    local out, err = support.ended(1, devices({"--json"}, support.drivers("none")))
    assert.matches('"platforms":[]', out, 1, true)
    assert.matches('"devices":[]', out, 1, true)
    assert.equal(json.null, json.decode(out, 1, json.null).default)
    assert.matches("there is no OpenCL device", err, 1, true)
  end)

  it("shows only the devices that --device selects", function()
    local out = support.ended(0, devices({"--device", "oclgrind"}, support.drivers("both")))
    assert.matches("Oclgrind Simulator", out)
    assert.not_matches("pthread", out)
    out = support.ended(0, devices({"--json", "--device", "cpu"}, support.drivers("both")))
    assert.equal(1, #json.decode(out).devices)
  end)

  it("fails if --device matches nothing, and lists the devices", function()
    local err = support.refused(1, devices({"--device", "voodoo"}, support.drivers("pocl")))
    assert.matches("^clue devices: %-%-device voodoo: no device or platform has 'voodoo' in its name; there is:\n"
      .. "  0 ", err)
  end)

  it("fails if CLUE_DEVICE matches nothing, but still lists the devices", function()
    local out, err = support.ended(1, devices({}, support.drivers("pocl", {CLUE_DEVICE = "voodoo"})))
    assert.matches("0:0  pthread", out)
    assert.matches("^clue devices: CLUE_DEVICE=voodoo: ", err)
  end)

  it("marks the device that clue's own --device selects", function()
    local out = support.ended(0, support.run({"--device", "oclgrind", "devices"}, support.drivers("both")))
    assert.matches("\n%* %d  %d:0  Oclgrind", out)
    assert.matches("named by %-%-device", out)
  end)

  it("names the word that is too much", function()
    local _, err = support.ended(2, devices({"--json", "x"}, support.drivers("none")))
    assert.equal("clue devices: too many arguments: 'x'; `clue devices --help` lists the options\n", err)
  end)

  it("refuses unknown options", function()
    local err = support.refused(2, devices({"--nonsense"}, support.drivers("pocl")))
    assert.matches("^clue devices: unknown option '%-%-nonsense'; `clue devices %-%-help` lists the options\n$", err)
  end)
end)

it("Ctrl-C ends clue devices, and is not told as what is wrong with the devices", function()
  local device = require "clue.device"
  local pick = device.pick
  finally(function() device.pick = pick end)
  function device.pick() error("interrupted!", 0) end
  assert.same({false, "interrupted!"}, {pcall(command.work, {})})
end)

describe("progress without a terminal", function()
  it("is told once it takes long, then ever less often", function()
    local _, err = support.ended(0, support.run {"-e", [[
      local binding, output = require "clue.binding", require "clue.output"
      local now = 100
      binding.now = function() return now end
      for second = 0, 99 do
        now = 100 + second
        output.progress(second .. " s")
      end]]})
    assert.equal("clue: 10 s\nclue: 20 s\nclue: 40 s\nclue: 80 s\n", err)
  end)
end)
