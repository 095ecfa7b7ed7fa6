-- docs/reference/objects.md names every public name of the object layer, and no others.
-- suite: quick
-- process: shared
-- drivers: pocl

local support = require "support"
local cl = require "clue"
local binding = require "clue.binding"
local driver = require "driver"
local help = require "clue.repl.help"

local page = support.read "docs/reference/objects.md"

-- ---- the names in the page's code spans: "queue:finish()", "event.status", "cl.device.get()" ----

local kinds = {context = true, queue = true, program = true, kernel = true, buffer = true, image = true,
               sampler = true, svm = true, event = true, graph = true, device = true, array = true, object = true}

-- The text before the tables, and the second column of each: the first column has PyOpenCL's names.
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

-- ---- the names in the object layer ----

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
             graph = {queue:record(function(commands) kernel(commands, 1, nil, x) end)},
             image = {context:image {width = 2, height = 2}}, sampler = {context:sampler()}, device = {context.device}}
  objects.svm = #(context.device.svm_capabilities or {}) > 0 and {context:svm(16)} or nil
end)

-- Ends the test if the device has no such objects.
local function needs(kind)
  if kind ~= "array" and not objects[kind] then pending("the device has no " .. kind) end
end

local function methods_of(kind)
  if kind == "array" then return cl.array.methods() end
  return getmetatable(objects[kind][1]).methods
end

-- The field's value in the first sample that has it; nil if none does.
local function field_of(kind, name)
  for _, sample in ipairs(objects[kind]) do
    local done, value = pcall(function() return sample[name] end)
    if done and value ~= nil then return value end
  end
end

local common = {handle = true, kind = true, close = true} -- of every object: object.handle, ...
-- Internal fields of objects.
local private = {check = true, copies_sooner = true, count = true, elements = true, held = true, kept = true,
                 lent = true, plan = true, usual = true, waits = true, what = true}
-- Only images in buffers have the first; the others need a device with sub-groups.
local empty = {["image.buffer"] = true, ["kernel.max_num_sub_groups"] = true, ["kernel.compile_num_sub_groups"] = true}
local moments = {["event.queued"] = true, ["event.submitted"] = true, ["event.started"] = true, ["event.ended"] = true}

local function types_left_out(names, prefix)
  for name in pairs(names) do
    if binding.type_codes[name:sub(#prefix + 1)] then names[name] = nil end
  end
  return names
end

-- The full names of a table's fields.
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

-- The members of the left set that the right one lacks, in order.
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
                         "graph", "device", "array"} do
    it("names every method and no others: " .. kind, function()
      needs(kind)
      local exported, named = {}, starting_with(documented.methods, kind .. ":")
      for name in pairs(methods_of(kind)) do
        if not common[name] then exported[kind .. ":" .. name] = true end
      end
      assert.same({}, beyond(exported, named), "not documented")
      assert.same({}, beyond(named, exported), "not there")
    end)
  end

  for _, kind in ipairs {"context", "queue", "program", "kernel", "buffer", "image", "sampler", "svm", "event",
                         "graph", "device"} do
    it("names every field and no others: " .. kind, function()
      needs(kind)
      local exported, named = {}, starting_with(documented.fields, kind .. ".")
      for _, sample in ipairs(objects[kind]) do
        for name in pairs(sample) do exported[kind .. "." .. name] = not (common[name] or private[name]) or nil end
      end
      -- A device's properties are those of OpenCL; the page shows them by examples.
      local properties = getmetatable(objects[kind][1]).properties
      for name in pairs(kind ~= "device" and properties or {}) do exported[kind .. "." .. name] = true end
      assert.same({}, beyond(exported, named), "not documented")
      local no_timer = driver.no_timer(device)
      for name in pairs(named) do
        if not empty[name] and not (no_timer and moments[name]) then
          assert.is_not_nil(field_of(kind, name:match "%.(.*)"), name .. " is not there")
        end
      end
      if no_timer and kind == "event" then pending(no_timer) end
    end)
  end

  it("names the fields that all objects have", function()
    for kind, samples in pairs(objects) do
      assert.is_function(samples[1].close, kind)
      assert.equal(kind, getmetatable(samples[1]).kind or "device")
      assert.is_true(kind == "device" or samples[1].kind == kind)
    end
    assert.is_true(documented.fields["object.handle"] and documented.fields["object.kind"]
      and documented.methods["object:close"])
  end)

  it("names everything in require 'clue' and nothing else", function()
    local exported = names_in(cl, "cl.")
    -- Modules that are loaded when first used are listed in a table of init.lua.
    for name in support.read("bindings/clue/init.lua"):match("\nlocal lazily = (%b{})"):gmatch "([%l_]+) =" do
      assert.is_not_nil(cl[name])
      exported["cl." .. name] = true
    end
    for _, name in ipairs {"array", "device", "error", "value"} do
      for full in pairs(names_in(cl[name], "cl." .. name .. ".")) do exported[full] = true end
    end
    local named = types_left_out(documented.cl, "cl.")
    for _, name in ipairs {"array", "device", "error"} do
      named["cl." .. name] = true -- the page names their fields
      named = types_left_out(named, "cl." .. name .. ".")
    end
    assert.same({}, beyond(exported, named), "not documented")
    assert.same({}, beyond(named, exported), "not there")
  end)

  it("has the parameters that help shows", function()
    local examples, checked = {["cl.array.seed"] = true}, 0
    for span in ours(page):gmatch "`([^`\n]+)`" do
      local name, parameters = span:match "^([%l_]+[:.][%l_.]+)(%b())$"
      local kind, last = (name or ""):match "^(%l+)[:.].-([%l_]+)$"
      local is_name = name and (name:find "^cl%." or kinds[kind] and name:find ":") and kind ~= "object"
      if is_name and not examples[name] and not binding.type_codes[last] then
        local full = name:gsub("^cl%.(%l+%.)", "%1") .. parameters
        local text = "\n" .. help.text((full:match "^[^(]*"))
        assert.truthy(text:find("\n" .. full .. "\n", 1, true) or text:sub(-#full - 1) == "\n" .. full, full)
        checked = checked + 1
      end
    end
    assert.is_true(checked > 140, tostring(checked))
  end)

  it("is read correctly, so that a missing name is found", function()
    assert.same({"b"}, beyond({a = true, b = true}, {a = true}))
    assert.is_true(next(documented.methods) ~= nil and next(documented.fields) ~= nil and next(documented.cl) ~= nil)
    assert.is_true(documented.methods["queue:finish"] and documented.fields["event.status"])
  end)
end)
