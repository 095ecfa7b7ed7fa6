--- A set of words.
-- @module clue.build.instructions.set

--- Makes it.
-- @tparam string text the words, with blanks between them
-- @treturn table true, by word
return function(text)
  local set = {}
  for word in text:gmatch "%S+" do set[word] = true end
  return set
end
