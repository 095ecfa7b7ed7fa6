--- queue:random: random numbers, made on the device. For the same seed they are array:random's, so a script can check
-- on the host what it made on the device; and any part of the sequence can be made without the rest.
--
--     queue:random(x, "float", {low = -1, high = 1, seed = 7})
--     queue:random(x, "float", {seed = 7, first = 1000})          -- continues after 1000 elements
--     queue:random(x, "double", {distribution = "normal", mean = 10, deviation = 2})
--
-- @module clue.compute.random
local algorithm = require "clue.compute.algorithm"
local argument = require "clue.argument"
local array = require "clue.array"
local binding = require "clue.binding"
local bytes = require "clue.bytes"
local enqueue = require "clue.enqueue"
local object = require "clue.object"
local random_source = require "clue.compute.random_source"
local seeds = require "clue.array.seed"
local shown = require "clue.shown"
local sizes = require "clue.compute.sizes"

local random = {}

-- ---- seeds ------------------------------------------------------------------------------------------------------

-- The two words of a seed: whole numbers modulo 2^64, of others the bits of the double.
local function key_of(seed)
  seed = seed + 0.0
  if seed % 1 == 0 and seed >= -2 ^ 63 and seed < 2 ^ 64 then
    local low = seed % 2 ^ 32
    return low, (seed - low) / 2 ^ 32 % 2 ^ 32
  end
  local words = bytes.each(binding.array_bytes(array.double(1, seed), 0, 1), 4)
  return words[1], words[2]
end

-- ---- what a distribution takes ----------------------------------------------------------------------------------

local function refuse_bounds(name, low, high)
  argument.fail("%s has no random numbers from %s to %s", name, shown.number(low), shown.number(high))
end

-- The bounds of a type of whole numbers.
local function whole_bounds(name, low, high)
  local cell = array[name](1)
  for _, bound in ipairs {low, high} do
    if not pcall(function() cell[0] = bound end) then refuse_bounds(name, low, high) end
  end
  if low > high then refuse_bounds(name, low, high) end
  return low, high
end

local is_real = {half = true, float = true, double = true}

local function uniform(name, where)
  local low, high = where.low or 0, where.high or 1
  if not is_real[name] then return whole_bounds(name, low, high) end
  local first, width, scale, least, most = binding.random_interval(binding.type_codes[name], low, high)
  if not first then refuse_bounds(name, low, high) end
  return first, width, scale, least, most
end

local function normal(name, where)
  if name ~= "float" and name ~= "double" then
    argument.fail("normal random numbers are float or double, not %s", name)
  end
  return where.mean or 0, where.deviation or 1
end

local distributions = {uniform = {uniform, low = true, high = true}, normal = {normal, mean = true, deviation = true}}

local known = {count = "whole", offset = "whole", first = "whole", seed = "checked", distribution = "text",
               low = "checked", high = "checked", mean = "checked", deviation = "checked", local_size = "whole"}

-- Checks the options, and says which distribution they are for.
local function checked(where)
  where = argument.options(where, "where", known)
  local name = where.distribution or "uniform"
  local of = argument.word(name, distributions, "distribution")
  for _, each in ipairs {"low", "high", "mean", "deviation"} do
    if where[each] ~= nil then
      if not of[each] then argument.fail("%s is not for %s random numbers", each, name) end
      argument.typed(where[each], "number", each)
    end
  end
  if where.first ~= nil then argument.whole(where.first, "first", 0) end
  return where, name, of[1]
end

-- ---- the command ------------------------------------------------------------------------------------------------

local BLOCKS, SHARE = 4096, 8 -- of a CPU's work-item; and work-items for each of its compute units

local function shape(generator, device, count)
  local blocks = math.max(math.ceil(count / generator.each), 1)
  if generator.form == "cpu" then
    local step = math.max(math.min(BLOCKS, math.ceil(blocks / (device.units * SHARE))), 64)
    return math.ceil(blocks / step), 1, step
  end
  local groups = math.min(math.ceil(blocks / generator.size), device.units * sizes.GROUPS)
  return groups * generator.size, generator.size, groups * generator.size
end

local function new_generator(context, name, distribution, local_size)
  local form, size = sizes.form(context, local_size)
  local kernel, each = random_source.build(context, name, distribution, form)
  return {kernel = kernel, each = each, form = form, size = size}
end

-- Those of the usual size are found without a text for each call.
local function generator_of(context, name, distribution, local_size)
  local held = algorithm.held(context)
  local key = local_size == nil and distribution or ("random %s %.0f"):format(distribution, local_size)
  held[key] = held[key] or {}
  held[key][name] = held[key][name] or new_generator(context, name, distribution, local_size)
  return held[key][name]
end

--- Fills memory with random numbers. Does not wait.
-- @tparam queue queue
-- @tparam buffer|svm memory
-- @tparam string name of the type, "float"
-- @tparam[opt] table where uniform numbers (the default): low (0) and high (1), of which whole numbers include high;
--   normal ones, for float and double: distribution = "normal", mean (0), deviation (1). seed: a number (a new one in
--   every call); first: the number of the first element in the seed's sequence (0); offset: in the memory, in bytes
--   (0); count: number of elements (to the end); local_size: as for context:elementwise
-- @treturn event
function random.fill(queue, memory, name, where)
  object.handle(queue, "queue")
  local distribution, numbers
  where, distribution, numbers = checked(where)
  local size = algorithm.room(memory, "memory")
  local _, offset, count = enqueue.elements(name, where, size)
  local width = binding.type_sizes[name]
  algorithm.check_room(memory, "memory", offset + count * width)
  if count == 0 then return (queue:marker()) end
  local key_0, key_1 = key_of(where.seed == nil and seeds.take() or argument.typed(where.seed, "number", "seed"))
  local generator = generator_of(queue.context, name, distribution, where.local_size)
  local first = where.first or 0
  local global, group, step = shape(generator, sizes.of(queue), count)
  return (generator.kernel(queue, global, group, memory, offset / width - first, first, first + count, key_0, key_1,
    step, numbers(name, where)))
end

return random
