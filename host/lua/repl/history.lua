--- Keeps what was typed at the prompt across sessions: one line each in $XDG_STATE_HOME/clue/history (default
-- ~/.local/state/clue/history), which only its owner may read.
local editor = require "clue.editor"
local lfs = require "lfs"
local open = require("clue.file").open
local save = require("clue.file").save

local history = {}

local MOST = 1000 -- lines to keep

local path, last

local function set(text)
  return text ~= nil and text ~= "" and text or nil
end

local function lines_of(file)
  local lines = {}
  for line in file:lines() do lines[#lines + 1] = line end
  file:close()
  return lines
end

-- If the file has twice as many lines as are kept, rewrites it with the last ones, in one step.
local function shorten(lines)
  if #lines <= 2 * MOST then return lines end
  local kept = {}
  for i = #lines - MOST + 1, #lines do kept[#kept + 1] = lines[i] end
  save(path, table.concat(kept, "\n") .. "\n")
  return kept
end

-- Nil if neither XDG_STATE_HOME nor HOME is set.
local function path_of_history()
  local state = set(os.getenv "XDG_STATE_HOME")
  local home = set(os.getenv "HOME")
  if not state and home then state = home .. "/.local/state" end
  return state and state .. "/clue/history"
end

--- Reads the history of earlier sessions.
-- @treturn ?string why nothing can be kept, nil if it can
function history.load()
  path = path_of_history()
  if not path then return "neither XDG_STATE_HOME nor HOME is set" end
  local made, why = require("clue.shared.paths").make_folder(path:match "^(.+)/")
  if not made then
    path = nil
    return why
  end
  local file, problem = open(path)
  if not file and lfs.attributes(path) then
    path = nil
    return problem
  end
  for _, line in ipairs(file and shorten(lines_of(file)) or {}) do
    editor.remember(line)
    last = line
  end
  return nil
end

-- Joins a statement of several lines into one, unless that would change its meaning.
local function joined(statement)
  if not statement:find "\n" then return {statement} end
  local fragile = statement:find("--", 1, true) or statement:find "%[=*%[" or statement:find "\\\n"
  if not fragile then return {(statement:gsub("%s*\n%s*", " "))} end
  local lines = {}
  for line in statement:gmatch "[^\n]+" do lines[#lines + 1] = line end
  return lines
end

local function keep(line)
  if line == last or not line:find "%S" then return end
  editor.remember(line)
  last = line
  if path then editor.append(path, line .. "\n") end
end

--- Keeps a statement, unless it begins with a space or equals the last one.
-- @tparam string statement
function history.add(statement)
  if statement:find "^%s" then return end
  for _, line in ipairs(joined(statement)) do keep(line) end
end

return history
