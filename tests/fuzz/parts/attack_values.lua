-- The texts of arguments: right ones by the parameter's type and name, and wrong ones of every kind. A text names only
-- what attack_world.lua gives, so that it can stand in a script.
local values = {}

-- ---- wrong ----

local numbers = {
  "-1", "0", "1", "2", "3", "0.5", "-0.5", "nan", "inf", "-inf", "2^20", "-2^31", "65536", "65537", "81920",
  "1e-300", "-2^53",
  "-2^63", "-1e308", "-0.0", "-3",
}
local huge = {
  "2^31", "2^31-1", "2^32", "2^32-1", "2^53", "2^53+1", "2^63", "2^64", "1e308", "2^40", "2^33+1", "1e15",
}
local strings = {
  '""', '"\\0"', '"a\\0b"', '"%s%n%d"', '"%"', '"x"', '"\\255\\254"', '"\\27[31m"', '"float"', '"add"', '"size"',
  'text(70000)', '"../x"', '"-D"', '"cpu"', '"["', '"int n; }"', '"\\n"', '"nan"', '"1e400"', '"9007199254740993"',
  '"{0}"', '"kernel void f() {}"', '"sum"', '"rw"', '"no/such/folder/f.npy"', '"f.npy"', '"f.csv"', '"f.png"',
  '"f.json"',
}
local others = {
  "nil", "true", "false", "{}", "{1, 2, 3}", "{nil, 2}", "{1, nil, 3}", "{size = -1}", "{x = 1}", "cyclic()",
  "nested(3)", "nested(300)",
  "hostile(raises)", "hostile(yields)", "hostile(raises_text)", "raises", "raises_text", "yields", "returns()",
  "returns(1)",
  "returns({})", "thread()", "returns(nil)", "io.stdout", "{{}, {}}", "{nan}", "{-1, 0, 2^31}",
  '{"a", "b"}', "{[0] = 1}",
  "{function() end}", "setmetatable({}, {__gc = raises})", "cl.null", "cl.float(2)", "cl.float4(1, 2, 3, 4)",
  "cl.local_memory(16)",
  "cl.bytes 'abcd'", "cl", "binding", "cl.device.get(0)", "{offset = nan}", "{blocking = 1}", "_G",
  "closed(function() return cl.context() end)", "closed(function() return cl.context():queue() end)",
  "closed(function() return cl.context():buffer(8) end)", "closed(function() return cl.context():user_event() end)",
  "closed(function() return cl.context():program(SOURCE) end)",
}

-- ---- right, by the parameter's name ----

local by_name = {
  source = {"SOURCE"}, type_name = {'"float"', '"int"', '"uchar"', '"double"', '"half"'},
  kernel_name = {'"add"', '"copy"', '"scale"'},
  path = {'"f.npy"', '"f.csv"', '"g.png"', '"f.json"', '"f.ppm"'}, folder = {'"folder"'},
  access = {'"read"', '"write"', '"read_write"'},
  options = {"nil", "{}", '""', '"-cl-mad-enable"'}, binary = {'"junk"'}, offset = {"0", "1", "4", "8"},
  size = {"1", "4", "16", "64"},
  count = {"0", "1", "2", "4"}, first = {"0", "1", "2"}, index = {"0", "1", "2", "3"}, arg_index = {"0", "1", "2"},
  dimensions = {"1", "2", "3"},
  global = {"4", "{4}", "{2, 2}"}, local_size = {"nil", "2", "{1}"}, global_size = {"{4}", "{2, 2}"},
  work_dim = {"1", "2"},
  flags = {"0", "1", "2", "4"}, spec = {'"cpu"', '"0"', '"all"', '"0:0"'}, seconds = {"0", "0.001"},
  operation = {'"x[i] + 1"', '"z[i] = x[i]"'},
  arguments = {'"global float *x"', '"global int *x, int n"', '"float *x, float *z"'},
  how = {'"sum"', '"max"', '"argmin"', "{by_counts = {1, 1}}"},
  text = {
    '"struct s { int a; float4 b; };"', '"typedef struct { char c; double d; } t;"', '"x = $(1)"', '"12.5"', '"a b c"',
  },
  pattern = {"('\\1'):rep(4)"}, region = {"{1, 1, 1}", "{2, 2, 1}"}, origin = {"{0, 0, 0}", "{1, 0, 0}"},
  key = {'"uint"', '"float"'},
  format = {'"%d"', '"%5.2f %s"', '"{0}"'}, separator = {'","', "44"},
  property = {"4096", "4097", "4100", "0x1000", "0x1020"},
  device = {"0", "nil", "cl.device.get(0)"}, shape = {"{2, 2}"}, rows = {"1", "2", "3"}, columns = {"1", "2", "3"},
  value = {"1", "0", "2.5"},
}

local by_type = {
  number = {"0", "1", "2", "3", "4", "16"}, int = {"0", "1", "2", "4"}, long = {"0", "1", "4", "8", "16"},
  constant = {"4096", "4112", "4272"},
  string = {'"x"', '"float"', '"add"', '"sum"', '"a,b"', '"12"'}, text = {'"add"', '"x"', '""'},
  bytes = {'"abcd"', "SOURCE"},
  boolean = {"true", "false"}, blocking = {"true", "false", "nil"},
  ["function"] = {"returns()", "returns(1)", "returns(nil)", "raises", "function(...) return ... end"},
  table = {"{}", "{1, 2, 3}", "{x = 1}"}, ints = {"{}", "{1}", "{4}", "{1, 1, 1}", "{0}"},
  pairs = {"{}", '{"h.h", "int a;"}'}, colour = {"{0, 0.5, 1, 1}"},
  array = {"cl.array.float {1, 2, 3, 4}", "cl.array.uchar(16)", "cl.array.int(4)", "cl.array.double {1.5}"},
  part = {"cl.array.int(4)"}, lent = {"cl.array.int(1024)"}, device = {"0", "cl.device.get(0)"},
  file = {"io.stdout", "io.tmpfile()"},
}

local objects = {} -- texts by kind: what lines have given
local random

local function any(list) return list[random(#list)] end

--- Begins a seed.
-- @tparam function random_ from chance.new
function values.begin(random_)
  random, objects = random_, {}
end

--- Remembers a result as an argument of later lines.
function values.add(kind, text)
  local list = objects[kind] or {}
  objects[kind] = list
  if #list < 12 then list[#list + 1] = text else list[random(12)] = text end
end

local function pooled(kind)
  local list = objects[kind]
  return list and #list > 0 and any(list) or nil
end

local function from_anywhere()
  local kinds = {}
  for kind in pairs(objects) do kinds[#kinds + 1] = kind end
  table.sort(kinds)
  return #kinds > 0 and pooled(any(kinds)) or "nil"
end

--- A value of any kind.
-- @tparam boolean calm without numbers that ask for a long run
function values.wrong(calm)
  local choice = random(10)
  if choice <= 3 then return any(numbers) end
  if choice == 4 then return any(calm and numbers or huge) end
  if choice <= 6 then return any(strings) end
  if choice <= 8 then return from_anywhere() end
  return any(others)
end

local function option_value(calm)
  return random(3) == 1 and values.wrong(calm) or any(by_type[any {"number", "boolean", "string", "ints", "array"}])
end

local reserved = " and break do else elseif end false for function goto if in local nil not or repeat return then true "
  .. "until while "

-- A table of options, with keys that the description names.
local function options_text(parameter, calm)
  local parts = {}
  for _ = 1, random(3) do
    local key = #parameter.keys > 0 and any(parameter.keys) or "size"
    if not reserved:find(" " .. key .. " ", 1, true) then
      parts[#parts + 1] = key .. " = " .. (by_name[key] and random(2) == 1 and any(by_name[key]) or option_value(calm))
    end
  end
  return "{" .. table.concat(parts, ", ") .. "}"
end

local function types_of(parameter)
  local list = {}
  for type_name in pairs(parameter.types) do list[#list + 1] = type_name end
  table.sort(list)
  return list
end

--- A right value for a parameter, as far as its comment tells.
function values.right(parameter, calm)
  local name, types = parameter.name, types_of(parameter)
  local kind = #types > 0 and any(types) or "any"
  if kind == "int" or kind == "number" or kind == "any" then -- a handle, often
    local handle = pooled("handle " .. name)
    if handle and random(8) > 1 then return handle end
    if pooled(name) and random(4) > 1 then return pooled(name) end
  end
  if pooled(kind) and random(10) > 1 then return pooled(kind) end
  if kind == "table" and #parameter.keys > 1 and random(3) > 1 then return options_text(parameter, calm) end
  if by_name[name] and random(6) > 1 then return any(by_name[name]) end
  if parameter.list and kind == "number" then return any(by_type.ints) end
  if by_type[kind] then return any(by_type[kind]) end
  return from_anywhere()
end

--- An object of a kind, or anything.
function values.of_kind(kind) return pooled(kind) end
function values.any_object() return from_anywhere() end

return values
