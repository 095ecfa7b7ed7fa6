--- What `ldoc --filter filter.write` calls: it prints the items that LDoc has found, as one line of JSON after a mark.
local json = require "clue.json"

local filter = {}

--- The line before the JSON. Whatever LDoc prints before it is a complaint.
filter.MARK = "-- the items that LDoc has found --"

local function trimmed(text)
  return text and (text:gsub("^%s+", ""):gsub("%s+$", "")) or ""
end

-- Parameters of a function, or fields of a table.
local function list_of(item)
  local list = {}
  local modifiers = item.modifiers[item.parameter or "param"] or {}
  for i, name in ipairs(item.params or {}) do
    local modifier = rawget(modifiers, i) or {}
    list[i] = {name = name, type = modifier.type, text = trimmed(item.params.map[name]),
               optional = modifier.opt ~= nil, default = type(modifier.opt) == "string" and modifier.opt or nil}
  end
  return list
end

local function results_of(item)
  local list = {}
  for _, group in ipairs(item.retgroups or {}) do
    for _, result in ipairs(group) do
      list[#list + 1] = {type = result.type, text = trimmed(result.text)}
    end
  end
  return list
end

--- Prints all items of all modules.
-- @tparam table modules LDoc's
function filter.write(modules)
  local found = {}
  for module in modules:iter() do
    local items = {}
    for item in module.items:iter() do
      items[#items + 1] = {
        name = item.name, kind = item.type, line = item.lineno, summary = trimmed(item.summary),
        text = trimmed(item.description), list = list_of(item), results = results_of(item),
        overloads = item.tags.overload,
      }
    end
    found[#found + 1] = {
      file = module.file, summary = trimmed(module.summary), text = trimmed(module.description), items = items,
    }
  end
  print(filter.MARK)
  print(json.encode(found))
end

return filter
