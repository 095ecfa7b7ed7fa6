--- Which workers have the same kind of device. Times of others are never mixed.
-- @module clue.farm.same_devices
local device_kind = require("clue.result.device").kind

--- Sorts workers by their devices.
-- @tparam {table,...} workers of @{clue.farm.contact}
-- @treturn {table,...} device, workers: names; in the order of the first worker of each
return function(workers)
  local kinds, by_key = {}, {}
  for _, worker in ipairs(workers) do
    local key = table.concat(device_kind(worker.device), "\0")
    if not by_key[key] then
      by_key[key] = {device = worker.device, workers = {}}
      kinds[#kinds + 1] = by_key[key]
    end
    table.insert(by_key[key].workers, worker.name)
  end
  return kinds
end
