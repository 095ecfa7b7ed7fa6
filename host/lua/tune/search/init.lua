--- A search through a space: proposes configurations one by one, and gets their costs. Whoever owns the search
-- measures, so it can as well read costs from a file, or stop at any time.
--
--     local search = require("clue.tune.search").new(space, "default", {seed = 1, budget = 200})
--     for _ = 1, 200 do
--       local index = search:ask()
--       if not index then break end                       -- all configurations are known
--       search:tell(measure(space:configuration(index)))  -- math.huge: it failed
--     end
--     print(search.best, search.best_cost)
--
-- A strategy is a function strategy(search): one of clue.tune.search.strategies, or the one of
-- clue.tune.search.surrogate. It runs as a coroutine and reads as if it measured by itself: search:cost(index)
-- returns once the cost is told. It may return, or go on for ever; the search proposes a random configuration where the
-- strategy has ended or finds nothing new.
local array = require "clue.array"
local strategies = require "clue.tune.search.strategies"

local Search = {}
Search.__index = Search

local search = {}

--- The names of the strategies.
search.strategies = {"exhaustive", "random", "greedy", "annealing", "genetic", "iterated", "surrogate"}

--- The strategy that is used if nobody chooses one.
search.default = "surrogate"

-- A strategy that asks so often only for what is known is going round in circles.
local most_repeats = 1000

local draws_ahead = 32

-- ---- random choices ----

local Dice = {}
Dice.__index = Dice

local chunk = 256 -- numbers made at a time

--- Makes a source of random choices that a seed repeats, in every Lua: they come from array:random.
-- @tparam number seed a whole number
-- @treturn Dice
function search.dice(seed)
  return setmetatable({seed = seed, used = chunk, chunks = 0, numbers = array.double(chunk)}, Dice)
end

--- A random number.
-- @treturn number from 0 up to, not including, 1
function Dice:number()
  if self.used == chunk then
    self.numbers:random(0, 1, self.seed + self.chunks * 2 ^ 32) -- the high word counts the chunks
    self.used, self.chunks = 0, self.chunks + 1
  end
  self.used = self.used + 1
  return self.numbers[self.used - 1]
end

--- A random whole number.
-- @tparam int n
-- @treturn int from 1 to n
function Dice:below(n)
  return math.floor(self:number() * n) + 1
end

--- One of a list.
-- @tparam table list not empty
-- @return an entry
function Dice:pick(list)
  return list[self:below(#list)]
end

--- Puts a list into a random order.
-- @tparam table list changed in place
-- @treturn table the list
function Dice:shuffle(list)
  for i = #list, 2, -1 do
    local j = self:below(i)
    list[i], list[j] = list[j], list[i]
  end
  return list
end

-- ---- a search ----

--- Starts a search.
-- @tparam Space space
-- @tparam string name of a strategy
-- @tparam table options seed: a whole number; budget: how many evaluations are planned; first: indices to ask for
--   before the strategy begins
-- @treturn Search with space, dice, budget, costs = {[index] = cost}, told: the indices with a cost in their order,
--   count: how many of them, best: the index of the lowest cost, best_cost: math.huge until one succeeded
function search.new(space, name, options)
  local self = setmetatable({space = space, dice = search.dice(options.seed), budget = options.budget, costs = {},
                             told = {}, count = 0, best_cost = math.huge, repeats = 0, drawn = {}}, Search)
  self.first = options.first or {}
  self.strategy = coroutine.create(strategies[name] or require("clue.tune.search.surrogate").strategy)
  return self
end

-- ---- for its owner ----

-- A random index among those without a cost. Some are drawn ahead, so that they can be prepared.
local function unknown(self)
  local space = self.space
  while #self.drawn < draws_ahead do self.drawn[#self.drawn + 1] = self.dice:below(space.count) end
  local index = table.remove(self.drawn, 1)
  while self.costs[index] do index = index % space.count + 1 end
  self.ahead = self.drawn
  return index
end

local function next_of_first(self)
  while self.first[1] do
    local index = table.remove(self.first, 1)
    if not self.costs[index] then return index end
  end
end

--- The next configuration to measure.
-- @treturn ?int its index; nil if all are known. The same again until its cost is told
function Search:ask()
  if self.asked then return self.asked end
  if self.count == self.space.count then return nil end
  self.asked = next_of_first(self)
  if not self.asked and coroutine.status(self.strategy) ~= "dead" then
    local done, index = coroutine.resume(self.strategy, self)
    if not done then error(index, 0) end
    self.asked = index
  end
  self.asked = self.asked or unknown(self)
  return self.asked
end

--- Configurations that may be asked for next, so that they can be prepared. They may as well never come.
-- @tparam int most how many
-- @treturn {int,...} without known ones and the one asked for; the likeliest first
function Search:likely(most)
  local list, listed, ahead = {}, {}, self.ahead or {}
  if type(ahead) == "function" then ahead = ahead(most) end
  if self.first[1] then ahead = self.first end
  for _, index in ipairs(ahead) do
    if #list == most then break end
    if not self.costs[index] and index ~= self.asked and not listed[index] then
      list[#list + 1], listed[index] = index, true
    end
  end
  return list
end

--- Takes the cost of the configuration that was asked for.
-- @tparam number cost what the search makes small, such as seconds; math.huge if it failed
function Search:tell(cost)
  local index = self.asked
  self.costs[index], self.count, self.asked = cost, self.count + 1, nil
  self.told[self.count] = index
  if cost < self.best_cost then self.best, self.best_cost = index, cost end
end

-- ---- for strategies ----
--
-- A strategy that knows what it will need sets search.ahead to that list, or to a function of its length that makes
-- it: see @{Search:likely}.

--- The cost of a configuration. Known ones cost no evaluation.
-- @tparam int index
-- @treturn number
function Search:cost(index)
  self.repeats = self.costs[index] and self.repeats + 1 or 0
  if self.repeats > most_repeats then
    self.repeats = 0
    coroutine.yield(nil)
  end
  if not self.costs[index] then coroutine.yield(index) end
  return self.costs[index]
end

--- Measures some random configurations.
-- @tparam int count
-- @treturn {int,...} their indices
function Search:some(count)
  local list = {}
  for i = 1, count do list[i] = self:any() end
  self.ahead = list
  for _, index in ipairs(list) do self:cost(index) end
  return list
end

--- A random configuration.
-- @treturn int index
function Search:any()
  return self.dice:below(self.space.count)
end

return search
