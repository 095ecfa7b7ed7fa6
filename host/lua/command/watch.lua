--- `clue watch SCRIPT`: runs a script, and runs it again whenever a file that it read is saved.
local binding = require "clue.binding"
local child = require "clue.shared.child"
local clue_options = require "clue.options"
local counted = require("clue.text").count
local lfs = require "lfs"
local open = require("clue.file").open
local output = require "clue.output"
local read_file = require("clue.file").read
local subcommand = require "clue.shared.subcommand"

local command = subcommand.new {
  name = "watch",
  group = "script",
  page = "reference/interactive.md",
  summary = "run a script again whenever it or its kernels are saved",
  about = "Runs a script, and runs it again whenever the script, a Lua module that it loaded, or a file that it read "
    .. "is saved: kernels, and the headers that they include. A run that is still going is stopped. Ctrl-C ends it "
    .. "(exit status 130).",
}

local TICK = 0.1 -- seconds between two checks

-- ---- the command line ----

function command.options(parser)
  subcommand.completes(parser:argument("script", "the script, or a subcommand of clue; it gets all words after it")
    :args "?", "command .lua")
  parser:argument("arguments", "the script's own"):args "*"
  parser:flag("--clear", "clear the screen before each run")
end

-- Options come before the script; the script gets all words after its name.
function command.words(args)
  local own, script = {}, {}
  for i, word in ipairs(args) do
    local is_option = #script == 0 and (word:find "^%-" or args[i - 1] == "--color")
    local list = is_option and own or script
    list[#list + 1] = word
  end
  return own, script
end

-- A subcommand wins over a file of its name, as without `clue watch`.
local function is_command(word)
  return word:find "^[a-z_]+$" ~= nil and (pcall(require, "clue.command." .. word))
end

local function is_file(word)
  local file = open(word)
  if file then file:close() end
  return file ~= nil
end

-- ---- messages ----

local function say(text)
  local line = ("-- %s %s --"):format(os.date "%H:%M:%S", text)
  local quiet = output.err:colour()
  io.stdout:flush()
  output.err:write_painted(line, function(shown) return (quiet and "\27[2m" .. shown .. "\27[0m" or shown) .. "\n" end)
end

local function ending(process)
  if process.state == "signalled" then return "killed by " .. child.signal_name(process.value) end
  return "exit status " .. process.value
end

-- ---- which files were saved ----

-- Files are checked repeatedly. Editors write a file in place, or write another and rename it. So a file that is
-- missing for a moment has not changed, and a change counts once two checks find the same state. The times of many file
-- systems are whole seconds, so recently changed files are also compared by their contents.

local FRESH = 3            -- seconds within which two changes may have the same time
local LARGEST = 4 * 2 ^ 20 -- bytes; a larger file is compared only by size and time

local Watched = {}
Watched.__index = Watched

-- Identifies the state of a file; "" if there is none.
local function state_of(path)
  local about = lfs.attributes(path)
  if not about or about.mode ~= "file" then return "" end
  local state = ("%.0f %.0f %.0f %.0f"):format(about.ino, about.size, about.modification, about.change)
  local fresh = os.time() - about.change < FRESH and about.size <= LARGEST
  return state, fresh and (read_file(path) or "") or nil
end

-- Contents decide rather than times, if both are known.
local function is_same(entry, state, text)
  if state ~= entry.state then return false end
  return text == nil or entry.text == nil or text == entry.text
end

local function note(entry, state, text)
  entry.state, entry.text = state, text or (state == entry.state and entry.text) or nil
end

--- Watches a file, whether it exists or not.
-- @tparam string path
function Watched:add(path)
  if self.entries[path] then return end
  local state, text = state_of(path)
  self.entries[path] = {state = state, text = text}
end

--- Stops watching a file.
-- @tparam string path
function Watched:remove(path)
  self.entries[path] = nil
end

--- Watches only the files of a set.
-- @tparam table paths true by path
function Watched:keep(paths)
  for path in pairs(self.entries) do
    if not paths[path] then self.entries[path] = nil end
  end
end

--- @treturn int how many of the files exist
function Watched:count()
  local count = 0
  for _, entry in pairs(self.entries) do
    if entry.state ~= "" then count = count + 1 end
  end
  return count
end

--- Takes the current state of all files: earlier changes do not count.
function Watched:look()
  for path, entry in pairs(self.entries) do
    note(entry, state_of(path))
    entry.pending = nil
  end
end

-- Whether a file has changed, and is the same as at the last check.
local function has_changed(entry, path)
  local state, text = state_of(path)
  if state == "" then return false end
  if is_same(entry, state, text) then
    entry.pending = nil
    if text then entry.text = text end
    return false
  end
  local settled = entry.pending and is_same(entry.pending, state, text)
  entry.pending = {state = state, text = text}
  return settled
end

--- Checks all files. Call it several times a second: a change is reported by the second check that finds it.
-- @treturn ?string the first of the saved files, by name; nil if none was saved
function Watched:changed()
  local first
  for path, entry in pairs(self.entries) do
    if has_changed(entry, path) and (not first or path < first) then first = path end
  end
  return first
end

-- ---- a run ----

local Run = {}
Run.__index = Run

local function start(script, watched)
  watched:look()
  local self = setmetatable({begun = binding.now(), watched = watched, written = {}, read = {[script[1]] = true}}, Run)
  self.process = child.start {
    arguments = child.clue(clue_options, {"-l", "clue.watch.watch_prelude", "--"}, script),
    environment = {"CLUE_WATCH=1"},
    output = function(text)
      io.stdout:write(text)
      io.stdout:flush()
    end,
    errors = function(text) io.stderr:write(text) end,
    results = function(value) self:take(value) end,
  }
  return self
end

--- Takes what the script did with a file. A file that it writes is not watched: it would restart itself.
-- @tparam table value read or written: the path
function Run:take(value)
  local written, read = value.written, value.read
  if written then
    self.written[written] = true
    self.read[written] = nil
    self.watched:remove(written)
  elseif read and not self.written[read] then
    self.read[read] = true
    self.watched:add(read)
  end
end

--- Reports how the run ended. Files that a failed run did not reach are still watched.
function Run:finish()
  if self.process:is_well() then self.watched:keep(self.read) end
  say(("%s after %.2f s, watching %s"):format(ending(self.process), binding.now() - self.begun,
    counted(self.watched:count(), "file")))
end

--- Ends the run now, with all processes that it started.
function Run:stop()
  self.process:kill()
  self.process:follow()
end

-- ---- the watch ----

local function watch(script, clear)
  local watched = setmetatable({entries = {}}, Watched)
  if not is_command(script[1]) then watched:add(script[1]) end
  local run = start(script, watched)
  while true do
    if not run then
      binding.sleep(TICK)
    elseif not run.process:step(TICK) then
      run:finish()
      run = nil
    end
    local saved = watched:changed()
    if saved then
      if run then run:stop() end
      if clear then io.stdout:write "\27[H\27[2J" end
      say(saved .. (run and " was saved, run stopped" or " was saved"))
      run = start(script, watched)
    end
  end
end

function command.work(options, script)
  if #script == 0 then return command.wrong_use "give a script: clue watch SCRIPT" end
  if not (is_command(script[1]) or is_file(script[1])) then
    local is_folder = lfs.attributes(script[1], "mode") == "directory"
    return command.refuse(("cannot open '%s': %s"):format(script[1],
      is_folder and "it is a folder, not a script" or "no such file"), 2)
  end
  local _, why = pcall(watch, script, options.clear)
  if clue_options.interrupted(why) then return 130 end
  return command.failed(why)
end

return command
