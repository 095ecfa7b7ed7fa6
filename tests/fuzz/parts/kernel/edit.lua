-- Takes pieces out of a random program, to find the smallest that still fails. Pieces count in the order in which they
-- are written, from 1. Edits are words in a list, "s3,u2,e40.2,z17,g": each counts in what those before it left.
--
--   sN     the statement N goes
--   uN     the statement N, a block, becomes what is in it
--   eN.K   the expression N becomes its operand K, which has the same type
--   zN     the expression N becomes 0
--   fN     the function N goes
--   g      one group only
local types = require "kernel.types"

local edit = {}

-- ---- walks: call(node, set, list, index) ----

local function each_expression(node, set, call)
  call(node, set)
  for i, each in ipairs(node) do
    each_expression(each, function(new) node[i] = new end, call)
  end
end

local function each_statement(list, call)
  for i, each in ipairs(list) do
    call(each, list, i)
    for _, inner in ipairs {each.body or {}, each.other or {}} do each_statement(inner, call) end
    for _, case in ipairs(each.cases or {}) do each_statement(case.body, call) end
  end
end

local function each_list(program, call)
  for _, each in ipairs(program.functions) do call(each.body) end
  call(program.body)
end

local function all_statements(program)
  local found = {}
  each_list(program, function(list)
    each_statement(list, function(s, within, index) found[#found + 1] = {s, within, index} end)
  end)
  return found
end

local function all_expressions(program)
  local found = {}
  local function collect(node, set) found[#found + 1] = {node, set} end
  each_list(program, function(list)
    each_statement(list, function(s)
      for i, each in ipairs(s) do
        each_expression(each, function(new) s[i] = new end, collect)
      end
    end)
  end)
  for _, each in ipairs(program.functions) do
    each_expression(each.result, function(new) each.result = new end, collect)
  end
  return found
end

-- ---- edits ----

local function zero(t)
  if t.n > 1 then return {op = "splat", t = t, zero(types.with(t, nil, 1))} end
  return {op = "literal", t = t, value = t.float and 0 or "0"}
end

local function remove_statement(program, n)
  local one = all_statements(program)[n]
  if one then table.remove(one[2], one[3]) end
end

local function unwrap(program, n)
  local one = all_statements(program)[n]
  if not one then return end
  local s, list, index = one[1], one[2], one[3]
  local inner = {}
  for _, body in ipairs {s.body or {}, s.other or {}} do
    for _, each in ipairs(body) do inner[#inner + 1] = each end
  end
  for _, case in ipairs(s.cases or {}) do
    for _, each in ipairs(case.body) do inner[#inner + 1] = each end
  end
  table.remove(list, index)
  for i, each in ipairs(inner) do table.insert(list, index + i - 1, each) end
end

local function one_group(program)
  for i, size in ipairs(program.group) do program.global[i], program.offset[i] = size, 0 end
end

local function replace(program, n, operand)
  local one = all_expressions(program)[n]
  if one then one[2](operand and one[1][operand] or zero(one[1].t)) end
end

--- Applies a list of edits.
function edit.apply(program, words)
  for kind, n, operand in words:gmatch "(%a)(%d*)%.?(%d*)" do
    n, operand = tonumber(n), tonumber(operand)
    if kind == "s" then remove_statement(program, n)
    elseif kind == "u" then unwrap(program, n)
    elseif kind == "e" or kind == "z" then replace(program, n, operand)
    elseif kind == "f" then table.remove(program.functions, n)
    elseif kind == "g" then one_group(program)
    end
  end
end

local blocks = {["if"] = true, ["for"] = true, switch = true, together = true}

--- All edits that a program allows, the coarse ones first, in words.
function edit.list(program)
  local words = {}
  local function add(...) words[#words + 1] = string.format(...) end
  local statements, expressions = all_statements(program), all_expressions(program)
  for i = #program.functions, 1, -1 do add("f%d", i) end
  for i = #statements, 1, -1 do add("s%d", i) end
  for i = #statements, 1, -1 do
    if blocks[statements[i][1].kind] then add("u%d", i) end
  end
  for i = 1, #expressions do
    local node = expressions[i][1]
    for k, operand in ipairs(node) do
      if operand.t == node.t then add("e%d.%d", i, k) end
    end
    local plain = node.op == "splat" and node[1] or node
    if plain.op ~= "literal" or tonumber(plain.value) ~= 0 then add("z%d", i) end
  end
  for i, size in ipairs(program.global) do
    if size > program.group[i] then add "g" break end
  end
  return table.concat(words, " ")
end

-- ---- whether all names are still declared ----

local function known_expression(node, names, program)
  if node.op == "variable" and not names[node.name] then return false end
  if node.op == "element" and not node.table and not names[node.from] then return false end
  if node.op == "user" and not names[node.fn] then return false end
  for _, each in ipairs(node) do
    if not known_expression(each, names, program) then return false end
  end
  return true
end

local declaring = {declare = true, array = true, exchange = true, tally = true}
local naming = {assign = true, put = true}

local known_list

local function known_statement(s, names)
  if naming[s.kind] and not names[s.name] then return false end
  for _, each in ipairs(s) do
    if not known_expression(each, names) then return false end
  end
  local inner = setmetatable({}, {__index = names})
  if s.kind == "for" or s.kind == "together" then inner[s.name] = true end
  for _, list in ipairs {s.body or {}, s.other or {}} do
    if not known_list(list, setmetatable({}, {__index = inner})) then return false end
  end
  for _, case in ipairs(s.cases or {}) do
    if not known_list(case.body, setmetatable({}, {__index = inner})) then return false end
  end
  if declaring[s.kind] then names[s.name] = true end
  return true
end

function known_list(list, names)
  for _, each in ipairs(list) do
    if not known_statement(each, names) then return false end
  end
  return true
end

--- Whether every name that is used is declared.
function edit.is_whole(program)
  local functions = {}
  for _, each in ipairs(program.functions) do
    local names = setmetatable({}, {__index = functions})
    for _, one in ipairs(each.parameters) do names[one.name] = true end
    if not known_list(each.body, names) or not known_expression(each.result, names) then return false end
    functions[each.name] = true
  end
  local names = setmetatable({at = true, me = not program.free_group}, {__index = functions})
  for _, each in ipairs(program.arguments) do names[each.name] = true end
  return known_list(program.body, names)
end

return edit
