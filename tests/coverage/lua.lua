-- What the tests reached of the places in Lua code that tell an error. ./dev coverage runs it inside clue:
--
--   lua.lua mark FOLDER        changes the modules in a build's folder so that each such place, when it is reached,
--                              writes its name to the file in CLUE_PLACES
--   lua.lua report FOLDER FILE prints how many of the places of each folder are in that file, and those that are not
--
-- A place is a call of a function whose name says that it fails: error, fail, refuse, raise, refuse_word and so on. The
-- lines keep their numbers.
local lfs = require "lfs"
local read_file = require("clue.file").read
local save = require("clue.file").save

local header = "local place_reached = require 'clue.place_reached' "

-- Each place is written once by each process, at once: it may be about to end.
local recorder = [[
local seen = {}
return function(place, fails)
  local path = os.getenv "CLUE_PLACES"
  if path and not seen[place] then
    seen[place] = true
    local file = io.open(path, "a")
    if file then
      file:write(place, "\n")
      file:close()
    end
  end
  return fails
end
]]

local words = {error = true, fail = true, refuse = true, raise = true}

-- These ask for an error that there was.
local questions = {["binding.error"] = true, ["host.error"] = true}

local function tells(name)
  local last = name:match "[%w_]+$" or ""
  return not questions[name] and (words[last] or words[last:match "^(%a+)_" or ""]) or false
end

-- Whether the text before a place ends inside a string or a comment.
local function is_quoted(before)
  local quote
  before = before:gsub("\\.", "")
  for mark, at in before:gmatch "([\"'%-])()" do
    if mark == "-" then
      if not quote and before:sub(at, at) == "-" then return true end
    elseif not quote then
      quote = mark
    elseif quote == mark then
      quote = nil
    end
  end
  return quote ~= nil
end

-- Calls change(name, place) for each place in a line; what it returns replaces the name.
local function each_place(line, path, number, change)
  return (line:gsub("()([%a_][%w_.]*)(%()", function(at, name, bracket)
    local before = line:sub(1, at - 1)
    if not tells(name) or before:find "[%w_.:]$" or before:find "function%s+$" or is_quoted(before) then return end
    return change(name, ("%s:%d"):format(path, number)) .. bracket
  end))
end

local function each_file(folder, visit, below)
  for name in lfs.dir(folder .. below) do
    local path = below .. "/" .. name
    if name:sub(1, 1) ~= "." then
      if lfs.attributes(folder .. path, "mode") == "directory" then
        each_file(folder, visit, path)
      elseif name:find "%.lua$" and name ~= "place_reached.lua" then
        visit(path:sub(2), folder .. path)
      end
    end
  end
end

local function each_line(text, change)
  local number = 0
  return (text:gsub("([^\n]*)(\n?)", function(line, ending)
    if line == "" and ending == "" then return "" end
    number = number + 1
    return (change(line, number) or line) .. ending
  end))
end

local function mark(folder)
  each_file(folder, function(path, file)
    local text = assert(read_file(file))
    if text:sub(1, #header) == header then return end
    local changed = each_line(text, function(line, number)
      return each_place(line, path, number, function(name, place)
        return ("place_reached(%q, %s)"):format(place, name)
      end)
    end)
    if changed ~= text then assert(save(file, header .. changed)) end
  end, "/clue")
  assert(save(folder .. "/clue/place_reached.lua", recorder))
end

-- The places of the marked modules, in order.
local function places_of(folder)
  local all, seen = {}, {}
  each_file(folder, function(_, file)
    for place in assert(read_file(file)):gmatch "place_reached%(\"([^\"]+)\"" do
      if not seen[place] then all[#all + 1] = place end
      seen[place] = true
    end
  end, "/clue")
  table.sort(all)
  return all
end

local function report(folder, file)
  local reached, totals, names, missed = {}, {}, {}, {}
  for place in (read_file(file) or ""):gmatch "[^\n]+" do reached[place] = true end
  for _, place in ipairs(places_of(folder)) do
    local name = place:match "^(.*)/"
    if not totals[name] then
      totals[name] = {places = 0, reached = 0}
      names[#names + 1] = name
    end
    totals[name].places = totals[name].places + 1
    if reached[place] then
      totals[name].reached = totals[name].reached + 1
    else
      missed[#missed + 1] = place
    end
  end
  table.sort(names)
  for _, name in ipairs(names) do
    print(("%-28s %4d of %4d"):format(name, totals[name].reached, totals[name].places))
  end
  print "not reached:"
  print(table.concat(missed, "\n"))
end

local task = arg[1]
if task == "mark" then mark(arg[2]) elseif task == "report" then report(arg[2], arg[3]) end
