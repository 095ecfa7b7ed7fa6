-- What transfers must do: to bytes in Lua tables, by OpenCL's rules. A memory has bytes (a list from 0, shared by a
-- buffer and its parts), base (where it begins in them) and size. Each function gives nil if the transfer must be
-- refused, and then changes nothing.
local steps = require "transfer.steps"

local model = {}

--- The bytes of a memory's array: they follow from its salt.
function model.salted(salt, i)
  return math.floor((salt * 31 + i * 7919 + math.floor(i / 251) * 17) % 256)
end

--- Makes the model's memories from those of steps.new.
function model.memories(list)
  local made = {}
  for i, each in ipairs(list) do
    local one = setmetatable({base = 0}, {__index = each})
    if each.kind == "image" then one.size = each.element * each.sizes[1] * each.sizes[2] * each.sizes[3] end
    if each.parent then
      one.bytes, one.base = made[each.parent].bytes, each.offset
    else
      one.bytes = {}
      for k = 0, one.size - 1 do one.bytes[k] = model.salted(i, k) end
    end
    made[i] = one
  end
  return made
end

local function inside(offset, size, all) return offset >= 0 and size >= 1 and offset + size <= all end

-- ---- boxes: a list of places, one for each byte of the region ----

-- Pitches as OpenCL completes them; nil if they are wrong.
local function pitches(region, side)
  local row = side.row == 0 and region[1] or side.row
  local slice = side.slice == 0 and row * region[2] or side.slice
  if row < region[1] or slice < row * region[2] or slice % row ~= 0 then return nil end
  return row, slice
end

-- The places of a box in a memory of `limit` bytes; nil if it is wrong or does not fit.
local function places(region, side, limit)
  local row, slice = pitches(region, side)
  if not row then return nil end
  local from = side.origin[1] + side.origin[2] * row + side.origin[3] * slice
  local list = {}
  for z = 0, region[3] - 1 do
    for y = 0, region[2] - 1 do
      for x = 0, region[1] - 1 do list[#list + 1] = from + z * slice + y * row + x end
    end
  end
  if list[#list] >= limit then return nil end
  return list
end

local function image_places(image, origin, region)
  local sizes, list, element = image.sizes, {}, image.element
  for k = 1, 3 do
    if not inside(origin[k], region[k], sizes[k]) then return nil end
  end
  for z = 0, region[3] - 1 do
    for y = 0, region[2] - 1 do
      local from = (((origin[3] + z) * sizes[2] + origin[2] + y) * sizes[1] + origin[1]) * element
      for x = 0, region[1] * element - 1 do list[#list + 1] = from + x end
    end
  end
  return list
end

model.image_places = image_places

local function from_to(first, count)
  local list = {}
  for i = 1, count do list[i] = first + i - 1 end
  return list
end

-- Bytes at places of one memory go to places of another.
local function move(source, from, target, to)
  local kept = {}
  for i, place in ipairs(from) do kept[i] = source.bytes[source.base + place] end
  for i, place in ipairs(to) do target.bytes[target.base + place] = kept[i] end
end

-- ---- host's arrays: places in bytes ----

local function host_part(data)
  local size = steps.sizes[data.type]
  if data.first + data.count > data.room then return nil end
  return data.first * size, data.count * size
end

-- ---- steps: they give the places in the memory and in the array ----

local function plain(memory, step)
  local first, bytes = host_part(step.data)
  if not first or not inside(step.offset, bytes, memory.size) then return nil end
  return from_to(step.offset, bytes), from_to(first, bytes)
end

local function rect(memory, step)
  local on, data = places(step.region, step.memory, memory.size), places(step.region, step.host, step.data.room)
  if not on or not data then return nil end
  return on, data
end

local function image(memory, step)
  local region, element = step.region, memory.element
  local on = image_places(memory, step.origin, region)
  local width = region[1] * element
  local row = step.row == 0 and width or step.row
  local slice = step.slice == 0 and row * region[2] or step.slice
  if not on or row < width or slice < row * region[2] then return nil end
  if step.row == 0 and step.slice == 0 and step.data.count ~= #on then return nil end -- clue's own rule
  local side = {origin = {0, 0, 0}, row = row, slice = slice}
  local data = {}
  for z = 0, region[3] - 1 do
    for y = 0, region[2] - 1 do
      for x = 0, width - 1 do data[#data + 1] = z * side.slice + y * side.row + x end
    end
  end
  if data[#data] >= step.data.room then return nil end
  return on, data
end

local shapes = {write = plain, read = plain, mql5_write = plain, mql5_read = plain, write_rect = rect, read_rect = rect,
  write_image = image, read_image = image}

--- Where a transfer's bytes are in memory and in the host's array.
function model.places(memories, step)
  return shapes[step.op](memories[step.on], step)
end

--- Copies the array's bytes into the memory.
function model.write(memory, on, data, salt)
  for i, place in ipairs(on) do memory.bytes[memory.base + place] = model.salted(salt, data[i]) end
end

local function overlap(a, from, b, to)
  if a.bytes ~= b.bytes then return false end
  local there = {}
  for _, place in ipairs(from) do there[a.base + place] = true end
  for _, place in ipairs(to) do
    if there[b.base + place] then return true end
  end
  return false
end

local function copy_places(a, from, b, to)
  if not from or not to or overlap(a, from, b, to) then return false end
  move(a, from, b, to)
  return true
end

-- What each changes; false if it must be refused.
model.commands = {
  copy = function(memories, step)
    local a, b = memories[step.from], memories[step.to]
    local fits = inside(step.from_offset, step.size, a.size) and inside(step.to_offset, step.size, b.size)
    return fits and copy_places(a, from_to(step.from_offset, step.size), b, from_to(step.to_offset, step.size))
  end,
  copy_rect = function(memories, step)
    local a, b = memories[step.from], memories[step.to]
    local row, slice = pitches(step.region, step.source)
    local other_row, other_slice = pitches(step.region, step.target)
    if a == b and (row ~= other_row or slice ~= other_slice) then return false end
    return copy_places(a, places(step.region, step.source, a.size), b, places(step.region, step.target, b.size))
  end,
  fill = function(memories, step)
    local memory, width = memories[step.on], step.data.room
    if not inside(step.offset, step.size, memory.size) or step.offset % width ~= 0 or step.size % width ~= 0 then
      return false
    end
    for i = 0, step.size - 1 do
      memory.bytes[memory.base + step.offset + i] = model.salted(step.data.salt, i % width)
    end
    return true
  end,
  copy_image = function(memories, step)
    local a, b = memories[step.from], memories[step.to]
    if a.order ~= b.order or a.channel ~= b.channel then return false end
    return copy_places(a, image_places(a, step.origin, step.region), b, image_places(b, step.target, step.region))
  end,
  image_to_buffer = function(memories, step)
    local a, b = memories[step.image], memories[step.buffer]
    local from = image_places(a, step.origin, step.region)
    if not from or not inside(step.offset, #from, b.size) then return false end
    return copy_places(a, from, b, from_to(step.offset, #from))
  end,
  buffer_to_image = function(memories, step)
    local a, b = memories[step.buffer], memories[step.image]
    local to = image_places(b, step.origin, step.region)
    if not to or not inside(step.offset, #to, a.size) then return false end
    return copy_places(a, from_to(step.offset, #to), b, to)
  end,
  fill_image = function(memories, step)
    local memory = memories[step.on]
    local on = image_places(memory, step.origin, step.region)
    if not on then return false end
    local channels = memory.order == "rgba" and 4 or 1
    local width = memory.element / channels
    for i, place in ipairs(on) do
      local at = (i - 1) % memory.element
      memory.bytes[place] = at % width == 0 and step.colour[math.floor(at / width) + 1] or 0
    end
    return true
  end,
}

return model
