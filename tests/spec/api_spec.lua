-- The reference and the annotations for editors are complete and invent nothing: they are made by docs/api/generate.lua
-- from the comments in the sources (LDoc) and from the names at run time.
-- suite: whole

local support = require "support"

package.path = require("lfs").currentdir() .. "/docs/api/parts/?.lua;" .. package.path

local facts = require "facts"
local names = require "names"
local surface = require "surface"
local types = require "types"

local topics, complaints, calls, folder

setup(function()
  topics, complaints = surface.read()
  calls = names.functions()
  folder = support.folder()
  for _, what in ipairs {"pages", "luacats"} do
    support.clean(support.run {"docs/api/generate.lua", what, folder .. "/" .. what})
  end
end)

local function each_function(call)
  for _, topic in ipairs(topics) do
    for _, f in ipairs(topic.functions) do call(f, topic) end
  end
end

local function sorted(set)
  local list = {}
  for name in pairs(set) do list[#list + 1] = name end
  table.sort(list)
  return list
end

-- What only the left set has.
local function beyond(left, right)
  local found = {}
  for name in pairs(left) do found[name] = not right[name] or nil end
  return sorted(found)
end

describe("the comments", function()
  it("are all read by LDoc, which complains about none", function()
    assert.equal("", complaints)
  end)

  it("say what each public function does, with types that exist", function()
    assert.same({}, surface.faults(topics))
  end)

  it("are about functions that exist, also in the modules of walkthroughs' steps", function()
    support.clean(support.run {"docs/api/generate.lua", "check"})
  end)

  it("describe every constant of MQL5", function()
    local described, there = {}, {}
    for _, topic in ipairs(topics) do
      for _, constant in ipairs(topic.constants) do
        assert.is_true(constant.text ~= "", constant.name)
        described[constant.name] = true
      end
    end
    local tables = {array = true, input = true}
    for name, value in pairs(require "clue.mql5") do
      local is_called = type(value) == "function" or type(value) == "table" and (getmetatable(value) or {}).__call
      there[name] = not is_called and not tables[name] or nil
    end
    assert.same({}, beyond(there, described))
    assert.same({}, beyond(described, there))
  end)
end)

describe("the fields of objects", function()
  local samples

  setup(function()
    require("clue.options").quiet = true
    local cl = require "clue"
    local context = cl.context(0)
    local queue, buffer = context:queue(), context:buffer(64)
    local program = context:program "kernel void f(global int *x) { x[0] = 1; }"
    local kernel = program:kernel "f"
    local _, problem = pcall(context.program, context, "no program")
    samples = {
      context = context, queue = queue, buffer = buffer, program = program, kernel = kernel,
      event = kernel(queue, 1, nil, buffer):wait(), image = context:image {width = 2, height = 2},
      sampler = context:sampler(), device = context.device, error = problem,
      graph = queue:record(function(commands) kernel(commands, 1, nil, buffer) end),
    }
  end)

  for _, kind in ipairs {"context", "queue", "buffer", "program", "kernel", "event", "image", "sampler", "device",
                         "error", "graph"} do
    it("are there as documented: " .. kind, function()
      local documented = {}
      for _, topic in ipairs(topics) do
        for _, field in ipairs(topic.class == kind and topic.fields or {}) do
          documented[field.name] = field
          local value = samples[kind][field.name]
          assert.is_true(value ~= nil or field.optional, field.name)
          local wanted = field.type
          if value ~= nil and (wanted == "number" or wanted == "string" or wanted == "boolean") then
            assert.equal(wanted, type(value), field.name)
          end
        end
      end
      assert.is_true(next(documented) ~= nil)
    end)
  end
end)

describe("MQL5's pages", function()
  local pages = {functions = support.read "docs/mql5/functions.md", helpers = support.read "docs/mql5/helpers.md",
                 porting = support.read "docs/mql5/porting.md"}
  local all = table.concat({pages.functions, pages.helpers, pages.porting})

  it("name every function, and every constant of the OpenCL interface", function()
    local missing = {}
    for name, value in pairs(require "clue.mql5") do
      local is_named = all:find("%f[%w_]" .. name .. "%f[^%w_]")
      local is_function = type(value) == "function" and name:find "^%u"
      local is_of_opencl = name:find "^CL_" or name:find "^OPENCL_" or name:find "^ERR_"
      if not is_named and (is_function or is_of_opencl) then missing[name] = true end
    end
    assert.same({}, sorted(missing))
  end)

  it("name no function that does not exist", function()
    local mql5, invented = require "clue.mql5", {}
    for span in (pages.functions .. pages.helpers):gsub("```.-```", ""):gmatch "`([^`\n]+)`" do
      for name in span:gmatch "%f[%w_.:](%u[%a%d]+)%(" do
        local exists = rawget(mql5, name) ~= nil or mql5.COpenCL[name] ~= nil
        if not exists and not span:find "[:.]" then invented[name] = true end
      end
    end
    assert.same({}, sorted(invented))
  end)
end)

describe("the pages of the reference", function()
  local function page(name)
    return assert(support.read(folder .. "/pages/" .. name .. ".md"), name)
  end

  it("each have a title, and the index names them all", function()
    local index, listed = page "index", {}
    for name in index:gmatch "%]%(([%w_]+)%.md%)" do listed[name] = true end
    for name in require("lfs").dir(folder .. "/pages") do
      local short = name:match "^(.*)%.md$"
      if short then
        assert.matches("^# %S", page(short))
        assert.is_true(short == "index" or listed[short], short)
        listed[short] = nil
      end
    end
    assert.same({}, sorted(listed))
  end)

  it("have an entry in the index that is not cut at dots", function()
    local index = page "index"
    assert.matches("](value.md): value.float(1), value.int(3), ... for kernel arguments whose type cannot be found out",
      index, 1, true)
    assert.not_matches("%.%.\n", index)
  end)

  it("link only to each other", function()
    for _, topic in ipairs(topics) do
      for target in page(topic.page):gmatch "%]%(([^)]*)%)" do
        local name = target:match "^([%w_]+)%.md$"
        if name then page(name) else assert.matches("^https?://", target) end
      end
    end
  end)

  it("have every public function with its parameters", function()
    each_function(function(f, topic)
      local text = page(topic.page):gsub("\\", "")
      assert.is_truthy(text:find("\n## " .. f.call .. "\n", 1, true), f.call)
      for _, parameter in ipairs(f.parameters) do
        assert.is_truthy(text:find("- `" .. parameter.name .. "` (`", 1, true), f.call .. ": " .. parameter.name)
      end
    end)
  end)

  it("have every name of clue.h", function()
    local header, shown, there = support.read "host/include/clue.h", {}, {}
    local inside = header:match "/%* cdef begin %*/(.*)/%* cdef end %*/":gsub("/%*.-%*/", "")
    for name in inside:gmatch "(clue_[%w_]+)%s*%(" do there[name] = true end
    for name in inside:gmatch "(CLUE_[%w_]+)%s*[=,}]" do there[name] = true end
    for block in page("c"):gmatch "```c\n(.-)```" do
      for name in block:gsub("/%*.-%*/", ""):gmatch "[cC][lL][uU][eE]_[%w_]+" do shown[name] = true end
    end
    assert.is_true(#sorted(there) > 200)
    assert.same({}, beyond(there, shown))
  end)
end)

describe("the annotations", function()
  local function lines_of(name)
    local list = {}
    for line in io.lines(folder .. "/luacats/library/" .. name .. ".lua") do list[#list + 1] = line end
    return list
  end

  local files = {"objects", "modules", "globals"}

  local function all_files()
    local list = {"clue/walk"}
    for _, name in ipairs(files) do list[#list + 1] = name end
    for name in require("lfs").dir(folder .. "/luacats/library/clue/walk") do
      list[#list + 1] = name:find "%.lua$" and "clue/walk/" .. name:gsub("%.lua$", "") or nil
    end
    return list
  end

  -- The names of types in "clue.a|fun(x?: clue.b[], ...: any): integer?".
  local function type_words(text)
    local found = {}
    local bare = text:gsub("%f[%w_.]fun%f[^%w_]", ""):gsub("[%w_.]+%??:", ""):gsub('"[^"]*"', "")
    for word in bare:gmatch "[%a_][%w_.]*" do
      found[#found + 1] = word
    end
    return found
  end

  -- What each kind of line has after its mark: a pattern whose first capture is the type.
  local grammar = {
    class = "^[%w_.]+()$", field = "^[%w_]+%?? (.*)$", param = "^[%w_.]+%?? (%S+)", ["return"] = "^(%S+)",
    overload = "^(fun%b().*)$", operator = "^%l+[^:]*: (%S+)$", type = "^(.*)$", meta = "^",
  }

  local function field_type(text)
    local key, rest = text:match "^(%b[]) (.*)$"
    if not key then rest = text:match "^[%w_]+%?? (.*)$" end
    local function_type = rest and rest:match "^(fun%b():? ?%S*)"
    return function_type or rest and rest:match "^%S+"
  end

  it("are valid Lua with marks that LuaCATS has, and types that are defined", function()
    local defined, used = {}, {}
    for _, word in ipairs {"number", "integer", "string", "boolean", "table", "function", "any", "nil", "fun"} do
      defined[word] = true
    end
    for _, name in ipairs(all_files()) do
      for number, line in ipairs(lines_of(name)) do
        local mark, rest = line:match "^%-%-%-@(%l+)%s*(.*)$"
        local where = ("%s.lua:%d: %s"):format(name, number, line)
        if mark == "class" then
          local class, base = rest:match "^([%w_.]+):? ?([%w_.]*)$"
          assert.is_truthy(class, where)
          defined[class] = true
          if base ~= "" then used[base] = where end
        elseif mark then
          assert.is_truthy(grammar[mark], where)
          local text = mark == "field" and field_type(rest) or mark ~= "field" and rest:match(grammar[mark])
          assert.is_truthy(text, where)
          for _, word in ipairs(mark ~= "meta" and type_words(text) or {}) do used[word] = used[word] or where end
        end
      end
      assert.is_truthy(loadfile(folder .. "/luacats/library/" .. name .. ".lua"), name)
    end
    for word, where in pairs(used) do assert.is_true(defined[word], word .. " in " .. where) end
    for _, class in ipairs(types.classes()) do assert.is_true(defined[class], class) end
  end)

  -- Every function that the annotations declare, as clue.public names it.
  local function annotated()
    local found, prefixes = {}, {}
    for prefix in pairs(facts.modules) do prefixes[prefix:sub(1, -2) .. "_module."] = prefix end
    for _, name in ipairs(files) do
      for _, line in ipairs(lines_of(name)) do
        local full = line:match "^function ([%w_.:]+)%("
        local owner, member = (full or ""):match "^([%w_]+[.:])([%w_]+)$"
        if full then found[owner and (prefixes[owner] or owner) .. member or full] = true end
      end
    end
    return found
  end

  it("have every public function and no others", function()
    local there, found = {}, annotated()
    for name in pairs(calls) do
      local is_operator = name:find " "
      there[name] = not is_operator or nil
    end
    there["COpenCL:new"], there["COpenCL.new"] = nil, true
    assert.same({}, beyond(there, found), "not annotated")
    assert.same({}, beyond(found, there), "not there")
  end)

  it("have the types of what functions return", function()
    local globals = table.concat(lines_of "globals", "\n")
    local found = globals:match "\n([^\n]*)\nfunction MathIsValidNumber%(x%) end"
    assert.equal("---@return boolean", found)
  end)

  it("have every constant and every type of vector", function()
    local globals = table.concat(lines_of "globals", "\n") .. "\n"
    for name, value in pairs(require "clue.mql5") do
      if type(value) == "number" then assert.is_truthy(globals:find("\n" .. name .. " = ", 1, true), name) end
    end
    for _, name in ipairs(facts.vectors) do
      assert.is_function(require("clue")[name])
      assert.is_truthy(globals:find("\n" .. name .. " = nil", 1, true), name)
    end
  end)

  it("give modules as require does", function()
    for name in pairs(facts.required) do
      local loaded, module = pcall(require, name)
      local is_absent = name == "clue.mpi" and tostring(module):find "was built without Open MPI"
      assert(is_absent or loaded and type(module) == "table", name)
      local text = support.read(folder .. "/luacats/library/" .. name:gsub("%.", "/") .. ".lua")
      assert.matches("^%-%-%-@meta " .. name:gsub("%.", "%%.") .. "\n", text)
    end
  end)
end)
