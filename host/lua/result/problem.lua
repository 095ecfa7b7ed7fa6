--- What a row of a document of `clue walk --json` computed, and at which point of a sweep.
-- Parameters with one meaning everywhere: row, of a document.
local problem = {}

--- The size in words.
-- @treturn string "k=480 m=480"; the problem if the row does not tell its size, "" if it tells neither
function problem.size(row)
  if type(row.size) ~= "table" then return row.size and tostring(row.size) or row.problem or "" end
  local parts = {}
  for name, value in pairs(row.size) do
    parts[#parts + 1] = name .. "=" .. (type(value) == "number" and ("%.14g"):format(value) or tostring(value))
  end
  table.sort(parts)
  return table.concat(parts, " ")
end

--- The problem in words, with the type if the words do not include it.
-- @treturn string "" if the row does not tell
function problem.words(row)
  local text = row.problem or problem.size(row)
  if not row.type or text:find(row.type, 1, true) then return text end
  return text == "" and row.type or text .. ", " .. row.type
end

--- Identifies a row's problem.
-- @treturn ?string nil for a row without one (skipped, failed early), which matches every problem of its step
function problem.of(row)
  local size = problem.size(row)
  return (size ~= "" or row.type) and size .. "|" .. (row.type or "") or nil
end

--- What a run was measured with: the point of a sweep, or the options of an ordinary walk.
-- @tparam table run
-- @tparam table document that has it
-- @treturn table as for @{clue.result.point}
function problem.point(run, document)
  if run.point then return run.point end
  local options, set = document.options or {}, {}
  for _, text in ipairs(options.set or {}) do
    local name, value = text:match "^([^=]+)=(.*)$"
    if name then set[name] = value:find "^%d+$" and tonumber(value) or value end
  end
  return {size = options.size, set = set}
end

return problem
