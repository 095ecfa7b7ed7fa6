--- What a check's launches did not show: lines that no work-item came to, and loops with a barrier that had one turn.
--
-- The plugin tells of each program, after a launch, what is news; here the launches of all processes are joined, by the
-- lines that the script's writer knows.
local kernels = require("clue.paths").kernels
local lfs = require "lfs"
local lists = require "clue.shared.list"
local paths = require "clue.shared.paths"

local reach = {}

local Reach = {}
Reach.__index = Reach

--- Nothing is known yet.
function reach.new()
  return setmetatable({lines = {}, loops = {}}, Reach)
end

-- Whether a line only ends a block, which is nothing that a work-item does.
local function ends_block(text)
  return text:find "^%s*}%s*$" or text:find "^%s*}%s*else%s*{?%s*$"
end

-- Whether code is the writer's own: a text that stands in no file is called "source", and clue's has names of its own.
local function is_own(file)
  if file:find "^source" then return true end
  return lfs.attributes(file, "mode") == "file" and not paths.same(file, kernels .. "/" .. file:match "[^/]*$")
end

local function add(to, marks)
  for _, mark in ipairs(marks) do
    if mark.line and is_own(mark.file) and not ends_block(mark.text or "") then
      local lines = to[mark.file] or {}
      to[mark.file] = lines
      lines[mark.line] = lines[mark.line] or mark.reached ~= nil
    end
  end
end

--- Adds what a launch showed.
-- @tparam {table,...} lines file, line, text and reached (nil: no work-item came there)
-- @tparam {table,...} loops the same of loops: whether they had a second turn
function Reach:add(lines, loops)
  add(self.lines, lines)
  add(self.loops, loops)
end

-- The lines that were not reached; is_joined: from one to another, where none that was reached lies between.
local function unseen(marks, is_joined)
  local list = {}
  for _, file in ipairs(lists.keys(marks)) do
    local last
    for _, line in ipairs(lists.keys(marks[file])) do
      if marks[file][line] then
        last = nil
      elseif last and is_joined then
        last.to = line
      else
        last = {file = file, line = line, to = line}
        list[#list + 1] = last
      end
    end
  end
  return list
end

--- What was not seen.
-- @treturn {table,...} file, line and to: lines that no work-item came to, the first and the last
-- @treturn {table,...} file and line of each loop that had one turn
function Reach:missing()
  return unseen(self.lines, true), unseen(self.loops)
end

return reach
