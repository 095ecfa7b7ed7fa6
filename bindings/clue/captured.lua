--- A captured call of a kernel, read from its folder: its program, its arguments with their contents, and its results.
-- The folder's replay.lua repeats the call with it, and `clue tune --capture` takes it for every configuration.
-- @module clue.captured
local array = require "clue.array"
local binding = require "clue.binding"
local by_value = require "clue.by_value"
local error_object = require "clue.error"
local images = require "clue.image"
local kernels = require "clue.kernel"
local open = require("clue.file").open
local plain_table = require "clue.plain_table"
local read_file = require("clue.file").read
local samplers = require "clue.sampler"

local captured = {}

local Call = {}
Call.__index = Call

local Memory = {}
Memory.__index = Memory

-- ---- the folder ----

local kinds = {"local", "null", "value", "sampler", "buffer", "image"}
for _, kind in ipairs(kinds) do kinds[kind] = true end

-- A file or a folder of the captured folder, by a name that clue gives; not one outside.
local function is_inside(name, pattern)
  return type(name) == "string" and name:find(pattern) ~= nil
end

local function is_source(source)
  return type(source) == "table" and type(source.options) == "string" and is_inside(source.file, "^kernel%d*%.cl$")
    and is_inside(source.include or "include", "^include%d*$")
end

-- Whether a value has what this module uses. The file may have been changed by hand.
local function is_call(call)
  if type(call) ~= "table" or type(call.kernel) ~= "string" then return false end
  if type(call.sources) ~= "table" or type(call.arguments) ~= "table" then return false end
  for _, source in ipairs(call.sources) do
    if not is_source(source) then return false end
  end
  for _, argument in ipairs(call.arguments) do
    if type(argument) ~= "table" or not kinds[argument.kind] then return false end
  end
  return call.sources[1] ~= nil
end

--- Reads a folder. Folders are sent around, so call.lua is read as data: nothing in it runs.
-- @tparam string folder
-- @treturn Call with the fields of call.lua (kernel, global, local_size, offset, arguments, device, ...) and folder.
--   Raises if the folder holds no captured call
function captured.load(folder)
  local text, why = read_file(folder .. "/call.lua")
  local call = nil
  if text then call, why = plain_table(text) end
  if not is_call(call) then
    error(("'%s' holds no captured call: %s%s"):format(folder, text and "call.lua: " or "",
      why or "it is not as clue writes it"), 0)
  end
  call.folder = folder
  return setmetatable(call, Call)
end

--- The contents of an argument that is memory.
-- @tparam int index of the argument, from 0
-- @tparam string moment "before" or "after" the call
-- @treturn ?array nil: there is no such file, because the call did not finish, or because the argument's memory is that
--   of an earlier one
function Call:contents(index, moment)
  local path = ("%s/arg%d.%s.npy"):format(self.folder, index, moment)
  local file, _, missing = open(path) -- missing: a number of the system's; nil if it is there and is no file
  if not file and missing then return nil end
  if file then file:close() end
  return array.load(path)
end

--- The text of all sources.
-- @treturn string
function Call:source()
  local texts = {}
  for i, source in ipairs(self.sources) do texts[i] = read_file(self.folder .. "/" .. source.file) end
  return table.concat(texts, "\n")
end

-- ---- the program ----

-- Build options without the definitions of these macros.
local function without(options, defines)
  local words = {}
  local joined = options:gsub('"[^"]*"', function(quoted) return (quoted:gsub(" ", "\0")) end)
  for word in joined:gsub("%-([DU])%s+", "-%1"):gmatch "%S+" do
    local name = word:match "^%-[DU]([%w_]+)"
    if not name or defines[name] == nil then words[#words + 1] = word end
  end
  return (table.concat(words, " "):gsub("%z", " "))
end

-- Build options: those of the call, then those to be added.
local function options_of(self, source, added)
  local own = added.defines and without(source.options, added.defines) or source.options
  local options = {own, include = {source.include and self.folder .. "/" .. source.include}}
  for name, value in pairs(added) do
    if name == "include" then
      for _, folder in ipairs(type(value) == "table" and value or {value}) do table.insert(options.include, folder) end
    elseif type(name) ~= "number" then
      options[name] = value
    end
  end
  for _, word in ipairs(added) do table.insert(options, word) end
  return options
end

--- Builds the program as it was built for the call.
-- @tparam context context
-- @tparam[opt] table added more options, as context:program takes them; its defines replace those of the call
-- @treturn program
function Call:program(context, added)
  local function made(how, source)
    local text = read_file(self.folder .. "/" .. source.file)
    return context[how](context, text, options_of(self, source, added or {}))
  end
  if not self.link_options then return made("program", self.sources[1]) end
  local parts = {}
  for i, source in ipairs(self.sources) do parts[i] = made("compile", source) end
  return context:link(parts, self.link_options)
end

-- ---- the arguments ----

--- Makes the memory of the arguments, with its contents from before the call.
-- @tparam queue queue
-- @treturn Memory
function Call:memory(queue)
  return setmetatable({call = self, queue = queue, context = queue.context, made = {}, contents = {}}, Memory)
end

-- What a kernel may do with memory: the other flags concern only the host and the driver. Without a flag, a
-- sub-buffer has its buffer's access; other memory may be read and written.
local function access_of(argument)
  return ({[1] = "read_write", [2] = "write_only", [4] = "read_only"})[argument.flags % 8]
end

local function image_of(self, argument, buffer)
  local shape = argument.shape
  local type_name, order, channel = images.names(shape.type, shape.order, shape.channel)
  local function given(size) return size > 0 and size or nil end
  return self.context:image {type = type_name, order = order, channel = channel, width = shape.width,
    height = given(shape.height), depth = given(shape.depth), array_size = given(shape.array_size),
    row_pitch = given(shape.row_pitch), flags = access_of(argument), buffer = buffer}
end

local function is_image(argument)
  return argument.kind == "image" and not argument.in_buffer
end

local function before(self, first)
  self.contents[first] = self.contents[first] or self.call:contents(first, "before")
  return self.contents[first]
end

-- The memory in which an argument lies; it is named after the first argument in it.
local function memory_of(self, argument)
  local first = argument.contents_of
  if self.made[first] then return self.made[first] end
  if is_image(argument) then
    self.made[first] = image_of(self, argument)
    self.queue:write_image(self.made[first], before(self, first))
  else
    local whole = argument.kind == "buffer" and not argument.part
    self.made[first] = self.context:buffer(before(self, first), whole and access_of(argument) or "read_write")
  end
  return self.made[first]
end

local function place_of(self, argument)
  local found = memory_of(self, argument)
  if not argument.part then return found end
  return found:sub_buffer {offset = argument.offset, size = argument.part, flags = access_of(argument)}
end

local setters = {
  ["local"] = function(_, kernel, index, argument) kernel:set_arg(index, kernels.local_memory(argument.size)) end,
  null = function(_, kernel, index) kernel:set_arg(index, by_value.null) end,
  value = function(_, kernel, index, argument)
    error_object.check(binding.kernel_set_bytes(kernel.handle, index, argument.bytes))
  end,
  sampler = function(self, kernel, index, argument)
    local addressing, filter = samplers.names(argument.addressing, argument.filter)
    kernel:set_arg(index, self.context:sampler {normalized_coords = argument.normalized == 1,
      addressing_mode = addressing, filter_mode = filter})
  end,
  buffer = function(self, kernel, index, argument) kernel:set_arg(index, place_of(self, argument)) end,
  image = function(self, kernel, index, argument)
    local found = place_of(self, argument)
    kernel:set_arg(index, argument.in_buffer and image_of(self, argument, found) or found)
  end,
}

--- Sets all arguments of a kernel to those of the call.
-- @tparam kernel kernel
function Memory:set(kernel)
  for number, argument in ipairs(self.call.arguments) do setters[argument.kind](self, kernel, number - 1, argument) end
end

-- Calls a function with the index and the argument of each memory.
local function each_memory(self, work)
  for number, argument in ipairs(self.call.arguments) do
    if argument.contents_of == number - 1 then work(number - 1, argument) end
  end
end

--- Gives all memory its contents from before the call again.
function Memory:fill()
  each_memory(self, function(index, argument)
    self.queue[is_image(argument) and "write_image" or "write_buffer"](self.queue, self.made[index],
      before(self, index))
  end)
end

--- Reads all memory.
-- @treturn table array by the argument's number, from 1 as in the call's arguments
function Memory:read()
  local found = {}
  each_memory(self, function(index, argument)
    local values = before(self, index):copy()
    self.queue[is_image(argument) and "read_image" or "read_buffer"](self.queue, self.made[index], values)
    found[index + 1] = values
  end)
  return found
end

return captured
