--- Runs a script on Oclgrind, a simulator, with clue's plugin in it, and collects what both send: `clue count` and
-- `clue check`.
local binding = require "clue.binding"
local build_log = require "clue.build_log"
local child = require "clue.shared.child"
local exchange = require "clue.walk.exchange"
local joined = require("clue.shared.list").joined
local known = require "clue.doctor.known"
local lfs = require "lfs"
local log_lines = require "clue.shared.log_lines"
local output = require "clue.output"
local paths = require "clue.paths"
local read_file = require("clue.file").read

local process = {}

-- ---- lines by the numbers that #line gives them ----

-- The file and the number that a line gives the next one; nil if it is no such line. # 12 "file" is a preprocessor's.
local function directive(line)
  local number, rest = line:match "^%s*#%s*line%s+(%d+)(.*)$"
  if not number then number, rest = line:match '^%s*#%s*(%d+)(%s+".*)$' end
  return tonumber(number), rest and rest:match '"([^"]*)"'
end

-- The lines of a source. Returns text, number and file of each; file: nil where the source has none but its own name.
local function numbered_lines(source)
  local list, number, file = {}, 0, nil
  for text in (source .. "\n"):gmatch "(.-)\n" do
    number = number + 1
    list[#list + 1] = {text = text, number = number, file = file}
    local given, name = directive(text)
    if given then number, file = given - 1, name or file end
  end
  return list
end

-- Which line of a source a compiler means, from 1. Of several with one number, such as those above and below a
-- #line 1, the last one.
local function find_line(lines, file, number)
  for i = #lines, 1, -1 do
    local line = lines[i]
    if line.number == number and line.file == file then return i end
  end
end

-- Whether a #line names a file.
local function names_file(lines, file)
  for _, line in ipairs(lines) do
    if line.file == file then return true end
  end
  return false
end

local function first_of(folders, name)
  for _, folder in ipairs(folders) do
    local path = folder .. "/" .. name
    if lfs.attributes(path, "mode") == "file" then return path end
  end
end

-- The paths of Oclgrind's OpenCL library and of the plugin; or nil, and what is missing and how to get it.
local function find_plugin()
  local oclgrind = known.driver "liboclgrind-rt-icd.so"
  local driver = first_of(oclgrind.places, oclgrind.file)
  if not driver then
    return nil, "it needs Oclgrind, on which kernels run (Debian: apt install oclgrind)"
  end
  local its = first_of({paths.plugins}, "libclue_simulator.so")
  if its then return driver, its end
  return nil, "this clue was built without its plugin for Oclgrind; the build makes it where a C++ compiler, "
    .. "Oclgrind's headers and LLVM's are installed (Debian: apt install g++ liboclgrind-dev llvm-14-dev)"
end

-- Limits as GPUs have them. A kernel that needs more would not run on most.
local LOCAL_MEMORY, GLOBAL_MEMORY = 49152, 2 ^ 30

--- The most work-items of a group.
process.most_items = 1024

local function environment(driver, path, what)
  return joined({
    "OCL_ICD_VENDORS=" .. driver, "OCLGRIND_PLUGINS=" .. path, exchange.settings({results = true})[1],
    "CLUE_NO_CACHE=1", "CLUE_CACHE_DIR=" .. what.folder, "CLUE_DEVICE=0",
    ("OCLGRIND_LOCAL_MEM_SIZE=%d"):format(LOCAL_MEMORY), ("OCLGRIND_MAX_WGSIZE=%d"):format(process.most_items),
    ("OCLGRIND_GLOBAL_MEM_SIZE=%d"):format(GLOBAL_MEMORY),
  }, what.environment)
end

local Process = {}
Process.__index = Process

-- Programs are known by their text, since the plugin knows no other name for them.
local function take(self, value)
  if value.program and value.program.parts then
    local source = value.program.parts[1].source
    self.programs[source] = self.programs[source] or value.program
  elseif value.text then
    self.texts[value.text.id] = value.text.source
  elseif value.row then
    self.row = value.row
  elseif value.verdict then
    self.verdicts[#self.verdicts + 1] = value.verdict
  else
    self.what.take(value)
  end
end

--- Starts a script.
-- @tparam table what prepare: Lua text that runs in the process first; path: the script (nil: the text is all); words:
--   the script's; environment: {"NAME=VALUE", ...} for the plugin; take(value): gets what the plugin and the text send;
--   seconds: the limit; folder: for temporary files; show: whether the script's own output is shown; programs: those of
--   an earlier process, whose places stay; progress(text)
-- @treturn[1] Process
-- @treturn[2] nil
-- @treturn[2] string why nothing can run
function process.start(what)
  local driver, path = find_plugin()
  if not driver then return nil, path end
  local self = {programs = what.programs or {}, texts = {}, lines = {}, verdicts = {}, what = what}
  setmetatable(self, Process)
  self.child = child.start {
    arguments = child.clue({quiet = true}, {"-e", what.prepare, what.path}, what.words),
    environment = environment(driver, path, what), seconds = what.seconds,
    output = what.show and function(text) output.out:write(text) end or nil,
    errors = what.show and function(text) output.err:write(text) end or nil,
    results = function(value) take(self, value) end,
  }
  return self
end

--- Waits a little.
-- @tparam[opt] number seconds the most
-- @treturn boolean whether it still runs
function Process:wait(seconds)
  local runs = self.child:step(seconds)
  if runs and self.told and binding.now() - self.told_at > 1 then self:tell(self.told) end
  return runs
end

--- Gives the process so many more seconds, from now on.
-- @tparam number seconds
-- @tparam[opt] number as what messages say instead
function Process:limit(seconds, as)
  self.child.options.seconds = as or tonumber(("%.2g"):format(seconds))
  self.child:limit(seconds)
end

--- Tells how far it is; wait tells it again, since a launch may take minutes.
-- @tparam string text
function Process:tell(text)
  self.told, self.told_at = text, binding.now()
  if self.what.progress then self.what.progress(text) end
end

--- How a script failed, once it has ended.
-- @treturn ?string how; nil if it did not, or was a step that skipped itself
-- @treturn ?{string,...} its last errors
function Process:failure()
  if self.child:is_well() or self:skipped() then return nil end
  return select(2, self.child:reason()), log_lines.excerpt(self.child:last_errors(math.huge))
end

--- Whether the process ended by a fault of its own.
function Process:has_crashed()
  return self.child:has_crashed()
end

--- What the process wrote to its standard error, as far as it is kept.
-- @treturn string
function Process:errors()
  return self.child.errors
end

--- Why a walkthrough's step did not run.
-- @treturn ?string nil if it did
function Process:skipped()
  return self.row and self.row.skipped or nil
end

--- What the check of a walkthrough's step found, see @{clue.walk.verify}.
-- @treturn ?table verified, text and label of the variant: the first that is wrong, or else the last; nil if the step
--   checked nothing
function Process:check()
  for _, verdict in ipairs(self.verdicts) do
    if not verdict.verified then return verdict end
  end
  return self.verdicts[#self.verdicts] or self.row and self.row.check
end

-- A source that has been split into lines.
local function lines_of(self, id)
  self.lines[id] = self.lines[id] or numbered_lines(self.texts[id] or "")
  return self.lines[id]
end

-- The line of a header.
local function header_line(path, number)
  local lines = numbered_lines(read_file(path) or "")
  return lines[number] and lines[number].text
end

--- The line of a program's source that a place of the compiler's means, which may have another number by #line.
-- @tparam int id of the program
-- @tparam table at file and line
-- @treturn ?int from 1; nil if it is in another file
-- @treturn ?string its text
function Process:source_line(id, at)
  local lines = lines_of(self, id)
  if not at.line or at.line < 1 then return nil end
  local named = names_file(lines, at.file)
  local is_source = named or build_log.is_source(at.file, self.texts[id] or "")
  local number = is_source and find_line(lines, named and at.file or nil, at.line) or nil
  return number, number and lines[number].text
end

--- Gives places in a program the names that its script's writer knows: file, line and column; text, the line, and
-- text_column, the column in it.
-- @tparam int id of the program
-- @tparam {table,...} places with the compiler's file, line and column, which change. Code that the compiler merged
--   from several lines has none
function Process:locate(id, places)
  local source = self.texts[id] or ""
  local program = self.programs[source]
  local place = program and program.place or {name = "source", first = 1, column = 0}
  place.source, place.headers = source, program and program.parts[1].headers or {}
  for _, at in ipairs(places) do
    if at.line and at.line > 0 then
      at.text, at.text_column = select(2, self:source_line(id, at)) or header_line(at.file, at.line), at.column
      at.file, at.line, at.column = build_log.user_place(place, at.file, at.line, at.column or 1)
    else
      at.file, at.line, at.column = nil, nil, nil
    end
  end
end

--- Runs scripts, several at a time.
-- @tparam {table,...} list what start gets
-- @tparam int most how many at a time
-- @tparam function start start(what): gives an object with wait and result, or nil and why nothing can run
-- @tparam function done done(index, result), as each ends
-- @treturn ?string why nothing can run
function process.all(list, most, start, done)
  local running, next_one = {}, 1
  while next_one <= #list or #running > 0 do
    while #running < most and next_one <= #list do
      local one, why = start(list[next_one])
      if not one then return why end
      running[#running + 1], next_one = {index = next_one, run = one}, next_one + 1
    end
    for i = #running, 1, -1 do
      if not running[i].run:wait(0.05) then
        local ended = table.remove(running, i)
        done(ended.index, ended.run:result())
      end
    end
  end
end

return process
