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
-- @module clue.tune.script
local nearest = require "clue.nearest"
local spaces = require "clue.tune.space"

local script = {}

local Script = {}
Script.__index = Script

-- ---- checks ----

-- Which types a field may have. "function" fields get the configuration.
local known = {
  name = "string", kernel_name = "string", source = "string function", options = "string table function",
  tune_params = "table", restrictions = "table", problem_size = "number table function",
  global_size = "number table function", local_size = "number table function", arguments = "table function",
  launch = "function", answer = "table function", verify = "function", reference = "table", rtol = "number",
  atol = "number", metrics = "table", objective = "string", flops = "number function", bytes = "number function",
  size = "number table",
}

local function fail(text, ...)
  error("the space: " .. text:format(...), 0)
end

local function check_fields(of)
  for name, given in pairs(of) do
    local types = known[name]
    if not types then
      local meant = type(name) == "string" and nearest(name, known)
      fail("there is no field %s%s", tostring(name), meant and (" (is %s meant?)"):format(meant) or "")
    end
    if not types:find(type(given), 1, true) then
      fail("%s must be a %s, not a %s", name, types:gsub(" (%a+)$", " or a %1"):gsub(" (%a+) or", ", a %1 or"),
        type(given))
    end
  end
end

local function check_needs(of)
  if not of.tune_params then fail "tune_params is missing" end
  if of.launch then
    if not of.verify then fail "launch needs verify(p, context, queue): only the script knows what it computes" end
    return
  end
  if not of.source then fail "source is missing: OpenCL C, or a function that returns it" end
  if not of.kernel_name then fail "kernel_name is missing" end
  if not of.arguments then fail "arguments is missing: the list of the kernel's arguments" end
  if not (of.problem_size or of.global_size) then fail "problem_size or global_size is missing" end
  if not (of.answer or of.verify or of.reference) then
    fail "answer, reference or verify is missing: every configuration is verified, lest a fast wrong one wins"
  end
end

local function check_metrics(of)
  for name, metric in pairs(of.metrics or {}) do
    if type(metric) ~= "function" then fail("metrics.%s must be a function of p and the seconds", tostring(name)) end
  end
  local objective = of.objective or "time"
  if objective ~= "time" and not (of.metrics or {})[objective] then
    fail("objective must be 'time' or one of metrics, not '%s'", objective)
  end
end

-- ---- loading ----

--- Runs a space script.
-- @tparam string path
-- @treturn Script with the script's fields, name (the file's, unless it has one), path. Raises what is wrong
function script.load(path)
  local chunk, why = loadfile(path)
  if not chunk then error(why, 0) end
  arg = {[0] = path} -- luacheck: ignore
  local of = chunk(path)
  if type(of) ~= "table" then
    error(("%s: a space script returns a table (tune_params, kernel_name, source, ...), not %s"):format(path,
      of == nil and "nothing" or "a " .. type(of)), 0)
  end
  check_fields(of)
  check_needs(of)
  check_metrics(of)
  local self = setmetatable({of = of, path = path}, Script)
  self.name = of.name or path:match "([^/]*)%.[^./]*$" or path:match "[^/]*$"
  return self
end

--- The configurations.
-- @treturn Space
function Script:space()
  return spaces.new {tune_params = self.of.tune_params, restrictions = self.of.restrictions}
end

-- ---- what follows from a configuration ----

-- A field's value, which may be a function of the configuration.
local function value_of(self, name, p, ...)
  local given = self.of[name]
  if type(given) == "function" then return given(p, ...) end
  return given
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

--- The size of a work-group: local_size, or block_size_x, block_size_y and block_size_z.
-- @tparam table p configuration
-- @treturn ?{number,...} nil: the driver chooses
function Script:local_size(p)
  local given = value_of(self, "local_size", p)
  if given then return sizes_of(given, "local_size") end
  if not p.block_size_x then return nil end
  return {p.block_size_x, p.block_size_y, p.block_size_y and p.block_size_z}
end

--- The size of the range: global_size or problem_size, rounded up to whole work-groups.
-- @tparam table p configuration
-- @treturn {number,...}
function Script:global_size(p)
  local sizes, group = {}, self:local_size(p) or {}
  local given = sizes_of(value_of(self, "global_size", p) or value_of(self, "problem_size", p), "global_size")
  for i, size in ipairs(given) do
    local multiple = group[i] or 1
    sizes[i] = math.ceil(size / multiple) * multiple
  end
  for i = #sizes + 1, #group do sizes[i] = group[i] end
  return sizes
end

--- The program's text.
-- @tparam table p configuration
-- @treturn string
function Script:source(p)
  return value_of(self, "source", p)
end

--- The build options: those of the script, and every parameter as a macro of its name (true: 1, false: 0).
-- @tparam table p configuration
-- @treturn table for context:program
function Script:options(p)
  local given, options = value_of(self, "options", p) or {}, {defines = {}}
  if type(given) == "string" then given = {given} end
  for name, option in pairs(given) do options[name] = option end
  local defines = {}
  for name, value in pairs(p) do defines[name] = type(value) == "boolean" and (value and 1 or 0) or value end
  for name, value in pairs(given.defines or {}) do defines[name] = value end
  options.defines = defines
  return options
end

--- The kernel's arguments.
-- @tparam table p configuration
-- @tparam context context
-- @treturn {any,...} host arrays stand for buffers with their elements
function Script:arguments(p, context)
  return value_of(self, "arguments", p, context)
end

--- The tolerance of the comparison with the answer.
-- @treturn table relative, absolute: for array:allclose
function Script:tolerance()
  return {relative = self.of.rtol or 1e-5, absolute = self.of.atol or 1e-6}
end

-- ---- results ----

--- The metrics of a measured configuration.
-- @tparam table p configuration
-- @tparam number seconds
-- @treturn table number by name
function Script:metrics(p, seconds)
  local found = {}
  for name, metric in pairs(self.of.metrics or {}) do found[name] = metric(p, seconds) end
  return found
end

--- What the search makes small.
-- @tparam table p configuration
-- @tparam number seconds
-- @treturn number seconds, or 1 divided by the metric that is the objective
function Script:cost(p, seconds)
  local objective = self.of.objective or "time"
  if objective == "time" then return seconds end
  local value = self.of.metrics[objective](p, seconds)
  return value > 0 and 1 / value or math.huge
end

--- The rate of a measured configuration in a unit of the device's peak.
-- @tparam table p configuration
-- @tparam number seconds
-- @treturn ?number operations or bytes in a second; nil if the script has neither flops nor bytes
-- @treturn ?string "flops" or "bytes"
function Script:rate(p, seconds)
  for _, name in ipairs {"flops", "bytes"} do
    local amount = value_of(self, name, p)
    if amount then return amount / seconds, name end
  end
end

return script
