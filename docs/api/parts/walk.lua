--- The modules of walkthroughs' steps, clue.walk and those that the steps in scripts/ require, as topics like those of
-- surface.lua. Their functions are not registered with clue.public, so the names come from the comments; that each is
-- there at run time is checked by following the modules' tables and what their functions refer to.
local ldoc = require "ldoc"
local names = require "names"
local surface = require "surface"

local walk = {}

-- The modules that steps require, in order: "clue.walk", "clue.walk.ceiling", ...
local function required()
  local found, list = {}, {}
  local text = ldoc.output_of(("grep -rhoE 'require[ (]*\"clue\\.walk[a-z_.]*\"' '%s/scripts/walkthroughs'"):format(ldoc.root))
  for name in text:gmatch '"([^"]*)"' do
    if not found[name] then list[#list + 1], found[name] = name, true end
  end
  table.sort(list)
  return list
end

local function topic_of(module, file)
  local short = module:match "[^.]*$"
  local topic = {page = "walk" .. (short == "walk" and "" or "_" .. short), title = module, module = module,
                 file = file.path, summary = file.summary, text = file.text, functions = {}, fields = {},
                 constants = {}}
  for _, item in pairs(file.by_line) do
    if item.kind == "function" then table.insert(topic.functions, surface.documented(item, short)) end
  end
  table.sort(topic.functions, function(a, b) return a.line < b.line end)
  return topic
end

--- Reads the comments.
-- @treturn {table,...} topics, each with module
-- @treturn string what LDoc complained about
function walk.read()
  local files, complaints = ldoc.files "walk.ld"
  local topics = {}
  for _, module in ipairs(required()) do
    local path = "host/lua/" .. module:gsub("^clue%.", ""):gsub("%.", "/")
    local file = files[path .. ".lua"] or files[path .. "/init.lua"]
    if file then topics[#topics + 1] = topic_of(module, file) end
  end
  return topics, complaints
end

-- Enters the place of every function that can be reached from a value.
local function reach(value, places, seen)
  if seen[value] then return end
  if type(value) == "table" then
    seen[value] = true
    for _, member in next, value do reach(member, places, seen) end
    local meta = debug.getmetatable(value)
    if meta then reach(meta, places, seen) end
  elseif type(value) == "function" then
    seen[value] = true
    local path, line = names.place(value)
    if path then places[path .. ":" .. line] = true end
    for i = 1, math.huge do
      local name, other = debug.getupvalue(value, i)
      if not name then break end
      if path and other ~= nil then reach(other, places, seen) end
    end
  end
end

--- What is documented and not there.
-- @tparam {table,...} topics
-- @treturn {string,...} a line for each function
function walk.faults(topics)
  local faults = surface.faults(topics)
  for _, topic in ipairs(topics) do
    local places = {}
    reach(require(topic.module), places, {})
    for _, f in ipairs(topic.functions) do
      if not places[f.file .. ":" .. f.line] then
        faults[#faults + 1] = ("%s:%d: %s is not in %s at run time"):format(f.file, f.line, f.call, topic.module)
      end
    end
  end
  return faults
end

return walk
