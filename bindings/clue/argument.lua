--- Checks what scripts pass to public functions. All messages have one form: the call as the script wrote it, the
-- parameter, what is allowed and what was given:
--
--     script.lua:7: queue:copy_buffer: size must be a whole number, got 1.5
--
-- The call and the script's line are found on the stack (@{clue.public}). What the binding checks is not checked here
-- first; the binding asks for the words (binding.refusal_setup). So calls in inner loops cost nothing more.
-- @module clue.argument
local binding = require "clue.binding"
local failure = require "clue.failure"
local nearest = require "clue.nearest"
local public = require "clue.public"
local shown = require "clue.shown"

local argument = {refuse = failure.refuse, fail = failure.fail}

local with_article, kind_of, is_unmapped = shown.with_article, shown.kind_of, shown.is_unmapped

-- ---- refusing ---------------------------------------------------------------------------------------------------

--- Raises an error object: a method was not given its object, or one that was closed.
-- @tparam string kind "queue"
-- @param given in the object's place
function argument.refuse_self(kind, given)
  if kind_of(given) == kind then argument.fail("the %s was closed", kind) end
  local name = kind == "program" and kind_of(given) == "queue" and (public.called() or ""):match "^program:([%w_]+)$"
  argument.fail("call it with a colon: %s expected before it, got %s%s", with_article(kind), shown.of(given),
    name and ('; a kernel of this name is program:kernel "%s"'):format(name) or "")
end

local transferred = {buffer = true, image = true, svm = true} -- queue:read_buffer, queue:read_image, ...

-- Whether something is memory of the host: an array, a struct or an array of structs (clue.struct.place).
local function is_memory(given)
  local meta = getmetatable(given)
  return binding.array_code(given) ~= nil or type(meta) == "table" and rawget(meta, "place") ~= nil
end

-- What to write where an object of another kind, or what a buffer could be made of, stands for an object.
local function remedy_of_object(name, kind, given)
  local found, called = kind_of(given), public.called() or ""
  local is_other = found and found ~= kind and name == kind and transferred[found]
  local verb = is_other and called:match("^queue:(%l+)_" .. kind .. "$")
  if verb then return ("that is queue:%s_%s"):format(verb, found) end
  if not kind:find "^buffer" then return nil end
  if shown.of(given) == "a device array" then return "a:buffer() is its buffer" end
  return argument.is_plain(given) and "context:buffer(cl.array.float{...}) makes one of a table" or nil
end

--- Raises an error object: a parameter is not an object of a kind. For an array in a buffer's place, it says what to
-- do.
-- @tparam string name of the parameter
-- @tparam string kind "buffer", or several in words
-- @param given
-- @tparam[opt] string word the array's name in the example
function argument.refuse_object(name, kind, given, word)
  if kind:find "^buffer" and is_memory(given) then
    argument.fail("%s is %s on the host: make a buffer of it, context:buffer(%s)", name, shown.of(given),
      word or name)
  end
  argument.refuse(name, with_article(kind), given, remedy_of_object(name, kind, given))
end

-- ---- checking ---------------------------------------------------------------------------------------------------

--- Whether a table is neither an object nor a value of clue's.
-- @param given
-- @treturn boolean
function argument.is_plain(given)
  return type(given) == "table" and kind_of(given) == nil and getmetatable(given) ~= "typed value"
end

local is_plain = argument.is_plain

-- What to write where a Lua table stands for an array.
local function remedy_of_table(given)
  return is_plain(given) and "cl.array.float{...} makes one of a table" or nil
end

-- The least, by its text, of the keys that a test refuses: each Lua goes through a table in an order of its own, and
-- the message is to be the same.
local function least_key(given, refuses)
  local least
  for key, value in pairs(given) do
    if refuses(key, value) and (least == nil or tostring(key) < tostring(least)) then least = key end
  end
  return least
end

local function is_index(key)
  return type(key) == "number" and key >= 1 and key % 1 == 0
end

--- How long a list is. With # a list may end before an item that is nil, which a script did not mean.
-- @tparam table given
-- @treturn ?number its greatest index; nil if it has other keys than indices
-- @return such a key
function argument.length(given)
  local last = 0
  for key in pairs(given) do
    if not is_index(key) then return nil, least_key(given, function(other) return not is_index(other) end) end
    last = math.max(last, key)
  end
  return last
end

local function is_whole(given)
  return type(given) == "number" and given % 1 == 0 and given > -2 ^ 53 and given < 2 ^ 53
end

--- Refuses what is not a whole number.
-- @param given
-- @tparam string name as for @{refuse}
-- @tparam[opt] number least the least that is allowed
-- @tparam[opt=2^53] number limit must be greater than the number: 2^31 or 2^53
-- @treturn number the value
function argument.whole(given, name, least, limit)
  if is_whole(given) and (not least or given >= least) and (not limit or given < limit) then return given end
  local words = "a whole number" .. (least and (" of %.0f or more"):format(least) or "")
  local large = type(given) == "number" and given >= (limit or 2 ^ 53)
  argument.refuse(name, words .. (large and (limit == 2 ^ 31 and " below 2^31" or " below 2^53") or ""), given)
end

--- Refuses what is not a whole number of a range.
-- @param given
-- @tparam string name as for @{refuse}
-- @tparam number least
-- @tparam number most
-- @treturn number the value
function argument.within(given, name, least, most)
  if is_whole(given) and given >= least and given <= most then return given end
  argument.refuse(name, ("a whole number from %.0f to %.0f"):format(least, most), given)
end

--- Refuses what is not a size in bytes, for a parameter that could also be an array.
-- @param given
-- @tparam string name as for @{refuse}
-- @treturn number the value
function argument.size(given, name)
  if is_whole(given) then return given end
  local large = type(given) == "number" and given >= 2 ^ 53
  argument.refuse(name, ("a whole number of bytes%s, or an array"):format(large and " below 2^53" or ""), given,
    remedy_of_table(given))
end

--- The length of a list. Refuses one with holes, since what comes after them would be lost, and other keys than
-- indices.
-- @tparam table given
-- @tparam string name as for @{refuse}
-- @treturn number
function argument.list(given, name)
  local last, other = argument.length(given)
  if not last then argument.fail("%s is a list, from 1 to n: it has the key %s", name, shown.of(other)) end
  for i = 1, last do
    if given[i] == nil then
      argument.fail("%s[%d] is nil, but %s[%.0f] is not: a list has no holes", name, i, name, last)
    end
  end
  return last
end

--- Refuses what is not of a Lua type.
-- @param given
-- @tparam string wanted "function"
-- @tparam string name as for @{refuse}
-- @tparam[opt] string allowed in words
-- @return the value
function argument.typed(given, wanted, name, allowed)
  if type(given) == wanted then return given end
  argument.refuse(name, allowed or with_article(wanted), given)
end

--- Refuses what is not a text, and a text with zero bytes, which C would not read to its end.
-- @param given
-- @tparam string name as for @{refuse}
-- @tparam[opt="a text"] string allowed in words
-- @treturn string the value
function argument.text(given, name, allowed)
  argument.typed(given, "string", name, allowed or "a text")
  if given:find("\0", 1, true) then argument.refuse(name, (allowed or "a text") .. " without zero bytes", given) end
  return given
end

--- Refuses what is not an array, and an array that was unmapped.
-- @param given
-- @tparam string name as for @{refuse}
-- @treturn array the value
function argument.array(given, name)
  local is_array = binding.array_code(given) ~= nil
  if is_array and not is_unmapped(given) then return given end
  local remedy = is_array and "queue:unmap released its memory; map it again"
    or remedy_of_table(given)
  argument.refuse(name, "an array", given, remedy)
end

-- ---- words, flags, options --------------------------------------------------------------------------------------

local function listed(known)
  local list = {}
  for name in pairs(known) do list[#list + 1] = name end
  table.sort(list)
  return table.concat(list, ", ")
end

-- "there is no flag 'readonly' (is read_only meant?); there are ..."
local function refuse_word(what, word, known)
  local is_object = type(word) == "table" or type(word) == "userdata" or type(word) == "cdata"
  if is_object then argument.fail("the %s must be one of %s, got %s", what, listed(known), shown.of(word)) end
  if word == nil then argument.fail("the %s is missing; there are %s", what, listed(known)) end
  local meant = type(word) == "string" and nearest(word, known)
  argument.fail("there is no %s %s%s; there are %s", what, shown.of(word),
    meant and (" (is %s meant?)"):format(meant) or "", listed(known))
end

--- What a word stands for. Refuses unknown words.
-- @param word
-- @tparam table known by word
-- @tparam string what the word names, "order of channels"
-- @return known[word]
function argument.word(word, known, what)
  if word ~= nil and known[word] ~= nil then return known[word] end
  refuse_word(what, word, known)
end

--- The sum of flags. Refuses what is neither a name nor a list of names.
-- @tparam string|table given a name or several
-- @tparam table known numbers by name, a bit each
-- @tparam string name as for @{refuse}
-- @tparam[opt="flag"] string what a name is
-- @treturn number
function argument.flags(given, known, name, what)
  if type(given) == "string" then return argument.word(given, known, what or "flag") end
  if not is_plain(given) then
    argument.refuse(name, ("a name or a list of names (%s)"):format(listed(known)), given)
  end
  local bits, seen = 0, {}
  for key, flag in pairs(given) do
    if type(key) ~= "number" then
      argument.fail("%s is a name or a list of names, {%s}: it has the key %s", name,
        type(key) == "string" and shown.of(key) or "...", shown.of(key))
    end
    local bit = argument.word(flag, known, what or "flag")
    bits = bits + (seen[flag] and 0 or bit)
    seen[flag] = true
  end
  return bits
end

local option_kinds = {
  boolean = {"true or false", function(given) return type(given) == "boolean" end},
  checked = {"", function() return true end}, -- by the function that takes it
  list = {"a list", is_plain},
  number = {"a number", function(given) return type(given) == "number" end},
  text = {"a text", function(given) return type(given) == "string" end},
  whole = {"a whole number", is_whole},
}

local function fits(kind, option)
  local known = option_kinds[kind]
  return known and known[2](option)
end

--- Refuses what is not a table of options, unknown names, and values of a wrong kind.
-- @tparam ?table given
-- @tparam string name as for @{refuse}
-- @tparam table known the kind of each option, by its name: "boolean", "list" (a table), "number", "text", "whole"
--   (number), or "checked" if the caller checks it
-- @treturn table given, or an empty one
function argument.options(given, name, known)
  if given == nil then return {} end
  if not is_plain(given) then argument.refuse(name, ("a table of options (%s)"):format(listed(known)), given) end
  for key, option in pairs(given) do
    if not fits(known[key], option) then
      local wrong = least_key(given, function(other, value) return not fits(known[other], value) end)
      if not option_kinds[known[wrong]] then refuse_word("option", wrong, known) end
      argument.refuse(wrong, option_kinds[known[wrong]][1], given[wrong])
    end
  end
  return given
end

--- Why a struct that lay in an array cannot be used.
argument.TAKEN_AWAY =
  "this memory was given back, since its array was made shorter: take the struct from the array again"

-- ---- what the binding refuses -----------------------------------------------------------------------------------

-- What scripts call the binding's parameters, and which whole numbers are allowed.
local parameters = {
  queue_execute = {[4] = {"offset", " of 0 or more"}, [5] = {"global size", " of 1 or more"},
                   [6] = {"local size", " of 1 or more"}},
}

binding.refusal_setup(function(call, position, problem, expected, given)
  local public_call = public.called()
  if call:find "^cell_" and not expected then -- a field of a struct was read or set
    if problem == "the array was unmapped" then
      return failure.new {text = "this memory was released by queue:unmap: map it again"}
    elseif problem:find "are not all in an array" then
      return failure.new {text = argument.TAKEN_AWAY}
    end
  end
  if not public_call then return nil end
  local parameter = parameters[call] and parameters[call][position] or {("argument #%d"):format(position), ""}
  local which = expected == "whole number" and parameter[2] or ""
  local words = expected and (" must be %s%s, got %s"):format(with_article(expected), which, shown.of(given))
    or ": " .. problem
  return failure.new {text = ("%s: %s%s"):format(public_call, parameter[1], words)}
end)

return argument
