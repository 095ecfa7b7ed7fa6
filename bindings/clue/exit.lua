--- What is reported at the end of a run: how often failures were repeated and, with
-- --strict, what was never freed. The host calls run() if this module was loaded, which every module does that makes
-- handles for scripts.
local options = require "clue.options"
local output = require "clue.output"
local warn = require "clue.mql5.warn"
local where = require "clue.where"

local exit = {}

local made_at, owned = {}, {} -- by handle; only with --strict
local is_owned_by_object -- see exit.owners

--- Records where a handle was made.
-- @tparam number handle
function exit.created(handle)
  if options.strict then made_at[handle] = where.label() end
end

--- Tells how to find out whether a handle belongs to an object that the collector frees.
-- @tparam function owns owns(handle)
function exit.owners(owns)
  is_owned_by_object = owns
end

--- Records that a handle belongs to what the collector frees, but that no object owns it.
-- @tparam number handle
function exit.owned(handle)
  if options.strict then owned[handle] = true end
end

-- Kinds that the collector frees with their arrays.
local of_arrays = {mapping = true, host_memory = true}

local function is_owned(handle, kind)
  return owned[handle] or of_arrays[kind] or is_owned_by_object and is_owned_by_object(handle)
end

-- Live handles by kind and place, in the order of their creation, without those that the collector would free.
local function live_groups(binding)
  local groups, order = {}, {}
  local handle = binding.handle_next(0)
  while handle do
    local kind, place = binding.handle_kind(handle), made_at[handle] or "an unknown place"
    if kind and not is_owned(handle, kind) then -- without a kind, a thread of the driver has just freed it
      local key = kind .. " " .. place
      if not groups[key] then
        groups[key] = {kind = kind, place = place, first = handle, count = 0}
        order[#order + 1] = groups[key]
      end
      groups[key].count = groups[key].count + 1
    end
    handle = binding.handle_next(handle)
  end
  return order
end

local function report_live(binding)
  for _, group in ipairs(live_groups(binding)) do
    local what = group.count == 1 and ("%s %d"):format(group.kind, group.first)
      or ("%d %ss (%d and more)"):format(group.count, group.kind, group.first)
    output.say(("clue: never freed: %s, made at %s"):format(what, group.place))
  end
end

--- Writes the report.
function exit.run()
  warn.summary()
  local binding = package.loaded["clue.binding"]
  if options.strict and type(binding) == "table" then report_live(binding) end
end

return exit
