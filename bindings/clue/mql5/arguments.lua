--- Reads what follows a script on the command line:
-- --name value, --name=value, --flag, --no-flag and words. An option of one letter may have one dash: -t 64. Each
-- input takes its own words in turn, since only its type says whether an option has a value. What is left at the end
-- is unknown. A value may start with "--" only after "=".
local misspelt = require "clue.misspelt"

local arguments = {}
arguments.__index = arguments

local function read_word(word)
  local name, value = word:match("^%-%-([^=]+)=(.*)$")
  name = name or word:match("^%-%-(.+)$") or word:match("^%-(%a)$")
  return {word = word, name = name, value = value, taken = false}
end

--- Reads the words.
-- @tparam table words what follows the script
-- @treturn table an object with the methods below
function arguments.new(words)
  local self = {words = {}}
  for i, word in ipairs(words) do self.words[i] = read_word(word) end
  return setmetatable(self, arguments)
end

-- The value of the option at a position: what follows its "=", or the next word.
local function value_at(self, position)
  local option, following = self.words[position], self.words[position + 1]
  if option.value then return option.value end
  if not following or following.name or following.taken then return nil end
  following.taken = true
  return following.word
end

--- Takes every
-- --name with its value; the last one counts.
-- @tparam string name
-- @treturn ?string the value, nil where the option was not given
-- @treturn ?string a problem
-- @treturn ?string the option as it was typed: "-t" or "--t"
function arguments:take(name)
  local value, problem, typed
  for position, word in ipairs(self.words) do
    if word.name == name and not word.taken then
      word.taken = true
      value, typed = value_at(self, position), word.word:match "^[^=]+"
      problem = not value and ("option %s needs a value"):format(typed) or nil
    end
  end
  return value, problem, typed
end

local truth = {["true"] = true, yes = true, on = true, ["1"] = true, ["false"] = false, no = false, off = false,
  ["0"] = false}

local function flag_of(word, name)
  if word.value == nil then return word.name == name end
  if word.name ~= name then return nil, ("option --%s takes no value"):format(word.name) end
  if truth[word.value] ~= nil then return truth[word.value] end
  return nil, ("option --%s is true or false, not '%s'"):format(name, word.value)
end

--- Takes every
-- --name, --no-name and --name=true|false; the last one counts.
-- @tparam string name
-- @treturn ?boolean nil where the flag was not given
-- @treturn ?string a problem
function arguments:take_flag(name)
  local value, problem
  for _, word in ipairs(self.words) do
    if not word.taken and (word.name == name or word.name == "no-" .. name) then
      word.taken = true
      value, problem = flag_of(word, name)
    end
  end
  return value, problem
end

--- Whether help was asked for, in any of its spellings.
-- @treturn boolean
function arguments:wants_help()
  local found = false
  for _, word in ipairs(self.words) do
    if word.word == "--help" or word.word == "-h" then word.taken, found = true, true end
  end
  return found
end

--- Takes every word that is not an option or an option's value.
-- @treturn table
function arguments:take_words()
  local rest = {}
  for _, word in ipairs(self.words) do
    if not word.taken and not word.word:find("^%-%D") then
      word.taken = true
      rest[#rest + 1] = word.word
    end
  end
  return rest
end

--- Lists a problem for each word that nothing took. A word after an unknown option counts as that option's value.
-- @tparam {string,...} options the script's, as they are typed, to guess which one was meant
-- @treturn table
function arguments:problems(options)
  local list, after_unknown = {}, false
  for _, word in ipairs(self.words) do
    local is_option = word.word:find("^%-%D") ~= nil
    if not word.taken and is_option then
      local typed = word.word:match "^%-%-[^=]+" or word.word
      list[#list + 1] = ("unknown option %s%s"):format(typed, misspelt.guess(typed, options))
    elseif not word.taken and not after_unknown then
      list[#list + 1] = ("'%s' does not belong to an option"):format(word.word)
    end
    after_unknown = not word.taken and is_option and not word.value
  end
  return list
end

return arguments
