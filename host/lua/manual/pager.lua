--- Shows a long text in a terminal, as git does: by the program that PAGER names, less, or more.
local child = require "clue.shared.child"
local joined = require("clue.shared.list").joined
local output = require "clue.output"
local shell = require "clue.shared.shell"
local temporary = require("clue.shared.paths").with_temporary_folder
local write = require("clue.shared.paths").write

local pager = {}

-- Runs a program on a file with the text, with the terminal as its own.
-- False if there is no such program: a bare system has neither man nor less.
local function run(words, name, text)
  if not shell.finds(words) then return false end
  return temporary(function(folder)
    local path = folder .. "/" .. name
    write(path, text)
    local seen = child.start({arguments = joined({"/usr/bin/env"}, words, {path}), foreground = true}):follow()
    return seen.state ~= "exited" or seen.value ~= 127 -- env's, if there is no such program
  end)
end

--- Whether standard output is a terminal, which a person can read page by page.
function pager.is_wanted()
  return output.out:width() ~= nil
end

--- Shows a text, page by page in a terminal.
-- @tparam string text
function pager.show(text)
  local chosen = {}
  for word in (os.getenv "PAGER" or ""):gmatch "%S+" do chosen[#chosen + 1] = word end
  local shown = pager.is_wanted() and (chosen[1] and run(chosen, "clue", text)
    or run({"LESS=FRX", "less"}, "clue", text) or run({"more"}, "clue", text))
  if not shown then output.out:write(text) end
end

--- Shows a manual page by man(1).
-- @tparam string name "clue-walk"
-- @tparam string page for man(1)
-- @treturn boolean false if there is no man
function pager.man(name, page)
  return run({"man"}, name .. ".1", page)
end

return pager
