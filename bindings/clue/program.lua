--- Programs: OpenCL C built for a context's device. Made by context:program() and context:program_from_binary().
--
-- Fields: log (what the compiler said, "" if nothing), kernels (a list of names), options (the text that was given to
-- the compiler), context.
-- @module clue.program
local binding = require "clue.binding"
local error_object = require "clue.error"
local kernels = require "clue.kernel"
local object = require "clue.object"

local program = {}

local methods, adopt = object.class("program", function(self) return table.concat(self.kernels, ", ") end)

-- Whole numbers as C writes them, others so that C reads the same double.
local function literal(value)
  if type(value) == "number" and value % 1 ~= 0 then return ("%.17g"):format(value) end
  if type(value) == "number" then return ("%.0f"):format(value) end
  return tostring(value)
end

local function add_defines(words, defines)
  local names = {}
  for name in pairs(defines) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local value = defines[name]
    if value == true then
      words[#words + 1] = "-D " .. name
    elseif value then
      words[#words + 1] = ("-D %s=%s"):format(name, literal(value))
    end
  end
end

--- The text of build options.
-- @tparam ?table|string options a text, or a table: options in their order, and defines = {NAME = value} (true: defined
--   without a value, false: not defined), include = {folder, ...}, std = "CL1.2"
-- @treturn string "-cl-fast-relaxed-math -D TILE=16"
function program.options(options)
  if options == nil then return "" end
  if type(options) == "string" then return options end
  if type(options) ~= "table" then
    error(error_object.new {text = ("build options are a text or a table, not a %s"):format(type(options))}, 0)
  end
  local words = {}
  for i, option in ipairs(options) do words[i] = option end
  if options.std then words[#words + 1] = "-cl-std=" .. options.std end
  for _, folder in ipairs(options.include or {}) do words[#words + 1] = "-I " .. folder end
  add_defines(words, options.defines or {})
  return table.concat(words, " ")
end

local function names_of(handle)
  local names = {}
  for name in error_object.check(binding.program_kernels(handle)):gmatch "[^;]+" do names[#names + 1] = name end
  return names
end

--- Builds a program; raises an error object with the log where that fails.
-- @tparam context context
-- @tparam string source OpenCL C
-- @tparam[opt] table|string options see @{options}
-- @treturn program
function program.new(context, source, options)
  if type(source) ~= "string" then
    error(error_object.new {text = ("a program takes its source as a text, not a %s"):format(type(source))}, 0)
  end
  local text = program.options(options)
  local handle = error_object.check(
    binding.program_create(object.handle(context, "context", "context:program"), source, text))
  return adopt(handle, {log = binding.program_log(handle) or "", kernels = names_of(handle), options = text,
                        context = context})
end

--- Builds a program from what program:binary() gave.
-- @tparam context context
-- @tparam string binary
-- @treturn program options is nil
function program.from_binary(context, binary)
  if type(binary) ~= "string" then
    error(error_object.new {text = ("a program takes its binary as a string, not a %s"):format(type(binary))}, 0)
  end
  local handle = error_object.check(
    binding.program_from_binary(object.handle(context, "context", "context:program_from_binary"), binary))
  return adopt(handle, {log = binding.program_log(handle) or "", kernels = names_of(handle), context = context})
end

--- What the driver made of the program, to be kept in a file (NVIDIA: PTX text; PoCL and others: machine code or an
-- intermediate form).
-- @treturn string bytes, for context:program_from_binary on the same device and driver
function methods:binary()
  return (error_object.check(binding.program_binary(object.handle(self, "program", "program:binary"))))
end

--- Makes a kernel.
-- @tparam string name of a __kernel function
-- @treturn kernel see @{clue.kernel}
function methods:kernel(name)
  return kernels.new(self, name)
end

return program
