--- What MQL5's functions take as an array: a typed array, an array of structs, an array that is a field of a struct,
-- and COpenCL's lists of handles and names. An array may have several dimensions: a typed one rows and columns
-- (a:reshape), a field as many as are declared. As in MQL5, lengths, indices and counts are then those of all its
-- elements, and only what changes the first dimension (ArrayResize, ArrayInsert and their kin) counts rows.
--
-- A view is an array's memory: memory, a typed array (of uchar for structs); at, where the elements begin there;
-- count, how many there are; unit, the elements of memory in each; bytes, the size of each; type, its name; of, what
-- is equal for two arrays whose elements have one type.
-- @module clue.mql5.elements
local argument = require "clue.argument"
local array = require "clue.array"
local binding = require "clue.binding"
local check = require "clue.mql5.check"
local place = require "clue.struct.place"
local shapes = require "clue.shape"
local shown = require "clue.shown"
local text = require "clue.text"

local elements = {}

-- ---- COpenCL's lists --------------------------------------------------------------------------------------------

local list_meta = {} -- by what is in an empty place

--- Makes a list of COpenCL: a Lua table that counts from 0, of handles or texts.
-- @param empty what new places have
-- @treturn table
function elements.list(empty)
  list_meta[empty] = list_meta[empty]
    or {kind = "list", empty = empty, shown = function() return "a list of COpenCL" end}
  return setmetatable({}, list_meta[empty])
end

local function is_list(given)
  return shown.kind_of(given) == "list"
end

elements.is_list = is_list

local function list_length(list)
  local count = 0
  while list[count] ~= nil do count = count + 1 end
  return count
end

-- ---- memory -----------------------------------------------------------------------------------------------------

local function is_in_struct(given)
  return shown.kind_of(given) == "struct array"
end

--- The memory of an array. Raises for what is none.
-- @tparam string name of the function
-- @tparam number position of the argument, from 1
-- @param given the argument
-- @tparam[opt] boolean or_struct takes one struct, too
-- @treturn table a view
function elements.view(name, position, given, or_struct)
  local memory, at, size, count, element = place.of(given)
  if not memory or not (or_struct or is_in_struct(given)) then
    local type = check.array(name, position, given):type()
    return {memory = given, at = 0, count = #given, unit = 1, bytes = binding.type_sizes[type], type = type, of = type}
  end
  check.array(name, position, memory)
  while element.kind == "array" do
    count, size, element = count * element.count, element.of.size, element.of
  end
  return {memory = memory, at = at, count = count, unit = size, bytes = size, type = element.name,
          of = element.members and element or element.name}
end

--- Whether the elements of an array are numbers.
-- @tparam table view
-- @treturn boolean
function elements.is_number(view)
  return binding.type_codes[view.of] ~= nil
end

local is_number = elements.is_number

--- Whether elements of one array can be copied to the other.
-- @tparam table target a view
-- @tparam table source a view
-- @treturn boolean
function elements.alike(target, source)
  return target.of == source.of or is_number(target) and is_number(source)
end

--- Bytes of elements.
-- @tparam table view
-- @tparam number start the first element
-- @tparam number count
-- @treturn string
function elements.get(view, start, count)
  return (binding.array_bytes(view.memory, view.at + start * view.unit, count * view.unit))
end

--- Sets bytes of elements.
-- @tparam table view
-- @tparam number start the first element
-- @tparam string bytes of whole elements
function elements.put(view, start, bytes)
  binding.array_set_bytes(view.memory, view.at + start * view.unit, bytes)
end

-- Whether the memory's elements are the array's.
local function is_typed(view)
  return view.of == view.memory:type()
end

-- Numbers as a typed array, and where they begin there; most of a struct are copied.
local function typed(view, start, count)
  if is_typed(view) then return view.memory, view.at + start end
  local copy = array[view.type](count)
  binding.array_set_bytes(copy, 0, elements.get(view, start, count))
  return copy, 0
end

--- The numbers of an array as a typed array; those of a struct are copied. Raises for structs.
-- @tparam string name of the function
-- @tparam number position of the argument, from 1
-- @param given the argument
-- @treturn array
function elements.numbers(name, position, given)
  local view = elements.view(name, position, given)
  if not is_number(view) then check.refuse(name, position, "array of numbers", given) end
  if not is_in_struct(given) then return given end
  local numbers, first = typed(view, 0, view.count)
  return numbers:copy(first, view.count)
end

--- Sets elements to one number. Raises if the type cannot hold it, and for structs.
-- @tparam string name of the function
-- @param given its first argument
-- @tparam number value
-- @tparam[opt=0] number start
-- @tparam[opt] number count all, if neither is given
-- @treturn number how many elements the array has
function elements.fill(name, given, value, start, count)
  local view = elements.view(name, 1, given)
  if not is_number(view) then
    check.refuse(name, 1, "array of numbers", given, "ZeroMemory(a) makes all fields 0")
  end
  if not is_in_struct(given) then
    given:fill(value, start, count)
    return view.count
  end
  start, count = start or 0, count or view.count
  local reason = elements.outside(view.count, "element", start, count)
  if reason then argument.fail("%s", reason) end
  elements.put(view, start, (binding.array_bytes(array[view.type](count, value), 0, count)))
  return view.count
end

--- Copies elements, and converts numbers. Raises if the target's type cannot hold one.
-- @tparam table target a view
-- @tparam number target_start
-- @tparam table source a view, alike
-- @tparam number source_start
-- @tparam number count
function elements.copy(target, target_start, source, source_start, count)
  local to, from, same = target.memory, source.memory, target.of == source.of
  if same and to:type() == from:type() or is_typed(target) and is_typed(source) then
    to:copy_from(from, source.at + source_start * source.unit, target.at + target_start * target.unit,
      count * source.unit)
  elseif same then
    elements.put(target, target_start, elements.get(source, source_start, count))
  else
    local numbers, first = typed(source, source_start, count)
    local converted = array[target.type](count):copy_from(numbers, first, 0, count)
    elements.put(target, target_start, (binding.array_bytes(converted, 0, count)))
  end
end

-- ---- dimensions -------------------------------------------------------------------------------------------------

--- The extents of an array.
-- @param given a typed array, or an array of structs or in a struct
-- @treturn {number,...} by dimension, from 1
function elements.dimensions(given)
  local _, _, _, count, element = place.of(given)
  if not count then
    if given:rows() then return {given:rows(), given:columns()} end
    return {#given}
  end
  local extents = {count}
  while element.kind == "array" do extents[#extents + 1], element = element.count, element.of end
  return extents
end

--- How many elements each row has.
-- @param given as for @{dimensions}
-- @treturn number 1 if there are no rows
-- @treturn string what the first dimension counts, "row" or "element"
-- @treturn number its extent
function elements.row(given)
  local extents, columns = elements.dimensions(given), 1
  for i = 2, #extents do columns = columns * extents[i] end
  return columns, #extents > 1 and "row" or "element", extents[1]
end

--- Why a part is not inside an array.
-- @tparam number total how many elements or rows there are
-- @tparam string what "element" or "row"
-- @tparam number start
-- @tparam number count
-- @treturn ?string nil if it is inside, and begins before the end
function elements.outside(total, what, start, count)
  if start < 0 or start >= total then
    return ("start %s is outside the array of %s"):format(check.show(start), text.count(total, what))
  elseif count < 0 or start + count > total then
    return ("start %s and count %s go past the array's %s"):format(check.show(start), check.show(count),
      text.count(total, what))
  end
end

--- How many elements an array has, in all dimensions.
-- @tparam string name of the function
-- @param given its first argument
-- @treturn number
function elements.length(name, given)
  if is_list(given) then return list_length(given) end
  return elements.view(name, 1, given).count
end

--- Changes the extent of the first dimension. Raises if the array cannot have another.
-- @param given a typed array, an array of structs or a list
-- @tparam number rows
function elements.resize(given, rows)
  if is_list(given) then
    for i = list_length(given), rows - 1 do given[i] = getmetatable(given).empty end
    for i = list_length(given) - 1, rows, -1 do given[i] = nil end
    return
  end
  local columns = not is_in_struct(given) and given:columns()
  given:resize(rows * (columns or 1))
  if columns then given:reshape(rows, columns) end
end

--- Whether an array keeps its length, since it lies in other memory, or that is in use.
-- @param given a typed array, or an array of structs or in a struct
-- @treturn boolean
function elements.is_fixed(given)
  local memory, _, _, _, _, is_owner = place.of(given)
  if memory and not is_owner then return true end
  memory = memory or given
  return (binding.array_owner(memory) or shapes.owner(memory)) ~= nil
end

--- Makes room for a number of elements, by whole rows.
-- @param given a typed array or an array of structs
-- @tparam number count
function elements.grow(given, count)
  local columns, _, rows = elements.row(given)
  if count > rows * columns then elements.resize(given, math.ceil(count / math.max(columns, 1))) end
end

return elements
