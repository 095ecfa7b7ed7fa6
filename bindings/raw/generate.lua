-- Makes the parts of clue.raw from Khronos' headers, preprocessed but with their macros (cc -E -dD):
--   generate.lua PREPROCESSED CDEF FUNCTIONS VALUES
-- CDEF is a Lua module with the declarations for LuaJIT's ffi.cdef, FUNCTIONS one with the C type of a pointer to
-- each function. VALUES lists the macros that have a value and the types that have a size, for values.c: only the C
-- compiler knows the value of a C expression. Only the build runs it.
local preprocessed, cdef_path, functions_path, values_path = ...

-- Macros that are not values: attributes and calling conventions of C declarations, and macros that depend on their
-- place in a C file.
local no_value = {
  "^CL_API_", "^CL_EXT_PREFIX_", "^CL_EXT_SUFFIX_", "^CL_CALLBACK$", "^CL_ALIGNED$", "^CL_PROGRAM_STRING_DEBUG_INFO$",
  "^CL_TARGET_OPENCL_VERSION$", "^CL_USE_DEPRECATED_", "^CL_ENABLE_BETA_EXTENSIONS$",
}

local function is_value(name)
  for _, pattern in ipairs(no_value) do
    if name:find(pattern) then return false end
  end
  return name:find "^CL_" ~= nil
end

-- The lines from files in a folder CL, and the names of the macros defined there, without the declarations of
-- standard headers. A line marker is # LINE "FILE" FLAGS.
local function read(path)
  local lines, macros, ours = {}, {}, false
  for line in io.lines(path) do
    local file = line:match '^# %d+ "([^"]*)"'
    if file then
      ours = file:find "[/\\]CL[/\\][^/\\]*$" ~= nil
    elseif ours then
      local name, rest = line:match "^#define ([%w_]+)(.*)$"
      if name and is_value(name) and rest:find "^%s+%S" then macros[#macros + 1] = name end
      if not line:find "^#" then lines[#lines + 1] = line end
    end
  end
  return table.concat(lines, "\n"), macros
end

-- One declaration after the other, each on its own line, without attributes that do not affect its layout.
local function declarations(text)
  local list, depth, from = {}, 0, 1
  text = text:gsub("__extension__", " "):gsub("__attribute__%s*%(%(%s*_*deprecated_*%s*%b()%s*%)%)", " ")
    :gsub("__attribute__%s*%(%(%s*_*deprecated_*%s*%)%)", " "):gsub("%s+", " ")
  for at, mark in text:gmatch "()([{};])" do
    if mark == "{" then depth = depth + 1 end
    if mark == "}" then depth = depth - 1 end
    if mark == ";" and depth == 0 then
      local declaration = text:sub(from, at - 1):gsub("^ +", ""):gsub(" +$", "")
      if declaration ~= "" then list[#list + 1] = declaration end
      from = at + 1
    end
  end
  assert(depth == 0 and not text:find("%S", from), "the headers end inside a declaration")
  return list
end

-- "extern cl_int clFoo( cl_uint n)" declares a function clFoo of the type cl_int (*)( cl_uint n).
local function functions_of(list)
  local found, names = {}, {}
  for _, declaration in ipairs(list) do
    local result, name, parameters = declaration:match "^extern (.-)%s*(cl%u[%w_]*)%s*(%b())$"
    if declaration:find "^extern" and not name then error("this does not declare a function: " .. declaration) end
    if name and not found[name] then
      names[#names + 1] = name
      found[name] = ("%s (*)%s"):format(result, parameters)
    end
  end
  table.sort(names)
  return names, found
end

-- The name that a typedef declares. That of a function pointer is in its middle. Function types, which the headers of
-- OpenCL 3.1 have, are left out: they have no size.
local function type_of(declaration)
  if not declaration:find "^typedef " then return nil end
  local plain = declaration:gsub("__attribute__%s*%b()", ""):gsub("%b{}", "")
  if plain:find "[%w_]%s*%b()%s*$" then return nil end
  return plain:match "%(%s*%*%s*([%w_]+)%s*%)" or plain:match "([%w_]+)%s*$"
end

local function write(path, parts)
  local file = assert(io.open(path, "wb"))
  assert(file:write(table.concat(parts)))
  assert(file:close())
end

local text, macros = read(preprocessed)
local list = declarations(text)
local names, types = functions_of(list)
assert(#names > 0 and #macros > 0, preprocessed .. ": it contains no declarations of Khronos' headers")

write(cdef_path, {"-- Generated from Khronos' headers.\nreturn [==[\n", table.concat(list, ";\n"), ";\n]==]\n"})

local lines = {"-- Generated from Khronos' headers: the type of a pointer to each function.\nreturn {\n"}
for _, name in ipairs(names) do lines[#lines + 1] = ("  %s = %q,\n"):format(name, types[name]) end
lines[#lines + 1] = "}\n"
write(functions_path, lines)

local values = {}
for _, name in ipairs(macros) do values[#values + 1] = ("VALUE(%s)\n"):format(name) end
for _, declaration in ipairs(list) do
  local name = type_of(declaration)
  if name then values[#values + 1] = ("TYPE(%s)\n"):format(name) end
end
write(values_path, values)
