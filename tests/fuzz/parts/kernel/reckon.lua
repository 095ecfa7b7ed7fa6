-- The reference: computes what a prepared program (prepare.lua) must write, by the rules of OpenCL C, work-item by
-- work-item. Expressions become Lua functions of a work-item; the arithmetic is exact.lua's. Scalars are its numbers, a
-- vector is a list of them, never changed in place.
local bit = require "bit"
local exact = require "kernel.exact"
local types = require "kernel.types"

-- LuaJIT 2.1's compiler makes wrong code of 64-bit integers here now and then; its interpreter computes them right.
jit.off(true, true)

local reckon = {}

local wrap = exact.wrap
local compile

-- f(lane, ...) for each component; a scalar operand is the same for all.
local function lanewise(t, f, ...)
  if t.n == 1 then return f(...) end
  local made, given, count = {}, {...}, select("#", ...)
  for i = 1, t.n do
    local lanes = {}
    for k = 1, count do lanes[k] = type(given[k]) == "table" and given[k][i] or given[k] end
    made[i] = f(lanes[1], lanes[2], lanes[3])
  end
  return made
end

local function operands(node)
  local list = {}
  for i, each in ipairs(node) do list[i] = compile(each) end
  return list[1], list[2], list[3], list
end

local function apply(node, f) -- f on the lanes of up to three operands
  local a, b, c = operands(node)
  local t = node.t
  if not b then return function(item) return lanewise(t, f, a(item)) end end
  if not c then return function(item) return lanewise(t, f, a(item), b(item)) end end
  return function(item) return lanewise(t, f, a(item), b(item), c(item)) end
end

-- ---- kinds of expressions ----

local function binary(node)
  local t, fn = node.t, node.fn
  local shift = fn == "<<" or fn == ">>"
  return apply(node, function(a, b)
    return exact.binary(fn, t, wrap(t, a), shift and b or wrap(t, b))
  end)
end

local function compare(node)
  local yes, no = wrap(node.t, node.t.n > 1 and -1 or 1), wrap(node.t, 0)
  local a, b = node[1].t, node[2].t
  local common = a.float and a or a.n > 1 and a or types.common(a, b)
  return apply(node, function(x, y)
    return exact.compare(node.fn, wrap(common, x), wrap(common, y)) and yes or no
  end)
end

local function logic(node)
  local yes, no = wrap(node.t, node.t.n > 1 and -1 or 1), wrap(node.t, 0)
  local both = node.fn == "&&"
  return apply(node, function(x, y)
    local a, b = exact.is_true(x), exact.is_true(y)
    return (both and a and b or not both and (a or b)) and yes or no
  end)
end

local function negation(node)
  local yes, no = wrap(node.t, node.t.n > 1 and -1 or 1), wrap(node.t, 0)
  return apply(node, function(x) return exact.is_true(x) and no or yes end)
end

local function any(node)
  local a, t, all = compile(node[1]), node[1].t, node.fn == "all"
  local yes, no = wrap(node.t, 1), wrap(node.t, 0)
  return function(item)
    local value, count = a(item), 0
    if t.n == 1 then return exact.is_negative(t, value) and yes or no end
    for i = 1, t.n do count = count + (exact.is_negative(t, value[i]) and 1 or 0) end
    return (all and count == t.n or not all and count > 0) and yes or no
  end
end

local function conversion(node)
  local from = node[1].t
  return apply(node, function(x) return exact.convert(node.t, from, x, node.sat, node.rounding) end)
end

local function as(node)
  local a, from, t = compile(node[1]), node[1].t, node.t
  return function(item)
    local value, bits, place = a(item), {}, 0
    for i = 0, t.n * t.bits / 8 - 1 do bits[i] = 0 end
    for i = 1, from.n do
      local lane = exact.bits(from, from.n == 1 and value or value[i])
      for _ = 1, from.bits / 8 do
        bits[place], lane, place = tonumber(bit.band(lane, 255)), bit.rshift(lane, 8), place + 1
      end
    end
    local made = {}
    for i = 1, t.n do
      local lane = exact.zero
      for k = t.bits / 8 - 1, 0, -1 do lane = lane * 256 + bits[(i - 1) * t.bits / 8 + k] end
      made[i] = exact.from_bits(t, lane)
    end
    return t.n == 1 and made[1] or made
  end
end

local function call(node)
  local t, of = node.t, node[1].t
  local f = (of.float and exact.float_functions or exact.functions)[node.fn]
  return apply(node, function(a, b, c) return wrap(t, f(of, a, b, c)) end)
end

local float_operators = {
  ["+"] = function(a, b) return a + b end, ["-"] = function(a, b) return a - b end,
  ["*"] = function(a, b) return a * b end,
}

local function float(node)
  local f = float_operators[node.fn]
  return apply(node, function(a, b) return wrap(node.t, f(a, b)) end)
end

local function dot(node)
  local a, b = operands(node)
  return function(item)
    local x, y, sum = a(item), b(item), 0
    for i = 1, #x do sum = sum + x[i] * y[i] end
    return wrap(node.t, sum)
  end
end

local function ternary(node)
  local c, a, b = operands(node)
  local of = node[1].t
  if of.n == 1 then return function(item) return exact.is_true(c(item)) and a(item) or b(item) end end
  return function(item)
    return lanewise(node.t, function(x, y, z) return exact.is_negative(of, x) and y or z end, c(item), a(item), b(item))
  end
end

local function choose(node) -- select(a, b, c)
  local of = node[3].t
  local chosen = of.n == 1 and exact.is_true or function(c) return exact.is_negative(of, c) end
  return apply(node, function(a, b, c) return chosen(c) and b or a end)
end

local function swizzle(node)
  local a = compile(node[1])
  return function(item)
    local value, made = a(item), {}
    for i, lane in ipairs(node.lanes) do made[i] = value[lane + 1] end
    return node.t.n == 1 and made[1] or made
  end
end

local function build(node)
  local _, _, _, parts = operands(node)
  return function(item)
    local made = {}
    for _, part in ipairs(parts) do
      local value = part(item)
      if type(value) ~= "table" then value = {value} end
      for _, lane in ipairs(value) do made[#made + 1] = lane end
    end
    return made
  end
end

local function shuffle(node)
  local _, _, _, parts = operands(node)
  local n = node[1].t.n * (#node - 1)
  return function(item)
    local from, made = {}, {}
    for i = 1, #parts - 1 do
      for _, lane in ipairs(parts[i](item)) do from[#from + 1] = lane end
    end
    for i, lane in ipairs(parts[#parts](item)) do made[i] = from[tonumber(bit.band(lane, n - 1)) + 1] end
    return made
  end
end

local function splat(node)
  local a, t = compile(node[1]), node.t
  local from = node[1].t
  return function(item)
    local made, value = {}, exact.convert(t, from, a(item))
    for i = 1, t.n do made[i] = value end
    return made
  end
end

local function element(node)
  local index, from, count = compile(node[1]), node.from, node.count
  return function(item)
    local memory = item.names[from] or item.memory[from]
    return memory[tonumber(index(item)) % count]
  end
end

local function vload(node)
  local index, n = compile(node[1]), node.t.n
  return function(item)
    local first, made = tonumber(index(item)) % node.count * n, {}
    for i = 1, n do made[i] = item.memory[node.from][first + i - 1] end
    return made
  end
end

local function user(node)
  local _, _, _, parts = operands(node)
  return function(item)
    local called, names = item.functions[node.fn], {}
    for i, part in ipairs(parts) do names[called.parameters[i].name] = part(item) end
    local inner = setmetatable({names = names}, {__index = item})
    for _, run in ipairs(called.body) do run(inner) end
    return called.result(inner)
  end
end

local kinds = {
  literal = function(node)
    local value = exact.number(node.t, node.value)
    return function() return value end
  end,
  variable = function(node) return function(item) return item.names[node.name] end end,
  own = function(node) return function(item) return item.memory[node.from][item.place] end end,
  id = function(node)
    return function(item) return wrap(node.t, item[node.fn][node.dimension + 1]) end
  end,
  negate = function(node)
    if node.t.float then return apply(node, function(x) return -x end) end
    return apply(node, function(x) return exact.binary("-", node.t, wrap(node.t, 0), wrap(node.t, x)) end)
  end,
  complement = function(node) return apply(node, function(x) return wrap(node.t, bit.bnot(wrap(node.t, x))) end) end,
  binary = binary, wrapped = binary, compare = compare, logic = logic, ["not"] = negation, any = any,
  convert = conversion, cast = conversion, as = as, call = call, float = float, dot = dot, ternary = ternary,
  select = choose, swizzle = swizzle, build = build, shuffle = shuffle, shuffle2 = shuffle, splat = splat,
  load = element, element = element, vload = vload, user = user,
}

function compile(node) return kinds[node.op](node) end

-- ---- statements of one work-item ----

local block

local function run_all(list, item)
  for _, run in ipairs(list) do run(item) end
end

local function assign(s)
  local value = compile(s[1])
  if not s.lanes then return function(item) item.names[s.name] = value(item) end end
  return function(item)
    local made, new = {}, value(item)
    for i, lane in ipairs(item.names[s.name]) do made[i] = lane end
    if type(new) ~= "table" then new = {new} end
    for i, lane in ipairs(s.lanes) do made[lane + 1] = new[i] end
    item.names[s.name] = made
  end
end

local function loop(s)
  local leave, body, int = s.leave and compile(s[1]), block(s.body), types.of "int"
  return function(item)
    for i = 0, s.count - 1 do
      item.names[s.name] = wrap(int, i)
      if leave and exact.is_true(leave(item)) then break end
      run_all(body, item)
    end
  end
end

local function switch(s)
  local value, cases = compile(s[1]), {}
  for _, each in ipairs(s.cases) do cases[each.value] = block(each.body) end
  return function(item) run_all(cases[tonumber(value(item)) % s.modulus] or {}, item) end
end

local function branch(s)
  local condition, body, other = compile(s[1]), block(s.body), s.other and block(s.other) or {}
  return function(item) run_all(exact.is_true(condition(item)) and body or other, item) end
end

local function array(s)
  local _, _, _, parts = operands(s)
  return function(item)
    local made = {}
    for i, part in ipairs(parts) do made[i - 1] = part(item) end
    item.names[s.name] = made
  end
end

local function put(s)
  local index, value = operands(s)
  return function(item)
    local place = tonumber(index(item)) % s.count
    item.names[s.name][place] = value(item)
  end
end

local function store(s)
  local value = compile(s[1])
  return function(item) item.memory[s.name][item.place] = value(item) end
end

local statement_kinds = {declare = assign, assign = assign, ["for"] = loop, switch = switch, ["if"] = branch,
  array = array, put = put, store = store}

function block(list)
  local made = {}
  for i, each in ipairs(list) do made[i] = statement_kinds[each.kind](each) end
  return made
end

-- ---- statements of a whole group ----

local function exchange(s)
  local value, index = operands(s)
  return function(group)
    local shared = {}
    for i, item in ipairs(group) do shared[i - 1] = value(item) end
    for _, item in ipairs(group) do item.names[s.name] = shared[tonumber(index(item)) % #group] end
  end
end

local atomics = {
  add = function(t, a, b) return exact.binary("+", t, a, b) end,
  sub = function(t, a, b) return exact.binary("-", t, a, b) end,
  ["and"] = function(t, a, b) return exact.binary("&", t, a, b) end,
  ["or"] = function(t, a, b) return exact.binary("|", t, a, b) end,
  xor = function(t, a, b) return exact.binary("^", t, a, b) end,
  min = exact.functions.min, max = exact.functions.max,
}

local function tally(s)
  local index, value, other = operands(s)
  local f = atomics[s.fn]
  return function(group)
    local sums = {}
    for i = 0, s.count - 1 do sums[i] = wrap(s.t, 0) end
    for _, item in ipairs(group) do
      local place = tonumber(index(item)) % s.count
      sums[place] = f(s.t, sums[place], value(item))
    end
    for _, item in ipairs(group) do item.names[s.name] = sums[tonumber(other(item)) % s.count] end
  end
end

local group_block

local function together(s)
  local body, int = group_block(s.body), types.of "int"
  return function(group)
    for i = 0, s.count - 1 do
      for _, item in ipairs(group) do item.names[s.name] = wrap(int, i) end
      run_all(body, group)
    end
  end
end

local group_kinds = {exchange = exchange, tally = tally, together = together}

function group_block(list)
  local made = {}
  for i, each in ipairs(list) do
    if group_kinds[each.kind] then
      made[i] = group_kinds[each.kind](each)
    else
      local run = statement_kinds[each.kind](each)
      made[i] = function(group)
        for _, item in ipairs(group) do run(item) end
      end
    end
  end
  return made
end

-- ---- the whole range ----

local function whole(list, i, missing) return list[i] or missing end

local function each_place(sizes, visit)
  for z = 0, whole(sizes, 3, 1) - 1 do
    for y = 0, whole(sizes, 2, 1) - 1 do
      for x = 0, sizes[1] - 1 do visit {x, y, z} end
    end
  end
end

-- group: its number by dimension; place: the work-item's in it.
local function item_of(program, functions, memory, group, place)
  local item = {names = {}, memory = memory, functions = functions, get_global_id = {}, get_local_id = place,
    get_group_id = group, get_global_size = {}, get_local_size = {}, get_num_groups = {}, get_global_offset = {}}
  local at, me, rows, members = 0, 0, 1, 1
  for i = 1, 3 do
    local size, all = whole(program.group, i, 1), whole(program.global, i, 1)
    local from = whole(program.offset, i, 0)
    item.get_local_size[i], item.get_global_size[i], item.get_num_groups[i] = size, all, all / size
    item.get_global_offset[i], item.get_global_id[i] = from, group[i] * size + place[i] + from
    at, rows = at + (group[i] * size + place[i]) * rows, rows * all
    me, members = me + place[i] * members, members * size
  end
  item.place, item.names.at, item.names.me = at, wrap(types.of "uint", at), wrap(types.of "uint", me)
  for _, each in ipairs(program.arguments) do item.names[each.name] = memory[each.name] end
  return item
end

local function functions_of(program)
  local made = {}
  for _, each in ipairs(program.functions) do
    made[each.name] = {parameters = each.parameters, body = block(each.body), result = compile(each.result)}
  end
  return made
end

--- Runs a program on memory, by the names of buffers and arguments: lists of values from 0, which are changed.
function reckon.run(program, memory)
  local functions, body = functions_of(program), group_block(program.body)
  for _, each in ipairs(program.tables) do
    memory[each.name] = {}
    for i, node in ipairs(each.values) do memory[each.name][i - 1] = exact.number(node.t, node.value) end
  end
  for _, each in ipairs(program.arguments) do memory[each.name] = compile(each.value) {} end
  local groups = {}
  for i = 1, #program.global do groups[i] = program.global[i] / program.group[i] end
  each_place(groups, function(group)
    local items = {}
    each_place(program.group, function(place)
      items[#items + 1] = item_of(program, functions, memory, group, place)
    end)
    run_all(body, items)
  end)
end

return reckon
