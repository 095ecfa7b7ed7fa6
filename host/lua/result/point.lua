--- What was measured: a row's problem, and the point of a sweep. A run of a sweep's document has a point in its field
-- `point`: size (a text as for --size, nil: the walkthrough's own), set (values of parameters by name), options (of the
-- compiler), side ("A" or "B" if two lists of options are compared).
--
-- Parameters with one meaning everywhere: row, of a document.
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

--- What a run was measured with: the point of a sweep, or the options of an ordinary walk.
-- @tparam table run
-- @tparam table document that has it
-- @treturn table
function point.of(run, document)
  if run.point then return run.point end
  local options, set = document.options or {}, {}
  for _, text in ipairs(options.set or {}) do
    local name, value = text:match "^([^=]+)=(.*)$"
    if name then set[name] = value:find "^%d+$" and tonumber(value) or value end
  end
  return {size = options.size, set = set}
end

-- ---- the problem of a row ----

--- The size in words.
-- @treturn string "k=480 m=480"; the problem if the row does not tell its size, "" if it tells neither
function point.size(row)
  if type(row.size) ~= "table" then return row.size and tostring(row.size) or row.problem or "" end
  local parts = {}
  for name, value in pairs(row.size) do parts[#parts + 1] = name .. "=" .. point.shown(value) end
  table.sort(parts)
  return table.concat(parts, " ")
end

--- The problem in words, with the type if the words do not include it.
-- @treturn string "" if the row does not tell
function point.problem(row)
  local text = row.problem or point.size(row)
  if not row.type or text:find(row.type, 1, true) then return text end
  return text == "" and row.type or text .. ", " .. row.type
end

--- Identifies a row's problem.
-- @treturn ?string nil for a row without one (skipped, failed early), which matches every problem of its step
function point.problem_key(row)
  local size = point.size(row)
  return (size ~= "" or row.type) and size .. "|" .. (row.type or "") or nil
end

return point
