--- Restrictions as Kernel Tuner writes them: an expression of Python over the parameters' names, as text.
--
--     local test = expression.compile "32 <= block_size_x * tile <= 1024 and vector in [1, 2, 4]"
--     test {block_size_x = 64, tile = 4, vector = 2}
--
-- No text becomes code: the expression is read into functions of a configuration.

local unpack = unpack or table.unpack -- luacheck: ignore

local expression = {}

-- ---- words ----

local symbols = {"**", "//", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "(", ")", "[", "]", ","}
local words = {["and"] = true, ["or"] = true, ["not"] = true, ["in"] = true, ["if"] = true, ["else"] = true}

local function symbol_at(text, at)
  for _, symbol in ipairs(symbols) do
    if text:sub(at, at + #symbol - 1) == symbol then return symbol end
  end
end

-- One token: its kind ("number", "text", "name", or what it is itself), its value, and where the next one begins.
local function token_at(text, at)
  local number = text:match("^%d+%.?%d*[eE][+-]?%d+", at) or text:match("^%d+%.?%d*", at) or text:match("^%.%d+", at)
  if number then return "number", tonumber(number), at + #number end
  local quote, string = text:match("^(['\"])(.-)%1", at)
  if quote then return "text", string, at + #string + 2 end
  local name = text:match("^[%a_][%w_]*", at)
  if name then return words[name] and name or "name", name, at + #name end
  local symbol = symbol_at(text, at)
  return symbol, symbol, symbol and at + #symbol
end

-- A reader of the tokens: kind and value of the current one, and next().
local function reader(text)
  local self, at = {text = text, names = {}}, 1
  function self.next()
    at = text:find("%S", at)
    if not at then
      self.kind, self.value = "end", "its end"
      return
    end
    local start = at
    self.kind, self.value, at = token_at(text, start)
    if not self.kind then error(("'%s' cannot be read at '%s'"):format(text, text:sub(start)), 0) end
  end
  self.next()
  return self
end

local function fail(self, wanted)
  error(("'%s': %s is expected, not %s"):format(self.text, wanted, tostring(self.value)), 0)
end

local function skip(self, kind)
  if self.kind ~= kind then fail(self, "'" .. kind .. "'") end
  self.next()
end

-- ---- values ----

local function is_true(value)
  return not (value == nil or value == false or value == 0 or value == "")
end

local function number(value)
  if type(value) == "boolean" then return value and 1 or 0 end
  return value
end

local function equal(a, b)
  return number(a) == number(b)
end

local operators = {
  ["+"] = function(a, b) return number(a) + number(b) end,
  ["-"] = function(a, b) return number(a) - number(b) end,
  ["*"] = function(a, b) return number(a) * number(b) end,
  ["/"] = function(a, b) return number(a) / number(b) end,
  ["//"] = function(a, b) return math.floor(number(a) / number(b)) end,
  ["%"] = function(a, b) return number(a) % number(b) end,
  ["**"] = function(a, b) return number(a) ^ number(b) end,
  ["=="] = equal,
  ["!="] = function(a, b) return not equal(a, b) end,
  ["<"] = function(a, b) return number(a) < number(b) end,
  ["<="] = function(a, b) return number(a) <= number(b) end,
  [">"] = function(a, b) return number(a) > number(b) end,
  [">="] = function(a, b) return number(a) >= number(b) end,
  ["in"] = function(a, list)
    for _, each in ipairs(list) do
      if equal(a, each) then return true end
    end
    return false
  end,
}
operators["not in"] = function(a, list) return not operators["in"](a, list) end

local constants = {True = true, False = false}
local functions = {min = math.min, max = math.max, abs = math.abs, int = math.floor, float = tonumber}

-- ---- the grammar, from the loosest to the tightest: each reads a part, and returns a function of a configuration ----

local whole

local function list_until(self, closing)
  local parts = {}
  while self.kind ~= closing do
    parts[#parts + 1] = whole(self)
    if self.kind ~= "," then break end
    self.next()
  end
  skip(self, closing)
  return parts
end

local function values_of(parts, p)
  local values = {}
  for i, part in ipairs(parts) do values[i] = part(p) end
  return values
end

local function call(self, name)
  local f = functions[name] or error(("'%s': there is no function %s"):format(self.text, name), 0)
  self.next()
  local parts = list_until(self, ")")
  return function(p) return f(unpack(values_of(parts, p))) end
end

local function named(self)
  local name = self.value
  self.next()
  if self.kind == "(" then return call(self, name) end
  local constant = constants[name]
  if constant ~= nil then return function() return constant end end
  self.names[name] = true
  return function(p) return p[name] end
end

-- (a) is a; (a, b) and [a, b] are lists.
local function bracketed(self, closing)
  self.next()
  local parts = list_until(self, closing)
  if closing == ")" and #parts == 1 then return parts[1] end
  return function(p) return values_of(parts, p) end
end

local function atom(self)
  if self.kind == "(" then return bracketed(self, ")") end
  if self.kind == "[" then return bracketed(self, "]") end
  if self.kind == "name" then return named(self) end
  if self.kind ~= "number" and self.kind ~= "text" then fail(self, "a value") end
  local value = self.value
  self.next()
  return function() return value end
end

local unary

local function power(self)
  local left = atom(self)
  if self.kind ~= "**" then return left end
  self.next()
  local right = unary(self)
  return function(p) return operators["**"](left(p), right(p)) end
end

function unary(self)
  if self.kind ~= "-" and self.kind ~= "+" then return power(self) end
  local sign = self.kind == "-" and -1 or 1
  self.next()
  local of = unary(self)
  return function(p) return sign * number(of(p)) end
end

local function binary(self, kinds, tighter)
  local left = tighter(self)
  while kinds[self.kind] do
    local operator, before = operators[self.kind], left
    self.next()
    local right = tighter(self)
    left = function(p) return operator(before(p), right(p)) end
  end
  return left
end

local function product(self) return binary(self, {["*"] = true, ["/"] = true, ["//"] = true, ["%"] = true}, unary) end
local function sum(self) return binary(self, {["+"] = true, ["-"] = true}, product) end

local comparisons = {["=="] = true, ["!="] = true, ["<"] = true, ["<="] = true, [">"] = true, [">="] = true,
                     ["in"] = true, ["not"] = true}

-- a < b <= c: every neighbouring pair.
local function comparison(self)
  local first, links = sum(self), {}
  while comparisons[self.kind] do
    local operator = self.kind
    self.next()
    if operator == "not" then
      skip(self, "in")
      operator = "not in"
    end
    links[#links + 1] = {operators[operator], sum(self)}
  end
  if not links[1] then return first end
  return function(p)
    local left = first(p)
    for _, link in ipairs(links) do
      local right = link[2](p)
      if not link[1](left, right) then return false end
      left = right
    end
    return true
  end
end

local function negation(self)
  if self.kind ~= "not" then return comparison(self) end
  self.next()
  local of = negation(self)
  return function(p) return not is_true(of(p)) end
end

-- "and" stops at what is false, "or" at what is true.
local function joined(self, kind, stops, tighter)
  local left = tighter(self)
  while self.kind == kind do
    local before = left
    self.next()
    local right = tighter(self)
    left = function(p)
      local value = before(p)
      if is_true(value) == stops then return value end
      return right(p)
    end
  end
  return left
end

local function conjunction(self) return joined(self, "and", false, negation) end
local function disjunction(self) return joined(self, "or", true, conjunction) end

function whole(self)
  local value = disjunction(self)
  if self.kind ~= "if" then return value end
  self.next()
  local condition = disjunction(self)
  skip(self, "else")
  local otherwise = whole(self)
  return function(p) return (is_true(condition(p)) and value or otherwise)(p) end
end

--- Reads an expression.
-- @tparam string text "block_size_x % 32 == 0"
-- @treturn function of a configuration that has these names; whether it holds. Raises what cannot be read
-- @treturn table the names, as keys
function expression.compile(text)
  if text:find "^%s*lambda%f[^%w_]" then
    error(("'%s' is a function of Python; here it is one of Lua, such as function(p) return p.x %% 2 == 0 end")
      :format(text), 0)
  end
  local self = reader(text)
  local value = whole(self)
  if self.kind ~= "end" then fail(self, "an operator") end
  return function(p) return is_true(value(p)) end, self.names
end

return expression
