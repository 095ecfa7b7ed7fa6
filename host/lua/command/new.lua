--- `clue new`: a script, a tuning space or a copy of a walkthrough, to change.
local catalogue = require "clue.run.catalogue"
local counted = require("clue.text").count
local lfs = require "lfs"
local lists = require "clue.shared.list"
local make_folder = require("clue.shared.paths").make_folder
local nearest = require "clue.nearest"
local output = require "clue.output"
local paths = require "clue.paths"
local read = require("clue.shared.paths").read
local request = require "clue.run.request"
local shell_word = require("clue.shared.shell").shown
local subcommand = require "clue.shared.subcommand"
local write = require("clue.shared.paths").write

local command = subcommand.new {
  name = "new",
  group = "script",
  page = "reference/edit.md",
  summary = "make a script, a tuning space or a copy of a walkthrough",
  about = "Makes something that runs, to be changed. clue new script NAME: a script with inputs, a kernel, a checked "
    .. "result and a time. clue new space NAME: what `clue tune` takes. clue new walkthrough NAME --from mql5: a "
    .. "folder with a copy of a walkthrough, and of the kernels that its steps read from files; `clue walk ./NAME` "
    .. "replays the copy, and `clue compare` knows its original.",
}

local refuse, wrong_use = command.refuse, command.wrong_use

function command.options(parser)
  subcommand.completes(parser:argument("what", "what to make: script, space or walkthrough"):args "?",
    "=script =walkthrough =space")
  parser:argument("name", "the file or the folder to make, such as mine"):args "?"
  subcommand.completes(parser:option("--from", "of a walkthrough: the one to copy, a name or a folder (with a slash)")
    :argname "NAME", "walkthrough folder")
  parser:option("--steps", "of a walkthrough: the steps to copy, 2-5, or 1,4,7-9 (default: all)")
end

-- How `clue walk` takes the folder: with a slash.
local function as_path(folder)
  return folder:find "/" and folder or "./" .. folder
end

local function is_own(name)
  return lists.any(catalogue.names(), function(known) return known == name end)
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

-- What to do with a copy, by the example of one of its steps: commands, and what they are for.
local function suggestions(folder, original, steps)
  local path, step = shell_word(as_path(folder)), steps[math.min(#steps, 4)]
  local file = shell_word(("%s/%s"):format(folder, step.path:match "[^/]*$"))
  return {
    {("clue watch %s"):format(file), "change its kernel in an editor: each save runs it"},
    {("clue walk %s --diff %s"):format(path, step.number), "its kernel beside that of the step it changes"},
    {("clue walk %s --steps %s --json before.json"):format(shell_word(original), step.number)},
    {("clue walk %s --steps %s --json after.json"):format(path, step.number)},
    {"clue compare before.json after.json", "the change beside the original"},
  }
end

local function print_next(folder, original, steps)
  output.print(("%s: a copy of %s, %s. Next, for example:"):format(folder, original, counted(#steps, "step")))
  for _, each in ipairs(suggestions(folder, original, steps)) do
    output.print(("  %s%s"):format(each[1], each[2] and "   # " .. each[2] or ""))
  end
end

-- ---- scripts and spaces ----

local next_of = {
  script = {"clue %s", "clue %s --help", "clue watch %s   # change it in an editor: each save runs it"},
  space = {"clue tune %s", "clue tune --help"},
}

local function make_file(options)
  local path = options.name:gsub("%.lua$", "") .. ".lua"
  if lfs.symlinkattributes(path) then return refuse(path .. " exists already: choose another name", 1) end
  local text = read(("%s/templates/%s.lua"):format(paths.scripts, options.what))
  write(path, (text:gsub("NAME%.lua", function() return shell_word(path) end)))
  output.print(("%s: a %s that works as it is. Next:"):format(path, options.what))
  for _, line in ipairs(next_of[options.what]) do output.print("  " .. line:format(shell_word(path))) end
  return 0
end

-- ---- walkthroughs ----

-- A step reads kernels from clue's own folder by `paths.kernels`; its copy reads those beside itself.
local OWN_PATHS = 'local paths = require "clue.paths"'
local COPYS_PATHS = 'local paths = {kernels = debug.getinfo(1, "S").source:match "^@(.*)/" or "."} -- where this is'

-- Adds the texts of a step, and of the kernels that it reads, to those of a copy: by the file's name.
local function add_step(texts, step)
  local text = read(step.path)
  local first, last = text:find(OWN_PATHS, 1, true)
  if first then text = text:sub(1, first - 1) .. COPYS_PATHS .. text:sub(last + 1) end
  for name in text:gmatch 'paths%.kernels %.%. "/([%w_]+%.cl)"' do
    local kernels = first and paths.kernels or step.path:match "^(.*)/"
    texts[name] = texts[name] or read(("%s/%s"):format(kernels, name))
  end
  texts[step.path:match "[^/]*$"] = text
end

-- What the copy proposes to try, as a field of its table.
local function try_field(list)
  local lines = lists.map(list, function(each)
    return each[2] and ("    {%q, %q},\n"):format(each[1], each[2]) or nil
  end)
  return ("\n  try = {\n%s  },\n"):format(table.concat(lines))
end

-- walkthrough.lua, which says what it is a copy of, and proposes what goes with a copy. Lessons speak of all steps, so
-- a copy of some has none.
local function description(path, from, list, is_whole)
  local text = read(path)
  if not is_whole then text = text:gsub("\n  lessons = %b{},\n", "\n") end
  local try = try_field(list):gsub("%%", "%%%%")
  text = text:gsub("\n  try = %b{},\n", try)
  if text:find "\n%s*from = " then return text end
  local first, last = text:find "%f[%w_]return {\n"
  if not first then error(path .. ": it does not begin its table with 'return {' in a line of its own", 0) end
  return ('%s  from = %q, -- of which this is a copy\n%s'):format(text:sub(1, last), from, text:sub(last + 1))
end

-- Copies steps of the walkthrough in a folder to another one; name is the original's. Raises if that fails; the folder
-- is not made if something cannot be read.
local function copy(from, steps, folder, name, list)
  local is_whole = #steps == #catalogue.get(from).steps
  local texts = {["walkthrough.lua"] = description(from .. "/walkthrough.lua", name, list, is_whole)}
  for _, step in ipairs(steps) do add_step(texts, step) end
  local made, why = make_folder(folder)
  if not made then error(why, 0) end
  for file, text in pairs(texts) do write(("%s/%s"):format(folder, file), text) end
end

local function make_walkthrough(options)
  local folder = options.name:gsub("(.)/+$", "%1")
  local walkthrough, steps = request.named(options, options.from, refuse)
  if not steps then return 2 end
  local why = obstacle(folder)
  if why then return refuse(why, 1) end
  copy(catalogue.folder(options.from), steps, folder, walkthrough.from or walkthrough.name,
    suggestions(folder, options.from, steps))
  print_next(folder, options.from, steps)
  return 0
end

local usual = {script = "clue new script NAME", space = "clue new space NAME",
               walkthrough = "clue new walkthrough NAME --from mql5"}

function command.work(options)
  if not options.what then
    return wrong_use "what should it make? clue new script NAME, space NAME, or walkthrough NAME --from mql5"
  end
  if not usual[options.what] then
    local meant = nearest(options.what, usual)
    return wrong_use(("'%s': it makes a script, a space or a walkthrough: %s"):format(options.what,
      usual[meant or "script"]))
  end
  if not options.name or options.name == "" then
    return wrong_use("it needs the name of what to make: " .. usual[options.what])
  end
  if options.what ~= "walkthrough" then
    if options.from or options.steps then return wrong_use "--from and --steps are for walkthroughs" end
    return command.attempt(make_file, options)
  end
  if not options.from then
    return wrong_use(("--from: which one should it copy? There are: %s"):format(table.concat(catalogue.names(), ", ")))
  end
  return command.attempt(make_walkthrough, options)
end

return command
