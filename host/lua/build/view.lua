--- What `clue build` shows: messages and kernels for each device.
local block = require "clue.show.block"
local counted = require("clue.text").count
local lists = require "clue.shared.list"
local log_excerpt = require "clue.log_excerpt"
local messages = require "clue.build.messages"

local view = {}

local function line(text, indent)
  return block.paragraph("  " .. text, {indent = indent or "  ", close = true})
end

local function quote(lines, indent)
  return lines[1] and block.code(table.concat(lines, "\n"), {indent = indent, close = true})
end

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
  return ("%s(%s)"):format(kernel.name, table.concat(lists.map(kernel.arguments, declaration), ", "))
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

local function kernels_of(result)
  local made = lists.filter(result.kernels, function(kernel) return not kernel.failed end)
  local lines = lists.map(result.kernels, function(kernel)
    return kernel.failed and line(("%s: %s"):format(kernel.name, kernel.failed)) or line(signature(kernel), "      ")
  end)
  return {lines, block.table {name = "kernels", columns = columns, rows = made, empty = "-", indent = "  ",
                              close = true}}
end

-- ---- a device ----

-- If a source does not compile, the messages are enough. What no file of kernels declares may be a macro of its host.
local function failure_of(result, is_file)
  local has_error, undeclared, said = false, nil, {}
  for _, message in ipairs(result.messages) do
    has_error = has_error or message.kind == "error"
    undeclared = undeclared or is_file and (message.text or ""):match "undeclared identifier '([%a_][%w_]*)'"
  end
  for each in (result.lost and result.log or ""):gmatch "[^\n]+" do said[#said + 1] = each end
  local plain = has_error and result.name == "CL_BUILD_PROGRAM_FAILURE"
  local meant = plain and result.failed:match "; (is '[^']*' meant%?)$"
  local hint = undeclared and (": a macro that the host defines is given by -D %s=VALUE"):format(undeclared)
    or meant and ": " .. meant or ""
  return {line((plain and "it does not compile" or result.failed) .. hint), quote(said, "    ")}
end

local function device_of(each, is_file)
  local result = each.result
  return {
    block.paragraph(("device %s, driver %s"):format(each.device.text, each.device.driver or "?"), {close = true}),
    quote(log_excerpt.lines(messages.lines(result.messages), "--json")),
    not result.ok and failure_of(result, is_file) or {
      line(("built in %.0f ms%s: %s"):format(result.seconds * 1000,
        result.options ~= "" and ", " .. result.options or "", counted(#result.kernels, "kernel"))),
      kernels_of(result), result.binary_failed and line(result.binary_failed),
      result.emitted and line(("%s: %.0f bytes"):format(result.emitted, result.binary_bytes)),
    },
  }
end

--- The results of some programs, each on its devices.
-- @tparam {table,...} programs title (nil: it is a file of OpenCL C), built: {device, result}, ...
-- @treturn table blocks
function view.blocks(programs)
  local blocks = {}
  for p, program in ipairs(programs) do
    blocks[#blocks + 1] = {p > 1 and block.gap(), program.title and block.paragraph(program.title, {close = true})}
    for i, each in ipairs(program.built) do
      blocks[#blocks + 1] = {i > 1 and block.gap(), device_of(each, program.title == nil)}
    end
  end
  return blocks
end

return view
