--- `clue walk`: replays a published walkthrough step by step on this machine.
-- @module clue.command.walk
local argparse = require "argparse"
local binding = require "clue.binding"
local catalogue = require "clue.walk.catalogue"
local host = require "clue.options"
local json = require "dkjson"
local runner = require "clue.walk.runner"
local sizes = require "clue.walk.size"
local view = require "clue.walk.view"

local command = {summary = "replay a published optimisation walkthrough, step by step, on this machine's devices"}

local function refuse(text)
  io.stderr:write("clue walk: ", text, "\n")
  return nil
end

local function number_for(option)
  return function(text)
    local number = tonumber(text)
    if number and number == number then return number end
    return nil, ("%s: '%s' is no number"):format(option, text)
  end
end

local function parse(args)
  local parser = argparse("clue walk", "Replays a published walkthrough: every step timed, verified and set beside "
    .. "the author's figures. Without a name, lists the walkthroughs.")
  parser:argument("name", "the walkthrough, or a folder (with a slash) that holds one of your own"):args "?"
  parser:option("--steps", "which steps: 2-5, or 1,4,7-9; all without")
  parser:option("--size", "the problem's size: N, or MxKxN for a matrix product")
  parser:option("--type", "type of the elements"):choices {"float", "double"}
  parser:option("--device", "which device, as `clue devices` names them")
  parser:option("--repeat", "measured runs of each step; without: until 7 or 3 seconds, whichever comes first")
    :convert(number_for "--repeat"):target "repeats"
  parser:option("--time-limit", "seconds after which a step is stopped"):default "300"
    :convert(number_for "--time-limit")
  parser:option("--json", "write all results, raw times included, to this file")
  parser:add_help(false)
  parser:flag("-h --help", "print this and exit")
  return parser, parser:pparse(args)
end

--- Reads "2-5" or "1,4,7-9".
-- @tparam string text
-- @tparam {table,...} steps each with its number
-- @treturn[1] table set of numbers
-- @treturn[2] nil
-- @treturn[2] string what is wrong
function command.parse_steps(text, steps)
  local known, chosen, first, last = {}, {}, math.huge, -math.huge
  for _, step in ipairs(steps) do
    known[step.number] = true
    first, last = math.min(first, step.number), math.max(last, step.number)
  end
  for part in (text .. ","):gmatch("([^,]*),") do
    local from, to = part:match("^(%d+)%-(%d+)$")
    from = tonumber(from or part:match("^%d+$"))
    to = tonumber(to) or from
    if not from or from > to or not known[from] or not known[to] then
      return nil, ("steps '%s': give numbers from %d to %d, such as 2-5 or 1,4,7-9"):format(text, first, last)
    end
    for number = from, to do chosen[number] = true end
  end
  return chosen
end

local function list()
  for _, name in ipairs(catalogue.names()) do
    local it = catalogue.get(name)
    print(("%s: %s (%d, %s)"):format(name, it.title, it.year, it.language))
    print(("  %s; %d steps"):format(it.about, #it.steps))
    print(("  hardware: %s"):format(it.hardware))
    print(("  headline: %s"):format(it.headline))
  end
  print "\n`clue walk NAME` replays one; `clue walk --help` lists the options."
  return 0
end

local function find(name)
  local walkthrough, why = catalogue.get(name)
  if walkthrough and #walkthrough.steps > 0 then return walkthrough end
  if walkthrough then return refuse(("'%s' has no steps: files named NN_name.lua"):format(name)) end
  if why then return refuse(why) end
  return refuse(("there is no walkthrough '%s'; there are: %s"):format(name, table.concat(catalogue.names(), ", ")))
end

-- The options as the walkthrough and its steps take them; nil after saying what is wrong.
local function check(options, walkthrough)
  local numbers = {}
  for _, step in ipairs(walkthrough.steps) do numbers[step.number] = true end
  if options.steps then
    local why
    numbers, why = command.parse_steps(options.steps, walkthrough.steps)
    if not numbers then return refuse("--steps: " .. why) end
  end
  if options.size then
    local read = sizes[walkthrough.size]
    if not read then return refuse(("--size: the steps of '%s' take none"):format(walkthrough.name)) end
    local first, why = read(options.size)
    if not first then return refuse("--size: " .. why) end
  end
  if options.repeats and (options.repeats < 1 or options.repeats % 1 ~= 0) then
    return refuse("--repeat: a whole number of 1 or more is needed")
  end
  if options.time_limit <= 0 then return refuse("--time-limit: seconds, more than 0") end
  return numbers
end

local function script_arguments(options)
  local arguments = {}
  local function add(name, value)
    if value then
      arguments[#arguments + 1] = name
      arguments[#arguments + 1] = tostring(value)
    end
  end
  add("--size", options.size)
  add("--type", options.type)
  add("--repeat", options.repeats and ("%d"):format(options.repeats))
  return arguments
end

-- Nine tenths of what is free now, so that a step cannot take the machine along.
local function memory_limit()
  for line in io.lines("/proc/meminfo") do
    local kib = line:match("^MemAvailable:%s+(%d+)")
    if kib then return tonumber(kib) * 1024 * 0.9 end
  end
  return nil
end

-- The line that says what runs now; only a terminal gets it.
local function progress_line(total)
  local width = binding.terminal_width(2)
  local state = {}
  function state.show(index, name, started, text)
    if not width then return end
    state.text = text or state.text or "starting"
    local line = ("[%d/%d] %s, %.0f s: %s"):format(index, total, name, binding.now() - started, state.text)
    io.stderr:write("\r", line:sub(1, width - 1), "\27[K")
  end
  function state.clear()
    state.text = nil
    if width then io.stderr:write("\r\27[K") end
  end
  return state
end

-- Beside the file and then in its place: what is there already is never lost half-written.
local function save(path, document)
  local beside = path .. ".part"
  local to = path:find "^/dev/" and path or beside
  local file, why = io.open(to, "w")
  local written = file and file:write(json.encode(document, {indent = true}), "\n")
  local closed, problem
  if file then closed, problem = file:close() end
  if written and closed and to == beside then closed, problem = os.rename(beside, path) end
  if not (written and closed) then error(("--json: cannot write %s"):format(why or problem or path), 0) end
end

local function chosen_steps(walkthrough, numbers)
  local steps = {}
  for _, step in ipairs(walkthrough.steps) do
    if numbers[step.number] then steps[#steps + 1] = step end
  end
  return steps
end

local function configuration(options)
  return {program = host.program, device = options.device or host.device, arguments = script_arguments(options),
          seconds = options.time_limit, memory = memory_limit()}
end

-- Rows as far as they came, and why it ended early if it did.
local function run_steps(walkthrough, steps, config, options)
  local rows, line = {}, progress_line(#steps)
  local document = {walkthrough = walkthrough.name, title = walkthrough.title, started = os.date("!%Y-%m-%dT%H:%M:%SZ"),
                    options = {size = options.size, type = options.type, device = config.device,
                               repeats = options.repeats, steps = options.steps}, rows = rows}
  local done, why = pcall(function()
    if options.json then save(options.json, document) end -- a path that cannot be written is found before the work
    for i, step in ipairs(steps) do
      local started = binding.now()
      line.show(i, step.name, started)
      rows[i] = runner.run_step(step, config, function(text) line.show(i, step.name, started, text) end)
      line.clear()
      if options.json then save(options.json, document) end
    end
  end)
  line.clear()
  return rows, not done and tostring(why) or nil
end

-- Steps that are skipped are no failure, unless nothing at all could run on the device.
local function status_of(rows)
  local ran, skipped = false, false
  for _, row in ipairs(rows) do
    if not select(2, view.verdict(row)) then return 1 end
    if row.skipped then skipped = true elseif row.device then ran = true end
  end
  return skipped and not ran and 1 or 0
end

local function replay(walkthrough, steps, config, options)
  print(("%s: %s (%d, %s)"):format(walkthrough.name, walkthrough.title, walkthrough.year, walkthrough.language))
  local rows, why = run_steps(walkthrough, steps, config, options)
  if #rows > 0 then view.print_rows(rows, io.stdout, walkthrough.figures) end
  if not why then return status_of(rows) end
  refuse(why)
  return why:find("interrupted", 1, true) and 130 or 1
end

--- Runs the command.
-- @tparam {string,...} args what stands after `clue walk`
-- @treturn int exit status: 0 every step verified or skipped (one verified at least), 1 not so, 2 wrong use
function command.run(args)
  local parser, understood, options = parse(args)
  if not understood then
    refuse(options:gsub("\n", "; ") .. "; `clue walk --help` lists the options")
    return 2
  end
  if options.help then
    print(parser:get_help())
    return 0
  end
  if not options.name then return list() end
  local walkthrough = find(options.name)
  local numbers = walkthrough and check(options, walkthrough)
  if not numbers then return 2 end
  local config = configuration(options)
  local problem = runner.device_problem(config)
  if problem then
    refuse(problem)
    return 1
  end
  return replay(walkthrough, chosen_steps(walkthrough, numbers), config, options)
end

return command
