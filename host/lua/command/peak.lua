--- `clue peak`: measures the limits of devices.
local chosen_devices = require("clue.shared.child").devices
local clue_options = require "clue.options"
local limits = require "clue.run.kept_limits"
local list = require("clue.shared.json").list
local lists = require "clue.shared.list"
local measure = require "clue.peak.measure"
local output = require "clue.output"
local paths = require "clue.shared.paths"
local subcommand = require "clue.shared.subcommand"
local terminal = require "clue.show.text"
local view = require "clue.show.peak.view"
local walk_document = require "clue.result.document"

local command = subcommand.new {
  name = "peak",
  group = "device",
  page = "reference/peak.md",
  summary = "measure the limits: arithmetic, memory, caches, transfers, latency",
  about = "Measures the limits of a device: multiply-adds of float, double, half and int by vector width, tensor "
    .. "cores (NVIDIA's), reading, writing and copying global memory, local memory, caches, transfers from and to the "
    .. "host, and the time to start a kernel. Times are the device's own if its timer can be trusted; every result is "
    .. "checked. The table shows the median of several runs, the best, and (largest - least) / median. Exit status 0: "
    .. "all measured, or skipped because the device lacks fp64 or fp16; 1: otherwise; 2: wrong use.",
}

-- ---- options ----

local function groups(text)
  local wanted, known = {}, lists.set(measure.groups)
  for word in (text .. ","):gmatch "([^,]*)," do
    if not known[word] then
      return nil, ("--only: '%s' is not a group: give some of %s, with commas"):format(word,
        table.concat(measure.groups, ", "))
    end
    wanted[word] = true
  end
  return lists.filter(measure.groups, function(group) return wanted[group] end)
end

function command.options(parser)
  subcommand.device(parser, "the devices to measure, as `clue devices` names them: one, several with commas, or all")
  subcommand.completes(parser:option("--only", "measure only these, with commas: compute, tensor, global, "
    .. "local, caches, transfer, latency"):argname "GROUPS":convert(groups), "=" .. table.concat(measure.groups, " ="))
  subcommand.time_limit(parser, "120", "stop a group on a device after so many seconds")
  subcommand.json_file(parser, "write everything to this file, every single time included; for several devices a list, "
    .. "'devices'")
end

-- ---- devices ----

local function find_devices(options)
  local found, why = chosen_devices(options.device or clue_options.device, options.time_limit)
  if not found then return command.refuse(why) end
  return lists.map(found, function(each) return each.address end)
end

-- ---- measuring ----

-- Shows on a terminal what is being measured.
local function progress(address)
  return function(group, name)
    output.progress(("measuring %s: %s%s"):format(address, group, name and ", " .. name or ""))
  end
end

-- One device's document is the whole document; several are a list in one.
local function whole_document(documents)
  if #documents == 1 then return documents[1] end
  local all = {format = measure.format, clue = clue_options.version, machine = walk_document.machine(),
               devices = list {}}
  for i, document in ipairs(documents) do all.devices[i] = document end
  all.started = documents[1] and documents[1].started or walk_document.now()
  return all
end

local function save(options, documents)
  if not options.json then return end
  local saved, why = pcall(walk_document.save, options.json, whole_document(documents))
  if not saved then error("--json: " .. why, 0) end
end

local function measure_all(options, addresses)
  local documents, status = {}, 0
  paths.keep(options.json)
  save(options, documents) -- reports before the work if the file cannot be written
  for i, address in ipairs(addresses) do
    documents[i] = measure.device {
      device = address, groups = options.only, seconds = options.time_limit, progress = progress(address),
      changed = function(document)
        documents[i] = document
        save(options, documents)
      end,
    }
    save(options, documents)
    limits.keep(documents[i].device, documents[i])
    output.clear_progress()
    if i > 1 then output.print "" end
    terminal.print(view.blocks(documents[i]))
    io.stdout:flush()
    if not measure.is_well(documents[i]) then status = 1 end
  end
  return status
end

function command.work(options)
  local addresses = find_devices(options)
  if not addresses then return 1 end
  return command.attempt(measure_all, options, addresses)
end

return command
