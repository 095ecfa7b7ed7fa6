--- Which devices are of one kind: those of equal platform, name, driver and number of compute units. Virtual machines
-- show different parts of one processor under its name. Limits are kept for a kind, and times of two kinds never mixed.
-- @module clue.result.device_kind

local fields = {"platform", "name", "driver", "compute_units"}

--- What tells kinds apart.
-- @tparam table facts from @{clue.result.device_facts}, or some with these names
-- @treturn {string,...} platform, name, driver, compute units; "" for what is unknown
return function(facts)
  local words = {}
  for i, name in ipairs(fields) do words[i] = tostring(facts[name] or ""):gsub("%.0$", "") end
  return words
end
