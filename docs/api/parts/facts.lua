--- What annotations need and no comment says: operators, elements, inheritance, and which table has which functions.
local facts = {}

-- The lines for operators of a class of numbers.
local function arithmetic(class)
  local lines = {}
  for i, name in ipairs {"add", "sub", "mul", "div"} do lines[i] = ("---@operator %s(any): %s"):format(name, class) end
  return lines
end

local function with(lines, ...)
  for i = 1, select("#", ...) do lines[#lines + 1] = (select(i, ...)) end
  return lines
end

-- What no comment says: operators, elements, and what a class inherits.
facts.lines = {
  ["clue.array"] = {"---@field [integer] number", "---@operator len: integer",
                    "---@overload fun(...): integer?, number"},
  ["clue.struct_array"] = {"---@field [integer] any", "---@operator len: integer",
                           "---@overload fun(...): integer?, any"},
  ["clue.type"] = {"---@field name string", "---@field size number in bytes", "---@field alignment number in bytes",
                   "---@field fields table a list, and by name: name, offset and size (bytes), type, count",
                   "---@overload fun(fields?: table): clue.struct"},
  ["clue.struct"] = {"---@field [string] any"},
  ["clue.program"] = {"---@field [string] clue.kernel"},
  ["clue.device"] = {"---@field [string] any"},
  ["clue.matrix"] = with(arithmetic "clue.matrix", "---@field [integer] any"),
  ["clue.vector"] = with(arithmetic "clue.vector", "---@field [integer] any"),
  ["clue.complex"] = with(arithmetic "clue.complex", "---@field real number", "---@field imag number"),
  ["clue.value"] = {"---@field [integer] number", "---@field [string] any components: x, s0, lo"},
  ["COpenCL"] = {"---@field [string] any", "---@overload fun(): COpenCL"},
}
for name in ("context queue event graph program kernel buffer image sampler svm"):gmatch "%S+" do
  local class = "clue." .. name
  facts.lines[class] = facts.lines[class] or {}
  table.insert(facts.lines[class], '---@field handle integer? which MQL5\'s functions take; nil once it is closed')
  table.insert(facts.lines[class], ('---@field kind "%s"'):format(name))
end

-- Matrices have the methods of the arrays that hold their elements.
facts.bases = {["clue.matrix"] = "clue.array", ["clue.vector"] = "clue.array"}

-- The tables with functions: cl itself, cl.array and the like, input, mql5.
facts.modules = {
  ["cl."] = "clue", ["array."] = "clue.module.array", ["device."] = "clue.module.device",
  ["value."] = "clue.module.value", ["error."] = "clue.module.error", ["image_file."] = "clue.module.image_file",
  ["json."] = "clue.module.json", ["input."] = "clue.module.input", ["mql5."] = "clue.module.mql5",
  ["mpi."] = "clue.module.mpi", -- without functions where clue.mpi is not built
}

-- The types of vectors, which are functions.
facts.vectors = {}
for element in ("char uchar short ushort int uint long ulong half float double"):gmatch "%S+" do
  for _, width in ipairs {2, 3, 4, 8, 16} do facts.vectors[#facts.vectors + 1] = element .. width end
end

facts.fields = {
  ["clue"] = {"---@field null clue.argument a NULL pointer, for a kernel's argument"},
  ["clue.module.json"] = {"---@field null table JSON's null"},
  ["clue.module.mql5"] = {"---@field [string] any"},
}
for prefix, class in pairs(facts.modules) do
  local member = class:match "^clue%.module%.(.*)$"
  if member and prefix ~= "input." and prefix ~= "mql5." and prefix ~= "mpi." then
    table.insert(facts.fields.clue, ("---@field %s %s"):format(member, class))
  end
end
table.sort(facts.fields.clue)
for _, name in ipairs(facts.vectors) do
  table.insert(facts.fields.clue, ("---@field %s fun(...: number|clue.value|table): clue.value"):format(name))
end

-- What require gives, by the module's name.
facts.required = {
  ["clue"] = "clue", ["clue.array"] = "clue.module.array", ["clue.device"] = "clue.module.device",
  ["clue.error"] = "clue.module.error", ["clue.image_file"] = "clue.module.image_file",
  ["clue.json"] = "clue.module.json", ["clue.mql5"] = "clue.module.mql5", ["clue.value"] = "clue.module.value",
  ["clue.mpi"] = "clue.module.mpi",
}

return facts
