-- docs/reference/objects.md names every public name of the object layer, and nothing else: both ways.

local support = require "support"
local cl = require "clue"
local binding = require "clue.binding"
local driver = require "driver"

local page = support.read "docs/reference/objects.md"

-- ---- what the page names: in code spans, "queue:finish()", "event.status", "cl.device.get()" ----

local kinds = {context = true, queue = true, program = true, kernel = true, buffer = true, image = true,
               sampler = true, svm = true, event = true, device = true, array = true, object = true}

-- The second column of its tables, and the text before them: the first has PyOpenCL's names.
local function ours(text)
  local parts = {text:match "^(.-)\n## "}
  for row in text:gmatch "\n|([^\n]*)" do parts[#parts + 1] = row:match "^[^|]*|(.*)$" end
  return table.concat(parts, "\n"):gsub("```.-```", "")
end

local documented = {methods = {}, fields = {}, cl = {}}
for span in ours(page):gmatch "`([^`\n]+)`" do
  for kind, name in (" " .. span):gmatch "[^%w_.](%l+):([%l_]+)" do
    if kinds[kind] then documented.methods[kind .. ":" .. name] = true end
  end
  for kind, name in (" " .. span):gmatch "[^%w_.](%l+)%.([%l_]+)" do
    if kinds[kind] then documented.fields[kind .. "." .. name] = true end
  end
  for name in (" " .. span):gmatch "[^%w_.](cl%.[%l_.]*[%l_])" do documented.cl[name] = true end
end

-- ---- what there is ----

local objects, device

setup(function()
  require("clue.options").quiet = true
  local context = cl.context(0)
  device = context.device
  local queue, x = context:queue(), context:buffer(4096)
  local program = context:program "kernel void f(global int *x) { x[0] = 1; }"
  local kernel = program:kernel "f"
  objects = {context = {context}, queue = {queue}, program = {program}, kernel = {kernel},
             buffer = {x, x:sub_buffer {offset = 0, size = 8}},
             event = {kernel(queue, 1, nil, x):wait(), context:user_event()},
             image = {context:image {width = 2, height = 2}}, sampler = {context:sampler()}, device = {context.device}}
  objects.svm = #(context.device.svm_capabilities or {}) > 0 and {context:svm(16)} or nil
end)

-- Ends a test of objects that the device does not have.
local function needs(kind)
  if kind ~= "array" and not objects[kind] then pending("the device has no " .. kind) end
end

local function methods_of(kind)
  if kind == "array" then return cl.array.methods() end
  return getmetatable(objects[kind][1]).methods
end

-- A field of one of the samples; nil where none has it.
local function field_of(kind, name)
  for _, sample in ipairs(objects[kind]) do
    local done, value = pcall(function() return sample[name] end)
    if done and value ~= nil then return value end
  end
end

local common = {handle = true, kind = true, close = true} -- of every object: object.handle, ...
local private = {guard = true, held = true, what = true}  -- what objects keep to themselves
local empty = {["image.buffer"] = true}                   -- documented of images in buffers alone
local moments = {["event.queued"] = true, ["event.submitted"] = true, ["event.started"] = true, ["event.ended"] = true}

local function types_left_out(names, prefix)
  for name in pairs(names) do
    if binding.type_codes[name:sub(#prefix + 1)] then names[name] = nil end
  end
  return names
end

-- Full names of what a table holds.
local function names_in(held, prefix)
  local names = {}
  for name in pairs(held) do
    if type(name) == "string" then names[prefix .. name] = true end
  end
  return types_left_out(names, prefix)
end

local function starting_with(names, prefix)
  local found = {}
  for name in pairs(names) do
    if name:sub(1, #prefix) == prefix and not name:sub(#prefix + 1):find("%.") then found[name] = true end
  end
  return types_left_out(found, prefix)
end

-- What one set has and the other has not, in order.
local function beyond(left, right)
  local list = {}
  for name in pairs(left) do
    if not right[name] then list[#list + 1] = name end
  end
  table.sort(list)
  return list
end

describe("docs/reference/objects.md", function()
  for _, kind in ipairs {"context", "queue", "program", "kernel", "buffer", "image", "sampler", "svm", "event",
                         "device", "array"} do
    it("names every method, and none that is not there: " .. kind, function()
      needs(kind)
      local exported, told = {}, starting_with(documented.methods, kind .. ":")
      for name in pairs(methods_of(kind)) do
        if not common[name] then exported[kind .. ":" .. name] = true end
      end
      assert.same({}, beyond(exported, told), "not documented")
      assert.same({}, beyond(told, exported), "not there")
    end)
  end

  for _, kind in ipairs {"context", "queue", "program", "kernel", "buffer", "image", "sampler", "svm", "event",
                         "device"} do
    it("names every field, and none that is not there: " .. kind, function()
      needs(kind)
      local exported, told = {}, starting_with(documented.fields, kind .. ".")
      for _, sample in ipairs(objects[kind]) do
        for name in pairs(sample) do exported[kind .. "." .. name] = not (common[name] or private[name]) or nil end
      end
      -- A device's properties are OpenCL's, and in the page by an example.
      local properties = getmetatable(objects[kind][1]).properties
      for name in pairs(kind ~= "device" and properties or {}) do exported[kind .. "." .. name] = true end
      assert.same({}, beyond(exported, told), "not documented")
      local no_timer = driver.no_timer(device)
      for name in pairs(told) do
        if not empty[name] and not (no_timer and moments[name]) then
          assert.is_not_nil(field_of(kind, name:match "%.(.*)"), name .. " is not there")
        end
      end
      if no_timer and kind == "event" then pending(no_timer) end
    end)
  end

  it("names what all objects have", function()
    for kind, samples in pairs(objects) do
      assert.is_function(samples[1].close, kind)
      assert.equal(kind, getmetatable(samples[1]).kind or "device")
    end
    assert.is_true(documented.fields["object.handle"] and documented.fields["object.kind"]
      and documented.methods["object:close"])
  end)

  it("names everything in require 'clue', and nothing that is not there", function()
    local exported = names_in(cl, "cl.")
    -- What is loaded when it is first asked for stands in a table of the module's own.
    for name in support.read("bindings/clue/init.lua"):match("\nlocal lazily = (%b{})"):gmatch "([%l_]+) =" do
      assert.is_not_nil(cl[name])
      exported["cl." .. name] = true
    end
    for _, name in ipairs {"array", "device", "error", "value"} do
      for full in pairs(names_in(cl[name], "cl." .. name .. ".")) do exported[full] = true end
    end
    local told = types_left_out(documented.cl, "cl.")
    for _, name in ipairs {"array", "device", "error"} do
      told["cl." .. name] = true -- by what is in them
      told = types_left_out(told, "cl." .. name .. ".")
    end
    assert.same({}, beyond(exported, told), "not documented")
    assert.same({}, beyond(told, exported), "not there")
  end)

  it("would tell what is missing", function()
    assert.same({"b"}, beyond({a = true, b = true}, {a = true}))
    assert.is_true(next(documented.methods) ~= nil and next(documented.fields) ~= nil and next(documented.cl) ~= nil)
    assert.is_true(documented.methods["queue:finish"] and documented.fields["event.status"])
  end)
end)
