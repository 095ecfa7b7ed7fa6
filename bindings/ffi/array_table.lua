--- Arrays from Lua tables, and the other way. Each type has loops of its own, since LuaJIT compiles a loop for the
-- first type that it sees in it.
local ffi = require "ffi"
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local element = require "clue.ffi.element"
local new_table = require "table.new"

-- Some versions of LuaJIT compile next() wrongly. So the executable has another one, which takes six times as long; the
-- original may only be used by functions that are not compiled.
local next = debug.getregistry()["clue.next"] or next

local binding = {}

-- Stores numbers until the first one that is not stored as simply as this; returns its index.
local LOAD = [[
local type, abs, floor = type, math.abs, math.floor
return function(data, elements, first, count, low, high)
  for i = first, count do
    local value = elements[i]
    if not (type(value) == "number" and %s) then return i end
    data[i - 1] = value
  end
end]]

-- Copies elements until the first one that is not read as simply as this; returns its index.
local SAVE = [[
local tonumber, read = ...
return function(elements, data, first, count, low, high)
  for i = first, count do
    %s
    elements[i] = value
  end
end]]

local tests = {float = "abs(value) <= high", double = "true",
  whole = "value >= low and value <= high and floor(value) == value"}
local direct, by_call = "local value = data[i - 1]", "local value = read(data, i - 1)"
local wide = direct .. " if not (value > low and value < high) then return i end value = tonumber(value)"
local lines = {long = wide, ulong = wide:gsub("value > low and ", ""), float = by_call, double = by_call}

local loaders, savers, bounds = {}, {}, {}
for _, layout in ipairs(element.layouts) do
  loaders[layout.code] = assert(loadstring(LOAD:format(tests[layout.writer or "whole"])))()
  savers[layout.code] = assert(loadstring(SAVE:format(lines[layout.reader] or direct)))(tonumber,
    element["read_" .. layout.name])
  local limit = layout.reader == "long" and "int64_t" or "uint64_t"
  bounds[layout.code] = {layout.low, layout.high, ffi.cast(limit, layout.low), ffi.cast(limit, layout.high)}
end
local half, double = C.CLUE_HALF, C.CLUE_DOUBLE

-- Half is stored and read by way of doubles, all at once.
local function doubles(count)
  return ffi.new("double[?]", count)
end

local function load_halfs(self, elements, first)
  local count = self._count - first + 1
  local room = doubles(count)
  local stop = loaders[double](room - (first - 1), elements, first, self._count) or self._count + 1
  local done = tonumber(C.clue_array_convert(self._data + first - 1, half, room, double, stop - first))
  if done >= 0 then return first + done end
  return stop <= self._count and stop or nil
end

--- Stores the numbers of a table, as long as the type holds them.
-- @tparam array self
-- @tparam table elements
-- @tparam number first the index, from 1, of the first to store
-- @treturn ?number the index of the first that it did not store, nil if there is none
function binding.array_load_table(self, elements, first)
  local code = argument.array(self, 1, "array_load_table")
  argument.typed(elements, "table", 2, "array_load_table")
  argument.long(first, 3, "array_load_table")
  argument.range(self, first - 1, self._count - first + 1, 3, "array_load_table")
  if code == half then return (load_halfs(self, elements, first)) end
  local bound = bounds[code]
  return (loaders[code](self._data, elements, first, self._count, bound[1], bound[2]))
end

-- Copies elements that are not read simply, one by one: those of 64 bits from 2^53 on.
local function save_wide(elements, self, code)
  local bound, count = bounds[code], self._count
  local stop = savers[code](elements, self._data, 1, count, bound[3], bound[4])
  while stop do
    local read, value = pcall(function() return self[stop - 1] end)
    if not read then return stop - 1 end
    elements[stop] = value
    stop = savers[code](elements, self._data, stop + 1, count, bound[3], bound[4])
  end
end

--- A table of the elements.
-- @tparam array self
-- @treturn ?table nil if a double cannot hold an element
-- @treturn ?number the index of that element
function binding.array_to_table(self)
  local code, count = argument.array(self, 1, "array_to_table"), self._count
  local elements, data = new_table(count, 0), self._data
  if code == half then
    data, code = doubles(count), double
    C.clue_array_convert(data, double, self._data, half, count)
  end
  if code == C.CLUE_LONG or code == C.CLUE_ULONG then
    local inexact = save_wide(elements, self, code)
    if inexact then return nil, inexact end
  else
    savers[code](elements, data, 1, count)
  end
  return elements
end

--- How many keys a table has.
-- @tparam table given
-- @treturn number
function binding.table_keys(given)
  argument.typed(given, "table", 1, "table_keys")
  local count = 0
  for _ in next, given do count = count + 1 end
  return count
end
jit.off(binding.table_keys)

return binding
