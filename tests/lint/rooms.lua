--- Shared by the linters of folders (core.lua, lua.lua): the tables in CONTRIBUTING.md that say which folder may use
-- which, circles, and the faults.
local rooms = {}

local faults = {} -- a set, since several lines of the sources may say the same

--- Notes a fault: one line that names the files and says what to do.
function rooms.fault(...) faults[string.format(...)] = true end

--- All of a file, nil if there is none.
function rooms.read(path)
  local file = io.open(path)
  local text = file and file:read "*a"
  if file then file:close() end
  return text
end

--- Iterates over the lines that a command prints.
function rooms.lines_of(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read "*a"
  pipe:close()
  return text:gmatch "[^\n]+"
end

--- Iterates over the keys of a table in order, so that the same tree always gives the same lines.
function rooms.each(set)
  local keys = {}
  for key in pairs(set or {}) do keys[#keys + 1] = key end
  table.sort(keys)
  local i = 0
  return function()
    i = i + 1
    return keys[i]
  end
end

--- Reads the table below a heading row: rows like | `queue` | what it owns | `base`, `device` |. A folder may use those
-- that its row names, all of them from rows above; "all above" are all of them.
-- @tparam string root
-- @tparam string heading the first cell of the table's heading
-- @treturn {string,...} the folders, from the lowest
-- @treturn table may_use by folder: a set of folders
function rooms.read_table(root, heading)
  local names, may_use = {}, {}
  local text = assert(rooms.read(root .. "/CONTRIBUTING.md"))
  local rows = text:match("\n| " .. heading .. " |.*$") or ""
  for name, list in (rows:match "^(.-)\n[^|]" or rows):gmatch "\n| `([%w_/.]+)` |[^|\n]*|([^|\n]*)|" do
    local allowed = {}
    for _, above in ipairs(list:find "all above" and names or {}) do allowed[above] = true end
    for other in list:gsub("all above", ""):gmatch "[%w_/.]+" do
      allowed[other] = true
      if not may_use[other] then
        rooms.fault("CONTRIBUTING.md: %s uses %s, which has no row above it: uses run one way", name, other)
      end
    end
    names[#names + 1], may_use[name] = name, allowed
  end
  return names, may_use
end

-- The shortest way along uses from a file back to itself, as {file, file, ...}; nil where there is none.
local function circle_of(uses, start)
  local came_from, line, at = {}, {start}, 0
  repeat
    at = at + 1
    local file = line[at]
    if uses[file] and uses[file][start] then
      local way = {file}
      while way[1] ~= start do table.insert(way, 1, came_from[way[1]]) end
      return way
    end
    for to in rooms.each(uses[file]) do
      if not came_from[to] then
        came_from[to] = file
        line[#line + 1] = to
      end
    end
  until at == #line
end

--- Notes the circles of files that use each other.
-- @tparam table uses by file: a table whose keys are files
-- @tparam function text text(from, to) says what one uses of the other
function rooms.check_circles(uses, text)
  local known = {}
  for file in rooms.each(uses) do
    local way = not known[file] and circle_of(uses, file) or {}
    local parts = {}
    for i, from in ipairs(way) do
      known[from], parts[i] = true, text(from, way[i + 1] or way[1])
    end
    if parts[1] then
      rooms.fault("a circle: %s; move what both need into a file of its own, or hand it in as a function",
        table.concat(parts, ", "))
    end
  end
end

--- Prints the faults, and ends with the status.
function rooms.finish()
  for line in rooms.each(faults) do print(line) end
  os.exit(next(faults) == nil)
end

return rooms
