--- `clue man [SUBCOMMAND]`: manual pages, which the packages install.
local command_line = require "clue.manual.command_line"
local output = require "clue.output"
local page = require "clue.manual.page"
local pager = require "clue.manual.pager"
local subcommand = require "clue.shared.subcommand"

local command = subcommand.new {
  name = "man",
  group = "clue",
  summary = "show the manual page of clue or of a subcommand",
  about = "Shows a manual page in a terminal; elsewhere it prints the page as text for man(1). Installed, it is "
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

-- A terminal shows it as man(1) does; on a machine without man, as the subcommand's --help.
local function show(name, text)
  if not pager.is_wanted() then
    output.out:write(text)
  elseif not pager.man(name and "clue-" .. name or "clue", text) then
    require("clue.command.help").work {name = name}
  end
  return 0
end

function command.work(options)
  if options.all then return command.attempt(write_all, options.all) end
  local name = options.subcommand
  local text = name and page.command(name) or not name and page.program()
  if not text then return command.wrong_use(command_line.missing(name)) end
  return command.attempt(show, name, text)
end

return command
