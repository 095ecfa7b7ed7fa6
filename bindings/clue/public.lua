--- The names by which scripts call clue's functions. Messages begin with the function that the script called. It is
-- found on the stack when something is wrong, so calls cost nothing before.
--
-- A tail call removes its frame. So a public function ends in `return (other(...))`, or in passed() if there are
-- several results, when the function that it calls may refuse an argument.
-- @module clue.public
local where = require "clue.where"

local public = {}

-- Test runners load modules again, but LuaJIT's array types exist once per process, with the methods of the first
-- load. Those too must find who called them.
local registry, key = debug.getregistry(), "clue.public"
registry[key] = registry[key]
  or {names = setmetatable({}, {__mode = "k"}), functions = setmetatable({}, {__mode = "v"}), classes = {}}
local names, functions, classes = registry[key].names, registry[key].functions, registry[key].classes

-- A function with several names keeps the first one for messages.
local function take(prefix, holder)
  for name, member in pairs(holder) do
    if type(member) == "function" then
      local full = prefix .. name
      names[member], functions[full] = names[member] or full, member
    end
  end
end

--- Registers the public functions in a module's table, or in a class's, which is filled later.
-- @tparam string prefix "queue:"
-- @tparam table holder functions by name
function public.add(prefix, holder)
  if next(holder) == nil then classes[#classes + 1] = setmetatable({prefix, holder}, {__mode = "v"}) end
  take(prefix, holder)
end

local later = {} -- the functions that load what is loaded at first use

--- Puts functions into a table that are loaded from their modules when they are first called. Each returns one value.
-- @tparam table holder
-- @tparam table places by name in holder: the name of the module, and the function's name there
function public.later(holder, places)
  for name, place in pairs(places) do
    local function fetch()
      holder[name] = require(place[1])[place[2]]
      return holder[name]
    end
    later[#later + 1] = fetch
    holder[name] = function(...) return (fetch()(...)) end
  end
end

--- Loads the functions of @{later}, for those who look for where they are in the sources.
function public.fetch()
  for _, fetch in ipairs(later) do fetch() end
end

local function collect()
  for _, class in ipairs(classes) do take(class[1], class[2] or {}) end
end

-- The public function nearest to the script on the stack, or the one of a given name: its name, and its level as the
-- caller counts.
local function outermost(wanted)
  collect()
  local found, at
  for level = 2, math.huge do
    local frame = debug.getinfo(level, "Slf")
    if not frame or where.is_script(frame) then return found, at end
    local name = names[frame.func]
    if name and (name == wanted or not wanted) then found, at = name, level - 1 end
  end
end

--- The public functions that are loaded.
-- @treturn table their names, by function
function public.named()
  collect()
  return names
end

--- The public functions that are loaded, by every name that they have.
-- @treturn table functions by name
function public.functions()
  collect()
  return functions
end

--- The public function that the script called.
-- @treturn ?string "queue:write_buffer"; nil if it called none
function public.called()
  return (outermost())
end

--- Returns all results of a call, without a tail call.
-- @param ... the results
-- @return them
function public.passed(...)
  return ...
end

local written = setmetatable({}, {__mode = "k"}) -- by function of the binding: the one that it stands for

--- Lets a function of the binding stand for a public one, which is written in Lua and has the comment.
-- @tparam function call
-- @tparam function of the public one
-- @treturn function call
function public.stands_for(call, of)
  written[call] = of
  return call
end

--- The function that has the comment of a public one: itself, unless it stands for that.
-- @tparam function call
-- @treturn function
function public.written(call)
  return written[call] or call
end

--- The name of a parameter of a function that was called.
-- @tparam number position among the arguments, from 1
-- @tparam string name of the function, "CLBufferWrite"
-- @treturn string "buffer"; "argument #1" if it has no name
function public.parameter(position, name)
  local found, level = outermost(name)
  local parameter = found and debug.getlocal(level, found:find ":" and position + 1 or position)
  return parameter and parameter:find "^%a" and (parameter:gsub("_$", "")) or ("argument #%d"):format(position)
end

return public
