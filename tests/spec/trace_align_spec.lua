-- How `clue trace` converts devices' times to the host's clock, and how it sums up records, with records made here.
-- suite: quick
-- process: shared
local align = require "clue.trace.align"
local read = require "clue.trace.read"
local spans = require "clue.trace.spans"
local summary = require "clue.trace.summary"
local view = require "clue.trace.view"

local head = "process\t7\tclue x.lua\ndevice\t0\t0\tGPU\tdevice\nqueue\t0\t0\tin\n"

-- The records of a kernel: queued (by the device's timer), from and to (the call), seen (its end, by the host). It
-- starts 10 after it was queued and takes 20.
local function kernel(id, queued, from, to, seen)
  return ("command\t%d\t%d\t0\tclEnqueueNDRangeKernel\t-1\tf\t16\nsent\t%d\t%d\t%d\t0\n"
    .. "times\t%d\t0\t%d\t%d\t%d\t%d\t%d\n"):format(id, from, id, from, to, id, seen, queued, queued + 5,
      queued + 10, queued + 30)
end

local function aligned(text)
  local process = read.process(text)
  process.first = 0
  align.process(process)
  return process
end

describe("aligning a device's timer", function()
  it("takes the middle of the offsets that all commands allow", function()
    -- the timer is about 1000 behind: calls from 1100 to 1120 and from 1200 to 1210, queued at 105 and 202
    local process = aligned(head .. kernel(1, 105, 1100, 1120, 5000) .. kernel(2, 202, 1200, 1210, 5000))
    -- the first allows 995 to 1015, the second 998 to 1008
    assert.equal(1003, process.devices[0].offset)
    assert.equal(5, process.devices[0].doubt)
    assert.equal("enqueueing", process.devices[0].aligned_by)
    assert.same({queued = 1108, submitted = 1113, started = 1118, ended = 1138}, process.commands[1].at)
  end)

  it("knows that a command has ended when the host sees its end", function()
    local process = aligned(head .. kernel(1, 100, 1000, 1900, 1040)) -- it ended at 130, so the offset is at most 910
    assert.equal(905, process.devices[0].offset)
    assert.is_true(process.commands[1].at.ended <= 1040)
  end)

  it("uses clGetDeviceAndHostTimer unless commands contradict it", function()
    local commands = kernel(1, 105, 1100, 1120, 5000)
    local process = aligned(head .. "timer\t0\t100\t1095\t1105\ntimer\t0\t200\t1198\t1202\n" .. commands)
    assert.equal(1000, process.devices[0].offset)
    assert.equal(2, process.devices[0].doubt)
    assert.equal("clGetDeviceAndHostTimer", process.devices[0].aligned_by)
    process = aligned(head .. "timer\t0\t900\t1095\t1105\n" .. commands)
    assert.equal("enqueueing", process.devices[0].aligned_by)
    assert.equal(1005, process.devices[0].offset)
  end)

  it("gives its possible error if the clocks drift apart", function()
    local process = aligned(head .. kernel(1, 100, 1100, 1110, 5000) .. kernel(2, 1000, 2050, 2060, 9000))
    assert.equal(1030, process.devices[0].offset) -- 1000 to 1010 and 1050 to 1060
    assert.equal(20, process.devices[0].doubt)
  end)

  it("uses the host's clock if the device has no timer", function()
    local function kernel_call(id, from, to)
      return ("command\t%d\t%d\t0\tclEnqueueNDRangeKernel\t-1\tf\t16\nsent\t%d\t%d\t%d\t0\n"):format(id, from, id,
        from, to)
    end
    local function seen(id, moment) return ("times\t%d\t0\t%d\t-\t-\t-\t-\n"):format(id, moment) end
    local process = aligned((head:gsub("GPU\tdevice", "GPU\thost")) .. kernel_call(1, 100, 150) .. seen(1, 150)
      .. kernel_call(2, 160, 170) .. kernel_call(3, 175, 180) .. seen(2, 300) .. seen(3, 400))
    assert.equal("host clock", process.devices[0].aligned_by)
    assert.same({queued = 100, submitted = 150, started = 100, ended = 150}, process.commands[1].at)
    assert.equal(160, process.commands[2].at.started)
    assert.equal(300, process.commands[3].at.started) -- the queue is in order, so not before the second one's end
    assert.equal("host", process.commands[3].clock)
  end)
end)

describe("reading records", function()
  it("leaves out a line that a crash has cut, and lists commands that did not end", function()
    local process = aligned(head .. kernel(1, 100, 1000, 1010, 2000)
      .. "command\t2\t1500\t0\tclEnqueueNDRangeKernel\t-1\tg\t8 by 4\nsent\t2\t15")
    assert.equal(2, #process.commands)
    assert.is_nil(process.commands[2].ended)
    local sums = summary.of {process}
    assert.equal(1, #sums.unfinished)
    assert.same({name = "g", command = 2, range = "8 by 4", process = 7}, sums.unfinished[1])
    assert.equal(1, sums.kernels[1].runs)
  end)

  it("leaves out damaged lines, and those that name what such a line had", function()
    local process = aligned(head .. "device\tx\t0\tCPU\tdevice\ntimer\t9\t1\t2\t3\nqueue\t1\t9\tin\nqueue\tnan\t0\tin\n"
      .. "command\t5\t10\t1\tclEnqueueNDRangeKernel\t-1\tf\t8\nsent\t5\t10\t20\t0\ntimes\t5\t0\t30\t-\t-\t-\t-\n"
      .. "command\t6\t\t0\tclEnqueueNDRangeKernel\t\tf\t8\nown\t1\n" .. kernel(1, 100, 1000, 1010, 2000))
    assert.equal(1, #process.commands)
    assert.equal(1, summary.of({process}).kernels[1].runs)
  end)

  it("does not count a command that was refused", function()
    local process = aligned(head .. kernel(1, 100, 1000, 1010, 2000)
      .. "command\t2\t1500\t0\tclEnqueueNDRangeKernel\t-1\tg\t8\nsent\t2\t1500\t1510\t-54\n")
    local sums = summary.of {process}
    assert.equal(0, #sums.unfinished)
    assert.equal(1, #sums.kernels)
  end)

  it("counts a kernel that failed on the device", function()
    local process = aligned(head .. "command\t1\t1000\t0\tclEnqueueNDRangeKernel\t-1\tf\t8\nsent\t1\t1000\t1010\t0\n"
      .. "times\t1\t-5\t2000\t-\t-\t-\t-\n")
    assert.equal(1, summary.of({process}).kernels[1].failed)
  end)
end)

describe("a summary", function()
  it("divides a device's idle time by what the host did", function()
    -- busy from 1010 to 1030 and from 2010 to 2030; the host built a program from 1100 to 1500
    local process = aligned(head .. kernel(1, 1000, 1000, 1000, 1030) .. "call\tclBuildProgram\t1100\t1500\t0\n"
      .. kernel(2, 2000, 2000, 2000, 2030))
    local device = summary.of({process}).devices[1]
    local function about(wanted, found) assert.is_true(math.abs(found * 1e9 - wanted) < 1e-3, tostring(found)) end
    about(40, device.busy_seconds)
    about(980, device.idle_seconds)
    about(400, device.idle_in_calls_seconds)
    about(980, device.longest_idle_seconds)
    about(1020, device.seconds)
  end)

  it("says of each device what keeps it from work, or what its work is, and what to do", function()
    local verdicts = require("clue.trace.view").verdicts
    -- Work, then a pause in which the host is in a call, and work again.
    local function verdict(call, from, to, more)
      return verdicts(summary.of {aligned(head .. kernel(1, 1000, 1000, 1000, 1030)
        .. ("call\t%s\t%d\t%d\t0\n"):format(call, from, to) .. kernel(2, 2000, 2000, 2000, 2030) .. (more or ""))})[1]
    end
    assert.equal("device 0 idles 96 %: programs are built; to do: build them before the work begins, and once",
      verdict("clBuildProgram", 1050, 2000))
    assert.matches("^device 0 idles 96 %%: the host waits for copies; to do: copy without waiting", verdict(
      "clEnqueueReadBuffer", 1050, 2000))
    assert.matches("^device 0 idles 96 %%: the script itself works; to do: ", verdict("clFinish", 1050, 1100))
    assert.matches("^device 0 idles 96 %%: clue trace itself works, as when it saves a call; to do: ",
      verdict("clFinish", 1050, 1100, "own\t1100\t1900\n"))
    assert.matches("^device 0 idles 96 %%: the host waits once for long, as a driver does that compiles at the first ",
      verdict("clFinish", 1050, 2000))
    assert.matches("^device 0 idles 97 %%: the host waits for commands one by one; to do: ",
      verdict("clFinish", 1050, 2000, "call\tclFinish\t2050\t3000\t0\n" .. kernel(3, 3000, 3000, 3000, 3030)))
    assert.equal("device 0 is busy 100 % of its time, most of it with f", verdicts(summary.of {aligned(head
      .. kernel(1, 1000, 1000, 1000, 1030) .. kernel(2, 1020, 1020, 1020, 1050))})[1])
  end)

  it("has no device of which nothing ended", function()
    local process = aligned(head .. "command\t1\t1000\t0\tclEnqueueNDRangeKernel\t-1\tf\t8\nsent\t1\t1000\t1010\t0\n")
    local sums = summary.of {process}
    assert.equal(0, #sums.devices)
    assert.equal(1, #sums.unfinished)
  end)

  it("trusts a device's timer if one of several processes could, in any order", function()
    local well = aligned(head .. kernel(1, 100, 1000, 1010, 2000))
    local short = aligned(head .. "command\t1\t1000\t0\tclEnqueueMarkerWithWaitList\t-1\t\t\nsent\t1\t1000\t1010\t0\n"
      .. "times\t1\t0\t2000\t100\t100\t110\t110\n")
    assert.equal("host clock", short.devices[0].aligned_by)
    for _, processes in ipairs {{well, short}, {short, well}} do
      local device = summary.of(processes).devices[1]
      assert.same({"device", "enqueueing", 2}, {device.clock, device.aligned_by, device.processes})
      assert.is_number(device.alignment_seconds)
    end
  end)

  it("counts the parts of a device apart from processes", function()
    local first = "device\t0\t-1\tCPU\tdevice\nqueue\t0\t0\tin\n"
    local process = aligned(head:gsub("device\t0.*", "") .. first .. "device\t1\t-1\tCPU\tdevice\nqueue\t1\t1\tin\n"
      .. kernel(1, 100, 1000, 1010, 2000) .. kernel(2, 300, 1200, 1210, 2000):gsub("\t0\tclEnqueue", "\t1\tclEnqueue"))
    local sums = summary.of {process}
    assert.same({"a part of CPU", 1, 2, nil}, {sums.devices[1].name, sums.devices[1].processes, sums.devices[1].parts,
      sums.devices[1].last})
    local said = {}
    view.print(sums, {write = function(_, ...) said[#said + 1] = table.concat {...} end}, 400)
    assert.is_truthy(table.concat(said):find("to its last one's end, for each of 2 parts; times by", 1, true))
    assert.is_nil(summary.of({aligned(head .. kernel(1, 100, 1000, 1010, 2000))}).devices[1].parts)
  end)
end)

describe("spans of time", function()
  it("count only once where they overlap", function()
    local covered = spans.union {{5, 7}, {1, 3}, {2, 4}, {4, 5}}
    assert.same({{1, 7}}, covered)
    covered = spans.union {{10, 20}, {30, 40}, {12, 15}}
    assert.same({{10, 20}, {30, 40}}, covered)
    assert.equal(20, spans.total(covered))
    assert.same({{20, 30}}, spans.gaps(covered))
    assert.equal(10, spans.common(covered, {{0, 15}, {35, 50}}))
    assert.equal(0, spans.common(covered, {}))
    assert.equal(0, spans.total(spans.union {}))
  end)

  it("get lanes, so that those in one lane do not overlap", function()
    local list = {{at = {started = 0, ended = 10}}, {at = {started = 5, ended = 7}}, {at = {started = 7, ended = 12}},
                  {at = {started = 10, ended = 11}}}
    assert.equal(2, spans.lanes(list))
    local lanes = {}
    for i, each in ipairs(list) do lanes[i] = each.lane end
    assert.same({1, 2, 2, 1}, lanes)
  end)
end)

describe("the summary of several commands of one kind", function()
  -- A kernel that is queued at a moment and takes some nanoseconds; all clocks are the same.
  local function took(id, queued, nanoseconds, call, bytes)
    return ("command\t%d\t%d\t0\t%s\t%d\t%s\t\nsent\t%d\t%d\t%d\t0\ntimes\t%d\t0\t%d\t%d\t%d\t%d\t%d\n"):format(
      id, queued, call or "clEnqueueNDRangeKernel", bytes or -1, call and "" or "f", id, queued, queued, id,
      queued + nanoseconds, queued, queued, queued, queued + nanoseconds)
  end

  it("has the mean of both middle times as its median", function()
    local process = aligned(head .. took(1, 1000, 10) .. took(2, 2000, 40) .. took(3, 3000, 20) .. took(4, 4000, 1000))
    local sums = summary.of({process}).kernels[1]
    assert.equal(4, sums.runs)
    assert.near(30e-9, sums.median, 1e-15)
    assert.near(10e-9, sums.min, 1e-15)
    assert.near(1000e-9, sums.max, 1e-15)
    assert.near(1070e-9, sums.seconds, 1e-15)
    process = aligned(head .. took(1, 1000, 10) .. took(2, 2000, 40) .. took(3, 3000, 20))
    assert.near(20e-9, summary.of({process}).kernels[1].median, 1e-15)
  end)

  it("has the bytes of all transfers, and by their time the rate", function()
    local write = "clEnqueueWriteBuffer"
    local process = aligned(head .. took(1, 1000, 10, write, 100) .. took(2, 2000, 30, write, 700))
    local transfer = summary.of({process}).transfers[1]
    assert.equal(800, transfer.bytes)
    assert.near(20e9, transfer.bytes_per_second, 1)
  end)
end)
