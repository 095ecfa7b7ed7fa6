--- Reads declarations of OpenCL C: structs, unions, enums and typedefs. What structs cannot contain there, or what the
-- host cannot know, is refused with its line and the reason.
-- @module clue.struct.parser
local constant = require "clue.struct.constant"
local layout = require "clue.struct.layout"
local lexer = require "clue.struct.lexer"

local fail = lexer.fail

local parser = {}
parser.__index = parser

-- ---- tokens ----

--- The next token.
-- @treturn table
function parser:peek()
  return self.tokens[self.at]
end

--- Takes the next token.
-- @treturn table
function parser:next()
  local token = self.tokens[self.at]
  if token.kind ~= "end" then self.at = self.at + 1 end
  return token
end

--- Takes the next token if it is this one.
-- @tparam string text
-- @treturn ?table the token
function parser:accept(text)
  local token = self:peek()
  if token.text == text and token.kind ~= "end" then return self:next() end
end

--- Takes the next token. Refuses any but this one.
-- @tparam string text
-- @tparam string after what it must follow
-- @treturn table the token
function parser:expect(text, after)
  local token = self:peek()
  if token.text == text and token.kind ~= "end" then return self:next() end
  fail(token.line, "'%s' expected after %s, found %s", text, after, self:shown(token))
end

--- A token in a message.
-- @tparam[opt] table token the next one, unless given
-- @treturn string
function parser:shown(token)
  token = token or self:peek()
  return token.kind == "end" and "the end" or "'" .. token.text .. "'"
end

-- ---- attributes ----

local function aligned(self, line)
  local bytes = self:accept "(" and constant.read(self, "the alignment")
  if not bytes then fail(line, "aligned without a number differs between devices: write aligned(16), for example") end
  self:expect(")", "the alignment")
  local rest = bytes
  while rest > 1 do rest = rest / 2 end
  if rest ~= 1 then fail(line, "an alignment is a power of two, not %.0f", bytes) end
  return bytes
end

-- One word between the double parentheses.
local function attribute(self, found)
  local token = self:next()
  local name = token.text:match "^__(%l+)__$" or token.text
  if name == "packed" then
    found.packed = true
  elseif name == "aligned" then
    found.aligned = math.max(found.aligned or 1, aligned(self, token.line))
  else
    fail(token.line, "the attribute %s is not read here: packed and aligned(n) are", self:shown(token))
  end
end

--- Reads __attribute__((...)), as often as it is there.
-- @tparam[opt] table found what is already known: packed, aligned
-- @treturn table found
function parser:attributes(found)
  found = found or {}
  while self:accept "__attribute__" do
    self:expect("(", "__attribute__")
    self:expect("(", "__attribute__(")
    repeat attribute(self, found) until not self:accept ","
    self:expect(")", "the attributes")
    self:expect(")", "the attributes")
  end
  return found
end

-- ---- types of numbers ----

-- Several words that are one type, in the order of the alphabet.
local spellings = {
  char = "char", ["char signed"] = "char", ["char unsigned"] = "uchar", short = "short", ["short signed"] = "short",
  ["int short"] = "short", ["int short signed"] = "short", ["short unsigned"] = "ushort",
  ["int short unsigned"] = "ushort", int = "int", signed = "int", ["int signed"] = "int", unsigned = "uint",
  ["int unsigned"] = "uint", long = "long", ["long signed"] = "long", ["int long"] = "long",
  ["int long signed"] = "long", ["long unsigned"] = "ulong", ["int long unsigned"] = "ulong",
}
local parts = {char = true, short = true, int = true, long = true, signed = true, unsigned = true}

local function spelled(self, first)
  local words = {first.text}
  while parts[self:peek().text] do words[#words + 1] = self:next().text end
  table.sort(words)
  local name = spellings[table.concat(words, " ")]
  if not name then fail(first.line, "there is no type '%s' in OpenCL C", table.concat(words, " ")) end
  return layout.number(name)
end

local varies = "its size differs between host and device: use %s"
local reasons = {
  bool = "a bool has no size that host and device share: use uchar or int",
  size_t = varies:format "uint or ulong", ptrdiff_t = varies:format "int or long",
  intptr_t = varies:format "long", uintptr_t = varies:format "ulong",
  void = "nothing has type void", sampler_t = "a sampler is an argument of its own",
  event_t = "events are the kernel's",
  kernel = "only types are declared here, no functions", static = "only types are declared here, no variables",
  extern = "only types are declared here, no variables", inline = "only types are declared here, no functions",
  global = "a pointer has no meaning on the host", ["local"] = "a pointer has no meaning on the host",
  constant = "only types are declared here, no variables", private = "the struct's variable has that, not its fields",
}

local function refuse_type(self, token)
  local name = token.text:gsub("^__", "")
  local reason = reasons[name] or name:find "^image%d" and "an image is an argument of its own"
    or name:find "^bool%d" and reasons.bool
  if not reason then fail(token.line, "there is no type %s: declare it before it is used", self:shown(token)) end
  fail(token.line, "%s: %s", self:shown(token), reason)
end

-- ---- structs, unions, enums ----

local function check_complete(type, line)
  if not type.size then fail(line, "%s is not complete here: declare its fields before", type.name) end
  return type
end

-- The lengths after a name: [2][3] of float is an array of 2 arrays of 3.
local function dimensions(self, type, name)
  local lengths = {}
  while self:accept "[" do
    local line = self:peek().line
    if self:accept "]" then fail(line, "the length of %s is missing: the host must know it", name) end
    local length = constant.read(self, "the length of " .. name)
    if length < 1 then fail(line, "the length of %s must be at least 1, not %.0f", name, length) end
    lengths[#lengths + 1] = length
    self:expect("]", "the length of " .. name)
  end
  if #lengths > 0 then check_complete(type, self:peek().line) end
  for i = #lengths, 1, -1 do type = layout.array(type, lengths[i]) end
  return type
end

local function name_of(self, what)
  local token = self:next()
  if token.text == "*" then
    fail(token.line, "a pointer has no meaning on the host: pass the memory as an argument of the kernel, and indices")
  end
  if token.text == "(" then fail(token.line, "pointers to functions are not OpenCL C") end
  if token.kind ~= "word" then fail(token.line, "the name of %s expected, found %s", what, self:shown(token)) end
  return token.text, token.line
end

-- The fields of one declaration: "float x, y[2];"
local function fields(self, list)
  local line = self:peek().line
  local type = check_complete(self:specifier(), line)
  if layout.is_anonymous(type) and self:accept ";" then
    list[#list + 1] = {type = type}
    return
  end
  repeat
    local name, at = name_of(self, "a field")
    if self:peek().text == ":" then fail(at, "%s is a bit-field, which OpenCL C does not have", name) end
    local member = {name = name, type = dimensions(self, type, name)}
    list[#list + 1] = self:attributes(member)
  until not self:accept ","
  self:expect(";", "the field " .. list[#list].name)
end

local function body(self, type, found)
  local list, line = {}, self:peek().line
  while not self:accept "}" do
    if self:peek().kind == "end" then fail(self:peek().line, "the fields of %s do not end: '}' expected", type.name) end
    fields(self, list)
  end
  if #list == 0 then fail(line, "%s has no fields", type.name) end
  self:attributes(found)
  local twice = layout.complete(type, list, found)
  if twice then fail(line, "%s has two fields %s", type.name, twice) end
end

-- After "struct" or "union".
local function composite(self, kind)
  local found = self:attributes()
  local token = self:peek()
  local tag = token.kind == "word" and self:next().text or nil
  local type = tag and self.tags[kind .. " " .. tag] or layout.incomplete(kind, tag)
  if tag then self.tags[kind .. " " .. tag] = type end
  if self:accept "{" then
    if type.size then fail(token.line, "%s is declared twice", type.name) end
    body(self, type, found)
  elseif not tag then
    fail(token.line, "'{' expected after %s, found %s", kind, self:shown(token))
  end
  return type
end

local function enum(self)
  local tag = self:peek().kind == "word" and self:next().text
  local line, value = self:peek().line, -1
  if self:accept "{" then
    repeat
      if self:peek().text == "}" then break end
      local name = name_of(self, "a constant")
      value = self:accept "=" and constant.read(self, "the value of " .. name) or value + 1
      self.constants[name] = value
    until not self:accept ","
    self:expect("}", "the constants")
  elseif not tag then
    fail(line, "'{' expected after enum, found %s", self:shown())
  end
  return layout.number "int"
end

local qualifiers = {const = true, volatile = true}

local function skip_qualifiers(self)
  while qualifiers[self:peek().text] do self:next() end
end

--- Reads what stands before the names of a declaration: a type.
-- @treturn table
function parser:specifier()
  skip_qualifiers(self)
  local token = self:next()
  local type
  if token.text == "struct" or token.text == "union" then
    type = composite(self, token.text)
  elseif token.text == "enum" then
    type = enum(self)
  elseif parts[token.text] then
    type = spelled(self, token)
  else
    type = self.typedefs[token.text] or layout.number(token.text) or refuse_type(self, token)
  end
  skip_qualifiers(self)
  return type
end

-- ---- declarations ----

-- After "typedef".
local function typedef(self)
  local type = self:specifier()
  repeat
    local name, line = name_of(self, "the type")
    self.typedefs[name] = dimensions(self, type, name)
    if self.typedefs[name].names then layout.rename(type, name) end
    if self:peek().text == "__attribute__" then
      fail(line, "attributes of a typedef's name are not read here: write them right after the closing brace")
    end
  until not self:accept ","
  self:expect(";", "the typedef")
end

local function declaration(self)
  if self:accept ";" then return end
  if self:accept "typedef" then return typedef(self) end
  local type = self:specifier()
  local token = self:peek()
  if token.text ~= ";" then
    fail(token.line, "';' expected after %s, found %s: only types are declared here", type.name,
      self:shown(token))
  end
end

--- Reads declarations.
-- @tparam string text
-- @treturn table typedefs, tags ("struct body") and constants (of enums), by name: types, and numbers
function parser.read(text)
  local self = setmetatable({tokens = lexer.tokens(text), at = 1, typedefs = {}, tags = {}, constants = {}}, parser)
  while self:peek().kind ~= "end" do declaration(self) end
  return self
end

return parser
