--- Copies the range of a kernel's execution from Lua tables or arrays to where C reads it.
-- Used by the files of clue.ffi that execute kernels.
local ffi = require "ffi"
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local element = require "clue.ffi.element"

local offsets, globals, locals = ffi.new("int64_t[3]"), ffi.new("int64_t[3]"), ffi.new("int64_t[3]")

local function refuse(position, call, problem)
  argument.refuse(position, call, problem, 3)
end

-- Copies sizes out of a Lua table (from 1) or an array (from 0), or one size.
local function sizes(cells, source, dimensions, position, call)
  if type(source) == "number" and dimensions == 1 then
    local problem = argument.whole_problem(source, 64)
    if problem then refuse(position, call, problem) end
    cells[0] = source
    return cells
  end
  local code = element.code_of(source)
  local problem = not code and argument.type_problem(source, "table") or code and argument.array_problem(source)
  if problem then refuse(position, call, problem) end
  if #source < dimensions then
    refuse(position, call, ("%d sizes expected, got %d"):format(dimensions, #source))
  end
  for d = 0, dimensions - 1 do
    local size
    if code then size = C.clue_element_load(source._data + d, code) else size = source[d + 1] end
    problem = argument.whole_problem(size, 64)
    if problem then refuse(position, call, problem) end
    cells[d] = size
  end
  return cells
end

-- Raises at the caller of the binding's function, which must call this directly. position is that of the offset among
-- the arguments; the others follow it. The results are valid until the next call.
return function(dimensions, offset, global, local_, position, call)
  local held = math.min(dimensions, 3) -- C refuses more, so they are not read
  local from = offset ~= nil and sizes(offsets, offset, held, position, call) or nil
  local over = sizes(globals, global, held, position + 1, call)
  local by = local_ ~= nil and sizes(locals, local_, held, position + 2, call) or nil
  return from, over, by
end
