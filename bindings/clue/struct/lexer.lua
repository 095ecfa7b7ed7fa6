--- Splits declarations in OpenCL C into words, numbers and marks, for clue.struct.parser. Macros without parameters are
-- replaced as they are used. Conditions and included files are refused: the declarations that a kernel gets depend on
-- its options then.
-- @module clue.struct.lexer
local argument = require "clue.argument"
local shown = require "clue.shown"
local words = require "clue.text"

local lexer = {}

--- Raises an error object for a line of the declarations.
-- @tparam number line
-- @tparam string problem as string.format takes it
-- @param ... what it formats
function lexer.fail(line, problem, ...)
  argument.fail("line %d: " .. problem, line, ...)
end

local fail = lexer.fail

-- ---- macros ----

local function define(state, rest)
  local name, parameters, body = rest:match "^([%a_][%w_]*)(%(?)(.*)$"
  if not name then fail(state.line, "#define needs a name") end
  state.macros[name] = {body = body, line = state.line, has_parameters = parameters == "("}
end

local ignored = {line = true, pragma = true, error = false}

-- text: the line after its "#"
local function directive(state, text)
  local name, rest = text:match "^%s*(%a*)%s*(.*)$"
  if name == "define" then
    define(state, rest)
  elseif name == "undef" then
    state.macros[rest:match "^[%w_]*"] = nil
  elseif name == "pragma" and rest:find "^pack" then
    fail(state.line, "#pragma pack is not OpenCL C: write __attribute__((packed)) after the struct's closing brace")
  elseif name ~= "" and not ignored[name] then
    fail(state.line, "#%s is not read here: give cl.structs only the declarations that the kernel gets", name)
  end
end

-- ---- tokens ----

local scan

local function use_macro(state, macro, name, depth)
  if macro.has_parameters then fail(state.line, "%s is a macro with parameters: write out what it stands for", name) end
  if depth > 20 then fail(state.line, "%s is a macro that stands for itself", name) end
  scan(state, macro.body, depth + 1)
end

local function add(state, kind, text)
  state.tokens[#state.tokens + 1] = {kind = kind, text = text, line = state.line}
end

local function add_word(state, word, depth)
  local macro = state.macros[word]
  if macro then use_macro(state, macro, word, depth) else add(state, "word", word) end
end

local function count_lines(text)
  return select(2, text:gsub("\n", ""))
end

-- What begins a token or is skipped, in this order: a pattern, and what is done with its capture.
local rules = {
  {"^(\\?\r?\n)", function(state, found, depth) state.line = state.line + (depth == 0 and count_lines(found) or 0) end},
  {"^([ \t\v\f]+)", function() end},
  {"^(//[^\n]*)", function() end},
  {"^(/%*.-%*/)", function(state, found, depth)
    state.line = state.line + (depth == 0 and count_lines(found) or 0)
  end},
  {"^([%a_][%w_]*)", add_word},
  {"^(%d[%w_.]*)", function(state, found) add(state, "number", found) end},
  {"^(<<)", function(state, found) add(state, "mark", found) end},
  {"^(>>)", function(state, found) add(state, "mark", found) end},
  {"^(%p)", function(state, found) add(state, "mark", found) end},
}

local function scan_one(state, text, at, depth)
  for _, rule in ipairs(rules) do
    local found = text:match(rule[1], at)
    if found then
      if found == "/" and text:sub(at, at + 1) == "/*" then fail(state.line, "the comment does not end") end
      rule[2](state, found, depth)
      return at + #found
    end
  end
  local character = text:match("^[\194-\244][\128-\191]+", at) or text:sub(at, at) -- of UTF-8
  fail(state.line, "there is no such character in OpenCL C: %s", shown.of(character))
end

-- A line that begins with "#", with the lines that it continues on. Returns where the next one begins.
local function scan_directive(state, text, at)
  local first, last = at, at
  repeat
    last = text:find("\n", last, true) or #text + 1
    local goes_on = text:sub(last - 1, last - 1) == "\\" or text:sub(last - 2, last - 1) == "\\\r"
    last = last + 1
  until not goes_on or last > #text
  local line = text:sub(first + 1, last - 2)
  directive(state, words.trim_end((line:gsub("\\\r?\n", " "):gsub("/%*.-%*/", " "):gsub("//.*", ""))))
  state.line = state.line + count_lines(line)
  return last - 1
end

function scan(state, text, depth)
  local at = 1
  while at <= #text do
    local mark = depth == 0 and text:match("^[ \t]*()#", at)
    local starts = mark and (at == 1 or text:sub(at - 1, at - 1) == "\n")
    at = starts and scan_directive(state, text, mark) or scan_one(state, text, at, depth)
  end
end

--- Splits a text.
-- @tparam string text
-- @treturn {table,...} tokens: kind ("word", "number", "mark"), text, line. The last one has kind "end".
function lexer.tokens(text)
  local state = {tokens = {}, macros = {}, line = 1}
  scan(state, words.without_marks(text), 0)
  add(state, "end", "the end")
  return state.tokens
end

return lexer
