--- Text in C, OpenCL C or MQL5: its words, comments and literals.
local set = require("clue.text").set

local c_text = {}

-- ---- words that a program cannot give another meaning ----

local keywords = set [[if else for while do switch case default break continue return goto sizeof typedef struct union
  enum const volatile restrict inline static extern auto register kernel __kernel global __global local __local constant
  __constant private __private generic __generic read_only __read_only write_only __write_only read_write __read_write
  pipe __attribute__]]
local types = set [[void bool char uchar short ushort int uint long ulong float double half size_t ptrdiff_t intptr_t
  uintptr_t unsigned signed image1d_t image1d_buffer_t image1d_array_t image2d_t image2d_array_t image3d_t sampler_t
  event_t queue_t]]

--- What a word is.
-- @tparam string word
-- @treturn ?string "keyword" or "type" (vectors too); nil: a name
function c_text.class(word)
  if keywords[word] then return "keyword" end
  local element, width = word:match "^(%l+)(%d+)$"
  local vector = width and (" 2 3 4 8 16 "):find(" " .. width .. " ", 1, true) and types[element] and element ~= "void"
  return (types[word] or vector) and "type" or nil
end

-- ---- comments and literals ----

local patterns = {"^//[^\n]*", "^/%*.-%*/", '^"[^"\n]*"', "^'[^'\n]*'"}

-- The last character of a comment or a literal that begins at a place; nil if none does.
local function end_of(text, at)
  for _, pattern in ipairs(patterns) do
    local _, last = text:find(pattern, at)
    if last then return last end
  end
end

--- Replaces what is in comments and literals by blanks, so that every place stays where it is.
-- @tparam string text
-- @treturn string of the same length, with the same lines
-- @treturn {table,...} the strings in order: first and stop, the places of their quotation marks
function c_text.mask(text)
  local plain = text:gsub("\\[^\n]", "  ")
  local parts, strings, from, at = {}, {}, 1, plain:find "[/\"']"
  while at do
    local last = end_of(plain, at)
    if last then
      parts[#parts + 1] = plain:sub(from, at - 1)
      parts[#parts + 1] = plain:sub(at, last):gsub("[^\n]", " ")
      if plain:sub(at, at) == '"' then strings[#strings + 1] = {first = at, stop = last} end
      from = last + 1
    end
    at = plain:find("[/\"']", (last or at) + 1)
  end
  return table.concat(parts) .. plain:sub(from), strings
end

return c_text
