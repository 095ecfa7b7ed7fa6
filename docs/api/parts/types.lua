--- The types of comments, as LuaCATS writes them: "?string" is "string?", "{number,...}" is "number[]", "queue" is
-- "clue.queue".
local topics = require "topics"

local types = {}

local known = {
  number = "number", string = "string", boolean = "boolean", table = "table", ["function"] = "function", any = "any",
  int = "integer", bool = "boolean", ["nil"] = "nil", argument = "clue.argument", COpenCL = "COpenCL",
}
-- Classes without a page of their own.
for name in ("elementwise reduction scan sort gemm struct struct_array vector complex"):gmatch "%S+" do
  known[name] = "clue." .. name
end
for _, topic in ipairs(topics) do
  local class = topic.class
  if class and not known[class] then known[class] = "clue." .. class end
end
known["local_memory"] = "clue.argument"

-- What the modules of walkthroughs' steps make: "Product" is "clue.walk.Product".
setmetatable(known, {__index = function(_, word)
  return word:find "^%u%l+$" and "clue.walk." .. word or nil
end})

-- Instead of one of these objects, its handle can be given.
local with_handle = {
  context = true, queue = true, program = true, kernel = true, buffer = true, image = true, sampler = true, svm = true,
}

-- The alternatives of "a|{b|c,...}|d": what is in braces is one.
local function alternatives(text)
  local list, depth, part = {}, 0, ""
  for character in text:gmatch "." do
    depth = depth + (character == "{" and 1 or character == "}" and -1 or 0)
    if character == "|" and depth == 0 then
      list[#list + 1], part = part, ""
    else
      part = part .. character
    end
  end
  list[#list + 1] = part
  return list
end

local function single(word)
  local elements = word:match "^{(.*),%.%.%.}$"
  if elements then
    local inner = types.luacats(elements)
    return (inner:find "|" and "(" .. inner .. ")" or inner) .. "[]"
  end
  return known[word] or "any"
end

--- The first word of a type that is neither a type of Lua's nor a class.
-- @tparam string text "?string", "kernel|number"
-- @treturn ?string
function types.unknown(text)
  for word in text:gmatch "[%w_]+" do
    if not known[word] then return word end
  end
end

--- A type as LuaCATS writes it. What is unknown becomes any.
-- @tparam string text "?string", "kernel|number"
-- @tparam[opt] boolean given whether it is what a script gives, which may be an object's handle
-- @treturn string "string?", "clue.kernel|number"
function types.luacats(text, given)
  local optional = text:find "^%?" ~= nil
  local list, seen, has_handle = {}, {}, false
  for _, word in ipairs(alternatives((text:gsub("^%?", "")))) do
    local made = single(word)
    has_handle = has_handle or with_handle[word] or false
    if not seen[made] then list[#list + 1], seen[made] = made, true end
  end
  if given and has_handle and not seen.number and not seen.integer then list[#list + 1] = "integer" end
  if optional then list[#list + 1] = "nil" end
  return table.concat(list, "|")
end

--- The classes, as LuaCATS names them.
-- @treturn {string,...}
function types.classes()
  local list, seen = {}, {}
  for _, name in pairs(known) do
    if name:find "%." and not seen[name] then list[#list + 1], seen[name] = name, true end
  end
  table.sort(list)
  return list
end

return types
