--- The table of the public API: what scripts can use, found at run time, joined with what the comments above it say.
--
-- A topic is a page of the reference (topics.lua) with head (the text about it), functions and fields, both sorted. A
-- function has name (as clue.public has it, "queue:finish"), call (as a script writes it, "cl.device.pick"), member
-- ("pick"), owner ("queue"; nil for globals), text, parameters and results (name, type, text, optional, default), file
-- and line. A field has owner, name, type and text; a constant also value.
local ldoc = require "ldoc"
local names = require "names"
local topics = require "topics"
local types = require "types"

local surface = {}

local function source_of(head)
  return "bindings/clue/" .. head .. ".lua"
end

-- ---- the comment of a name --------------------------------------------------------------------------------------

local function lines_of(path)
  local lines = {}
  for line in io.lines(ldoc.root .. "/" .. path) do lines[#lines + 1] = line end
  return lines
end

-- One comment may be for several lines "methods.read_svm = transfer(...)": the line of the first one.
local function assignment(path, member)
  local lines = lines_of(path)
  for number, line in ipairs(lines) do
    if line:find("^[%w_]+%." .. member .. "%s*=%s") then
      while lines[number - 1]:find "^[%w_]+%.[%w_]+%s*=%s" do number = number - 1 end
      return number
    end
  end
end

local function comment_of(files, topic, name, call)
  local member = name:match "[%w_]+$" or name
  local path, line = names.place(call)
  local file = path and files[path]
  local found = file and file.by_line[line]
  if found then return found end
  for _, candidate in ipairs {path or false, source_of(topic.head)} do
    file = candidate and files[candidate]
    local by_assignment = file and assignment(candidate, member)
    if by_assignment and file.by_line[by_assignment] then return file.by_line[by_assignment] end
    if file and file.by_name[member] then return file.by_name[member] end
  end
end

-- Functions that a loop defines share a comment; a table beside it may have a word about each.
local function own_words(files, item, member)
  local file = files[item.file]
  for _, table_item in pairs(file.by_line) do
    for _, field in ipairs(table_item.kind == "table" and table_item.list or {}) do
      if field.name == member and field.text ~= "" then return field.text end
    end
  end
end

-- ---- functions --------------------------------------------------------------------------------------------------

-- Leaves out the object of a method, and what must not be given: MQL5's reference parameters.
local function without_object(list, owner)
  local first = list[1]
  local is_object = first and owner and (first.name == "self" or first.name == "state"
    or first.name == owner and first.type == owner)
  local kept = {}
  for i, parameter in ipairs(list) do
    local is_nothing = parameter.name == "..." and parameter.text:find "^nothing" or parameter.name == "_"
    if not (i == 1 and is_object) and not is_nothing then kept[#kept + 1] = parameter end
  end
  return kept
end

-- "See @{clue.timing.time}": the function to which another one only passes its arguments has the longer comment.
local function passed_to(files, item)
  local module, member = (item.summary .. " " .. item.text):match "[Ss]ee%s+@{(clue%.[%w_.]+)%.([%w_]+)}"
  local path = module and "bindings/clue/" .. module:gsub("^clue%.", ""):gsub("%.", "/")
  local file = path and (files[path .. ".lua"] or files[path .. "/init.lua"])
  return file and file.by_name[member]
end

local function without_reference(text)
  return (text:gsub("[,:] see%s+@{clue%.[%w_.]+}%.", "."):gsub("%s*[Ss]ee%s+@{clue%.[%w_.]+}%.", ""))
end

local function enriched(item, target)
  local texts, copy = {}, {}
  for key, value in pairs(item) do copy[key] = value end
  for _, parameter in ipairs(target.list) do texts[parameter.name] = parameter.text end
  copy.list = {}
  for i, parameter in ipairs(item.list) do
    local made = {}
    for key, value in pairs(parameter) do made[key] = value end
    made.text = texts[made.name] and texts[made.name] ~= "" and texts[made.name] or made.text
    copy.list[i] = made
  end
  copy.results = #target.results == #item.results and target.results or item.results
  copy.summary = without_reference(item.summary)
  copy.text = (without_reference(item.text) .. "\n" .. target.text):gsub("^%s+", ""):gsub("%s+$", "")
  return copy
end

-- Names such as end_ avoid a word of Lua's, and types such as ?string say that a parameter may be left out.
local function parameter_of(given)
  local type_name = given.type and given.type:gsub("^%?", "")
  return {name = (given.name:gsub("_$", "")), type = type_name ~= "" and type_name or "any", text = given.text,
          optional = given.optional or given.type ~= nil and given.type:find "^%?" ~= nil, default = given.default}
end

-- "(number buffer, matrix|vector data): boolean": other parameters that the same function takes.
local function overload_of(text)
  local list, results = {}, {}
  for part in text:match "%b()":sub(2, -2):gmatch "[^,]+" do
    local type_name, name = part:match "^%s*(%S+)%s+(%S+)%s*$"
    list[#list + 1] = parameter_of {name = name, type = type_name, text = ""}
  end
  for word in (text:match "%)%s*:%s*(.*)$" or ""):gmatch "[^,%s]+" do
    results[#results + 1] = {type = word, text = ""}
  end
  return {parameters = list, results = results}
end

local function shared_words(item, words)
  if not words then return item.summary end
  return words:gsub("^%l", string.upper) .. "."
end

-- What a comment says about a function; bound is the name of its object, which is no parameter.
local function fill(made, item, bound)
  for _, given in ipairs(without_object(item.list, bound)) do
    table.insert(made.parameters, parameter_of(given))
  end
  for i, result in ipairs(item.results) do
    made.results[i] = {type = result.type and result.type ~= "" and result.type or "any", text = result.text}
  end
  made.overloads = {}
  for i, text in ipairs(item.overloads or {}) do made.overloads[i] = overload_of(text) end
  made.summary, made.text, made.file, made.line = item.summary, item.text, item.file, item.line
  return made
end

--- A function as its comment has it, without its name at run time.
-- @tparam table item of LDoc's
-- @tparam string module how the file calls its module's table, which LDoc leaves out
-- @treturn table
function surface.documented(item, module)
  local name = item.name:find "[.:]" and item.name or module .. "." .. item.name
  if item.list[1] and item.list[1].name == "_" then name = name:gsub("%.([%w_]+)$", ":%1") end -- an object not needed
  local prefix, member = name:match "^(.*[.:])([%w_]+)$"
  local made = {name = name, call = name, member = member, prefix = prefix, is_method = prefix:find ":$" ~= nil,
                owner = prefix:match "^[%w_]+", parameters = {}, results = {}}
  return fill(made, item, made.is_method and made.owner)
end

local function function_of(files, topic, name, call, prefix, shown)
  local item = comment_of(files, topic, name, call)
  local member = name:sub(#prefix + 1)
  local is_call = prefix == name
  local is_method = prefix:find ":$" ~= nil and not (item and item.name:find "^COpenCL%.") -- but a constructor
  local written = is_call and shown or (is_method and shown or shown:gsub(":$", ".")) .. member
  local made = {name = name, call = written, member = member, prefix = prefix, is_method = is_method,
                is_call = is_call, owner = prefix:match "^([%w_]+)", parameters = {}, results = {}}
  local of_matrices = prefix:find "^matrix" or prefix:find "^vector"
  made.is_static = of_matrices ~= nil and debug.getlocal(call, 1) ~= "state" -- matrix.Zeros(2, 3), not m.Fill(0)
  if not item then return made end
  local target = passed_to(files, item)
  if target then item = enriched(item, target) end
  local bound = is_method or is_call or (prefix == "matrix." or prefix == "vector.") and not made.is_static
  fill(made, item, bound and made.owner)
  local words = item.name:find "%u%u$" and own_words(files, item, member)
  made.summary = shared_words(item, words)
  return made
end

-- ---- topics -----------------------------------------------------------------------------------------------------

-- The topic of a name, the prefix, and how scripts write that.
local function topic_of(name, call)
  for _, topic in ipairs(topics) do
    for prefix, shown in pairs(topic.prefixes) do
      if name:sub(1, #prefix) == prefix then return topic, prefix, shown end
    end
  end
  local path = not name:find "[^%w_]" and names.place(call)
  for _, topic in ipairs(topics) do
    for _, file in ipairs(path and topic.files or {}) do
      if source_of(file) == path then return topic, "", "" end
    end
  end
  error(("%s is public, but has no page: docs/api/parts/topics.lua needs its prefix or file (%s)"):format(name,
    tostring(path)), 0)
end

local function by_call(a, b)
  return a.call < b.call
end

local function fields_of(files, owner)
  local list = {}
  for _, file in pairs(files) do
    for _, item in pairs(file.by_line) do
      for _, field in ipairs(item.kind == "table" and item.name == owner and item.list or {}) do
        local made = parameter_of(field)
        made.owner, made.file, made.line, made.about = owner, item.file, item.line, item.summary
        list[#list + 1] = made
      end
    end
  end
  return list
end

local kinds = {
  number = "number", bytes = "number", identifier = "number", bool = "boolean", text = "string", choice = "string",
  version = "string", uuid = "string", luid = "string", pci = "string", pci_amd = "string",
}

-- A device's properties, which it has under their names in lower case.
local function properties_of(owner)
  local list, known = {}, require "clue.device_properties"
  for _, property in ipairs(known[owner] and known[owner].list or {}) do
    local short = property.name:gsub("^CL_DEVICE_", ""):lower()
    list[#list + 1] = {name = short, owner = owner, type = kinds[property.kind] or "table", optional = true,
                       text = property.name .. (property.extension and " (" .. property.extension .. ")" or "")}
  end
  return list
end

-- MQL5's constants: the comments of tables in its files, and for the numbers of properties who takes them.
local function constants_of(files, topic)
  local mql5, properties, list = require "clue.mql5", require "clue.mql5.properties", {}
  local function add(name, text)
    list[#list + 1] = {name = name, type = type(mql5[name]), value = mql5[name], text = text}
  end
  for _, file in ipairs(topic.files or {}) do
    for _, item in pairs(files[source_of(file)] and files[source_of(file)].by_line or {}) do
      for _, field in ipairs(item.kind == "table" and item.list or {}) do
        local value = rawget(mql5, field.name)
        if value ~= nil and type(value) ~= "function" then add(field.name, field.text) end
      end
    end
    for name, number in pairs(file == "mql5/properties" and properties.names or {}) do
      add(name, ("number of a property, for %s"):format(properties.find(number).reader))
    end
  end
  table.sort(list, function(a, b) return a.name < b.name end)
  return list
end

local function new_topic(files, topic)
  local head = files[source_of(topic.head)]
  local made = {page = topic.page, title = topic.title, class = topic.class, functions = {}, fields = {},
                file = source_of(topic.head), summary = head.summary, text = head.text}
  made.fields = topic.class and fields_of(files, topic.class) or {}
  for _, property in ipairs(topic.class and properties_of(topic.class) or {}) do
    table.insert(made.fields, property)
  end
  made.constants = constants_of(files, topic)
  return made
end

--- Makes the table.
-- @treturn {table,...} topics
-- @treturn string what LDoc complained about
function surface.read()
  local files, complaints = ldoc.files()
  local list, by_page = {}, {}
  for i, topic in ipairs(topics) do
    list[i] = new_topic(files, topic)
    by_page[topic.page] = list[i]
  end
  for name, call in pairs(names.functions()) do
    local topic, prefix, shown = topic_of(name, call)
    table.insert(by_page[topic.page].functions, function_of(files, topic, name, call, prefix, shown))
  end
  for _, topic in ipairs(list) do table.sort(topic.functions, by_call) end
  return list, complaints
end

local function faults_of(f)
  local list = {}
  local function add(problem, ...) list[#list + 1] = f.call .. ": " .. problem:format(...) end
  if not f.file then
    add "no comment was found: is the build older than the sources?"
    return list
  end
  local has_words = f.summary ~= "" or f.results[1] and f.results[1].text ~= ""
  if not has_words then add "its comment says nothing" end
  for _, item in ipairs {f.parameters, f.results} do
    for _, each in ipairs(item) do
      local unknown = types.unknown(each.type)
      if unknown then add("'%s' is no type: docs/api/parts/types.lua lists them", unknown) end
    end
  end
  for _, parameter in ipairs(f.parameters) do
    if not parameter.name:find "^[%a_][%w_]*$" and parameter.name ~= "..." then
      add("'%s' is no name of a parameter", parameter.name)
    end
  end
  return list
end

--- What is wrong with the documentation.
-- @tparam {table,...} list topics
-- @treturn {string,...} a line for each fault
function surface.faults(list)
  local faults = {}
  for _, topic in ipairs(list) do
    for _, f in ipairs(topic.functions) do
      for _, fault in ipairs(faults_of(f)) do faults[#faults + 1] = fault end
    end
    for _, field in ipairs(topic.fields) do
      if types.unknown(field.type) or field.text == "" and field.type == "any" then
        faults[#faults + 1] = field.name .. ": a field without a type that exists"
      end
    end
  end
  table.sort(faults)
  return faults
end

return surface
