--- The parameters of `clue walk --set`: which steps have them, under which option, and whether they take the values.
--
-- A step's parameters are the inputs that its script declares. Two have further names: different authors name the same
-- thing differently. "group" also means the work-group's size of steps that leave it to the driver, see
-- @{clue.walk.group}.
local any = require("clue.shared.list").any
local child = require "clue.shared.child"
local counted = require("clue.text").count
local digits = require("clue.number").plain

local parameters = {}

-- What may stand in --set for a step's option.
local also = {t = {"tpb", "group"}, maxrregcount = {"registers"}}

-- Options of `clue walk` itself, and those that only tell more.
local reserved = {size = "--size", type = "--type", ["repeat"] = "--repeat", device = "--device"}
local silent = {log = true, binary = true, print = true}

--- What "group" is to a step without an input of that name: the walk sets it.
parameters.group = "group"

-- ---- lists and ranges: "256,512", "256..4096*2", "256..1024+256" ----

-- More values of one list are taken for a slip, such as 1..4096+1.
local most = 64

local forms = "give one value, a list (%s,%s), FIRST..LAST*FACTOR (%s..%s*2) or FIRST..LAST+STEP (%s..%s+%s)"

-- The accepted forms in words, with examples, of which the first value is given.
local function forms_from(example)
  local one, two, last = ("%d"):format(example), ("%d"):format(2 * example), ("%d"):format(4 * example)
  return forms:format(one, two, one, last, one, last, one)
end

-- The numbers of "256..4096*2"; nil and what is wrong with it.
local function range(text)
  local whole = text:gsub("%w+", digits) -- 1e3..1e6*10
  local first, last, sign, step = whole:match "^(%d+)%.%.(%d+)([*+])(%d+)$"
  first, last, step = tonumber(first), tonumber(last), tonumber(step)
  if not first then return nil, ("'%s' is no range"):format(text) end
  if first > last then return nil, ("'%s' begins above its end"):format(text) end
  if sign == "*" and (step < 2 or first == 0) then
    return nil, ("'%s' never ends: multiply a first value of 1 or more by 2 or more"):format(text)
  end
  if sign == "+" and step < 1 then return nil, ("'%s' never ends: add 1 or more"):format(text) end
  local list = {}
  while first <= last and #list <= most do
    list[#list + 1] = ("%.0f"):format(first)
    first = sign == "*" and first * step or first + step
  end
  return list
end

-- A whole number without leading zeros or an exponent: 8 and 08 are the same value, and in C 08 would be no number at
-- all.
local function plain(value)
  return value:match "^0+(%d+)$" or digits(value)
end

--- Reads a list of values.
-- @tparam string text
-- @tparam int example for the message
-- @treturn[1] {string,...} at least one, all different
-- @treturn[2] nil
-- @treturn[2] string what is wrong, with the accepted forms
function parameters.values(text, example)
  local list, seen = {}, {}
  local function wrong(why, ...)
    return nil, ("%s; %s"):format(why:format(...), forms_from(example))
  end
  for part in (text .. ","):gmatch "([^,]*)," do
    if part == "" then return wrong("'%s' has an empty value", text) end
    local more, why = {part}, nil
    if part:find("..", 1, true) then more, why = range(part) end
    if not more then return wrong("%s", why) end
    for _, given in ipairs(more) do
      local value = plain(given)
      if seen[value] then return wrong("'%s' has %s twice", text, value) end
      seen[value] = true
      list[#list + 1] = value
    end
  end
  if #list > most then return nil, ("'%s' has more than %d values"):format(text, most) end
  return list
end

-- ---- what the command line says ----

--- Reads one --set.
-- @tparam string text "tile=8,16,32"
-- @tparam[opt] table others names that are set elsewhere, and where; default: those that are options of `clue walk`
-- @treturn[1] table name, values (texts)
-- @treturn[2] nil
-- @treturn[2] string what is wrong
function parameters.read(text, others)
  local name, list_text = text:match "^([%a][%w_-]*)=(.*)$"
  if not name then return nil, ("--set '%s': it must be NAME=VALUES, such as tile=8,16,32"):format(text) end
  name = name:gsub("_", "-"):lower() -- articles write TPB
  local elsewhere = (others or reserved)[name]
  if elsewhere then return nil, ("--set %s: use %s"):format(name, elsewhere) end
  local list, why = parameters.values(list_text, 8)
  if not list then return nil, ("--set %s: %s"):format(name, why) end
  return {name = name, values = list}
end

-- ---- what the steps have ----

-- The globals that a script made must not be in the way of the next one.
local function forget(known, inputs)
  for name in pairs(_G) do
    if not known[name] then rawset(_G, name, nil) end
  end
  inputs.reset()
end

local function names_of(globals)
  local names = {}
  for name in pairs(globals) do names[name] = true end
  return names
end

--- Runs in a child: sends the inputs of each script: path; inputs, or why: what is wrong with the script. The scripts
-- run, but not their OnStart().
-- @tparam string ... paths
function parameters.send_inputs(...)
  local inputs, send = require "clue.mql5.inputs", require("clue.shared.parent").send
  for _, path in ipairs {...} do
    local known = names_of(_G)
    rawset(_G, "arg", {[0] = path})
    local done, why = pcall(dofile, path)
    send(done and {path = path, inputs = inputs.list()} or {path = path, why = tostring(why)})
    forget(known, inputs)
  end
end

--- Asks the steps' scripts for their inputs.
-- @tparam {table,...} steps of @{clue.run.catalogue}
-- @treturn table by the step's path: a list of inputs; for a script that cannot be loaded, empty with the field why
function parameters.of_steps(steps)
  local paths, found = {}, {}
  for i, step in ipairs(steps) do
    paths[i], found[step.path] = step.path, {}
  end
  child.call("clue.run.parameters", "send_inputs", paths, {results = function(answer)
    found[answer.path] = answer.inputs or {why = answer.why}
  end}):follow()
  return found
end

local function is_called(input, name)
  if input.option:lower() == name then return true end
  return any(also[input.option] or {}, function(other) return other == name end)
end

--- The input of a step that a name means.
-- @tparam {table,...} inputs of a step
-- @tparam string name
-- @treturn ?table
function parameters.find(inputs, name)
  for _, input in ipairs(inputs) do
    if is_called(input, name) and not (reserved[input.option] or silent[input.option]) then return input end
  end
end

local every_free_step = "every step that leaves the work-groups' size to the driver"

-- "5, 6"; of steps of several walkthroughs: "amd 6, 7, submatrix 5"
local function numbers_of(steps, several)
  local words, last = {}, nil
  for i, step in ipairs(steps) do
    local of = several and step.path:match "([^/]+)/[^/]+$"
    words[i] = (of and of ~= last and of .. " " or "") .. tostring(step.number)
    last = of
  end
  return (several and "" or #steps == 1 and "step " or "steps ") .. table.concat(words, ", ")
end

-- Whether steps are of several walkthroughs, which are folders.
local function are_several(steps)
  return any(steps, function(step) return step.path:match "^.*/" ~= steps[1].path:match "^.*/" end)
end

-- "tile (steps 5, 6)", "wpt (step 6)"
local function list_of(steps, inputs)
  local names, by_name = {}, {}
  for _, step in ipairs(steps) do
    for _, input in ipairs(inputs[step.path]) do
      local option = input.option
      if not (reserved[option] or silent[option]) then
        if not by_name[option] then
          by_name[option] = {}
          names[#names + 1] = option
        end
        table.insert(by_name[option], step)
      end
    end
  end
  local several = are_several(steps)
  for i, option in ipairs(names) do
    local others = also[option] and " or " .. table.concat(also[option], " or ") or ""
    names[i] = ("%s%s (%s%s)"):format(option, others, numbers_of(by_name[option], several),
      option == parameters.group and "; " .. every_free_step or "")
  end
  if not by_name[parameters.group] then names[#names + 1] = ("%s (%s)"):format(parameters.group, every_free_step) end
  return names
end

--- Why no step has a parameter.
-- @tparam string name
-- @tparam {table,...} steps
-- @tparam table inputs of @{of_steps}
-- @treturn string
function parameters.nobody_has(name, steps, inputs)
  local text = ("--set %s: no chosen step has it; %s: %s"):format(name, #steps == 1 and "the step has" or "they have",
    table.concat(list_of(steps, inputs), ", "))
  for _, step in ipairs(steps) do
    local why = inputs[step.path].why
    if why then text = ("%s; step %s cannot be read: %s"):format(text, tostring(step.number), why) end
  end
  return text
end

-- ---- whether a step takes the values ----

local function is_whole(text)
  return text:find "^%d+$" ~= nil
end

local truth = {["true"] = true, ["false"] = true}

-- What a value must be, if it is not that.
local function demand(input, text)
  if input.kind == "string" then return nil end
  if input.kind == "bool" then return not truth[text] and "true or false" or nil end
  if input.kind == "choice" then
    return not ("|" .. input.value_name .. "|"):find("|" .. text .. "|", 1, true) and "one of " .. input.value_name
  end
  local number = tonumber(text)
  local fits = number and (input.kind == "float" or input.kind == "double" or is_whole(text))
    and number >= (input.low or -math.huge) and number <= (input.high or math.huge)
  if fits then return nil end
  if input.low and input.high then return ("%.9g to %.9g"):format(input.low, input.high) end
  return input.low and ("%.9g or more"):format(input.low) or "a number"
end

--- Why a step does not take a value.
-- @tparam table step
-- @tparam table input
-- @tparam string text the value
-- @treturn ?string
function parameters.refusal(step, input, text)
  local wanted = demand(input, text)
  return wanted and ("'%s' is nothing for step %s, %s: it takes %s"):format(text, tostring(step.number), step.name,
    wanted)
end

--- Why a text is no size of a work-group.
-- @tparam string text
-- @treturn ?string
function parameters.group_refusal(text)
  for part in (text .. "x"):gmatch "([^x]*)x" do
    if not is_whole(part) or tonumber(part) < 1 then
      return ("'%s' is no size of a work-group: give 64, 16x16 or 8x8x4"):format(text)
    end
  end
  local dimensions = select(2, text:gsub("x", "")) + 1
  return dimensions > 3 and ("'%s' has %s; OpenCL has 3"):format(text, counted(dimensions, "dimension")) or nil
end

return parameters
