--- Where the memory of arrays is. Methods, for clue.array, and its options.
-- @module clue.array.placement
local argument = require "clue.argument"
local binding = require "clue.binding"
local read_file = require("clue.file").read
local text = require "clue.array.text"

local placement = {methods = {}}
local methods = placement.methods

local OPTIONS = {alignment = "whole", huge_pages = "boolean"}
local MOST = 2 ^ 30
local SETTING = "/sys/kernel/mm/transparent_hugepage/enabled"

local function power_of_two_in(number, most)
  local power = 1
  while power < most and number % (2 * power) == 0 do power = 2 * power end
  return power
end

--- Refuses what are not options for the memory of an array.
-- @tparam table given
-- @treturn table
function placement.options(given)
  local options = argument.options(given, "options", OPTIONS)
  local alignment = options.alignment
  if alignment and (alignment < 1 or power_of_two_in(alignment, MOST) ~= alignment) then
    argument.refuse("alignment", "a power of two, from 1 to 2^30", alignment)
  end
  return options
end

--- Where the elements are in memory: for FFI, as in `ffi.cast("float *", (a:address()))`. Valid until the array is
-- resized, unmapped or collected.
-- @treturn ?number the address; nil if there are no elements
-- @treturn ?number its alignment: the greatest power of two that divides it, at most 2^30
function methods:address()
  text.check_self(self)
  local address = binding.array_view(self)
  if address == 0 then return nil, nil end
  return address, power_of_two_in(address, MOST)
end

local function why_none()
  local setting = read_file(SETTING)
  if not setting then return "this system has no huge pages that programs can ask for: there is no " .. SETTING end
  local chosen = setting:match "%[(%a+)%]" or setting
  if chosen == "never" then return ("%s is 'never': the system gives no huge pages"):format(SETTING) end
  return "it is too small or was not used yet, or the system had none free; {huge_pages = true} asks first"
end

--- How much of the memory is in huge pages now, at most: the system counts those of arrays side by side together. It
-- may give huge pages to a part of an array only, and give or take them later.
-- @treturn number bytes, 0 for none
-- @treturn ?string after 0: why
function methods:huge_pages()
  text.check_self(self)
  local size = binding.array_huge_bytes(self)
  if size > 0 then return size end
  return 0, why_none()
end

return placement
