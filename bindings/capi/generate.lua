-- Makes generated.c, the mechanical part of this binding, from binding.def:
--   generate.lua DEFINITION.LUA BINDING.DEF OUTPUT
-- Only the build runs it. A template contains $name (the parameter), $1, $2, ... (the positions of its arguments in
-- Lua), $list (a list of words) and $what (what its words name).
local reader, table_path, output = ...
local definition = dofile(reader)
local fill = definition.fill

-- How each kind of parameter is read, with `type` and `read`; `places`: the places it needs; `more` comes after that;
-- `pushes`: reading leaves something on Lua's stack. For what C is given, see definition.call.
local kinds = {
  int = {type = "int32_t ", read = "capi_int(L, $1, call)"},
  long = {type = "int64_t ", read = "capi_long(L, $1, call)"},
  constant = {type = "uint32_t ", read = "(uint32_t)capi_int(L, $1, call)"},
  number = {type = "double ", read = "capi_number(L, $1, call)"},
  text = {type = "const char *", read = "capi_text(L, $1, call)"},
  bytes = {
    places = {"size_t $name_size = 0;"}, type = "const char *", read = "capi_bytes(L, $1, &$name_size, call)",
    gives = "$name, (int64_t)$name_size",
  },
  word = {type = "int32_t ", read = 'capi_word(L, $1, capi_$list, "$what", call)'},
  ints = {
    places = {"int32_t $name_count = 0;"}, type = "const int32_t *",
    read = "capi_ints(L, $1, &$name_count, call)", gives = "$name, $name_count", pushes = true,
  },
  pairs = {
    places = {"int32_t $name_count = 0;"}, type = "const char **",
    read = "capi_pairs(L, $1, &$name_count, call)", gives = "$name, $name_count", pushes = true,
  },
  colour = {places = {"double $name[4];"}, more = {"capi_colour(L, $name, $1, call);"}},
  array = {
    type = "const struct capi_array *", read = "capi_array(L, $1, call)",
    data = "$name->data", size = "$name->count * capi_array_size($name)",
  },
  lent = {
    type = "struct capi_array *", read = "capi_array(L, $1, call)", leads = "&$name->mapping",
    data = "$name->data", size = "$name->count * capi_array_size($name)",
  },
  part = {
    places = {"int64_t first, count;"}, type = "const struct capi_array *", read = "capi_array(L, $1, call)",
    more = {"capi_array_range(L, $name, &first, &count, $2, call);"},
    data = "capi_array_at($name, first)", size = "count * capi_array_size($name)",
  },
  blocking = {
    places = {"int32_t event, *event_out;"}, more = {"event_out = capi_event_out(L, $1, &event);"}, gives = false,
  },
  range = {
    places = {"struct capi_range range;", "int32_t dimensions;"},
    more = {"dimensions = capi_int(L, $1, call);", "capi_range(L, &range, dimensions, $2, call);"},
    gives = "dimensions, range.offset, range.global, range.local",
  },
  box = {
    places = {"int64_t origin[3], region[3];"}, more = {"capi_box(L, origin, region, $1, call);"},
    gives = "origin, region",
  },
  boxes = {
    places = {"int64_t from_origin[3], region[3], to_origin[3];"},
    more = {"capi_box(L, from_origin, region, $1, call);", "capi_origin(L, to_origin, $3, call);"},
    gives = "from_origin, to_origin, region",
  },
  rect = {places = {"clue_rect $name;"}, more = {"capi_rect(L, &$name, $1, call);"}, gives = "&$name"},
  image_part = {
    places = {"clue_image_part $name;"}, more = {"capi_image_part(L, &$name, $1, call);"}, gives = "&$name",
  },
  shape = {places = {"clue_image_shape $name;"}, more = {"capi_shape(L, &$name, $1, call);"}, gives = "&$name"},
  place = {
    more = {"shape.buffer = capi_int(L, $1, call);", "shape.row_pitch = capi_long(L, $2, call);"}, gives = false,
  },
}

-- Where C writes each kind of result, and how it is passed to Lua.
local results = {
  int = {place = "int32_t $name = 0;", push = "capi_push_whole(L, $name);"},
  long = {place = "int64_t $name = 0;", push = "capi_push_whole(L, $name);"},
  number = {place = "double $name = 0;", push = "lua_pushnumber(L, $name);"},
  text = {place = "const char *$name = NULL;", push = "lua_pushstring(L, $name);"},
  flag = {place = "int32_t $name = 0;", push = "lua_pushboolean(L, $name == 1);"},
  address = {place = "void *$name = NULL;", push = "capi_push_whole(L, (int64_t)(intptr_t)$name);"},
  word = {place = "int32_t $name = 0;", push = "capi_push_word(L, capi_$list, $name);"},
}

-- How the return value of C is passed to Lua. NULL becomes nil.
local returned = {
  int = {"capi_push_whole(L, $returned);", "return 1;"},
  long = {"capi_push_whole(L, $returned);", "return 1;"},
  number = {"lua_pushnumber(L, $returned);", "return 1;"},
  text = {"lua_pushstring(L, $returned);", "return 1;"},
  flag = {"lua_pushboolean(L, $returned == 1);", "return 1;"},
  word = {"return capi_push_word(L, capi_$list, $returned);"},
  positive = {
    place = "int32_t number;", "number = $returned;", "return capi_push_whole_or_nil(L, number <= 0, number);",
  },
  nothing = {"$returned;", "return 0;"},
}

local lines = {}

-- The function that is being made: its declarations open its block.
local declarations, statements

local function put(list, template, values)
  list[#list + 1] = "    " .. fill(template, values or {})
end

local function declare(template, values) put(declarations, template, values) end
local function add(template, values) put(statements, template, values) end

-- A variable with its value: in one line, unless a statement must come before the value.
local function set(type, name, value, values)
  local given = name .. " = " .. value .. ";"
  if #statements == 0 then return declare(type .. given, values) end
  declare(type .. name .. ";", values)
  add(given, values)
end

local function add_parameter(parameter, made)
  local kind, values = kinds[parameter.kind], definition.values(parameter, made)
  for _, line in ipairs(kind.places or {}) do declare(line, values) end
  if kind.read then
    local none = "lua_isnoneornil(L, $1) ? " .. (parameter.default or "NULL") .. " : "
    set(kind.type, "$name", (parameter.optional and none or "") .. kind.read, values)
  end
  for _, line in ipairs(kind.more or {}) do add(line, values) end
end

-- Asks for the size first.
local function add_bytes(made)
  local function ask(...) return {call = definition.call(made, kinds, {"&size"}, {...})} end
  declare "int64_t size = 0;"
  add("if ($call != 0) return capi_push_nil(L);", ask("NULL", "0"))
  set("int64_t ", "room", "size")
  set("char *", "bytes", "lua_newuserdata(L, room > 0 ? (size_t)room : 1)")
  add("if (room > 0 && $call != 0) return capi_push_nil(L);", ask("bytes", "room"))
  add "lua_pushlstring(L, bytes, (size_t)(size < room ? size : room));"
  add "return 1;"
end

local function add_returned(made)
  local first = made.results[1]
  local kind = returned[first.kind]
  local values = {returned = definition.call(made, kinds, {}), list = first.list and first.list.name}
  if #made.parameters == 0 and first.kind == "nothing" then add "(void)L;" end
  if kind.place then declare(kind.place) end
  for _, line in ipairs(kind) do add(line, values) end
end

local function add_results(made)
  local places = {}
  for i, result in ipairs(made.results) do
    declare(results[result.kind].place, result)
    places[i] = "&" .. result.name
  end
  set("int32_t ", "code", definition.call(made, kinds, places))
  add "if (code != 0) return capi_push_nil(L);"
  for _, result in ipairs(made.results) do
    add(results[result.kind].push, {name = result.name, list = result.list and result.list.name})
  end
  add(("return %d;"):format(#made.results))
end

local function add_done(made)
  add("return capi_push_done(L, $call);", {call = definition.call(made, kinds, {})})
end

local function add_event(made)
  set("int32_t ", "code", definition.call(made, kinds, {"event_out"}))
  add "return capi_push_transferred(L, code, event_out);"
end

local special = {bytes = add_bytes, done = add_done, event = add_event}

local function add_body(made)
  declarations, statements = {}, {}
  if #made.parameters > 0 then declare('static const char call[] = "$name";', made) end
  local pushes = false
  for _, parameter in ipairs(made.parameters) do pushes = pushes or kinds[parameter.kind].pushes end
  if pushes then add(("lua_settop(L, %d);"):format(made.arguments)) end
  for _, parameter in ipairs(made.parameters) do add_parameter(parameter, made) end
  local give = made.returns and add_returned or special[made.results[1].kind] or add_results
  give(made)
end

local function add_function(made)
  lines[#lines + 1] = "\n/* " .. made.line .. " */"
  lines[#lines + 1] = ("static int binding_%s(lua_State *L) {"):format(made.name)
  add_body(made)
  for _, line in ipairs(declarations) do lines[#lines + 1] = line end
  for _, line in ipairs(statements) do lines[#lines + 1] = line end
  lines[#lines + 1] = "}"
end

local function add_words(list)
  lines[#lines + 1] = ("const struct capi_word capi_%s[] = {"):format(list.name)
  for _, each in ipairs(list) do put(lines, '{"$word", $code},', each) end
  lines[#lines + 1] = "    {NULL, 0},\n};\n"
end

local lists, functions = definition.read(table_path)
lines[#lines + 1] = "/* Generated from binding.def: the functions that only translate, and the lists of words. */"
lines[#lines + 1] = '#include "capi.h"\n'
for _, list in ipairs(lists) do add_words(list) end
for _, made in ipairs(functions) do add_function(made) end
lines[#lines + 1] = "\nconst luaL_Reg capi_generated_functions[] = {"
for _, made in ipairs(functions) do put(lines, '{"$name", binding_$name},', made) end
lines[#lines + 1] = "    {NULL, NULL},\n};"
definition.write(output, lines)
