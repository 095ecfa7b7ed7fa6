-- Work on arrays by clue, for tests/bench/prototype. The names say what is done, the types and how many elements.
local array = require("clue").array
local serve = require "serve"

local SIZES = {["1e3"] = 1e3, ["1e6"] = 1e6, ["1e7"] = 1e7}
local REAL, WHOLE = {"float", "double"}, {"uchar", "int", "long"}
local CONVERSIONS = {{"float", "double"}, {"double", "float"}, {"float", "int"}, {"double", "int"}, {"int", "float"},
                     {"int", "double"}, {"long", "double"}, {"float", "half"}, {"half", "float"}, {"int", "uchar"}}

-- Arrays of whole numbers from 0 to 99, which every type holds, made when they are first used.
local made = {}
local function held(type_name, size, copy)
  local key = ("%s %.0f %s"):format(type_name, size, tostring(copy))
  made[key] = made[key] or array[type_name](size):copy_from(array.uchar(size):random(0, 99, 1))
  return made[key]
end

local operations = {}

-- Adds an operation for each type and size: work(array, size, other array).
local function add(name, type_names, work, sizes)
  for _, type_name in ipairs(type_names) do
    for size_name, size in pairs(sizes or SIZES) do
      operations[("%s, %s, %s"):format(name, type_name, size_name)] = function(count)
        local a, b = held(type_name, size), held(type_name, size, true)
        for _ = 1, count do work(a, size, b) end
      end
    end
  end
end

for _, type_names in ipairs {REAL, WHOLE} do
  add("sum", type_names, function(a) return (a:sum()) end)
  add("least and greatest", type_names, function(a) return a:range() end)
  add("their indices", type_names, function(a) return a:extreme_indices() end)
  add("fill", type_names, function(_, _, b) b:fill(3) end)
  add("copy into", type_names, function(a, _, b) b:copy_from(a) end)
  add("new copy", type_names, function(a) return (a:copy()) end)
  add("equal", type_names, function(a) return a:compare(a) end)
end
add("random", REAL, function(_, _, b) b:random(0, 1) end)
add("random", WHOLE, function(_, _, b) b:random(0, 99) end)
add("allclose", REAL, function(a) return (a:allclose(a)) end)
add("norm", REAL, function(a) return (a:norm()) end)

for _, pair in ipairs(CONVERSIONS) do
  for size_name, size in pairs(SIZES) do
    operations[("convert, %s to %s, %s"):format(pair[1], pair[2], size_name)] = function(count)
      local from, to = held(pair[1], size), held(pair[2], size, true)
      for _ = 1, count do to:copy_from(from) end
    end
  end
end

for _, type_name in ipairs(REAL) do
  for size_name, size in pairs(SIZES) do
    operations[("new, %s, %s"):format(type_name, size_name)] = function(count)
      for _ = 1, count do array[type_name](size) end
    end
  end
end

local SOME = {["1e3"] = 1e3, ["1e6"] = 1e6}
add("to a table", {"float", "double", "int"}, function(a) return (a:table()) end, SOME)
for _, type_name in ipairs {"float", "double", "int"} do
  for size_name, size in pairs(SOME) do
    operations[("from a table, %s, %s"):format(type_name, size_name)] = function(count)
      local elements = held(type_name, size):table()
      for _ = 1, count do array[type_name](elements) end
    end
  end
end

serve(operations)
