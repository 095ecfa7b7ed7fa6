--- context:sort: a stable sort of keys, alone or with values.
--
--     local sort = context:sort("float")
--     sort(queue, keys)                                      -- in place, the least first
--     local by_key = context:sort("uint", {values = "float4", descending = true})
--     by_key(queue, keys, values)                            -- values go where their keys go
--     local order = context:sort("float", {argsort = true})
--     order(queue, keys, indices)                            -- keys stay as they are; indices are of type uint
--
-- NaNs are greater than all numbers, whatever their sign: they come last, or first if descending. -0 equals 0. Equal
-- keys keep their order, also if descending.
-- @module clue.compute.sort
local algorithm = require "clue.compute.algorithm"
local argument = require "clue.argument"
local events = require "clue.event"
local local_memory = require("clue.kernel").local_memory
local scan = require "clue.compute.scan"
local shown = require "clue.shown"
local signature = require "clue.compute.signature"
local sizes = require "clue.compute.sizes"
local sort_source = require "clue.compute.sort_source"
local types = require "clue.compute.types"

local sort = {}

local MOST_BY_LOOK_BACK = 2 ^ 30 -- elements: their numbers share a word with a state

-- The program of a form, and for 2^32 elements or more.
local function kernels_for(self, context, form, wide)
  local name = form .. (wide and ", wide" or "")
  if not self.kernels[name] then
    local options = {wide = wide}
    for key, option in pairs(self.options) do options[key] = option end
    local count, place = sort_source.build(context, form, self.key, options, self.bytes)
    local sums = form ~= "look-back" and scan.new(context, wide and "ulong" or "uint", "sum",
      {exclusive = true, form = form, name = options.name .. "_sums"}) or nil
    self.kernels[name] = {count = count, sort = place, sums = sums, bytes = wide and 8 or 4}
  end
  return self.kernels[name]
end

-- What all passes of a call share.
local function plan(self, queue, first, count)
  local form = scan.form_of(queue, self.options.form)
  if form == "look-back" and count >= MOST_BY_LOOK_BACK then form = "groups" end
  local length, group, shared = sort_source.piece(form, self.bytes)
  local kernels = kernels_for(self, queue.context, form, count >= 2 ^ 32)
  return {form = form, first = first, count = count, pieces = math.ceil(count / length), group = group,
          shared = shared, kernels = kernels, passes = self.passes, bits = self.bits, mask = 2 ^ self.bits - 1}
end

-- Where each pass takes keys and values from and puts them: from the script's buffers to others and back. Sorting
-- indices leaves the script's keys as they are.
local function passes_of(self, queue, given, of)
  local bytes = of.count * types.bytes(self.key)
  local keys = {memory = given[1], first = of.first}
  local other = {memory = algorithm.scratch(queue, "sort: keys", bytes), first = 0}
  local third = self.options.argsort and {memory = algorithm.scratch(queue, "sort: other keys", bytes), first = 0}
  local values = given[2] and {memory = given[2], first = of.first}
  local spare = values and {first = 0,
    memory = algorithm.scratch(queue, "sort: values", of.count * types.bytes(self.options.values))}
  local list = {}
  for number = 1, self.passes do
    local odd = number % 2 == 1
    local home = third or keys
    list[number] = {
      shift = (number - 1) * self.bits, numbered = number == 1 and self.options.argsort,
      keys = number == 1 and keys or odd and home or other, sorted = odd and other or home,
      values = odd and values or spare, sorted_values = odd and spare or values,
    }
  end
  return list
end

-- Enqueues the sorting by one digit, after the counting.
local function sort_digit(queue, event, of, pass, counts)
  local words = {pass.keys.memory, pass.sorted.memory, pass.keys.first, pass.sorted.first, of.count, pass.shift,
                 of.mask, counts}
  local more = pass.values and {pass.values.memory, pass.sorted_values.memory, pass.values.first,
                                pass.sorted_values.first, pass.numbered and 1 or 0} or {}
  more[#more + 1] = of.shared
  for _, word in ipairs(more) do words[#words + 1] = word end
  words.n = #words
  return (algorithm.step(queue, event, of.kernels.sort, of.pieces * of.group, of.group, algorithm.followed(words)))
end

local function by_counts(queue, of, passes)
  local size = (of.mask + 1) * of.pieces
  local counts = algorithm.scratch(queue, "sort: counts", size * of.kernels.bytes)
  local event
  for _, pass in ipairs(passes) do
    event = algorithm.step(queue, event, of.kernels.count, of.pieces * of.group, of.group, pass.keys.memory,
      pass.keys.first, of.count, pass.shift, of.mask, counts)
    event = events.joined(event, (of.kernels.sums(algorithm.behind(queue, event), {count = size}, counts, counts)))
    event = sort_digit(queue, event, of, pass, counts)
  end
  return event
end

-- The memory has the counts of all digits of all passes, then the number of the next tile, then the tiles' states.
local function by_look_back(queue, of, passes)
  local first, size = #passes * 1024, (#passes + 1 + of.pieces) * 1024
  local counts = algorithm.scratch(queue, "sort: states", size)
  local event = queue:fill_buffer(counts, 0, {type = "uint", size = size})
  local groups = math.min(of.pieces, sizes.GROUPS * sizes.of(queue).units)
  event = algorithm.step(queue, event, of.kernels.count, groups * of.group, of.group, passes[1].keys.memory, of.first,
    of.count, of.bits, of.mask, counts, local_memory(first))
  for number, pass in ipairs(passes) do
    if number > 1 then
      local cleared = algorithm.behind(queue, event):fill_buffer(counts, 0,
        {type = "uint", offset = first, size = size - first})
      event = events.joined(event, cleared)
    end
    event = sort_digit(queue, event, of, pass, counts)
  end
  return event
end

--- Sorts.
-- @function call
-- @tparam sort self
-- @tparam queue queue
-- @param ... optionally {count = , offset = } (in elements: a part), the keys, and the values or indices if it has any
-- @treturn event
local function call(self, queue, ...)
  queue = algorithm.queue(queue)
  local first, count, given = algorithm.begin(self, nil, ...)
  if count == 0 then return (queue:marker()) end
  if self.options.argsort and first + count > 2 ^ 32 then
    argument.fail("indices are of type uint: elements from 2^32 on have none, got offset %.0f and count %.0f", first,
      count)
  end
  local of = plan(self, queue, first, count)
  local run = of.form == "look-back" and by_look_back or by_counts
  return (run(queue, of, passes_of(self, queue, given, of)))
end

local new = algorithm.class("sort", call)

local keys_of = {char = 1, uchar = 1, short = 2, ushort = 2, int = 4, uint = 4, long = 8, ulong = 8, half = 2,
                 float = 4, double = 8}

local function checked(key, options)
  if type(key) == "table" then key, options = nil, key end
  local copy = algorithm.options(options, {key = "text", values = "text", descending = "boolean", argsort = "boolean",
                                           form = "text"}, "sort")
  if key and copy.key then argument.fail("give the type of the keys once: it is %s and {key = %s}",
    shown.of(key), shown.of(copy.key)) end
  key, copy.key = key or copy.key, nil
  argument.word(key, keys_of, "type of keys")
  if copy.preamble then argument.fail("preamble: a sort has no texts that could use it") end
  if copy.values and not types.bytes(copy.values) then
    argument.refuse("values", "one of OpenCL's numbers or vectors", copy.values)
  end
  if copy.values and copy.argsort then
    argument.fail("argsort gives the indices of the sorted keys: leave values out")
  end
  if copy.argsort then copy.values = "uint" end
  scan.check_form(copy.form)
  return key, copy
end

local function parameters(key, options)
  if options.argsort then return ("const %s *keys, uint *indices"):format(key) end
  return ("%s *keys"):format(key) .. (options.values and (", %s *values"):format(options.values) or "")
end

--- Makes a sort, or finds it if the context has made it before.
-- @tparam context context
-- @tparam string|table key the type of the keys: "char" to "ulong", "half", "float" or "double"; or the options, with
--   key in them
-- @tparam[opt] table options values: the type of the values, a number or a vector; descending (boolean); argsort
--   (boolean): sort indices, and leave the keys; form: "chunks", "groups" or "look-back", how the kernels share the
--   work (what suits the device); options (of the build); name: of the kernels, in messages and traces ("sort")
-- @treturn sort call it with a queue, optionally {count = , offset = } (in elements), the keys, and,
--   if it has any, the values or indices. Returns an event (@{clue.event}). The queue keeps as much memory again as the
--   keys and values have.
function sort.new(context, key, options)
  key, options = checked(key, options)
  return (algorithm.keep(context, "sort", {key}, options, function()
    local passes, bits = sort_source.digits(types.bytes(key))
    local self = new {signature = signature.parse(parameters(key, options)), name = options.name, key = key,
                      options = options, in_step = true, kernels = {}, passes = passes, bits = bits,
                      bytes = math.max(types.bytes(key), options.values and types.bytes(options.values) or 0)}
    kernels_for(self, context, scan.form_of({context = context}, options.form))
    return self
  end))
end

return sort
