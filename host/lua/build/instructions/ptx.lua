--- Reads PTX, NVIDIA's intermediate assembly.
local set = require("clue.text").set

local ptx = {name = "PTX"}

--- The instructions of a kernel.
-- @tparam string text PTX of at least that kernel
-- @tparam string kernel its name
-- @treturn ?{table,...} place (a label, or nil), op, operands, target (the label that a jump leads to), ends (whether
--   the next one never follows it), file and line (of the source, if the text tells them); nil if the text does not
--   have the kernel
function ptx.read(text, kernel)
  local from = text:find("%.entry%s+" .. kernel .. "[%s(]")
  if not from then return nil end
  local body = text:sub(from):match "\n{\n(.-)\n}" or ""
  local list, label, file, number = {}, nil, nil, nil
  for line in body:gmatch "[^\n]+" do
    local of, at = line:match "^%s*%.loc%s+(%d+)%s+(%d+)"
    if of then file, number = text:match("%.file%s+" .. of .. '%s+"([^"]*)"'), tonumber(at) end
    label = line:match "^%s*(%$[%w_$]+):" or label
    local rest = line:gsub("^%s*@!?%%p%d+%s+", ""):gsub("^%s+", "")
    local op, operands = rest:match "^(%l[%w._:]*)%s*([^;]*);"
    if op then
      list[#list + 1] = {place = label, op = op, operands = operands,
                         target = op:find "^bra" and operands:match "%$[%w_$]+" or nil, file = file, line = number,
                         ends = not line:find "^%s*@" and (op:find "^bra" or op:find "^ret" or op:find "^exit")}
      label = nil
    end
  end
  return list
end

local float_operations = set("add sub mul div sqrt rsqrt rcp min max neg abs ex2 lg2 sin cos tanh copysign testp "
  .. "setp set")
local integer_operations = set("add sub mul mul24 mad mad24 sad div rem abs neg min max popc clz bfind fns brev bfe "
  .. "bfi dp4a dp2a and or xor not cnot lop3 shf shl shr setp set addc subc madc lea")

-- The bits of one access: "ld.global.v4.f32" has 128.
local function access_bits(op)
  local element = tonumber(op:match "%.[bfsu](%d+)$") or 0
  return element * (tonumber(op:match "%.v(%d)") or 1)
end

local function count_memory(add, widen, op, word)
  if op:find "%.param" then return end
  local what = word == "ld" and "loads" or "stores"
  local space = op:find "%.shared" and "local_" or op:find "%.local" and "stack_" or ""
  add(space .. what)
  widen(access_bits(op))
end

local function count_float(add, op, word)
  local fused = word == "fma"
  add(fused and "fma" or "float")
  add("float_operations", (op:find "x2" and 2 or 1) * (fused and 2 or 1))
end

--- Adds an instruction to the counts.
-- @tparam function add add(name): see @{clue.build.loops.names}; add("float_operations", n)
-- @tparam function widen widen(bits) of what it moves in one access
-- @tparam table instruction
function ptx.count(add, widen, instruction)
  local op = instruction.op
  local word = op:match "^%w+"
  local is_float = op:find "%.b?f16" or op:find "%.bf16" or op:find "%.f32" or op:find "%.f64"
  if word == "ld" or word == "ldu" or word == "st" then
    count_memory(add, widen, op, word == "st" and "st" or "ld")
  elseif op:find "^cp%.async%.c[ag]" then
    add "loads"
    add "local_stores"
  elseif word == "atom" or word == "red" then
    add(op:find "%.shared" and "local_stores" or "stores")
  elseif word == "fma" or is_float and float_operations[word] then
    count_float(add, op, word)
  elseif op:find "^bar" then
    add "barriers"
  elseif word == "bra" or word == "ret" or word == "call" or word == "exit" then
    add "jumps"
  elseif integer_operations[word] then
    add "integer"
  end
end

return ptx
