--- `clue man [SUBCOMMAND]`: manual pages, which the packages install.
-- @module clue.command.man
local command_line = require "clue.manual.command_line"
local output = require "clue.output"
local page = require "clue.manual.page"
local subcommand = require "clue.shared.subcommand"

local command = subcommand.new {
  name = "man",
  summary = "print the manual page of clue or of a subcommand",
  about = "Prints a manual page as text for man(1). To read it: clue man walk | man -l -. Installed, it is "
    .. "clue-walk(1); without a subcommand, clue(1).",
}

function command.options(parser)
  subcommand.completes(parser:argument("subcommand", "the subcommand that it is about"):args "?", "command")
  parser:option("--all", "write all pages into this folder, which must exist"):argname "FOLDER"
end

local function write_all(folder)
  local pages = {clue = page.program()}
  for _, name in ipairs(command_line.commands()) do pages["clue-" .. name] = page.command(name) end
  for name, text in pairs(pages) do
    local file, why = io.open(("%s/%s.1"):format(folder, name), "w")
    if not file then error(why, 0) end
    local written, problem = file:write(text)
    if not (written and file:close()) then error(problem, 0) end
  end
  return 0
end

function command.work(options)
  if options.all then return command.attempt(write_all, options.all) end
  local text = options.subcommand and page.command(options.subcommand) or not options.subcommand and page.program()
  if not text then
    return command.wrong_use(("there is no subcommand '%s'; there are %s"):format(options.subcommand,
      table.concat(command_line.commands(), ", ")))
  end
  output.out:write(text)
  return 0
end

return command
