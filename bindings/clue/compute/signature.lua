--- Reads what an algorithm takes: the text of C parameters, as a kernel has them.
--
--     local list = signature.parse("float a, const float *x, uint4 *y", {i = "the index of the element"})
--     list[2].name, list[2].type, list[2].pointer      -- "x", "float", true
--     list.kernel                                      -- "float a, __global const float *x, __global uint4 *y"
--     list.names                                       -- "a, x, y"
--     list.apart                                       -- kernel, but all pointers to global memory are restrict
--
-- A pointer is to global memory, unless it says constant.
-- @module clue.compute.signature
local argument = require "clue.argument"
local caret = require("clue.text").caret
local trim_end = require("clue.text").trim_end
local types = require "clue.compute.types"

local signature = {}

local MOST = 110 -- parameters: Lua's functions have no room for more arguments, in their parameters and in a call

-- ---- messages ----

-- The line of a text in which a position is, and the position in it.
local function line_at(text, at)
  local before = text:sub(1, at - 1):match "[^\n]*$"
  return before .. text:sub(at):match "^[^\n]*", #before + 1
end

-- Raises: shows the text, with a caret at what is wrong.
local function refuse(text, at, problem, ...)
  local line, column = line_at(text, at)
  argument.fail("arguments: %s\n    %s\n    %s", problem:format(...), line, caret(line, column))
end

-- ---- words ----

-- The words and signs of a text, with their positions.
local function words_of(text)
  local words, at = {}, text:find "%S"
  while at do
    local word = text:match("^[%a_][%w_]*", at) or text:match("^[*,]", at)
    if not word then refuse(text, at, "'%s' does not belong into a list of C parameters", text:sub(at, at)) end
    words[#words + 1] = {text = word, at = at}
    at = text:find("%S", at + #word)
  end
  return words
end

-- The words of each parameter; every list has the position where it ends.
local function split(text)
  local lists, list = {}, {}
  for _, word in ipairs(words_of(text)) do
    if word.text == "," then
      list.stop = word.at
      lists[#lists + 1], list = list, {}
    else
      list[#list + 1] = word
    end
  end
  list.stop = #trim_end(text) + 1
  lists[#lists + 1] = list
  return lists
end

-- ---- a parameter ----

local spaces = {global = "global", __global = "global", constant = "constant", __constant = "constant"}
local refused = {["local"] = true, __local = true, private = true, __private = true, generic = true, __generic = true}
local qualifiers = {const = "const", volatile = "volatile", restrict = "restrict", __restrict = "restrict",
                    read_only = "read_only", __read_only = "read_only", write_only = "write_only",
                    __write_only = "write_only", read_write = "read_write", __read_write = "read_write"}

-- Sorts a parameter's words: what it points to, its qualifiers before and behind the star, the words of its type.
local function sorted(text, list)
  local found = {type = {}, before = {}, behind = {}, pointer = false}
  for i = 1, #list - 1 do
    local word = list[i].text
    if refused[word] then
      refuse(text, list[i].at, "'%s': an algorithm takes memory of the device, global or constant", word)
    elseif word == "*" then
      if found.pointer then refuse(text, list[i].at, "a pointer to a pointer cannot be an argument of a kernel") end
      found.pointer = true
    elseif spaces[word] then
      found.space = spaces[word]
    elseif qualifiers[word] then
      local where = found.pointer and found.behind or found.before
      where[#where + 1] = qualifiers[word]
    elseif found.pointer then
      refuse(text, list[i].at, "expected a comma or the name of a parameter, not '%s %s'", word, list[i + 1].text)
    else
      found.type[#found.type + 1] = word
    end
  end
  return found
end

-- Words that end a type, so that a name must follow.
local type_words = {signed = true, unsigned = true, struct = true, union = true, enum = true}

local function check_name(text, list, found)
  local last = list[#list]
  local name = last.text
  local is_name = name ~= "*" and not qualifiers[name] and not spaces[name] and not type_words[name]
  if #found.type == 0 and (not is_name or types.bytes(name) == nil) then
    refuse(text, list[1].at, "expected a type and a name, as in 'const float *x'")
  end
  if not is_name or #found.type == 0 or types.bytes(name) then
    refuse(text, list.stop, "expected the name of a parameter after '%s'", name)
  end
  if found.space and not found.pointer then
    refuse(text, list[1].at, "'%s' is %s, but no pointer: write '*%s'", name, found.space, name)
  end
end

local function declared(made, found)
  local words = {}
  if made.space then words[1] = "__" .. made.space end
  for _, word in ipairs(found.before) do words[#words + 1] = word end
  words[#words + 1] = made.type
  local behind = table.concat(found.behind, " ")
  words[#words + 1] = (made.pointer and "*" or "") .. behind .. (behind ~= "" and " " or "") .. made.name
  return table.concat(words, " ")
end

local function parameter(text, list)
  if #list == 0 then refuse(text, list.stop, "expected a parameter, as in 'const float *x'") end
  local found = sorted(text, list)
  check_name(text, list, found)
  local made = {name = list[#list].text, type = types.named(found.type), pointer = found.pointer,
                space = found.pointer and (found.space or "global") or nil, writable = found.pointer}
  for _, word in ipairs(found.before) do made.writable = made.writable and word ~= "const" end
  made.writable = made.writable and made.space == "global"
  made.bytes = types.bytes(made.type)
  made.declaration = declared(made, found)
  made.apart = made.declaration
  if made.space == "global" and not made.declaration:find "%f[%w_]restrict" then
    made.apart = made.declaration:gsub("%*", "*restrict ", 1)
  end
  return made
end

--- Refuses what is not a text of C parameters, without reading it.
-- @param given
-- @treturn string the value
function signature.text(given)
  return argument.text(given, "arguments", "a text of C parameters, as in \"float a, const float *x\"")
end

--- Reads the text of C parameters. Raises an error object that shows the text with a caret.
-- @tparam string text "float a, const float *x"; "" has none
-- @tparam[opt] table reserved names that no parameter may have: what each is, by name
-- @treturn table a list of parameters: name, type ("float4"), pointer (boolean), space ("global", "constant"; nil
--   without pointer), writable (boolean: a pointer to global memory that is not const), bytes (of an element; nil if
--   the type is not one of OpenCL's numbers or vectors), declaration ("__global const float *x"); and, of all: kernel
--   (the declarations with commas), apart (the same with pointers to global memory that are restrict), names (the names
--   with commas), text
function signature.parse(text, reserved)
  signature.text(text)
  local made, seen, names, declarations, apart = {text = text}, {}, {}, {}, {}
  local lists = text:find "%S" and split(text) or {}
  if #lists > MOST then
    argument.fail("arguments: %d parameters, but an algorithm takes %d at most: give numbers in a buffer", #lists, MOST)
  end
  for position, list in ipairs(lists) do
    local one = parameter(text, list)
    local last = list[#list].at
    if seen[one.name] then refuse(text, last, "there are two parameters '%s'", one.name) end
    local taken = reserved and reserved[one.name] or one.name:find "^clue_" and "a name of clue's"
    if taken then refuse(text, last, "'%s' is %s: choose another name", one.name, taken) end
    seen[one.name] = true
    made[position], names[position], declarations[position] = one, one.name, one.declaration
    apart[position] = one.apart
  end
  made.names, made.kernel = table.concat(names, ", "), table.concat(declarations, ", ")
  made.apart = table.concat(apart, ", ")
  return made
end

--- Two lists of parameters or arguments as one.
-- @tparam string list kernel or names of @{parse}, which may be ""
-- @tparam string more
-- @treturn string
function signature.join(list, more)
  return list == "" and more or list .. ", " .. more
end

--- The lines that enable the extensions of the parameters' types.
-- @tparam table list of @{parse}
-- @treturn string "" if there are none
function signature.extensions(list)
  local lines = {}
  for _, one in ipairs(list) do
    local line = types.extension(one.type)
    if not lines[line] then
      lines[#lines + 1], lines[line] = line, true
    end
  end
  return table.concat(lines)
end

return signature
