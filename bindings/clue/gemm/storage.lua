--- Where the matrices of @{clue.gemm} are in memory: their rows' distances and first elements are checked, and that C
-- shares no element with A and B.
-- @module clue.gemm.storage
local algorithm = require "clue.compute.algorithm"
local argument = require "clue.argument"
local define = require "clue.define"
local object = require "clue.object"
local svms = require "clue.svm"
local text = require "clue.text"

local storage = {}

local LIMIT = 2 ^ 31

--- Checks a matrix and adds it to a call: ld* (the distance of rows), *_offset (the first element), *_rows and
-- *_columns (as stored). Refuses memory that is too small.
-- @tparam table made the call, with the memory by the matrix's name
-- @tparam table where the options of the call
-- @tparam string name "a", "b" or "c"
-- @tparam number rows as stored
-- @tparam number columns as stored
-- @tparam number bytes of an element
function storage.matrix(made, where, name, rows, columns, bytes)
  local ld, offset = where["ld" .. name] or math.max(columns, 1), where[name .. "_offset"] or 0
  argument.whole(ld, "ld" .. name, math.max(columns, 1), LIMIT)
  argument.whole(offset, name .. "_offset", 0)
  local room, upper = algorithm.room(made[name], name:upper()), name:upper()
  local needed = rows > 0 and columns > 0 and offset + (rows - 1) * ld + columns or 0
  if needed * bytes > room then
    argument.fail("%s has %s, but %.0f x %.0f from element %.0f on with rows of %.0f need %.0f", upper,
      text.count(math.floor(room / bytes), "element"), rows, columns, offset, ld, needed)
  end
  made["ld" .. name], made[name .. "_offset"] = ld, offset
  made[name .. "_rows"], made[name .. "_columns"] = rows, columns
end

-- What memory belongs to, and where it begins there, in bytes.
local function place(memory)
  local shared, offset = svms.place_of(memory)
  if shared then return shared, offset end
  if object.kind(memory) == "buffer" and rawget(memory, "parent") then return memory.parent, memory.offset end
  return memory, 0
end

-- The first element of a matrix in what its memory belongs to, and the one behind its last.
local function span(made, name, start, bytes)
  local first = start / bytes + made[name .. "_offset"]
  return first, first + (made[name .. "_rows"] - 1) * made["ld" .. name] + made[name .. "_columns"]
end

-- Whether a matrix and C are parts of one, with rows of the same distance, and share no column.
local function are_beside(made, name, first, other)
  local ld = made.ldc
  if made["ld" .. name] ~= ld then return false end
  local shift = (first - other) % ld -- of A's or B's columns to the right of C's
  return shift >= made.c_columns and shift + made[name .. "_columns"] <= ld
end

--- Refuses a matrix that shares elements with C, which the kernels write while they read it.
-- @tparam table made the call
-- @tparam string name "a" or "b"
-- @tparam number bytes of an element
function storage.refuse_sharing(made, name, bytes)
  if made[name .. "_rows"] * made[name .. "_columns"] == 0 or made.c_rows * made.c_columns == 0 then return end
  local base, start = place(made[name])
  local c_base, c_start = place(made.c)
  if base ~= c_base then return end
  local first, behind = span(made, name, start, bytes)
  local c_first, c_behind = span(made, "c", c_start, bytes)
  if behind <= c_first or c_behind <= first or are_beside(made, name, first, c_first) then return end
  argument.fail("C shares elements with %s, which is read while C is written: give C memory of its own", name:upper())
end

--- A text for a table of parameters.
-- @tparam ?table parameters numbers by name
-- @treturn string
function storage.key(parameters)
  local words = {}
  for _, name in ipairs(define.names(parameters or {}, "parameters")) do
    words[#words + 1] = name .. "=" .. define.text(name, parameters[name])
  end
  return table.concat(words, " ")
end

return storage
