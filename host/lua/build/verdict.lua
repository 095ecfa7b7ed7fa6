--- The sentences above the code that `clue asm` prints of a script: what the loop does that takes the time, kernel by
-- kernel. They are comments where the code is a text that an assembler reads.
local counted = require("clue.text").count
local lists = require "clue.shared.list"
local loops = require "clue.build.loops"

local verdict = {}

-- More kernels are in the table of --counts.
local most = 4

local items = {
  {"float_operations", "float operation"}, {"loads", "load"}, {"stores", "store"}, {"local_loads", "local load"},
  {"local_stores", "local store"}, {"barriers", "barrier"}, {"stack_loads", "load of the stack", "loads of the stack"},
  {"stack_stores", "store to the stack", "stores to the stack"},
}

local function contents(counts)
  local list = lists.map(items, function(item)
    local many = counts[item[1]]
    return many > 0 and (many > 1 and item[3] and ("%d %s"):format(many, item[3]) or counted(many, item[2])) or nil
  end)
  return list[1] and table.concat(list, ", ") or "no arithmetic of floats, and no access to memory"
end

-- A register of a scalar has 64 bits at most.
local function width(isa, bits)
  if isa ~= "x86-64" then return bits > 0 and ("; accesses of at most %d bits"):format(bits) or "" end
  return bits > 64 and ("; vectors of %d bits"):format(bits) or "; not vectorised"
end

-- "of 2 innermost loops, that at 1170 does most"
local function which(counts, innermost)
  if not counts.place then return "no loop" end
  if #innermost == 1 then return "the innermost loop, at " .. counts.place end
  return ("of %d innermost loops, the one at %s does most"):format(#innermost, counts.place)
end

local function of_kernel(part, isa, name)
  local busiest = loops.busiest(part.text, isa, name)
  if not busiest then return name .. ": its code was not found" end
  local counts = busiest.counts
  return ("%s%s: %s: %s in %s%s"):format(name, part.launch and ", " .. part.launch or "",
    which(counts, loops.of(part.text, isa, name).innermost), contents(counts),
    counted(counts.instructions, "instruction"), width(isa, counts.vector_bits))
end

--- What is said of a program's code.
-- @tparam {table,...} parts of @{clue.build.assembly.of}
-- @tparam table form likewise
-- @tparam {string,...} kernels the names of those that are shown
-- @treturn {string,...} lines
function verdict.lines(parts, form, kernels)
  local list, all = {}, 0
  for _, part in ipairs(form.isa and parts or {}) do
    for _, name in ipairs(part.kernel and {part.kernel} or kernels) do
      all = all + 1
      if all <= most then list[all] = of_kernel(part, form.isa, name) end
    end
  end
  if not form.isa then list[1] = ("%s, in a form that clue does not read"):format(counted(#kernels, "kernel")) end
  if all > most then list[#list + 1] = ("and %d more"):format(all - most) end
  if form.isa then list[#list + 1] = "--counts has all innermost loops as a table, and no code" end
  return lists.map(list, function(line) return (form.comment or "") .. line end)
end

return verdict
