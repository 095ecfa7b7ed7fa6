--- Structs as text: body{position = float4(0, 0, 0, 1), mass = 2, kind = {0, 0, 0}}.
-- @module clue.struct.describe
local access = require "clue.struct.access"

local MOST = 16 -- elements of an array that are shown

local describe

local function list(of, bytes, at, count)
  local parts = {}
  for i = 1, math.min(count, MOST) do parts[i] = describe(of, bytes, at + (i - 1) * of.size) end
  if count > MOST then parts[#parts + 1] = "..." end
  return "{" .. table.concat(parts, ", ") .. "}"
end

--- What a type has in memory, as text.
-- @tparam table type
-- @tparam array bytes
-- @tparam number at
-- @treturn string
function describe(type, bytes, at)
  if type.kind == "scalar" then return access.decimal(type, bytes, at) end
  if type.kind == "vector" then return tostring(access.reader(type)(bytes, at)) end
  if type.kind == "array" then return list(type.of, bytes, at, type.count) end
  local parts = {}
  for i, member in ipairs(type.members) do
    parts[i] = ("%s = %s"):format(member.name, describe(member.type, bytes, at + member.offset))
  end
  return type.name .. "{" .. table.concat(parts, ", ") .. "}"
end

return describe
