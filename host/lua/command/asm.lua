--- `clue asm`: prints the assembly that a device's compiler makes of an OpenCL C file.
-- @module clue.command.asm
local common = require "clue.build.options"
local output = require "clue.output"
local subcommand = require "clue.shared.subcommand"

local command = subcommand.new {
  name = "asm",
  summary = "print the assembly that a device's compiler makes of a .cl file: PTX, machine code",
  about = "Compiles OpenCL C and prints what the device's compiler made of it: PTX on NVIDIA, machine code on PoCL and "
    .. "AMD (through objdump), LLVM's intermediate form on Oclgrind (through llvm-dis). The compiler's messages go to "
    .. "stderr. Exit status 0: printed; 1: it does not compile, or the driver has no such text; 2: wrong use.",
  words = common.words,
}

function command.options(parser)
  common.add(parser, "the device to compile for, as `clue devices` names it; of several, the first")
  parser:option("--kernel", "print only this kernel"):argname "NAME"
end

local function say_messages(result, file, source)
  io.stdout:flush()
  local messages = require "clue.build.messages"
  for _, line in ipairs(messages.lines(messages.read(result.log, file, source))) do output.err:write(line, "\n") end
end

local function has_kernel(result, name)
  local names = {}
  for i, kernel in ipairs(result.kernels) do
    names[i] = kernel.name
    if kernel.name == name then return true end
  end
  command.refuse(("--kernel: there is no kernel '%s'; there are: %s"):format(name, table.concat(names, ", ")))
  return false
end

-- Prints the text of one device. Returns whether there is one.
local function print_device(each, parsed, source, folder)
  local result = each.result
  say_messages(result, parsed.file, source)
  local function refuse(why) return command.refuse(("device %s: %s"):format(each.device.text, why), false) end
  if not result.ok then return refuse(result.failed) end
  if parsed.kernel and not has_kernel(result, parsed.kernel) then return false end
  local text, form, whole = require("clue.build.assembly").of(result, folder, parsed.kernel)
  if not text then return refuse(form) end
  output.err:write(("clue asm: device %s: %s%s\n"):format(each.device.text, form,
    whole and ", of all kernels together" or ""))
  output.out:write(text, text:sub(-1) == "\n" and "" or "\n")
  return true
end

function command.work(parsed)
  return common.build(command, parsed, {binary = true, most = 1}, function(built, source, folder)
    return print_device(built[1], parsed, source, folder) and 0 or 1
  end)
end

return command
