-- A wrong call gets a message in the script's terms: its line, the call as it is written there, and the parameter.
-- This spec lists no functions: it finds all that a script can reach in the modules and classes, and calls them with
-- arguments of every wrong kind, alone and beside right ones.
-- suite: quick
-- process: shared alone

local support = require "support"
local cl = require "clue"
local binding = require "clue.binding"
local mql5 = require "clue.mql5"

-- The number of calls of each function with random arguments from the pool, and which of the pool's values it gets
-- alone: every one, or every fifth, from another one on for each function.
local CALLS, STEP = support.thorough and 60 or 4, support.thorough and 1 or 5

-- ---- the functions, and arguments for them ----

local SOURCE = "kernel void f(global int *x, local int *y, int z) { y[0] = z; x[0] = y[0]; }"

local make = {} -- by name: makes a sample
local samples, binary = {}, nil

function make.context() return cl.context(0) end
function make.queue() return samples.context:queue() end
function make.view() return samples.queue:after() end
function make.program() -- again from its binary, which takes a tenth of the time: many calls close it
  local made = binary and samples.context:program_from_binary(binary) or samples.context:program(SOURCE)
  binary = binary or made:binary()
  return made
end
function make.kernel() return samples.program:kernel "f" end
function make.buffer() return samples.context:buffer(64) end
function make.sampler() return samples.context:sampler() end
function make.event() return samples.queue:marker():wait() end
function make.user_event() return samples.context:user_event():complete() end
function make.image() return samples.context:image {width = 2, height = 2} end
function make.svm() return samples.context:svm(64) end

local order = {"context", "queue", "view", "program", "kernel", "buffer", "sampler", "event", "user_event", "image",
               "svm"}

-- Makes the samples that do not exist yet or that a call has closed.
local function mend()
  for _, name in ipairs(order) do
    local had = samples[name]
    if had == nil or had and not had.handle then
      local done, made = pcall(make[name])
      samples[name] = done and made or had == nil and false
    end
  end
  return samples
end

local closed = {}

setup(function()
  require("clue.options").quiet = true
  mend()
  samples.device = samples.context.device
  samples.platform = samples.device.platform
  samples.unmapped = samples.queue:map_buffer(samples.buffer, "float")
  samples.queue:unmap(samples.unmapped)
  closed[1] = cl.context(0):buffer(4)
  closed[2] = samples.context:queue()
  closed[3] = samples.program:kernel "f"
  closed[4] = samples.queue:marker()
  closed[5] = closed[1].handle -- the handle of a freed buffer
  for i = 1, 4 do closed[i]:close() end
end)

local nowhere = "/dev/null/nothing" -- a path that cannot be created

-- The arguments: at least one of each kind, right for some functions and wrong for others.
local pool = {
  function() return nil end,
  function() return true end,
  function() return false end,
  function() return 0 end,
  function() return 1 end,
  function() return 2 end,
  function() return -1 end,
  function() return 0.5 end,
  function() return -1.5 end,
  function() return 0 / 0 end,
  function() return 1 / 0 end,
  function() return 2 ^ 53 end,
  function() return -2 ^ 53 end,
  function() return 1e300 end,
  function() return 65537 end,
  function() return "" end,
  function() return "a\0b" end,
  function() return "f" end,
  function() return "float" end,
  function() return "read_write" end,
  function() return nowhere end,
  function() return nowhere .. ".npy" end,
  function() return {} end,
  function() return {1} end,
  function() return {0.5} end,
  function() return {1, "2", {}} end,
  function() return {nonsense = true} end,
  function() return {offset = 0.5, size = 0.5, count = 0.5, first = 0.5} end,
  function() return {offset = "0", flags = "nonsense", blocking = 1, device = 1.5} end,
  function() return {use_host_ptr = true} end,
  function() return {width = 0.5, region = {1, 0.5}, origin = 1, equally = 0.5} end,
  function() return setmetatable({}, {__metatable = "locked"}) end,
  function() return function() end end,
  function() return coroutine.create(function() end) end,
  function() return io.stderr end,
  function() return cl.float(1) end,
  function() return cl.array.float(4) end,
  function() return cl.array.uchar {1, 2, 255} end,
  function() return samples.unmapped end,
  function() return cl.local_memory(16) end,
  function() return closed[1] end,
  function() return closed[2] end,
  function() return closed[3] end,
  function() return closed[4] end,
  function() return closed[5] end,
  function() return samples.device end,
  function() return samples.platform end,
  function() return {samples.buffer} end,
  function() return {offset = samples.buffer, region = samples.buffer, origin = samples.buffer} end,
}
for _, name in ipairs(order) do pool[#pool + 1] = function() return samples[name] or nil end end

local state = 1
local function random(count)
  state = (state * 214013 + 2531011) % 4294967296
  return math.floor(state / 65536) % count + 1
end

-- Every function with its names, and for a method the sample that it is called on.
local function listed()
  local list, by_function = {}, {}
  local function add(name, member, self)
    if type(member) ~= "function" then return end
    local entry = by_function[member]
    if not entry then
      entry = {name = name, names = {}, call = member, self = self}
      by_function[member], list[#list + 1] = entry, entry
    end
    entry.names[#entry.names + 1] = name
    if name < entry.name then entry.name, entry.self = name, self end
  end
  local function add_all(prefix, holder)
    for name, member in pairs(holder) do
      for inner, each in pairs(type(member) == "table" and member or {}) do
        add(prefix .. name .. "." .. tostring(inner), each)
      end
      add(prefix .. name, member)
    end
  end
  for name in support.read("bindings/clue/init.lua"):match("\nlocal lazily = (%b{})"):gmatch "([%l_]+) =" do
    add_all("cl." .. name .. ".", cl[name])
  end
  add_all("cl.", cl)
  add_all("mql5.", mql5)
  for name, sample in pairs(samples) do
    local meta = type(sample) == "table" and getmetatable(sample) or {}
    for method, member in pairs(meta.methods or {}) do add(meta.kind .. ":" .. method, member, name) end
    add("kernel call", meta.__call, name)
  end
  for method, member in pairs(cl.array.methods()) do add("array:" .. method, member, "array") end
  local has_raw, raw = pcall(require, "clue.raw")
  if has_raw then add_all("raw.", raw) end
  table.sort(list, function(a, b) return a.name < b.name end)
  return list
end

local left_out = {["mql5.Sleep"] = true} -- might sleep for 2^53 milliseconds
-- A declaration that is right by chance would stay for the whole process. inputs_spec tests these functions.
for name in pairs(mql5.input) do left_out["mql5.input." .. name] = true end

-- These create the file or folder that a text names.
local makes = {["cl.capture"] = true, ["mql5.FileOpen"] = true}

-- If these are given the origin of their text, they name it instead of the script.
local tells_origin = {["cl.device.pick"] = true, ["cl.device.select"] = true}

-- Not a tail call, because messages give its line.
local function call(target, ...)
  local results = {target(...)}
  return results
end
local call_line = debug.getinfo(call, "S").linedefined + 1

-- ---- what a message must not contain ----

local spec = debug.getinfo(1, "S").short_src
local internal = {}
for name in pairs(binding) do internal[name] = name:find("_", 1, true) and cl[name] == nil or nil end

local suspects = {"bindings/", "/lua/clue/", "bad argument #", "attempt to", "stack traceback", "struct ", "cdata",
  "table: 0x", "function: 0x", " local '", "field '", "upvalue '", "calling '", "%(nil%)",
  "the elements of [%a ]+ are on the device"} -- the call took memory of a device for a list

-- Whether a text begins with a name of a function, or with the part after a dot of one.
local function begins_with_name(text, names)
  local called = text:match "^([%w_.:]+ ?%a*): "
  for _, name in ipairs(called and names or {}) do
    if name == called or name:sub(-#called - 1) == "." .. called then return true end
  end
  return false
end

-- The fault of a call's message, nil if there is none.
local function fault_of(message, names)
  local place = ("%s:%d: "):format(spec, call_line)
  if message:sub(1, #place) ~= place then return "another place than the script's" end
  local text = message:sub(#place + 1)
  if text:find " must be " and not begins_with_name(text, names) then return "another call" end
  for _, suspect in ipairs(suspects) do
    if text:find(suspect) then return "'" .. suspect .. "'" end
  end
  for word in text:gmatch "'([%a_]+)'" do
    if internal[word] then return "the internal name " .. word end
  end
  return text == "" and "nothing" or nil
end

local unpack = rawget(table, "unpack") or rawget(_G, "unpack")

local function shown(given)
  if type(given) == "string" then return ("%q"):format(given) end
  if type(given) ~= "table" or getmetatable(given) then return tostring(given) end
  local parts = {}
  for key, each in pairs(given) do parts[#parts + 1] = tostring(key) .. " = " .. tostring(each) end
  return "{" .. table.concat(parts, ", ") .. "}"
end

-- Makes one call. Returns the fault of its message, nil if there is none.
local function try(target, count, given)
  for i = 1, makes[target.name] and count or 0 do
    if type(given[i]) == "string" and given[i]:find "^%w" then given[i] = nowhere end
  end
  local done, problem = pcall(call, target.call, unpack(given, 1, count))
  if done then
    problem = problem[#problem] -- MQL5's functions return their message
    if type(problem) ~= "string" or not problem:find "the elements of [%a ]+ are on the device" then return nil end
  elseif tells_origin[target.name] and type(given[2]) == "string" then
    return nil
  end
  local fault = fault_of(tostring(problem), target.names)
  if not fault then return nil end
  local words = {}
  for i = 1, count do words[i] = shown(given[i]) end
  return ("%s(%s): %s in: %s"):format(target.name, table.concat(words, ", "), fault, tostring(problem))
end

local function self_of(target)
  if target.self == "array" then return cl.array.float {1, 2, 3, 4} end
  return mend()[target.self]
end

-- Makes all calls of one function. Returns the faults, one line each.
local function faults_of(target)
  local faults = {}
  local function check(count, ...)
    faults[#faults + 1] = try(target, count, {...})
  end
  check(0)
  for i = random(STEP), #pool, STEP do check(1, (pool[i]())) end
  for i = random(STEP), target.self and #pool or 0, STEP do check(2, self_of(target), (pool[i]())) end
  for _ = 1, CALLS do
    local count, given = random(5), {}
    for i = 1, count do given[i] = pool[random(#pool)]() end
    if target.self and random(8) > 1 then given[1] = self_of(target) end
    check(count, unpack(given, 1, count))
  end
  return faults
end

it("a public function names the script's line, the call and the parameter if it is called wrongly", function()
  local faults, count, output = {}, 0, io.output()
  io.output "/dev/null" -- for Print and similar functions
  for _, target in ipairs(listed()) do
    count = count + 1
    for _, fault in ipairs(left_out[target.name] and {} or faults_of(target)) do faults[#faults + 1] = fault end
  end
  io.output():close()
  io.output(output)
  assert.is_true(count > 200, count)
  assert.equal("", table.concat(faults, "\n", 1, math.min(#faults, 40)))
end)

-- A call's message without its place.
local function said_by(body)
  local done, problem = pcall(body)
  assert.is_false(done)
  local text = tostring(problem)
  assert.equal(spec .. ":", text:sub(1, #spec + 1), text)
  return (text:gsub("^[^:]*:%d+: ", ""))
end

describe("a wrong argument", function()
  local context, queue, kernel, buffer, numbers

  setup(function()
    mend()
    context, queue, kernel, buffer = samples.context, samples.queue, samples.kernel, samples.buffer
    numbers = cl.array.float(4)
  end)

  local half = 0.5
  local cases = {
    {"kernel call: global size must be a whole number of 1 or more, got 3.5",
     function() kernel(queue, 7 / 2, nil, buffer, cl.local_memory(16), 1) end},
    {"kernel call: global size must be a whole number of 1 or more, got nan",
     function() kernel(queue, {1, 0 / 0}, nil, buffer, cl.local_memory(16), 1) end},
    {"kernel call: local size must be a whole number of 1 or more, got 0.5",
     function() kernel(queue, 4, half, buffer, cl.local_memory(16), 1) end},
    {"queue:ndrange_kernel: offset must be a whole number of 0 or more, got 0.5",
     function() queue:ndrange_kernel(kernel, 4, nil, half) end},
    {"cl.local_memory: bytes must be a whole number, got 2.5", function() cl.local_memory(2.5) end},
    {"context:buffer: size must be a whole number of bytes below 2^53, or an array, got 1.152921504606847e+18",
     function() context:buffer(2 ^ 60) end},
    {"queue:copy_buffer: size must be a whole number, got 1.5",
     function() queue:copy_buffer(buffer, buffer, {size = 1.5}) end},
    {"program:kernel: name must be a text, got 5", function() samples.program:kernel(5) end},
    {"program:kernel: name must be a text, got nil", function() samples.program:kernel() end},
    {[[program:kernel: name must be a text without zero bytes, got "a\x00b"]],
     function() samples.program:kernel "a\0b" end},
    {"cl.context: on must be a whole number, got 1.5", function() cl.context(1.5) end},
    {"queue:fill_buffer: the value cannot be 300: char holds whole numbers from -128 to 127",
     function() queue:fill_buffer(buffer, 300, "char") end},
    {"cl.kernel_time: kernel must be a kernel, got a buffer", function() cl.kernel_time(buffer) end},
    {"cl.wait: kernel must be a kernel, got nil", function() cl.wait() end},
    {"cl.finish: of must be a context, got nil", function() cl.finish() end},
    {"cl.read_file: path must be the path of a file, got nil", function() cl.read_file() end},
    {"buffer:close: call it with a colon: a buffer expected before it, got nil", function() buffer.close() end},
    {"context:gemm: call it with a colon: a context expected before it, got an event",
     function() context.gemm(samples.event, "float") end},
    {"context:queue: device must be a whole number, got 1.5", function() context:queue {device = 1.5} end},
    {"device:has_extension: name must be a text, got nil", function() context.device:has_extension() end},
    {"device:describe: call it with a colon: a device expected before it, got nil",
     function() context.device.describe() end},
    {"device.platform_properties: platform must be a platform (device.platform), got 0",
     function() cl.device.platform_properties(0) end},
    {"float: the value cannot be a table: float holds numbers up to 3.4028234663852886e+38",
      function() cl.float {} end},
    {"queue:read_buffer: buffer must be a buffer, got a closed buffer",
     function() queue:read_buffer(closed[1], numbers) end},
    {"CLExecute: global_work_size must be an array, got 5; write {5}",
     function() mql5.CLExecute(kernel.handle, 1, {0}, 5) end},
    {"kernel call: queue must be a queue, which comes before the sizes, got 64",
     function() kernel(64, nil, buffer, cl.local_memory(16), 1) end},
    {"kernel call: queue must be a queue, which comes before the sizes, got 64",
     function() kernel(64, buffer, cl.local_memory(16), 1) end},
    {"context:buffer: size must be a whole number of bytes, or an array, got a table; cl.array.float{...} makes one "
      .. "of a table", function() context:buffer {1, 2} end},
    {"queue:read_buffer: buffer must be a buffer, got a table; context:buffer(cl.array.float{...}) makes one of a "
      .. "table",
     function() queue:read_buffer({1, 2}, numbers) end},
    {"queue:read_buffer: buffer must be a buffer, got an image; that is queue:read_image",
     function() queue:read_buffer(samples.image, numbers) end},
    {"queue:write_image: image must be an image, got a buffer; that is queue:write_buffer",
     function() queue:write_image(buffer, numbers) end},
    {"queue:read_buffer: the buffer comes first, then the array", function() queue:read_buffer(numbers, buffer) end},
    {"queue:write_buffer: the buffer comes first, then the array",
     function() queue:write_buffer(numbers, buffer, {offset = 4}) end},
    {"event.status: the event was closed", function() return closed[4].status end},
  }
  for _, case in ipairs(cases) do
    it("is reported: " .. case[1], function() assert.equal(case[1], said_by(case[2])) end)
  end

  it("is not an object in place of a handle", function()
    local other = cl.context(0)
    local on, x = other:queue(), other:buffer(4)
    local f = other:program(SOURCE):kernel "f"
    f(on, 1, nil, x, cl.local_memory(16), 1)
    assert.is_number(cl.kernel_time(f))
    cl.wait(f)
    for _, of in ipairs {other, on, f, x, f.program} do cl.finish(of) end
    cl.finish(other.handle)
  end)
end)

describe("an array where a buffer belongs", function()
  local x

  setup(function()
    mend()
    x = cl.array.float(4)
  end)

  it("is refused with the way to make one", function()
    local kernel, queue, buffer = samples.kernel, samples.queue, samples.buffer
    local on_host = " is a float array on the host: make a buffer of it, context:buffer"
    assert.equal("kernel call: argument 0 (x) of kernel 'f'" .. on_host .. "(x)",
      said_by(function() kernel(queue, 4, nil, x, cl.local_memory(16), 1) end))
    assert.equal("kernel:set_arg: argument 0 (x) of kernel 'f'" .. on_host .. "(x)",
      said_by(function() kernel:set_arg(0, x) end))
    assert.equal("queue:copy_buffer: from" .. on_host .. "(from)",
      said_by(function() queue:copy_buffer(x, buffer) end))
    assert.equal("queue:write_buffer: buffer" .. on_host .. "(buffer)",
      said_by(function() queue:write_buffer(x, x) end))
    assert.equal("CLSetKernelArgMem: buffer is a float array on the host, not the handle of a buffer: CLBufferCreate "
      .. "makes a buffer, and CLBufferWrite writes the array to it",
      said_by(function() mql5.CLSetKernelArgMem(kernel.handle, 0, x) end))
  end)

  it("is not suggested if a number belongs there", function()
    assert.equal("kernel:set_arg: argument 2 (z) of kernel 'f' must be a number, a typed value, an image or a sampler, "
      .. "got a float array", said_by(function() samples.kernel:set_arg(2, x) end))
  end)
end)

describe("an operator that arrays do not have", function()
  it("is refused with the array's type and a remedy", function()
    local a, b = cl.array.float(2), cl.array.float(2)
    local arithmetic = "a float array has no arithmetic: queue:array(a) is one on the device, which has; a[i] is an "
      .. "element, a:fill(x) and a:sum() work on all of them"
    for _, body in ipairs {
      function() return a + 1 end, function() return 1 - a end, function() return a * b end,
      function() return a / 2 end, function() return a % 2 end, function() return a ^ 2 end,
      function() return -a end,
    } do assert.equal(arithmetic, said_by(body)) end
    assert.equal("a float array is not a text: use tostring(a), or a:decimal(i) for an element",
      said_by(function() return "a: " .. a end))
    assert.equal("a float array is neither less nor greater: compare elements (a[i]), or a:compare(b)",
      said_by(function() return a < b end))
    assert.equal("a float array is neither less nor greater: compare elements (a[i]), or a:compare(b)",
      said_by(function() return a >= b end))
    assert.equal("a float array cannot be called: a[i] is an element, a:fill(x) calls a method",
      said_by(function() return a(1) end))
    assert.is_true(a == a and a ~= b)
  end)

  local load_text = rawget(_G, "loadstring") or load

  it("is refused even if only Lua 5.4 has it", function()
    if not load_text "return 1 // 1" then pending "this Lua has no //" end
    for _, text in ipairs {"a // 2", "a & 1", "a | 1", "a ~ 1", "~a", "a << 1", "a >> 1"} do
      local compute = assert(load_text("return function(a) return " .. text .. " end"))()
      local done, problem = pcall(compute, cl.array.int(1))
      assert.is_false(done)
      assert.matches("an int array has no arithmetic", tostring(problem), 1, true)
    end
  end)
end)

describe("an unknown option or flag", function()
  local context, queue, x

  setup(function()
    mend()
    context, queue, x = samples.context, samples.queue, cl.array.float(4)
  end)

  local flags = "alloc_host_ptr, copy_host_ptr, host_no_access, host_read_only, host_write_only, read_only, "
    .. "read_write, use_host_ptr, write_only"
  local cases = {
    {'context:buffer: flags is a name or a list of names, {"use_host_ptr"}: it has the key "use_host_ptr"',
     function() context:buffer(x, {use_host_ptr = true}) end},
    {'context:buffer: there is no flag "readonly" (is read_only meant?); there are ' .. flags,
     function() context:buffer(x, "readonly") end},
    {"context:buffer: there is no flag true; there are " .. flags, function() context:buffer(x, {true}) end},
    {"context:buffer: flags must be a name or a list of names (" .. flags .. "), got 1",
     function() context:buffer(x, 1) end},
    {'context:svm: flags is a name or a list of names, {"svm_atomics"}: it has the key "svm_atomics"',
     function() context:svm(64, {svm_atomics = true}) end},
    {'queue:write_buffer: there is no option "ofset" (is offset meant?); there are blocking, count, first, offset',
     function() queue:write_buffer(samples.buffer, x, {ofset = 0}) end},
    {"queue:write_buffer: there is no option 1; there are blocking, count, first, offset",
     function() queue:write_buffer(samples.buffer, x, {16}) end},
    {"queue:write_buffer: blocking must be true or false, got 1",
     function() queue:write_buffer(samples.buffer, x, {blocking = 1}) end},
    {'queue:fill_buffer: there is no option "ofset" (is offset meant?); there are offset, size, type',
     function() queue:fill_buffer(samples.buffer, cl.float(1), {ofset = 0}) end},
    {"queue:fill_buffer: with is float(1), whose type is known: leave type out",
     function() queue:fill_buffer(samples.buffer, cl.float(1), "int") end},
    {"context:program: there is no option \"define\" (is defines meant?); there are defines, headers, include, "
      .. "registers, std",
     function() context:program(SOURCE, {define = {A = 1}}) end},
    {'context:image: there is no option "hight" (is height meant?); there are array_size, buffer, channel, depth, '
       .. "flags, height, host_ptr, order, row_pitch, type, width",
     function() context:image {width = 2, hight = 2} end},
    {"context:gemm: the type of elements must be one of char, double, float, half, int, got a float array",
     function() context:gemm(x, x) end},
    {'context:sampler: there is no filter_mode "near" (is nearest meant?); there are linear, nearest',
     function() context:sampler {filter_mode = "near"} end},
    {'device:partition: there is no option "equal" (is equally meant?); there are by_affinity_domain, by_counts, '
       .. "equally", function() context.device:partition {equal = 1} end},
    {'json.encode: there is no option "indented" (is indent meant?); there are indent, null_for_nan, order, visible',
     function() cl.json.encode({}, {indented = true}) end},
    {'image_file.load: there is no option "channel" (is channels meant?); there are channels',
     function() cl.image_file.load("a.png", {channel = 4}) end},
    {"queue:copy_buffer_rect: region must be a list of one to three numbers: it has the key \"width\"",
     function() queue:copy_buffer_rect(samples.buffer, samples.buffer, {region = {1, width = 4}}) end},
    {'queue:map_buffer: there is no access "reed" (is read meant?); there are read, write, write_invalidate_region',
     function() queue:map_buffer(samples.buffer, "float", "reed") end},
    {'queue:map_buffer: there is no type "flaot" (is float meant?); there are char, double, float, half, int, long, '
       .. "short, uchar, uint, ulong, ushort", function() queue:map_buffer(samples.buffer, "flaot") end},
  }
  for _, case in ipairs(cases) do
    it("is refused: " .. case[1], function() assert.equal(case[1], said_by(case[2])) end)
  end
end)

describe("memory of a device that a script takes for an array", function()
  it("refuses to read and to write an element, and keeps other fields", function()
    for _, name in ipairs {"buffer", "image", "svm"} do
      local memory = mend()[name]
      local place = ("the elements of %s are on the device: queue:"):format(
        require("clue.shown").with_article(name))
      for _, access in pairs {function() return memory[0] end, function() memory[1] = 5 end} do
        local held, why = pcall(access)
        assert.is_false(held)
        assert.matches(place, tostring(why), 1, true)
      end
      memory.mine = 5
      assert.equal(5, memory.mine)
      assert.is_nil(memory.nothing)
      assert.equal(name, memory.kind)
    end
  end)

  it("has no length where Lua asks a table for it, and 0 elsewhere, as the page on objects says", function()
    local asks = #setmetatable({}, {__len = function() return 5 end}) == 5
    for _, name in ipairs {"buffer", "image", "svm"} do
      local held, length = pcall(function() return #mend()[name] end)
      assert.equal(not asks, held)
      if held then assert.equal(0, length) else assert.matches("are on the device", tostring(length), 1, true) end
    end
  end)
end)

it("a table with several wrong fields gets one message in every Lua: that of the first by name", function()
  local names = {}
  for i = 10, 40 do names[#names + 1] = "wrong" .. i end
  for turn = 1, 2 do
    local options, list = {}, {1}
    for i = 1, #names do
      local name = names[turn == 1 and i or #names + 1 - i]
      options[name], list[name] = 1, 1
    end
    local _, why = pcall(function() mend().buffer:sub_buffer(options) end)
    assert.matches('there is no option "wrong10"', tostring(why), 1, true)
    _, why = pcall(cl.context, list)
    assert.matches('it has the key "wrong10"', tostring(why), 1, true)
    options = {offset = "x", size = "x", flags = 5}
    _, why = pcall(function() mend().buffer:sub_buffer(options) end)
    assert.matches(": offset must be", tostring(why), 1, true)
  end
end)
