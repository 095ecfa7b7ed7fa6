--- Programs: OpenCL C built for a context's device. Made by context:program() and the like.
--
-- program.NAME is the kernel of that name, so `program.scale(queue, n, nil, x, 2)` calls it. The kernel is made at the
-- first use and kept, with the arguments that were set last. Methods and fields of programs come first: a kernel
-- called log is program:kernel "log".
-- @module clue.program
local argument = require "clue.argument"
local binding = require "clue.binding"
local build_log = require "clue.build_log"
local define = require "clue.define"
local device = require "clue.device"
local error_object = require "clue.error"
local include = require "clue.include"
local kernels = require "clue.kernel"
local nearest = require "clue.nearest"
local object = require "clue.object"
local registers = require "clue.kernel.registers"

--- The fields of a program.
-- @table program
-- @tfield string log the compiler's, "" if it is empty
-- @tfield {string,...} kernels their names
-- @tfield string options those that the compiler got, without -cl-kernel-arg-info and those of CLUE_BUILD_OPTIONS
-- @tfield {string,...} files the paths of included files
-- @tfield boolean cached whether it came from the cache of built programs instead of the compiler
-- @tfield context context

local program = {}

-- Fields that some programs lack.
local optional = {handle = true, log = true, options = true, files = true, cached = true, context = true}

--- The names that are no kernels in `program.NAME`, besides those of methods.
program.fields = {kernels = true, kind = true}
for name in pairs(optional) do program.fields[name] = true end

-- The names of a program's kernels, as keys.
local function kernel_set(self)
  local names = {}
  for _, name in ipairs(self.kernels) do names[name] = true end
  return names
end

-- The kernels of a program that lacks one of this name, and what the core finds about the name in the source, such as
-- a function without `kernel` before it.
local function what_there_is(self, name, is_advised)
  local names = self.kernels
  binding.kernel_create(self.handle, name) -- refused
  local record = binding.error()
  if record.name == "CL_INVALID_PROGRAM_EXECUTABLE" then
    return "it has no kernels: context:link() makes them of compiled programs"
  end
  local list = #names == 0 and "it has no kernels" or "its kernels are " .. table.concat(names, ", ")
  return list .. (is_advised and record.detail:match "; it has: [^;]*(;.*)$" or "")
end

-- The kernel of a name, which the program keeps.
local function kernel_of(self, name)
  if type(name) ~= "string" or optional[name] then return nil end
  local names = rawget(self, "kernels")
  if rawget(self, "handle") == nil then argument.fail("program.%s: the program was closed", name) end
  local known = kernel_set(self)
  if known[name] then
    rawset(self, name, kernels.new(self, name))
    return self[name]
  end
  if name == "build" then
    argument.fail("program.build: context:program(source, options) has compiled it; call its kernels: "
      .. "program.%s(queue, global_size, local_size, ...)", names[1] or "NAME")
  end
  local meant = nearest(name, known)
  argument.fail("program.%s: the program has no kernel, method or field of this name%s; %s", name,
    meant and (" (is %s meant?)"):format(meant) or "", what_there_is(self, name, not meant))
end

local methods, adopt, meta = object.class("program", function(self) return table.concat(self.kernels, ", ") end,
  kernel_of)

meta.__completions = kernel_set

meta.of_handle = function(handle, parent_of)
  local log = build_log.rewrite(binding.program_log(handle) or "", build_log.place())
  return {log = log, kernels = program.kernel_names(handle), context = parent_of(handle)}
end

-- ---- options ----

local known = {std = "text", include = "checked", defines = "list", headers = "list", registers = "boolean"}

-- The compiler's own options are a list, the others have names.
local function check_options(options)
  local list, named = {}, {}
  for name, given in pairs(options) do (type(name) == "number" and list or named)[name] = given end
  for i = 1, argument.list(list, "options") do argument.text(list[i], ("options[%d]"):format(i)) end
  argument.options(named, "options", known)
end

local function add_defines(words, macros)
  for _, name in ipairs(define.names(macros, "defines")) do
    local text = define.text(name, macros[name])
    if name:find "%(" or text and text:find "[%s\"'\\]" then
      argument.fail(
        "defines: some compilers cannot read %s=%s from their options: put cl.define {[%q] = ...} before the source",
        name, text, name)
    end
    if macros[name] == true then
      words[#words + 1] = "-D " .. name
    elseif text then
      words[#words + 1] = ("-D %s=%s"):format(name, text)
    end
  end
end

local function add_folders(words, folders)
  if type(folders) ~= "string" and not argument.is_plain(folders) then
    argument.refuse("include", "the name of a folder, or a list of names", folders)
  end
  for _, folder in pairs(type(folders) == "table" and folders or {folders}) do
    if type(folder) ~= "string" or folder == "" then argument.refuse("include", "the name of a folder", folder) end
    words[#words + 1] = include.folder_option(folder)
  end
end

--- The text of build options.
-- @tparam ?table|string options a text, or a table: options in their order, and defines = {NAME = value} (true: 1;
--   false: not defined), include = folder or {folder, ...}, std = "CL1.2"; and those that do not appear in the text:
--   headers = {["name.h"] = text}, registers = true: see @{clue.kernel.registers}
-- @treturn string "-cl-fast-relaxed-math -D TILE=16"
function program.options(options)
  if options == nil then return "" end
  if type(options) == "string" then return argument.text(options, "options") end
  if not argument.is_plain(options) then argument.refuse("options", "a text or a table", options) end
  check_options(options)
  local words = {}
  for i, option in ipairs(options) do words[i] = option end
  if options.std then words[#words + 1] = "-cl-std=" .. options.std end
  add_folders(words, options.include or {})
  add_defines(words, options.defines or {})
  return table.concat(words, " ")
end

-- ---- sources ----

-- Several sources become one. Each keeps line numbers of its own.
local function whole(sources)
  if type(sources) == "string" then return sources end
  if not argument.is_plain(sources) then argument.refuse("source", "a text, or a list of texts", sources) end
  if argument.list(sources, "source") == 0 then
    argument.fail("source must be a text, or a list of texts: the list is empty")
  end
  local parts = {}
  for i, source in ipairs(sources) do
    argument.typed(source, "string", ("source[%d]"):format(i), "a text")
    parts[i] = ('#line 1 "source %d"\n%s'):format(i, source)
  end
  return table.concat(parts, "\n")
end

-- Names and texts in turn, in a fixed order.
local function listed(headers)
  local names, list = {}, {}
  for name, text in pairs(headers) do
    if type(name) ~= "string" or type(text) ~= "string" then
      argument.fail("headers must be a table of texts by name, {[\"name.h\"] = text}, not of a %s by a %s", type(text),
        type(name))
    end
    names[#names + 1] = name
  end
  table.sort(names)
  for _, name in ipairs(names) do list[#list + 1], list[#list + 2] = name, headers[name] end
  return list
end

-- What the binding takes, and what the object is to show.
local function prepared(sources, options)
  local headers = type(options) == "table" and options.headers or {}
  local text, given = whole(sources), program.options(options)
  local list = listed(headers)
  local all, files = include.options(text, list, given)
  return text, all, list, files
end

--- The names of a program's kernels.
-- @tparam number handle
-- @treturn {string,...}
function program.kernel_names(handle)
  local names = {}
  for name in error_object.check(binding.program_kernels(handle)):gmatch "[^;]+" do names[#names + 1] = name end
  return names
end

local places = setmetatable({}, {__mode = "k"}) -- where programs' sources come from

local function made(handle, context, options, files, place, log)
  place = place or build_log.place()
  local self = adopt(handle, {log = build_log.rewrite(log or binding.program_log(handle) or "", place),
                              kernels = program.kernel_names(handle), options = options, files = files or {},
                              cached = binding.program_cached(handle), context = context})
  places[self] = place
  return self
end

-- The handle. Raises with a log that names the source's place.
local function built(place, source, handle)
  if handle then return handle end
  return error(error_object.new(build_log.failure(place, source)), 0)
end

-- Headers that are not files need a compiler that runs apart from the linker.
local function compile_and_link(context, source, options, headers, place)
  local compiled = built(place, source, binding.program_compile(context, source, options, headers))
  local linked = binding.program_link(context, {compiled}, nil)
  local problem = not linked and error_object.last()
  binding.handle_free(compiled, "program")
  if problem then error(problem, 0) end
  return linked
end

-- The log of a second build, which tells of registers; nil if the compiler cannot report them. The program itself is
-- built as it is without that option: NVIDIA's driver does not know the types of the arguments of the other one.
local function log_of_registers(build, context, source, options)
  local text, all = registers.ask(context, source, options)
  if not text then return nil end
  local handle = build(text, all)
  local log = registers.without_lines(binding.program_log(handle) or "")
  binding.handle_free(handle, "program")
  return log
end

--- Builds a program. Raises an error object with the log on failure.
-- @tparam context context
-- @tparam string|table source OpenCL C; or a list of texts, which are joined: messages then give the text and its
-- line
--   ("source 2:5:9")
-- @tparam[opt] table|string options see @{options}
-- @treturn program
function program.new(context, source, options)
  local on = object.handle(context, "context")
  local text, all, headers, files = prepared(source, options)
  local place = build_log.place(text, headers)
  local function build(its_text, its_options)
    return #headers > 0 and compile_and_link(on, its_text, its_options, headers, place)
      or built(place, source, binding.program_create(on, its_text, its_options))
  end
  local handle = build(text, all)
  local asked = type(options) == "table" and options.registers
  return made(handle, context, all, files, place, asked and log_of_registers(build, context, text, all) or nil)
end

--- Compiles a program, for context:link() to link with others.
-- @tparam context context
-- @tparam string|table source
-- @tparam[opt] table|string options
-- @treturn program without kernels
function program.compile(context, source, options)
  local on = object.handle(context, "context")
  if type(options) == "table" and options.registers then
    argument.fail "registers is an option of context:program: compilers report registers when they link"
  end
  local text, all, headers, files = prepared(source, options)
  local place = build_log.place(text, headers)
  return made(built(place, source, binding.program_compile(on, text, all, headers)), context, all, files, place)
end

--- Links compiled programs.
-- @tparam context context
-- @tparam {program,...} programs
-- @tparam[opt] string options for the linker; "-create-library" makes a program that can be linked again
-- @treturn program
function program.link(context, programs, options)
  local on, handles = object.handle(context, "context"), {}
  if not argument.is_plain(programs) then argument.refuse("compiled", "a list of compiled programs", programs) end
  argument.list(programs, "compiled")
  for i, each in ipairs(programs) do handles[i] = object.handle(each, "program", ("compiled[%d]"):format(i)) end
  local text = program.options(options)
  return made(error_object.check(binding.program_link(on, handles, text)), context, text)
end

--- Builds a program from SPIR-V. Raises an error object if the device takes none.
-- @tparam context context
-- @tparam string il
-- @tparam[opt] table|string options
-- @treturn program
function program.from_il(context, il, options)
  local on = object.handle(context, "context")
  argument.typed(il, "string", "il", "SPIR-V, a string of bytes")
  local text = program.options(options)
  return made(error_object.check(binding.program_from_il(on, il, text)), context, text)
end

--- Builds a program from a binary, without compiling. Raises an error object if the binary is not for this device and
-- driver. Most drivers' binaries contain nothing about kernels' arguments: those then take typed values,
-- `kernel(queue, n, nil, x, cl.int(3))`, and a plain number is refused with an explanation. PoCL crashes if a binary
-- was cut or changed, so program:binary() adds a checksum at its end, without which it is refused. rusticl cannot
-- build from binaries, so all are refused there.
-- @tparam context context
-- @tparam string binary what program:binary() gave
-- @treturn program options is nil
function program.from_binary(context, binary)
  local on = object.handle(context, "context")
  argument.typed(binary, "string", "binary", "a string of bytes")
  return made(error_object.check(binding.program_from_binary(on, binary)), context)
end

--- The driver's form of the program, to save in a file (NVIDIA: PTX text; PoCL and others: machine code or an
-- intermediate form).
-- @tparam[opt] device|number on one of the context's devices (the first)
-- @treturn string bytes, for context:program_from_binary on the same device and driver
function methods:binary(on)
  local handle = object.handle(self, "program")
  return (error_object.check(binding.program_binary(handle, on ~= nil and device.number(on, "on") or nil)))
end

--- The build log of one of several devices; program.log is that of the first.
-- @tparam[opt] device|number on one of the context's devices (the first)
-- @treturn string "" if it is empty
function methods:build_log(on)
  local handle = object.handle(self, "program")
  local log = error_object.check(binding.program_log(handle, on ~= nil and device.number(on, "on") or nil))
  return build_log.rewrite(log, places[self] or build_log.place())
end

methods.kernel = kernels.new

return program
