--- `clue examples`: the scripts that come with clue, to read, run and change.
local block = require "clue.show.block"
local lfs = require "lfs"
local lists = require "clue.shared.list"
local names_in = require("clue.shared.paths").names_in
local nearest = require "clue.nearest"
local output = require "clue.output"
local paths = require "clue.paths"
local read = require("clue.shared.paths").read
local script = require "clue.shared.script"
local shell_word = require("clue.shared.shell").shown
local subcommand = require "clue.shared.subcommand"
local terminal = require "clue.show.text"
local write = require("clue.shared.paths").write

local command = subcommand.new {
  name = "examples",
  group = "script",
  page = "tutorial/1-first-script.md",
  summary = "list the example scripts, show how to run one, or copy it",
  about = "Lists the example scripts that come with clue. With a name: what the script shows, where it is and how to "
    .. "run it. Each checks its results, and its --help lists its inputs.",
}

local refuse = command.refuse
local folder = paths.scripts .. "/examples"

function command.options(parser)
  parser:argument("name", "the example, as in the list"):args "?"
  parser:argument("to", "with --copy: the file or the folder to copy it to (default: this folder)"):args "?"
  parser:flag("--copy", "copy the example, to change it")
end

-- ---- which there are ----

-- "saxpy", "mql5/pi", ...
local function all_names()
  return lists.flat({"", "mpi/", "mql5/"}, function(below)
    return lists.map(assert(names_in(folder .. "/" .. below)), function(file)
      local name = file:match "^(.*)%.lua$"
      return name and below .. name
    end)
  end)
end

local function path_of(name)
  return ("%s/%s.lua"):format(folder, name)
end

-- The name, as it is or without ".lua"; nil after reporting that there is none.
local function find(given)
  local name, known = given:gsub("%.lua$", ""), lists.set(all_names())
  if known[name] then return name end
  local meant = nearest(name, known) or known["mql5/" .. name] and "mql5/" .. name
    or known["mpi/" .. name] and "mpi/" .. name
  return refuse(("there is no example '%s'%s `clue examples` lists all"):format(given,
    meant and (": did you mean %s?"):format(meant) or ";"))
end

-- ---- what is printed ----

local function list()
  local names, facts = all_names(), {}
  local _, width = lists.best(names, string.len)
  for i, name in ipairs(names) do facts[i] = {name, script.summary(script.head_comment(path_of(name)))} end
  terminal.print {block.facts {list = facts, beside = width + 2}}
  output.print "`clue examples NAME` shows where one is and how to run it; `clue examples --copy NAME` copies it here."
  return 0
end

-- How to name a file on the command line: from here, if it is below this folder.
local function short(path)
  local here = lfs.currentdir() .. "/"
  return path:sub(1, #here) == here and path:sub(#here + 1) or path
end

local function show(name)
  local path = shell_word(short(path_of(name)))
  output.print(script.head_comment(path_of(name)))
  output.print ""
  if name:find "^mpi/" then output.print(("  mpirun -n 4 clue %s"):format(path)) end
  for _, line in ipairs {
    ("  clue %s"):format(path),
    ("  clue %s --help"):format(path),
    ("  clue examples --copy %s   # to change it"):format(name),
  } do output.print(line) end
  return 0
end

-- ---- copying ----

local function copy(name, to)
  local file = name:match "[^/]*$" .. ".lua"
  local target = to or file
  if lfs.attributes(target, "mode") == "directory" then target = target:gsub("(.)/+$", "%1") .. "/" .. file end
  if lfs.symlinkattributes(target) then return refuse(target .. " exists already: name another file", 1) end
  write(target, read(path_of(name)))
  output.print(("%s: a copy of the example %s. Next:"):format(target, name))
  output.print(("  clue %s"):format(shell_word(target)))
  output.print(("  clue watch %s   # change it in an editor: each save runs it"):format(shell_word(target)))
  return 0
end

function command.work(options)
  if options.copy and not options.name then return command.wrong_use "--copy: which example?" end
  if options.to and not options.copy then return command.wrong_use(("too many arguments: '%s'"):format(options.to)) end
  if not options.name then return command.attempt(list) end
  local name = find(options.name)
  if not name then return 2 end
  if options.copy then return command.attempt(copy, name, options.to) end
  return command.attempt(show, name)
end

return command
