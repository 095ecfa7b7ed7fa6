--- Guesses which known word an unknown word was meant to be.
-- @module clue.nearest

-- How many letters must change to make one word the other, where two neighbours that change places count once (the
-- optimal string alignment distance).
local function distance(left, right)
  local above, row = {}, {}
  for j = 0, #right do row[j] = j end
  for i = 1, #left do
    local next_row = {[0] = i}
    for j = 1, #right do
      local change = row[j - 1] + (left:byte(i) == right:byte(j) and 0 or 1)
      next_row[j] = math.min(change, row[j] + 1, next_row[j - 1] + 1)
      local swapped = i > 1 and j > 1 and left:byte(i) == right:byte(j - 1) and left:byte(i - 1) == right:byte(j)
      if swapped then next_row[j] = math.min(next_row[j], above[j - 2] + 1) end
    end
    above, row = row, next_row
  end
  return row[#right]
end

-- The known word that differs only in the case of its letters.
local function in_other_case(word, known)
  local lower, found = word:lower(), nil
  for name in pairs(known) do
    local fits = type(name) == "string" and name:lower() == lower and name ~= word
    if fits and (not found or name < found) then found = name end
  end
  return found
end

-- The only known word that begins with a word.
local function completed(word, known)
  local found
  for name in pairs(known) do
    if type(name) == "string" and name:sub(1, #word) == word then
      if found then return nil end
      found = name
    end
  end
  return found
end

--- The known word that is nearest to a word: the same in other case, or else the only one that begins so, or else the
-- one with the fewest other letters.
-- @tparam string word
-- @tparam table known words as keys; other keys do not count
-- @tparam[opt=3] number most how many letters may differ
-- @tparam[opt=4] number start how many letters make the beginning of a word
-- @treturn ?string nil if none is near: more than `most` letters or every second one differ
return function(word, known, most, start)
  if #word > 100 then return nil end -- not a name, and slow to compare
  local other = in_other_case(word, known) or #word >= (start or 4) and completed(word, known)
  if other then return other end
  local best, least = nil, math.min(most or 3, math.floor(#word / 2)) + 1
  for name in pairs(known) do
    local steps = type(name) == "string" and distance(word, name) or least + 1
    if steps < least or steps == least and best and name < best then best, least = name, steps end
  end
  return best
end
