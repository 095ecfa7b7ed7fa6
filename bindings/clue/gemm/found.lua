--- The parameters that `clue tune scripts/spaces/gemm.lua` found for products, for @{clue.gemm.cpu} and
-- @{clue.gemm.gpu}.
--
-- A form uses what was found on a device of the same name, for a product of about the same size. For others its own
-- choice is the better guess.
-- @module clue.gemm.found
local tuned = require "clue.tuned"

local found = {}

local most_unlike = 1.5 -- the factor between two sizes of about the same size

--- The name of a form's results, as `clue tune` and cl.tuned have it.
-- @tparam string form "cpu" or "gpu"
-- @tparam string type_name
-- @treturn string
function found.name(form, type_name)
  return ("gemm_%s_%s"):format(form, type_name)
end

-- How unlike two sizes are: the largest factor between two of their extents.
local function unlikeness(size, m, n, k)
  local most = 1
  for i, extent in ipairs {m, n, k} do most = math.max(most, extent / size[i], size[i] / extent) end
  return most
end

local Found = {}
Found.__index = Found

--- Reads what was found on a device.
-- @tparam device device
-- @tparam string form "cpu" or "gpu"
-- @tparam string type_name
-- @tparam function accept accept(parameters): whether the form can use them
-- @treturn Found
function found.new(device, form, type_name, accept)
  local self, facts = setmetatable({}, Found), tuned.facts(device)
  for _, entry in ipairs(tuned.entries(found.name(form, type_name))) do
    local fits = entry.device.name == facts.name and type(entry.size) == "table" and #entry.size == 3
    if fits and accept(entry.parameters) then
      self[#self + 1] = {size = entry.size, parameters = entry.parameters,
                         far = entry.device.driver == facts.driver and 0 or 1}
    end
  end
  return self
end

--- The parameters for a product.
-- @tparam number m
-- @tparam number n
-- @tparam number k
-- @treturn ?table entry with parameters and size; nil: nothing was found for about this size
function Found:of(m, n, k)
  local best, least
  for i = 1, #self do
    local unlike = unlikeness(self[i].size, m, n, k)
    local far = unlike + self[i].far -- another driver is the last resort
    if unlike <= most_unlike and (not least or far < least) then best, least = self[i], far end
  end
  return best
end

return found
