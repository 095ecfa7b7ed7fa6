--- Hints for people who know C or MQL5 better than Lua. host/main/report.c asks for one when an error ends a script, a
-- text of -e or a statement of the prompt, and prints it below the message. A hint says what to write, and the page
-- that explains it.
--
-- A syntax error gets a hint only if the text does not compile and its line at fault has the pattern of one.
local literals = require "clue.literals"
local names = require "clue.hint.names"
local source = require "clue.hint.source"
local syntax = require "clue.hint.syntax"

local hint = {}

-- The hint for a text that does not compile.
local function for_syntax(message, text)
  local found = source.find(message, text)
  return found and syntax.find(found)
end

-- The hint for a variable that is nil because Lua reads `o = new COpenCL()` as `o = new` and a call.
local function for_new(message, text)
  local name = message:match "attempt to index %a+ '([%a_][%w_]*)' %(a nil value%)"
    or message:match "attempt to index a nil value %(%a+ '([%a_][%w_]*)'%)"
  local script = name and source.script(message, text)
  local class = script and literals.mask(script):match("%f[%w_]" .. name .. "%s*=%s*new%s+([%a_][%w_]*)%s*%(")
  return class and syntax.new(class)
end

-- The hint for a kernel's file that was run as a script.
local function for_kernels(message)
  local file = message:match "^([^:]*%.cl):%d+: "
  return file and {("OpenCL C is no script: `clue build %s` compiles it, `clue check %s` looks for faults; a script "
    .. "reads it by clue.read_file"):format(file, file), "reference/programs.md"}
end

--- Finds the hint for an error.
-- @tparam string message of Lua's, with the place before it
-- @tparam[opt] string text what was compiled, if it is in no file
-- @treturn ?string nil if there is none
function hint.of(message, text)
  local found = for_kernels(message) or names.find(message) or for_new(message, text) or for_syntax(message, text)
  return found and ("%s (clue help %s)"):format(found[1], found[2])
end

return hint
