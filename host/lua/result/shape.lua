--- Whether the parts of a document have the kinds that clue writes. Each function returns what is wrong, with the
-- place, or nil.
local shape = {}

--- Whether a value is a list.
-- @param value
function shape.is_list(value)
  return type(value) == "table" and (value[1] ~= nil or next(value) == nil)
end

--- Examines the objects of a list.
-- @tparam ?table list nil: there is none, which is right
-- @tparam string where its place, such as "walkthroughs[0].runs"
-- @tparam[opt] function test test(entry, where) returns what is wrong with an object
-- @treturn ?string
function shape.each(list, where, test)
  if list == nil then return nil end
  if not shape.is_list(list) then return where .. " is not a list" end
  for i, entry in ipairs(list) do
    if type(entry) ~= "table" then return ("%s[%d] is not an object"):format(where, i - 1) end
    local problem = test and test(entry, ("%s[%d]"):format(where, i - 1))
    if problem then return problem end
  end
end

--- Examines a list of numbers.
-- @tparam ?table list
-- @tparam string where
-- @treturn ?string
function shape.numbers(list, where)
  if list == nil then return nil end
  if not shape.is_list(list) then return where .. " is not a list" end
  local count = 0
  for key, value in pairs(list) do
    if type(key) ~= "number" or type(value) ~= "number" then return where .. " is not a list of numbers" end
    count = count + 1
  end
  if count ~= #list then return where .. " is not a list of numbers" end -- a null leaves a hole
end

--- Examines a list of texts.
-- @tparam ?table list
-- @tparam string where
-- @treturn ?string
function shape.words(list, where)
  if list ~= nil and not shape.is_list(list) then return where .. " is not a list" end
  for _, word in ipairs(list or {}) do
    if type(word) ~= "string" then return where .. " is not a list of texts" end
  end
end

--- Examines the fields of an object, as far as it has them.
-- @tparam table entry
-- @tparam string where
-- @tparam table wanted Lua's name of the kind, by field
-- @treturn ?string
function shape.fields(entry, where, wanted)
  for field, kind in pairs(wanted) do
    if entry[field] ~= nil and type(entry[field]) ~= kind then
      return ("%s.%s is not a %s"):format(where, field, kind)
    end
  end
end

return shape
