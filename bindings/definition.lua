-- Reads binding.def, for the generators in ffi/ and capi/. The head of binding.def says what it may contain; this
-- file owns the kinds of parameters and results, and refuses all others with their line. Only the build runs it, on
-- the Lua that clue is built with.
local definition = {}

-- Kinds of parameters: the names of the arguments that each takes in Lua; "" stands for the parameter's own name.
local takes = {
  int = {""}, long = {""}, number = {""}, constant = {""},
  text = {""}, bytes = {""}, ints = {""}, pairs = {""}, colour = {""},
  array = {""}, lent = {""}, part = {"", "first", "count"}, blocking = {""},
  range = {"dimensions", "offset", "global", "local_"},
  box = {"origin", "region"},
  boxes = {"from_origin", "region", "to_origin"},
  rect = {"from_origin", "region", "to_origin", "from_row", "from_slice", "to_row", "to_slice"},
  image_part = {"origin", "region", "row_pitch", "slice_pitch"},
  shape = {"type", "order", "channel", "width", "height", "depth", "array_size"},
  place = {"buffer", "row_pitch"},
}

-- Kinds of results, including those that a C function returns itself.
local gives = {
  done = true, int = true, long = true, number = true, text = true, flag = true, address = true, bytes = true,
  event = true, nothing = true, positive = true,
}

local function fail(where, problem, ...)
  error(where .. ": " .. problem:format(...), 0)
end

local function parameter_of(text, lists, where)
  local plain, default = text:match "^(.-) or (%S+)$"
  local kind, optional, name = (plain or text):match "^([%w_]+)(%??)%s*([%w_]*)$"
  if not kind or not takes[kind] and not lists[kind] then fail(where, "there is no kind of parameter '%s'", text) end
  local own = name ~= "" and name or kind
  local parameter = {kind = lists[kind] and "word" or kind, list = lists[kind], name = own:gsub("_out$", ""),
    optional = optional == "?" or default ~= nil, default = default, writes = own:find "_out$" ~= nil}
  parameter.arguments = {}
  for i, argument in ipairs(takes[kind] or {""}) do
    parameter.arguments[i] = argument == "" and parameter.name or argument
  end
  return parameter
end

-- The parameters between two parentheses. first is the position of each one's first argument in Lua.
local function parameters_of(text, lists, where)
  local parameters, first, named = {}, 1, {}
  for part in text:gmatch "[^,]+" do
    local parameter = parameter_of(part:match "^%s*(.-)%s*$", lists, where)
    if named[parameter.name] then fail(where, "two parameters are called '%s'", parameter.name) end
    named[parameter.name] = true
    parameter.first, first = first, first + #parameter.arguments
    parameters[#parameters + 1] = parameter
  end
  return parameters, first - 1
end

local function results_of(text, lists, where)
  local results = {}
  for part in text:gmatch "[^,]+" do
    local kind, name = part:match "^%s*([%w_]+)%s*([%w_]*)%s*$"
    if not kind or not gives[kind] and not lists[kind] then fail(where, "there is no kind of result '%s'", part) end
    local list = lists[kind]
    results[#results + 1] = {kind = list and "word" or kind, list = list, name = name ~= "" and name or kind}
  end
  return results
end

-- Parameters in C's order.
local function ordered(parameters, names, where)
  if not names then return parameters end
  local by_name, order = {}, {}
  for _, parameter in ipairs(parameters) do by_name[parameter.name] = parameter end
  for name in names:gmatch "[%w_]+" do
    order[#order + 1] = by_name[name] or fail(where, "there is no parameter '%s'", name)
    if order[name] then fail(where, "parameter '%s' is passed on twice", name) end
    order[name] = true
  end
  if #order ~= #parameters then fail(where, "only %d of %d parameters are passed on", #order, #parameters) end
  return order
end

-- name(parameters): results, followed by " = call", " = (names)" or both if C's name or order differs.
local function function_of(line, lists, where)
  local name, parameters, rest = line:match "^([%w_]+)%((.-)%):%s*(.*)$"
  if not name then fail(where, "this is neither a function nor a list of words: %s", line) end
  local results, call, names = rest:match "^(.-)%s+=%s+([%w_]*)(.*)$"
  if names and names ~= "" and not names:find "^%b()$" then fail(where, "this is not the name of a call: %s", names) end
  local made = {name = name, line = line, call = "clue_" .. (call and call ~= "" and call or name)}
  made.parameters, made.arguments = parameters_of(parameters, lists, where)
  results = results or rest
  made.returns = results:find "^returns " ~= nil
  made.results = results_of((results:gsub("^returns ", "")), lists, where)
  made.order = ordered(made.parameters, names and names:match "%((.*)%)", where)
  return made
end

-- words LIST PREFIX: word ...
local function list_of(line, where)
  local name, prefix, text = line:match "^words ([%w_]+) ([%w_]+): (.*)$"
  if not name then fail(where, "a list of words must be 'words NAME PREFIX: word ...'") end
  local list = {name = name, what = name:gsub("_", " ")}
  for word in text:gmatch "%S+" do list[#list + 1] = {word = word, code = prefix .. word:upper()} end
  return list
end

--- Reads the table.
-- @tparam string path of binding.def
-- @treturn table lists of words, {name =, what =, {word =, code =}, ...}
-- @treturn table functions, in the order of the file: name, line (unchanged), call (C's name), parameters (kind,
-- name, first: position of the first argument in Lua, arguments: their names, optional, default, writes: whether C
-- writes there), arguments (how many in Lua), order (the parameters in C's order), results (kind, name), returns
-- (whether C returns the result itself)
function definition.read(path)
  local lists, functions, number = {}, {}, 0
  for line in io.lines(path) do
    number = number + 1
    local where = path .. ":" .. number
    if line:find "^words " then
      local list = list_of(line, where)
      lists[#lists + 1], lists[list.name] = list, list
    elseif line ~= "" and not line:find "^#" then
      functions[#functions + 1] = function_of(line, lists, where)
    end
  end
  return lists, functions
end

--- Fills in a template.
-- @tparam string template with $name and so on
-- @tparam table values the replacement for each, by name
-- @treturn string
function definition.fill(template, values)
  return (template:gsub("%$(%w+)", values))
end

--- The values for a parameter's templates: $name, $call (the function in Lua), $1, $2, ... (the positions of its
-- arguments in Lua), and $list and $what for a list of words.
-- @tparam table parameter
-- @tparam table made the function
-- @treturn table by name
function definition.values(parameter, made)
  local list = parameter.list or {}
  local values = {name = parameter.name, call = made.name, list = list.name, what = list.what}
  for i = 1, #parameter.arguments do values[tostring(i)] = parameter.first + i - 1 end
  return values
end

local function append(list, other)
  for _, each in ipairs(other) do list[#list + 1] = each end
end

--- The call of the C function: results, addresses that C takes before all parameters, parameters.
-- @tparam table made the function
-- @tparam table kinds templates by kind of parameter. gives: the argument (default: its name; false: none); data and
-- size: the memory whose address comes before all parameters if C writes there; leads: one more address there
-- @tparam table places where the results go
-- @tparam[opt] table last the last arguments
-- @treturn string
function definition.call(made, kinds, places, last)
  local arguments, behind = {}, {}
  append(arguments, places)
  for _, parameter in ipairs(made.order) do
    local kind, values = kinds[parameter.kind], definition.values(parameter, made)
    local function put(list, template) list[#list + 1] = definition.fill(template, values) end
    if kind.leads then put(arguments, kind.leads) end
    if kind.data then put(parameter.writes and arguments or behind, kind.data) end
    if kind.gives ~= false then put(behind, kind.gives or kind.size or kind.makes or "$name") end
  end
  append(arguments, behind)
  append(arguments, last or {})
  return ("%s(%s)"):format(made.call, table.concat(arguments, ", "))
end

local COLUMNS = 116

-- A long line continues, indented, after the last comma that fits.
local function wrapped(line)
  if #line <= COLUMNS or line:find "^%s*%-%-" then return line end
  local first, rest = line:sub(1, COLUMNS):match "^(.*,) ()"
  if not first then return line end
  return first .. "\n" .. wrapped(line:match "^%s*" .. "    " .. line:sub(rest))
end

--- Writes a file of lines.
-- @tparam string path
-- @tparam table lines
function definition.write(path, lines)
  local file = assert(io.open(path, "w"))
  for _, line in ipairs(lines) do assert(file:write(wrapped(line), "\n")) end
  assert(file:close())
end

return definition
