--- Every MQL5 name that clue has, as a table: `local mql5 = require "clue.mql5"; mql5.CLContextCreate(...)`. Scripts
-- that clue runs have them as globals; elsewhere `mql5.install(_G)` does that. Besides MQL5's functions and constants
-- there are `input` (a script's parameters), `array` (typed arrays) and vectors of OpenCL, float4(1, 2, 3, 4).
local argument = require "clue.argument"
local nearest = require "clue.nearest"
local public = require "clue.public"
local vector = require "clue.vector"
local where = require "clue.where"

local topics = {
  "constants", "errors", "opencl", "execute", "buffers", "info", "matrix", "copencl", "terminal", "inputs",
  "text", "strings", "convert", "casts", "math", "time", "arrays", "array_order", "file", "file_binary",
}

local names = {}

for _, topic in ipairs(topics) do
  for name, member in pairs(require("clue.mql5." .. topic).names) do names[name] = member end
end

names.array = require "clue.array"

-- What MQL5 has as variables.
local variables = {_LastError = names.GetLastError, _StopFlag = names.IsStopped}

local function read_variable(_, key)
  local read = variables[key]
  if read then return read() end
  return nil
end

-- Between the script and here may be another __index, so the script's line is looked for.
local function fail_name(name, remedy)
  error(("%s: there is no %s: %s"):format(where.label(), name, remedy), 0)
end

-- A misspelt CL name, or a variable that clue cannot have, must not become nil, which several calls take for an omitted
-- argument. Types of vectors are found as they are used: float4(1, 2, 3, 4).
setmetatable(names, {__index = function(_, key)
  if variables[key] then return read_variable(nil, key) end
  if vector.types[key] then return vector.types[key] end
  local remedy, page, is_read = require("clue.mql5.missing").instead(key)
  if is_read then fail_name(key, ("%s (clue help %s)"):format(remedy, page)) end
  if type(key) ~= "string" or not key:find "^CL[%u_]" or key:find "^CLR_" then return nil end -- CLR_NONE is a colour
  local near = nearest(key, names)
  fail_name(key, near and "is " .. near .. " meant?" or "MQL5 has no such name (clue help mql5/functions.md)")
end})

public.add("", names)
public.add("input.", names.input)

local mql5 = {}
for name, member in pairs(names) do mql5[name] = member end
setmetatable(mql5, {__index = read_variable})

-- What an __index, which is a table or a function, returns for a key.
local function look_up(index, globals, key)
  if type(index) == "function" then return index(globals, key) end
  return index[key]
end

--- Lets a table of globals find MQL5's names if it does not define them itself.
-- @tparam[opt=_G] table globals keeps its metatable, which is asked first
function mql5.install(globals)
  globals = globals or _G
  local meta = getmetatable(globals)
  if type(globals) ~= "table" or meta ~= nil and type(meta) ~= "table" then
    argument.refuse("globals", "a table whose metatable can be changed", globals)
  end
  if not meta then
    meta = {}
    setmetatable(globals, meta)
  end
  local earlier = meta.__index
  if earlier == nil then
    meta.__index = names
    return
  end
  meta.__index = function(self, key)
    local found = look_up(earlier, self, key)
    if found == nil then return names[key] end -- raises for a misspelt CL name
    return found
  end
end

public.add("mql5.", mql5)

return mql5
