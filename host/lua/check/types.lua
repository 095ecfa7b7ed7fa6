--- The sizes of what a program declares itself, as its compiler has them: structs, and names of numbers.
--
-- A program that is built for this alone has a kernel for each question, whose required work-group holds the answer.
-- Nothing of it runs.
local types = {}

local scalars = {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"}
local sizes = {char = 1, uchar = 1, short = 2, ushort = 2, int = 4, uint = 4, long = 8, ulong = 8, half = 2,
               float = 4, double = 8, bool = 1}

local plain_names = {["unsigned char"] = "uchar", ["unsigned short"] = "ushort", ["unsigned int"] = "uint",
                     ["unsigned long"] = "ulong", unsigned = "uint", ["long long"] = "long", size_t = "ulong",
                     ptrdiff_t = "long", uintptr_t = "ulong", intptr_t = "long"}

-- ---- types that OpenCL C has ----

--- The type that a pointer leads to, or that an argument has.
-- @tparam string type_name "float4*"
-- @treturn string "float4"
function types.pointed(type_name)
  local name = type_name:gsub("%s*%*.*$", "")
  return plain_names[name] or name
end

--- The type of numbers that a name stands for.
-- @tparam string type_name "float4*", "unsigned int"
-- @treturn ?table base ("float"), width (4) and size (bytes: 16); nil of types that the program declares
function types.number(type_name)
  local base, width = types.pointed(type_name):match "^(%a+)(%d*)$"
  if not sizes[base] then return nil end
  width = tonumber(width) or 1
  return {base = base, width = width, size = sizes[base] * (width == 3 and 4 or width)}
end

--- The type of numbers of so many bytes, for a value of a type that is no number.
-- @tparam int size bytes
-- @treturn table as of @{number}
function types.bytes(size)
  return {base = "uchar", width = size, size = size, is_struct = true}
end

-- ---- questions ----

-- A sum in which one term at most is not 0: the place of a type in the list.
local function kind_of(expression)
  local terms = {}
  for i, name in ipairs(scalars) do
    if name ~= "half" and name ~= "double" then
      terms[#terms + 1] = ("%d*__builtin_types_compatible_p(__typeof__(%s),%s)"):format(i, expression, name)
    end
  end
  return table.concat(terms, "+")
end

local question = [[

__attribute__((reqd_work_group_size(sizeof(%s), %s, 1 + %s))) kernel void clue_asks_%d(void) { }
]]

-- What the compiler answers about expressions of a type: {size, number, kind} of each; nil if it does not know them.
local function ask(context, source, options, list)
  local text = {source}
  for i, each in ipairs(list) do
    text[#text + 1] = question:format(each.size, each.number or "1", kind_of(each.value), i)
  end
  local built, program = pcall(context.program, context, table.concat(text), options)
  if not built then return nil end
  local answers = {}
  for i in ipairs(list) do answers[i] = program:kernel("clue_asks_" .. i).compile_work_group_size end
  return answers
end

-- The types themselves are asked for first, since numbers have no fields.
local function type_of(answer)
  local base = scalars[answer[3] - 1]
  return base and {base = base, width = 1, size = sizes[base]} or types.bytes(answer[1])
end

--- The type of a name that the program declares.
-- @tparam table of context, source and options of the program
-- @tparam string name "struct pair"
-- @treturn ?table as of @{number}; is_struct: it is none of numbers; nil if the compiler does not tell
function types.declared(of, name)
  of.known = of.known or {}
  if of.known[name] == nil then
    local answers = ask(of.context, of.source, of.options, {{size = name, value = ("*(%s *)0"):format(name)}})
    of.known[name] = answers and type_of(answers[1]) or false
  end
  return of.known[name] or nil
end

--- Where a struct has a field of numbers.
-- @tparam table of context, source and options of the program
-- @tparam string name of the struct
-- @tparam string field
-- @treturn ?table base, and offset in bytes; nil if it has no such field
function types.field(of, name, field)
  local its = ("((%s *)0)->%s"):format(name, field)
  local answers = ask(of.context, of.source, of.options,
    {{size = its, number = ("1 + __builtin_offsetof(%s, %s)"):format(name, field), value = its}})
  local base = answers and scalars[answers[1][3] - 1]
  return base and {base = base, offset = answers[1][2] - 1} or nil
end

return types
