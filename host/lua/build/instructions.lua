--- Reads the instructions of kernels, and says what each does: x86-64 as objdump prints it, in AT&T's notation (sources
-- first, the destination last); PTX, NVIDIA's intermediate assembly; SASS, the machine code of NVIDIA's GPUs, as
-- nvdisasm -c prints it. A reader for each has two functions:
--
-- * read(text, kernel): the instructions of a kernel, as a list of: place (an address or a label, nil for none), op,
--   operands, target (the place that a jump leads to), ends (whether the next one never follows it), file and line (of
--   the source, if the text tells them), frame (of x86-64: whether %rbp is the frame's); nil if the text does not have
--   the kernel
-- * count(add, widen, instruction): adds an instruction to the counts: add(name), for the names see
--   @{clue.build.loops.names}, and add("float_operations", n); widen(bits), of what it moves in one access or, of
--   x86-64, of what it computes or moves in a vector register
local set = require("clue.text").set

-- ---- x86-64 ----

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

local function read_x86(text, kernel)
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

local element_bits = {ss = 32, ps = 32, sd = 64, pd = 64, sh = 16, ph = 16}

local x86_float = set("add sub mul div sqrt min max cmp round rndscale reduce scalef rcp rsqrt rcp14 rsqrt14 "
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
  if not element or not fused and not x86_float[root] then return nil end
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

local function count_x86(add, widen, instruction)
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

-- ---- PTX ----

local function read_ptx(text, kernel)
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

local ptx_float = set("add sub mul div sqrt rsqrt rcp min max neg abs ex2 lg2 sin cos tanh copysign testp "
  .. "setp set")
local ptx_integer = set("add sub mul mul24 mad mad24 sad div rem abs neg min max popc clz bfind fns brev bfe "
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

local function count_ptx(add, widen, instruction)
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
  elseif word == "fma" or is_float and ptx_float[word] then
    count_float(add, op, word)
  elseif op:find "^bar" then
    add "barriers"
  elseif word == "bra" or word == "ret" or word == "call" or word == "exit" then
    add "jumps"
  elseif ptx_integer[word] then
    add "integer"
  end
end

-- ---- SASS ----

local function read_sass(text, kernel)
  local from = text:find("\n%.text%." .. kernel .. ":\n")
  if not from then return nil end
  local list, label = {}, nil
  for line in text:sub(from + 1):gmatch "[^\n]+" do
    if line:find "^//%-%-%-" then break end
    label = line:match "^(%.L[%w_]+):" or label
    local rest = line:match "^%s+/%*%x+%*/%s+(.*)$"
    local op, operands = (rest or ""):gsub("^{?%s*@!?U?P[%dT]+%s+", ""):match "^{?%s*(%u[%w._]*)%s*([^;]*)"
    if op and op ~= "NOP" then
      list[#list + 1] = {place = label, op = op, operands = operands,
                         target = op:find "^BRA" and operands:match "%((%.L[%w_]+)%)" or nil,
                         ends = not rest:find "^{?%s*@" and not operands:find "^!?U?P%d"
                           and (op:find "^BRA" or op:find "^EXIT" or op:find "^RET")}
      label = nil
    end
  end
  return list
end

local lanes = {FFMA = 1, FFMA2 = 2, DFMA = 1, HFMA2 = 2, FADD = 1, FADD2 = 2, FMUL = 1, FMUL2 = 2, DADD = 1, DMUL = 1,
               HADD2 = 2, HMUL2 = 2, MUFU = 1, FMNMX = 1, DMNMX = 1, FCHK = 1, HMNMX2 = 2, FSETP = 1, DSETP = 1,
               FSET = 1, FSEL = 0, HSETP2 = 2, FFMA32I = 1, FADD32I = 1, FMUL32I = 1, FRND = 1}

local sass_integer = set("IMAD IADD IADD3 LEA LOP LOP3 LOP32I SHF SHL SHR ISETP IMNMX VIMNMX VIADD VIADDMNMX IABS "
  .. "I2F F2I I2I POPC FLO BREV BMSK SGXT IDP IDP4A ISCADD IMUL XMAD PLOP3 LEPC BFE BFI UIADD3 ULEA ULOP3 USHF "
  .. "UISETP UIMAD UPOPC UFLO USEL USGXT UPLOP3 IADD32I")

local memory = {
  LD = {"loads"}, LDG = {"loads"}, LDS = {"local_loads"}, LDSM = {"local_loads"}, LDL = {"stack_loads"},
  ST = {"stores"}, STG = {"stores"}, STS = {"local_stores"}, STL = {"stack_stores"}, LDGSTS = {"loads", "local_stores"},
  ATOM = {"stores"}, ATOMG = {"stores"}, RED = {"stores"}, REDG = {"stores"}, ATOMS = {"local_stores"},
  UBLKCP = {"loads", "local_stores"},
}

local jumps = set "BRA BRX JMP EXIT RET CALL BSSY BSYNC BREAK WARPSYNC"

-- Idioms that only move: IMAD.MOV, and a product with the register that is always 0.
local function is_move(op, operands)
  return op:find "^IMAD%.MOV" or op:find "^HFMA2%.MMA" and operands:find "%-RZ, RZ" or op:find "^HFMA2" and
    operands:find "%-RZ, RZ"
end

local function count_sass(add, widen, instruction)
  local op = instruction.op
  local word = op:match "^%w+"
  if is_move(op, instruction.operands) then return end
  if memory[word] then
    for _, name in ipairs(memory[word]) do add(name) end
    widen(tonumber(op:match "%.(%d+)$" or op:match "%.(%d+)%.") or 32)
  elseif lanes[word] then
    local fused = word:find "^[FDH]FMA" ~= nil
    add(fused and "fma" or "float")
    add("float_operations", lanes[word] * (fused and 2 or 1))
  elseif sass_integer[word] then
    add "integer"
  elseif word == "BAR" or word == "SYNCS" then
    add "barriers"
  elseif jumps[word] then
    add "jumps"
  end
end

return {
  ["x86-64"] = {read = read_x86, count = count_x86},
  PTX = {read = read_ptx, count = count_ptx},
  SASS = {read = read_sass, count = count_sass},
}
