-- The options of the benches' command lines.
local options = {}

-- Prints the comment at the script's head.
local function help()
  for line in io.lines(arg[0]) do
    if not line:find "^#!" and not line:find "^%-%-" then return end
    if line:find "^%-%-" then print((line:gsub("^%-%- ?", ""))) end
  end
end

--- Ends the script with status 2.
-- @tparam string problem
function options.wrong(problem)
  io.stderr:write(arg[0]:match "[^/]*$", ": ", problem, "; --help lists the options\n")
  os.exit(2)
end

--- Reads the script's words.
-- @tparam table known values of the options that are not there: a number takes a number, false takes no value
-- @tparam[opt] string more the names of others, which are nil then
-- @treturn table values by name
function options.read(known, more)
  local position = 1
  while arg[position] do
    local name = arg[position]:match "^%-%-(%l+)$"
    if name == "help" then
      help()
      os.exit(0)
    end
    local default = name and known[name]
    if default == nil and not (name and (" " .. (more or "") .. " "):find(" " .. name .. " ", 1, true)) then
      options.wrong("unknown option " .. arg[position])
    end
    if type(default) == "boolean" then
      known[name] = true
    else
      position = position + 1
      local value = arg[position] or options.wrong("--" .. name .. " needs a value")
      known[name] = type(default) ~= "number" and value or tonumber(value)
        or options.wrong("--" .. name .. " takes a number")
    end
    position = position + 1
  end
  return known
end

--- The folder of drivers that an option --platform means, for OCL_ICD_VENDORS.
-- @tparam string platform the name of a folder of the build's tests, or a path
-- @tparam string build the build's folder
-- @treturn ?string nil for "system": the machine's own drivers
function options.drivers(platform, build)
  if platform == "system" then return nil end
  return platform:find("/", 1, true) and platform or build .. "/tests/icd/" .. platform
end

return options
