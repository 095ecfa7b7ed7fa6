--- The
-- --help of a script, made from its inputs.
local constants = require "clue.mql5.constants"

local usage = {}

local function default_text(entry)
  if entry.kind == "string" then return ('"%s"'):format(entry.default) end
  if entry.option == "device" and entry.default == constants.names.CL_USE_ANY then return "CL_USE_ANY" end
  return type(entry.default) == "number" and ("%.14g"):format(entry.default) or tostring(entry.default)
end

-- The range that a script sets for an input, if it sets one.
local function range_text(entry)
  local low, high = entry.low, entry.high
  if low and high then return (" %.9g to %.9g"):format(low, high) end
  if low then return (" from %.9g"):format(low) end
  return high and (" up to %.9g"):format(high) or ""
end

local function row(entry)
  local left = entry.value_name and ("--%s %s"):format(entry.option, entry.value_name)
    or ("--%s, --no-%s"):format(entry.option, entry.option)
  local described = entry.description ~= "" and entry.description .. " " or ""
  return {left, ("%s(%s%s, default %s)"):format(described, entry.kind, range_text(entry), default_text(entry))}
end

local function rows(state)
  local list = {}
  for i, entry in ipairs(state.entries) do list[i] = row(entry) end
  if not state.taken.device then
    list[#list + 1] = {"--device SPEC", "the device for CL_USE_ANY: 1, 0:1, gpu, part of a name, ..."}
  end
  if not state.taken["repeat"] then list[#list + 1] = {"--repeat N", "how many times OnStart() runs (default 1)"} end
  list[#list + 1] = {"--help", "show this help"}
  return list
end

--- @tparam string name the script's
-- @tparam table state of clue.mql5.inputs
-- @treturn string lines, without a newline at the end
function usage.text(name, state)
  local list, width = rows(state), 0
  for _, line in ipairs(list) do width = math.max(width, #line[1]) end
  local words = state.words and (" [%s...]"):format(state.words.name) or ""
  local lines = {("usage: clue %s [options]%s"):format(name, words)}
  if state.words and state.words.description ~= "" then
    lines[2] = ("  %s: %s"):format(state.words.name, state.words.description)
  end
  for _, line in ipairs(list) do -- format knows no width above 99
    lines[#lines + 1] = "  " .. line[1] .. (" "):rep(width - #line[1] + 2) .. line[2]
  end
  return table.concat(lines, "\n")
end

return usage
