--- What scripts can call, found at run time: the public functions of all of clue's modules by every name that they
-- have, and where each is in the sources. Loads every module but those that change how clue works.
local lfs = require "lfs"
local public = require "clue.public"

local names = {}

local own = debug.getinfo(require("clue.where").line, "S").source:match "^@(.*)/where%.lua$"

local function each_file(path, call)
  for name in lfs.dir(path) do
    local full = path .. "/" .. name
    if name:sub(1, 1) ~= "." then
      if lfs.attributes(full, "mode") == "directory" then
        each_file(full, call)
      elseif name:find "%.lua$" then
        call(full)
      end
    end
  end
end

-- clue.walk replaces functions of the binding while a step runs; clue.raw's own functions are not checked; subcommands
-- are programs.
local function is_other(name)
  return name:find "^ffi" or name:find "^raw" or name:find "^walk" or name:find "^command" or name == "init"
end

--- Loads clue's modules, each by its own name.
-- @treturn {string,...} the files, sorted
function names.load_all()
  local files = {}
  require "clue"
  each_file(own, function(path)
    files[#files + 1] = path
    local name = path:sub(#own + 2):gsub("%.lua$", ""):gsub("/init$", ""):gsub("/", ".")
    if not is_other(name) then pcall(require, "clue." .. name) end
  end)
  public.fetch()
  table.sort(files)
  return files
end

-- A method of COpenCL checks its object, and calls another function of this name.
local function inner(call)
  for i = 1, 4 do
    local name, value = debug.getupvalue(call, i)
    if name == "method" and type(value) == "function" then return value end
  end
  return call
end

--- Where a function is in the tree's sources.
-- @tparam function call
-- @treturn ?string its file, "bindings/clue/queue.lua"; nil if it is not in a file of clue's
-- @treturn ?number the line on which it begins
function names.place(call)
  local info = debug.getinfo(inner(public.written(call)), "S")
  local path = info.source:sub(1, #own + 2) == "@" .. own .. "/" and info.source:sub(#own + 3)
  if not path or path:find "generated%.lua$" then return nil end
  return (path:find "^walk/" and "host/lua/" or "bindings/clue/") .. path, info.linedefined
end

-- Without a prefix, clue.public has MQL5's names and those of types; the former are what scripts see as globals.
local function is_global(name)
  return rawget(require "clue.mql5", name) ~= nil
end

--- The public functions by name: "queue:finish", "cl.context", "CLExecute", "input.int", "kernel call".
-- @treturn table functions by name
function names.functions()
  names.load_all()
  local found = {}
  for name, call in pairs(public.functions()) do
    local plain = not name:find "[^%w_]"
    if not name:find "^mql5%." and (not plain or is_global(name)) then found[name] = call end
  end
  found["mql5.install"] = require("clue.mql5").install
  return found
end

return names
