--- Sets the arguments of a kernel, all at once.
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"

local int, typed = argument.int, argument.typed
local set_number, set_object = C.clue_kernel_set_number, C.clue_kernel_set_object

local binding = {}

local DONE, NOT_TAKEN, REFUSED = 0, 1, 2

local function set(kernel, index, kinds, held, given)
  local code
  if type(given) == "number" then
    code = set_number(kernel, index, C.CLUE_AUTO, given)
  elseif kinds[getmetatable(given)] then
    local handle = rawget(given, "handle")
    if type(handle) ~= "number" then return NOT_TAKEN end
    code = set_object(kernel, index, handle, 0)
  else
    return NOT_TAKEN
  end
  if code ~= 0 then return REFUSED end
  held[index] = given
  return DONE
end

local function stop(how, index)
  if how == REFUSED then return nil, index end
  return index
end

-- Functions for a number of arguments, made when they are first needed. Each names its arguments, because LuaJIT does
-- not compile a loop over `...`. But no function has more than 200 local variables.
local setters, MOST_NAMED = {}, 100

local function set_many(kernel, first, kinds, held, ...)
  local given, count = {...}, select("#", ...)
  for i = 1, count do
    local index = first + i - 1
    local how = set(kernel, index, kinds, held, given[i])
    if how ~= DONE then return stop(how, index) end
  end
  return first + count
end

local function make_setter(count)
  if count > MOST_NAMED then return set_many end
  local names, lines = {}, {}
  for i = 1, count do
    names[i] = ", a" .. i
    lines[i] = ([[
  how = set(kernel, first + %d, kinds, held, a%d)
  if how ~= 0 then return stop(how, first + %d) end
]]):format(i - 1, i, i - 1)
  end
  local source = ("local set, stop = ...\nreturn function(kernel, first, kinds, held%s)\n  local how\n%s"
    .. "  return first + %d\nend"):format(table.concat(names), table.concat(lines), count)
  setters[count] = assert(loadstring(source))(set, stop)
  return setters[count]
end

--- Sets arguments that are numbers, or objects with a field `handle`, up to the first that is neither.
-- @tparam number kernel
-- @tparam number first the index of the first of them
-- @tparam table kinds by metatable: true for that of an object
-- @tparam table held where the arguments are kept, by index
-- @param ... the arguments
-- @treturn ?number the index after the last that was set; nil if one was refused
-- @treturn ?number the index of that one
function binding.kernel_set_arguments(kernel, first, kinds, held, ...)
  int(kernel, 1, "kernel_set_arguments")
  int(first, 2, "kernel_set_arguments")
  typed(kinds, "table", 3, "kernel_set_arguments")
  typed(held, "table", 4, "kernel_set_arguments")
  local count = select("#", ...)
  return (setters[count] or make_setter(count))(kernel, first, kinds, held, ...)
end

return binding
