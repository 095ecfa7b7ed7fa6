--- What rows of older documents lack: which part of the time a gain is of. Where the times were judged by the total,
-- though there are times of the kernel, the gain becomes that of the kernels, from runs that did not alternate.
local gains = require "clue.result.gain"
local row_of = require "clue.result.row"

-- Replaces a gain that is not by the part by which rows are compared today. Rows of a sweep's two sides have the other
-- row elsewhere, and keep it.
local function judge(before, row)
  local gain, part = row.gain, before and row_of.comparable(before, row) and row_of.common_part(before, row)
  gain.part = row.times.judged or "total"
  local now = part and gain.part ~= part and gains.of(before.times[part], row.times[part])
  if not now then return end
  gain.part, gain.ratio, gain.low, gain.high = part, now.ratio, now.low, now.high
  gain.before, gain.now, gain.pairs, gain.disturbed = nil, nil, nil, nil
end

--- Adds to the rows of a run what older documents lack.
-- @tparam {table,...} rows as they were read
return function(rows)
  local by_number = {}
  for _, row in ipairs(rows) do
    if row.times and (row.efficiency or row.over_first_device) then row.times.together = true end
    if row.gain and not row.gain.part and row.times then judge(by_number[row.gain.over], row) end
    by_number[row.number] = row
    row_of.judge_gain(rows, row)
  end
end
