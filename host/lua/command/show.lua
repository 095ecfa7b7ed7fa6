--- `clue show`: shows what clue measured again, from the file that it wrote.
local block = require "clue.show.block"
local csv = require "clue.show.walk.csv"
local documents = require "clue.result.document"
local find_device = require("clue.result.device").find
local of_run = require("clue.result.device").of_run
local output = require "clue.output"
local page = require "clue.show.page"
local peak_view = require "clue.show.peak.view"
local row_of = require "clue.result.row"
local selection = require "clue.result.selection"
local shown = require "clue.show.walk"
local step_view = require "clue.show.walk.step"
local shell_word = require("clue.shared.shell").shown
local subcommand = require "clue.shared.subcommand"
local terminal = require "clue.show.text"

local command = subcommand.new {
  name = "show",
  group = "walkthrough",
  page = "reference/walk.md",
  summary = "show again what clue measured, from its file",
  about = "Shows a file that `clue walk --json FILE`, `clue peak --json FILE` or `clue tune` wrote, as the run that "
    .. "made it did: in the terminal, as a page, or as comma-separated values. It measures nothing and needs no "
    .. "device. `clue compare` sets several files side by side.",
}

local refuse = command.refuse

function command.options(parser)
  local files = parser:argument("files", "what clue wrote; - for standard input"):args "+":argname "FILE"
  subcommand.completes(subcommand.reads(files), ".json")
  parser:flag("--notes", "print the changes, findings, all times and the author's figures of a walk as well")
  parser:option("--device", "show only this device of the file: its address (1:0) or ordinal there, cpu, gpu or "
    .. "accelerator, or a part of its name"):argname "SPEC"
  parser:flag("--quiz", "ask before each step's numbers of a walk what they are: `clue walk --quiz` asks of what is "
    .. "not measured")
  parser:option("--step", "explain one step of a walk, with its results"):argname "STEP"
  subcommand.writes(parser:option("--html", "write the report to this file instead: one self-contained page")
    :argname "FILE")
  subcommand.writes(parser:option("--csv", "write the rows of a walk to this file instead"):argname "FILE")
end

-- ---- one step ----

local function print_step(doc)
  for _, each in ipairs(row_of.all(doc.walkthroughs)) do
    shown.print_step(each.row, step_view.text_of(each.walkthrough, each.row), of_run(doc, each.run).peak)
  end
  return 0
end

-- ---- a quiz ----

local function ask_about(doc, path)
  for _, entry in ipairs(doc.walkthroughs) do
    for _, run in ipairs(entry.sweep and {} or entry.runs or {}) do
      local why = require("clue.show.walk.quiz").ask(run.rows, find_device(doc, run.device))
      if why then return refuse(("--quiz: %s: %s"):format(path, why), 1) end
    end
  end
  return 0
end

-- ---- what a file may be ----

local shows = {}

shows["clue walk"] = function(doc, path, options)
  local why
  if options.step then
    doc, why = selection.step(doc, options.step, path)
    if not doc then return refuse(why, 1) end
  end
  if options.csv then
    local saved, problem = pcall(csv.save, options.csv, doc)
    if not saved then return refuse("--csv: " .. problem, 1) end
  end
  if options.html then
    why = page.save(options.html, require("clue.show.report").page(doc), "--html", refuse)
    if why then return refuse(why, 1) end
  end
  if options.csv or options.html then return 0 end
  if options.step then return print_step(doc) end
  if options.quiz then return ask_about(doc, path) end
  shown.print(doc, {notes = options.notes, hint = "clue show " .. shell_word(path)})
  return 0
end

-- A page has the limits of each device in a section.
local function peak_page(doc, all)
  local sections = {}
  for i, each in ipairs(all) do
    local name = each.device.name or each.device.address or "a device"
    sections[i] = block.section {id = "device" .. i, title = name, contents = name, blocks = peak_view.blocks(each)}
  end
  return {title = "What a device can do", head = {}, blocks = sections, document = doc}
end

shows["clue peak"] = function(doc, _, options)
  local all = doc.limits and {doc} or doc.devices
  if options.html then
    local why = page.save(options.html, peak_page(doc, all), "--html", refuse)
    return why and refuse(why, 1) or 0
  end
  for i, each in ipairs(all) do
    if i > 1 then output.print "" end
    terminal.print(peak_view.blocks(each))
  end
  return 0
end

shows["clue tune"] = function(_, path, options)
  return require("clue.show.tune").show {show = path, report = options.html, option = "--html",
    instead = options.html ~= nil}
end

local function show(path, options)
  local doc, kind = documents.read(path)
  if not doc then return refuse(kind, 1) end
  local only = kind ~= "clue walk" and subcommand.first_given(options, {"csv", "step", "notes", "quiz"})
  if only then return refuse(("%s is from %s: --%s goes with files of clue walk"):format(path, kind, only), 1) end
  if options.device and kind == "clue tune" then
    return refuse(("%s is from clue tune, which has one device: leave out --device"):format(path), 1)
  end
  local why
  if options.device then
    doc, why = selection.device(doc, options.device, path, "--device")
    if not doc then return refuse(why, 1) end
  end
  return shows[kind](doc, path, options)
end

local function show_all(options)
  local status = 0
  for i, word in ipairs(options.files) do
    local path = word == "-" and "/dev/stdin" or word
    if options.files[2] then output.print(("%s%s:"):format(i > 1 and "\n" or "", path)) end
    status = math.max(status, show(path, options))
  end
  return status
end

function command.work(options)
  local to = options.html and "--html" or options.csv and "--csv"
  if to and options.files[2] then return command.wrong_use(("%s goes with one file"):format(to)) end
  if options.notes and (to or options.step) then
    return command.wrong_use(("--notes does not go with %s"):format(to or "--step"))
  end
  if options.quiz and (to or options.step or options.notes or options.files[2]) then
    return command.wrong_use "--quiz goes with one file, and with --device alone"
  end
  if options.html and options.step then return command.wrong_use "--step does not go with --html" end
  return command.attempt(show_all, options)
end

return command
