--- The comments and literals of a text in C, OpenCL C or MQL5.
-- @module clue.shared.c_literals
local c_literals = {}

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
function c_literals.mask(text)
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

return c_literals
