--- `clue help [NAME]`: whatever has a name, explained: a subcommand, a walkthrough, a page, a function.
local command_line = require "clue.manual.command_line"
local lists = require "clue.shared.list"
local nearest = require "clue.nearest"
local overview = require "clue.manual.overview"
local pager = require "clue.manual.pager"
local pages = require "clue.shared.pages"
local subcommand = require "clue.shared.subcommand"

local command = subcommand.new {
  name = "help",
  group = "clue",
  summary = "explain a subcommand, a walkthrough, a function or a page",
  about = "Explains what has this name: a subcommand (clue help walk), a walkthrough (clue help mql5), a page (clue "
    .. "help errors.md), or a function (clue help cl.context, clue help CLExecute). Without a name, prints what clue "
    .. "--help prints.",
}

function command.options(parser)
  subcommand.completes(parser:argument("name", "what is to be explained"):args "?", "command walkthrough")
end

-- ---- who may know a name; each prints what it knows, and returns true ----

local function a_command(name)
  if not command_line.has(name) then return false end
  require("clue.command." .. name).explain()
  return true
end

local function a_walkthrough(name)
  local catalogue = require "clue.run.catalogue"
  if not lists.set(catalogue.names())[name] then return false end
  local walkthrough = catalogue.get(name)
  local lines = {("%s is a walkthrough: %s\n\n  clue walk %s   replays its %d steps on this machine\n"
    .. "  clue walk %s --explain NUMBER   explains a step\n\nIts steps:"):format(name, walkthrough.about, name,
    #walkthrough.steps, name)}
  for _, step in ipairs(walkthrough.steps) do
    lines[#lines + 1] = ("  %-4s %s"):format(tostring(step.number), step.name)
  end
  pager.show(table.concat(lines, "\n") .. "\n")
  return true
end

local function a_page(name)
  local text = pages.read(name)
  if text then pager.show(text) end
  return text ~= nil
end

local function a_function(name)
  local text = require("clue.repl.help").find(name)
  if text then pager.show(text .. "\n") end
  return text ~= nil
end

local function all_names()
  local names = pages.all()
  for _, name in ipairs(command_line.commands()) do names[name] = true end
  for _, name in ipairs(require("clue.run.catalogue").names()) do names[name] = true end
  for name in pairs(require("clue.repl.help").names()) do names[name] = true end
  return names
end

local SEVERAL = 4 -- times that a page has a word which it is about

-- What to type instead of a name that nothing has: the page about it, or else the name that differs by a letter in
-- three at most, or else the page that has the word at all.
local function instead(name)
  local about, times = pages.about(name)
  local meant = times < SEVERAL and nearest((name:gsub("%.md$", "")), all_names(), math.floor(#name / 3))
  if meant then return (": did you mean `clue help %s`?"):format(meant) end
  return about and ("; the page that writes most of it: `clue help %s.md`"):format(about)
    or "; `clue help` lists the subcommands"
end

local function explain(name)
  for _, of in ipairs {a_command, a_walkthrough, a_page, a_function} do
    if of(name) then return 0 end
  end
  local remedy, page = require("clue.mql5.missing").instead(name)
  if remedy then return command.refuse(("clue has no %s; %s (clue help %s)"):format(name, remedy, page), 1) end
  return command.refuse(("nothing has the name '%s'%s"):format(name, instead(name)), 1)
end

function command.work(options)
  if options.name then return command.attempt(explain, options.name) end
  overview.print()
  return 0
end

return command
