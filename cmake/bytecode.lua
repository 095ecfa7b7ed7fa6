-- Makes the file from which clue takes its own modules as bytecode (host/main/bytecode.c), inside clue:
--
--     bytecode.lua FILE LIST FOLDER    LIST names the modules' files, a line each; FOLDER has them
--
-- A line says which LuaJIT made it. Then each module has a line: its name, the path of its source from FOLDER, the
-- source's size, and position and size of its bytecode. After an empty line, bytecode follows bytecode, each without the
-- name of its chunk, which says where the source is.
local output, list, folder = arg[1], arg[2], arg[3]

-- What precedes the name: LuaJIT's signature, the version of the form, and flags; then the name's length.
local HEADER, NAME = 5, "\1@"

local function compiled(source, path)
  local chunk = assert(loadstring(source, "@"), path)
  local code = string.dump(chunk)
  assert(code:sub(1, 3) == "\27LJ" and code:sub(HEADER + 1, HEADER + #NAME) == NAME, path)
  return code:sub(1, HEADER) .. code:sub(HEADER + #NAME + 1)
end

local modules, texts = {}, {}
for path in io.lines(list) do
  local file = assert(io.open(path, "rb"))
  local source = file:read "*a"
  file:close()
  local place = path:sub(#folder + 2)
  texts[#texts + 1] = compiled(source, path)
  modules[#modules + 1] = {name = place:gsub("%.lua$", ""):gsub("/init$", ""):gsub("/", "."), place = place, size = #source}
end

-- The lines, with the position of the first bytecode: fixed widths, so that they are as long with any.
local function lines(first)
  local text = {("clue bytecode 1 %s %s %s\n"):format(jit.version, jit.os, jit.arch)}
  for i, module in ipairs(modules) do
    text[#text + 1] = ("%s %s %d %010d %d\n"):format(module.name, module.place, module.size, first, #texts[i])
    first = first + #texts[i]
  end
  return table.concat(text) .. "\n"
end

local file = assert(io.open(output, "wb"))
assert(file:write(lines(#lines(0)), table.concat(texts)))
assert(file:close())
