--- Shows what the instructions of kernels do: `clue asm --counts`.
local json = require "clue.shared.json"
local loops = require "clue.build.loops"
local output = require "clue.output"
local tables = require "clue.table"

local counts = {}

--- Counts the instructions of every kernel in the parts of a device's code.
-- @tparam {table,...} parts of @{clue.build.assembly.of}
-- @tparam table form of the same
-- @tparam {string,...} kernels the names of the program's kernels
-- @treturn[1] {table,...} kernel, launch, isa, whole and innermost (see @{clue.build.loops.of})
-- @treturn[2] nil
-- @treturn[2] string why there are none
function counts.of(parts, form, kernels)
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

--- Prints a table for each kernel.
-- @tparam {table,...} list of @{of}, each with program: its title, nil for a file's
function counts.print(list)
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

--- Prints them as JSON.
-- @tparam string file
-- @tparam {table,...} list of @{of}, each with device and program: their words
function counts.print_json(file, list)
  for _, each in ipairs(list) do json.list(each.innermost) end
  output.print(json.text({format = "clue asm 1", file = file, kernels = json.list(list)}, true, order))
end

return counts
