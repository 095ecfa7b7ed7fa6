-- clue tests/lint/core.lua [ROOT [BUILD]]: whether the folders of host/core use each other in one direction only, and
-- no files call each other in a circle.
--
-- The table of folders in ROOT/CONTRIBUTING.md says what each folder may use: those that its row names, all of them
-- from rows above. What it does use is read from the #include lines under ROOT/host and from the symbols of the objects
-- in the folder BUILD. Each fault is one line that names the files and says what to do. Without faults nothing is
-- printed and the status is 0.

local root, build = arg[1] or ".", arg[2] or "build"
local host, objects = root .. "/host/", build .. "/host/CMakeFiles"
local rooms = dofile(arg[0]:match "^.*/" .. "rooms.lua")
local fault, read, lines_of, each = rooms.fault, rooms.read, rooms.lines_of, rooms.each

local names, may_use = rooms.read_table(root, "folder of the core")
local uses = {} -- uses.queue.base: true
for _, name in ipairs(names) do uses[name] = {} end

-- The one header by which other folders use the system's calls, whichever system's folder has them.
local system = "sys/system.h"

-- The folder that a file under host/ belongs to, by its name in the table; a single file may have a row of its own.
local function folder_of(path)
  if path == system or path:find "^sys/posix/" then return "sys/posix" end
  return may_use[path] and path or path:match "^core/([^/]+)/" or path:match "^[^/]+"
end

local function header_of(folder)
  return folder == folder_of(system) and system or ("core/%s/%s.h"):format(folder, folder)
end

-- One file uses another; how: "includes", or "calls f() of".
local function note_use(from, to, how)
  local user, used = folder_of(from), folder_of(to)
  if user == used or not may_use[user] then return end
  uses[user][used] = true
  if may_use[user][used] then return end
  fault("host/%s %s host/%s, but %s may not use %s: move what it needs down to where both may use it, or have the "
        .. "higher folder hand in a function", from, how, to, user, used)
end

-- ---- #include lines ----

local headers = {} -- path under host/: text

-- The header under host/ that an #include names, from beside the file or from host/core; nil for any other.
local function included(from, name)
  local path, count = from:match "^.*/" .. name, 1
  while count > 0 do path, count = path:gsub("[^/]+/%.%./", "", 1) end
  return headers[path] and path or headers["core/" .. name] and "core/" .. name
end

local function check_include(from, name)
  local to = included(from, name)
  if not to then return end
  local folder = folder_of(to)
  note_use(from, to, "includes")
  if folder ~= folder_of(from) and to:find "^core/" and to ~= ("core/%s/%s.h"):format(folder, folder) then
    fault("host/%s includes host/%s, which is %s's own: include %s/%s.h, and declare there what others may use", from,
          to, folder, folder, folder)
  end
end

local function check_file(path, text)
  if not may_use[folder_of(path)] then
    fault("CONTRIBUTING.md: the table of folders has no row for %s, where host/%s is", folder_of(path), path)
  end
  for name in text:gmatch '#include "([^"]+)"' do check_include(path, name) end
  if path:find "^core/" and folder_of(path) ~= "trace" and text:find "#include <CL/cl%.h>" then
    fault("host/%s includes <CL/cl.h>, so no trace shows its calls: include base/base.h instead", path)
  end
end

local function check_files()
  local texts = {}
  for path in lines_of(("cd '%s' && find core sys -name '*.[ch]' -o -name '*.def'"):format(host)) do
    texts[path] = read(host .. path)
    if not path:find "%.c$" then headers[path] = texts[path] end
  end
  for path in each(texts) do check_file(path, texts[path]) end
end

-- ---- symbols ----

local defined, users = {}, {} -- symbol: file; symbol: {file = true}, tests' objects among them
local calls = {}              -- file: {file of the same folder: one of the symbols}

-- Objects whose source is gone are left from earlier builds.
local function read_symbol(line)
  local object, symbol, kind = line:match "^(.-)%.o: (%S+) (%a)"
  local file = object and object:find(objects, 1, true) and object:sub(#objects + 2):match "^%w+%.dir/(.*)"
  if file and not headers[file] and not read(host .. file) then return end
  if kind == "U" then
    users[symbol] = users[symbol] or {}
    users[symbol][file or "tests"] = true
  elseif file then
    defined[symbol] = file
  end
end

local function note_calls(symbol)
  local to = defined[symbol]
  for from in each(users[symbol]) do
    if from ~= "tests" and folder_of(from) ~= folder_of(to) then
      note_use(from, to, ("uses %s of"):format(symbol))
    elseif from ~= "tests" and from ~= to then
      calls[from] = calls[from] or {}
      calls[from][to] = calls[from][to] or symbol
    end
  end
end

local function check_symbols()
  for line in lines_of(("find '%s/libclue.dir' '%s/clue_sys.dir' '%s/tests' -name '*.o' -exec nm -A -P -g {} +")
    :format(objects, objects, build)) do
    read_symbol(line)
  end
  if not next(defined) then fault("%s/libclue.dir has no objects: ./dev build makes them", objects) end
  for symbol in each(defined) do note_calls(symbol) end
end

-- ---- what headers declare, and for whom ----

local function users_of(folder)
  local list = {}
  for _, name in ipairs(names) do
    if may_use[name][folder] then list[#list + 1] = name end
  end
  return list
end

local function check_head(folder)
  local header = header_of(folder)
  local head = (headers[header] or ""):match "^/%*(.-)%*/" or ""
  local wanted = ("Used by %s."):format(table.concat(users_of(folder), ", "):gsub("^$", "no other folder"))
  if not head:gsub("\n %*", ""):find(wanted, 1, true) then
    fault("host/%s: the comment at its head should say '%s'", header, wanted)
  end
end

-- What a header declares, without its comments: they name files, whose names may be those of functions, too.
local function declares(header, symbol)
  return headers[header]:gsub("/%*.-%*/", ""):find("%f[%w_]" .. symbol .. "%f[^%w_]")
end

-- A row of trace/calls.def makes a function even where the trace itself, or a file without trace, makes the call.
local function is_from_table(symbol) return symbol:find "^trace_cl%u" ~= nil end

local function check_declaration(symbol, file)
  local folder, elsewhere, outside = folder_of(file), false, false
  local header = header_of(folder)
  for user in each(users[symbol]) do
    elsewhere = elsewhere or user ~= file
    outside = outside or user ~= "tests" and folder_of(user) ~= folder
  end
  if not elsewhere and not is_from_table(symbol) then
    fault("host/%s: nothing else uses %s: make it static, or delete it", file, symbol)
  elseif not outside and users_of(folder)[1] and declares(header, symbol) then
    fault("host/%s declares %s, which %s alone uses: declare it in %s/internal.h", header, symbol, folder, folder)
  end
end

local function check_headers()
  for _, name in ipairs(names) do
    for other in each(may_use[name]) do
      if not uses[name][other] then
        fault("CONTRIBUTING.md: %s uses nothing of %s: take it from its row", name, other)
      end
    end
    if headers[header_of(name)] then check_head(name) end
  end
  for symbol in each(defined) do
    local file = defined[symbol]
    if file:find "^core/" and not symbol:find "^clue_" then check_declaration(symbol, file) end
  end
end

check_files()
check_symbols()
rooms.check_circles(calls, function(from, to) -- inside a folder, since folders use each other one way
  return ("host/%s uses %s of host/%s"):format(from, calls[from][to], to)
end)
check_headers()
rooms.finish()
