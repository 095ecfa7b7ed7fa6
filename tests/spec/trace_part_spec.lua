-- cl.trace: a script records a part of itself, as `clue trace` records a whole run.
-- suite: quick
-- builds: luajit asan lua54
local json = require "dkjson"
local support = require "support"

local SCRIPT = [[
local cl = require "clue"
local context = cl.context()
local queue = context:queue()
local program = context:program(
  "kernel void square(global float *x) { size_t i = get_global_id(0); x[i] *= x[i]; } " ..
  "kernel void halve(global float *x) { x[get_global_id(0)] /= 2; }")
local square, halve = program:kernel "square", program:kernel "halve"
local numbers = cl.array.float(1000):fill(2)
local x = context:buffer(numbers)
halve(queue, 1000, nil, x)
local PATH = arg and arg[1]
]]

-- Runs the text as a script; gives the trace, the status, standard output and standard error.
local function run(text, env, words)
  local path = support.temporary ".json"
  local status, out, err = support.run(support.words(words or {}, {support.write(SCRIPT .. text), path}), env)
  local written = support.read(path)
  return written and json.decode(written), status, out, err
end

-- The names of the commands, in the order in which they started.
local function commands_of(trace)
  local found = {}
  for _, event in ipairs(trace.traceEvents) do
    if event.ph == "X" and event.args.started_us then found[#found + 1] = event end
  end
  table.sort(found, function(a, b) return a.ts < b.ts end)
  return table.concat(support.fields(found, "name"), ", "), found
end

describe("cl.trace", function()
  it("records the function's calls and commands, and no others", function()
    local trace, status, out, err = run [[
      local sums, a, b, c = cl.trace(PATH, function(count, add)
        for _ = 1, count do square(queue, 1000, 10, x) end
        queue:read_buffer(x, numbers)
        return count + add, nil, 7
      end, 3, 4)
      halve(queue, 1000, nil, x)
      queue:finish()
      print(a, b, c, numbers[0])
      print(#sums.kernels, sums.kernels[1].name, sums.kernels[1].runs, sums.kernels[1].clock)
      print(#sums.transfers, sums.transfers[1].name, sums.transfers[1].bytes, #sums.unfinished)
      local device = sums.devices[1]
      print(device.busy_seconds > 0, math.abs(device.busy_seconds + device.idle_seconds - device.seconds) < 1e-9)
      local host = sums.host
      print(host.opencl_seconds > 0 and host.opencl_seconds + host.trace_seconds <= host.seconds, sums.format)]]
    assert.equal(0, status, err)
    assert.equal("7\tnil\t7\t1\n1\tsquare\t3\tdevice\n1\tclEnqueueReadBuffer\t4000\t0\n"
      .. "true\ttrue\ntrue\tclue trace 1\n",
      (out:gsub("%.0", "")))
    local names, commands = commands_of(trace)
    assert.equal("square, square, square, clEnqueueReadBuffer", names)
    assert.equal("1000 by 10", commands[1].args.range)
    assert.is_true(commands[1].ts >= 0 and commands[1].args.ended_us >= commands[1].args.started_us)
  end)

  it("waits for the commands that the function enqueued", function()
    local trace, status, _, err = run [[
      cl.trace(PATH, function() for _ = 1, 200 do square(queue, 1000, nil, x) end end)]]
    assert.equal(0, status, err)
    assert.equal(200, select(2, commands_of(trace):gsub("square", "")))
  end)

  it("shows each command of a graph", function()
    local trace, status, _, err = run [[
      local graph = queue:record(function(commands)
        square(commands, 1000, nil, x)
        commands:fill_buffer(x, cl.float(2))
        halve(commands, 1000, nil, x)
      end)
      cl.trace(PATH, function() graph:replay() end)
      queue:read_buffer(x, numbers)
      assert(numbers[7] == 1)]]
    assert.equal(0, status, err)
    assert.equal("square, clEnqueueFillBuffer, halve", (commands_of(trace)))
  end)

  it("gives a result that prints the tables of clue trace, and needs no file", function()
    local _, status, out, err = run [[
      print(cl.trace(nil, function() square(queue, 1000, nil, x) end))]]
    assert.equal(0, status, err)
    assert.matches("busy ms +idle ms", out)
    assert.matches("square +1 +[%d.]+ +100 %%", out)
    assert.matches("clEnqueueNDRangeKernel +1 ", out)
    assert.matches("%(clue trace itself%)[^\n]*\n$", out)
  end)

  it("may be used again, with separate results", function()
    local trace, status, out, err = run [[
      local function once() square(queue, 1000, nil, x) halve(queue, 1000, nil, x) end
      local first, second = cl.trace(nil, once), cl.trace(PATH, once)
      print(first.kernels[1].runs, second.kernels[1].runs, #cl.trace(nil, function() end).kernels)]]
    assert.equal(0, status, err)
    assert.equal("1\t1\t0\n", out)
    assert.equal("square, halve", (commands_of(trace)))
  end)

  it("works under clue trace, which records the whole run", function()
    local whole = support.temporary ".json"
    local trace, status, out, err = run([[
      local sums = cl.trace(PATH, function() square(queue, 1000, nil, x) end)
      halve(queue, 1000, nil, x)
      queue:finish()
      print(sums.kernels[1].name, sums.kernels[1].runs, #sums.kernels)]], nil, {"trace", "-o", whole})
    assert.equal(0, status, err)
    assert.equal("square\t1\t1\n", out)
    assert.equal("square", (commands_of(trace)))
    assert.equal("halve, square, halve", (commands_of(json.decode(support.read(whole)))))
  end)

  it("writes the records if the function raises an error, and passes the error on", function()
    local trace, status, out, err = run [[
      local done, why = pcall(cl.trace, PATH, function()
        square(queue, 1000, nil, x)
        error {reason = "what was raised"}
      end)
      print(done, why.reason)
      print(#cl.trace(nil, function() halve(queue, 1000, nil, x) end).kernels)]]
    assert.equal(0, status, err)
    assert.equal("false\twhat was raised\n1\n", out)
    assert.equal("square", (commands_of(trace)))
  end)

  it("lists commands that wait for a user event, and does not wait for them", function()
    local _, status, out, err = run [[
      local gate = context:user_event()
      local sums = cl.trace(nil, function() square(queue:after(gate), 1000, nil, x) end)
      print(#sums.unfinished, sums.unfinished[1].name)
      gate:complete()
      queue:finish()]]
    assert.equal(0, status, err)
    assert.equal("1\tsquare\n", out)
  end)

  for _, platform in ipairs {"oclgrind", "rusticl"} do
    it("works on " .. platform, function()
      local trace, status, out, err = run([[
        local sums = cl.trace(PATH, function() square(queue, 1000, nil, x) end)
        print(sums.kernels[1].runs, sums.devices[1].clock)]], support.drivers(platform))
      assert.equal(0, status, err)
      assert.equal(platform == "rusticl" and "1\thost\n" or "1\tdevice\n", out)
      assert.equal("square", (commands_of(trace)))
    end)
  end

  it("says that the disk is full", function()
    local script = [[
      local cl = require "clue"
      local queue, numbers = cl.context():queue(), cl.array.int(1)
      local x = queue.context:buffer(numbers)
      cl.trace(nil, function() for _ = 1, 500 do queue:read_buffer(x, numbers) end end)]]
    local _, err = support.ended(1, support.execute({"sh", "-c", 'ulimit -f 8; exec "$0" -e "$1"', support.clue,
      script}, support.drivers "null"))
    assert.matches("/part.trace' could not be written completely: is the disk full?", err, 1, true)
  end)

  it("refuses wrong use with the reason", function()
    local _, status, out, err = run [[
      local function try(...)
        local done, why = pcall(cl.trace, ...)
        print(done, (tostring(why):gsub("\n.*", ""):gsub("^/[^:]*:%d+: ", "")))
      end
      try(1, print)
      try "x.json"
      try(nil, function() cl.trace(nil, print) end)
      try("/nowhere/x.json", function() square(queue, 10, nil, x) end)
      try(nil, function() end)]]
    assert.equal(0, status, err)
    local lines = {}
    for line in out:gmatch "[^\n]+" do lines[#lines + 1] = line end
    assert.equal("false\tcl.trace: path must be the path of a file, or nil, got 1", lines[1])
    assert.equal("false\tcl.trace: work must be a function, got nil", lines[2])
    assert.matches("^false\tcl%.trace: CL_INVALID_OPERATION .*a part of the run is being recorded already: "
      .. "parts cannot be nested", lines[3])
    assert.matches("^false\tcl%.trace: cannot write /nowhere/x.json: No such file or directory$", lines[4])
    assert.matches("^true\t", lines[5])
  end)
end)
