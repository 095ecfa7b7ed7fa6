--- Inputs: a script's parameters, declared with types and in order. They become its options, and its help lists them.
--
--     input.int("_size", 512, "matrix size", 1, 16384)   -- clue script.lua --size 1000; the global _size
--
-- An input defines a global of its name, to be read only, and returns the value. The option is the name without
-- leading underscores, with '-' for '_'. A value is read when the input is declared. Wrong values are reported when all
-- inputs are declared, before OnStart() runs. Every script has --device and --repeat.
-- @module clue.mql5.inputs
local arguments = require "clue.mql5.arguments"
local check = require "clue.mql5.check"
local devices = require "clue.mql5.devices"
local misspelt = require "clue.misspelt"
local numbers = require "clue.number"
local output = require "clue.output"
local usage = require "clue.mql5.usage"
local where = require "clue.where"

local input = {} -- what scripts use

local state -- arguments, entries in order, problems, names of taken options; nil before the first input

local function run_state()
  if not state then
    local given = arguments.new(rawget(_G, "arg") or {})
    state = {arguments = given, help = given:wants_help(), entries = {}, problems = {}, taken = {help = true}}
  end
  return state
end

local function note(problem)
  state.problems[#state.problems + 1] = problem
end

-- ---- declaring --------------------------------------------------------------------------------------------------

local function refuse(kind, text, ...)
  error(("%s: input.%s: %s"):format(where.label(), kind, text:format(...)), 0)
end

local function option_of(kind, name)
  if type(name) ~= "string" then check.refuse("input." .. kind, 1, "name", name) end
  if not name:find("^[%a_][%w_]*$") then refuse(kind, "'%s' cannot be the name of a global", name) end
  local option = name:gsub("^_+", ""):gsub("_", "-")
  if option == "" then refuse(kind, "'%s' has no letter to name the option", name) end
  return option
end

local function claim(kind, option)
  if state.taken[option] then refuse(kind, "option --%s exists already", option) end
  state.taken[option] = true
end

local function define(kind, name, value)
  if rawget(_G, name) ~= nil or rawget(require "clue.mql5", name) ~= nil then
    refuse(kind, "the global '%s' exists already: name the input '_%s', which leaves the option's name as it is", name,
      name)
  end
  rawset(_G, name, value)
  return value
end

local function check_description(kind, position, description)
  if description ~= nil and type(description) ~= "string" then
    check.refuse("input." .. kind, position, "description", description)
  end
end

-- Enters an input. value_name is what --help calls its value.
local function enter(kind, name, default, description, value_name)
  check_description(kind, kind == "choice" and 4 or 3, description)
  run_state()
  if state.finished then refuse(kind, "inputs must be declared before OnStart() runs") end
  local entry = {kind = kind, name = name, option = option_of(kind, name), default = default,
    description = description or "", value_name = value_name}
  claim(kind, entry.option)
  if kind == "bool" then claim(kind, "no-" .. entry.option) end
  state.entries[#state.entries + 1] = entry
  return entry
end

-- Reads an input's option. parse returns the value, or nil and what the text is: "not a whole number from 1 to 9".
local function read(entry, parse)
  local text, problem, typed = state.arguments:take(entry.option)
  if problem then note(problem) end
  if not text then return entry.default end
  local value, wrong = parse(text)
  if value ~= nil then return value end
  note(("option %s: '%s' is %s"):format(typed, text, wrong))
  return entry.default
end

-- ---- numbers ----------------------------------------------------------------------------------------------------

-- The range of each type that a Lua number holds exactly; a long's range is larger.
local ranges = {
  char = {-128, 127},
  uchar = {0, 255},
  short = {-32768, 32767},
  ushort = {0, 65535},
  int = {-2147483648, 2147483647},
  uint = {0, 4294967295},
  long = {-2 ^ 53, 2 ^ 53},
  ulong = {0, 2 ^ 53},
  float = {-3.4028234663852886e38, 3.4028234663852886e38},
  double = {-1.7976931348623157e308, 1.7976931348623157e308},
}
local is_real = {float = true, double = true}

local function number_of(text)
  if not text:find("^[+-]?%.?%d[%x.xXpPeE+-]*$") then return nil end
  return numbers.read((text:gsub("^%+", "")))
end

-- Whether a whole number is the one in its text, not one nearby that Lua can hold.
local function is_exact(text, value)
  local hex = text:match "^[+-]?0[xX]0*(%x+)$"
  if hex then return #hex < 15 and math.abs(value) % 2 ^ 32 == tonumber(hex:sub(-8), 16) end
  if text:find "^[+-]?%d+$" then return check.holds(value, text) end
  return math.abs(value) < 2 ^ 53
end

-- Returns nil, or what the value is: "not a whole number from 1 to 9".
local function number_problem(kind, value, low, high)
  local whole = is_real[kind] and "not a number" or "not a whole number"
  local inside = value and value >= low and value <= high and (is_real[kind] or value == math.floor(value))
  if inside then return nil end
  local shown = is_real[kind] and "%.9g" or "%.0f"
  return ("%s from %s to %s"):format(whole, numbers.text(shown, low), numbers.text(shown, high))
end

-- Lua 5.4 distinguishes 3 from 3.0; inputs that are whole numbers get 3.
local to_integer = rawget(math, "tointeger")

local function settle(kind, value)
  return not is_real[kind] and to_integer and to_integer(value) or value
end

-- The device input: any way to name a device. Without the option, it takes clue's own --device or CLUE_DEVICE.
local function read_device(entry)
  local text, problem = state.arguments:take(entry.option)
  if problem then note(problem) end
  if state.help then return entry.default end
  local ordinal
  ordinal, problem = devices.input(text)
  if problem then note(problem) end
  return ordinal or entry.default
end

local function declare_number(kind, name, default, description, low, high)
  if type(default) ~= "number" then check.refuse("input." .. kind, 2, "number", default) end
  if low ~= nil then check.number("input." .. kind, 4, low) end
  if high ~= nil then check.number("input." .. kind, 5, high) end
  local range = ranges[kind]
  local least, most = math.max(low or range[1], range[1]), math.min(high or range[2], range[2])
  local wrong = number_problem(kind, default, least, most)
  if wrong then refuse(kind, "the default %s is %s", check.show(default), wrong) end
  local entry = enter(kind, name, settle(kind, default), description, is_real[kind] and "X" or "N")
  entry.low, entry.high = low, high
  if entry.option == "device" and not is_real[kind] then
    entry.value_name = "SPEC"
    return define(kind, name, settle(kind, read_device(entry)))
  end
  return define(kind, name, settle(kind, read(entry, function(text)
    local value = number_of(text)
    if value and not is_real[kind] and not is_exact(text, value) then value = nil end
    local bad = number_problem(kind, value, least, most)
    return not bad and value or nil, bad
  end)))
end

-- input.char, uchar, short, ushort, int, uint, long, ulong, float, double
for kind in pairs(ranges) do
  --- A number in the type's range.
  -- @function input.TYPE
  -- @tparam string name of the global and the option
  -- @tparam number default
  -- @tparam[opt] string description for --help
  -- @tparam[opt] number low the least allowed, if that is more than the type's own limit
  -- @tparam[opt] number high
  -- @treturn number
  input[kind] = function(name, default, description, low, high)
    local value = declare_number(kind, name, default, description, low, high)
    return value
  end
end

-- ---- other types ------------------------------------------------------------------------------------------------

--- A flag:
-- --name sets it, --no-name clears it.
-- @tparam string name
-- @tparam boolean default
-- @tparam[opt] string description
-- @treturn boolean
function input.bool(name, default, description)
  if type(default) ~= "boolean" then check.refuse("input.bool", 2, "boolean", default) end
  local entry = enter("bool", name, default, description)
  local value, problem = state.arguments:take_flag(entry.option)
  if problem then note(problem) end
  if value == nil then value = default end
  return define("bool", name, value)
end

--- Text.
-- @tparam string name
-- @tparam string default
-- @tparam[opt] string description
-- @treturn string
function input.string(name, default, description)
  if type(default) ~= "string" then check.refuse("input.string", 2, "string", default) end
  local entry = enter("string", name, default, description, "TEXT")
  return define("string", name, read(entry, function(text) return text end))
end

local function has_word(list, word)
  for _, member in ipairs(list) do
    if member == word then return true end
  end
  return false
end

--- One word of a list, like MQL5's enumerations.
-- @tparam string name
-- @tparam table list of words
-- @tparam string default one of them
-- @tparam[opt] string description
-- @treturn string
function input.choice(name, list, default, description)
  if type(list) ~= "table" or #list == 0 then check.refuse("input.choice", 2, "list of words", list) end
  for i, word in ipairs(list) do
    if type(word) ~= "string" then check.refuse("input.choice", ("list[%d]"):format(i), "word", word) end
  end
  local words = table.concat(list, "|")
  if not has_word(list, default) then refuse("choice", "the default %s is not one of %s", tostring(default), words) end
  local entry = enter("choice", name, default, description, words)
  return define("choice", name, read(entry, function(text)
    return has_word(list, text) and text or nil, "not one of " .. words
  end))
end

--- The words that belong to no option; without this input they are refused. The list is filled once all inputs are
-- declared, just before OnStart() runs.
-- @tparam string name
-- @tparam[opt] string description
-- @treturn table
function input.words(name, description)
  local list = {}
  check_description("words", 2, description)
  run_state()
  if state.words then refuse("words", "declared twice") end
  local option = option_of("words", name)
  state.words = {list = list, name = option, description = description or ""}
  return define("words", name, list)
end

-- ---- the end of the declarations --------------------------------------------------------------------------------

-- The options of every script, unless it declared inputs of these names: --device, --repeat.
local function read_own_options()
  local times = 1
  if not state.taken["repeat"] then
    local entry = {option = "repeat", default = 1}
    times = read(entry, function(text)
      local value = number_of(text)
      local bad = number_problem("int", value, 1, 2147483647)
      return not bad and value or nil, bad
    end)
  end
  if not state.taken.device then
    local spec, problem = state.arguments:take("device")
    problem = problem or spec and not state.help and devices.set(spec)
    if problem then note(problem) end
  end
  return times
end

-- As they are typed.
local function options()
  local list = {"--device", "--repeat", "--help"}
  for _, entry in ipairs(state.entries) do
    list[#list + 1] = "--" .. entry.option
    if entry.kind == "bool" then list[#list + 1] = "--no-" .. entry.option end
  end
  return list
end

-- The last line says how to get help.
local function report(name)
  local lines = {}
  for i, problem in ipairs(state.problems) do lines[i] = ("clue: %s: %s"):format(name, problem) end
  lines[#lines] = misspelt.join(lines[#lines], ("`clue %s --help` lists the options"):format(name))
  output.say(table.concat(lines, "\n"))
end

local inputs = {names = {input = input}}

--- @treturn boolean whether the script declared an input
function inputs.declared()
  return state ~= nil and (#state.entries > 0 or state.words ~= nil)
end

devices.has_inputs = inputs.declared

--- The inputs that were declared so far, except for words.
-- @treturn {table,...} kind, name, option, default, low, high, description, value_name (of a choice: its words, "a|b")
function inputs.list()
  return state and state.entries or {}
end

--- Ends the declarations: shows
-- --help, or reports what is wrong on the command line.
-- @tparam string name the script's
-- @treturn ?number an exit status, nil if OnStart() is to run
-- @treturn number how many times
function inputs.finish(name)
  run_state()
  state.finished = true
  local times = read_own_options()
  if state.help then
    io.write(usage.text(name, state), "\n")
    return 0, times
  end
  if state.words then
    for i, word in ipairs(state.arguments:take_words()) do state.words.list[i] = word end
  end
  for _, problem in ipairs(state.arguments:problems(options())) do note(problem) end
  if #state.problems == 0 then return nil, times end
  report(name)
  return 2, times
end

--- Forgets all declarations, for specs: the next input reads `arg` again. The globals stay.
function inputs.reset()
  state = nil
end

return inputs
