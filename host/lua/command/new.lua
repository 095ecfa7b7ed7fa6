--- `clue new walkthrough NAME --from mql5`: copies a walkthrough, to change its kernels.
-- @module clue.command.new
local catalogue = require "clue.walk.catalogue"
local copy = require "clue.walk.copy"
local counted = require("clue.text").count
local lfs = require "lfs"
local output = require "clue.output"
local request = require "clue.walk.request"
local subcommand = require "clue.shared.subcommand"

local command = subcommand.new {
  name = "new",
  summary = "copy a walkthrough, to change its kernels and compare",
  about = "Copies a walkthrough into a new folder, with the kernels that its steps read from files. `clue walk ./NAME` "
    .. "replays the copy; `clue compare` knows its original.",
}

local refuse, wrong_use = command.refuse, command.wrong_use

function command.options(parser)
  subcommand.completes(parser:argument("what", "what to make: walkthrough"):args "?", "=walkthrough")
  parser:argument("name", "the folder to make, such as mine"):args "?"
  subcommand.completes(parser:option("--from", "the walkthrough to copy: a name, or a folder (with a slash)")
    :argname "NAME", "walkthrough folder")
  parser:option("--steps", "the steps to copy: 2-5, or 1,4,7-9 (default: all)")
end

-- How `clue walk` takes the folder: with a slash.
local function as_path(folder)
  return folder:find "/" and folder or "./" .. folder
end

local function is_own(name)
  for _, known in ipairs(catalogue.names()) do
    if known == name then return true end
  end
  return false
end

-- Why there can be no such folder; nil if there can.
local function obstacle(folder)
  if lfs.symlinkattributes(folder) then
    return ("%s exists already: choose another name, or remove it"):format(folder)
  end
  local name, above = folder:match "[^/]*$", folder:match "^(.*)/[^/]*$"
  if is_own(name) then
    return ("%s is the name of a walkthrough of clue's: choose another one, so that results tell which is which")
      :format(name)
  end
  if above and above ~= "" and lfs.attributes(above, "mode") ~= "directory" then
    return ("%s: there is no folder %s: make it first"):format(folder, above)
  end
end

-- What to do with the copy, by the example of one of its steps.
local function print_next(folder, original, steps)
  local path, step = as_path(folder), steps[math.min(#steps, 4)]
  local file = ("%s/%s"):format(folder, step.path:match "[^/]*$")
  for _, line in ipairs {
    ("%s: a copy of %s, %s. Next, for example:"):format(folder, original, counted(#steps, "step")),
    ("  clue watch %s   # change its kernel in an editor: each save runs it"):format(file),
    ("  clue walk %s --diff %s   # its kernel beside that of the step it changes"):format(path, step.number),
    ("  clue walk %s --steps %s --json before.json"):format(original, step.number),
    ("  clue walk %s --steps %s --json after.json"):format(path, step.number),
    "  clue compare before.json after.json",
  } do output.print(line) end
end

local function make(options)
  local folder = options.name:gsub("(.)/+$", "%1")
  local walkthrough = request.find(options.from, refuse)
  local steps = walkthrough and request.steps(options, walkthrough, refuse)
  if not steps then return 2 end
  local why = obstacle(folder)
  if why then return refuse(why, 1) end
  copy(catalogue.folder(options.from), steps, folder, walkthrough.from or walkthrough.name)
  print_next(folder, options.from, steps)
  return 0
end

function command.work(options)
  if not options.what then return wrong_use "what should it make? clue new walkthrough NAME --from mql5" end
  if options.what ~= "walkthrough" then
    return wrong_use(("'%s': it makes only walkthroughs: clue new walkthrough NAME --from mql5"):format(options.what))
  end
  if not options.name or options.name == "" then
    return wrong_use "it needs the name of the folder to make: clue new walkthrough NAME --from mql5"
  end
  if not options.from then
    return wrong_use(("--from: which one should it copy? There are: %s"):format(table.concat(catalogue.names(), ", ")))
  end
  return command.attempt(make, options)
end

return command
