--- A space script: an ordinary script that returns a table, in the words of Kernel Tuner where it has them.
--
--     return {
--       kernel_name = "scale", source = [[kernel void scale(global float *x) { ... }]],
--       tune_params = {block_size_x = {32, 64, 128}, VECTOR = {1, 2, 4}},
--       problem_size = 2 ^ 20,
--       global_size = function(p) return 2 ^ 20 / p.VECTOR end,
--       arguments = {x}, answer = {expected},
--     }
--
-- docs/reference/tuning.md describes the fields. The parent loads the script too, for its parameters, so the script's
-- own lines must not need a device.
--
-- Parameters with one meaning everywhere: p, a configuration: its values by name; context, of the device; seconds, of
-- a run.
local build_log = require "clue.build_log"
local captured = require "clue.captured"
local c_text = require "clue.shared.c_text"
local hint = require "clue.hint"
local keys = require("clue.shared.list").keys
local length_of = require("clue.argument").length
local nearest = require "clue.nearest"
local output = require "clue.output"
local shown = require "clue.shown"
local spaces = require "clue.tune.search.space"

local script = {}

local KERNEL_TUNER = "clue help from-kernel-tuner.md"

local Script = {}
Script.__index = Script

-- ---- checks ----

-- Which types a field may have. "function" fields get the configuration.
local known = {
  name = "string", kernel_name = "string", source = "string function", options = "string table function",
  tune_params = "table", restrictions = "table string function", problem_size = "number table function",
  global_size = "number table function", local_size = "number table function", arguments = "table function",
  launch = "function", answer = "table function", verify = "function", reference = "table", rtol = "number",
  atol = "number", metrics = "table", objective = "string", flops = "number function", bytes = "number function",
  size = "number table", first = "table",
}

local function fail(text, ...)
  error("the space: " .. text:format(...), 0)
end

-- Types as text: "a string, table or function".
local function words_of(types)
  return "a " .. types:gsub(" (%a+)$", " or %1"):gsub(" (%a+) or", ", %1 or")
end

-- What fields of Kernel Tuner are called here.
local elsewhere = {
  grid_div = "global_size: a function of p that gives the work-items, which are rounded up to whole work-groups",
  kernel_source = "source", kernel_string = "source", compiler_options = "options",
  block_size_names = "local_size: a function of p",
  smem_args = "arguments: cl.local_memory(bytes) is one", cmem_args = "arguments", texmem_args = "arguments",
  lang = "nothing: kernels are OpenCL C", device = "--device", platform = "--device", strategy = "--strategy",
  strategy_options = "--evaluations, --seconds and --seed", iterations = "nothing: a run measures until it is sure",
  cache = "--results and --resume", simulation_mode = "--simulate",
  objective_higher_is_better = "objective: more of a metric is better",
}
for _, dimension in ipairs {"x", "y", "z"} do elsewhere["grid_div_" .. dimension] = elsewhere.grid_div end

local function check_tolerance(of)
  for _, name in ipairs {"rtol", "atol"} do
    local given = of[name]
    if given and (given < 0 or given ~= given) then fail("%s must be 0 or more, not %s", name, shown.of(given)) end
  end
end

local function check_fields(of)
  for _, name in ipairs(keys(of)) do
    local given, types = of[name], known[name]
    if not types then
      if elsewhere[name] then fail("%s is Kernel Tuner's; here it is %s (%s)", name, elsewhere[name], KERNEL_TUNER) end
      local meant = type(name) == "string" and nearest(name, known)
      fail("there is no field %s%s", tostring(name), meant and (" (is %s meant?)"):format(meant) or "")
    end
    if not types:find(type(given), 1, true) then
      fail("%s must be %s, not a %s", name, words_of(types), type(given))
    end
  end
end

-- What a space must have, unless a captured call has it: one of the names.
local needs = {
  {{"source"}, "source is missing: OpenCL C, or a function that returns it"},
  {{"kernel_name"}, "kernel_name is missing"},
  {{"arguments"}, "arguments is missing: the list of the kernel's arguments"},
  {{"problem_size", "global_size"}, "problem_size or global_size is missing"},
  {{"answer", "verify", "reference"},
   "answer, reference or verify is missing: every configuration is verified, lest a fast wrong one wins"},
}

local function check_needs(of, call)
  if not of.tune_params then fail "tune_params is missing" end
  if of.launch then
    if not of.verify then fail "launch needs verify(p, context, queue): only the script knows what it computes" end
    return
  end
  if call then return end
  for _, need in ipairs(needs) do
    local found = false
    for _, name in ipairs(need[1]) do found = found or of[name] ~= nil end
    if not found then fail("%s", need[2]) end
  end
end

local function check_source(of)
  local remedy = build_log.is_name(of.source)
  if remedy then fail("source = '%s' %s", of.source, remedy) end
end

-- Each parameter becomes a macro, unless the script builds its kernels itself.
local function check_parameters(of)
  if of.launch then return end
  for _, name in ipairs(keys(of.tune_params)) do
    if type(name) == "string" then
      local why = not name:find "^[%a_][%w_]*$" and "is no identifier" or name == "defined" and "is the preprocessor's"
        or c_text.class(name) and "is a word of OpenCL C"
      if why then fail("tune_params['%s']: %s, so it cannot be a macro: give it another name", name, why) end
    end
  end
end

-- What a captured call gives a space that does not have it.
local function take_capture(of, call)
  if of.launch then fail "launch does not go with --capture: the captured call gives the kernel" end
  of.kernel_name = of.kernel_name or call.kernel
  if not (of.problem_size or of.global_size) then of.global_size, of.size = call.global, of.size or call.global end
  local blocks = (of.tune_params or {}).block_size_x
  if not (of.local_size or blocks) then of.local_size = call.local_size end
end

local function check_metrics(of)
  if (of.metrics or {}).time then fail "metrics.time: the time is kept anyway; give the metric another name" end
  for _, name in ipairs(keys(of.metrics)) do
    if type(of.metrics[name]) ~= "function" then
      fail("metrics.%s must be a function of p and the seconds", tostring(name))
    end
  end
  local objective = of.objective or "time"
  if objective ~= "time" and not (of.metrics or {})[objective] then
    fail("objective must be 'time' or one of metrics, not '%s'", objective)
  end
end

-- ---- loading ----

--- Runs a space script.
-- @tparam string path
-- @tparam[opt] table options words: the script's arg; capture: the folder of a captured call, which gives the kernel,
--   its arguments and the answer as far as the space does not
-- @treturn Script with the script's fields, name (the file's, unless it has one), path. Raises what is wrong
function script.load(path, options)
  options = options or {}
  local chunk, why = loadfile(path)
  if not chunk then
    local meant = hint.of(why)
    error(meant and ("%s\nhint: %s"):format(why, meant) or why, 0)
  end
  local words = {[0] = path}
  for i, word in ipairs(options.words or {}) do words[i] = word end
  arg = words -- luacheck: ignore
  local of = chunk(path)
  if type(of) ~= "table" then
    error(("%s: a space script returns a table (tune_params, kernel_name, source, ...), not %s; `clue new space NAME` "
      .. "makes one"):format(path, of == nil and "nothing" or "a " .. type(of)), 0)
  end
  check_fields(of)
  local call = options.capture and captured.load(options.capture)
  check_needs(of, call)
  check_parameters(of)
  check_source(of)
  if call then take_capture(of, call) end
  check_metrics(of)
  check_tolerance(of)
  local self = setmetatable({of = of, path = path, captured = call}, Script)
  self.name = of.name or path:match "([^/]*)%.[^./]*$" or path:match "[^/]*$"
  if self.name == "" or self.name:find("/", 1, true) then
    fail("name must do as the name of a file, unlike '%s'", self.name)
  end
  return self
end

--- The configurations to measure before the search chooses.
-- @tparam Space space
-- @treturn {int,...} their numbers. Raises why one is not valid
function Script:first(space)
  local list, first = {}, self.of.first or {}
  local count, key = length_of(first)
  if not count then fail("first is a list of configurations, {{...}}: it has the key %s", tostring(key)) end
  for i = 1, count do
    local p = first[i]
    local why = space:why_not(p)
    if why then fail("first[%d]: %s", i, why) end
    list[i] = space:index(p)
  end
  return list
end

-- ---- what follows from a configuration ----

-- What a function need not return.
local may_be_nil = {options = true, local_size = true, flops = true, bytes = true}

-- A field's value, which may be a function of the configuration.
local function value_of(self, name, p, ...)
  local given = self.of[name]
  if type(given) ~= "function" then return given end
  local value, types = given(p, ...), known[name]:gsub(" ?function", "")
  if value == nil and may_be_nil[name] or value ~= nil and types:find(type(value), 1, true) then return value end
  return fail("%s must return %s, not %s", name, words_of(types), value == nil and "nothing" or "a " .. type(value))
end

local function sizes_of(given, name)
  if type(given) == "number" then given = {given} end
  if type(given) ~= "table" or not given[1] or #given > 3 then fail("%s must be one to three numbers", name) end
  for i, size in ipairs(given) do
    if type(size) ~= "number" or size < 1 or size ~= size then
      fail("%s[%d] must be a number of 1 or more, not %s", name, i, tostring(size))
    end
  end
  return given
end

local function range_of(self, p)
  return sizes_of(value_of(self, "global_size", p) or value_of(self, "problem_size", p), "global_size")
end

--- The size of a work-group: local_size, or block_size_x, block_size_y and block_size_z, of which a missing one is 1.
-- @treturn ?{number,...} nil: the driver chooses
function Script:local_size(p)
  local given = value_of(self, "local_size", p)
  if given then return sizes_of(given, "local_size") end
  local x, y, z = p.block_size_x, p.block_size_y, p.block_size_z
  if not (x or y or z) then return nil end
  local sizes, range = {x or 1, y or z and 1, z}, range_of(self, p)
  for i = #sizes + 1, #range do sizes[i] = 1 end
  return sizes
end

--- The size of the range: global_size or problem_size, rounded up to whole work-groups.
-- @treturn {number,...}
function Script:global_size(p)
  local sizes, group = {}, self:local_size(p) or {}
  for i, size in ipairs(range_of(self, p)) do
    local multiple = group[i] or 1
    sizes[i] = math.ceil(size / multiple) * multiple
  end
  for i = #sizes + 1, #group do sizes[i] = group[i] end
  return sizes
end

--- The program's text.
function Script:source(p)
  return value_of(self, "source", p) or self.captured and self.captured:source() or ""
end

local function defined_twice(name, where)
  fail("%s and tune_params.%s define the same macro: leave one out", where, name)
end

local function check_words(p, origin, text)
  if type(text) ~= "string" then return end
  for option, name in text:gsub("%-([DU])%s+", "-%1"):gmatch "%-([DU])([%w_]+)" do
    if p[name] ~= nil then defined_twice(name, ("%s: -%s %s"):format(origin, option, name)) end
  end
end

local function check_options(p, macros, words)
  for _, name in ipairs(keys(macros)) do
    if p[name] ~= nil then defined_twice(name, "options.defines." .. name) end
  end
  for _, text in ipairs(words) do check_words(p, "options", text) end
  check_words(p, "CLUE_BUILD_OPTIONS", os.getenv "CLUE_BUILD_OPTIONS")
end

-- The build options: those of the script, and every parameter as a macro of its name (true: 1, false: 0).
local function options_of(self, p)
  local given, options = value_of(self, "options", p) or {}, {defines = {}}
  if type(given) == "string" then given = {given} end
  local macros = given.defines
  if macros ~= nil and type(macros) ~= "table" then fail("options.defines must be a table, not a %s", type(macros)) end
  for name, option in pairs(given) do options[name] = option end
  check_options(p, macros or {}, given)
  local defines = {}
  for name, value in pairs(macros or {}) do defines[name] = value end
  for name, value in pairs(p) do defines[name] = type(value) == "boolean" and (value and 1 or 0) or value end
  options.defines = defines
  return options
end

--- How a configuration is built and launched.
-- @treturn ?table kernel, source, defines, global_size, local_size (nil: the driver chooses); nil if the script
--   launches its kernels itself
function Script:call(p)
  if self.of.launch then return nil end
  return {kernel = self.of.kernel_name, source = self:source(p), defines = options_of(self, p).defines,
          global_size = self:global_size(p), local_size = self:local_size(p)}
end

-- A definition in the source would replace the parameter's. Every compiler warns of it.
local function check_log(p, log)
  for name in log:gmatch "'([%w_]+)' macro redefined" do
    if p[name] ~= nil then defined_twice(name, ("#define %s in the source"):format(name)) end
  end
end

--- Builds the program.
-- @treturn program
function Script:program(p, context)
  local options = options_of(self, p)
  local program = self.of.source and context:program(self:source(p), options)
    or self.captured:program(context, options)
  check_log(p, program.log or "")
  return program
end

--- The configurations. Raises what can be known to be wrong with the space before anything is built.
-- @treturn Space
function Script:space()
  local of = self.of
  local space = spaces.new({tune_params = of.tune_params, restrictions = of.restrictions}, function(found, share)
    output.progress(("listing the valid configurations: %d found in %.0f %%"):format(found, share * 100))
  end)
  output.clear_progress()
  local wrong = of.reference and space:wrong_names(of.reference)
  if wrong then fail("reference: %s", wrong) end
  if not of.launch then options_of(self, space:configuration(1)) end
  return space
end

--- The kernel's arguments.
-- @treturn ?{any,...} host arrays stand for buffers with their elements; nil: those of the captured call
function Script:arguments(p, context)
  return value_of(self, "arguments", p, context)
end

--- The offset of the range.
-- @treturn ?{number,...} nil unless a captured call has one
function Script:offset()
  return self.captured and self.captured.offset
end

local function captured_answer(call)
  local answer = {}
  for number, argument in ipairs(call.arguments) do
    if argument.contents_of == number - 1 then
      answer[number] = call:contents(number - 1, "after") or error(("the call in '%s' did not finish when it was "
        .. "captured: the space must give answer, reference or verify"):format(call.folder), 0)
    end
  end
  return answer
end

--- The arrays that every configuration must compute.
-- @treturn ?table by the argument's number, from 1; nil: only verify or a reference configuration knows
function Script:answer()
  local of = self.of
  if of.answer then return value_of(self, "answer") end
  return self.captured and not of.verify and captured_answer(self.captured) or nil
end

--- The tolerance of the comparison with the answer.
-- @treturn table relative, absolute: for array:allclose
function Script:tolerance()
  return {relative = self.of.rtol or 1e-5, absolute = self.of.atol or 1e-6}
end

-- ---- results ----

-- A value with which nothing can be computed fails its configuration.
local function refuse(name, wanted, value)
  error({failed = "constraints", text = ("metrics.%s must be %s, not %g"):format(name, wanted, value)}, 0)
end

local function metric_of(self, name, p, seconds)
  local value = self.of.metrics[name](p, seconds)
  if type(value) ~= "number" then
    fail("metrics.%s must return a number, not %s", name, value == nil and "nothing" or "a " .. type(value))
  end
  if value - value ~= 0 then refuse(name, "a finite number", value) end
  return value
end

--- The metrics of a measured configuration.
-- @treturn table number by name. Raises {failed = word, text = sentence} if one is not finite
function Script:metrics(p, seconds)
  local found = {}
  for name in pairs(self.of.metrics or {}) do found[name] = metric_of(self, name, p, seconds) end
  return found
end

--- What the search makes small.
-- @treturn number seconds, or 1 divided by the metric that is the objective. Raises {failed = word, text = sentence}
--   if the metric is not finite, or negative
function Script:cost(p, seconds)
  local objective = self.of.objective or "time"
  if objective == "time" then return seconds end
  local value = metric_of(self, objective, p, seconds)
  if value < 0 then refuse(objective, "0 or more, being the objective, of which more is better", value) end
  return value > 0 and 1 / value or math.huge
end

--- The rate of a measured configuration in a unit of the device's peak.
-- @treturn ?number operations or bytes in a second; nil if the script has neither flops nor bytes
-- @treturn ?string "flops" or "bytes"
function Script:rate(p, seconds)
  for _, name in ipairs {"flops", "bytes"} do
    local amount = value_of(self, name, p)
    if amount then return amount / seconds, name end
  end
end

return script
