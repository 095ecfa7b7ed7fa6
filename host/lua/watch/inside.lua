--- In the process that `clue watch` runs: tells the watcher which files the script reads, as it reads them, through
-- the descriptor that CLUE_WATCH_FD names. A line each: "r" or "w", a space, the path.
--
-- `clue watch` loads it before the script (-l). It stands before the functions that open files, and before those of the
-- binding that build programs, for the headers that a compiler reads.
-- @module clue.watch.inside
local includes = require "clue.watch.includes"

local descriptor = assert(tonumber(os.getenv "CLUE_WATCH_FD"), "clue.watch.inside is for clue watch")
local report = assert(io.open("/dev/fd/" .. descriptor, "w"))
report:setvbuf "line"
io.stdout:setvbuf "line" -- it is a pipe, and somebody watches

local open, original_require = io.open, require
local own_folder = debug.getinfo(1, "S").source:match "^@(.*)/watch/inside%.lua$"
local told = {}

local function tell(what, path)
  if type(path) ~= "string" or path:find "\n" or path:find "^/dev/" or path:find "^/proc/" then return end
  if own_folder and path:sub(1, #own_folder + 1) == own_folder .. "/" then return end
  path = path:gsub("^%./+", "")
  if told[what .. path] then return end
  told[what .. path] = true
  report:write(what, " ", path, "\n")
end

local function reads(path)
  tell("r", path)
end

-- Puts a function before one of a table: it sees the arguments first.
local function before(owner, name, see)
  local original = owner[name]
  owner[name] = function(...)
    see(...)
    return original(...)
  end
end

-- ---- files ----

before(io, "open", function(path, mode)
  tell(type(mode) == "string" and mode:find "[wa+]" and "w" or "r", path)
end)
before(io, "lines", reads)
before(io, "input", reads)
before(io, "output", function(path) tell("w", path) end)
before(os, "rename", function(_, path) tell("w", path) end)
before(_G, "dofile", reads)
before(_G, "loadfile", reads)

-- ---- modules ----

-- A searcher that finds nothing: Lua's own, which comes behind it, opens the file in C. A module that is missing is
-- looked for where scripts have theirs.
local function search(name)
  local as_path = name:gsub("%.", "/")
  for template in package.path:gmatch "[^;]+" do
    local path = template:gsub("%?", (as_path:gsub("%%", "%%%%")))
    local file = open(path, "r")
    if file then
      file:close()
      reads(path)
      return nil
    end
    if not path:find "^/" then reads(path) end
  end
  return nil
end

table.insert(rawget(package, "searchers") or rawget(package, "loaders"), 2, search)

-- ---- programs ----

local build_options = os.getenv "CLUE_BUILD_OPTIONS" or ""

-- The texts among the arguments: any of them may be a source, any the options.
local function see_program(...)
  local texts = {}
  for i = 1, select("#", ...) do
    local text = select(i, ...)
    if type(text) == "string" then texts[#texts + 1] = text end
  end
  local options = table.concat(texts, " ", math.min(2, #texts + 1)) .. " " .. build_options
  for _, text in ipairs(texts) do
    if text:find("#", 1, true) and text:find "include" then includes.each(text, options, reads, open) end
  end
end

local function watch_binding(binding)
  for name, member in pairs(binding) do
    if type(member) == "function" and name:find "^program_" then before(binding, name, see_program) end
  end
end

-- The first who asks for the binding gets it so; the others find it among the loaded modules.
function require(name) -- luacheck: ignore 121
  local known = package.loaded["clue.binding"]
  local function pass(...)
    local binding = package.loaded["clue.binding"]
    if known == nil and type(binding) == "table" then
      known = binding
      rawset(_G, "require", original_require)
      watch_binding(binding)
    end
    return ...
  end
  return pass(original_require(name))
end

return true
