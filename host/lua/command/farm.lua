--- `clue farm`: many runs on many machines, by GNU parallel.
local lists = require "clue.shared.list"
local subcommand = require "clue.shared.subcommand"

local command = subcommand.new {
  name = "farm",
  otherwise = ": options of what runs stand after --, as in clue farm --hosts FILE -- walk hello --size 64",
  group = "device",
  page = "reference/farm.md",
  summary = "run many jobs on many machines: a walk everywhere, a tuning",
  about = "Runs clue on other machines, by GNU parallel and ssh, one worker for each device. clue farm --hosts FILE -- "
    .. "COMMAND...: the same command of clue on every device; {host}, {device} and {worker} in the name of a JSON "
    .. "file tell the results apart. clue farm tune SPACE.lua: the configurations of a space, dealt out. clue farm "
    .. "sweep SCRIPT.lua --set n=1,2,4: a script with all values. What a lost host had is done by another one. "
    .. "Results are in a folder, from which --resume goes on. Exit status 0: all done; 1: something failed or is not "
    .. "done; 2: wrong use; 130: interrupted, results kept.",
}

local function words_of(text)
  local words = {}
  for word in text:gmatch "%S+" do words[#words + 1] = word end
  if not words[1] then return nil, "--ssh: give a program, such as ssh or 'ssh -F config'" end
  return words
end

function command.options(parser)
  parser:argument("words", "tune SPACE.lua or sweep SCRIPT.lua; words for the script stand after --, as does any "
    .. "other command of clue")
    :args "*":argname "WORD"
  subcommand.completes(parser:option("--hosts", "the hosts: a line for each, with what ssh takes (: is this machine), "
    .. "and the devices (default: all GPUs and accelerators, or else the CPU)"):argname "FILE", "file")
  parser:flag("--slurm", "the hosts of the Slurm allocation in which this runs")
  subcommand.device(parser, "with --slurm: the devices of each host")
  parser:option("--results", "the folder for the results (farm)"):argname "FOLDER"
  subcommand.completes(parser:option("--resume", "go on with a folder's jobs that are not done"):argname "FOLDER",
    "folder")
  parser:option("--set", "of a sweep: NAME=VALUES, as for clue walk; may be repeated, for all combinations")
    :argname "NAME=VALUES":count "*"
  parser:flag("--any-device", "of a sweep: run each point once, on whichever device is free (default: on each kind of "
    .. "device)")
  parser:option("--evaluations", "of a tuning: how many configurations to measure on each kind of device (200)")
    :argname "N":convert(subcommand.whole_number("--evaluations", 1, 1e6))
  parser:option("--seed", "of a tuning: chooses them"):argname "N":convert(subcommand.whole_number("--seed", 0, 2 ^ 31))
  parser:option("--chunk", "of a tuning: how many configurations make a job"):argname "N"
    :convert(subcommand.whole_number("--chunk", 1, 1e6))
  subcommand.time_limit(parser, nil, "end a job after so many seconds; of a tuning: each configuration")
  subcommand.completes(parser:option("--archive", "clue-VERSION-linux-x86_64.tar.gz, for hosts without this clue; it "
    .. "is copied to them once"):argname "FILE", ".gz")
  subcommand.completes(parser:option("--copy", "a file or a folder that the jobs need besides those in their command; "
    .. "may be repeated"):argname "PATH":count "*", "file folder")
  parser:option("--ssh", "the ssh program with its options (ssh); with --resume: another one than before")
    :argname "COMMAND":convert(words_of)
end

-- What stands after -- is not ours: a command of clue's, or words for the script of a tuning or a sweep.
function command.words(args)
  local ours, rest = {}, nil
  for _, word in ipairs(args) do
    if rest then
      rest[#rest + 1] = word
    elseif word == "--" then
      rest = {}
    else
      ours[#ours + 1] = word
    end
  end
  return ours, rest
end

local only_for = {sweep = {"set", "any-device"}, tune = {"evaluations", "seed", "chunk"}}

-- An option of another kind of farm.
local function misplaced(options, kind)
  for _, of in ipairs(lists.keys(only_for)) do
    local name = of ~= kind and subcommand.first_given(options, only_for[of])
    if name then return ("--%s goes with clue farm %s"):format(name, of) end
  end
end

local function wrong_for_new(options, rest)
  if options.slurm and options.hosts then return "--slurm gives the hosts: leave out --hosts" end
  if not (options.slurm or options.hosts) then return "give the hosts: --hosts FILE, or --slurm in an allocation" end
  if options.device and not options.slurm then return "--device goes with --slurm; a file of hosts has the devices" end
  local first = options.words[1]
  if rest and not first then return misplaced(options, "each") end
  if first ~= "tune" and first ~= "sweep" then
    return first and ("'%s': there are `clue farm tune`, `clue farm sweep`, and `clue farm -- COMMAND`"):format(first)
      or "what shall run? clue farm tune SPACE.lua, clue farm sweep SCRIPT.lua --set n=1,2, clue farm -- COMMAND"
  end
  return misplaced(options, first)
end

-- What the plan in the folder has already.
local planned = {"results", "device", "any-device", "evaluations", "seed", "chunk", "time-limit", "archive", "set",
                 "copy"}

local function wrong(options, rest)
  if not options.resume then return wrong_for_new(options, rest) end
  if options.words[1] or rest or options.hosts or options.slurm then
    return "--resume goes on with what is in the folder: it takes no hosts and no command"
  end
  local name = subcommand.first_given(options, planned)
  return name and ("--resume goes on as before: leave out --%s"):format(name)
end

function command.work(options, rest)
  local why = wrong(options, rest)
  if why then return command.wrong_use(why) end
  options.kind = options.words[1] or "each"
  options.results = options.results or "farm"
  local words = lists.joined(options.words, rest)
  if options.words[1] then table.remove(words, 1) end
  why = not options.resume and require("clue.farm.kind." .. options.kind).wrong(words, options)
  if why then return command.wrong_use(why) end
  return command.attempt(require "clue.farm.run", options, words)
end

return command
