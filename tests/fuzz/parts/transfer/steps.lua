-- Random transfers as a list of plain tables, made from a seed before anything runs, so that any of them can be left
-- out. Nearly all are right; some reach over an end, have a wrong pitch or overlap, and must be refused (model.lua says
-- which).
local chance = require "chance"

local steps = {}

local types = {"uchar", "char", "short", "ushort", "int", "uint", "long", "ulong", "float", "double"}
local sizes = {uchar = 1, char = 1, short = 2, ushort = 2, int = 4, uint = 4, long = 8, ulong = 8, float = 4,
  double = 8}

--- Bytes of an element.
steps.sizes = sizes

-- Buffers, two of their parts, and images. A part begins at a multiple of `alignment`.
local function choose_memories(random, alignment, images)
  local list = {}
  for i = 1, 3 do list[i] = {kind = "buffer", name = "b" .. i, size = alignment * 4 + random(900)} end
  for i = 1, 2 do
    local offset = alignment * (random(4) - 1)
    list[#list + 1] = {kind = "buffer", name = "s" .. i, parent = i, offset = offset,
      size = random(list[i].size - offset)}
  end
  local formats = {{"rgba", "unsigned_int8", 4}, {"r", "unsigned_int32", 4}, {"rgba", "unsigned_int32", 16},
    {"rgba", "unsigned_int16", 8}, {"rgba", "signed_int8", 4}}
  for i = 1, images and 4 or 0 do
    local format, flat = formats[random(i > 2 and 2 or #formats)], i % 2 == 1
    if i > 2 then format = formats[1] end
    list[#list + 1] = {kind = "image", name = "i" .. i, order = format[1], channel = format[2], element = format[3],
      sizes = {random(12), random(9), flat and 1 or 1 + random(4)}, flat = flat}
  end
  return list
end

--- Makes the list.
-- @tparam number seed
-- @tparam number count how many
-- @tparam number alignment of parts of buffers, in bytes
-- @tparam boolean images whether the device has them
-- @treturn {table,...} memories
-- @treturn {table,...} steps
function steps.new(seed, count, alignment, images)
  local random = chance.new(seed)
  local memories = choose_memories(random, alignment, images)
  local buffers, pictures = {}, {}
  for i, each in ipairs(memories) do table.insert(each.kind == "buffer" and buffers or pictures, i) end

  local function pick(list) return list[random(#list)] end

  -- A place and a length inside `all`; seldom one that reaches over its end.
  local function part(all)
    if random(12) == 1 then return random(all + 8) - 1, random(all + 8) end
    local from = random(all) - 1
    return from, random(all - from)
  end

  local function host(bytes) -- an array with room for these bytes, and the part of it
    local name = types[random(10)]
    local size = sizes[name]
    local count_ = math.max(math.floor(bytes / size), 1)
    local first = random(4) - 1
    local room = first + count_ + random(4) - 1
    if random(25) == 1 then room = math.max(room - 3, 1) end
    return {type = name, room = room, first = first, count = count_, salt = random(1000000)}
  end

  local function transfer(op)
    local to = pick(buffers)
    local offset, size = part(memories[to].size)
    return {op = op, on = to, offset = offset, data = host(size), blocking = random(2) == 1}
  end

  local function copy()
    local from, to = pick(buffers), pick(buffers)
    local offset, size = part(memories[from].size)
    local at = random(12) == 1 and random(memories[to].size) or random(math.max(memories[to].size - size, 1)) - 1
    return {op = "copy", from = from, to = to, from_offset = offset, to_offset = at, size = size}
  end

  local function fill()
    local on, width = pick(buffers), pick {1, 2, 4, 8, 16, 32}
    local offset, size = part(memories[on].size)
    if random(10) > 1 then
      offset, size = offset - offset % width, math.max(size - size % width, width)
    end
    local data = {type = "uchar", room = width, salt = random(1000000)}
    return {op = "fill", on = on, offset = offset, size = size, data = data}
  end

  local function box(limit) -- of at most `limit` bytes; its row and slice pitch
    local region = {random(20), random(5), random(3)}
    while region[1] * region[2] * region[3] > limit do
      for i = 1, 3 do region[i] = math.max(math.floor(region[i] / 2), 1) end
    end
    return region
  end

  local function side(region, limit) -- origin and pitches of one memory
    local row = random(2) == 1 and 0 or region[1] + random(6) - 1
    local slice = random(2) == 1 and 0 or math.max(row, region[1]) * (region[2] + random(3) - 1)
    if random(25) == 1 then row = math.max(region[1] - 2, 1) end
    if random(25) == 1 then slice = slice + 1 end
    local height, depth = region[2], region[3]
    local pitch = math.max(row, region[1])
    local whole = math.max(slice, pitch * height)
    local last = (depth - 1) * whole + (height - 1) * pitch + region[1]
    local origin, left = {0, 0, 0}, limit - last
    if left > 0 and random(10) > 1 then
      origin[1] = random(math.min(left, 8)) - 1
      left = left - origin[1]
      if left >= pitch then origin[2] = random(math.min(math.floor(left / pitch), 3) + 1) - 1 end
    elseif random(4) == 1 then
      origin = {random(30), random(10), random(3)}
    end
    return {origin = origin, row = row, slice = slice}
  end

  local function rect(op)
    local on = pick(buffers)
    local region = box(memories[on].size)
    local bytes = region[1] * region[2] * region[3] * 3 + 64
    return {op = op, on = on, region = region, memory = side(region, memories[on].size), host = side(region, bytes),
      data = {type = "uchar", room = bytes, salt = random(1000000)}, blocking = random(2) == 1}
  end

  local function copy_rect()
    local from, to = pick(buffers), pick(buffers)
    local region = box(math.min(memories[from].size, memories[to].size))
    return {op = "copy_rect", from = from, to = to, region = region, source = side(region, memories[from].size),
      target = side(region, memories[to].size)}
  end

  local function map()
    local on, name = pick(buffers), types[random(10)]
    local size = sizes[name]
    local offset, bytes = part(memories[on].size)
    if random(15) > 1 then offset = offset - offset % size end
    return {op = "map", on = on, type = name, offset = offset, count = math.max(math.floor(bytes / size), 1),
      access = pick {"read", "write", "both", "write_invalidate_region"}, salt = random(1000000)}
  end

  local function mql5(op)
    local on = pick(buffers)
    local offset, size = part(memories[on].size)
    return {op = op, on = on, offset = offset, data = host(size)}
  end

  -- ---- images ----

  local function region_of(i)
    local origin, region = {}, {}
    for k = 1, 3 do origin[k], region[k] = part(memories[i].sizes[k]) end
    if memories[i].flat and random(30) > 1 then origin[3], region[3] = 0, 1 end
    return origin, region
  end

  local function image_transfer(op)
    local on = pick(pictures)
    local origin, region = region_of(on)
    local width = memories[on].element * region[1]
    local row = random(2) == 1 and 0 or width + memories[on].element * (random(3) - 1)
    local slice = row > 0 and not memories[on].flat and random(2) == 1 and row * (region[2] + random(2) - 1) or 0
    local pitch = math.max(row, width)
    local room = math.max(slice, pitch * region[2]) * region[3]
    if random(25) == 1 then room = math.max(room - 1, 1) end
    return {op = op, on = on, origin = origin, region = region, row = row, slice = slice, blocking = random(2) == 1,
      data = {type = "uchar", room = room, first = 0, count = room, salt = random(1000000)}}
  end

  local function image_copy()
    local from, to = pick(pictures), pick(pictures)
    local origin, region = region_of(from)
    local target = {}
    for k = 1, 3 do
      target[k] = random(12) == 1 and random(4) or random(math.max(memories[to].sizes[k] - region[k], 0) + 1) - 1
    end
    if memories[to].flat and random(30) > 1 then target[3] = 0 end
    return {op = "copy_image", from = from, to = to, origin = origin, region = region, target = target}
  end

  local function image_buffer(op)
    local image, buffer = pick(pictures), pick(buffers)
    local origin, region = region_of(image)
    local bytes = region[1] * region[2] * region[3] * memories[image].element
    local offset = random(12) == 1 and random(memories[buffer].size)
      or random(math.max(memories[buffer].size - bytes, 0) + 1) - 1
    return {op = op, image = image, buffer = buffer, origin = origin, region = region, offset = offset}
  end

  local function image_fill()
    local on = pick(pictures)
    local origin, region = region_of(on)
    return {op = "fill_image", on = on, origin = origin, region = region,
      colour = {random(100), random(100), random(100), random(100)}}
  end

  local function image_map()
    local on = pick(pictures)
    local origin, region = region_of(on)
    return {op = "map_image", on = on, origin = origin, region = region, write = random(2) == 1, salt = random(1000000)}
  end

  local ways = {
    function() return transfer "write" end, function() return transfer "write" end,
    function() return transfer "read" end, copy, copy, fill, function() return rect "write_rect" end,
    function() return rect "read_rect" end, copy_rect, map, function() return mql5 "mql5_write" end,
    function() return mql5 "mql5_read" end, function() return {op = "check"} end,
  }
  if images then
    for _, way in ipairs {image_copy, image_fill, image_map} do ways[#ways + 1] = way end
    for _, op in ipairs {"write_image", "read_image"} do ways[#ways + 1] = function() return image_transfer(op) end end
    for _, op in ipairs {"image_to_buffer", "buffer_to_image"} do
      ways[#ways + 1] = function() return image_buffer(op) end
    end
  end
  local list = {}
  for i = 1, count do
    list[i] = pick(ways)()
    list[i].queue, list[i].wait = random(2), random(5) == 1
  end
  return memories, list
end

return steps
