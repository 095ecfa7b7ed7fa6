-- Everything that clue exports, found at run time: the public functions of all its modules (clue.public), each method
-- of each class among them, and the functions of the binding. Their parameters are taken from the comments above them,
-- or from bindings/binding.def; so a new function is attacked without an edit here.
--
-- functions: by name ("CLExecute", "binding.queue_finish"). methods: by name ("queue:finish"): {kind of its object,
-- method}; they are called through an object, as a script would. names: of both, sorted. parameters: by name, lists of
-- {name, types (a set), keys (of a table of options)}, those of methods without the object. files: clue's Lua files.
local binding = require "clue.binding"
local public = require "clue.public"

local surface = {functions = {}, methods = {}, names = {}, parameters = {}, files = {}}

local repository = debug.getinfo(1, "S").source:match "^@(.*)/tests/fuzz/parts/" or "."
package.path = repository .. "/docs/api/parts/?.lua;" .. package.path

-- These do what they say: they wait as long as they are told, end the process, change all of Lua, or give the script
-- memory to write to as it likes.
local excluded = {
  ["binding.sleep"] = "waits", ["Sleep"] = "waits", ["binding.child_wait"] = "waits",
  ["mql5.install"] = "changes every global name",
  ["binding.array_resize"] = "array:resize checks what belongs to a matrix",
  ["binding.temporary_remove"] = "removes a folder of any name",
}

-- ---- parameters ----

local texts = {} -- lines by file

local function lines_of(path)
  if not texts[path] then
    local list, file = {}, io.open(path, "r")
    for line in file and file:lines() or function() end do list[#list + 1] = line end
    if file then file:close() end
    texts[path] = list
  end
  return texts[path]
end

-- The words of a description that may be keys of a table of options.
local function keys_of(description)
  local keys = {}
  for word in description:gmatch "[%a_][%w_]+" do keys[#keys + 1] = word end
  return keys
end

local function parameter(name, types, description)
  local set = {}
  for word in types:gmatch "[%w_]+" do set[word] = true end
  return {name = name, types = set, list = types:find "{" ~= nil, keys = keys_of(description or "")}
end

local function documented(f)
  local info = debug.getinfo(f, "S")
  local lines = lines_of(info.source:gsub("^@", ""))
  local first = info.linedefined - 1
  while first > 0 and lines[first] and lines[first]:find "^%s*%-%-" do first = first - 1 end
  local list = {}
  for i = first + 1, info.linedefined - 1 do
    local types, name, rest = lines[i]:match "@tparam%S*%s+(%S+)%s+([%w_.]+)%s*(.*)"
    if not types then
      name, rest = lines[i]:match "@param%S*%s+([%w_.]+)%s*(.*)"
      types = name and "any"
    end
    if name then
      list[#list + 1] = parameter(name, types, rest)
    elseif #list > 0 then -- a description may need several lines
      for _, key in ipairs(keys_of(lines[i])) do table.insert(list[#list].keys, key) end
    end
  end
  return list
end

local function named(f)
  local list = {}
  for i = 1, 12 do
    local done, name = pcall(debug.getlocal, f, i)
    if not done or not name then break end
    list[i] = parameter(name, "any")
  end
  return list
end

local function add(name, f, parameters)
  local of_ranks = name:find "^mpi%." or name:find "^request:" -- they wait for other ranks, or end them
  if name:find "_setup$" or of_ranks or excluded[name] or surface.parameters[name] then return end
  surface.functions[name], surface.parameters[name] = f, parameters
  surface.names[#surface.names + 1] = name
end

-- Classes whose objects have another kind (clue.shown.kind_of).
local kinds = {type = "struct type", struct_array = "struct array"}

local function add_method(name, class, method, list)
  if list[1] and (list[1].name == "self" or list[1].name == "state" or list[1].name == class) then
    table.remove(list, 1)
  end
  add(name, nil, list)
  surface.methods[name] = {kinds[class] or class, method}
end

-- Its parameters, and whether its comment has them.
local function parameters_of(call)
  local f = public.written(call)
  local list = debug.getinfo(f, "S").what ~= "C" and documented(f) or {}
  if #list > 0 then return list, true end
  return named(f), false
end

-- A method of COpenCL is two functions of one name: the one that has the comment counts.
local function add_public()
  local known = {}
  for f, name in pairs(public.named()) do
    local list, is_documented = parameters_of(f)
    if is_documented or not known[name] then known[name] = {f = f, list = list} end
  end
  for name, each in pairs(known) do
    local class, method = name:match "^([%w_]+):(.*)"
    if not class then class, method = name:match "^(matrix)%.(.*)" end
    if not class then class, method = name:match "^(vector)%.(.*)" end
    if class then
      add_method(name, class, method, each.list)
    else
      add(name, each.f, each.list)
    end
  end
end

-- binding.def has the functions of which both bindings are made; the others are known by their names only.
local function defined()
  local found = {}
  for _, line in ipairs(lines_of(repository .. "/bindings/binding.def")) do
    local name, parameters = line:match "^([%w_]+)%((.-)%):"
    if name then
      local list = {}
      for part in parameters:gmatch "[^,]+" do
        local kind, own_name = part:match "^%s*([%w_]+)%??%s*([%w_]*)"
        list[#list + 1] = parameter(own_name ~= "" and own_name or kind, kind)
        if kind == "part" then
          list[#list + 1], list[#list + 2] = parameter("first", "long"), parameter("count", "long")
        elseif kind == "range" then
          for _, each in ipairs {"offset", "global_size", "local_size"} do list[#list + 1] = parameter(each, "ints") end
          list[#list - 3] = parameter("dimensions", "int")
        end
      end
      found[name] = list
    end
  end
  return found
end

local function add_binding()
  local known = defined()
  for name, f in pairs(binding) do
    if type(f) == "function" then
      local list = known[name] or named(f)
      if #list == 0 and not known[name] then
        for i = 1, 5 do list[i] = parameter(i == 1 and name:match "^%a+" or "argument", "any") end
      end
      add("binding." .. name, f, list)
    end
  end
end

--- Whether a function gives handles as numbers, which the script must free.
-- @tparam string name
-- @treturn boolean
function surface.gives_handles(name)
  return name:find "^CL" ~= nil or name:find "^COpenCL" ~= nil or name:find "^binding" ~= nil
end

surface.files = require("names").load_all()
add_public()
add_binding()
table.sort(surface.names)

return surface
