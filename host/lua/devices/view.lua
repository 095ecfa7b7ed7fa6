--- What `clue devices` shows of platforms and devices.
-- Parameters with one meaning everywhere: platforms, of this machine; shown, the devices.
local block = require "clue.show.block"
local device = require "clue.device"
local figures = require "clue.shared.figures"
local map = require("clue.shared.list").map
local ranking = require "clue.device_ranking"
local remote = require "clue.devices.remote"

local view = {}

local function line(text)
  return block.paragraph(text, {indent = "", close = true})
end

-- ---- values in words ----

local function size_text(bytes)
  return bytes and figures.bytes(bytes) or "?"
end

local function number_text(number)
  return ("%.0f"):format(number)
end

local function listed(separator, write)
  return function(list)
    return table.concat(map(list, write), separator)
  end
end

local words_of = listed(", ", tostring)
local numbers_of = listed(" ", number_text)

local writers = {
  number = number_text, sizes = numbers_of, integers = numbers_of,
  flags = words_of, choices = words_of, words = words_of, abilities = words_of,
  bytes = function(bytes)
    return bytes < 1024 and number_text(bytes) or ("%.0f (%s)"):format(bytes, size_text(bytes))
  end,
  identifier = function(number) return ("0x%x"):format(number) end,
  bool = function(value) return value and "yes" or "no" end,
  versions = listed(", ", function(each) return each.name .. ":" .. each.version end),
}

local function value_text(property, value)
  local text = (writers[property.kind] or tostring)(value):gsub(";(%S)", "; %1")
  return text ~= "" and text or "none"
end

local function version_number(text)
  return tostring(text):match "%d+%.%d+" or "?"
end

-- ---- the table ----

local kinds = {gpu = "GPU", accelerator = "accel.", cpu = "CPU", any = "any", custom = "custom"}

local function floats(each)
  local half = each:has_extension "cl_khr_fp16" and "16 " or ""
  return half .. (each:has_double() and "64" or half == "" and "-" or "")
end

-- A device's figures. In a line below its name, each is written as `as` says.
local columns = {
  {title = "type", as = "%s", get = function(each) return kinds[each.kind] end},
  {title = "units", as = "%s units", right = true,
   get = function(each) return number_text(each.max_compute_units or 0) end},
  {title = "MHz", as = "%s MHz", right = true,
   get = function(each) return number_text(each.max_clock_frequency or 0) end},
  {title = "memory", as = "%s", right = true, get = function(each) return size_text(each.global_mem_size) end},
  {title = "local", as = "local %s", right = true, get = function(each) return size_text(each.local_mem_size) end},
  {title = "OpenCL", as = "OpenCL %s", get = function(each) return version_number(each.version) end},
  {title = "fp", as = "fp %s", get = floats},
  {title = "driver", as = "driver %s", get = function(each) return each.driver_version or "?" end},
}

local function figures_below(each)
  local texts = map(columns, function(column) return column.as:format(column.get(each)) end)
  return {"     " .. table.concat(texts, ", ")}
end

local function platform_text(platform)
  local text = ("platform %d: %s, OpenCL %s"):format(platform.index, platform.name or "without a name",
    version_number(platform.version))
  if platform.device_count > 0 then return text end
  local hint = platform.name == "rusticl" and "; RUSTICL_ENABLE names its drivers, llvmpipe for the CPU" or ""
  return ("%s: no devices%s"):format(text, hint)
end

-- The lines of platforms above the first device of each, and those below the last device.
local function platform_lines(platforms, shown)
  local above, lines, first = {}, {}, {}
  for i = #shown, 1, -1 do first[shown[i].platform.index] = shown[i] end
  for _, platform in ipairs(platforms) do
    lines[#lines + 1] = platform_text(platform)
    if first[platform.index] then above[first[platform.index]], lines = lines, {} end
  end
  return above, lines
end

-- Why class words avoid a device, which of its results are wrong, and that it is on another machine.
local function remarks_on(each)
  local doubt, facts = ranking.doubt(each), remote.facts(each)
  return {
    doubt and line(("device %d is taken only by name, or if there is no other: %s"):format(each.ordinal, doubt.reason)),
    doubt and doubt.wrong and line(("device %d: %s"):format(each.ordinal, doubt.wrong)),
    facts and line(remote.line(each, facts)),
  }
end

--- A line for each device, or two where there is no room.
-- @tparam ?int taken the ordinal of the one that a run takes
-- @treturn table blocks
function view.table(platforms, shown, taken)
  local above, below = platform_lines(platforms, shown)
  local names, all, remarks = {
    {title = "", get = function(each) return each.ordinal == taken and "*" end},
    {title = "#", right = true, gap = 1, get = function(each) return each.ordinal end},
    {title = "P:D", get = function(each) return each.address end},
    {title = "name", head = true, get = function(each) return each.name or "?" end},
  }, {}, {}
  for _, list in ipairs {names, columns} do
    for _, column in ipairs(list) do all[#all + 1] = column end
  end
  for i, each in ipairs(shown) do remarks[i] = remarks_on(each) end
  local function of(shown_columns, under, otherwise)
    return block.table {name = "devices", rows = shown, columns = shown_columns, under = under, otherwise = otherwise,
      above = function(each) return above[each] end, close = true}
  end
  return {of(all, nil, of(names, figures_below)), block.list(below, {indent = "", close = true}), remarks}
end

-- ---- every property ----

local function facts_of(properties)
  local list = map(properties, function(each) return {"  " .. each[1].short, value_text(each[1], each[2])} end)
  return block.facts {list = list, beside = 34, close = true}
end

--- Every property.
-- @tparam ?int taken the ordinal of the one that a run takes
-- @treturn table blocks
function view.properties(platforms, shown, taken)
  local blocks = {}
  for _, platform in ipairs(platforms) do
    blocks[#blocks + 1] = {line(platform_text(platform)), facts_of(device.platform_properties(platform))}
    for _, each in ipairs(shown) do
      if each.platform.index == platform.index then
        blocks[#blocks + 1] = {block.gap(),
          line(("device %s%s"):format(each:describe(), each.ordinal == taken and " *" or "")), remarks_on(each),
          facts_of(each:properties())}
      end
    end
    blocks[#blocks + 1] = block.gap()
  end
  return blocks
end

return view
