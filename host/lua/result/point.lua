--- A point of a sweep: what its rows were measured with. A run of a sweep's document has one in its field `point`:
-- size (a text as for --size, nil: the walkthrough's own), set (values of parameters by name), options (of the
-- compiler), side ("A" or "B" if two lists of options are compared).
local lists = require "clue.shared.list"

local point = {}

--- A value as it is written: 8, not 8.0.
-- @param value number, text or boolean
-- @treturn string
function point.shown(value)
  return type(value) == "number" and ("%.14g"):format(value) or tostring(value)
end

--- Identifies a point: the same for equal points.
-- @tparam ?table it
-- @tparam[opt] bool without_size whether the size does not count
-- @treturn string "" for a run that is no point of a sweep
function point.key(it, without_size)
  it = it or {}
  local parts = {}
  if it.size and not without_size then parts[1] = "size=" .. it.size end
  for _, name in ipairs(lists.keys(it.set)) do parts[#parts + 1] = name .. "=" .. point.shown(it.set[name]) end
  if it.options then parts[#parts + 1] = "options=" .. it.options end
  return table.concat(parts, "|")
end

--- A point in words.
-- @tparam ?table it
-- @tparam[opt] table how size, options: false to leave it out; names: the parameters in their order
-- @treturn string "256, tile 8, wpt 2"
function point.label(it, how)
  it, how = it or {}, how or {}
  local parts = {}
  if it.size and how.size ~= false then parts[1] = it.size end
  for _, name in ipairs(how.names or lists.keys(it.set)) do
    local value = (it.set or {})[name]
    if value ~= nil then parts[#parts + 1] = name .. " " .. point.shown(value) end
  end
  if it.options and how.options ~= false then
    parts[#parts + 1] = it.options == "" and "no options" or it.options
  end
  return table.concat(parts, ", ")
end

return point
