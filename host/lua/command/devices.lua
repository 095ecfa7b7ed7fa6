--- `clue devices`: every platform and device that OpenCL finds, and which one a run takes.
-- @module clue.command.devices
local choice = require "clue.device_choice"
local device = require "clue.device"
local error_object = require "clue.error"
local json = require "clue.shared.json"
local oclgrind = require "clue.oclgrind"
local output = require "clue.output"
local ranking = require "clue.device_ranking"
local remote = require "clue.devices.remote"
local sizes = require "clue.shared.figures"
local subcommand = require "clue.shared.subcommand"
local tables = require "clue.table"

local command = subcommand.new {
  name = "devices",
  group = "device",
  page = "reference/devices.md",
  summary = "list OpenCL's platforms and devices, and which one a run takes",
  about = "Lists every OpenCL platform and device of this machine. The star marks the device that a run takes by "
    .. "default.",
}

function command.options(parser)
  subcommand.device(parser, "show only these devices: an ordinal (0), platform:device (0:1, nvidia:0), "
    .. "part of a name, cpu, gpu, accelerator, all, uuid:..., pci:..., or several with commas")
  parser:flag("-v --verbose", "show every property, under the names that scripts use: device.get(0).max_compute_units")
  parser:flag("--json", "print everything as JSON, under OpenCL's own names")
end

local function columns()
  return output.out:columns(80)
end

-- ---- values in words --------------------------------------------------------------------------------------------

local function size_text(bytes)
  return bytes and sizes.bytes(bytes) or "?"
end

local function number_text(number)
  return ("%.0f"):format(number)
end

local function map(list, convert)
  local result = {}
  for i, entry in ipairs(list) do result[i] = convert(entry) end
  return result
end

local writers = {
  number = number_text,
  bytes = function(bytes)
    return bytes < 1024 and number_text(bytes) or ("%.0f (%s)"):format(bytes, size_text(bytes))
  end,
  identifier = function(number) return ("0x%x"):format(number) end,
  bool = function(value) return value and "yes" or "no" end,
  sizes = function(list) return table.concat(map(list, number_text), " ") end,
  integers = function(list) return table.concat(map(list, number_text), " ") end,
  versions = function(list)
    return table.concat(map(list, function(entry) return entry.name .. ":" .. entry.version end), ", ")
  end,
}

for _, kind in ipairs {"flags", "choices", "words", "abilities"} do
  writers[kind] = function(list) return table.concat(list, ", ") end
end

local function value_text(property, value)
  local text = (writers[property.kind] or tostring)(value)
  return text ~= "" and text or "none"
end

local kinds = {gpu = "GPU", accelerator = "accel.", cpu = "CPU", any = "any", custom = "custom"}

local function version_number(text)
  return tostring(text):match("%d+%.%d+") or "?"
end

-- ---- the table --------------------------------------------------------------------------------------------------

local function floats(each)
  local half = each:has_extension("cl_khr_fp16") and "16 " or ""
  return half .. (each:has_double() and "64" or half == "" and "-" or "")
end

local figures = {
  {title = "type", get = function(each) return kinds[each.kind] end},
  {title = "units", right = true, get = function(each) return number_text(each.max_compute_units or 0) end},
  {title = "MHz", right = true, get = function(each) return number_text(each.max_clock_frequency or 0) end},
  {title = "memory", right = true, get = function(each) return size_text(each.global_mem_size) end},
  {title = "local", right = true, get = function(each) return size_text(each.local_mem_size) end},
  {title = "OpenCL", get = function(each) return version_number(each.version) end},
  {title = "fp", get = floats},
  {title = "driver", get = function(each) return each.driver_version or "?" end},
}

local function row_of(each, taken)
  local row = {each.ordinal == taken and "*" or "", each.ordinal, each.address, each.name or "?"}
  for _, figure in ipairs(figures) do row[#row + 1] = figure.get(each) end
  return row
end

local function part(list, first, last)
  local result = {}
  for i = first, last do result[#result + 1] = list[i] end
  return result
end

-- The table's lines by device, and its titles. A device has one line if the width allows it; else two, the name
-- first.
local function lay_out(rows, width)
  local heads = {{title = ""}, {title = "#", right = true, gap = 1}, {title = "P:D"}, {title = "name"}}
  local all = part(heads, 1, 4)
  for _, figure in ipairs(figures) do all[#all + 1] = figure end
  local lines = tables.lines(all, rows)
  if tables.width(lines) <= width then return map(lines, function(line) return {line} end) end
  local upper = tables.lines(heads, map(rows, function(row) return part(row, 1, 4) end))
  local lower = tables.lines(figures, map(rows, function(row) return part(row, 5, #row) end))
  local both = {}
  for i = 1, #upper do both[i] = {upper[i], "     " .. lower[i]} end
  return both
end

local function platform_line(platform)
  local line = ("platform %d: %s, OpenCL %s"):format(platform.index, platform.name or "without a name",
    version_number(platform.version))
  if platform.device_count > 0 then return line end
  local hint = platform.name == "rusticl" and "; RUSTICL_ENABLE names its drivers, llvmpipe for the CPU" or ""
  return ("%s: no devices%s"):format(line, hint)
end

local print_lines = output.print_lines

-- Why class words avoid the device, and which of its results are wrong.
local function print_doubt(each)
  local doubt = ranking.doubt(each)
  if not doubt then return end
  local line = ("device %d is taken only by name, or if there is no other: %s"):format(each.ordinal, doubt.reason)
  print_lines(tables.wrap(line, columns()))
  if doubt.wrong then print_lines(tables.wrap(("device %d: %s"):format(each.ordinal, doubt.wrong), columns())) end
end

-- That the device is on another machine, and how far.
local function print_remote(each)
  local facts = remote.facts(each)
  if facts then print_lines(tables.wrap(remote.line(each, facts), columns())) end
end

local function print_table(machine, shown, taken)
  local lines = lay_out(map(shown, function(each) return row_of(each, taken) end), columns())
  if #shown > 0 then print_lines(lines[1]) end
  for _, platform in ipairs(machine.platforms) do
    print_lines(tables.wrap(platform_line(platform), columns()))
    for i, each in ipairs(shown) do
      if each.platform.index == platform.index then print_lines(lines[i + 1]) end
    end
  end
  for _, each in ipairs(shown) do
    print_doubt(each)
    print_remote(each)
  end
end

-- ---- every property ---------------------------------------------------------------------------------------------

local label_width = 30

-- Values are beside their names, or below them if name or value is too long.
local function print_property(property, value)
  local text = value_text(property, value):gsub(";(%S)", "; %1")
  local beside = tables.wrap(text, columns() - label_width - 4)
  local widest = tables.width(beside)
  local name = ("  %-" .. label_width .. "s  "):format(property.short)
  if #beside == 1 and #name + widest <= columns() then
    output.print(name .. beside[1])
  elseif #property.short <= label_width and widest <= columns() - label_width - 4 then
    for i, line in ipairs(beside) do output.print((i == 1 and name or (" "):rep(#name)) .. line) end
  else
    output.print("  " .. property.short)
    for _, line in ipairs(tables.wrap(text, columns() - 6)) do output.print("      " .. line) end
  end
end

local function print_properties(list)
  for _, entry in ipairs(list) do print_property(entry[1], entry[2]) end
end

local function print_everything(machine, shown, taken)
  for _, platform in ipairs(machine.platforms) do
    print_lines(tables.wrap(platform_line(platform), columns()))
    print_properties(device.platform_properties(platform))
    for _, each in ipairs(shown) do
      if each.platform.index == platform.index then
        output.print ""
        local mark = each.ordinal == taken and " *" or ""
        print_lines(tables.wrap("device " .. each:describe() .. mark, columns()))
        print_doubt(each)
        print_remote(each)
        print_properties(each:properties())
      end
    end
    output.print ""
  end
end

-- ---- JSON -------------------------------------------------------------------------------------------------------

-- Properties under OpenCL's names, in the order of the table.
local function properties_json(list)
  local object, order = {}, {}
  for i, entry in ipairs(list) do
    object[entry[1].name] = entry[2]
    order[i] = entry[1].name
  end
  return setmetatable(object, {__jsonorder = order, __jsontype = "object"})
end

local function print_json(machine, shown, taken, why)
  local document = {
    chosen = json.list(shown.chosen or {}),
    default = taken and {ordinal = taken, why = why} or require("clue.json.write").null,
    platforms = json.list(map(machine.platforms, function(platform)
      return {
        index = platform.index,
        device_count = platform.device_count,
        properties = properties_json(device.platform_properties(platform, "opencl")),
      }
    end)),
    devices = json.list(map(shown, function(each)
      return {
        ordinal = each.ordinal,
        address = each.address,
        platform = each.platform.index,
        kind = each.kind,
        pci = each.pci,
        wrong = (ranking.doubt(each) or {}).wrong,
        remote = remote.facts(each),
        properties = properties_json(each:properties("opencl")),
      }
    end)),
  }
  local order = {"default", "chosen", "ordinal", "address", "index", "platform", "kind", "pci", "wrong",
    "remote", "server", "latency", "median", "low", "high", "rounds", "problem", "device_count", "why", "platforms",
    "devices", "name", "version", "properties"}
  output.print(json.text(document, true, order))
end

-- ---- the command ------------------------------------------------------------------------------------------------

-- The text of an error object without clue's own line.
local function complain(problem)
  return command.refuse(error_object.is(problem) and problem.text or tostring(problem), 1)
end

-- The platforms and devices to show.
local function narrow(machine, spec)
  if not spec then return machine, machine.devices end
  local chosen, platforms = {}, {}
  local ordinals = device.select(spec, "--device")
  for _, ordinal in ipairs(ordinals) do chosen[ordinal] = true end
  local shown, seen = {chosen = ordinals}, {}
  for _, each in ipairs(machine.devices) do
    if chosen[each.ordinal] then
      shown[#shown + 1] = each
      if not seen[each.platform.index] then platforms[#platforms + 1] = each.platform end
      seen[each.platform.index] = true
    end
  end
  return {platforms = platforms, devices = machine.devices}, shown
end

local function list(options)
  oclgrind.want(options.device)
  local machine = device.machine()
  if #machine.devices == 0 then
    if options.json then print_json(machine, {}) end
    return complain(choice.advice(machine))
  end
  local part_of, shown = narrow(machine, options.device)
  -- The list helps most if CLUE_DEVICE is wrong, so it is shown all the same.
  local known, taken, why, again = pcall(device.pick)
  local ordinal = known and taken or nil
  if options.json then
    print_json(part_of, shown, ordinal, why)
  elseif options.verbose then
    print_everything(part_of, shown, ordinal)
  else
    print_table(part_of, shown, ordinal)
  end
  if not known then return complain(taken) end
  if not options.json then
    print_lines(tables.wrap(("* a run takes device %d: %s; %s picks it again"):format(taken, why, again), columns()))
  end
  return 0
end

function command.work(options)
  local finished, status = pcall(list, options)
  if finished then return status end
  if not error_object.is(status) then error(status, 0) end
  return complain(status)
end

return command
