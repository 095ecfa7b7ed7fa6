-- Memory of devices in the object layer: parts of buffers.

local cl = require "clue"

local array = cl.array

local context, queue

setup(function()
  require("clue.options").quiet = true -- which device it is needs no line in every spec's output
  context = cl.context()
  queue = context:queue()
end)

-- The text of the error object that a call raises, without the place.
local function refusal(call, ...)
  local done, problem = pcall(call, ...)
  assert.is_false(done)
  assert.is_true(cl.error.is(problem), tostring(problem))
  return problem.text
end

local function numbered(count)
  local numbers = array.float(count)
  for i = 0, count - 1 do numbers[i] = i end
  return numbers
end

local function contents(buffer, count)
  local read = array.float(count or buffer.size / 4)
  queue:read_buffer(buffer, read)
  return read:table()
end

describe("a sub-buffer", function()
  local step -- bytes

  setup(function() step = context.device.mem_base_addr_align / 8 end)

  it("is a part of a buffer, in its memory", function()
    local buffer = context:buffer(numbered(step))
    local part = buffer:sub_buffer { offset = step, size = 8 }
    assert.same({ step, 8, true }, { part.offset, part.size, part.parent == buffer })
    assert.equal(("buffer %d: 8 bytes from offset %d of buffer %d: %d bytes"):format(part.handle, step, buffer.handle,
      4 * step), tostring(part))
    assert.same({ step / 4, step / 4 + 1 }, contents(part))
    local program = context:program "kernel void double_all(global float *x) { x[get_global_id(0)] *= 2; }"
    program:kernel "double_all"(queue, 2, nil, part)
    local all = contents(buffer)
    assert.same({ step / 4 - 1, step / 2, step / 2 + 2, step / 4 + 2 },
      { all[step / 4], all[step / 4 + 1], all[step / 4 + 2], all[step / 4 + 3] })
    assert.equal(3 * step, buffer:sub_buffer { offset = step }.size)
  end)

  it("keeps its buffer alive", function()
    local part = context:buffer(numbered(step)):sub_buffer { offset = step, size = 4 }
    collectgarbage()
    collectgarbage()
    assert.same({ step / 4 }, contents(part))
    part.parent:close()
    assert.same({ step / 4 }, contents(part))
  end)

  it("begins where the device can, ends in its buffer, and may do no more", function()
    local buffer = context:buffer(4 * step, "read_only")
    local function said(where) return refusal(buffer.sub_buffer, buffer, where) end
    assert.matches(("^clCreateSubBuffer: CL_MISALIGNED_SUB_BUFFER_OFFSET %%(%%-13%%): offset 4: on .* a sub%%-buffer "
      .. "begins at a multiple of %d bytes"):format(step), said { offset = 4, size = 4 })
    assert.matches("do not fit the buffer", said { offset = step, size = 4 * step })
    assert.matches("0 bytes: a sub%-buffer has 1 at least", said { offset = 4 * step })
    assert.matches("the buffer is CL_MEM_READ_ONLY: what is made from it cannot be CL_MEM_READ_WRITE",
      said { size = 4, flags = "read_write" })
    assert.matches("is a sub%-buffer itself: make this one from buffer %d+",
      refusal(buffer.sub_buffer, buffer:sub_buffer { size = 4 }, { size = 4 }))
    assert.equal("buffer:sub_buffer: offset is a whole number of bytes, not 0.5", said { offset = 0.5 })
    assert.equal("buffer:sub_buffer: size is a whole number of bytes, not all", said { size = "all" })
    assert.equal("buffer:sub_buffer: there is no length; there are offset and size (bytes), flags",
      said { length = 4 })
    assert.equal("bad argument #1 to 'buffer:sub_buffer': {offset = , size = , flags = } expected, got number", said(0))
    assert.matches("a sub%-buffer has no flag 'fast'", said { flags = "fast" })
  end)
end)
