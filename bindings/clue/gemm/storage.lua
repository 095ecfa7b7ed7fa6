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

local results = {char = "int"}
local sums = {char = "int", half = "float"}

--- The type of C's elements.
-- @tparam string type_name of A and B
-- @treturn string
function storage.result(type_name) return results[type_name] or type_name end

--- The type that is computed with.
-- @tparam string type_name of A and B
-- @treturn string
function storage.sum(type_name) return sums[type_name] or type_name end

-- The names of a matrix's values in a call and its options; made once, since every call uses them.
local function names_of(name)
  return {ld = "ld" .. name, offset = name .. "_offset", rows = name .. "_rows", columns = name .. "_columns",
          upper = name:upper()}
end
local names = {a = names_of "a", b = names_of "b", c = names_of "c"}

--- Checks a matrix and adds it to a call: ld* (the distance of rows), *_offset (the first element), *_rows and
-- *_columns (as stored). Refuses memory that is too small.
-- @tparam table made the call, with the memory by the matrix's name
-- @tparam table where the options of the call
-- @tparam string name "a", "b" or "c"
-- @tparam number rows as stored
-- @tparam number columns as stored
-- @tparam number bytes of an element
function storage.matrix(made, where, name, rows, columns, bytes)
  local own = names[name]
  local ld, offset = where[own.ld] or math.max(columns, 1), where[own.offset] or 0
  argument.whole(ld, own.ld, math.max(columns, 1), LIMIT)
  argument.whole(offset, own.offset, 0)
  local room, upper = algorithm.room(made[name], own.upper), own.upper
  local needed = rows > 0 and columns > 0 and offset + (rows - 1) * ld + columns or 0
  if needed * bytes > room then
    argument.fail("%s has %s, but %.0f x %.0f from element %.0f on with rows of %.0f need %.0f", upper,
      text.count(math.floor(room / bytes), "element"), rows, columns, offset, ld, needed)
  end
  made[own.ld], made[own.offset], made[own.rows], made[own.columns] = ld, offset, rows, columns
end

--- What memory belongs to, and where it begins there.
-- @param memory a buffer or shared virtual memory
-- @return an object
-- @treturn number bytes
function storage.place(memory)
  local shared, offset = svms.place_of(memory)
  if shared then return shared, offset end
  if object.kind(memory) == "buffer" and rawget(memory, "parent") then return memory.parent, memory.offset end
  return memory, 0
end

-- The first byte of a matrix in what its memory belongs to, and the one behind its last.
local function span(made, name, start, bytes)
  local own = names[name]
  local first = start + made[own.offset] * bytes
  return first, first + ((made[own.rows] - 1) * made[own.ld] + made[own.columns]) * bytes
end

-- Whether a matrix and C are parts of one, with rows of the same distance, and share no column.
local function are_beside(made, name, first, other, bytes, c_bytes)
  local pitch = made.ldc * c_bytes
  if made[names[name].ld] * bytes ~= pitch then return false end
  local shift = (first - other) % pitch -- of A's or B's columns to the right of C's
  return shift >= made.c_columns * c_bytes and shift + made[names[name].columns] * bytes <= pitch
end

--- Refuses a matrix that shares elements with C, which the kernels write while they read it.
-- @tparam table made the call
-- @tparam string name "a" or "b"
-- @tparam number bytes of its elements
-- @tparam number c_bytes of C's
function storage.refuse_sharing(made, name, bytes, c_bytes)
  local base, start = storage.place(made[name])
  local c_base, c_start = storage.place(made.c)
  if base ~= c_base then return end
  local own = names[name]
  if made[own.rows] * made[own.columns] == 0 or made.c_rows * made.c_columns == 0 then return end
  local first, behind = span(made, name, start, bytes)
  local c_first, c_behind = span(made, "c", c_start, c_bytes)
  if behind <= c_first or c_behind <= first or are_beside(made, name, first, c_first, bytes, c_bytes) then
    return
  end
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
