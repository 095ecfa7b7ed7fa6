--- LuaCATS annotations of the whole API: an addon for lua-language-server. config.json has what the server must know
-- about scripts, library/ a file of annotations for each topic, and library/clue.lua with library/clue/ what `require`
-- gives. A topic with a class annotates it; "cl.device." and the like are tables of their own.
local facts = require "facts"
local json = require "clue.json"
local markdown = require "markdown"
local types = require "types"

local luacats = {}

local keywords = {}
for word in ([[and break do else elseif end false for function goto if in local nil not or repeat return then true
  until while]]):gmatch "%S+" do keywords[word] = true end

local function add(lines, ...)
  for i = 1, select("#", ...) do lines[#lines + 1] = (select(i, ...)) end
end

-- ---- comments ---------------------------------------------------------------------------------------------------

local function add_text(lines, text)
  if text == "" then return end
  local plain = text:gsub("@{([^}]*)}", "`%1`")
  for line in (plain .. "\n"):gmatch "([^\n]*)\n" do lines[#lines + 1] = ("---" .. line):gsub("%s+$", "") end
end

local function in_line(text)
  return (text:gsub("@{([^}]*)}", "%1"):gsub("%s+", " "))
end

local function safe(name)
  return keywords[name] and name .. "_" or name
end

-- Nothing can follow "...": what a comment describes after it is the last of those arguments.
local function known_parameters(f)
  local list = {}
  for _, parameter in ipairs(f.parameters) do
    list[#list + 1] = parameter
    if parameter.name == "..." then break end
  end
  return list
end

local function parameter_line(parameter)
  local default = parameter.default and (" (default %s)"):format(parameter.default) or ""
  local text = in_line(parameter.text) .. default
  local mark = parameter.optional and parameter.name ~= "..." and "?" or ""
  return ("---@param %s%s %s%s"):format(safe(parameter.name), mark, types.luacats(parameter.type, true),
    text ~= "" and " " .. text or "")
end

local function result_lines(lines, f)
  for _, result in ipairs(f.results) do
    local text = result.text ~= "" and " # " .. in_line(result.text) or ""
    add(lines, ("---@return %s%s"):format(types.luacats(result.type), text))
  end
end

-- MQL5's failures give the message as one more result.
local function add_message(lines, f)
  local says = f.results[#f.results] and f.results[#f.results].text or ""
  if says:find "message on failure" and f.results[#f.results].type ~= "?string" then
    add(lines, "---@return string? message of a failure")
  end
end

local function parameter_names(f)
  local names = {}
  for i, parameter in ipairs(known_parameters(f)) do names[i] = safe(parameter.name) end
  return table.concat(names, ", ")
end

-- ---- functions --------------------------------------------------------------------------------------------------

-- fun(queue: clue.queue, where?: table): clue.event
local function function_type(f)
  local given, results = {}, {}
  for i, parameter in ipairs(known_parameters(f)) do
    given[i] = ("%s%s: %s"):format(safe(parameter.name), parameter.optional and parameter.name ~= "..." and "?" or "",
      types.luacats(parameter.type, true))
  end
  for i, result in ipairs(f.results) do results[i] = types.luacats(result.type) end
  return ("fun(%s)%s"):format(table.concat(given, ", "), #results > 0 and ": " .. table.concat(results, ", ") or "")
end

local function add_function(lines, f, written)
  add_text(lines, f.summary .. (f.text ~= "" and "\n" .. f.text or ""))
  for _, parameter in ipairs(known_parameters(f)) do add(lines, parameter_line(parameter)) end
  result_lines(lines, f)
  add_message(lines, f)
  for _, overload in ipairs(f.overloads or {}) do add(lines, "---@overload " .. function_type(overload)) end
  add(lines, ("function %s(%s) end"):format(written, parameter_names(f)), "")
end

-- ---- classes ----------------------------------------------------------------------------------------------------

local operators = {["+"] = "add", ["-"] = "sub", ["*"] = "mul", ["/"] = "div", ["%"] = "mod", ["^"] = "pow"}

local class_of = {matrix = "clue.matrix", vector = "clue.vector", COpenCL = "COpenCL", type = "clue.type"}

local of_objects = {["COpenCL:"] = true, ["matrix."] = true, ["vector."] = true}

-- Functions by the class that has them: methods and calls.
local function by_class(topics)
  local found = {}
  for _, topic in ipairs(topics) do
    for _, f in ipairs(topic.functions) do
      local operator = f.name:match "^device_array (%p)$"
      local belongs = f.is_method or f.is_call or operator or of_objects[f.prefix] and not f.is_static
      local class = belongs and (class_of[f.owner] or "clue." .. f.owner)
      if class then
        found[class] = found[class] or {}
        table.insert(found[class], f)
      end
    end
  end
  return found
end

local function fields_by_class(topics)
  local found = {}
  for _, topic in ipairs(topics) do
    if topic.class then found[class_of[topic.class] or "clue." .. topic.class] = topic.fields end
  end
  return found
end

local function add_class(lines, class, functions, fields)
  local short = class:match "[%w_]*$"
  add(lines, "---@class " .. class .. (facts.bases[class] and ": " .. facts.bases[class] or ""))
  for _, field in ipairs(fields or {}) do
    add(lines, ("---@field %s%s %s%s"):format(field.name, field.optional and "?" or "", types.luacats(field.type),
      field.text ~= "" and " " .. in_line(field.text) or ""))
  end
  for _, line in ipairs(facts.lines[class] or {}) do add(lines, line) end
  for _, f in ipairs(functions or {}) do
    local operator = operators[f.name:match "^device_array (%p)$"]
    if operator then add(lines, ("---@operator %s(clue.device_array|number): clue.device_array"):format(operator)) end
    if f.is_call then add(lines, "---@overload " .. function_type(f)) end
  end
  local variable = class == "COpenCL" and "COpenCL" or short
  add(lines, class == "COpenCL" and "COpenCL = {}" or ("local %s = {}"):format(variable), "")
  for _, f in ipairs(functions or {}) do
    local separator = f.is_method and ":" or "."
    if not f.is_call and not operators[f.name:match "^device_array (%p)$"] then
      add_function(lines, f, variable .. separator .. f.member)
    end
  end
end

local function class_file(topics)
  local lines = {"---@meta", ""}
  local functions, fields = by_class(topics), fields_by_class(topics)
  for _, class in ipairs(types.classes()) do add_class(lines, class, functions[class], fields[class]) end
  add_class(lines, "COpenCL", functions.COpenCL, nil)
  return table.concat(lines, "\n")
end

-- ---- modules ----------------------------------------------------------------------------------------------------

local function module_file(topics)
  local lines, functions = {"---@meta", ""}, {}
  for _, topic in ipairs(topics) do
    for _, f in ipairs(topic.functions) do
      functions[f.prefix] = functions[f.prefix] or {}
      table.insert(functions[f.prefix], f)
    end
  end
  local prefixes = {}
  for prefix in pairs(facts.modules) do prefixes[#prefixes + 1] = prefix end
  table.sort(prefixes)
  for _, prefix in ipairs(prefixes) do
    local class = facts.modules[prefix]
    local variable = prefix:sub(1, -2) .. "_module"
    add(lines, "---@class " .. class)
    for _, line in ipairs(facts.fields[class] or {}) do add(lines, line) end
    add(lines, ("local %s = {}"):format(variable), "")
    for _, f in ipairs(functions[prefix] or {}) do add_function(lines, f, variable .. "." .. f.member) end
  end
  return table.concat(lines, "\n")
end

-- ---- globals ----------------------------------------------------------------------------------------------------

local function global_file(topics)
  local lines = {"---@meta", ""}
  for _, topic in ipairs(topics) do
    for _, f in ipairs(topic.functions) do
      if f.prefix == "" or f.is_static then add_function(lines, f, f.call) end
    end
    for _, constant in ipairs(topic.constants) do
      add_text(lines, constant.text)
      local kind = type(constant.value) == "table" and "table<string, integer>"
        or constant.value % 1 == 0 and math.abs(constant.value) < 2 ^ 53 and "integer" or "number"
      add(lines, "---@type " .. kind,
        constant.name .. " = " .. (type(constant.value) == "table" and "{}" or ("%.17g"):format(constant.value)), "")
    end
  end
  for _, name in ipairs(facts.vectors) do
    add(lines, ("---@type fun(...: number|clue.value|table): clue.value"), name .. " = nil", "")
  end
  add(lines, "---@type clue.module.array", "array = {}", "", "---@type clue.module.input", "input = {}", "")
  return table.concat(lines, "\n")
end

-- A module of walkthroughs' steps: what it returns, and the tables that its functions make objects of.
local function step_file(topic)
  local lines, owners = {"---@meta " .. topic.module, ""}, {}
  for _, f in ipairs(topic.functions) do
    if f.owner and not owners[f.owner] then
      if f.owner:find "^%u" then add(lines, "---@class clue.walk." .. f.owner, "---@field [string] any") end
      add(lines, ("local %s = {}"):format(f.owner), "")
    end
    owners[f.owner or ""] = true
  end
  for _, f in ipairs(topic.functions) do
    if f.owner then add_function(lines, f, f.call) end
  end
  local own = topic.module:match "[^.]*$"
  if owners[own] then add(lines, "return " .. own, "") end
  return table.concat(lines, "\n")
end

-- An input defines a global of its name, which begins with an underscore by MQL5's custom.
local settings = {
  ["runtime.version"] = "LuaJIT", ["diagnostics.globals"] = {"OnStart"}, ["diagnostics.globalsRegex"] = {"^_[a-z]"},
}

--- The settings for a project of scripts, as .luarc.json has them.
-- @tparam string library the addon's library folder
-- @treturn string
function luacats.luarc(library)
  local copy = {["$schema"] = "https://raw.githubusercontent.com/LuaLS/vscode-lua/master/setting/schema.json",
                ["workspace.library"] = {library}, ["workspace.checkThirdParty"] = false}
  for key, value in pairs(settings) do copy[key] = value end
  return json.encode(copy, {indent = true}) .. "\n"
end

--- Writes the addon.
-- @tparam {table,...} topics of surface.read()
-- @tparam {table,...} modules of walk.read()
-- @tparam string folder made if it is not there
function luacats.write(topics, modules, folder)
  local library = folder .. "/library"
  markdown.write(library, "objects.lua", class_file(topics))
  markdown.write(library, "modules.lua", module_file(topics))
  markdown.write(library, "globals.lua", global_file(topics))
  for name, class in pairs(facts.required) do
    local text = ("---@meta %s\n\n---@type %s\nlocal module\nreturn module\n"):format(name, class)
    markdown.write(library, name:gsub("%.", "/") .. ".lua", text)
  end
  for _, topic in ipairs(modules) do
    markdown.write(library, topic.module:gsub("%.", "/") .. ".lua", step_file(topic))
  end
  local addon = {name = "clue", words = {'require[%s%(]+["\']clue["\'%.]', "CLContextCreate"}, settings = {}}
  for key, value in pairs(settings) do addon.settings["Lua." .. key] = value end
  markdown.write(folder, "config.json", json.encode(addon, {indent = true}) .. "\n")
  markdown.write(folder, "luarc.json", luacats.luarc "/path/to/clue/luacats/library")
end

return luacats
