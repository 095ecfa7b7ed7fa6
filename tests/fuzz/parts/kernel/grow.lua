-- Expressions of random kernels, by chance. A node is {op = , t = its type, its operands...}; what it must not do
-- (divide by 0, overflow) is left to guard.lua, so that any operand may take the place of another of its type.
local types = require "kernel.types"

local of, with = types.of, types.with

local grow = {}

-- Functions of integers by their number of operands; below 64 bits only; of 32 bits only.
local integer_calls = {
  {"abs", 1}, {"abs_diff", 2}, {"add_sat", 2}, {"sub_sat", 2}, {"hadd", 2}, {"rhadd", 2}, {"clamp", 3}, {"clz", 1},
  {"mad_hi", 3, unsigned = true}, {"mad_sat", 3, most = 32}, {"max", 2}, {"min", 2}, {"mul_hi", 2}, {"rotate", 2},
  {"popcount", 1}, {"bitselect", 3}, {"mul24", 2, least = 32, most = 32}, {"mad24", 3, least = 32, most = 32},
}
local float_calls = {
  {"fmin", 2}, {"fmax", 2}, {"min", 2}, {"max", 2}, {"clamp", 3}, {"sign", 1}, {"fabs", 1}, {"floor", 1}, {"ceil", 1},
  {"trunc", 1}, {"rint", 1}, {"round", 1}, {"step", 2}, {"fdim", 2}, {"fmod", 2}, {"fma", 3},
}
local arithmetic = {"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"}
local comparisons = {"==", "!=", "<", "<=", ">", ">="}
local relations = {["=="] = "isequal", ["!="] = "isnotequal", ["<"] = "isless", ["<="] = "islessequal",
  [">"] = "isgreater", [">="] = "isgreaterequal"}

--- Makes a source of expressions.
-- @tparam function random of chance.new
-- @tparam table program what there is to use: variables, inputs, arrays, tables, functions (see program.lua)
-- @treturn table with want(t, depth), literal(t), pick(list), some_type(width)
function grow.new(random, program)
  local self = {}

  local function pick(list) return list[random(#list)] end
  self.pick = pick

  -- ---- types ----

  function self.some_type(n)
    local t = pick(program.types)
    return n and with(t, nil, n) or t
  end

  local function some_integer(n)
    for _ = 1, 3 do
      local t = pick(program.types)
      if not t.float then return with(t, nil, n) end
    end
    return of(pick(types.integers), n)
  end
  self.some_integer = some_integer

  local function sized_integer(t) -- of t's size
    return random(2) == 1 and types.signed(t) or types.unsigned(t)
  end

  -- ---- leaves ----

  -- As decimal text, exact for 64 bits: often near the ends of the type.
  local function digits(t)
    local low, high = types.range(t)
    local kind = random(5)
    if kind == 1 then return tostring(random(16) - (t.signed and 8 or 1)) end
    if kind == 2 and t.bits == 64 then return t.signed and "-9223372036854775808" or "18446744073709551615" end
    if kind == 2 then return ("%.0f"):format(high - random(3) + 1) end
    if kind == 3 and t.signed and t.bits < 64 then return ("%.0f"):format(low + random(3) - 1) end
    if kind == 4 then return ("%.0f"):format(2 ^ (random(math.min(t.bits, 53)) - 1) % (high + 1)) end
    local span = math.min(high, 2 ^ 52)
    return ("%.0f"):format((t.signed and random(2) == 1) and -random(span) or random(span))
  end

  function self.literal(t)
    if t.n > 1 then return {op = "splat", t = t, self.literal(with(t, nil, 1))} end
    if t.float then return {op = "literal", t = t, value = (random(513) - 257) / pick {1, 2, 4, 8}} end
    return {op = "literal", t = t, value = digits(t)}
  end

  local function visible(t)
    local found = {}
    for _, each in ipairs(program.variables) do
      if each.t == t then found[#found + 1] = each end
    end
    return found
  end

  local function of_type(list, t)
    local found = {}
    for _, each in ipairs(list) do
      if each.t == t then found[#found + 1] = each end
    end
    return pick(found)
  end

  local ids = {"get_global_id", "get_global_size", "get_global_offset"}
  local group_ids = {"get_local_id", "get_group_id", "get_local_size", "get_num_groups"}

  local function identity()
    local from = not program.free_group and random(2) == 1 and group_ids or ids
    return {op = "id", t = of "ulong", fn = pick(from), dimension = random(3) - 1}
  end

  local function leaf(t)
    local here = visible(t)
    if #here > 0 and random(5) > 1 then
      local one = pick(here)
      return {op = "variable", t = t, name = one.name, most = one.most}
    end
    if t.n == 1 and not t.float and random(6) == 1 then return {op = "cast", t = t, identity()} end
    for _, each in ipairs(here) do
      if random(3) == 1 then return {op = "variable", t = t, name = each.name, most = each.most} end
    end
    local buffer = program.in_kernel and of_type(program.inputs, t)
    if buffer and random(4) > 1 then
      local own = {op = "variable", t = of "uint", name = "at"}
      return {op = "load", t = t, from = buffer.name, count = buffer.count, own}
    end
    return self.literal(t)
  end

  -- ---- what any type has ----

  local want

  local function index(depth) return want(of "uint", math.min(depth, 1)) end

  local function lookup(t, depth)
    local array = of_type(program.arrays, t)
    if array and random(2) == 1 then
      return {op = "element", t = t, from = array.name, count = array.count, index(depth)}
    end
    local buffer = program.in_kernel and of_type(program.inputs, t)
    if buffer then return {op = "load", t = t, from = buffer.name, count = buffer.count, index(depth)} end
    return array and {op = "element", t = t, from = array.name, count = array.count, index(depth)} or nil
  end

  local function from_table(t, depth)
    local one = of_type(program.tables, t)
    return one and {op = "element", t = t, from = one.name, count = #one.values, table = true, index(depth)} or nil
  end

  local function user_call(t, depth)
    local one = of_type(program.functions, t)
    if not one then return nil end
    local node = {op = "user", t = t, fn = one.name}
    for i, each in ipairs(one.parameters) do node[i] = want(each.t, depth - 1) end
    return node
  end

  local function ternary(t, depth)
    local condition = of(pick(types.integers))
    if t.n > 1 and random(2) == 1 then condition = sized_integer(t) end
    return {op = "ternary", t = t, want(condition, depth - 1), want(t, depth - 1), want(t, depth - 1)}
  end

  local function select_call(t, depth)
    return {op = "select", t = t, want(t, depth - 1), want(t, depth - 1), want(sized_integer(t), depth - 1)}
  end

  local function swizzle(t, depth)
    local from = with(t, nil, pick {2, 3, 4, 8, 16})
    local lanes, half = {}, nil
    for i = 1, t.n do lanes[i] = random(from.n) - 1 end
    if from.n == 2 * t.n and random(2) == 1 then
      half = pick {"lo", "hi", "even", "odd"}
      for i = 1, t.n do
        lanes[i] = ({lo = i - 1, hi = i - 1 + t.n, even = 2 * i - 2, odd = 2 * i - 1})[half]
      end
    end
    return {op = "swizzle", t = t, lanes = lanes, half = half, form = random(3), want(from, depth - 1)}
  end

  local function negation(t, depth)
    return {op = "negate", t = types.promoted(t), want(t, depth - 1)}
  end

  -- ---- vectors ----

  local function build(t, depth)
    local node, left = {op = "build", t = t}, t.n
    while left > 0 do
      local n = pick {1, 1, 2, 3, 4, 8}
      if n <= left and n < t.n then
        node[#node + 1] = want(with(t, nil, n), n == 1 and math.min(depth - 1, 1) or 0)
        left = left - n
      end
    end
    return node
  end

  local function splat(t, depth)
    return {op = "splat", t = t, want(with(t, nil, 1), depth - 1)}
  end

  local function shuffle(t, depth)
    if t.n == 3 then return nil end
    local from = with(t, nil, pick {2, 4, 8, 16})
    local mask = types.unsigned(t)
    if random(2) == 1 then return {op = "shuffle", t = t, want(from, depth - 1), want(mask, depth - 1)} end
    return {op = "shuffle2", t = t, want(from, depth - 1), want(from, depth - 1), want(mask, depth - 1)}
  end

  local function vload(t)
    local buffer = program.in_kernel and of_type(program.inputs, with(t, nil, 1))
    if not buffer or buffer.count < t.n then return nil end
    return {op = "vload", t = t, from = buffer.name, count = math.floor(buffer.count / t.n), index(1)}
  end

  -- ---- integers ----

  local function binary(t, depth)
    local op = pick(arithmetic)
    if t.n > 1 then
      local second = random(4) == 1 and with(t, nil, 1) or t
      return {op = "binary", t = t, fn = op, want(t, depth - 1), want(second, depth - 1)}
    end
    local a, b = random(2) == 1 and t or some_integer(1), random(2) == 1 and t or some_integer(1)
    local result = (op == "<<" or op == ">>") and types.promoted(a) or types.common(a, b)
    return {op = "binary", t = result, fn = op, want(a, depth - 1), want(b, depth - 1)}
  end

  local function comparison(t, depth) -- t is signed; int if it is a scalar
    local op = pick(comparisons)
    if t.n > 1 then
      local base = t.bits == 32 and random(3) == 1 and "float" or sized_integer(t).base
      local a = with(t, base)
      return {op = "compare", t = t, fn = op, call = base == "float" and random(2) == 1 and relations[op] or nil,
        want(a, depth - 1), want(a, depth - 1)}
    end
    local a, b = some_integer(1), some_integer(1)
    local float = random(3) == 1
    if float then a, b = of "float", of "float" end
    return {op = "compare", t = of "int", fn = op, call = float and random(2) == 1 and relations[op] or nil,
      want(a, depth - 1), want(b, depth - 1)}
  end

  local function logic(t, depth)
    local a = t.n > 1 and sized_integer(t) or some_integer(1)
    if t.n == 1 then t = of "int" end
    if random(4) == 1 then return {op = "not", t = t, want(a, depth - 1)} end
    return {op = "logic", t = t, fn = pick {"&&", "||"}, want(a, depth - 1), want(a, depth - 1)}
  end

  local function any_all(_, depth)
    return {op = "any", t = of "int", fn = pick {"any", "all"},
      want(types.signed(some_integer(pick {1, 2, 3, 4, 8})), depth - 1)}
  end

  local function call_of(list, t, depth)
    local one = pick(list)
    if t.bits > (one.most or 64) or t.bits < (one.least or 8) or one.unsigned and t.signed then return nil end
    local node = {op = "call", t = t, fn = one[1]}
    local operand = t
    if one[1] == "abs" or one[1] == "abs_diff" then
      node.t = types.unsigned(t)
    elseif one[1] == "rotate" then
      node.second = t
    end
    for i = 1, one[2] do node[i] = want(operand, depth - 1) end
    return node
  end

  local halves = {short = "char", ushort = "uchar", int = "short", uint = "ushort", long = "int", ulong = "uint"}

  local function upsample(t, depth)
    if t.bits == 8 then return nil end
    local high = with(t, halves[t.base])
    return {op = "call", t = t, fn = "upsample", want(high, depth - 1), want(types.unsigned(high), depth - 1)}
  end

  local function reinterpret(t, depth)
    if t.float then return nil end
    local base, fits = some_integer(1), {}
    if random(5) == 1 and t.bits == 32 then return {op = "as", t = t, want(with(t, "float"), depth - 1)} end
    for _, n in ipairs {1, 2, 4, 8, 16} do
      if n * base.bits == t.n * t.bits then fits[1] = with(base, nil, n) end
    end
    local from = t.n == 3 and sized_integer(t) or fits[1] or sized_integer(t)
    return {op = "as", t = t, want(from, depth - 1)}
  end

  local function conversion(t, depth)
    local from = random(4) == 1 and of("float", t.n) or some_integer(t.n)
    if t.n == 1 and random(2) == 1 then return {op = "cast", t = t, want(from, depth - 1)} end
    local node = {op = "convert", t = t, want(from, depth - 1)}
    if not t.float then node.sat = random(2) == 1 end
    if from.float and not t.float and random(2) == 1 then node.rounding = pick {"rte", "rtz", "rtp", "rtn"} end
    return node
  end

  local function complement(t, depth)
    return {op = "complement", t = types.promoted(t), want(t, depth - 1)}
  end

  local scalar_integer = {binary, binary, binary, comparison, logic, any_all, conversion, conversion, complement,
    negation, reinterpret, upsample, ternary, select_call, swizzle, lookup, from_table, user_call,
    function(t, depth) return call_of(integer_calls, t, depth) end,
    function(t, depth) return call_of(integer_calls, t, depth) end}
  local vector_integer = {binary, binary, binary, conversion, complement, negation, reinterpret, upsample, ternary,
    select_call, swizzle, swizzle, lookup, user_call, build, splat, shuffle, vload,
    function(t, depth) return t.signed and comparison(t, depth) or nil end,
    function(t, depth) return t.signed and logic(t, depth) or nil end,
    function(t, depth) return call_of(integer_calls, t, depth) end,
    function(t, depth) return call_of(integer_calls, t, depth) end}

  -- ---- floats ----

  local function float_binary(t, depth)
    local second = t.n > 1 and random(4) == 1 and with(t, nil, 1) or t
    return {op = "float", t = t, fn = pick {"+", "-", "*"}, want(t, depth - 1), want(second, depth - 1)}
  end

  local function dot(_, depth)
    local t = of("float", pick {2, 3, 4})
    return {op = "dot", t = of "float", want(t, depth - 1), want(t, depth - 1)}
  end

  local float_scalar = {float_binary, float_binary, conversion, negation, ternary, select_call, swizzle, lookup,
    from_table, user_call, dot, function(t, depth) return call_of(float_calls, t, depth) end,
    function(t, depth) return call_of(float_calls, t, depth) end}
  local float_vector = {float_binary, float_binary, conversion, negation, ternary, select_call, swizzle, swizzle,
    lookup, user_call, build, splat, shuffle, vload, function(t, depth) return call_of(float_calls, t, depth) end,
    function(t, depth) return call_of(float_calls, t, depth) end}

  local function ways_of(t)
    if t.float then return t.n > 1 and float_vector or float_scalar end
    return t.n > 1 and vector_integer or scalar_integer
  end

  --- An expression of a type.
  function want(t, depth)
    if depth <= 0 or random(8) == 1 then return leaf(t) end
    local node = pick(ways_of(t))(t, depth)
    if not node then return leaf(t) end
    if node.t == t then return node end
    if t.n > 1 then return {op = "as", t = t, node} end -- abs gives an unsigned vector
    return {op = "cast", t = t, node}
  end

  self.want = want
  return self
end

return grow
