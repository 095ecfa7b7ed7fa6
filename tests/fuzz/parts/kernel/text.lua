-- Writes a prepared program (prepare.lua) as OpenCL C.
local types = require "kernel.types"

local text = {}

local suffixes = {uint = "u", long = "L", ulong = "UL"}
local least = {int = "(-2147483647 - 1)", long = "(-9223372036854775807L - 1)"}

local function literal(node)
  local base = node.t.base
  if base == "float" then return ("(%.6ff)"):format(node.value) end
  if node.value == "-2147483648" and base == "int" then return least.int end
  if node.value == "-9223372036854775808" then return least.long end
  if suffixes[base] or base == "int" then return ("(%s%s)"):format(node.value, suffixes[base] or "") end
  return ("((%s)%s)"):format(base, node.value)
end

local function lanes_of(lanes, form, n)
  local letters = ""
  for _, lane in ipairs(lanes) do
    local digit = (form == 1 and "%x" or "%X"):format(lane)
    letters = letters .. (n <= 4 and form ~= 3 and ("xyzw"):sub(lane + 1, lane + 1) or digit)
  end
  return (n <= 4 and form ~= 3 and "." or form == 1 and ".s" or ".S") .. letters
end

local write

local function list(node, first)
  local parts = {}
  for i = first or 1, #node do parts[#parts + 1] = write(node[i]) end
  return table.concat(parts, ", ")
end

local function infix(node) return ("(%s %s %s)"):format(write(node[1]), node.fn, write(node[2])) end

local function prefix(sign)
  return function(node) return ("(%s%s)"):format(sign, write(node[1])) end
end

local function call(node) return ("%s(%s)"):format(node.fn or node.op, list(node)) end

local function at(node, index) return ("%s %% %du"):format(write(index), node.count) end

local function unsigned_operand(t, node) -- as the unsigned type of t
  local to = types.unsigned(t)
  if t.n == 1 then return ("(%s)%s"):format(to.name, write(node)) end
  if node.t.n == 1 then return ("(%s)((%s)%s)"):format(to.name, to.base, write(node)) end
  return ("as_%s(%s)"):format(to.name, write(node))
end

local function wrapped(node)
  local t = node.t
  local a, b = unsigned_operand(t, node[1]), unsigned_operand(t, node[2])
  if t.n == 1 and node.fn == "<<" then b = write(node[2]) end
  return (t.n == 1 and "((%s)(%s %s %s))" or "as_%s(%s %s %s)"):format(t.name, a, node.fn, b)
end

local function conversion(node)
  local rounding = node.rounding and "_" .. node.rounding or ""
  return ("convert_%s%s%s(%s)"):format(node.t.name, node.sat and "_sat" or "", rounding, write(node[1]))
end

local function cast(node) return ("((%s)(%s))"):format(node.t.name, list(node)) end

-- C makes an int of two chars or shorts.
local function ternary(node)
  local made = ("(%s ? %s : %s)"):format(write(node[1]), write(node[2]), write(node[3]))
  return node.t.n == 1 and node.t.rank < 3 and ("((%s)%s)"):format(node.t.name, made) or made
end

local function element(node) return ("%s[%s]"):format(node.from, at(node, node[1])) end

local forms = {
  literal = literal, binary = infix, float = infix, logic = infix, wrapped = wrapped, negate = prefix "-",
  complement = prefix "~", ["not"] = prefix "!", call = call, user = call, dot = call, any = call, select = call,
  shuffle = call, shuffle2 = call, convert = conversion, cast = cast, splat = cast, build = cast, ternary = ternary,
  load = element, element = element,
  variable = function(node) return node.name end,
  own = function(node) return node.from .. "[at]" end,
  id = function(node) return ("((ulong)%s(%d))"):format(node.fn, node.dimension) end,
  vload = function(node) return ("vload%d(%s, %s)"):format(node.t.n, at(node, node[1]), node.from) end,
  compare = function(node) return node.call and ("%s(%s)"):format(node.call, list(node)) or infix(node) end,
  as = function(node) return ("as_%s(%s)"):format(node.t.name, write(node[1])) end,
  swizzle = function(node)
    local lanes = node.half and "." .. node.half or lanes_of(node.lanes, node.form, node[1].t.n)
    return ("(%s)%s"):format(write(node[1]), lanes)
  end,
}

function write(node) return forms[node.op](node) end

--- An expression's text.
text.expression = write

-- ---- statements ----

local BARRIER = "barrier(CLK_LOCAL_MEM_FENCE);"
local block

local function assign(s)
  local target = s.name .. (s.lanes and lanes_of(s.lanes, s.form, s.t.n) or "")
  if s.operand then return {("%s %s= %s;"):format(target, s.compound, write(s.operand))} end
  return {("%s = %s;"):format(target, write(s[1]))}
end

local function branch(s)
  local lines = {("if (%s) {"):format(write(s[1])), block(s.body), "}"}
  if s.other then lines[3], lines[4], lines[5] = "} else {", block(s.other), "}" end
  return lines
end

local function switch(s)
  local lines = {("switch (%s %% %du) {"):format(write(s[1]), s.modulus)}
  for _, each in ipairs(s.cases) do
    lines[#lines + 1] = ("case %d: {"):format(each.value)
    lines[#lines + 1] = block(each.body)
    lines[#lines + 1] = "} break;"
  end
  lines[#lines + 1] = "default: break;"
  lines[#lines + 1] = "}"
  return lines
end

local function loop(s)
  local leave = s.leave and ("if (%s) break;"):format(write(s[1])) or nil
  local inner = block(s.body)
  if leave then table.insert(inner, 1, leave) end
  if s.keep == 1 then
    return {("int %s = 0;"):format(s.name), ("while (%s < %d) {"):format(s.name, s.count), inner, {s.name .. "++;"},
      "}"}
  elseif s.keep == 2 then
    return {("int %s = 0;"):format(s.name), "do {", inner, ("} while (++%s < %d);"):format(s.name, s.count)}
  end
  return {("for (int %s = 0; %s < %d; %s++) {"):format(s.name, s.name, s.count, s.name), inner, "}"}
end

local function exchange(s, program)
  return {("%s[me] = %s;"):format(s.array, write(s[1])), BARRIER,
    ("%s %s = %s[%s %% %du];"):format(s.t.name, s.name, s.array, write(s[2]), program.members), BARRIER}
end

local function tally(s)
  return {("if (me == 0u) for (uint i = 0; i < %du; i++) %s[i] = 0;"):format(s.count, s.array), BARRIER,
    ("atomic_%s(&%s[%s %% %du], %s);"):format(s.fn, s.array, write(s[1]), s.count, write(s[2])), BARRIER,
    ("%s %s = %s[%s %% %du];"):format(s.t.name, s.name, s.array, write(s[3]), s.count), BARRIER}
end

local kinds = {
  declare = function(s) return {("%s %s = %s;"):format(s.t.name, s.name, write(s[1]))} end,
  assign = assign, ["if"] = branch, switch = switch, ["for"] = loop, exchange = exchange, tally = tally,
  array = function(s) return {("%s %s[%d] = {%s};"):format(s.t.name, s.name, s.count, list(s))} end,
  put = function(s) return {("%s[%s %% %du] = %s;"):format(s.name, write(s[1]), s.count, write(s[2]))} end,
  together = function(s)
    return {("for (int %s = 0; %s < %d; %s++) {"):format(s.name, s.name, s.count, s.name), block(s.body), "}"}
  end,
  store = function(s)
    if s.by_vstore then
      return {("vstore%d(%s, at, (global %s *)%s);"):format(s.t.n, write(s[1]), s.t.base, s.name)}
    end
    return {("%s[at] = %s;"):format(s.name, write(s[1]))}
  end,
}

local writing -- the program

function block(statements)
  local lines = {}
  for _, each in ipairs(statements) do
    for _, line in ipairs(kinds[each.kind](each, writing)) do lines[#lines + 1] = line end
  end
  return lines
end

local function indented(lines, depth, all)
  for _, line in ipairs(lines) do
    if type(line) == "table" then
      indented(line, depth + 1, all)
    else
      all[#all + 1] = ("  "):rep(depth) .. line
    end
  end
  return all
end

local function signature(program)
  local parts = {}
  for _, each in ipairs(program.inputs) do
    local const = each.space == "global" and "const " or ""
    parts[#parts + 1] = ("%s %s%s *%s"):format(each.space, const, each.t.name, each.name)
  end
  for _, each in ipairs(program.outputs) do parts[#parts + 1] = ("global %s *%s"):format(each.t.name, each.name) end
  for _, each in ipairs(program.arguments) do parts[#parts + 1] = ("%s %s"):format(each.t.name, each.name) end
  for _, each in ipairs(program.locals) do
    if each.given then parts[#parts + 1] = ("local %s *%s"):format(each.t.name, each.name) end
  end
  return ("kernel void test(%s) {"):format(table.concat(parts, ", "))
end

local NUMBER = "const uint at = (uint)(get_global_id(0) - get_global_offset(0) + get_global_size(0)"
  .. " * (get_global_id(1) - get_global_offset(1) + get_global_size(1) * (get_global_id(2) - get_global_offset(2))));"
local MEMBER = "const uint me = (uint)(get_local_id(0) + get_local_size(0)"
  .. " * (get_local_id(1) + get_local_size(1) * get_local_id(2)));"

local function heads(program)
  local lines = {NUMBER, not program.free_group and MEMBER or nil}
  for _, each in ipairs(program.locals) do
    if not each.given then lines[#lines + 1] = ("local %s %s[%d];"):format(each.t.name, each.name, program.members) end
  end
  local sums = program.sums
  if sums then lines[#lines + 1] = ("local %s %s[%d];"):format(sums.t.name, sums.name, sums.count) end
  return lines
end

local function constants(program, lines)
  for _, each in ipairs(program.tables) do
    lines[#lines + 1] = ("constant %s %s[%d] = {%s};"):format(each.t.name, each.name, #each.values, list(each.values))
  end
end

--- The program's source.
function text.program(program)
  local lines = {}
  writing = program
  constants(program, lines)
  for _, each in ipairs(program.functions) do
    local parameters = {}
    for i, one in ipairs(each.parameters) do parameters[i] = one.t.name .. " " .. one.name end
    lines[#lines + 1] = ("%s %s(%s) {"):format(each.t.name, each.name, table.concat(parameters, ", "))
    lines[#lines + 1] = block(each.body)
    lines[#lines + 1] = {("return %s;"):format(write(each.result))}
    lines[#lines + 1] = "}"
  end
  lines[#lines + 1] = signature(program)
  lines[#lines + 1] = heads(program)
  lines[#lines + 1] = block(program.body)
  lines[#lines + 1] = "}"
  return table.concat(indented(lines, 0, {}), "\n") .. "\n"
end

return text
