--- `clue devices`: every platform and device that OpenCL finds, and which one a run takes.
local block = require "clue.show.block"
local choice = require "clue.device_choice"
local device = require "clue.device"
local failure = require "clue.failure"
local json = require "clue.shared.json"
local lists = require "clue.shared.list"
local oclgrind = require "clue.oclgrind"
local output = require "clue.output"
local ranking = require "clue.device_ranking"
local remote = require "clue.devices.remote"
local show = require "clue.show.text"
local subcommand = require "clue.shared.subcommand"
local view = require "clue.devices.view"

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

-- ---- JSON ----

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
    platforms = json.list(lists.map(machine.platforms, function(platform)
      return {
        index = platform.index,
        device_count = platform.device_count,
        properties = properties_json(device.platform_properties(platform, "opencl")),
      }
    end)),
    devices = json.list(lists.map(shown, function(each)
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

-- ---- the command ----

-- The text of an error object without clue's own line.
local function complain(problem)
  return command.refuse(failure.text(problem), 1)
end

-- The platforms and devices to show.
local function narrow(machine, spec)
  if not spec then return machine, machine.devices end
  local ordinals = device.select(spec, "--device")
  local chosen = lists.set(ordinals)
  local shown = lists.filter(machine.devices, function(each) return chosen[each.ordinal] end)
  local platforms = lists.map(shown, function(each) return each.platform end)
  shown.chosen = ordinals
  return {platforms = lists.distinct(platforms, function(each) return each.index end), devices = machine.devices}, shown
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
  local known, taken, why, again = failure.caught(device.pick)
  local ordinal = known and taken or nil
  if options.json then
    print_json(part_of, shown, ordinal, why)
  else
    show.print({view[options.verbose and "properties" or "table"](part_of.platforms, shown, ordinal),
      known and block.paragraph(("* a run takes device %d: %s; %s picks it again"):format(taken, why, again),
        {indent = "", close = true})}, {columns = 80})
  end
  return known and 0 or complain(taken)
end

function command.work(options)
  local finished, status = failure.caught(list, options)
  if finished then return status end
  return complain(status)
end

return command
