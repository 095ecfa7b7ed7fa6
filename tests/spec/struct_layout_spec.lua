-- The layout of structs: each driver's compiler gives sizes, alignments and offsets of generated declarations, which
-- must be those of cl.structs.
-- suite: quick
-- process: shared
-- drivers: pocl oclgrind rusticl

local cl = require "clue"
local objects = require "objects"
local support = require "support"

local COUNT = support.thorough and 120 or 30 -- structs

local state = tonumber(os.getenv "CLUE_TEST_SEED" or 7)
local function random(count)
  state = (state * 214013 + 2531011) % 4294967296
  return math.floor(state / 65536) % count + 1
end

local function one_of(list)
  return list[random(#list)]
end

local words = {"char", "unsigned char", "uchar", "short", "ushort", "int", "unsigned int", "uint", "long",
               "unsigned long", "ulong", "float", "signed short int", "enum colour"}
local vectors = {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float"}
local widths = {"2", "3", "4", "8", "16"}

local function dimensions()
  local text = ""
  for _ = 1, random(4) - 2 do text = text .. ("[%s]"):format(one_of {"1", "2", "N", "N - 1", "RED + 2"}) end
  return text
end

local member
local names = 0

-- A struct or union without its name. number: how many structs there are before it.
local function body(number, depth)
  local parts, kind = {}, random(5) == 1 and "union" or "struct"
  for i = 1, random(5) do parts[i] = member(number, depth + 1) end
  local attribute = ""
  if random(4) == 1 then attribute = " __attribute__((packed))" end
  if random(8) == 1 then attribute = attribute .. (" __attribute__((aligned(%d)))"):format(2 ^ (random(6) - 1)) end
  return kind, (" {\n%s}%s"):format(table.concat(parts), attribute)
end

function member(number, depth)
  local kind, name = random(10), "m" .. names
  names = names + 1
  if kind == 1 and depth < 3 then
    local word, text = body(number, depth)
    if random(3) == 1 then return ("  %s%s;\n"):format(word, text) end
    return ("  %s%s %s%s;\n"):format(word, text, name, dimensions())
  end
  if kind == 2 and number > 0 then return ("  s%d %s%s;\n"):format(random(number) - 1, name, dimensions()) end
  local type = kind < 6 and one_of(vectors) .. one_of(widths) or one_of(words)
  local attribute = random(8) == 1 and (" __attribute__((aligned(%d)))"):format(2 ^ (random(6) - 1))
    or random(12) == 1 and " __attribute__((__packed__))" or ""
  return ("  %s %s%s%s;\n"):format(type, name, dimensions(), attribute)
end

local function declarations()
  local parts = {"#define N 3 // elements\nenum colour { RED, GREEN = 4, BLUE };\n"}
  for i = 0, COUNT - 1 do
    local word, text = body(i, 0)
    parts[#parts + 1] = ("typedef %s%s s%d;\n"):format(word, text, i)
  end
  return table.concat(parts)
end

it("the layout of generated structs is that of the compiler", function()
  local context, queue = objects.context()
  local text = declarations()
  local types, lines, expected, labels = cl.structs(text), {}, {}, {}
  local function compare(expression, value, label)
    lines[#lines + 1] = ("  o[%d] = %s;\n"):format(#expected, expression)
    expected[#expected + 1], labels[#labels + 1] = value, label
  end
  local more = {}
  for i = 0, COUNT - 1 do
    local name = "s" .. i
    local type = types[name]
    more[#more + 1] = ("typedef struct { char c; %s v; } a%d;\n"):format(name, i)
    compare(("sizeof(%s)"):format(name), type.size, "the size of " .. name)
    compare(("(global char *)&((global a%d *)p)->v - p"):format(i), type.alignment, "the alignment of " .. name)
    for _, field in ipairs(type.fields) do
      compare(("(global char *)&((global %s *)p)->%s - p"):format(name, field.name), field.offset,
        ("the offset of %s.%s"):format(name, field.name))
      compare(("sizeof(((global %s *)p)->%s)"):format(name, field.name), field.size,
        ("the size of %s.%s"):format(name, field.name))
    end
  end
  local program = context:program {tostring(types), table.concat(more),
    "kernel void layout(global int *o, global char *p) {\n" .. table.concat(lines) .. "}"}
  local o = context:buffer(4 * #expected)
  program:kernel "layout" (queue, 1, nil, o, context:buffer(65536))
  local found, wrong = objects.contents(queue, o, "int"), {}
  for i, value in ipairs(found) do
    if value ~= expected[i] then
      wrong[#wrong + 1] = ("%s is %d, not %d"):format(labels[i], value, expected[i])
    end
  end
  assert.same({}, wrong, text)
  assert.is_true(#expected > 5 * COUNT)
end)
