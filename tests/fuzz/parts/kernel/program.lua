-- A random kernel with its buffers, arguments and sizes, as a tree: grow.lua makes the expressions, this file the
-- statements. The same seed gives the same tree in every run.
--
-- A program has: types, inputs and outputs (buffers: name, t, count), arguments (by value), tables (constant),
-- functions, body (statements), global, offset, group (work-items by dimension), local_names. Each work-item has the
-- variables `at`, its number among all, and `me`, its number in its group; it writes only element `at` of an output.
local chance = require "chance"
local grow = require "kernel.grow"
local types = require "kernel.types"

local of = types.of

local program = {}

local assignments = {"+", "-", "*", "&", "|", "^", "<<", ">>"}

-- Statements for one function; `made` is the program, whose lists of what can be used change as blocks begin and end.
local function writer(made, random, exprs)
  local self, names = {}, 0
  local pick, want = exprs.pick, exprs.want

  local function name(kind)
    names = names + 1
    return kind .. names
  end
  self.name = name

  local function add_variable(t, kind, most)
    local one = {name = name(kind or "v"), t = t, most = most}
    table.insert(made.variables, one)
    return one
  end

  local function target() -- a variable that may be changed
    local found = {}
    for _, each in ipairs(made.variables) do
      if not each.most and not each.fixed then found[#found + 1] = each end
    end
    return pick(found)
  end

  local block

  local function declare()
    local t = exprs.some_type()
    local init = want(t, 3)
    return {kind = "declare", t = t, name = add_variable(t).name, init}
  end

  local function assign()
    local one = target()
    if not one then return declare() end
    local t = one.t
    if t.n > 1 and random(3) == 1 then
      local lanes, free = {}, {}
      for i = 0, t.n - 1 do free[#free + 1] = i end
      local n = pick {1, 1, 2, t.n > 4 and 4 or 2}
      for i = 1, n do lanes[i] = table.remove(free, random(#free)) end
      return {kind = "assign", t = t, name = one.name, lanes = lanes, form = random(3),
        want(types.with(t, nil, n), 2)}
    end
    local fn = not t.float and random(3) == 1 and pick(assignments) or nil
    return {kind = "assign", t = t, name = one.name, compound = fn, want(t, 3)}
  end

  local function condition() return want(exprs.some_integer(1), 2) end

  local function branch(depth)
    return {kind = "if", condition(), body = block(depth - 1), other = random(2) == 1 and block(depth - 1) or nil}
  end

  local function switch(depth)
    local node = {kind = "switch", want(of "uint", 2), cases = {}, modulus = 1 + random(3)}
    for i = 0, node.modulus - 1 do
      if random(4) > 1 then node.cases[#node.cases + 1] = {value = i, body = block(depth - 1)} end
    end
    return node
  end

  local function loop(depth)
    local node = {kind = "for", count = random(5), leave = random(4) == 1 and condition() or nil, keep = random(3)}
    local before = #made.variables
    node.name = add_variable(of "int", "i", node.count).name
    node.body = block(depth - 1)
    while #made.variables > before do table.remove(made.variables) end
    if node.leave then node[1], node.leave = node.leave, true end
    return node
  end

  local function array()
    local t, node = exprs.some_type(), {kind = "array", count = pick {2, 4, 8}}
    node.t = t
    for i = 1, node.count do node[i] = want(t, 1) end
    node.name = name "a"
    table.insert(made.arrays, {name = node.name, t = t, count = node.count})
    return node
  end

  local function put()
    local one = pick(made.arrays)
    if not one then return array() end
    return {kind = "put", name = one.name, count = one.count, t = one.t, want(of "uint", 1), want(one.t, 2)}
  end

  -- Each work-item gives a number, and takes that of another.
  local function exchange()
    local one = pick(made.locals)
    if not one then return assign() end
    local node = {kind = "exchange", array = one.name, t = one.t, want(one.t, 2), want(of "uint", 2)}
    node.name = add_variable(one.t).name
    return node
  end

  -- All work-items add to a few sums; whatever their order, the sums are the same.
  local function tally()
    local one = made.sums
    if not one then return assign() end
    local node = {kind = "tally", array = one.name, t = one.t, count = one.count, fn = pick {"add", "sub", "min", "max",
      "or", "and", "xor"}, want(of "uint", 1), want(one.t, 2), want(of "uint", 1)}
    node.name = add_variable(one.t).name
    return node
  end

  -- A loop of all work-items together, which may exchange numbers in it.
  local function together()
    local node = {kind = "together", count = 1 + random(3)}
    local before, arrays = #made.variables, #made.arrays
    node.name = add_variable(of "int", "i", node.count).name
    node.body = {}
    for i = 1, 2 do node.body[i] = pick {assign, exchange, exchange, tally, put}() end
    while #made.variables > before do table.remove(made.variables) end
    while #made.arrays > arrays do table.remove(made.arrays) end
    return node
  end

  local function statement(depth, top)
    local ways = {declare, declare, assign, assign, assign, put, array}
    if depth > 0 then
      ways[#ways + 1] = function() return branch(depth) end
      ways[#ways + 1] = function() return loop(depth) end
      ways[#ways + 1] = function() return switch(depth) end
    end
    if top and #made.locals > 0 then ways[#ways + 1], ways[#ways + 2] = exchange, together end
    if top and made.sums then ways[#ways + 1] = tally end
    return pick(ways)()
  end

  function block(depth)
    local list, variables, arrays = {}, #made.variables, #made.arrays
    for i = 1, random(3) do list[i] = statement(depth) end
    while #made.variables > variables do table.remove(made.variables) end
    while #made.arrays > arrays do table.remove(made.arrays) end
    return list
  end

  function self.statements(count, depth, top)
    local list = {}
    for i = 1, count do list[i] = statement(depth, top) end
    return list
  end

  return self
end

-- ---- the parts of a program ----

local function choose_types(random, pick)
  local found = {of "int"}
  for i = 2, 3 + random(3) do
    local base = random(4) == 1 and "float" or pick(types.integers)
    found[i] = of(base, random(2) == 1 and 1 or pick(types.widths))
  end
  return found
end

local function choose_sizes(made, random, pick)
  local dimensions = pick {1, 1, 2, 3}
  made.group, made.global, made.offset = {}, {}, {}
  for i = 1, dimensions do
    made.group[i] = pick(({{1, 4, 8, 16}, {1, 2, 4, 5}, {1, 2, 3}})[dimensions])
    made.global[i] = made.group[i] * random(3)
    made.offset[i] = random(3) == 1 and random(7) or 0
  end
  made.items, made.members = 1, 1
  for i = 1, dimensions do
    made.items, made.members = made.items * made.global[i], made.members * made.group[i]
  end
end

local function add_memory(made, random, exprs)
  for i = 1, random(3) do
    local t = exprs.some_type()
    if t.n ~= 3 then
      local count, space = made.items + random(8), random(4) == 1 and "constant" or "global"
      table.insert(made.inputs, {name = "in" .. i, t = t, count = count, space = space})
    end
  end
  for i = 1, random(3) do
    local t = exprs.some_type(random(4) == 1 and 1 or nil)
    if t.n == 3 then t = types.with(t, nil, 4) end
    table.insert(made.outputs, {name = "out" .. i, t = t, count = made.items + random(4), update = random(3) == 1})
  end
  for i = 1, random(3) - 1 do
    local t = exprs.some_type()
    table.insert(made.arguments, {name = "p" .. i, t = t, value = exprs.literal(t), fixed = true})
  end
  if random(3) > 1 then
    for i = 1, random(2) do
      local t = exprs.some_type()
      if t.n == 3 then t = types.with(t, nil, 2) end
      table.insert(made.locals, {name = "shared" .. i, t = t, given = random(2) == 1})
    end
  end
  if random(3) == 1 then
    made.sums = {name = "sums", t = exprs.pick {of "int", of "uint"}, count = exprs.pick {1, 2, 4}}
  end
  made.free_group = #made.locals == 0 and not made.sums and random(2) == 1 -- the driver chooses it
  if random(3) == 1 then
    local t, values = types.with(exprs.some_type(), nil, 1), {}
    for i = 1, exprs.pick {3, 4, 8} do values[i] = exprs.literal(t) end
    table.insert(made.tables, {name = "numbers", t = t, values = values})
  end
end

local function add_function(made, random, exprs, index)
  local one = {name = "f" .. index, t = exprs.some_type(), parameters = {}}
  made.variables, made.arrays, made.in_kernel = {}, {}, false
  for i = 1, random(3) do
    one.parameters[i] = {name = "x" .. i, t = exprs.some_type()}
    made.variables[i] = one.parameters[i]
  end
  one.body = writer(made, random, exprs).statements(random(3) - 1, 1, false)
  one.result = exprs.want(one.t, 3)
  table.insert(made.functions, one)
end

local function add_body(made, random, exprs)
  made.variables, made.arrays, made.in_kernel = {}, {}, true
  for _, each in ipairs(made.arguments) do table.insert(made.variables, each) end
  for _, word in ipairs(made.free_group and {"at"} or {"at", "me"}) do
    table.insert(made.variables, {name = word, t = of "uint", fixed = true})
  end
  made.body = writer(made, random, exprs).statements(2 + random(7), 2, true)
  for _, each in ipairs(made.outputs) do
    local fn = each.update and exprs.pick {"+", "-", "&", "|", "^", "*"}
    if each.t.float then fn = nil end
    table.insert(made.body, {kind = "store", name = each.name, t = each.t, update = fn or nil,
      by_vstore = not fn and each.t.n > 1 and random(3) == 1, exprs.want(each.t, 3)})
  end
end

--- Makes the program of a seed.
function program.new(seed)
  local random = chance.new(seed)
  local made = {seed = seed, inputs = {}, outputs = {}, arguments = {}, tables = {}, functions = {}, locals = {},
    variables = {}, arrays = {}}
  local exprs = grow.new(random, made)
  made.types = choose_types(random, exprs.pick)
  choose_sizes(made, random, exprs.pick)
  add_memory(made, random, exprs)
  for i = 1, random(3) - 1 do add_function(made, random, exprs, i) end
  add_body(made, random, exprs)
  made.random = chance.new(seed + 7)
  return made
end

return program
