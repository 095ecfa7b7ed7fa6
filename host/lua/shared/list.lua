--- What is done with all things of a list, in their order.
-- Parameters with one meaning everywhere: things, a list; holds, a function holds(thing, index).
local list = {}

--- What a function makes of the things.
-- @tparam function make make(thing, index); nil leaves a thing out
-- @treturn {any,...}
function list.map(things, make)
  local made = {}
  for i, thing in ipairs(things) do made[#made + 1] = make(thing, i) end
  return made
end

--- The things of which something holds.
-- @treturn {any,...}
function list.filter(things, holds)
  return list.map(things, function(thing, i) return holds(thing, i) and thing or nil end)
end

--- The things of several lists, one after the other.
-- @tparam function get get(thing): a list
-- @treturn {any,...}
function list.flat(things, get)
  local all = {}
  for _, thing in ipairs(things) do
    for _, each in ipairs(get(thing)) do all[#all + 1] = each end
  end
  return all
end

--- Lists one after the other, as a new one.
-- @tparam ?{any,...} ... nil is a list without things
-- @treturn {any,...}
function list.joined(...)
  local all = {}
  for i = 1, select("#", ...) do
    for _, thing in ipairs((select(i, ...)) or {}) do all[#all + 1] = thing end
  end
  return all
end

--- A copy of a table, with other values in some fields.
-- @tparam table entry
-- @tparam table changed those values
-- @treturn table with the same metatable
function list.with(entry, changed)
  local copy = setmetatable({}, getmetatable(entry))
  for _, from in ipairs {entry, changed} do
    for name, value in pairs(from) do copy[name] = value end
  end
  return copy
end

--- The first thing of each key.
-- @tparam[opt] function key_of key_of(thing) (default: the thing itself)
-- @treturn {any,...}
function list.distinct(things, key_of)
  local seen = {}
  return list.filter(things, function(thing)
    local key = key_of and key_of(thing) or thing
    local is_new = not seen[key]
    seen[key] = true
    return is_new
  end)
end

--- The things by a key; of several with one key, the last.
-- @tparam string|function key the name of a field, or key(thing)
-- @treturn table [key] = thing
function list.by(things, key)
  local found = {}
  for _, thing in ipairs(things) do found[type(key) == "function" and key(thing) or thing[key]] = thing end
  return found
end

--- What a function gives for the things, added up.
-- @tparam function get get(thing): a number; nil or false for none
-- @treturn number
function list.sum(things, get)
  local sum = 0
  for _, thing in ipairs(things) do sum = sum + (get(thing) or 0) end
  return sum
end

--- The thing for which a function gives most; of several, the first.
-- @tparam function get get(thing): a number; nil or false leaves a thing out
-- @return nil if there is none
-- @treturn number what the function gives for it; 0 if there is none
function list.best(things, get)
  local best, most
  for _, thing in ipairs(things) do
    local value = get(thing)
    if value and (not most or value > most) then best, most = thing, value end
  end
  return best, most or 0
end

--- A set of the things.
-- @treturn table [thing] = true
function list.set(things)
  local set = {}
  for _, thing in ipairs(things) do set[thing] = true end
  return set
end

--- The words with which all texts begin.
-- @tparam {string,...} texts
-- @treturn string "groups of "; "" if there are none, or only one text
-- @treturn {string,...} the other words of each
function list.common_words(texts)
  local common = #texts > 1 and texts[1]:match "^(.* )" or ""
  for _, text in ipairs(texts) do
    while common ~= "" and text:sub(1, #common) ~= common do common = common:match "^(.* )%S+ $" or "" end
  end
  return common, list.map(texts, function(text) return text:sub(#common + 1) end)
end

-- Of one type by their values; else numbers before texts, and both before booleans, tables, ...
local function precedes(a, b)
  local of_a, of_b = type(a), type(b)
  if of_a ~= of_b then return of_a == "number" or of_b ~= "number" and of_a == "string" end
  if of_a == "number" or of_a == "string" then return a < b end
  return false
end

--- The keys of a table, in order: what goes through them finds the same fault first in every run, which pairs() does
-- not promise.
-- @tparam ?table of
-- @treturn {any,...} numbers, then texts, then others
function list.keys(of)
  local keys = {}
  for key in pairs(of or {}) do keys[#keys + 1] = key end
  table.sort(keys, precedes)
  return keys
end

--- The first thing of which something holds.
-- @return nil if there is none
function list.find(things, holds)
  for i, thing in ipairs(things) do
    if holds(thing, i) then return thing end
  end
end

--- Whether something holds of a thing at least.
function list.any(things, holds)
  for i, thing in ipairs(things) do
    if holds(thing, i) then return true end
  end
  return false
end

--- The things in groups, in the order in which the groups' first things occur.
-- @tparam function key_of key_of(thing): a text, the same for all things of a group
-- @treturn {{any,...},...} the groups, each a list with its key as the field `key`
function list.grouped(things, key_of)
  local groups, by_key = {}, {}
  for _, thing in ipairs(things) do
    local key = key_of(thing)
    if not by_key[key] then
      by_key[key] = {key = key}
      groups[#groups + 1] = by_key[key]
    end
    table.insert(by_key[key], thing)
  end
  return groups
end

return list
