--- `clue asm`: prints the assembly that a device's compiler makes of an OpenCL C file or of a script's programs.
local common = require "clue.build.options"
local counted_text = require("clue.text").count
local json = require "clue.shared.json"
local lists = require "clue.shared.list"
local log_excerpt = require "clue.log_excerpt"
local loops = require "clue.build.loops"
local messages = require "clue.build.messages"
local misspelt = require "clue.misspelt"
local output = require "clue.output"
local programs = require "clue.build.programs"
local request = require "clue.run.request"
local subcommand = require "clue.shared.subcommand"
local tables = require "clue.table"

local command = subcommand.new {
  name = "asm",
  group = "kernel",
  page = "reference/build.md",
  summary = "print a program's PTX or machine code, and what its loops do",
  about = "Compiles OpenCL C and prints what the device's compiler made of it: PTX or SASS on NVIDIA, machine code on "
    .. "PoCL and AMD (through objdump), LLVM's intermediate form on Oclgrind (through llvm-dis). For a script it runs "
    .. "the script and prints the code of the programs that it built, on PoCL for the work-groups that it launched. "
    .. "The compiler's messages go to stderr. Exit status 0: printed; 1: it does not compile, or the driver has no "
    .. "such text; 2: wrong use.",
  words = common.words,
}

-- ---- what the instructions do ----

-- Counts the instructions of every kernel in the parts of a device's code: kernel, launch, isa, whole
-- and innermost (see clue.build.loops.of) of each; nil and why, if there are none.
local function counts_of(parts, form, kernels)
  if not form.isa then return nil, ("--counts: clue cannot read the instructions of %s"):format(form.name) end
  local list = {}
  for _, part in ipairs(parts) do
    for _, name in ipairs(part.kernel and {part.kernel} or kernels) do
      local each = loops.of(part.text, form.isa, name)
      if not each then return nil, ("--counts: the code of kernel '%s' was not found"):format(name) end
      each.kernel, each.launch, each.isa = name, part.launch, form.isa
      list[#list + 1] = each
    end
  end
  return list
end

local function number(name)
  return function(row) return row[name] > 0 and ("%.0f"):format(row[name]) or nil end
end

local function column(title, get)
  return {title = title, right = title ~= "where", get = get, optional = true}
end

local columns = {
  column("where", function(row) return row.title end), column("instruc-\ntions", number "instructions"),
  column("fused\nmul-add", number "fma"), column("other\nfloat", number "float"), column("integer", number "integer"),
  column("loads", number "loads"), column("stores", number "stores"), column("local\nloads", number "local_loads"),
  column("local\nstores", number "local_stores"), column("stack\nloads", number "stack_loads"),
  column("stack\nstores", number "stack_stores"), column("barriers", number "barriers"),
  column("jumps", number "jumps"), column("widest\nbits", number "vector_bits"),
  column("float\noperations", number "float_operations"),
}

-- Prints a table for each kernel.
local function print_counts(list)
  for i, each in ipairs(list) do
    if i > 1 then output.print "" end
    output.print(("kernel %s%s%s, %s: %s"):format(each.kernel, each.program and " of " .. each.program or "",
      each.launch and ", " .. each.launch or "", each.isa, each.innermost[1] and "innermost loops" or "no loop"))
    local rows = {}
    for _, loop in ipairs(each.innermost) do
      loop.title = ("%s%s"):format(loop.place, loop.depth > 1 and (", %d deep"):format(loop.depth) or "")
      rows[#rows + 1] = loop
    end
    each.whole.title = "whole kernel"
    rows[#rows + 1] = each.whole
    for _, line in ipairs(tables.of(columns, rows, "-")) do output.print("  " .. line) end
  end
end

local order = {"format", "file", "kernels", "device", "program", "kernel", "launch", "isa", "innermost", "whole",
               "place", "depth"}
for _, name in ipairs(loops.names) do order[#order + 1] = name end

-- Prints them as JSON.
local function print_counts_json(file, list)
  for _, each in ipairs(list) do json.list(each.innermost) end
  output.print(json.text({format = "clue asm 1", file = file, kernels = json.list(list)}, true, order))
end

-- ---- the sentences above a script's code: what the loop does that takes the time, kernel by kernel ----
--
-- They are comments where the code is a text that an assembler reads.

local MOST = 4 -- kernels; more are in the table of --counts

local items = {
  {"float_operations", "float operation"}, {"loads", "load"}, {"stores", "store"}, {"local_loads", "local load"},
  {"local_stores", "local store"}, {"barriers", "barrier"}, {"stack_loads", "load of the stack", "loads of the stack"},
  {"stack_stores", "store to the stack", "stores to the stack"},
}

local function contents(counts)
  local list = lists.map(items, function(item)
    local many = counts[item[1]]
    return many > 0 and (many > 1 and item[3] and ("%d %s"):format(many, item[3]) or counted_text(many, item[2])) or nil
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
    counted_text(counts.instructions, "instruction"), width(isa, counts.vector_bits))
end

-- The lines above the code of a program, of which the named kernels are shown.
local function sentences(parts, form, kernels)
  local list, all = {}, 0
  for _, part in ipairs(form.isa and parts or {}) do
    for _, name in ipairs(part.kernel and {part.kernel} or kernels) do
      all = all + 1
      if all <= MOST then list[all] = of_kernel(part, form.isa, name) end
    end
  end
  if not form.isa then list[1] = ("%s, in a form that clue does not read"):format(counted_text(#kernels, "kernel")) end
  if all > MOST then list[#list + 1] = ("and %d more"):format(all - MOST) end
  if form.isa then list[#list + 1] = "--counts has all innermost loops as a table, and no code" end
  return lists.map(list, function(line) return (form.comment or "") .. line end)
end

-- ---- the subcommand ----

function command.options(parser)
  common.add(parser, "the device to compile for, as `clue devices` names it; of several, the first")
  parser:option("--kernel", "print only this kernel"):argname "NAME"
  parser:flag("--counts", "print what the instructions of the innermost loops do, instead of the code")
  parser:flag("--sass", "on NVIDIA: the machine code, by CUDA's ptxas and nvdisasm, instead of PTX")
  parser:flag("--json", "print the counts as JSON")
end

local function say_messages(result, program)
  io.stdout:flush()
  local lines = messages.lines(programs.messages(program, result))
  for _, line in ipairs(log_excerpt.lines(lines, "clue build --json")) do output.err:write(line, "\n") end
end

local function names_of(result)
  return lists.map(result.kernels or {}, function(kernel) return kernel.name end)
end

local function print_parts(parts, title)
  for i, part in ipairs(parts) do
    if part.launch then
      output.print(("%skernel %s%s, %s: %s"):format(i > 1 and "\n" or "", part.kernel,
        title and (" of " .. title) or "", part.launch, part.text))
    else
      output.out:write(part.text, part.text:sub(-1) == "\n" and "" or "\n")
    end
  end
end

-- Prints or counts the code of one device. Returns the counts, or true, or nil and the reason.
local function show_code(parsed, program, each, names, launched)
  local assembly = require "clue.build.assembly"
  local parts, form = assembly.of {result = each.result, folder = program.folder, kernel = parsed.kernel,
                                   launched = launched, linked = program.link ~= nil, sass = parsed.sass}
  if not parts then return nil, form end
  output.err:write(("clue asm: %sdevice %s: %s%s\n"):format(program.title and program.title .. ": " or "",
    each.device.text, form.name, parsed.kernel and form.whole and ", of all kernels together" or ""))
  if parsed.counts then return counts_of(parts, form, names) end
  if program.title then output.print_lines(sentences(parts, form, names)) end
  print_parts(parts, program.title)
  return true
end

-- Returns whether all went well; adds to counted.
local function show_device(parsed, program, each, launched, counted)
  local result = each.result
  say_messages(result, program)
  local function refuse(why)
    command.refuse(("device %s: %s"):format(each.device.text, why))
    return false
  end
  if not result.ok then return refuse(result.failed) end
  if not result.kernels[1] then
    return command.refuse(("%s: %s"):format(program.title or program.file, messages.NO_KERNEL), false)
  end
  local names = parsed.kernel and {parsed.kernel} or names_of(result)
  local shown, why = show_code(parsed, program, each, names, launched)
  if not shown then return refuse(why) end
  for _, one in ipairs(parsed.counts and shown or {}) do
    one.device, one.program = each.device.text, program.title
    counted[#counted + 1] = one
  end
  return true
end

-- The programs that have a kernel or do not compile, for one device; none, and why, if there is none.
local function with_kernel(list, name)
  local names = {}
  local chosen = lists.filter(list, function(program)
    return lists.any(program.built, function(each)
      local its = names_of(each.result)
      names = lists.joined(names, its)
      return not each.result.ok or lists.set(its)[name]
    end)
  end)
  return chosen, not chosen[1] and "--kernel: " .. misspelt.unknown("kernel", name, lists.distinct(names)) or nil
end

local function show_all(parsed, list, launched)
  local ok, counted, missing = true, {}, nil
  if parsed.kernel then list, missing = with_kernel(list, parsed.kernel) end
  if missing then return command.refuse(missing, 1) end
  for _, program in ipairs(list) do
    for _, each in ipairs(program.built) do ok = show_device(parsed, program, each, launched, counted) and ok end
  end
  if parsed.json then
    print_counts_json(parsed.file, counted)
  elseif parsed.counts then
    print_counts(counted)
  end
  return ok and 0 or 1
end

local function work(parsed, words)
  return programs.build(command, parsed, words, {binary = true, most = 1}, function(list, launched)
    return show_all(parsed, list, launched)
  end)
end

function command.work(parsed, words)
  if parsed.json and not parsed.counts then return command.wrong_use "--json needs --counts" end
  if common.is_walkthrough(parsed) then return request.each_step(parsed, command.refuse, work) end
  return work(parsed, words)
end

return command
