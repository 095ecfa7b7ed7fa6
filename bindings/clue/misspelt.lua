--- What to say of a misspelt option or name: the one that was meant, or those that there are.
-- @module clue.misspelt
local nearest = require "clue.nearest"

local misspelt = {}

local function bare(option)
  return (option:gsub("^%-+", ""))
end

--- The option that a word was meant to be: nearly the same letters, or the beginning of no other.
-- @tparam string typed "--devcie", "--dev", "-device"
-- @tparam {string,...} options as they are typed: "--device"; those of one letter are never meant
-- @treturn ?string nil if none is near
function misspelt.option(typed, options)
  local names = {}
  for _, option in ipairs(options) do
    if #bare(option) > 1 then names[bare(option)] = option end
  end
  local word = bare(typed:match "^[^=]*")
  if #word < 2 then return nil end
  local meant = nearest(word, names, nil, 2)
  return meant and names[meant]
end

--- The same as the end of a message.
-- @tparam string typed
-- @tparam {string,...} options
-- @treturn string ": did you mean --device?", or ""
function misspelt.guess(typed, options)
  local meant = misspelt.option(typed, options)
  return meant and (": did you mean %s?"):format(meant) or ""
end

--- What to say of a name that is not there: what is.
-- @tparam string kind "kernel"
-- @tparam string name
-- @tparam {string,...} names
-- @treturn string "there is no kernel 'sum'; there are: scale, shift"
function misspelt.unknown(kind, name, names)
  local there = #names == 0 and "there is none" or (#names == 1 and "there is: " or "there are: ")
    .. table.concat(names, ", ")
  return ("there is no %s '%s'; %s"):format(kind, name, there)
end

--- Two parts of a message, with what belongs between them: a question is a sentence of its own.
-- @tparam string first
-- @tparam string second
-- @treturn string
function misspelt.join(first, second)
  return first .. (first:find "%?$" and " " or "; ") .. second
end

return misspelt
