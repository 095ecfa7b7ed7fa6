--- What `clue --help` and `clue help` print: the subcommands first, since they are what a newcomer looks for, and what
-- clue has as an interpreter of Lua last. host/main.c asks.
local command_line = require "clue.manual.command_line"
local lists = require "clue.shared.list"
local output = require "clue.output"

local overview = {}

local widest = 80 -- of the lines, as of the subcommands' --help

-- The headings, in order, by the groups that subcommands name.
local headings = {
  {"script", "scripts of your own"},
  {"device", "this machine"},
  {"walkthrough", "published walkthroughs, and what was measured"},
  {"kernel", "a kernel, or what a script does"},
  {"clue", "clue itself"},
}

-- Prints a label and a text in lines, the text in a column of its own.
local function entry(label, width, text)
  local indent, line = (" "):rep(width + 3), ("  %-" .. width .. "s "):format(label)
  for word in text:gmatch "%S+" do
    if #line + #word > widest and line:find "%S" and #line > #indent then
      output.print((line:gsub(" +$", "")))
      line = indent
    end
    line = line .. word .. " "
  end
  output.print((line:gsub(" +$", "")))
end

local function paragraphs(text)
  for line in text:gmatch "[^\n]+" do
    local at = 0
    output.print((line:gsub("%s*(%S+)", function(word)
      local before = at == 0 and "" or at + 1 + #word > widest and "\n" or " "
      at = before == " " and at + 1 + #word or #word
      return before .. word
    end)))
  end
end

-- A subcommand. One that does not load must not break the help.
local function described(name)
  local loaded, command = pcall(require, "clue.command." .. name)
  return loaded and command or {name = name, group = "clue", summary = "(does not load; run it to see why)"}
end

local function print_commands()
  local commands = lists.map(command_line.commands(), described)
  output.print "subcommands (clue help NAME explains one; a script of such a name: ./NAME):"
  for _, heading in ipairs(headings) do
    output.print((" %s"):format(heading[2]))
    for _, command in ipairs(commands) do
      if command.group == heading[1] then entry(command.name, 10, command.summary) end
    end
  end
end

local function is_ours(option)
  return option.label:find "%-%-%l" ~= nil
end

local function print_options(title, options, chosen)
  output.print(title)
  for _, option in ipairs(options) do
    if is_ours(option) == chosen then entry(option.label, 14, option.help) end
  end
end

--- Prints the overview.
function overview.print()
  local own = command_line.own()
  output.print "usage: clue [option]... [script [argument]...]\n       clue [option]... subcommand [argument]...\n"
  paragraphs(own.about)
  output.print()
  print_commands()
  output.print()
  print_options("options:", own, true)
  output.print()
  print_options("as an interpreter of Lua:", own, false)
  output.print()
  paragraphs(own.closing)
end

return overview
