-- Turns a program's tree into the one that is written as OpenCL C and computed by the reference: every expression with
-- its guards (guard.lua), and assignments such as x += y spelt out where they need one.
local guard = require "kernel.guard"
local types = require "kernel.types"

local prepare = {}

local function cast_to(t, node)
  return node.t == t and node or {op = "cast", t = t, node}
end

-- t OP= node, as t = t OP node
local function combined(name, t, fn, node, place)
  local shift = fn == "<<" or fn == ">>"
  local result = t
  if t.n == 1 then result = shift and types.promoted(t) or types.common(t, node.t) end
  local own = place or {op = "variable", t = t, name = name}
  return guard.expression(cast_to(t, {op = "binary", t = result, fn = fn, own, node}))
end

-- The second operand, if the guards left x = x OP y as it was.
local function plain_operand(made, fn, name)
  local inner = made.op == "cast" and made[1] or made
  local first = inner.op == "binary" and inner.fn == fn and inner[1]
  if first and first.op == "variable" and first.name == name then return inner[2] end
  return nil
end

local statements -- calls itself

local function assign(made, from)
  if not from.compound then return end
  made[1] = combined(from.name, from.t, from.compound, from[1])
  made.operand = plain_operand(made[1], from.compound, from.name)
end

local function store(made, from)
  if not from.update then
    made[1] = guard.expression(from[1])
    return
  end
  local own = {op = "own", t = from.t, from = from.name}
  made[1] = combined(from.name, from.t, from.update, from[1], own)
end

local special = {assign = assign, store = store}

local function statement(from)
  local made = {}
  for key, value in pairs(from) do
    if type(key) == "string" then made[key] = value end
  end
  for i, each in ipairs(from) do made[i] = guard.value(each) end
  if special[from.kind] then special[from.kind](made, from) end
  made.body, made.other = statements(from.body), statements(from.other)
  if from.cases then
    made.cases = {}
    for i, each in ipairs(from.cases) do made.cases[i] = {value = each.value, body = statements(each.body)} end
  end
  return made
end

function statements(list)
  if not list then return nil end
  local made = {}
  for i, each in ipairs(list) do made[i] = statement(each) end
  return made
end

--- The prepared program.
function prepare.program(program)
  local made = setmetatable({functions = {}}, {__index = program})
  for i, each in ipairs(program.functions) do
    made.functions[i] = {name = each.name, t = each.t, parameters = each.parameters, body = statements(each.body),
      result = guard.value(each.result)}
  end
  made.body = statements(program.body)
  return made
end

return prepare
