-- Runs a program's text by clue, over the object layer or over MQL5's, and gives what its outputs have.
local cl = require "clue"
local exact = require "kernel.exact"

local launch = {}

-- Buffers hold components one after the other. 64-bit numbers go in and out as decimal text.
local function array_of(buffer, values)
  local t = buffer.t
  local made, i = cl.array[t.base](buffer.count * t.n), 0
  for place = 0, buffer.count - 1 do
    local value = values[place]
    for lane = 1, t.n do
      local one = t.n == 1 and value or value[lane]
      made[i] = t.bits == 64 and exact.text(t, one) or tonumber(one)
      i = i + 1
    end
  end
  return made
end

local function text_at(array, t, i)
  return t.bits == 64 and array:decimal(i) or ("%.17g"):format(array[i])
end

--- The first difference of a buffer from the values that it must have, nil if there is none.
function launch.difference(buffer, values, array)
  local t = buffer.t
  for place = 0, buffer.count - 1 do
    for lane = 1, t.n do
      local value = values[place]
      if t.n > 1 then value = value[lane] end
      local wanted = t.float and ("%.17g"):format(value + 0) or exact.text(t, value)
      local found = text_at(array, t, place * t.n + lane - 1)
      if wanted == "-0" then wanted = "0" end
      if found == "-0" then found = "0" end
      if wanted ~= found then
        local component = t.n > 1 and (".s%X"):format(lane - 1) or ""
        return ("%s[%d]%s is %s, but must be %s"):format(buffer.name, place, component, found, wanted)
      end
    end
  end
  return nil
end

-- An argument by value, in one of the forms that clue takes; MQL5's functions take no lists.
local function argument(one, value, random, mql5)
  local t = one.t
  local function number(lane) return t.bits == 64 and exact.text(t, lane) or tonumber(lane) end
  if t.n == 1 then
    if t.bits == 64 or random(2) == 1 then return cl[t.base](number(value)) end
    return number(value)
  end
  local lanes = {}
  for i = 1, t.n do lanes[i] = number(value[i]) end
  if t.bits < 64 and not mql5 and random(2) == 1 then return lanes end
  return cl[t.name]((table.unpack or unpack)(lanes)) -- luacheck: ignore
end

local function local_bytes(program, one) return program.members * one.t.bytes end

local function each_given(program, call)
  for _, each in ipairs(program.locals) do
    if each.given then call(each) end
  end
end

local function by_objects(program, source, memory, arrays, stage)
  local context = cl.context()
  local queue = context:queue()
  stage "build"
  local kernel = context:program(source):kernel "test"
  stage "run"
  local given, buffers = {}, {}
  for _, each in ipairs(program.buffers) do
    buffers[each.name] = context:buffer(arrays[each.name])
    given[#given + 1] = buffers[each.name]
  end
  for _, each in ipairs(program.arguments) do
    given[#given + 1] = argument(each, memory[each.name], program.random)
  end
  each_given(program, function(each) given[#given + 1] = cl.local_memory(local_bytes(program, each)) end)
  kernel:set_args((table.unpack or unpack)(given)) -- luacheck: ignore
  queue:ndrange_kernel(kernel, program.global, not program.free_group and program.group or nil, program.offset)
  for _, each in ipairs(program.outputs) do queue:read_buffer(buffers[each.name], arrays[each.name]) end
end

local function by_mql5(program, source, memory, arrays, stage)
  local m = require "clue.mql5"
  local function hold(done, ...)
    if not done or done == -1 then error(tostring((select(select("#", ...), ...)) or "it failed"), 0) end
    return done
  end
  local context = hold(m.CLContextCreate(m.CL_USE_ANY))
  stage "build"
  local built = hold(m.CLProgramCreate(context, source))
  local kernel, buffers, index = hold(m.CLKernelCreate(built, "test")), {}, 0
  stage "run"
  for _, each in ipairs(program.buffers) do
    local array = arrays[each.name]
    buffers[each.name] = hold(m.CLBufferCreate(context, array:bytes(), m.CL_MEM_READ_WRITE))
    hold(m.CLBufferWrite(buffers[each.name], array))
    hold(m.CLSetKernelArgMem(kernel, index, buffers[each.name]))
    index = index + 1
  end
  for _, each in ipairs(program.arguments) do
    hold(m.CLSetKernelArg(kernel, index, argument(each, memory[each.name], program.random, true)))
    index = index + 1
  end
  each_given(program, function(each)
    hold(m.CLSetKernelArgMemLocal(kernel, index, local_bytes(program, each)))
    index = index + 1
  end)
  if program.free_group then
    hold(m.CLExecute(kernel, #program.global, program.offset, program.global))
  else
    hold(m.CLExecute(kernel, #program.global, program.offset, program.global, program.group))
  end
  for _, each in ipairs(program.outputs) do hold(m.CLBufferRead(buffers[each.name], arrays[each.name])) end
  for _, each in pairs(buffers) do m.CLBufferFree(each) end
  m.CLKernelFree(kernel)
  m.CLProgramFree(built)
  m.CLContextFree(context)
end

--- Runs the program.
-- @tparam table program prepared
-- @tparam string source
-- @tparam table memory the values of its buffers before, and of its arguments
-- @tparam boolean mql5 over MQL5's functions
-- @tparam function stage is called with "build" and "run" before each
-- @treturn table arrays by the names of the outputs, after it
function launch.run(program, source, memory, mql5, stage)
  local arrays = {}
  for _, each in ipairs(program.buffers) do arrays[each.name] = array_of(each, memory[each.name]) end
  ;(mql5 and by_mql5 or by_objects)(program, source, memory, arrays, stage)
  return arrays
end

return launch
