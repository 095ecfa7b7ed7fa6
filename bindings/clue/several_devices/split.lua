--- Shares of a total, one for each device: cl.split. For work that is divided once. cl.workers divides work while it
-- runs.
-- @module clue.several_devices.split
local argument = require "clue.argument"
local devices = require "clue.several_devices.devices"

local split = {}

local ways = {even = true, rate = true}
local known = {by = "text", rates = "checked", multiple = "whole"}

local function rate_of(given, name)
  if type(given) == "number" and given >= 0 and given < math.huge then return given end
  argument.refuse(name, "a number of 0 or more", given)
end

-- The rate of each device, from a list or a function.
local function rates_of(given, list)
  local rates, sum = {}, 0
  local is_function = type(given) == "function"
  if not is_function and not argument.is_plain(given) then
    argument.refuse("rates", "a list with a rate for each device, or a function of a device", given,
      "the rates field of what workers:run() returns is one")
  end
  if not is_function and #given ~= #list then
    argument.fail("rates must be a list of %d numbers, one for each device, not of %d", #list, #given)
  end
  for i, entry in ipairs(list) do
    local name = is_function and "what rates() returned" or ("rates[%d]"):format(i)
    rates[i] = rate_of(is_function and given(entry.device) or not is_function and given[i] or nil, name)
    sum = sum + rates[i]
  end
  if sum == 0 or sum == math.huge then argument.fail("the sum of all rates must be above 0 and finite, got %g", sum) end
  return rates, sum
end

local function even_rates(list)
  local rates = {}
  for i in ipairs(list) do rates[i] = 1 end
  return rates, #list
end

-- The shares between borders, which are rounded from the running sum of the rates. So no share is a multiple or more
-- away from what its rate gives, and together they are exactly the total.
local function shares(total, list, rates, sum, multiple)
  local found, first, running = {}, 0, 0
  local units = math.ceil(total / multiple)
  for i, entry in ipairs(list) do
    running = running + rates[i]
    local border = i == #list and total or math.min(total, math.floor(units * (running / sum) + 0.5) * multiple)
    border = math.max(first, border)
    found[i] = {device = entry.device, first = first, count = border - first}
    first = border
  end
  return found
end

--- Divides a total between devices. The shares are in the order of the devices, each begins where the one before it
-- ends, and together they are the total. A share may be empty.
-- @tparam number total how many items, 0 or more
-- @param on the devices, as for @{clue.several_devices.new}
-- @tparam[opt] table options by: "even" (the default), or "rate": in proportion to rates (the default if rates are
--   given); rates: a list of numbers, in the devices' order and in any unit (the rates field of what workers:run()
--   returns), or a function that is called with each device and returns its rate; multiple: all shares but the last
--   one that is not empty are multiples of it (1)
-- @treturn {table,...} device, first (from 0) and count
function split.new(total, on, options)
  argument.whole(total, "total", 0)
  options = argument.options(options, "options", known)
  local by = options.by or options.rates ~= nil and "rate" or "even"
  argument.word(by, ways, "way to split")
  if by == "even" and options.rates ~= nil then argument.fail('rates are for by = "rate"') end
  if by == "rate" and options.rates == nil then
    argument.fail('by = "rate" needs rates: a list of numbers, such as the rates field of what workers:run() returns')
  end
  local multiple = argument.whole(options.multiple or 1, "multiple", 1)
  local list = devices.of(on, "on")
  local rates, sum
  if by == "rate" then rates, sum = rates_of(options.rates, list) else rates, sum = even_rates(list) end
  return shares(total, list, rates, sum, multiple)
end

return split
