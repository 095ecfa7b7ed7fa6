--- Prints the results of `clue build`: messages and kernels for each device.
-- @module clue.build.view
local counted = require("clue.text").count
local log_excerpt = require "clue.log_excerpt"
local messages = require "clue.build.messages"
local output = require "clue.output"
local tables = require "clue.table"

local view = {}

-- ---- kernels ----

-- The declaration, as far as the driver reports it: "global const float* x".
local function declaration(argument)
  local words = {}
  local function add(word)
    if word ~= "" then words[#words + 1] = word end
  end
  add(argument.access_qualifier ~= "none" and argument.access_qualifier or "")
  local image = argument.type_name:find "^image" ~= nil -- images are global without a qualifier
  add(argument.address_qualifier ~= "private" and not image and argument.address_qualifier or "")
  add(argument.type_qualifier)
  add(argument.type_name)
  add(argument.name)
  return #words > 0 and table.concat(words, " ") or "?"
end

local function signature(kernel)
  local words = {}
  for i, argument in ipairs(kernel.arguments) do words[i] = declaration(argument) end
  return ("%s(%s)"):format(kernel.name, table.concat(words, ", "))
end

local function number(value)
  return value and ("%.0f"):format(value)
end

local function required(sizes)
  if not sizes or not sizes[1] or sizes[1] + sizes[2] + sizes[3] == 0 then return "any" end
  return ("%.0fx%.0fx%.0f"):format(sizes[1], sizes[2], sizes[3])
end

-- A local size for one of the typical ranges of clue.build.compile_in_child.
local function suggested(kernel, range)
  local suggestion = kernel.suggested and kernel.suggested[range]
  return suggestion and table.concat(suggestion.local_size, "x"):gsub("%.0", "") or nil
end

local function column(title, get)
  return {title = title, right = title ~= "kernel", get = get, optional = true}
end

local function fact(title, name)
  return column(title, function(kernel) return number(kernel[name]) end)
end

-- Columns that are empty for all kernels are left out.
local columns = {
  column("kernel", function(kernel) return kernel.name end),
  fact("group\nat most", "work_group_size"), fact("multiple\nof", "preferred_work_group_size_multiple"),
  column("required", function(kernel) return required(kernel.compile_work_group_size) end),
  column("local for\n2^20", function(kernel) return suggested(kernel, "line") end),
  column("local for\n1024x1024", function(kernel) return suggested(kernel, "square") end),
  fact("local\nbytes", "local_mem_size"), fact("private\nbytes", "private_mem_size"), fact("registers", "registers"),
  fact("stack\nbytes", "stack"), fact("spilled\nstores", "spill_stores"), fact("spilled\nloads", "spill_loads"),
}

local function print_kernels(result, width)
  local made = {}
  for _, kernel in ipairs(result.kernels) do
    if kernel.failed then
      output.print(("  %s: %s"):format(kernel.name, kernel.failed))
    else
      made[#made + 1] = kernel
      output.print_lines(tables.wrap("  " .. signature(kernel), width, "      "))
    end
  end
  if #made == 0 then return end
  for _, line in ipairs(tables.of(columns, made, "-")) do output.print("  " .. line) end
end

-- ---- a device ----

-- If a source does not compile, the messages are enough. What no file of kernels declares may be a macro of its host.
local function print_failure(result, is_file)
  local has_error, undeclared = false, nil
  for _, message in ipairs(result.messages) do
    has_error = has_error or message.kind == "error"
    undeclared = undeclared or is_file and (message.text or ""):match "undeclared identifier '([%a_][%w_]*)'"
  end
  local plain = has_error and result.name == "CL_BUILD_PROGRAM_FAILURE"
  output.print("  " .. (plain and "it does not compile" or result.failed)
    .. (undeclared and (": a macro that the host defines is given by -D %s=VALUE"):format(undeclared) or ""))
  if not result.lost then return end
  for line in result.log:gmatch "[^\n]+" do output.print("    " .. line) end
end

--- Prints the result of a device.
-- @tparam table each device, result
-- @tparam int width of the terminal
-- @tparam boolean is_file whether the program is a file of OpenCL C
function view.device(each, width, is_file)
  local result = each.result
  output.print(("device %s, driver %s"):format(each.device.text, each.device.driver or "?"))
  output.print_lines(log_excerpt.lines(messages.lines(result.messages), "--json"))
  if not result.ok then
    print_failure(result, is_file)
    return
  end
  output.print(("  built in %.0f ms%s: %s"):format(result.seconds * 1000,
    result.options ~= "" and ", " .. result.options or "", counted(#result.kernels, "kernel")))
  print_kernels(result, width)
  if result.binary_failed then output.print("  " .. result.binary_failed) end
  if result.emitted then output.print(("  %s: %.0f bytes"):format(result.emitted, result.binary_bytes)) end
end

return view
