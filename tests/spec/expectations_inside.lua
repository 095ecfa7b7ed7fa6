-- Runs in a child of walk_expect_spec: what the rows of steps say before they are measured. The steps' scripts run, but
-- not their OnStart(), whose upvalue the row is. A JSON line for each path among the arguments.
local inputs = require "clue.mql5.inputs"
local json = require "dkjson"

-- Lua 5.4 refuses a fraction for %d, LuaJIT cuts it.
local format = string.format

local function strict_format(text, ...)
  local place = 0
  for spec in text:gsub("%%%%", ""):gmatch "%%[%d.+# -]*(%a)" do
    place = place + 1
    local value = select(place, ...)
    if spec == "d" and value % 1 ~= 0 then error(text .. ": no whole number: " .. tostring(value), 0) end
  end
  return format(text, ...)
end

-- Devices with the facts that decide: CPUs and GPUs of several kinds. What no OpenCL device has is an error.
local KINDS = {
  {kind = "cpu", max_compute_units = 2, width = 16, local_mem_type = "global"},
  {kind = "cpu", max_compute_units = 64, width = 4, local_mem_type = "global"},
  {kind = "gpu", max_compute_units = 132, width = 1, local_mem_type = "local"},
  {kind = "gpu", max_compute_units = 10, width = 4, local_mem_type = "global", host_unified_memory = true},
}

local function device(of)
  local facts = {
    kind = of.kind, max_compute_units = of.max_compute_units, local_mem_type = of.local_mem_type,
    local_mem_size = 49152, max_work_group_size = 1024, global_mem_cache_size = 36700672,
    global_mem_cacheline_size = 64, max_constant_buffer_size = 65536,
    host_unified_memory = of.host_unified_memory or of.kind == "cpu",
  }
  for _, name in ipairs {"float", "int", "double"} do
    facts["preferred_vector_width_" .. name], facts["native_vector_width_" .. name] = of.width, of.width
  end
  return setmetatable(facts, {__index = function(_, name) error("no fact of a device: " .. tostring(name)) end})
end

-- The row that a step's OnStart() reports, directly or through a function of the script.
local function row_in(of, seen)
  for i = 1, 60 do
    local name, value = debug.getupvalue(of, i)
    if not name then return nil end
    if name == "row" and type(value) == "table" then return value end
    if type(value) == "function" and not seen[value] then
      seen[value] = true
      local row = row_in(value, seen)
      if row then return row end
    end
  end
end

local function said(row, expectation)
  local list = {}
  string.format = strict_format -- luacheck: ignore 122
  for i, of in ipairs(KINDS) do list[i] = expectation.of(row.expect, device(of)) or false end
  string.format = format -- luacheck: ignore 122
  return list
end

-- The globals that a script made must not be in the way of the next one.
local function forget(known)
  for name in pairs(_G) do
    if not known[name] then rawset(_G, name, nil) end
  end
  inputs.reset()
end

local known = {}
for name in pairs(_G) do known[name] = true end

for _, path in ipairs {unpack(arg)} do
  rawset(_G, "arg", {[0] = path})
  dofile(path)
  local row = assert(row_in(assert(rawget(_G, "OnStart"), path), {}), path)
  local done, list = pcall(said, row, require "clue.result.expectation")
  print(json.encode {path = path, study = row.study, said = done and list or nil, why = not done and list or nil})
  forget(known)
end
