-- Leaves out lines of an attack's script as long as it still fails in the same way. tests/fuzz/attack starts it.
--
--   attack_shrink.lua SCRIPT KIND TRIALS COMMAND
--
-- `COMMAND FILE` prints the kinds of failure of a script, a line each. SCRIPT is replaced by the shorter one.
local path, kind, trials, command = arg[1], arg[2], tonumber(arg[3]), arg[4]

local function read()
  local list = {}
  for line in io.lines(path) do list[#list + 1] = line end
  return list
end

local function write(to, lines)
  local file = assert(io.open(to, "w"))
  file:write(table.concat(lines, "\n"), "\n")
  file:close()
end

local function fails(lines)
  if trials <= 0 then return false end
  trials = trials - 1
  write(path .. ".try", lines)
  local pipe = assert(io.popen(command .. " " .. path .. ".try"))
  local said = "\n" .. pipe:read "*a" .. "\n"
  pipe:close()
  os.remove(path .. ".try")
  return said:find("\n" .. kind .. "\n", 1, true) ~= nil
end

local function without(lines, first, count)
  local list = {}
  for i, line in ipairs(lines) do
    if i < first or i >= first + count then list[#list + 1] = line end
  end
  return list
end

local lines = read()
local size = math.ceil(#lines / 2)
while size >= 1 and trials > 0 do
  local at, shorter = #lines - size + 1, false
  while at > -size and trials > 0 do
    local fewer = without(lines, math.max(at, 1), at < 1 and size + at - 1 or size)
    if #fewer < #lines and fails(fewer) then
      lines, shorter = fewer, true
      write(path, lines)
    end
    at = at - size
  end
  size = (shorter and size > 1 or not shorter) and math.floor(size / 2) or size
end
