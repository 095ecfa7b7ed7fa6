--- The text that did not compile, and its line at fault.
local file = require "clue.file"
local literals = require "clue.literals"
local lines_of = require("clue.text").lines

local source = {}

local load_text = rawget(_G, "loadstring") or load

-- ---- finding ----------------------------------------------------------------------------------------------------

-- Whether a text fails with this message, apart from the name before it.
local function fails_with(text, message)
  local compiled, problem = load_text(text, "=x")
  return not compiled and message:sub(-#problem + 1) == problem:sub(2)
end

-- Lua skips a first line that begins with '#'.
local function read(path)
  local text = file.read(path)
  return text and text:sub(1, 1) ~= "\27" and text:gsub("^#[^\n]*", "") or nil
end

-- Lua shortens long names at their beginning. The whole name is that of the module's file, the script's or one of its
-- arguments.
local function whole_name(name, module)
  local ending = name:match "^%.%.%.(.*)$"
  if not ending then return name end
  if module and module:sub(-#ending) == ending then return module end
  for _, word in pairs(type(arg) == "table" and arg or {}) do
    if type(word) == "string" and word:sub(-#ending) == ending then return word end
  end
  return name
end

-- The file that a message names.
local function in_file(name, message, module)
  local text = read(whole_name(name, module))
  return text and fails_with(text, message) and text or nil
end

-- The text of -e that fails in this way.
local function in_words(message)
  for _, word in pairs(type(arg) == "table" and arg or {}) do
    if type(word) == "string" and fails_with(word, message) then return word end
  end
end

local function text_of(name, message, text, module)
  if text then return fails_with(text, message) and text or nil end
  if name == "(command line)" then return in_words(message) end
  return in_file(name, message, module)
end

--- The text of the script in which an error happened.
-- @tparam string message of Lua's
-- @tparam[opt] string text what was compiled, if it is in no file
-- @treturn ?string nil if the message names no file
function source.script(message, text)
  local name = message:match "^(.-):%d+: "
  if text or name ~= "(command line)" then return text or name and read(whole_name(name)) end
  local words = {}
  for _, word in pairs(type(arg) == "table" and arg or {}) do words[#words + 1] = tostring(word) end
  return table.concat(words, "\n")
end

--- Finds what a syntax error is about.
-- @tparam string message of Lua's
-- @tparam[opt] string text what was compiled, if it is in no file
-- @treturn ?table text, lines, code (the lines without comments and strings), strings, number (of the line at fault),
-- problem (the message without its place); nil if the message is none of a text that does not compile
function source.find(message, text)
  local module, of_module = message:match "from file '([^\n]*)':\n\t([^\n]*)$" -- of a module that does not load
  message = of_module or message
  local name, number, problem = message:match "^(.-):(%d+): (.*)$"
  local found = name and text_of(name, message, text, module)
  if not found then return nil end
  local masked, strings = literals.mask(found)
  return {text = found, lines = lines_of(found), code = lines_of(masked), strings = strings, number = tonumber(number),
    problem = problem}
end

return source
