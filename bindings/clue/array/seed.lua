--- Seeds for array:random() if the caller gives none. They differ in every process and at every call; scripts can
-- read them, so a run can be repeated.
--
--     print(cl.array.seed())      -- 2853114067
--     cl.array.seed(2853114067)   -- at the start of another run: the same numbers again
-- @module clue.array.seed
local argument = require "clue.argument"

local seeds = {}

local LIMIT = 4294967296 -- people type seeds again, so they have few digits

local upcoming -- the next call's seed; nil until it is needed

local function from_system()
  local file = io.open("/dev/urandom", "rb")
  local bytes = file and file:read(4)
  if file then file:close() end
  if not bytes or #bytes < 4 then return os.time() % LIMIT end
  local a, b, c, d = bytes:byte(1, 4)
  return ((a * 256 + b) * 256 + c) * 256 + d
end

--- The seed of the next array:random() without one. Later calls take the seeds that follow it.
-- @tparam[opt] number start a whole number from 0 to 2^32 - 1: becomes the next seed
-- @treturn number
function seeds.seed(start)
  if start ~= nil then
    upcoming = math.floor(argument.within(start, "start", 0, LIMIT - 1)) -- an integer in Lua 5.4
  end
  upcoming = upcoming or from_system()
  return upcoming
end

--- Takes the seed for a call, and sets another one for the next.
-- @treturn number
function seeds.take()
  local taken = seeds.seed()
  upcoming = (taken + 1) % LIMIT
  return taken
end

return seeds
