--- Sets the arguments of a kernel, all at once, and launches it.
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local element_size = require("clue.ffi.element").size_of
local queue_execute = require("clue.ffi.generated").functions.queue_execute

local getmetatable, rawget, select, type = getmetatable, rawget, select, type
local is_size = argument.is_size
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

-- ---- what pointers point at ----

-- Whether what the host wrote last to a buffer has elements of a size, or of one byte. True if it is not known.
local function is_of(given, size)
  if type(given) ~= "table" then return true end
  local code = rawget(given, "elements")
  if code == nil then
    local parent = rawget(given, "parent")
    code = parent and rawget(parent, "elements")
  end
  local written = code and element_size(code)
  return not written or written == 1 or written == size
end

-- Of the second pointer on. A loop would keep LuaJIT from compiling the script's loop as one, so the next ones are
-- compared outside of it.
local function rest_fits(pointers, held)
  if not is_of(held[pointers[3]], pointers[4]) then return false end
  if pointers[5] and not is_of(held[pointers[5]], pointers[6]) then return false end
  if pointers[7] and not is_of(held[pointers[7]], pointers[8]) then return false end
  for i = 9, #pointers, 2 do
    if not is_of(held[pointers[i]], pointers[i + 1]) then return false end
  end
  return true
end

local function fits(pointers, held)
  if not pointers[1] then return true end
  if not is_of(held[pointers[1]], pointers[2]) then return false end
  return not pointers[3] or rest_fits(pointers, held)
end

--- Whether a kernel's pointers point at elements of the size that the host wrote, as far as it is known.
-- @tparam table usual count of arguments; held, by index; pointers: the index of an argument and the bytes of its
--   elements, in turn
-- @treturn boolean
function binding.kernel_fits(usual)
  typed(usual, "table", 1, "kernel_fits")
  local held, pointers = usual[2], usual[3]
  return type(held) ~= "table" or type(pointers) ~= "table" or fits(pointers, held)
end

-- ---- launches ----

-- How many sizes there are, in a plain table or as a number; 0 if they are not as usual.
local function count_sizes(given)
  if type(given) ~= "table" then return is_size(given) and 1 or 0 end
  local count = #given
  if getmetatable(given) or count > 3 or not is_size(given[1]) then return 0 end
  return (count < 2 or is_size(given[2])) and (count < 3 or is_size(given[3])) and count or 0
end

--- Makes the function that launches the objects of kernels.
-- @tparam table objects what object_setup returned
-- @tparam table classes the metatables of queue and event; taken: the classes of arguments, by metatable
-- @tparam function rest rest(stopped, reached, refused, ...) goes on. stopped is nil if something is not as usual:
--   nothing was done. It is "argument" after kernel_set_arguments returned reached and refused, or if the pointers do
--   not fit after all arguments were set, and "command" if the core refused the launch.
-- @treturn function launch(self, queue, global, local_size, ...): sets all arguments, if any are given, enqueues the
--   kernel, and returns the event. A kernel is as usual that has a field usual, as for kernel_fits.
function binding.launch_setup(objects, classes, rest)
  local call = "launch_setup"
  argument.owners(objects, 1, call)
  local queue_class = argument.class(classes, "queue", 2, call)
  local event_class = argument.class(classes, "event", 2, call)
  local taken = argument.class(classes, "taken", 2, call)
  typed(rest, "function", 3, call)
  local own = objects.own

  return function(self, queue, global, local_size, ...)
    local is_table, count = type(self) == "table", select("#", ...)
    local usual, handle = is_table and rawget(self, "usual"), is_table and rawget(self, "handle")
    local on = type(queue) == "table" and getmetatable(queue) == queue_class and not rawget(queue, "waits")
      and rawget(queue, "handle")
    local dimensions = count_sizes(global)
    if not (usual and handle and on) or dimensions == 0 or count > 0 and count ~= usual[1]
      or local_size ~= nil and count_sizes(local_size) ~= dimensions then
      return (rest(nil, 0, nil, self, queue, global, local_size, ...))
    end
    local held = usual[2]
    if count > 0 then
      local reached, refused = (setters[count] or make_setter(count))(handle, 0, taken, held, ...)
      if reached ~= count then return (rest("argument", reached, refused, self, queue, global, local_size, ...)) end
    end
    if not fits(usual[3], held) then return (rest("argument", count, nil, self, queue, global, local_size, ...)) end
    local event = queue_execute(on, handle, dimensions, nil, global, local_size)
    if not event then return (rest("command", 0, nil, self, queue, global, local_size, ...)) end
    return own({handle = event}, event, event_class)
  end
end

return binding
