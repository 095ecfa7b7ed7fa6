--- Where C writes its results, and what the binding makes of them: plain Lua values, nil for a failure.
-- Used by what is written by hand in clue.ffi. A result is copied out before the next call: one place of each type
-- serves all.
local ffi = require "ffi"

local result = {
  int_out = ffi.new("int32_t[1]"),
  long_out = ffi.new("int64_t[1]"),
  text_out = ffi.new("const char *[1]"),
}

local int_out, long_out, text_out = result.int_out, result.long_out, result.text_out

--- @tparam number code of C
-- @treturn ?number what int_out holds; nil on failure
function result.int(code)
  if code == 0 then return int_out[0] end
  return nil
end

--- @tparam number code of C
-- @treturn ?string what text_out holds; nil on failure
function result.text(code)
  if code == 0 then return ffi.string(text_out[0]) end
  return nil
end

--- The bytes that a query gives: asked for their size first.
-- @tparam function query query(size_out, id, property, value, capacity)
-- @tparam number id
-- @tparam number property
-- @treturn ?string
function result.bytes(query, id, property)
  if query(long_out, id, property, nil, 0) ~= 0 then return nil end
  local size = tonumber(long_out[0])
  if size == 0 then return "" end
  local bytes = ffi.new("char[?]", size)
  if query(long_out, id, property, bytes, size) ~= 0 then return nil end
  return ffi.string(bytes, math.min(size, tonumber(long_out[0])))
end

return result
