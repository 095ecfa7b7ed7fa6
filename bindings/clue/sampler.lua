--- Samplers: how a kernel reads an image. Made by context:sampler(); kernels take them for sampler_t arguments.
-- @module clue.sampler
local argument = require "clue.argument"
local binding = require "clue.binding"
local buffers = require "clue.buffer"
local object = require "clue.object"

--- The fields of a sampler.
-- @table sampler
-- @tfield boolean normalized_coords whether coordinates run from 0 to 1
-- @tfield string addressing_mode what is outside: "clamp_to_edge" and so on
-- @tfield string filter_mode "nearest" or "linear"
-- @tfield context context

local sampler = {}

local _, adopt = object.class("sampler", function(self)
  return ("%s coordinates, %s, %s"):format(self.normalized_coords and "normalized" or "pixel", self.addressing_mode,
    self.filter_mode)
end)

-- CL_ADDRESS_* and CL_FILTER_*, in lower case.
local words = {
  addressing_mode = {none = 0x1130, clamp_to_edge = 0x1131, clamp = 0x1132, ["repeat"] = 0x1133,
    mirrored_repeat = 0x1134},
  filter_mode = {nearest = 0x1140, linear = 0x1141},
}
local names = {}
for option, codes in pairs(words) do
  names[option] = {}
  for name, code in pairs(codes) do names[option][code] = name end
end
local known = {normalized_coords = "boolean", addressing_mode = "text", filter_mode = "text"}

--- Makes a sampler. Options that are not given have OpenCL's defaults.
-- @tparam context context
-- @tparam[opt] table options normalized_coords: true if coordinates run from 0 to 1, false if they count pixels;
--   addressing_mode: what is read outside the edges: "clamp" (the border's colour, the default), "clamp_to_edge",
--   "none" (coordinates are never outside), and, for normalized coordinates only, "repeat" and "mirrored_repeat";
--   filter_mode: "nearest" (the default) or "linear"
-- @treturn sampler
function sampler.new(context, options)
  local on = object.handle(context, "context")
  local fields = {normalized_coords = true, addressing_mode = "clamp", filter_mode = "nearest", context = context}
  for name, given in pairs(argument.options(options, "options", known)) do
    if words[name] then argument.word(given, words[name], name) end
    fields[name] = given
  end
  local handle = buffers.create(binding.sampler_create, on, fields.normalized_coords and 1 or 0,
    words.addressing_mode[fields.addressing_mode], words.filter_mode[fields.filter_mode])
  return adopt(handle, fields)
end

--- The names of OpenCL's numbers, as context:sampler takes them.
-- @tparam number addressing CL_ADDRESS_NONE and so on
-- @tparam number filter CL_FILTER_NEAREST and so on
-- @treturn string
-- @treturn string
function sampler.names(addressing, filter)
  return names.addressing_mode[addressing], names.filter_mode[filter]
end

return sampler
