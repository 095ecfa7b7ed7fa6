--- Reads x86-64 machine code as objdump prints it, in AT&T's notation: sources first, the destination last.
local set = require("clue.text").set

local x86 = {name = "x86-64"}

-- ---- reading ----

-- Of the functions that PoCL makes of a kernel, the one that runs a work-group.
local function work_group_function(text, kernel)
  local function body(name)
    return text:match("<" .. name .. ">:\n(.-)\n\n") or text:match("<" .. name .. ">:\n(.*)$")
  end
  local item = "_pocl_kernel_" .. kernel
  local whole = body(item .. "_workgroup")
  -- PoCL puts the item's function, which has the loop over the items, into it, and the lines of the source get lost.
  local own = body(item)
  if own and own:find "\n[^%s<]+:%d+" then return own end
  for line in (whole or ""):gmatch "[^\n]+" do
    if (line:find "\tcall" or line:find "\tjmp") and line:find("<" .. item .. "[@>]") then return own end
  end
  return whole or own or body(kernel)
end

--- The instructions of a kernel.
-- @tparam string text of objdump
-- @tparam string kernel its name
-- @treturn ?{table,...} place (an address), op, operands, target (the place that a jump leads to), frame (whether %rbp
--   is the frame's), ends (whether the next one never follows it), file and line (of the source, if the text tells
--   them); nil if the text does not have the kernel
function x86.read(text, kernel)
  local body = work_group_function(text, kernel)
  if not body then return nil end
  local list, frame, file, number = {}, body:find "mov%s+%%rsp,%%rbp" ~= nil, nil, nil
  for line in body:gmatch "[^\n]+" do
    local place, op, operands = line:match "^ +(%x+):\t(%S+)%s*([^#]*)"
    if place then
      local target = op:find "^j" and operands:match "^(%x+)" or nil
      list[#list + 1] = {place = place, op = op, operands = operands, target = target, frame = frame, line = number,
                         file = file, ends = op:find "^ret" or op:find "^jmp" and not operands:find "^%*"}
    elseif line:find "^[^%s<]+:%d+" then
      file, number = line:match "^(.-):(%d+)"
      number = tonumber(number)
    end
  end
  return list
end

-- ---- what an instruction does ----

local element_bits = {ss = 32, ps = 32, sd = 64, pd = 64, sh = 16, ph = 16}

local float_operations = set("add sub mul div sqrt min max cmp round rndscale reduce scalef rcp rsqrt rcp14 rsqrt14 "
  .. "rcp28 rsqrt28 hadd hsub addsub dp getexp getmant fixupimm range ucomi comi")

local function register_bits(operands)
  if operands:find("%zmm", 1, true) then return 512 end
  if operands:find("%ymm", 1, true) then return 256 end
  return operands:find("%xmm", 1, true) and 128 or nil
end

-- Bits of all elements that a floating-point operation computes, and of one, and whether it is a fused multiply-add;
-- nil for other instructions.
local function float_width(op, operands)
  local element, root = element_bits[op:sub(-2)], op:gsub("^v", ""):sub(1, -3)
  local fused = root:find "^fn?m" ~= nil
  if not element or not fused and not float_operations[root] then return nil end
  return op:sub(-2, -2) == "s" and element or register_bits(operands) or 128, element, fused
end

local integer_words = {"add", "sub", "imul", "mul", "idiv", "div", "inc", "dec", "neg", "not", "and", "andn", "or",
                       "xor", "sh[lr]x?", "sh[lr]d", "sarx?", "ro[lr]x?", "lea", "cmp", "test", "adc", "sbb", "bt",
                       "popcnt", "lzcnt", "tzcnt", "bzhi", "bextr", "bls%a", "pdep", "pext", "mulx"}

-- Vectors' operations on integers and bits begin with vp or p; those in this list only move.
local moving = {"^v?pshuf", "^v?punpck", "^v?perm", "^v?pbroadcast", "^v?pinsr", "^v?pextr", "^v?pmov", "^v?pack",
                "^v?palignr", "^v?pblend", "^v?pgather", "^v?pscatter", "^v?pcompress", "^v?pexpand", "^prefetch",
                "^push", "^pop[qlw]?$", "^pause"}

local function is_integer(op)
  for _, word in ipairs(integer_words) do
    if op:find("^" .. word .. "[bwlq]?$") then return true end
  end
  if not op:find "^v?p" then
    return op:find "^v?x?or?p[sd]$" ~= nil or op:find "^k[%a]+[bwdq]$" ~= nil and not op:find "^kmov"
  end
  for _, pattern in ipairs(moving) do
    if op:find(pattern) then return false end
  end
  return true
end

-- Whether its memory operand is where the result goes, what else it may be read for, and whether it is the stack.
local function memory_use(instruction)
  local op, operands = instruction.op, instruction.operands
  if op:find "^push" then return false, true, true end
  if op:find "^pop[qlw]?$" then return true, false, true end
  local names_memory = operands:find("(", 1, true) and not (op:find "^lea" or op:find "^nop" or op:find "^prefetch")
  if not names_memory then return false, false end
  local stack = operands:find("(%rsp", 1, true) or instruction.frame and operands:find "%(%%rbp[,)]"
  local last = operands:find "%)[%s{}%%%w]*$" ~= nil
  local moves = op:find "^v?mov" or op:find "^v?p?extr" or op:find "^v?p?scatter" or op:find "^v?p?compress"
    or op:find "^vextract" or op:find "^vpmov" or op:find "^vcvtps2ph" or op:find "^set"
  local only_reads = op:find "^cmp" or op:find "^test" or op:find "^bt"
  local writes = last and not only_reads and (moves or not op:find "^[vj]" and not op:find "^call") and true or false
  return not (writes and moves), writes, stack and true or false
end

local function is_scalar_move(op)
  return op:find "^v?mov.*s[sdh]$" ~= nil or op:find "^v?mov[dqw]$" ~= nil
end

--- Adds an instruction to the counts.
-- @tparam function add add(name): see @{clue.build.loops.names}; add("float_operations", n)
-- @tparam function widen widen(bits) of what it computes or moves in a vector register
-- @tparam table instruction
function x86.count(add, widen, instruction)
  local op, operands = instruction.op, instruction.operands
  local bits, element, fused = float_width(op, operands)
  if bits then
    add(fused and "fma" or "float")
    add("float_operations", bits / element * (fused and 2 or 1))
    widen(bits)
  elseif op:find "^v?cvt" then
    add "float"
  elseif is_integer(op) then
    add "integer"
    if register_bits(operands) then widen(register_bits(operands)) end
  elseif instruction.target or op:find "^jmp" or op:find "^call" or op:find "^ret" then
    add "jumps"
  end
  local reads, writes, stack = memory_use(instruction)
  if reads then add(stack and "stack_loads" or "loads") end
  if writes then add(stack and "stack_stores" or "stores") end
  if (reads or writes) and not bits and not is_scalar_move(op) then widen(register_bits(operands) or 0) end
end

return x86
