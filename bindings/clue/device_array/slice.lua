--- Parts of device arrays, in the words of Python's slices: "1:-1, ::2" takes the rows from 1 up to, not including, the
-- last one, and every second column. Numbers below 0 count from the end, a number alone takes one element and drops
-- the dimension, and dimensions that are not named are taken whole.
local argument = require "clue.argument"
local text = require "clue.text"

local slice = {}

local function refuse(given, part)
  argument.fail("\"%s\": \"%s\" is not a slice: write first:end:step, each of which may be left out, or an index",
    given, part)
end

-- One dimension's part: first, end and step as written; nil if left out. Step is false for an index alone.
local function parsed(given, part)
  local number = "%s*([+-]?%d*)%s*"
  local index = part:match "^%s*([+-]?%d+)%s*$"
  if index then return tonumber(index), nil, false end
  local first, stop, step = part:match("^" .. number .. ":" .. number .. "$")
  if not first then first, stop, step = part:match("^" .. number .. ":" .. number .. ":" .. number .. "$") end
  if not first then refuse(given, part) end
  for _, word in ipairs {first, stop, step or ""} do
    if word ~= "" and not tonumber(word) then refuse(given, part) end
  end
  return tonumber(first), tonumber(stop), tonumber(step) or 1
end

local function index_of(given, index, extent)
  local from_start = index < 0 and index + extent or index
  if from_start < 0 or from_start >= extent then
    argument.fail("\"%s\": index %d is outside of %s", given, index, text.count(extent, "element"))
  end
  return from_start
end

-- A limit of a slice, within -1 (or 0) to the extent: Python's rules.
local function bounded(limit, extent, least, most)
  if limit < 0 then limit = limit + extent end
  return math.max(least, math.min(limit, most))
end

-- The first index of a dimension, how many there are, and the step.
local function range_of(given, part, extent)
  local first, stop, step = parsed(given, part)
  if step == false then return index_of(given, first, extent), nil, 1 end
  if step == 0 then argument.fail("\"%s\": the step of \"%s\" is 0", given, part) end
  local forward = step > 0
  local least, most = forward and 0 or -1, forward and extent or extent - 1
  first = first and bounded(first, extent, least, most) or (forward and 0 or extent - 1)
  stop = stop and bounded(stop, extent, least, most) or (forward and extent or -1)
  local count = math.ceil((stop - first) / step)
  if count < 1 then
    argument.fail("\"%s\": \"%s\" takes nothing of %s", given, part, text.count(extent, "element"))
  end
  return first, count, step
end

--- A part of a view.
-- @tparam table view storage, offset, extents, strides
-- @tparam string given
-- @treturn table another view of the same memory
function slice.of(view, given)
  argument.text(given, "slice")
  local made = {storage = view.storage, offset = view.offset, extents = {}, strides = {}}
  local dimension = 0
  for part in (given .. ","):gmatch "([^,]*)," do
    dimension = dimension + 1
    local extent, stride = view.extents[dimension], view.strides[dimension]
    if not extent then
      argument.fail("\"%s\" has more parts than the array has dimensions, %d", given, #view.extents)
    end
    local first, count, step = range_of(given, part, extent)
    made.offset = made.offset + first * stride
    if count then
      made.extents[#made.extents + 1], made.strides[#made.strides + 1] = count, step * stride
    end
  end
  for i = dimension + 1, #view.extents do
    made.extents[#made.extents + 1], made.strides[#made.strides + 1] = view.extents[i], view.strides[i]
  end
  if #made.extents == 0 then made.extents, made.strides = {1}, {1} end
  return made
end

return slice
