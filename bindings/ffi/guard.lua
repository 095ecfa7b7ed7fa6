--- Guards, which free handles when they are collected. One guard frees one handle, or up to 64 handles that need not be
-- freed soon, so that most of these need no guard of their own.
local ffi = require "ffi"
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"

local int = argument.int

local binding = {}

-- A guard is userdata, as a script's own finalisers are, so that when the state closes they run in the order that Lua
-- promises: the newest first. (cdata would be finalised before all of them.) What it frees is in its environment:
-- one handle, or the room of those that share the guard. A finaliser is not compiled, so it makes one call.
local first_guard = debug.setfenv(newproxy(true), {})
local guards = getmetatable(first_guard)

-- The collector counts the whole room, with WEIGHT bytes for each handle: it sees nothing else of what drivers keep for
-- an event.
local SHARE, WEIGHT = 64, 512
local room_type = ffi.typeof(("struct { int32_t count, handles[%d]; char weight[%d]; }"):format(SHARE, SHARE * WEIGHT))
local newest, room = setmetatable({}, {__mode = "v"}), nil -- the guard that can still be shared, if it is in use

local drop, one = C.clue_handles_drop, ffi.new("int32_t[1]")

local function release(guard)
  local held = debug.getfenv(guard)
  if held.room then drop(held.room.handles, held.room.count) end
  one[0] = held.handle or 0
  held.handle, held.room = nil, nil
  drop(one, 1)
end

guards.__gc = release
guards.__tostring = function() return "guard" end

--- Something that frees a handle when it is collected.
-- @tparam number handle
-- @return the guard
function binding.guard_create(handle)
  int(handle, 1, "guard_create")
  return debug.setfenv(newproxy(first_guard), {handle = handle})
end

local function share()
  room = room_type()
  newest[1] = debug.setfenv(newproxy(first_guard), {room = room})
  return newest[1]
end

--- The same for a handle that need not be freed soon: up to 64 of them share a guard, which frees them when nothing
-- needs it any more.
-- @tparam number handle
-- @return the guard
function binding.guard_share(handle)
  int(handle, 1, "guard_share")
  local guard = newest[1]
  if guard == nil or room.count == SHARE then guard = share() end
  room.handles[room.count] = handle
  room.count = room.count + 1
  return guard
end

-- Frees one of the handles that share a guard.
local function leave(shared, handle)
  for i = 0, shared.count - 1 do
    if shared.handles[i] == handle then
      drop(shared.handles + i, 1)
      shared.handles[i] = 0
    end
  end
end

--- Frees a handle of a guard now. Does nothing if it was freed before.
-- @param guard
-- @tparam number handle
function binding.guard_free(guard, handle)
  if type(guard) ~= "userdata" or getmetatable(guard) ~= guards then
    argument.refuse(1, "guard_free", argument.type_problem(guard, "guard"))
  end
  int(handle, 2, "guard_free")
  local held = debug.getfenv(guard)
  if held.room then return leave(held.room, handle) end
  if held.handle == handle then return release(guard) end
end

return binding
