--- `clue man [SUBCOMMAND]`: manual pages, which the packages install.
local clue_options = require "clue.options"
local command_line = require "clue.manual.command_line"
local output = require "clue.output"
local pager = require "clue.manual.pager"
local settings = require "clue.doctor.settings"
local subcommand = require "clue.shared.subcommand"
local write = require("clue.shared.paths").write

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

-- ---- the pages, as text for man(1), from the definitions of the command line ----

-- Text as man(1) reads it: no line of it is a request, and a hyphen can be copied as one.
local function plain(text)
  return (text:gsub("\\", "\\e"):gsub("%-", "\\-"):gsub("%f[^\n%z]([.'])", "\\&%1"))
end

-- A page is a list of lines, with these methods.
local writers = {}
writers.__index = writers

function writers:line(text, ...)
  self[#self + 1] = text:format(...)
end

function writers:section(title)
  self:line(".SH %s", title)
end

-- A paragraph for each line.
function writers:text(text)
  for line in text:gmatch "[^\n]+" do self:line(".PP\n%s", plain(line)) end
end

-- A word or two in bold, and what they mean.
function writers:entry(label, text)
  self:line(".TP\n.B %s\n%s", plain(label), plain(text))
end

local function new_page(name, summary)
  local self = setmetatable({}, writers)
  self:line([[.\" printed by `clue man`]])
  self:line('.TH "%s" 1 "" "clue %s" "clue"', plain(name:upper()), clue_options.version)
  self:section "NAME"
  self:line("%s \\- %s", plain(name), plain(summary))
  return self
end

local function finish(self, others)
  self:section "SEE ALSO"
  for i, name in ipairs(others) do self:line(".BR %s (1)%s", plain(name), i < #others and "," or "") end
  return table.concat(self, "\n") .. "\n"
end

local function add_settings(self)
  self:section "ENVIRONMENT"
  for _, variable in ipairs(settings.variables) do self:entry(variable[1], variable[2]) end
end

local examples = {
  {"clue script.lua", "run a script on the best device"},
  {"clue --device gpu script.lua", "run it on the best GPU"},
  {"clue devices", "list the devices"},
  {"clue doctor", "find out why there is none"},
  {"clue walk mql5 --size 480", "replay a walkthrough"},
  {"clue", "a prompt"},
}

-- The page of clue itself, clue(1).
local function page_of_program()
  local own, pages = command_line.own(), {}
  local self = new_page("clue", "run Lua scripts on OpenCL devices")
  self:section "SYNOPSIS"
  self:line(".B clue\n[\\fIoption\\fR]... [\\fIscript\\fR [\\fIargument\\fR]...]")
  self:line(".br\n.B clue\n[\\fIoption\\fR]... \\fIsubcommand\\fR [\\fIargument\\fR]...")
  self:section "DESCRIPTION"
  self:text(own.about)
  self:section "OPTIONS"
  for _, option in ipairs(own) do self:entry(option.label, option.help) end
  self:text(own.closing)
  self:section "SUBCOMMANDS"
  for _, name in ipairs(command_line.commands()) do
    self:entry("clue " .. name, command_line.command(name).summary)
    table.insert(pages, "clue-" .. name)
  end
  self:section "EXAMPLES"
  for _, example in ipairs(examples) do self:entry(example[1], example[2]) end
  add_settings(self)
  return finish(self, pages)
end

local function add_elements(self, title, list)
  if not list[1] then return end
  self:section(title)
  for _, each in ipairs(list) do self:entry(each.label, each.help) end
end

-- The page of a subcommand, clue-NAME(1); nil if there is no such subcommand.
local function page_of_command(name)
  if not command_line.has(name) then return nil end
  local its = command_line.command(name)
  local self = new_page("clue-" .. name, its.summary)
  self:section "SYNOPSIS"
  self:line(".B %s", plain(its.usage))
  self:section "DESCRIPTION"
  self:text(its.about)
  add_elements(self, "ARGUMENTS", its.arguments)
  add_elements(self, "OPTIONS", its.options)
  return finish(self, {"clue"})
end

-- ---- the subcommand ----

local function write_all(folder)
  local pages = {clue = page_of_program()}
  for _, name in ipairs(command_line.commands()) do pages["clue-" .. name] = page_of_command(name) end
  for name, text in pairs(pages) do write(("%s/%s.1"):format(folder, name), text) end
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
  local text = name and page_of_command(name) or not name and page_of_program()
  if not text then return command.wrong_use(command_line.missing(name)) end
  return command.attempt(show, name, text)
end

return command
