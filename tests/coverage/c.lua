-- What the tests reached of the C code, from the JSON of gcovr: a line for each folder, and every place that tells an
-- error which no test reached. ./dev coverage runs it inside clue: c.lua FILE.json
local json = require "dkjson"
local read_file = require("clue.file").read

local function lines_of(path)
  local lines = {}
  for line in io.lines(path) do lines[#lines + 1] = line end
  return lines
end

-- Calls that end in a message for the user. A lack of memory is counted, too: spec.failure_memory makes it.
local tells = {"error_record%(", "error_out_of_memory%(", "clue_report_say%(", "luaL_error%(", "luaL_argerror%("}

-- A definition or declaration begins in the first column; a comment or a macro's body has no count.
local function tells_error(line)
  if line:find "^%S" then return false end
  for _, call in ipairs(tells) do
    if line:find(call) then return true end
  end
  return false
end

local function folder_of(path)
  return path:match "^(.*)/"
end

local folders, names, missed, errors, reached = {}, {}, {}, 0, 0

local function add_line(total, line)
  total.lines = total.lines + 1
  total.run = total.run + (line.count > 0 and 1 or 0)
  for _, branch in ipairs(line.branches or {}) do
    if not branch.throw then
      total.branches = total.branches + 1
      total.taken = total.taken + (branch.count > 0 and 1 or 0)
    end
  end
end

local function add_error(path, line, text)
  errors = errors + 1
  if line.count > 0 then
    reached = reached + 1
  else
    missed[#missed + 1] = ("%s:%d: %s"):format(path, line.line_number, text:match "^%s*(.-)%s*$")
  end
end

local function add_file(file)
  local folder, source = folder_of(file.file), lines_of(file.file)
  if not folders[folder] then
    folders[folder] = {lines = 0, run = 0, branches = 0, taken = 0}
    names[#names + 1] = folder
  end
  for _, line in ipairs(file.lines) do
    if not line["gcovr/noncode"] then
      add_line(folders[folder], line)
      local text = source[line.line_number] or ""
      if tells_error(text) then add_error(file.file, line, text) end
    end
  end
end

local function percent(part, whole)
  return whole == 0 and 100 or 100 * part / whole
end

local function show_folders()
  table.sort(names)
  print(("%-28s %7s %7s %9s %7s"):format("folder", "lines", "run", "branches", "taken"))
  for _, name in ipairs(names) do
    local of = folders[name]
    print(("%-28s %7d %5.1f %% %9d %5.1f %%"):format(name, of.lines, percent(of.run, of.lines), of.branches,
      percent(of.taken, of.branches)))
  end
end

for _, file in ipairs(json.decode(assert(read_file(arg[1]))).files) do add_file(file) end
show_folders()
print(("\nplaces that tell an error: %d of %d reached; not reached:"):format(reached, errors))
print(table.concat(missed, "\n"))
