-- clue tests/lint/lua.lua [ROOT]: whether the folders of host/lua use each other in one direction only, and no modules
-- there or in bindings/clue each other in a circle. And whether a folder's own module is its init.lua.
--
-- The table of folders in ROOT/CONTRIBUTING.md says what each folder may use: those that its row names, all of them
-- from rows above. A module uses another if its code has the other's name in a string: for require(), or for the child
-- process that loads it. bindings/clue uses nothing of host/lua.
-- Each fault is one line that names the files and says what to do. Without faults nothing is printed and the status
-- is 0.

local rooms = dofile(arg[0]:match "^.*/" .. "rooms.lua")

local root = arg[1] or "."
local names, may_use = rooms.read_table(root, "folder of host/lua")
local uses = {} -- uses.show.result: true
for _, name in ipairs(names) do uses[name] = {} end

local files = {} -- by the module's name: its path under ROOT

local function find_modules(folder)
  for path in rooms.lines_of(("cd '%s' && find %s -name '*.lua'"):format(root, folder)) do
    local name = path:sub(#folder + 1):gsub("%.lua$", ""):gsub("/init$", ""):gsub("/", ".")
    files["clue" .. name] = path
  end
end

find_modules "bindings/clue"
find_modules "host/lua"

-- The folder of host/lua that a file is in; nil for one of bindings/clue.
local function folder_of(path) return path:match "^host/lua/([^/]+)/" end

local function check_host(from, to)
  local user, used = folder_of(from), folder_of(to)
  if not user or not used or user == used then return end
  if not may_use[user] then
    return rooms.fault("CONTRIBUTING.md: the table of folders has no row for %s, where %s is", user, from)
  end
  uses[user][used] = true
  if may_use[user][used] then return end
  rooms.fault("%s uses %s, but %s may not use %s: move what it needs down to where both may use it, or have the "
              .. "higher folder hand in a function", from, to, user, used)
end

-- The code without its comments.
local function code_of(path)
  return (rooms.read(root .. "/" .. path):gsub("%-%-%[(=*)%[.-%]%1%]", ""):gsub("%-%-[^\n]*", ""))
end

local modules = {} -- by file: the files that it uses

for _, from in pairs(files) do
  modules[from] = {}
  for name in code_of(from):gmatch "[\"'%[](clue%.[%w_.]+)[\"'%]]" do
    local to = files[name]
    if to and to ~= from and not folder_of(from) and folder_of(to) then
      rooms.fault("%s uses %s, but scripts load bindings/clue without the executable: move what it needs to "
                  .. "bindings/clue", from, to)
    elseif to and to ~= from then
      modules[from][to] = true
      check_host(from, to)
    end
  end
end

local folders = {}
for _, path in pairs(files) do folders[path:match "^(.*)/"] = true end
for _, path in pairs(files) do
  local folder = path:gsub("%.lua$", "")
  if folders[folder] then rooms.fault("%s lies beside a folder of its name: move it to %s/init.lua", path, folder) end
end

rooms.check_circles(modules, function(from, to) return ("%s uses %s"):format(from, to) end)
for _, name in ipairs(names) do
  for other in rooms.each(may_use[name]) do
    if not uses[name][other] and name ~= "command" then
      rooms.fault("CONTRIBUTING.md: %s uses nothing of %s: take it from its row", name, other)
    end
  end
end
rooms.finish()
