--- Reads SASS, the machine code of NVIDIA's GPUs, as nvdisasm -c prints it.
local set = require("clue.text").set

local sass = {name = "SASS"}

--- The instructions of a kernel.
-- @tparam string text of nvdisasm
-- @tparam string kernel its name
-- @treturn ?{table,...} place (a label, or nil), op, operands, target (the label that a jump leads to), ends (whether
--   the next one never follows it); nil if the text does not have the kernel
function sass.read(text, kernel)
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

local integer = set("IMAD IADD IADD3 LEA LOP LOP3 LOP32I SHF SHL SHR ISETP IMNMX VIMNMX VIADD VIADDMNMX IABS I2F F2I "
  .. "I2I POPC FLO BREV BMSK SGXT IDP IDP4A ISCADD IMUL XMAD PLOP3 LEPC BFE BFI UIADD3 ULEA ULOP3 USHF UISETP UIMAD "
  .. "UPOPC UFLO USEL USGXT UPLOP3 IADD32I")

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

--- Adds an instruction to the counts.
-- @tparam function add add(name): see @{clue.build.loops.names}; add("float_operations", n)
-- @tparam function widen widen(bits) of what it moves in one access
-- @tparam table instruction
function sass.count(add, widen, instruction)
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
  elseif integer[word] then
    add "integer"
  elseif word == "BAR" or word == "SYNCS" then
    add "barriers"
  elseif jumps[word] then
    add "jumps"
  end
end

return sass
