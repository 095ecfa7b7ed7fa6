--- The words of OpenCL C that a program cannot give another meaning.
-- @module clue.shared.c_words
local c_words = {}

local function set(words)
  local found = {}
  for word in words:gmatch "%S+" do found[word] = true end
  return found
end

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
function c_words.class(word)
  if keywords[word] then return "keyword" end
  local element, width = word:match "^(%l+)(%d+)$"
  local vector = width and (" 2 3 4 8 16 "):find(" " .. width .. " ", 1, true) and types[element] and element ~= "void"
  return (types[word] or vector) and "type" or nil
end

return c_words
