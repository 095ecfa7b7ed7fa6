--- Which device a rank takes: the ranks of one machine take its devices by turns.
-- @module clue.mpi.device
local device = require "clue.device"
local ranking = require "clue.device_ranking"

local choice = {}

-- All devices of the class of the best one, and that one first. A device that class words avoid stands alone.
local function of_class(best)
  local first = device.get(best)
  if ranking.doubt(first) then return {best} end
  local list = {best}
  for _, each in ipairs(device.machine().devices) do
    local fits = each.ordinal ~= best and each.kind == first.kind and not ranking.doubt(each)
    if fits and each.name == first.name then list[#list + 1] = each.ordinal end
  end
  table.sort(list)
  return list
end

--- The devices that ranks take by turns: those that
-- --device or CLUE_DEVICE lists; if it is a class word, or nothing is named, all that are like the best one.
-- @treturn {number,...} ordinals
-- @treturn string why these
function choice.devices()
  local asked = device.asked_for()
  local ordinals, why = device.select()
  if asked == nil or ranking.nouns[asked:lower()] then return of_class(ordinals[1]), why end
  return ordinals, why
end

--- The device of a rank, which is announced.
-- @tparam number rank
-- @tparam number size how many ranks there are
-- @tparam number local_rank which of those on this machine
-- @treturn number ordinal
-- @treturn string why, "rank 5 of 8, number 2 of 4 for local rank 1: the best of 4 GPUs"
function choice.of(rank, size, local_rank)
  local ordinals, best = choice.devices()
  local turn = local_rank % #ordinals
  local ordinal = ordinals[turn + 1]
  local why = ("rank %d of %d, number %d of %d for local rank %d: %s"):format(rank, size, turn + 1, #ordinals,
    local_rank, best)
  device.announce(ordinal, why, "--device " .. device.get(ordinal).address)
  return ordinal, why
end

return choice
