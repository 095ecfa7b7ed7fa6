--- The text that did not compile, and its line at fault.
-- @module clue.hint.source
local source = {}

local load_text = rawget(_G, "loadstring") or load

-- ---- masking ----------------------------------------------------------------------------------------------------

local function blank(text)
  return (text:gsub("[^\n]", " "))
end

-- The end of a quoted string that begins here; nil if it does not end on its line.
local function quote_end(text, from)
  local at, quote = from + 1, text:sub(from, from)
  while true do
    local found = text:find("[\\\n" .. quote .. "]", at)
    local char = found and text:sub(found, found)
    if char ~= "\\" then return char == quote and found or nil end
    at = found + 2
  end
end

-- The long bracket that begins here: its level and its end; nil if there is none.
local function bracket(text, from)
  local level = text:match("^%[(=*)%[", from)
  if not level then return nil end
  local _, stop = text:find("]" .. level .. "]", from, true)
  return level, stop or #text
end

-- The end of the comment or string that begins here, and the string if it is a long one; nil if none does.
local function token_end(text, from)
  local char = text:sub(from, from)
  if char == "-" then
    if text:sub(from, from + 1) ~= "--" then return nil end
    local level, stop = bracket(text, from + 2)
    return level and stop or (text:find("\n", from, true) or #text + 1) - 1
  elseif char == "[" then
    local level, stop = bracket(text, from)
    return stop, level and {level = level, first = from, stop = stop, text = text:sub(from, stop)}
  end
  return quote_end(text, from)
end

--- Replaces what is in comments and strings by spaces.
-- @tparam string text
-- @treturn string of the same length, with the same lines
-- @treturn table the long strings in order: level ("" or "=" ...), first and stop (bytes), text
function source.mask(text)
  local parts, strings, from = {}, {}, 1
  while true do
    local at = text:find("[%-%[\"']", from)
    if not at then break end
    local stop, long = token_end(text, at)
    parts[#parts + 1] = text:sub(from, at - 1) .. (stop and blank(text:sub(at, stop)) or text:sub(at, at))
    strings[#strings + 1] = long or nil
    from = (stop or at) + 1
  end
  return table.concat(parts) .. text:sub(from), strings
end

-- ---- finding ----------------------------------------------------------------------------------------------------

-- Whether a text fails with this message, apart from the name before it.
local function fails_with(text, message)
  local compiled, problem = load_text(text, "=x")
  return not compiled and message:sub(-#problem + 1) == problem:sub(2)
end

-- Lua skips a first line that begins with '#'.
local function read(path)
  local file = io.open(path, "rb")
  local text = file and file:read "*a"
  if file then file:close() end
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

local function lines_of(text)
  local lines = {}
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do lines[#lines + 1] = line:gsub("\r$", "") end
  return lines
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
  local masked, strings = source.mask(found)
  return {text = found, lines = lines_of(found), code = lines_of(masked), strings = strings, number = tonumber(number),
    problem = problem}
end

return source
