-- Random transfers between the host, buffers, parts of buffers and images, compared with a model in memory.
-- tests/fuzz/transfers starts it.
--
--   transfers.lua FIRST COUNT [--at FILE] [--only STEPS]
--   transfers.lua SEED 1 --shrink CLUE
--
-- A seed gives memories and a list of steps (transfer/steps.lua). Those that the model refuses must raise an error
-- object and change nothing. Two queues run them, each step after the event of the one before it; what reads give is
-- compared when they are done, and all memory at every `check` and at the end. FILE has the seed that runs. --shrink
-- leaves out steps as long as it still fails, and prints the rest; --only runs just these steps ("3 17").
package.path = arg[0]:match "^(.*)/" .. "/?.lua;" .. package.path
local cl = require "clue"
local error_object = require "clue.error"
local faults = require "transfer.faults"
local ffi = require "ffi"
local model = require "transfer.model"
local mql5 = require "clue.mql5"
local steps = require "transfer.steps"

local STEPS = 60

require("clue.options").quiet = true
local context = cl.context()
local device = context.device
local has_images = device.image_support and #context:image_formats() > 0
local alignment = math.max(device.mem_base_addr_align / 8, 1)
local queues = {context:queue(), context:queue()}

-- ---- the host's arrays ----

local function bytes_of(array) return ffi.cast("uint8_t *", (array:address())) end

local function new_array(data)
  local array = cl.array[data.type](data.room)
  local bytes = bytes_of(array)
  for i = 0, array:bytes() - 1 do bytes[i] = model.salted(data.salt, i) end
  return array
end

-- ---- one run of a list of steps ----

local run

local function fail(text, ...) error({wrong = text:format(...)}, 0) end

local function describe(value)
  if type(value) ~= "table" then return tostring(value) end
  local parts, keys = {}, {}
  for key in pairs(value) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for i, key in ipairs(keys) do
    parts[i] = (type(key) == "number" and "" or key .. " = ") .. describe(value[key])
  end
  return "{" .. table.concat(parts, ", ") .. "}"
end

local function make(list)
  local made = {}
  for i, each in ipairs(list) do
    if each.kind == "image" then
      local wanted = {width = each.sizes[1], height = each.sizes[2], order = each.order, channel = each.channel}
      if not each.flat then wanted.depth = each.sizes[3] end
      made[i] = context:image(wanted)
    elseif each.parent then
      made[i] = made[each.parent]:sub_buffer {offset = each.offset, size = each.size}
    else
      made[i] = context:buffer(each.size)
    end
  end
  return made
end

local function write_all(memories, objects)
  for i, each in ipairs(memories) do
    if not each.parent then
      local array = cl.array.uchar(each.size)
      for k = 0, each.size - 1 do array[k] = each.bytes[k] end
      if each.kind == "image" then queues[1]:write_image(objects[i], array)
      else queues[1]:write_buffer(objects[i], array)
      end
    end
  end
end

local function compare_all(memories, objects)
  for i, each in ipairs(memories) do
    local array = cl.array.uchar(each.size)
    if each.kind == "image" then queues[1]:read_image(objects[i], array)
    else queues[1]:read_buffer(objects[i], array)
    end
    for k = 0, each.size - 1 do
      if array[k] ~= each.bytes[each.base + k] then
        fail("byte %d of %s is %d, but must be %d", k, each.name, array[k], each.bytes[each.base + k])
      end
    end
  end
end

-- What a read must give: the memory's bytes at the places, the array's own elsewhere.
local function expected_read(memory, step, on, data)
  local wanted = {}
  for i, place in ipairs(data) do wanted[place] = memory.bytes[memory.base + on[i]] end
  return function(array)
    local bytes = bytes_of(array)
    for i = 0, array:bytes() - 1 do
      local must = wanted[i] or model.salted(step.data.salt, i)
      if bytes[i] ~= must then fail("byte %d of the array is %d, but must be %d", i, bytes[i], must) end
    end
  end
end

local function box_options(step, one, other)
  return {region = step.region, [one .. "_origin"] = step[one == "buffer" and "memory" or "source"].origin,
    [one .. "_row_pitch"] = step[one == "buffer" and "memory" or "source"].row,
    [one .. "_slice_pitch"] = step[one == "buffer" and "memory" or "source"].slice,
    [other .. "_origin"] = step[other == "host" and "host" or "target"].origin,
    [other .. "_row_pitch"] = step[other == "host" and "host" or "target"].row,
    [other .. "_slice_pitch"] = step[other == "host" and "host" or "target"].slice, blocking = step.blocking}
end

local function plain_options(step)
  return {offset = step.offset, first = step.data.first, count = step.data.count, blocking = step.blocking}
end

local function image_options(step)
  return {origin = step.origin, region = step.region, row_pitch = step.row, slice_pitch = step.slice,
    blocking = step.blocking}
end

local function mql5_call(call, memory, array, step)
  queues[1]:finish()
  queues[2]:finish()
  local count, problem = call(memory.handle, array, step.offset, step.data.first, step.data.count)
  if count ~= step.data.count then error(error_object.new {text = tostring(problem), call = "mql5", code = 0}, 0) end
end

local with_arrays = {
  write = function(queue, memory, array, step) return queue:write_buffer(memory, array, plain_options(step)) end,
  read = function(queue, memory, array, step) return queue:read_buffer(memory, array, plain_options(step)) end,
  write_rect = function(queue, memory, array, step)
    return queue:write_buffer_rect(memory, array, box_options(step, "buffer", "host"))
  end,
  read_rect = function(queue, memory, array, step)
    return queue:read_buffer_rect(memory, array, box_options(step, "buffer", "host"))
  end,
  write_image = function(queue, memory, array, step) return queue:write_image(memory, array, image_options(step)) end,
  read_image = function(queue, memory, array, step) return queue:read_image(memory, array, image_options(step)) end,
  mql5_write = function(_, memory, array, step) mql5_call(mql5.CLBufferWrite, memory, array, step) end,
  mql5_read = function(_, memory, array, step) mql5_call(mql5.CLBufferRead, memory, array, step) end,
}

local commands = {
  copy = function(queue, objects, step)
    return queue:copy_buffer(objects[step.from], objects[step.to],
      {from_offset = step.from_offset, to_offset = step.to_offset, size = step.size})
  end,
  copy_rect = function(queue, objects, step)
    return queue:copy_buffer_rect(objects[step.from], objects[step.to], box_options(step, "from", "to"))
  end,
  fill = function(queue, objects, step)
    return queue:fill_buffer(objects[step.on], new_array(step.data), {offset = step.offset, size = step.size})
  end,
  copy_image = function(queue, objects, step)
    return queue:copy_image(objects[step.from], objects[step.to],
      {from_origin = step.origin, to_origin = step.target, region = step.region})
  end,
  image_to_buffer = function(queue, objects, step)
    return queue:copy_image_to_buffer(objects[step.image], objects[step.buffer],
      {origin = step.origin, region = step.region, offset = step.offset})
  end,
  buffer_to_image = function(queue, objects, step)
    return queue:copy_buffer_to_image(objects[step.buffer], objects[step.image],
      {origin = step.origin, region = step.region, offset = step.offset})
  end,
  fill_image = function(queue, objects, step)
    return queue:fill_image(objects[step.on], step.colour, {origin = step.origin, region = step.region})
  end,
}

-- The call must do what the model says: work, or raise an error object.
local function hold(must_work, call, ...)
  local done, result = pcall(call, ...)
  if not done and not error_object.is(result) then error(result, 0) end
  if must_work and not done then fail("it must work, but raised: %s", tostring(result)) end
  if not must_work and done then fail "it must be refused, but worked" end
  if not done then run.refused = run.refused + 1 end
  return done and result or nil
end

local OVERLAP = -8 -- CL_MEM_COPY_OVERLAP

-- Within one buffer, drivers test boxes for overlap as the specification's appendix does, which also finds some that
-- only interlock; then nothing is copied.
local function copy_box(queue, step)
  local memories = run.memories
  local call, objects = commands.copy_rect, run.objects
  if memories[step.from].bytes ~= memories[step.to].bytes then
    return hold(model.commands.copy_rect(memories, step), call, queue, objects, step)
  end
  local done, result = pcall(call, queue, objects, step)
  if not done and error_object.is(result) and result.code == OVERLAP then
    run.refused = run.refused + 1
    return nil
  end
  return hold(model.commands.copy_rect(memories, step), function()
    if done then return result end
    return error(result, 0)
  end)
end

local function transfer(queue, step)
  local memory, array = run.memories[step.on], new_array(step.data)
  local on, data = model.places(run.memories, step)
  local event = hold(on, with_arrays[step.op], queue, run.objects[step.on], array, step)
  local check
  if on and step.op:find "write" then
    model.write(memory, on, data, step.data.salt)
    check = function() end -- keeps the array
  elseif on then
    check = expected_read(memory, step, on, data)
  end
  if not on then return nil end
  if step.blocking == false then
    run.pending[#run.pending + 1] = {array = array, check = check}
    return event
  end
  check(array)
  return nil
end

local function map(queue, step)
  local memory, size = run.memories[step.on], steps.sizes[step.type]
  local bytes = step.count * size
  local good = step.offset + bytes <= memory.size and step.offset % size == 0
    and (memory.base + step.offset) % size == 0
  local access = step.access == "both" and {"read", "write"} or step.access
  local array = hold(good, queue.map_buffer, queue, run.objects[step.on], step.type, access,
    {offset = step.offset, count = step.count})
  if not array then return end
  local mapped, from = bytes_of(array), memory.base + step.offset
  for i = 0, bytes - 1 do
    if step.access ~= "write_invalidate_region" and mapped[i] ~= memory.bytes[from + i] then
      fail("byte %d of the mapping is %d, but must be %d", i, mapped[i], memory.bytes[from + i])
    end
  end
  for i = 0, step.access == "read" and -1 or bytes - 1 do
    mapped[i] = model.salted(step.salt, i)
    memory.bytes[from + i] = mapped[i]
  end
  queue:unmap(array)
end

local function map_image(queue, step)
  local memory, image = run.memories[step.on], run.objects[step.on]
  local on = model.image_places(memory, step.origin, step.region)
  local row, slice
  local array = hold(on, function()
    local made
    made, row, slice = queue:map_image(image, "uchar", nil, {origin = step.origin, region = step.region})
    return made
  end)
  if not array then return end
  local bytes, width = bytes_of(array), step.region[1] * memory.element
  for i, place in ipairs(on) do
    local at = i - 1
    local line = math.floor(at / width)
    local k = math.floor(line / step.region[2]) * slice + line % step.region[2] * row + at % width
    if bytes[k] ~= memory.bytes[place] then
      fail("byte %d of the mapping is %d, but must be %d", k, bytes[k], memory.bytes[place])
    end
    if step.write then
      bytes[k] = model.salted(step.salt, i)
      memory.bytes[place] = bytes[k]
    end
  end
  queue:unmap(array)
end

local function settle()
  queues[1]:finish()
  queues[2]:finish()
  if run.event then run.event:wait() end -- rusticl's finish does not wait
  run.event = nil
  for _, each in ipairs(run.pending) do each.check(each.array) end
  run.pending = {}
end

local blocking = {map = map, map_image = map_image}

local function perform(step)
  if step.wait or step.op == "check" then settle() end
  if step.op == "check" then return compare_all(run.memories, run.objects) end
  local queue = queues[step.queue]
  if run.event then queue = queue:after(run.event) end
  if blocking[step.op] then
    blocking[step.op](queue, step)
    queues[step.queue]:finish() -- the unmapping, too
    run.event = queues[step.queue]:marker()
    return nil
  end
  local event
  if with_arrays[step.op] then
    event = transfer(queue, step)
  elseif step.op == "copy_rect" then
    event = copy_box(queue, step)
  else
    event = hold(model.commands[step.op](run.memories, step), commands[step.op], queue, run.objects, step)
  end
  run.event = event or run.event
  return nil
end

-- Runs the steps that are not left out. Gives the number of the step that failed, and why.
local function attempt(seed, left_out)
  local list, all = steps.new(seed, STEPS, alignment, has_images)
  run = {memories = model.memories(list), pending = {}, refused = 0, done = 0}
  run.objects = make(list)
  write_all(run.memories, run.objects)
  local at
  local done, problem = pcall(function()
    for i, step in ipairs(all) do
      at = i
      if not left_out[i] and not faults.avoids(step, run.memories, device.platform.name) then
        perform(step)
        run.done = run.done + 1
      end
    end
    at = #all + 1
    settle()
    compare_all(run.memories, run.objects)
  end)
  if not done then pcall(settle) end
  for i = #list, 1, -1 do run.objects[i]:close() end
  if done then return nil end
  return at, type(problem) == "table" and problem.wrong or tostring(problem)
end

-- ---- command line ----

local options = {}
for i = 3, #arg, 2 do options[arg[i]:match "%w+"] = arg[i + 1] end

-- Steps that are left out, from a list of those that stay: "3 17".
local function all_but(text)
  if not text then return {} end
  local left_out = {}
  for i = 1, STEPS do left_out[i] = true end
  for number in text:gmatch "%d+" do left_out[tonumber(number)] = nil end
  return left_out
end

-- Every try is a process of its own, since drivers die of some transfers.
local function fails(seed, stay)
  local list = {}
  for i = 1, STEPS do
    if stay[i] then list[#list + 1] = i end
  end
  local text = table.concat(list, " ")
  local command = "{ timeout 60 '%s' '%s' %d 1 --only '%s'; echo status $?; } 2>/dev/null"
  local pipe = io.popen(command:format(options.shrink, arg[0], seed, text))
  local said = pipe:read "*a"
  pipe:close()
  return said:match "status (%d+)%s*$" ~= "0", said, text
end

local function shrink(seed)
  local stay = {}
  for i = 1, STEPS do stay[i] = true end
  for _, length in ipairs {16, 4, 1} do
    for i = 1, STEPS, length do
      local before = {}
      for k = i, i + length - 1 do before[k], stay[k] = stay[k], nil end
      if not fails(seed, stay) then
        for k, was in pairs(before) do stay[k] = was end
      end
    end
  end
  local failed, said, text = fails(seed, stay)
  print(("  shrunk: transfers.lua %d 1 --only '%s'"):format(seed, text))
  print("    " .. said:gsub("\n(.)", "\n    %1"):gsub("%s+$", ""))
  local list, all = steps.new(seed, STEPS, alignment, has_images)
  for _, each in ipairs(list) do print("    " .. describe(each)) end
  for i, step in ipairs(all) do
    if stay[i] then print(("    %d: %s"):format(i, describe(step))) end
  end
  return failed and 1 or 0
end

local first, count = tonumber(arg[1]), tonumber(arg[2])
if options.shrink then os.exit(shrink(first), true) end
local at = options.at and assert(io.open(options.at, "w"))
local status, done, refused = 0, 0, 0
for seed = first, first + count - 1 do
  if at then
    at:seek "set"
    at:write(("%12d\n"):format(seed))
    at:flush()
  end
  local failed, problem = attempt(seed, all_but(options.only))
  if failed then
    print(("seed %d: step %d: %s"):format(seed, failed, problem))
    status = 1
  end
  done, refused = done + run.done, refused + run.refused
  collectgarbage()
end
print(("steps %d refused %d"):format(done, refused))
os.exit(status, true)
