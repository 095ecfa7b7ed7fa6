-- Makes clue.ffi.generated, the mechanical part of this binding, from binding.def:
--   generate.lua DEFINITION.LUA BINDING.DEF OUTPUT
-- Only the build runs it. A template contains $name (the parameter), $call (the function), $1, $2, ... (the positions
-- of the parameter's arguments) and $list (a list of words).
local reader, table_path, output = ...
local definition = dofile(reader)
local fill = definition.fill

-- How each kind of parameter is checked. `makes` names the check's results, and `none` replaces them for nil; `more`
-- is done besides, `after` once the call has succeeded. For what C is given, see definition.call.
local kinds = {
  int = {check = 'int($name, $1, "$call")'},
  long = {check = 'long($name, $1, "$call")'},
  constant = {check = 'int($name, $1, "$call")'},
  number = {check = 'typed($name, "number", $1, "$call")'},
  text = {check = 'text($name, $1, "$call")'},
  bytes = {check = 'typed($name, "string", $1, "$call")', gives = "$name, #$name"},
  word = {makes = "$name_code", check = 'word($name, words.$list, $1, "$call")'},
  ints = {makes = "$name_cells, $name_count", check = 'ints($name, $1, "$call")'},
  pairs = {makes = "$name_cells, $name_count", none = "nil, 0", check = 'text_pairs($name, $1, "$call")'},
  colour = {makes = "$name_cells", check = 'four_numbers($name, $1, "$call")'},
  array = {
    makes = "$name_bytes", check = 'element_size(array($name, $1, "$call")) * $name._count',
    data = "$name._data", size = "$name_bytes",
  },
  lent = {
    makes = "$name_bytes", check = 'element_size(array($name, $1, "$call")) * $name._count',
    more = {"memory_out[0] = $name._mapping"}, leads = "memory_out", after = "$name._mapping = memory_out[0]",
    data = "$name._data", size = "$name_bytes",
  },
  part = {
    makes = "$name_element", check = 'element_size(array($name, $1, "$call"))',
    more = {'inside($name, first, count, $2, "$call")'},
    data = "$name._data + first", size = "count * $name_element",
  },
  blocking = {makes = "event_out", check = "blocking == false and int_out or nil", gives = false},
  range = {
    check = 'int(dimensions, $1, "$call")',
    more = {'local offset_cells, global_cells, local_cells = range(dimensions, offset, global, local_, $2, "$call")'},
    gives = "dimensions, offset_cells, global_cells, local_cells",
  },
  box = {makes = "origin_cells, region_cells", check = 'range(3, origin, region, nil, $1, "$call")'},
  boxes = {
    makes = "from_cells, region_cells, to_cells", check = 'range(3, from_origin, region, to_origin, $1, "$call")',
    gives = "from_cells, to_cells, region_cells",
  },
  rect = {
    check = 'set_rect(range(3, from_origin, region, to_origin, $1, "$call"))',
    more = {
      'rect.from_row_pitch = long(from_row, $4, "$call")', 'rect.from_slice_pitch = long(from_slice, $5, "$call")',
      'rect.to_row_pitch = long(to_row, $6, "$call")', 'rect.to_slice_pitch = long(to_slice, $7, "$call")',
    },
  },
  image_part = {
    check = 'set_image_part(range(3, origin, region, nil, $1, "$call"))',
    more = {
      'image_part.row_pitch = long(row_pitch, $3, "$call")', 'image_part.slice_pitch = long(slice_pitch, $4, "$call")',
    },
  },
  shape = {
    check = 'shape.type = int(type, $1, "$call")',
    more = {
      'shape.order = int(order, $2, "$call")', 'shape.channel = int(channel, $3, "$call")',
      'shape.width = long(width, $4, "$call")', 'shape.height = long(height, $5, "$call")',
      'shape.depth = long(depth, $6, "$call")', 'shape.array_size = long(array_size, $7, "$call")',
      "shape.buffer, shape.row_pitch = 0, 0",
    },
  },
  place = {
    check = 'shape.buffer = int(buffer, $1, "$call")', more = {'shape.row_pitch = long(row_pitch, $2, "$call")'},
    gives = false,
  },
}

-- Where C writes each kind of result, and what Lua is given of it.
local results = {
  int = {out = "int_out", read = "$out[0]"},
  long = {out = "long_out", read = "tonumber($out[0])"},
  number = {out = "double_out", read = "$out[0]"},
  text = {out = "text_out", read = "string($out[0])"},
  flag = {out = "int_out", read = "$out[0] == 1"},
  address = {out = "pointer_out", read = 'tonumber(cast("uintptr_t", $out[0]))'},
  word = {out = "int_out", read = "words.$list.word[$out[0]]"},
}

-- What Lua is given of a result that C returns.
local returned = {
  int = "return ($returned)",
  long = "return (tonumber($returned))",
  number = "return ($returned)",
  flag = "return $returned == 1",
  word = "return words.$list.word[$returned]",
  nothing = "$returned",
  text = "local found = $returned\n  if found == nil then return nil end\n  return (string(found))",
  positive = "local found = $returned\n  if found <= 0 then return nil end\n  return found",
}

local lines = {}

local function add(template, values)
  lines[#lines + 1] = "  " .. fill(template, values or {})
end

local function add_check(parameter, made)
  local kind, values = kinds[parameter.kind], definition.values(parameter, made)
  local none = parameter.default or kind.none
  if not parameter.optional then
    add((kind.makes and "local " .. kind.makes .. " = " or "") .. kind.check, values)
  elseif kind.makes then
    add("local " .. kind.makes .. " = " .. none, values)
    add("if $name ~= nil then " .. kind.makes .. " = " .. kind.check .. " end", values)
  else
    add("if $name ~= nil then " .. kind.check .. (none and " else $name = " .. none or "") .. " end", values)
  end
  for _, line in ipairs(kind.more or {}) do add(line, values) end
end

-- The size first, then as many bytes.
local function add_bytes(made)
  local function ask(...) return {call = definition.call(made, kinds, {"long_out"}, {...})} end
  add("if C.$call ~= 0 then return nil end", ask("nil", "0"))
  add "local bytes, room = room_for(long_out)"
  add("if room > 0 and C.$call ~= 0 then return nil end", ask("bytes", "room"))
  add "return (string(bytes, math.min(room, tonumber(long_out[0]))))"
end

local most = {} -- how many places of each kind one function needs

-- Places for the results, and what is read there.
local function places_of(made)
  local places, reads, used = {}, {}, {}
  for i, result in ipairs(made.results) do
    local kind = results[result.kind]
    if kind then
      used[kind.out] = (used[kind.out] or 0) + 1
      most[kind.out] = math.max(most[kind.out] or 0, used[kind.out])
      places[i] = kind.out .. (used[kind.out] > 1 and used[kind.out] or "")
      reads[i] = fill(kind.read, {out = places[i], list = result.list and result.list.name})
    elseif result.kind == "event" then
      places[i], reads[i] = "event_out", "event_out == nil or int_out[0]"
    else
      reads[i] = "true" -- done
    end
  end
  return places, reads
end

local function add_returned(made)
  local first = made.results[1]
  local call = "C." .. definition.call(made, kinds, {})
  add(returned[first.kind], {returned = call, list = first.list and first.list.name})
end

-- LuaJIT's compiler may read a number from its place again where it is used, after a later call has changed it: of
-- `stop - start`, with two results of one function, it made 0. A store behind the reading keeps it from that.
local function add_reads(made, places, reads)
  for i, result in ipairs(made.results) do
    if result.kind == "int" or result.kind == "number" then
      add("local $value = $read", {value = "value" .. i, read = reads[i]})
      reads[i] = "value" .. i
    end
  end
  for i, result in ipairs(made.results) do
    if result.kind == "int" or result.kind == "number" then add("$place[0] = 0", {place = places[i]}) end
  end
end

local function add_call(made)
  local places, reads = places_of(made)
  add("if C.$call ~= 0 then return nil end", {call = definition.call(made, kinds, places)})
  for _, parameter in ipairs(made.parameters) do
    local after = kinds[parameter.kind].after
    if after then add(after, definition.values(parameter, made)) end
  end
  add_reads(made, places, reads)
  local one = #reads == 1 and reads[1]:find "%("
  add("return " .. (one and "(%s)" or "%s"):format(table.concat(reads, ", ")))
end

local function add_function(made)
  local arguments = {}
  for _, parameter in ipairs(made.parameters) do
    for _, name in ipairs(parameter.arguments) do arguments[#arguments + 1] = name end
  end
  lines[#lines + 1] = "\n-- " .. made.line
  lines[#lines + 1] = ("function binding.%s(%s)"):format(made.name, table.concat(arguments, ", "))
  for _, parameter in ipairs(made.parameters) do add_check(parameter, made) end
  local give = made.returns and add_returned or made.results[1].kind == "bytes" and add_bytes or add_call
  give(made)
  lines[#lines + 1] = "end"
end

-- ---- the file ---------------------------------------------------------------------------------------------------

local head = [[
-- Generated from binding.def: the functions that only translate, and the lists of words. `functions` belongs into the
-- binding; ffi/argument.lua says how arguments are refused. What C writes is copied out before the next call.
local ffi = require "ffi"
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local element_size = require("clue.ffi.element").size_of
local range = require "clue.ffi.range"
local structs = require "clue.ffi.structs"

local int, long, text, typed, ints = argument.int, argument.long, argument.text, argument.typed, argument.ints
local word, text_pairs, four_numbers = argument.word, argument.pairs, argument.colour
local array, inside = argument.array, argument.range
local shape, rect, image_part = structs.shape, structs.rect, structs.image_part
local set_rect, set_image_part = structs.set_rect, structs.set_image_part
local string, cast = ffi.string, ffi.cast

local memory_out = ffi.new("int32_t[1]")

local function room_for(size_out)
  local room = tonumber(size_out[0])
  return ffi.new("char[?]", math.max(room, 1)), room
end

-- Words by code, codes by word.
local words = {}

local function add_words(name, what, codes)
  local list = {what = what, code = codes, word = {}}
  for each, code in pairs(codes) do list.word[code] = each end
  words[name] = list
end
]]

local place_types = {{"int_out", "int32_t[1]"}, {"long_out", "int64_t[1]"}, {"double_out", "double[1]"},
  {"text_out", "const char *[1]"}, {"pointer_out", "void *[1]"}}

local function place_lines()
  local made = {}
  for _, place in ipairs(place_types) do
    for i = 1, most[place[1]] or 0 do
      made[#made + 1] = ('local %s%s = ffi.new("%s")'):format(place[1], i > 1 and i or "", place[2])
    end
  end
  return table.concat(made, "\n")
end

local function add_words(list)
  lines[#lines + 1] = ('add_words("%s", "%s", {'):format(list.name, list.what)
  for _, each in ipairs(list) do add("$word = C.$code,", each) end
  lines[#lines + 1] = "})"
end

local lists, functions = definition.read(table_path)
lines[#lines + 1] = head
for _, list in ipairs(lists) do add_words(list) end
lines[#lines + 1] = "\nlocal binding = {}"
local places_at = #lines + 1
for _, made in ipairs(functions) do add_function(made) end
lines[#lines + 1] = "\nreturn {functions = binding, words = words}"
table.insert(lines, places_at, place_lines())
definition.write(output, lines)
