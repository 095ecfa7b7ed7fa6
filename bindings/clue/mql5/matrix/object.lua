--- The objects of MQL5's matrix and vector types. m[row][column] and v[i] are elements; clue.mql5.matrix.methods has
-- MQL5's methods, which a dot calls as well as a colon: m.Rows(). Arrays' own methods are there too, with a colon:
-- m:sum(), m:save "m.npy".
--
-- The elements are in a typed array, row after row. An object is a userdata in Lua 5.1 and LuaJIT, where # of a table
-- cannot be changed; what it consists of is in a table beside it, its state:
-- array, type ("double", "float" or "complex"), rows and columns (a vector has no columns), name ("matrixf").
-- The array of complex elements holds two doubles for each.
local argument = require "clue.argument"
local array = require "clue.array"
local check = require "clue.mql5.check"
local complex = require "clue.mql5.matrix.complex"
local format = require "clue.mql5.format"
local nearest = require "clue.nearest"
local shapes = require "clue.shape"
local shown = require "clue.shown"

local matrices = {}

local states = setmetatable({}, {__mode = "k"}) -- by object

-- ---- objects ----------------------------------------------------------------------------------------------------

local make_proxy = rawget(_G, "newproxy")

-- A function that makes objects of a class.
local function maker(class)
  if not make_proxy then return function() return setmetatable({}, class) end end
  local first = make_proxy(true)
  local meta = getmetatable(first)
  for name, member in pairs(class) do meta[name] = member end
  return function() return make_proxy(first) end
end

local classes = {matrix = {kind = "matrix"}, vector = {kind = "vector"}, row = {kind = "matrix row"}}
local makers = {}

local function object(state, class)
  makers[class] = makers[class] or maker(classes[class]) -- the classes are complete by now
  local self = makers[class]()
  states[self] = state
  return self
end

-- ---- elements ---------------------------------------------------------------------------------------------------

--- An element.
-- @tparam table state
-- @tparam number index counts all elements, row by row
-- @treturn number|complex
function matrices.get(state, index)
  if state.type ~= "complex" then return state.array[index] end
  return complex.new(state.array[2 * index], state.array[2 * index + 1])
end

local greatest_float = 3.4028234663852886e+38

-- An array reports a number that it cannot hold at the line that stores it, which would be a line of this file.
local function store(elements, index, value)
  if math.abs(value) <= greatest_float then
    elements[index] = value
    return
  end
  local done, problem = pcall(function() elements[index] = value end)
  if not done then argument.fail("%s", tostring(problem):gsub("^.-:%d+: ", "", 1)) end
end

--- Sets an element.
-- @tparam table state
-- @tparam number index counts all elements, row by row
-- @tparam number|complex value
function matrices.set(state, index, value)
  if state.type ~= "complex" then
    store(state.array, index, argument.typed(value, "number", "the element"))
    return
  end
  local real, imag = complex.parts(value)
  if not real then argument.refuse("the element", "a number or a complex number", value) end
  state.array[2 * index], state.array[2 * index + 1] = real, imag
end

--- How many elements there are.
-- @tparam table state
-- @treturn number
function matrices.count(state)
  return state.rows * (state.columns or 1)
end

local function index_of(what, given, count)
  if type(given) == "number" and given >= 0 and given < count and given % 1 == 0 then return given end
  if type(given) ~= "number" then argument.refuse("a " .. what, "a number", given) end
  argument.fail("%s %s is outside 0 to %.0f", what, shown.number(given), count - 1)
end

local element_types = {double = "double", float = "float", complex = "double"}
local suffixes = {double = "", float = "f", complex = "c"}

-- Gives a state new zeros.
local function allot(state, rows, columns)
  local count = rows * (columns or 1)
  state.array = array[element_types[state.type]](state.type == "complex" and 2 * count or count)
  state.rows, state.columns = rows, columns
  shapes.keep(state.array, ("a %s, whose size m.Resize changes"):format(state.name))
  if columns and state.type ~= "complex" then state.array:reshape(rows, columns) end
end

--- Changes the size; elements keep their rows and columns, and new ones are 0.
-- @tparam table state
-- @tparam number rows
-- @tparam ?number columns nil for a vector
function matrices.resize(state, rows, columns)
  local before = {array = state.array, type = state.type, rows = state.rows, columns = state.columns}
  if rows == before.rows and columns == before.columns then return end
  allot(state, rows, columns)
  local across = columns or 1
  for row = 0, math.min(rows, before.rows) - 1 do
    for column = 0, math.min(across, before.columns or 1) - 1 do
      matrices.set(state, row * across + column, matrices.get(before, row * (before.columns or 1) + column))
    end
  end
end

--- Makes a matrix or a vector of zeros.
-- @tparam string type "double", "float" or "complex"
-- @tparam number rows the size, for a vector
-- @tparam ?number columns nil for a vector
-- @treturn matrix
-- @treturn table its state
function matrices.new(type, rows, columns)
  local class = columns and "matrix" or "vector"
  local state = {type = type, class = class, name = class .. suffixes[type]}
  allot(state, rows, columns)
  return object(state, class), state
end

--- The state of a matrix or a vector.
-- @param given
-- @treturn ?table nil if it is neither
function matrices.state(given)
  local state = given ~= nil and states[given]
  return state and state.class and state or nil
end

--- Sets all elements to one value.
-- @tparam table state
-- @tparam number|complex value
function matrices.fill(state, value)
  local count = matrices.count(state)
  if count == 0 then return end
  matrices.set(state, 0, value) -- raises for a value that is none
  if state.type ~= "complex" then
    state.array:fill(state.array[0])
  else
    for i = 1, count - 1 do matrices.set(state, i, value) end
  end
end

--- Sets all elements, as MQL5's constructors and Init do.
-- @tparam table state
-- @tparam number|complex|function value a function gets the object, and sets what it likes
-- @param ... the function's other arguments
function matrices.initialise(state, value, ...)
  if type(value) ~= "function" then return matrices.fill(state, value) end
  value((object(state, state.class)), ...)
end

-- ---- what every object answers ----------------------------------------------------------------------------------

local array_methods = array.methods()
local methods -- by class and name: {least number of arguments, function}; clue.mql5.matrix.methods sets it

--- Gives objects their methods.
-- @tparam table given by class ("matrix", "vector") and name: {least number of arguments, function(state, ...)}
function matrices.set_methods(given)
  methods = given
end

local function without_self(state, least, ...)
  local first = ...
  if first ~= nil and states[first] == state and select("#", ...) > least then return select(2, ...) end
  return ...
end

-- A method of MQL5's for one object; a dot and a colon call it.
local function own_method(state, method)
  local least, call = method[1], method[2]
  return function(...) return call(state, without_self(state, least, ...)) end
end

-- A method of the array that holds the elements, with the array in the object's place.
local function array_method(state, name)
  return function(self, ...)
    if self == nil or states[self] ~= state then
      argument.fail("call %s with a colon: a %s expected before it, got %s", name, state.class, shown.of(self))
    end
    local given = {...}
    for i = 1, select("#", ...) do
      local other = matrices.state(given[i])
      if other then given[i] = other.array end
    end
    local unpack = rawget(table, "unpack") or rawget(_G, "unpack")
    local results = {state.array[name](state.array, unpack(given, 1, select("#", ...)))}
    if results[1] == state.array and name ~= "array" then return self end
    return unpack(results)
  end
end

-- Arrays' methods that would not fit the object: they change the length, or count the doubles of complex elements.
local function has_array_method(state, name)
  if name == "resize" or name == "reshape" then return false end
  return array_methods[name] and (state.type ~= "complex" or name == "bytes")
end

-- Methods of MQL5's that these objects do not have.
local lacking = {}
for name in ([[Activation ArgMax ArgMin ArgSort Average Cholesky Clip CompareEqual Cond Conjugate
  ConjugateTranspose Convolve Correlate CorrCoef Cov CumProd CumSum Derivative Det Diag Eig EigVals Flat GeMM
  HasNan Hsplit Inner Inv IsSymmetric Kron Loss LstSq LU LUP Median Norm Outer Percentile PInv Power Ptp QR
  Quantile Random Rank RegressionMetric Solve Sort Spectrum Split Std SVD Swap SwapCols SwapRows TensorDot Trace
  Tri TriL TriU Var Vsplit]]):gmatch "%a+" do
  lacking[name] = true
end

local function method_of(state, name)
  local own = methods[state.class][name]
  if own then return own_method(state, own) end
  if has_array_method(state, name) then return array_method(state, name) end
  if lacking[name] then
    argument.fail("clue's matrices and vectors lack MQL5's %s: `clue help functions.md#matrices-and-vectors` lists "
      .. "what they have", name)
  end
  local near = nearest(name, methods[state.class])
  argument.fail("a %s has no method %s%s", state.class, shown.of(name),
    near and ": is " .. near .. " meant?" or "")
end

-- The method of a name, made once for each object.
local function named(state, name)
  state.methods = state.methods or {}
  state.methods[name] = state.methods[name] or method_of(state, name)
  return state.methods[name]
end

local function unknown_key(state, key)
  argument.fail("a %s is indexed by a number or the name of a method, not by %s", state.class, shown.of(key))
end

for _, class in pairs {classes.matrix, classes.vector} do
  function class.__len(self) return matrices.count(states[self]) end
end

local function text_of(state, first, count)
  local texts = {}
  for i = 1, count do texts[i] = format.text(matrices.get(state, first + i - 1)) end
  return "[" .. table.concat(texts, ",") .. "]"
end

-- ---- vectors ----

function classes.vector.__index(self, key)
  local state = states[self]
  if type(key) == "number" then return matrices.get(state, index_of("index", key, state.rows)) end
  return type(key) == "string" and named(state, key) or unknown_key(state, key)
end

function classes.vector.__newindex(self, key, value)
  local state = states[self]
  matrices.set(state, index_of("index", key, state.rows), value)
end

function classes.vector.__tostring(self)
  local state = states[self]
  return text_of(state, 0, state.rows)
end

-- ---- matrices and their rows ----

-- The row's object, which is kept as long as the script uses it.
local function row_of(state, row)
  state.row_objects = state.row_objects or setmetatable({}, {__mode = "v"})
  local found = state.row_objects[row]
  if not found then
    found = object({matrix = state, row = row}, "row")
    state.row_objects[row] = found
  end
  return found
end

function classes.matrix.__index(self, key)
  local state = states[self]
  if type(key) == "number" then return row_of(state, index_of("row", key, state.rows)) end
  return type(key) == "string" and named(state, key) or unknown_key(state, key)
end

function classes.matrix.__newindex()
  argument.fail("write m[row][column] = value; m.Row(v, row) sets a whole row")
end

-- As MQL5 prints it: "[[1,2]\n [3,4]]".
function classes.matrix.__tostring(self)
  local state, lines = states[self], {}
  for row = 0, state.rows - 1 do lines[row + 1] = text_of(state, row * state.columns, state.columns) end
  return "[" .. table.concat(lines, "\n ") .. "]"
end

-- The matrix may have become smaller since the row was taken.
local function element_of(row, key)
  local state = row.matrix
  return state, index_of("row", row.row, state.rows) * state.columns + index_of("column", key, state.columns)
end

function classes.row.__index(self, key)
  return matrices.get(element_of(states[self], key))
end

function classes.row.__newindex(self, key, value)
  local state, index = element_of(states[self], key)
  matrices.set(state, index, value)
end

function classes.row.__len(self)
  return states[self].matrix.columns
end

function classes.row.__tostring(self)
  local row = states[self]
  return text_of(row.matrix, row.row * row.matrix.columns, row.matrix.columns)
end

--- Gives both classes an operator.
-- @tparam string name "__add"
-- @tparam function compute
function matrices.set_operator(name, compute)
  classes.matrix[name], classes.vector[name] = compute, compute
end

-- ---- for transfers ----------------------------------------------------------------------------------------------

--- Raises unless the argument is a matrix or a vector: one of these, or a typed array of double or float.
-- @tparam string name of the function called
-- @tparam number|string position of the argument, or its name
-- @param given
-- @tparam[opt] string remedy for an array of another type
-- @treturn array its elements
function matrices.check(name, position, given, remedy)
  local state = matrices.state(given)
  if state then return state.array end
  local type = array.is(given) and check.array(name, position, given):type()
  if type == "double" or type == "float" then return given end
  if argument.is_plain(given) then remedy = "matrix {{1, 2}, {3, 4}} makes one of a Lua table" end
  check.refuse(name, position, "matrix or vector of double or float", given, (type or argument.is_plain(given))
    and remedy)
end

--- The bytes of an element.
-- @tparam matrix|array given
-- @treturn number
function matrices.element_bytes(given)
  local state = matrices.state(given)
  local type = state and state.type or given:type()
  return type == "complex" and 16 or type == "double" and 8 or 4
end

--- Gives a matrix or a vector, or a typed array in its place, another size.
-- @tparam matrix|array given
-- @tparam number rows the size of a vector
-- @tparam ?number columns nil for a vector
function matrices.reshape(given, rows, columns)
  local state = matrices.state(given)
  if not state then
    given:resize(rows * (columns or 1))
    if columns then given:reshape(rows, columns) end
    return
  end
  if state.class == "vector" and columns then argument.refuse("cols", "left out for a vector", columns) end
  if state.class == "matrix" and not columns then argument.refuse("cols", "a number, as rows is given", columns) end
  matrices.resize(state, rows, columns)
end

return matrices
