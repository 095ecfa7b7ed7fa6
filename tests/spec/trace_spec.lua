-- `clue trace`: its records are complete, in the Chrome trace format, and with plausible times.
-- suite: quick
-- builds: luajit asan lua54
local json = require "dkjson"
local same_file = require("clue.shared.paths").same
local support = require "support"

local SCRIPT = [[
local cl = require "clue"
local context = cl.context()
local queue = context:queue()
local program = context:program(
  "kernel void square(global float *x) { size_t i = get_global_id(0); x[i] *= x[i]; } " ..
  "kernel void count(global float *x, int n) { float s = 0; for (int i = 0; i < n; i++) s += x[i % 4]; x[0] = s; }")
local square, count = program:kernel "square", program:kernel "count"
local numbers = cl.array.float(1000):fill(2)
local x = context:buffer(4000)
queue:write_buffer(x, numbers)
for _ = 1, 3 do square(queue, 1000, 10, x) end
count(queue, {1, 1}, nil, x, 1000)
queue:finish()
]]

-- Runs `clue trace` on the text of a script; how: args, env, before (options). Gives trace, summary, status, out, err.
local function traced(text, how)
  how = how or {}
  local output, sums = support.temporary ".json", support.temporary ".json"
  local words = support.words({"trace", "-o", output, "--json", sums}, how.before, {support.write(text)}, how.args)
  local status, out, err = support.run(words, how.env)
  local trace, summary = support.read(output), support.read(sums)
  return trace ~= "" and json.decode(trace or "") or nil, summary ~= "" and json.decode(summary or "") or nil, status,
    out, err, output
end

-- ---- the format ----

local phases = {X = true, M = true, s = true, f = true, i = true}

local function is_number(value)
  return type(value) == "number" and value == value and math.abs(value) < math.huge
end

-- "Trace Event Format": JSON object form, complete events, metadata, flows, instants.
local function validate(trace)
  assert.is_table(trace)
  assert.equal("ns", trace.displayTimeUnit)
  local rows, flows, names = {}, {}, {}
  for _, event in ipairs(trace.traceEvents) do
    local shown = json.encode(event)
    assert.is_true(phases[event.ph] == true, shown)
    assert.is_string(event.name, shown)
    assert.is_true(is_number(event.pid) and is_number(event.tid), shown)
    local row = event.pid .. "." .. event.tid
    if event.ph == "M" then
      if event.name == "thread_name" then names[row] = event.args.name end
    else
      assert.is_true(is_number(event.ts) and event.ts >= 0, shown)
      assert.is_string(event.cat, shown)
    end
    if event.ph == "X" then
      assert.is_true(is_number(event.dur) and event.dur >= 0, shown)
      rows[row] = rows[row] or {}
      table.insert(rows[row], event)
    elseif event.ph == "s" or event.ph == "f" then
      flows[event.id] = (flows[event.id] or "") .. event.ph
    end
  end
  for id, ends in pairs(flows) do assert.equal("sf", ends, id) end
  for row, events in pairs(rows) do
    assert.is_string(names[row], row)
    table.sort(events, function(a, b) return a.ts < b.ts end)
    for i = 2, #events do -- to a nanosecond, since that is what the numbers show
      assert.is_true(events[i].ts >= events[i - 1].ts + events[i - 1].dur - 0.002,
        json.encode {events[i - 1], events[i]})
    end
  end
  return rows, names
end

local function commands_of(trace)
  local found = {}
  for _, event in ipairs(trace.traceEvents) do
    if event.ph == "X" and event.args.queued_us then found[#found + 1] = event end
  end
  table.sort(found, function(a, b) return a.args.command < b.args.command end)
  return found
end

local function names_of(commands) return table.concat(support.fields(commands, "name"), ", ") end

local function entry(list, name)
  for _, each in ipairs(list) do
    if each.name == name then return each end
  end
end

describe("clue trace", function()
  local trace, summary, status, out, err, file

  setup(function() trace, summary, status, out, err, file = traced(SCRIPT) end)

  it("refuses one file for the trace and the summary, by any path, before the script runs", function()
    local script, folder = support.write "print 'ran'", support.folder()
    local default = ("../%s/trace.json"):format(folder:match "[^/]*$")
    for _, words in ipairs {{"-o", "x", "--json", "./x"}, {"--json", default}} do
      local refused, said, why = support.execute({"sh", "-c", 'cd "$1"; shift; exec "$@"', "sh", folder, support.clue,
        "trace", words[1], words[2], words[3] or script, words[4] or nil, words[3] and script or nil})
      assert.equal(2, refused)
      assert.equal("", said)
      assert.matches("clue trace: --output and --json would both write " .. (words[4] or words[2]), why, 1, true)
    end
    assert.is_false(same_file("/dev/null", "/dev/null")) -- which is no file
  end)

  it("gives the script's exit status and leaves its output alone", function()
    assert.equal(0, status, err)
    assert.equal("", out)
    local _, _, third, said = traced("print(...) os.exit(3)", {args = {"--", "a b", "-o", "--json"}})
    assert.equal(3, third)
    assert.equal("a b\t-o\t--json\n", said)
    -- right after the script, an option of its own, with the name of one of trace's
    _, _, third, said = traced("print(...) os.exit(4)", {args = {"--output", "picture.png", "-o", "x"}})
    assert.equal(4, third)
    assert.equal("--output\tpicture.png\t-o\tx\n", said)
  end)

  it("accepts -o after the script, too", function()
    local path, second = support.write(SCRIPT), support.temporary ".json"
    assert.equal(0, (support.run {"trace", path, "-o", second}))
    assert.truthy(support.read(second):find "traceEvents")
  end)

  it("writes the Chrome trace format", function()
    local _, names = validate(trace)
    local rows = {}
    for _, name in pairs(names) do rows[#rows + 1] = name:match "^%a+ ?%d*" end
    table.sort(rows)
    assert.equal("host, queue 1", table.concat(rows, ", "))
  end)

  it("records every command, in order", function()
    local commands = commands_of(trace)
    assert.equal("clEnqueueWriteBuffer, square, square, square, count", names_of(commands))
    assert.equal("1000 by 10", commands[2].args.range)
    assert.equal("1x1", commands[5].args.range)
    assert.equal(4000, commands[1].args.bytes)
    assert.equal("transfer", commands[1].cat)
    assert.equal("kernel", commands[2].cat)
  end)

  it("has each command queued, submitted, started and ended in this order, after its call began", function()
    local calls, doubt = {}, summary.devices[1].alignment_seconds * 1e6
    for _, event in ipairs(trace.traceEvents) do
      if event.cat == "host" and event.args.command then calls[event.args.command] = event end
    end
    for _, command in ipairs(commands_of(trace)) do
      local at = command.args
      assert.is_true(at.queued_us <= at.submitted_us and at.submitted_us <= at.started_us, json.encode(at))
      assert.is_true(at.started_us <= at.ended_us, json.encode(at))
      assert.is_true(at.started_us >= calls[at.command].ts - doubt, json.encode {at, calls[at.command]})
      assert.is_true(at.ended_us <= trace.traceEvents[#trace.traceEvents].ts + 1e7)
    end
  end)

  it("records the host's calls", function()
    local seen = {}
    for _, event in ipairs(trace.traceEvents) do
      if event.cat == "host" then seen[event.name] = (seen[event.name] or 0) + 1 end
    end
    assert.equal(1, seen.clBuildProgram)
    assert.equal(2, seen.clCreateKernel)
    assert.equal(4, seen.clEnqueueNDRangeKernel)
    assert.is_true(seen.clGetDeviceIDs >= 1)
    assert.is_true(seen.clReleaseContext == 1, "what is released when the script has ended")
  end)

  it("sums up kernels and transfers", function()
    assert.equal("clue trace 1", summary.format)
    local square, write = entry(summary.kernels, "square"), entry(summary.transfers, "clEnqueueWriteBuffer")
    assert.equal(3, square.runs)
    assert.is_true(square.min <= square.median and square.median <= square.max and square.max <= square.seconds)
    assert.equal(1, entry(summary.kernels, "count").runs)
    assert.equal(4000, write.bytes)
    assert.is_true(math.abs(write.bytes_per_second * write.seconds / 4000 - 1) < 1e-9)
    assert.equal(0, #summary.unfinished)
    local sum = 0
    for _, command in ipairs(commands_of(trace)) do sum = sum + command.dur * 1e-6 end
    assert.is_true(math.abs(sum - summary.devices[1].busy_seconds) < 1e-7, "nothing overlaps in an in-order queue")
  end)

  it("knows the bytes of images and of migrations", function()
    local _, of, code, _, said = traced [[
      local cl = require "clue"
      local context = cl.context()
      local queue = context:queue()
      local image = context:image {width = 5, height = 3, order = "rgba", channel = "float"}
      local buffer = context:buffer(100)
      queue:write_image(image, cl.array.float(60):fill(1))
      queue:migrate(image, buffer)
      queue:migrate(context:svm(56), context:svm(8))
      queue:finish()]]
    assert.equal(0, code, said)
    assert.equal(5 * 3 * 16, entry(of.transfers, "clEnqueueWriteImage").bytes)
    assert.equal(5 * 3 * 16 + 100, entry(of.transfers, "clEnqueueMigrateMemObjects").bytes)
    assert.equal(56 + 8, entry(of.transfers, "clEnqueueSVMMigrateMem").bytes)
  end)

  it("prints a summary of the time on stderr", function()
    assert.matches("square +3 ", err)
    assert.matches("clEnqueueWriteBuffer +1 .*0%.004", err)
    assert.matches("clBuildProgram +1 ", err)
    assert.matches("%(not in OpenCL%)", err)
    assert.matches(file .. ": open it in https://ui.perfetto.dev", err, 1, true)
  end)

  it("shows how long a device was idle, and what the host did meanwhile", function()
    local _, sums = traced(SCRIPT .. [[
      local start = require("clue.binding").now()
      while require("clue.binding").now() < start + 0.2 do end
      square(queue, 1000, 10, x)
      queue:finish()]])
    local device = sums.devices[1]
    assert.is_true(device.idle_seconds >= 0.2, json.encode(device))
    assert.is_true(device.idle_seconds - device.idle_in_calls_seconds >= 0.19, json.encode(device))
    assert.is_true(device.longest_idle_seconds >= 0.2 and device.longest_idle_seconds < 10)
    assert.is_true(math.abs(device.busy_seconds + device.idle_seconds - device.seconds) < 1e-6)
  end)

  it("traces scripts with MQL5's functions", function()
    local chrome, sums, code, said = traced [[
      function OnStart()
        local context = CLContextCreate(CL_USE_ANY)
        local program = CLProgramCreate(context, "kernel void twice(global int *x) { x[get_global_id(0)] *= 2; }")
        local kernel = CLKernelCreate(program, "twice")
        local data = array.int {1, 2, 3}
        local buffer = CLBufferCreate(context, 12, CL_MEM_READ_WRITE)
        CLBufferWrite(buffer, data)
        CLSetKernelArgMem(kernel, 0, buffer)
        CLExecute(kernel, 1, {0}, {3})
        CLBufferRead(buffer, data)
        Print(data[2])
      end]]
    assert.equal(0, code)
    assert.equal("6\n", said)
    validate(chrome)
    assert.equal("clEnqueueWriteBuffer, twice, clEnqueueReadBuffer", names_of(commands_of(chrome)))
    assert.equal(1, entry(sums.kernels, "twice").runs)
  end)

  it("times queues that were made without profiling, and gives each queue a row", function()
    local chrome, sums = traced((SCRIPT:gsub("context:queue%(%)", "context:queue {profiling = false}")) .. [[
      local second = context:queue()
      square(second, 10, nil, x)
      second:finish()]])
    local _, names = validate(chrome)
    local rows = {}
    for _, name in pairs(names) do rows[name:match "^%a+ ?%d*"] = true end
    assert.is_true(rows["queue 1"] and rows["queue 2"])
    assert.equal("device", entry(sums.kernels, "square").clock)
    assert.equal(4, entry(sums.kernels, "square").runs)
  end)

  it("records all kinds of commands", function()
    local chrome = traced(SCRIPT .. [[
      local y = context:buffer(4000)
      queue:copy_buffer(x, y)
      queue:fill_buffer(y, cl.float(1))
      local mapped = queue:map_buffer(y, "float")
      queue:unmap(mapped)
      queue:read_buffer(y, numbers)
      queue:finish()]])
    validate(chrome)
    assert.matches("count, clEnqueueCopyBuffer, clEnqueueFillBuffer, clEnqueueMapBuffer, clEnqueueUnmapMemObject, "
      .. "clEnqueueReadBuffer$", names_of(commands_of(chrome)))
  end)

  it("records thousands of commands that are never waited for, and those before os.exit", function()
    local chrome, sums, code = traced(SCRIPT .. [[
      for _ = 1, 3000 do square(queue, 10, nil, x) end
      os.exit(7, true)]])
    assert.equal(7, code)
    assert.equal(3005, #commands_of(chrome))
    assert.equal(0, #sums.unfinished)
  end)

  it("keeps the records if the script raises an error or is killed", function()
    local chrome, _, code, _, said = traced(SCRIPT .. "error 'oh'")
    assert.equal(1, code)
    assert.matches("oh", said)
    assert.equal(5, #commands_of(chrome))
    local killed, sums
    killed, sums, code, _, said = traced(SCRIPT .. [[
      count(queue, 1, nil, x, 2147483647)
      os.execute("kill -9 $PPID")]])
    assert.equal(137, code)
    assert.matches("the script was ended by SIGKILL", said, 1, true)
    assert.equal(5, #commands_of(killed))
    validate(killed)
    assert.equal(1, #sums.unfinished)
    assert.equal("count", sums.unfinished[1].name)
    assert.matches("command 6, count over 1: no end was seen", said, 1, true)
  end)

  it("gives every process its own rows", function()
    local chrome, sums = traced(SCRIPT .. ([[
      io.stdout:flush()
      os.execute("%s %s")]]):format(support.clue, support.write(SCRIPT)))
    local processes = {}
    for _, event in ipairs(chrome.traceEvents) do
      if event.name == "process_name" then processes[#processes + 1] = event.pid end
    end
    assert.equal(2, #processes)
    assert.not_equal(processes[1], processes[2])
    assert.equal(2, sums.host.processes)
    assert.equal(6, entry(sums.kernels, "square").runs)
    validate(chrome)
  end)

  it("passes clue's own options on", function()
    local path = support.write [[
      local options = require "clue.options"
      print(options.strict, options.device)
      CLContextCreate(0)]]
    local output = support.temporary ".json"
    local said = support.ended(0, support.run {"--strict", "--device", "0:0", "trace", path, "-o", output})
    assert.equal("true\t0:0\n", said)
    assert.is_table(json.decode(support.read(output)))
  end)

  for _, platform in ipairs {"oclgrind", "rusticl"} do
    it("works on " .. platform, function()
      local chrome, sums, code, _, said = traced(SCRIPT, {env = support.drivers(platform)})
      assert.equal(0, code, said)
      validate(chrome)
      assert.equal("clEnqueueWriteBuffer, square, square, square, count", names_of(commands_of(chrome)))
      local clock = platform == "rusticl" and "host" or "device"
      assert.equal(clock, sums.devices[1].clock)
      assert.equal(clock, sums.kernels[1].clock)
      assert.equal(clock, commands_of(chrome)[2].args.clock)
      assert.equal(clock == "host", said:find("host clock", 1, true) ~= nil)
      assert.is_true(sums.devices[1].busy_seconds <= sums.devices[1].seconds)
    end)
  end

  it("refuses wrong use with the reason", function()
    local cases = {
      {{"trace"}, 2, "give a script: clue trace SCRIPT"},
      {{"trace", "--nothing", "x.lua"}, 2, "unknown option '--nothing'"},
      {{"trace", "--device", "gpu", "x.lua"}, 2, "it goes before trace: clue --device SPEC trace SCRIPT"},
      {{"trace", "-o"}, 2, "'-o'"},
      {{"trace", "-o", "/nowhere/t.json", support.write(SCRIPT)}, 1, "--output: /nowhere/t.json"},
      {{"trace", "-o", "unwritten.json", "--json", "./unwritten.json", support.write(SCRIPT)}, 2,
       "would both write "},
      {{"trace", "-o", support.temporary(), "--json", "/nowhere/s.json", support.write(SCRIPT)}, 1,
       "--json: /nowhere/s.json"},
      {{"trace", "-o", support.temporary(), support.write "print(1)"}, 1, "made no OpenCL call"},
      {{"trace", "-o", support.temporary(), support.write(SCRIPT .. 'os.execute("rm -r " .. os.getenv "CLUE_TRACE")')},
       1, "clue trace: the records of the run: /"},
      {{"trace", "-o", support.temporary(), "/nowhere/x.lua"}, 1, "cannot open '/nowhere/x.lua'"},
    }
    for _, case in ipairs(cases) do
      local code, _, said = support.run(case[1])
      assert.equal(case[2], code, said)
      assert.is_truthy(said:find(case[3], 1, true), said)
    end
    local _, _, said = support.run {"trace", "-o", support.temporary(), "/nowhere/x.lua"}
    assert.equal("clue: cannot open '/nowhere/x.lua': no such file\n", said) -- and nothing of calls
  end)

  it("finds a file that cannot be written before the script runs", function()
    for _, words in ipairs {{"-o", "/nowhere/t.json"}, {"-o", support.temporary(), "--json", "/nowhere/s.json"}} do
      local made = support.temporary()
      local script = support.write(("io.open(%q, 'w'):close()"):format(made))
      support.ended(1, support.run(support.words({"trace"}, words, {script})))
      assert.is_nil(io.open(made))
    end
  end)

  it("prints its tables even if a file cannot be written any more", function()
    local folder = support.folder()
    local _, said = support.ended(1, support.run {"trace", "-o", folder .. "/t.json",
      support.write(SCRIPT .. ("os.execute 'rm -r %s'"):format(folder))})
    assert.matches("\nkernel +runs", said)
    assert.is_truthy(said:find("--output: " .. folder, 1, true), said)
    assert.is_nil(said:find("open it in", 1, true))
  end)
end)
