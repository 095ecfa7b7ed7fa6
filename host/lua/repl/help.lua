--- help at the prompt: signatures and descriptions of clue's functions, read from the comments above them in clue's own
-- Lua files when they are asked for.
local lists = require "clue.shared.list"
local nearest = require "clue.nearest"
local pages = require "clue.shared.pages"
local public = require "clue.public"
local shown = require "clue.shown"
local vector = require "clue.vector"

local help = {}

-- ---- comments ---------------------------------------------------------------------------------------------------

local files = {} -- the lines of those that were read, by path

local function lines_of(path)
  if files[path] then return files[path] end
  local file, lines = io.open(path, "r"), {}
  for line in file and file:lines() or function() end do lines[#lines + 1] = line end
  if file then file:close() end
  files[path] = lines
  return lines
end

-- The comment that ends above a line, without its dashes; empty if none begins with "---".
local function comment_above(lines, at)
  local comment, first = {}, at
  while first > 1 and lines[first - 1]:find "^%s*%-%-" do first = first - 1 end
  if not lines[first]:find "^%s*%-%-%-" then return comment end
  for number = first, at - 1 do
    comment[#comment + 1] = lines[number]:gsub("^%s*%-+ ?", ""):gsub("@{([^}]*)}", "%1")
  end
  return comment
end

-- What comes before the colon of a method's name: the parameter of this name is the object.
local function owner_of(name)
  return name:match "^([%w_]+):"
end

-- "function queue:fill(buffer, value)": what is in the parentheses, without the object (a matrix is its state).
local function parameters_in(line, name)
  local list = line:match "function[^(]*%(([^)]*)%)" or "..."
  local owner = owner_of(name)
  for _, own in ipairs {owner and "self" or "state", "state", owner} do
    list = list:gsub("^" .. own .. "%f[^%w_],?%s*", "")
  end
  return (list:gsub("_%f[^%w_]", ""))
end

-- The line that gives a table a function which another one has made: "methods.read_svm = transfer(...)". One comment
-- may be for several such lines.
local function assignment_of(lines, name)
  local pattern = "^[%w_]+%." .. name:match "[%w_]*$" .. "%s*=%s"
  for number, line in ipairs(lines) do
    if line:find(pattern) then
      while lines[number - 1]:find "^[%w_]+%.[%w_]+%s*=%s" do number = number - 1 end
      return number
    end
  end
end

-- The names of the parameters that a comment describes.
local function parameters_of(comment)
  return table.concat(lists.map(comment, function(line)
    local rest = line:match "^@tparam%b[]%s+%S+%s+(.*)$" or line:match "^@tparam%s+%S+%s+(.*)$"
      or line:match "^@param%b[]%s+(.*)$" or line:match "^@param%s+(.*)$"
    return rest and rest:match "^%S+"
  end), ", ")
end

-- The name of a parameter, and whether it may be left out: "@tparam[opt=0] number first where to begin".
local function parameter_of(line)
  local rest = line:match "^@tparam%b[]%s+(.*)$" or line:match "^@tparam%s+(.*)$"
  if not rest then return nil end
  local type = rest:match "^%b{}" or rest:match "^%S+"
  local name = rest:sub(#type + 1):match "^%s*([%w_]+)"
  return name, line:find "^@tparam%[opt" ~= nil or type:sub(1, 1) == "?"
end

-- The parameters of a signature; those that may be left out are in brackets.
local function marked(parameters, comment)
  local optional = {}
  for _, line in ipairs(comment) do
    local name, may_be_left_out = parameter_of(line)
    if name then optional[name:gsub("_$", "")] = may_be_left_out end
  end
  return (parameters:gsub("[%a_][%w_]*", function(name) return optional[name] and "[" .. name .. "]" or nil end))
end

-- The file and the line of a function; nil if it is not Lua's or has no file.
local function place_of(call)
  local info = debug.getinfo(public.written(call), "S")
  if info.what ~= "Lua" or info.source:sub(1, 1) ~= "@" then return nil end
  return info.source:sub(2), info.linedefined
end

-- The comment and the parameters of a function of the binding, which other files of its topic only pass on:
-- "clue.now = binding.now".
local function document_beside(name, list)
  local seen, topic = {}, name:match "^(.*[.:])"
  for other, call in pairs(list) do
    local path = topic and other:sub(1, #topic) == topic and place_of(call)
    if path and not seen[path] then
      seen[path] = true
      local lines = lines_of(path)
      local assigned = assignment_of(lines, name)
      local comment = assigned and comment_above(lines, assigned) or {}
      if #comment > 0 then return comment, parameters_of(comment) end
    end
  end
end

-- As document, without brackets.
local function found_document(name, call, list)
  local path, at = place_of(call)
  local lines = lines_of(path or "")
  local comment = lines[at] and comment_above(lines, at) or {}
  if #comment > 0 then return comment, parameters_in(lines[at], name) end
  local assigned = path and assignment_of(lines, name)
  comment = assigned and comment_above(lines, assigned) or {}
  if #comment > 0 then return comment, parameters_of(comment) end
  local beside, parameters = document_beside(name, list)
  if beside then return beside, parameters end
  return lines[at] and comment or nil, lines[at] and parameters_in(lines[at], name)
end

-- The comment and the parameters of a function; nil if they cannot be found.
local function document(name, call, list)
  local comment, parameters = found_document(name, call, list)
  return comment, comment and marked(parameters, comment)
end

-- "@tparam[opt=0] number first where to begin" becomes "  first (number, default 0): where to begin".
local function parameter_text(line)
  local option, rest = line:match "^@t?param(%b[])%s+(.*)$"
  rest = rest or line:match "^@t?param%s+(.*)$"
  local type
  if line:find "^@tparam" then
    type = rest:match "^%b{}" or rest:match "^%S+"
    rest = rest:sub(#type + 1):match "^%s*(.*)$"
  end
  local name, text = rest:match "^(%S+)%s*(.*)$"
  if not name then return nil end
  local default = option and (option:match "^%[opt=(.*)%]$" or "nil")
  local about = (type or "any value") .. (default and ", default " .. default or "")
  return ("  %s (%s)%s"):format(name:gsub("_$", ""), about, text ~= "" and ": " .. text or "")
end

local function shown_line(line, owner)
  if owner and (line:match "^@tparam%s+%S+%s+(.+)$" == owner or line:find "^@param%s+self$") then return nil end
  if line:find "^@t?param" then return parameter_text(line) end
  if line:find "^@function" then return nil end
  local overload = line:match "^@overload%s+(.*)$"
  if overload then return "  or " .. overload end
  local result = line:match "^@t?return%s+(.*)$"
  if result then return "  returns " .. result end
  return line:find "^@" and "" or line
end

local function described(comment, owner)
  local lines = {}
  for _, line in ipairs(comment) do
    local in_item = #lines > 0 and lines[#lines]:find "^  " and not line:find "^@"
    local said = shown_line(line, owner)
    lines[#lines + 1] = said and (in_item and "    " or "") .. said
  end
  return table.concat(lines, "\n")
end

-- The first sentence of a comment.
local function summary(comment)
  local text = table.concat(comment, " "):gsub("^@treturn %S+ ", "returns "):gsub("%s*@.*$", "")
  return text:match "^(.-%.)%s" or text
end

-- ---- functions and topics ---------------------------------------------------------------------------------------

-- A method of COpenCL is a function, and another one that checks the object and calls it.
local function has_comment(call)
  local path, at = place_of(call)
  local lines = lines_of(path or "")
  return lines[at] ~= nil and #comment_above(lines, at) > 0
end

-- Where names are, with those that scripts load by their first use.
local modules = {"clue", "clue.mql5", "clue.struct"}

local function functions()
  for _, name in ipairs(modules) do require(name) end
  public.fetch()
  local list = {}
  for call, name in pairs(public.named()) do
    if name:find "[%w_]$" and not (list[name] and has_comment(list[name])) then list[name] = call end -- no operators
  end
  return list
end

-- "queue:write_buffer" belongs to "queue", so does "queue call"; "CLExecute" to "MQL5".
local function topic_of(name)
  return name:match "^(.*)[.:][^.:]*$" or name:match "^(%S+) " or "MQL5"
end

local function function_text(name, call, list)
  local comment, parameters = document(name, call, list)
  if not comment then return ("%s(...)"):format(name) end
  local text = described(comment, owner_of(name))
  return ("%s(%s)%s"):format(name, parameters, text ~= "" and "\n" .. text or "")
end

-- A line for each of the functions that belong, nil if none does.
local function summaries(list, belongs)
  local names = lists.filter(lists.keys(list), belongs)
  local lines = lists.map(names, function(name)
    local comment, parameters = document(name, list[name], list)
    local first = comment and summary(comment) or ""
    return ("%s(%s)%s"):format(name, parameters or "...", first ~= "" and "  " .. first or "")
  end)
  return lines[1] and table.concat(lines, "\n")
end

local function topic_text(topic, list)
  return summaries(list, function(name) return topic_of(name) == topic end)
end

-- The first things that a newcomer types, in this order; the last one shows 2, 4 and 6.
local first_lines = {
  "context = cl.context()",
  "queue = context:queue()",
  'twice = context:program "kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }":kernel "twice"',
  "x = cl.array.float {1, 2, 3} buffer = context:buffer(x)",
  "twice(queue, 3, nil, buffer) queue:read_buffer(buffer, x) return x",
}

local function topics_text(list)
  local counts = {}
  for name in pairs(list) do counts[topic_of(name)] = (counts[topic_of(name)] or 0) + 1 end
  return "a first kernel, line by line:\n  " .. table.concat(first_lines, "\n  ") .. "\n"
    .. "help(x) describes a function, an object or a name: help(cl.context), help \"queue\", help \"write_buffer\".\n"
    .. "topics: " .. table.concat(lists.keys(counts), ", ")
    .. "\npages: help \"objects.md\", help \"functions.md\", help \"errors.md\""
end

local function last_name(name) return name:match "[^.:]+$" end

-- Sorts names by how much the pages write of what they belong to: methods of kernels before those of graphs.
local function sort_by_topic(names)
  local times = {}
  for _, name in ipairs(names) do times[name] = pages.mentions(topic_of(name)) end
  table.sort(names, function(a, b)
    if times[a] == times[b] then return a < b end
    return times[a] > times[b]
  end)
end

-- Functions whose last name this is: "write_buffer" is queue:write_buffer.
local function by_last_name(word, list)
  local found = lists.filter(lists.keys(list), function(name) return last_name(name) == word end)
  if found[2] then sort_by_topic(found) end
  found = lists.map(found, function(name) return function_text(name, list[name], list) end)
  return found[1] and table.concat(found, "\n\n")
end

-- Functions whose last name begins with a word: "map" begins queue:map_buffer.
local function beginning_with(word, list)
  return summaries(list, function(name) return last_name(name):sub(1, #word + 1) == word .. "_" end)
end

local function names_of(list)
  local known = {}
  for name in pairs(list) do
    known[name], known[name:match "[^.:]+$"], known[topic_of(name)] = true, true, true
  end
  return known
end

local function suggestion(word, list)
  local near = nearest(word, names_of(list), math.floor(#word / 3))
  return ("there is no %s%s"):format(word, near and (": is %s meant?"):format(near) or "; help lists the topics")
end

-- The function of this name, or those whose last name it is; then the topic; then names that begin with it.
local function known_text(word, list)
  local parts = {list[word] and function_text(word, list[word], list) or by_last_name(word, list) or nil}
  parts[#parts + 1] = topic_text(word, list) or nil
  parts[#parts + 1] = beginning_with(word, list) or nil
  return parts[1] and table.concat(parts, "\n\n")
end

-- cl.float4 is float4, and a:sum the sum of whatever a is.
local function found_text(word, list)
  return known_text(word, list) or known_text((word:gsub("^.*[.:]", "")), list) or nil
end

local function name_text(word, list)
  return found_text(word, list) or pages.read(word) or suggestion(word, list)
end

-- The topic of a value: an object's kind, "array", or that of a table of functions such as cl.
local function topic_of_value(value, list)
  local kind = shown.type_of(value) and "array" or shown.kind_of(value)
  if kind then return (kind:gsub(" ", "_")) end
  local counts, most = {}, nil
  for _, member in pairs(type(value) == "table" and value or {}) do
    local name = type(member) == "function" and public.named()[member]
    local topic = name and list[name] and topic_of(name)
    if topic then
      counts[topic] = (counts[topic] or 0) + 1
      if not most or counts[topic] > counts[most] then most = topic end
    end
  end
  return most
end

-- The functions of vector types exist from their first use on: float4.
local function make_vector(word)
  return type(word) == "string" and vector.types[(word:gsub("^cl%.", ""))] or nil
end

--- The help for the name of a function, a method or a topic.
-- @tparam string word
-- @treturn ?string nil if nothing has this name
function help.find(word)
  make_vector(word)
  return found_text(word, functions())
end

--- All names that @{find} knows.
-- @treturn table a set
function help.names()
  return names_of(functions())
end

--- The help for a value or a name.
-- @param ... nothing for the topics; a function, an object or the name of one
function help.text(...)
  local value = ...
  make_vector(value)
  local list = functions()
  if select("#", ...) == 0 then return topics_text(list) end
  if type(value) == "string" then return name_text(value, list) end
  if type(value) == "function" then
    local name = public.named()[value]
    return function_text(name or "function", list[name] or value, list)
  end
  local topic = topic_of_value(value, list)
  return topic and (topic_text(topic, list) or by_last_name(topic, list))
    or ("there is no help for %s; help lists the topics"):format(shown.of(value))
end

local answer = {__tostring = function(self) return self.text end}

--- What the prompt's global `help` is: its text is the topics, and a call gives the help for a value or a name.
function help.global()
  return setmetatable({}, {
    __tostring = function() return help.text() end,
    __call = function(_, ...) return setmetatable({text = help.text(...)}, answer) end,
  })
end

--- Defines the names that every prompt has, whether a person types there or a program: `cl` and `help`, unless a script
-- before the prompt did.
function help.give_names()
  local clue = require "clue"
  if rawget(_G, "cl") == nil then rawset(_G, "cl", clue) end
  if rawget(_G, "help") == nil then rawset(_G, "help", help.global()) end
end

return help
