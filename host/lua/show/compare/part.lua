--- The part of the time by which rows of several runs are compared, with two files and with many.
-- @module clue.show.compare.part
local ranking = require "clue.show.sweep.ranking"
local row_of = require "clue.result.row"

--- The part that all rows are judged by. For points of a sweep, it is the one whose figures the sweep prints. It is the
-- total, which all have, if the rows differ in it.
-- @tparam {table,...} rows those without times do not matter
-- @tparam boolean swept whether they are points of a sweep
-- @treturn string "total" or "kernel"
return function(rows, swept)
  local own, part = swept and ranking.part or row_of.judged, nil
  for _, row in ipairs(rows) do
    if row.times then
      part = part or own(row)
      if own(row) ~= part then return "total" end
    end
  end
  return part or "total"
end
