-- Device memory in the object layer: parts of buffers, and buffers in host memory.
-- suite: quick
-- process: shared bindings lua51
-- drivers: pocl oclgrind rusticl

local cl = require "clue"
local handles = require "handles"
local objects = require "objects"
local support = require "support"

local array, numbered, refusal = cl.array, objects.numbered, objects.refusal

local context, queue = objects.context()

local function contents(buffer, count) return objects.contents(queue, buffer, "float", count) end

describe("a sub-buffer", function()
  local step -- bytes

  setup(function() step = context.device.mem_base_addr_align / 8 end)

  it("is a part of a buffer and shares its memory", function()
    local buffer = context:buffer(numbered(step))
    local part = buffer:sub_buffer {offset = step, size = 8}
    assert.same({step, 8, true}, {part.offset, part.size, part.parent == buffer})
    assert.equal(("buffer %d: 8 bytes from offset %d of buffer %d: %d bytes"):format(part.handle, step, buffer.handle,
      4 * step), tostring(part))
    assert.same({step / 4, step / 4 + 1}, contents(part))
    context:program((require "kernels")):kernel "twice"(queue, 2, nil, part)
    local all = contents(buffer)
    assert.same({step / 4 - 1, step / 2, step / 2 + 2, step / 4 + 2},
      {all[step / 4], all[step / 4 + 1], all[step / 4 + 2], all[step / 4 + 3]})
    assert.equal(3 * step, buffer:sub_buffer {offset = step}.size)
  end)

  it("keeps its buffer alive", function()
    local part = context:buffer(numbered(step)):sub_buffer {offset = step, size = 4}
    collectgarbage()
    collectgarbage()
    assert.same({step / 4}, contents(part))
    part.parent:close()
    assert.same({step / 4}, contents(part))
  end)

  it("must be aligned, inside its buffer, and within the buffer's flags", function()
    local buffer = context:buffer(4 * step, "read_only")
    local function said(where) return refusal(buffer.sub_buffer, buffer, where) end
    assert.matches(("^clCreateSubBuffer: CL_MISALIGNED_SUB_BUFFER_OFFSET %%(%%-13%%): offset 4: on .* a sub%%-buffer "
      .. "must begin at a multiple of %d bytes"):format(step), said {offset = 4, size = 4})
    assert.matches("a sub%-buffer of 0 bytes: it needs at least 1", said {offset = 4 * step})
    assert.matches("the buffer is CL_MEM_READ_ONLY: an object made from it cannot be CL_MEM_READ_WRITE",
      said {size = 4, flags = "read_write"})
    assert.equal("buffer:sub_buffer: offset must be a whole number, got 0.5", said {offset = 0.5})
    assert.equal('buffer:sub_buffer: size must be a whole number, got "all"', said {size = "all"})
    assert.equal('buffer:sub_buffer: there is no option "length"; there are flags, offset, size',
      said {length = 4})
    assert.equal("buffer:sub_buffer: where must be a table of options (flags, offset, size), got 0", said(0))
    assert.matches('buffer:sub_buffer: there is no flag "fast"; there are alloc_host_ptr, copy_host_ptr, '
      .. 'host_no_access, host_read_only, host_write_only, read_only, read_write, use_host_ptr, write_only',
        said {flags =
        "fast"})
  end)
end)

describe("a buffer of an array", function()
  local add

  setup(function() add = context:program((require "kernels")):kernel "add" end)

  it("shares its memory with use_host_ptr: the array has the kernels' results while it is mapped", function()
    local numbers = numbered(4)
    local buffer = context:buffer(numbers, {"read_write", "use_host_ptr"})
    assert.equal(16, buffer.size)
    add(queue, 4, nil, buffer, 10)
    local mapped = queue:map_buffer(buffer, "float", "read")
    assert.same({10, 11, 12, 13}, mapped:table())
    assert.same({10, 11, 12, 13}, numbers:table())
    queue:unmap(mapped)
    mapped = queue:map_buffer(buffer, "float", "read", {offset = 8}) -- to the end
    assert.same({12, 13}, mapped:table())
    queue:unmap(mapped)
    mapped = queue:map_buffer(buffer, "float", "write")
    numbers:fill(1)
    queue:unmap(mapped)
    add(queue, 4, nil, buffer, 1)
    assert.same({2, 2, 2, 2}, contents(buffer))
  end)

  it("has a copy of its elements where the host may not write", function()
    local x = context:buffer(array.float {1, 2}, "host_read_only")
    local y = context:buffer(array.float {3, 4}, {"read_only", "host_no_access"})
    local out = context:buffer(8)
    queue:copy_buffer(y, out)
    assert.same({{1, 2}, {3, 4}}, {contents(x), contents(out)})
    assert.equal("clEnqueueReadBuffer", select(2, pcall(contents, y)).call)
    assert.equal("clEnqueueWriteBuffer", select(2, pcall(queue.write_buffer, queue, x, array.float(2))).call)
  end)

  it("has a copy of its elements, with and without copy_host_ptr", function()
    local numbers = numbered(4)
    for _, flags in ipairs {"copy_host_ptr", "read_write"} do
      local buffer = context:buffer(numbers, flags)
      numbers[0] = 7
      assert.same({0, 1, 2, 3}, contents(buffer))
      numbers[0] = 0
    end
  end)

  it("may outlive the array or be closed first, and fixes the array's size", function()
    local numbers = numbered(4)
    local buffer = context:buffer(numbers, "use_host_ptr")
    local done, problem = pcall(numbers.resize, numbers, 8)
    assert.is_false(done)
    assert.matches("float%[4%] is the memory of a buffer %(use_host_ptr%): it keeps its size", problem)
    buffer:close()
    assert.same({0, 1, 2, 3}, numbers:table())
    local again = context:buffer(numbers, "use_host_ptr")
    numbers = nil -- luacheck: ignore
    collectgarbage()
    collectgarbage()
    add(queue, 4, nil, again, 1)
    assert.same({1, 2, 3, 4}, contents(again))
  end)

  it("needs an array that is not empty and not mapped", function()
    assert.matches("CL_MEM_USE_HOST_PTR and CL_MEM_COPY_HOST_PTR need memory of the host",
      refusal(context.image, context, {width = 4, flags = "copy_host_ptr"}))
    assert.matches("a buffer of 0 bytes: it needs at least 1",
      refusal(context.buffer, context, array.float(0), "use_host_ptr"))
    local mapped = queue:map_buffer(context:buffer(16), "float")
    assert.equal("context:buffer: use_host_ptr: the array is mapped, so its memory belongs to another buffer",
      refusal(context.buffer, context, mapped, "use_host_ptr"))
  end)
end)

describe("an image of an array", function()
  local pixels

  local function needs_images()
    if not context.device.image_support then pending(context.device.name .. " has no images") end
    pixels = numbered(8)
  end

  local function read(image)
    local found = array.float(8)
    queue:read_image(image, found)
    return found:table()
  end

  it("has a copy of its pixels", function()
    needs_images()
    for _, flags in ipairs {"read_only", "copy_host_ptr"} do
      local image = context:image {width = 2, host_ptr = pixels, flags = flags}
      pixels[0] = 7
      assert.same({0, 1, 2, 3, 4, 5, 6, 7}, read(image))
      pixels[0] = 0
    end
  end)

  it("shares its memory with use_host_ptr: the array has its pixels while it is mapped", function()
    needs_images()
    local image = context:image {width = 2, height = 1, host_ptr = pixels, flags = "use_host_ptr"}
    queue:fill_image(image, 5)
    local mapped = queue:map_image(image, "float", "read")
    assert.same({5, 5, 5, 5, 5, 5, 5, 5}, mapped:table())
    assert.same(mapped:table(), pixels:table())
    queue:unmap(mapped)
    assert.matches("is the memory of a buffer %(use_host_ptr%): it keeps its size",
      select(2, pcall(pixels.resize, pixels, 4)))
    pixels = nil
    collectgarbage()
    collectgarbage()
    assert.same({5, 5, 5, 5, 5, 5, 5, 5}, read(image))
  end)

  it("is refused for the wrong size, type and options", function()
    needs_images()
    local function said(wanted) return refusal(context.image, context, wanted) end
    assert.matches("clCreateImage: CL_INVALID_VALUE %(%-30%): the image has 48 bytes, but the host's memory has 32",
      said {width = 3, host_ptr = pixels})
    assert.equal("context:image: host_ptr must be an array, got a buffer",
      said {width = 2, host_ptr = context:buffer(32)})
    assert.equal("context:image: buffer cannot be given with host_ptr: the pixels lie in the array, without gaps",
      said {width = 2, host_ptr = pixels, buffer = context:buffer(32)})
    assert.equal("context:image: row_pitch cannot be given with host_ptr: the pixels lie in the array, without gaps",
      said {width = 2, height = 1, host_ptr = pixels, row_pitch = 32})
    assert.matches("leave one of them out", said {width = 2, host_ptr = pixels, flags = {"use_host_ptr",
      "alloc_host_ptr"}})
  end)
end)

it("a memory flag may be given twice", function()
  local buffer = context:buffer(numbered(4), {"read_write", "read_write"})
  assert.same({0, 1, 2, 3}, contents(buffer))
  assert.equal(16, buffer:sub_buffer({flags = {"read_only", "read_only"}}).size)
end)

it("pinned memory is a mapping of a buffer that the host can reach", function()
  local pinned = queue:map_buffer(context:buffer(16, "alloc_host_ptr"), "float")
  local buffer = context:buffer(numbered(4))
  queue:read_buffer(buffer, pinned)
  assert.same({0, 1, 2, 3}, pinned:table())
  pinned:fill(5)
  queue:write_buffer(buffer, pinned)
  assert.same({5, 5, 5, 5}, contents(buffer))
end)

describe("a box of a buffer", function()
  local COLUMNS = 5 -- of a matrix of numbered floats with 4 rows
  local matrix

  before_each(function() matrix = context:buffer(numbered(4 * COLUMNS)) end)

  it("is read and written by rows", function()
    local tile = array.float(4)
    assert.equal(queue, queue:read_buffer_rect(matrix, tile, {region = {8, 2}, buffer_origin = {4, 1},
      buffer_row_pitch = 4 * COLUMNS}))
    assert.same({6, 7, 11, 12}, tile:table())
    queue:write_buffer_rect(matrix, array.float {0, 0, 100, 101, 0, 0, 102, 103}, {region = {8, 2},
      buffer_origin = {12, 2}, buffer_row_pitch = 4 * COLUMNS, host_origin = {8}, host_row_pitch = 16})
    local all = contents(matrix)
    assert.same({12, 100, 101}, {all[13], all[14], all[15]})
    assert.same({17, 102, 103}, {all[18], all[19], all[20]})
  end)

  it("has slices, and can be transferred without blocking", function()
    local found = array.float(2)
    local event = queue:read_buffer_rect(matrix, found, {region = {4, 1, 2}, buffer_origin = {8, 1, 0},
      buffer_row_pitch = 4 * COLUMNS, buffer_slice_pitch = 8 * COLUMNS, blocking = false})
    event:wait()
    assert.same({7, 17}, found:table())
  end)

  it("is copied, also within one buffer", function()
    local to = context:buffer(array.float(4))
    local event = queue:copy_buffer_rect(matrix, to, {region = {8, 2}, from_origin = {4, 1},
      from_row_pitch = 4 * COLUMNS})
    assert.equal(("event %d: a copy between buffers"):format(event.handle), tostring(event))
    assert.same({6, 7, 11, 12}, contents(to))
    queue:copy_buffer_rect(matrix, matrix, {region = {4, 2}, to_origin = {16}, from_row_pitch = 4 * COLUMNS,
      to_row_pitch = 4 * COLUMNS})
    local all = contents(matrix)
    assert.same({0, 5}, {all[5], all[10]})
  end)

  it("may end before the pitch of its last row", function()
    local odd, tile = context:buffer(array.uchar {1, 2, 9, 9, 3, 4}), array.uchar(4)
    queue:read_buffer_rect(odd, tile, {region = {2, 2}, buffer_row_pitch = 4})
    assert.same({1, 2, 3, 4}, tile:table())
  end)

  it("is refused if it has no size or is not inside the memory", function()
    local tile = array.float(4)
    local function said(where) return refusal(queue.read_buffer_rect, queue, matrix, tile, where) end
    assert.equal("queue:read_buffer_rect: give the box's size: region = {bytes, rows, slices}", said {})
    assert.matches("the buffer: a box of 8 bytes x 2 rows x 1 slices at %(16, 3, 0%) ends at byte",
      said {region = {8, 2}, buffer_origin = {16, 3}, buffer_row_pitch = 4 * COLUMNS})
    assert.matches("the host's memory: a box of 8 bytes x 3 rows x 1 slices at %(0, 0, 0%) ends at byte 24, but",
      said {region = {8, 3}, buffer_row_pitch = 4 * COLUMNS})
    assert.matches('queue:read_buffer_rect: there is no option "origin" %(is region meant%?%); there are '
      .. 'blocking, buffer_origin, buffer_row_pitch, buffer_slice_pitch, host_origin, host_row_pitch, '
      .. 'host_slice_pitch, region',
      said {region = {8, 2}, origin = {1}})
    assert.matches("the boxes overlap in the same buffer: copy by way of another buffer",
      refusal(queue.copy_buffer_rect, queue, matrix, matrix, {region = {8, 2}, to_origin = {4}}))
    assert.equal(
      "queue:write_buffer_rect: data must be an array, got a table; cl.array.float{...} makes one of a table",
      refusal(queue.write_buffer_rect, queue, matrix, {}, {region = {8}}))
  end)
end)

-- Runs a script on a driver. Gives what it printed.
local function printed(code, driver, env)
  return (support.ended(0, support.run_script(code, {}, support.drivers(driver, env))))
end

describe("memory that a script no longer uses", function()
  local size = 2 ^ 24 -- bytes; clue lets 64 MiB pile up

  -- The most objects of one kind that are alive while 20, or `count`, are made, used and dropped at once. PoCL finds
  -- the memory of buffers and images only when they are used.
  local function most_alive(make, count)
    local opened, most = handles.from_here(), 0
    for _ = 1, count or 20 do
      local made = make()
      if made.kind ~= "svm" then queue:migrate({made}) end
      most = math.max(most, opened.count())
    end
    return most
  end

  it("is freed in time, though the collector does not see it: buffers", function()
    assert.is_true(most_alive(function() return context:buffer(size) end) <= 10)
  end)

  it("is freed in time, though the collector does not see it: images", function()
    if not context.device.image_support then return pending "the device has no images" end
    local wanted = {width = 1024, height = 1024, order = "rgba", channel = "float"}
    assert.is_true(most_alive(function() return context:image(wanted) end) <= 10)
  end)

  it("is freed in time, though the collector does not see it: shared virtual memory", function()
    if #(context.device.svm_capabilities or {}) == 0 then return pending "the device has none" end
    assert.is_true(most_alive(function() return context:svm(size) end) <= 10)
  end)

  it("does not add up in a loop #once", function()
    if support.sanitized then return end -- a sanitizer keeps what is freed
    local out = printed([[
      local cl = require "clue"
      local context = cl.context()
      local queue, host = context:queue(), cl.array.char(2 ^ 26)
      for _ = 1, 8 do
        local buffer = context:buffer(2 ^ 26)
        queue:write_buffer(buffer, host)
      end
      for _ = 1, 8 do
        local image = context:image {width = 2048, height = 2048, channel = "float"}
        queue:write_image(image, host)
      end
      print(tonumber(io.open "/proc/self/status":read "*a":match "VmHWM:%s*(%d+)") / 2 ^ 20 <= 0.3)
    ]], "pocl")
    assert.equal("true\n", out)
  end)

  it("may be half as much again as what is in use, if a collection has much to go through", function()
    local kept, heap = {}, ("x"):rep(2 ^ 25)
    for i = 1, 20 do kept[i] = context:buffer(size) end
    queue:migrate(kept):wait()
    local most = most_alive(function() return context:buffer(size) end, 40)
    assert.is_true(most >= 10 and most <= 32, tostring(most))
    for _, each in ipairs(kept) do each:close() end
    assert.equal(2 ^ 25, #heap)
  end)
end)

describe("a lack of memory", function()
  -- PoCL would end the process in an assertion.
  for kind, make in pairs {
    buffers = "context:buffer(size)",
    images = 'context:image {width = 2048, height = 2048, channel = "float"}',
    ["shared virtual memory"] = "context:svm(size)",
  } do
    it("is an error that a script can handle, and freed memory can be used again: " .. kind .. " #once", function()
      if support.sanitized then return end -- a sanitizer ends the process instead
      local out = printed(([[
        local cl = require "clue"
        local context, size = cl.context(), 2 ^ 26 -- so much that the C library returns it to the system
        local queue, data = context:queue(), cl.array.char(size)
        local function use(made)
          if made.kind == "image" then return queue:write_image(made, data) end
          return made.kind == "svm" and queue:write_svm(made, data) or queue:write_buffer(made, data)
        end
        use(%s)
        local status = io.open "/proc/self/status":read "*a"
        local limit = tonumber(status:match "VmSize:%%s*(%%d+)") * 1024 + 2 ^ 29
        local set = os.execute(("prlimit --pid %%s --as=%%.0f"):format(status:match "\nPid:%%s*(%%d+)", limit))
        assert(set == 0 or set == true)
        local kept = {}
        local function fill()
          for i = 1, 20 do
            kept[i] = %s
            use(kept[i])
          end
        end
        local done, problem = pcall(fill)
        print(done, problem.code == -4 or problem.code == -6, #kept >= 4 and #kept <= 9)
        kept = {}
        for _ = 1, 3 do use(%s) end
        print "again"
      ]]):format(make, make, make), "pocl")
      assert.equal("false\ttrue\ttrue\nagain\n", out)
    end)
  end

  local enqueue = [[
    local cl = require "clue"
    local context = cl.context()
    local kernel = context:program "kernel void f(global float *x) {}":kernel "f"
    kernel:set_args(context:buffer(4))
    local dropped = context:buffer(4).handle
    local done, problem = pcall(kernel, context:queue(), 1)
    print(done, not done and problem.code or "", require "clue.binding".handle_kind(dropped))
  ]]

  it("at a command collects what is unused, and sends the command once more #once", function()
    for _, code in ipairs {-4, -6} do
      local fails = ("clEnqueueNDRangeKernel:%d"):format(code)
      assert.equal("true\t\tnil\n", printed(enqueue, "null", {CLUE_NULL_FAIL = fails .. ":1"}))
      assert.equal(("false\t%d\tnil\n"):format(code), printed(enqueue, "null", {CLUE_NULL_FAIL = fails}))
    end
  end)

  it("is not what other refusals of a command are #once", function()
    local out = printed(enqueue, "null", {CLUE_NULL_FAIL = "clEnqueueNDRangeKernel:-5:1"})
    assert.equal("false\t-5\tbuffer\n", out)
  end)
end)
