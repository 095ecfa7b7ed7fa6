--- What messages say of a value: "0.5", "a float array", "a closed buffer".
-- @module clue.shown
local binding = require "clue.binding"
local numbers = require "clue.number"

local shown = {}

local type_names = {}
for name, code in pairs(binding.type_codes) do type_names[code] = name end

--- A number in as few digits as identify it: 0.1 and not 0.10000000000000001.
-- @tparam number number
-- @treturn string
function shown.number(number)
  if number ~= number then return "nan" end
  local short = numbers.text("%.14g", number)
  if numbers.read(short) == number then return short end
  local is_long = number ~= number + 0.0 -- an integer of Lua 5.4 that a double cannot hold
  return numbers.text(is_long and "%d" or "%.17g", number)
end

local without_article = {["struct types"] = "struct types", svm = "shared virtual memory", workers = "workers"}

--- A noun with its article, if it has one.
-- @tparam string noun
-- @treturn string "a buffer", "an event", "shared virtual memory" for "svm"
function shown.with_article(noun)
  if without_article[noun] then return without_article[noun] end
  local vowel = noun:find "^[aeiou]" and not noun:find "^u[csil]" -- a uchar
  return (vowel and "an " or "a ") .. noun
end

local with_article = shown.with_article

local LONGEST = 60 -- the most characters of a text that are shown

local function quoted(text)
  local cut = #text > LONGEST and text:sub(1, LONGEST) .. "..." or text
  return '"' .. cut:gsub("[%c\127]", function(byte) return ("\\x%02x"):format(byte:byte()) end) .. '"'
end

--- The kinds of objects, by metatable: its field `kind`, which is remembered here; false for any other.
shown.kinds = setmetatable({}, {__mode = "k", __index = function(known, meta)
  local kind = type(meta) == "table" and rawget(meta, "kind") or false
  if kind then known[meta] = kind end
  return kind
end})

local getmetatable, kinds = getmetatable, shown.kinds

--- The kind of an object, open or closed.
-- @param given anything
-- @treturn ?string "context", "queue", "program", "kernel", "buffer", "event"; nil for anything else
function shown.kind_of(given)
  return kinds[getmetatable(given)] or nil
end

local kind_of = shown.kind_of

local function table_shown(given)
  local kind, meta = kind_of(given), getmetatable(given)
  if meta == "typed value" then return tostring(given) end
  if kind and meta.shown then return meta.shown(given) end
  if not kind then return "a table" end
  return meta.has_handles and not rawget(given, "handle") and "a closed " .. kind or with_article(kind)
end

--- The type of an array's elements.
-- @param value anything
-- @treturn ?string "float"; nil if it is not an array
function shown.type_of(value)
  return type_names[binding.array_code(value) or 0]
end

--- Whether queue:unmap has released the memory of an array. It then has no elements, and every function refuses it.
-- @tparam array array
-- @treturn boolean
function shown.is_unmapped(array)
  return binding.array_owner(array) == "unmapped"
end

local type_of, is_unmapped = shown.type_of, shown.is_unmapped

--- A value in a message.
-- @param given
-- @treturn string "0.5", '"text"', "a float array", "a closed buffer", "nil"
function shown.of(given)
  local elements, kind, meta = type_of(given), type(given), getmetatable(given)
  if kind == "userdata" and type(meta) == "table" and meta.shown then return meta.shown(given) end
  if elements then return with_article((is_unmapped(given) and "unmapped " or "") .. elements .. " array") end
  if kind == "number" then return shown.number(given) end
  if kind == "string" then return quoted(given) end
  if kind == "table" then return table_shown(given) end
  if kind == "userdata" and kind_of(given) then return with_article(kind_of(given)) end
  if given == nil or kind == "boolean" then return tostring(given) end
  return io.type(given) and "a file" or with_article(kind)
end

return shown
