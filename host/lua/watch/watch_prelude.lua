--- Runs in the process that `clue watch` starts: reports to the watcher which files the script reads, as it reads
-- them: {read = path} or {written = path}.
--
-- `clue watch` loads it before the script (-l). It wraps the functions that open files, and the one that finds the
-- headers of every program.
local transmit = require("clue.shared.parent").send

assert(os.getenv "CLUE_WATCH", "clue.watch.watch_prelude is for clue watch")

io.stdout:setvbuf "line" -- a pipe would be buffered fully, but somebody watches

local open = io.open
local own_folder = debug.getinfo(1, "S").source:match "^@(.*)/watch/watch_prelude%.lua$"
local sent = {}

-- Whether a file is clue's own.
local function is_own(path)
  return own_folder and path:sub(1, #own_folder + 1) == own_folder .. "/"
end

local function send(what, path)
  if type(path) ~= "string" or path:find "^/dev/" or path:find "^/proc/" then return end
  if is_own(path) then return end
  path = path:gsub("^%./+", "")
  if sent[what .. path] then return end
  sent[what .. path] = true
  transmit {[what] = path}
end

local function reads(path)
  send("read", path)
end

-- Wraps a function of a table: see gets the arguments first.
local function before(owner, name, see)
  local original = owner[name]
  owner[name] = function(...)
    see(...)
    return original(...)
  end
end

-- ---- files ----

before(io, "open", function(path, mode)
  send(type(mode) == "string" and mode:find "[wa+]" and "written" or "read", path)
end)
before(io, "lines", reads)
before(io, "input", reads)
before(io, "output", function(path) send("written", path) end)
before(os, "rename", function(_, path) send("written", path) end)
before(_G, "dofile", reads)
before(_G, "loadfile", reads)

local include = require "clue.include"
local find_files = include.files

include.files = function(...)
  local paths, any = find_files(...)
  for _, path in ipairs(paths) do reads(path) end
  return paths, any
end

-- ---- modules ----

-- Whether clue itself requires the module that is searched for: the nearest Lua function that called require is its.
local function is_for_clue()
  local level = 3
  local info
  repeat
    info = debug.getinfo(level, "S")
    level = level + 1
  until not info or info.what ~= "C"
  return info ~= nil and is_own((info.source:gsub("^@", "")))
end

-- A searcher that finds nothing: Lua's own, which comes after it, opens the file in C. For a missing module, the
-- places of scripts' modules are watched. What clue loads for itself, such as argparse, is not the script's.
local function search(name)
  if is_for_clue() then return nil end
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

return true
