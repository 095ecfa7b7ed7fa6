--- Hints for people who know C or MQL5 better than Lua. host/main/report.c asks for one when an error ends a script, a
-- text of -e or a statement of the prompt, and prints it below the message. A hint says what to write, and the page
-- that explains it.
--
-- A syntax error gets a hint only if the text does not compile and its line at fault has the pattern of one.
local read_file = require("clue.file").read
local lines_of = require("clue.text").lines
local literals = require "clue.literals"
local names = require "clue.hint.names"
local syntax = require "clue.hint.syntax"

local hint = {}

local load_text = rawget(_G, "loadstring") or load

-- ---- the text at fault ----

-- Whether a text fails with this message, apart from the name before it.
local function fails_with(text, message)
  local compiled, problem = load_text(text, "=x")
  return not compiled and message:sub(-#problem + 1) == problem:sub(2)
end

-- Lua skips a first line that begins with '#'.
local function read(path)
  local text = read_file(path)
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

-- The text of the script in which an error happened; nil if the message names no file.
local function script_of(message, text)
  local name = message:match "^(.-):%d+: "
  if text or name ~= "(command line)" then return text or name and read(whole_name(name)) end
  local words = {}
  for _, word in pairs(type(arg) == "table" and arg or {}) do words[#words + 1] = tostring(word) end
  return table.concat(words, "\n")
end

-- What a syntax error is about: text, lines, code (the lines without comments and strings), strings, number (of the
-- line at fault), problem (the message without its place); nil if the message is none of a text that does not compile.
local function source_of(message, text)
  local module, of_module = message:match "from file '([^\n]*)':\n\t([^\n]*)$" -- of a module that does not load
  message = of_module or message
  local name, number, problem = message:match "^(.-):(%d+): (.*)$"
  local found = name and text_of(name, message, text, module)
  if not found then return nil end
  local masked, strings = literals.mask(found)
  return {text = found, lines = lines_of(found), code = lines_of(masked), strings = strings, number = tonumber(number),
    problem = problem}
end

-- ---- hints ----

-- The hint for a text that does not compile.
local function for_syntax(message, text)
  local found = source_of(message, text)
  return found and syntax.find(found)
end

-- The hint for a variable that is nil because Lua reads `o = new COpenCL()` as `o = new` and a call.
local function for_new(message, text)
  local name = message:match "attempt to index %a+ '([%a_][%w_]*)' %(a nil value%)"
    or message:match "attempt to index a nil value %(%a+ '([%a_][%w_]*)'%)"
  local script = name and script_of(message, text)
  local class = script and literals.mask(script):match("%f[%w_]" .. name .. "%s*=%s*new%s+([%a_][%w_]*)%s*%(")
  return class and syntax.new(class)
end

-- The hint for a kernel's file that was run as a script.
local function for_kernels(message)
  local file = message:match "^([^:]*%.cl):%d+: "
  return file and {("OpenCL C is no script: `clue build %s` compiles it, `clue check %s` looks for faults; a script "
    .. "reads it by clue.read_file"):format(file, file), "reference/programs.md"}
end

-- The hint for a module that stands beside the script, where Lua does not look.
local function for_module(message)
  local name = message:match "module '([%w_-]+)' not found:"
  local script = type(arg) == "table" and type(arg[0]) == "string" and arg[0]
  local file = name and script and script:gsub("[^/]*$", "") .. name .. ".lua"
  return file and read(file) and {('Lua looks for modules in the current folder, not beside the script: write '
    .. 'dofile((arg[0]:gsub("[^/]*$", "%s.lua", 1)))'):format(name), "reference/edit.md"}
end

--- Finds the hint for an error.
-- @tparam string message of Lua's, with the place before it
-- @tparam[opt] string text what was compiled, if it is in no file
-- @treturn ?string nil if there is none
function hint.of(message, text)
  local found = for_kernels(message) or names.find(message) or for_new(message, text)
    or for_module(message) or for_syntax(message, text)
  return found and ("%s (clue help %s)"):format(found[1], found[2])
end

return hint
