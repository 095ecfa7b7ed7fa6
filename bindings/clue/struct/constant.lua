--- Whole numbers that declarations of OpenCL C compute: lengths of arrays, values of enums, alignments.
-- @module clue.struct.constant
local lexer = require "clue.struct.lexer"

local fail = lexer.fail

local constant = {}

local function quotient(left, right, line)
  if right == 0 then fail(line, "a division by 0") end
  local exact = left / right
  return exact < 0 and math.ceil(exact) or math.floor(exact) -- C rounds towards 0
end

-- By the mark: how strongly it binds, and what it does.
local operators = {
  ["*"] = {3, function(left, right) return left * right end},
  ["/"] = {3, quotient},
  ["%"] = {3, function(left, right, line) return left - right * quotient(left, right, line) end},
  ["+"] = {2, function(left, right) return left + right end},
  ["-"] = {2, function(left, right) return left - right end},
  ["<<"] = {1, function(left, right) return math.floor(left * 2 ^ right) end},
  [">>"] = {1, function(left, right) return math.floor(left / 2 ^ right) end},
}

local function number(token)
  local digits = token.text:match "^(.-)[uUlL]*$"
  local value = digits:find "^0%d" and tonumber(digits, 8) or tonumber(digits)
  if value and value % 1 == 0 then return value end
  fail(token.line, "'%s' is not a whole number", token.text)
end

local sum

-- A number, a constant, something in parentheses, or the negative of these.
local function operand(reader, what)
  local token = reader:next()
  if token.text == "-" then return -operand(reader, what) end
  if token.text == "(" then
    local value = sum(reader, what, 1)
    reader:expect(")", what)
    return value
  end
  if token.kind == "number" then return number(token) end
  local known = reader.constants[token.text]
  if known then return known end
  fail(token.line, "%s must be a number, a constant of an enum or a macro for one, found %s", what, reader:shown(token))
end

-- Everything that binds at least so strongly.
function sum(reader, what, least)
  local left = operand(reader, what)
  while true do
    local mark = reader:peek()
    local operator = operators[mark.text]
    if not operator or operator[1] < least then return left end
    reader:next()
    left = operator[2](left, sum(reader, what, operator[1] + 1), mark.line)
  end
end

--- Reads an expression.
-- @tparam table reader the parser, at its first token
-- @tparam string what it is for, in messages
-- @treturn number
function constant.read(reader, what)
  return (sum(reader, what, 1))
end

return constant
