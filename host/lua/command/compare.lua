--- `clue compare`: compares two runs: device with device, driver with driver, yesterday with today; or sets the results
-- of many devices side by side.
local compare = require "clue.show.compare"
local documents = require "clue.result.document"
local lists = require "clue.shared.list"
local read_file = require("clue.file").read
local repeated = require("clue.shared.paths").repeated
local save = require("clue.file").save
local subcommand = require "clue.shared.subcommand"
local text = require "clue.show.text"

local command = subcommand.new {
  name = "compare",
  group = "walkthrough",
  page = "reference/walk.md",
  summary = "compare runs of `clue walk`, `peak`, `tune`, or many devices",
  about = "Compares two runs, from the files that `clue walk --json FILE` or `clue peak --json FILE` wrote. A is the "
    .. "earlier run, B the later one: a ratio above 1 means that B is faster. It is the quotient of the two medians "
    .. "beside it. Three files or more, or one file with the results of several devices, are set side by side: a row "
    .. "for each step or limit, a column for each device; with --by file or --by device, and from seven results on, a "
    .. "row for each, with how it stands beside the median of all. Results of `clue tune` (NAME.tune.json), two or "
    .. "more, become a table with a row for each. Exit status 1: a file cannot be used, or a step or limit that is "
    .. "verified in A, or in the first column, is not verified in B, or is wrong or failed in another column; 2: wrong "
    .. "use.",
}

local refuse = command.refuse

function command.options(parser)
  subcommand.reads(parser:argument("a", "the earlier run, or the first column; - for standard input"):argname "A.json")
  subcommand.reads(parser:argument("b", "the later run, or the next columns"):args "?":argname "B.json")
  subcommand.reads(parser:argument("more", "more columns"):args "*":argname "C.json")
  parser:option("--device-a", "use only this device of A: its address (1:0) or ordinal in that file, cpu, gpu or "
    .. "accelerator, or a part of its name")
    :argname "SPEC"
  parser:option("--device-b", "use only this device of B; A and B may be the same file"):argname "SPEC"
  parser:option("--step-a", "use only this step of A's walkthrough"):argname "STEP"
  parser:option("--step-b", "compare it with this step of B, such as an edited copy; A and B may be the same file")
    :argname "STEP"
  subcommand.completes(parser:option("--by", "of three files or more, a row for each step, file or device (step; file "
    .. "from seven results on)"):argname "WHAT":choices {"step", "file", "device"}, "=step =file =device")
  subcommand.json_file(parser, "write the comparison to this file as well")
  subcommand.writes(parser:option("--html", "write it as a page to this file instead"):argname "FILE")
  subcommand.writes(parser:option("--csv", "write every result of three files or more to this file as well")
    :argname "FILE")
end

-- ---- the words ----

local function path_of(word)
  return word == "-" and "/dev/stdin" or word
end

-- What `clue farm` keeps beside the results of its hosts, which farm/*.json names too.
local function is_plan(path)
  local content = path:find "%f[^/%z]plan%.json$" and read_file(path)
  return content and content:find '^%s*{%s*"format"%s*:%s*"clue farm 1"' ~= nil
end

local function paths_of(options)
  local paths = lists.map(lists.joined({options.a, options.b}, options.more), path_of)
  local results = lists.filter(paths, function(path) return not is_plan(path) end)
  return results[1] and results or paths
end

-- The first option that chooses what of two files is compared.
local function choice(options)
  return subcommand.first_given(options, {"device-a", "device-b", "step-a", "step-b"})
end

-- Which two paths are of one file, if any are.
local function twice(paths)
  local path, earlier = repeated(paths)
  if not path then return nil end
  return path == earlier and ("%s is given twice"):format(path)
    or ("%s and %s are the same file"):format(earlier, path)
end

-- What is wrong with the words, if all files are to be set side by side.
local function wrong_words(options, paths)
  local of_two = choice(options)
  if of_two then return ("--%s goes with two files%s"):format(of_two, #paths == 1 and ": give this one twice" or "") end
  return twice(paths)
end

-- ---- the files ----

-- Reads all of them, and reports the faults of each; nil after a report.
local function files_of(paths)
  local list, well = {}, true
  for i, path in ipairs(paths) do
    local document, kind = documents.read(path)
    if not document then well = refuse(kind) end
    list[i] = {path = path, document = document, kind = kind}
  end
  for _, file in ipairs(well and list or {}) do
    if file.kind ~= list[1].kind then
      return refuse(("%s is from %s, but %s is from %s: give %s of the same command"):format(list[1].path, list[1].kind,
        file.path, file.kind, #list == 2 and "two files" or "files"))
    end
  end
  return well and list or nil
end

-- ---- the comparison ----

-- The comparison of some files; nil and the exit status after a report.
local function compared(options, files, paths)
  local is_pair = #files == 2 and files[1].kind ~= "clue tune" and not options.by
  if options.csv and (is_pair or files[1].kind == "clue tune") then
    return nil, command.wrong_use "--csv is for three files or more of clue walk or clue peak, or goes with --by"
  end
  local wrong = not is_pair and wrong_words(options, paths) or is_pair and files[1].kind ~= "clue walk"
    and (options.step_a or options.step_b) and "--step-a and --step-b are for files of clue walk"
  if wrong then return nil, command.wrong_use(wrong) end
  local it, problems
  if is_pair then it, problems = compare.two(files, options) else it, problems = compare.many(files, options.by) end
  for _, why in ipairs(not it and (is_pair and problems or {problems}) or {}) do refuse(why) end
  local same = it and is_pair and not choice(options) and twice(paths)
  if same then return nil, command.wrong_use(same .. ": --step-b or --device-b chooses with what of it to compare") end
  return it, 1
end

-- Writes the files that the options name. Returns whether all were written.
local function written(options, it)
  if options.csv then
    local saved, why = save(options.csv, compare.csv(it))
    if not saved then return refuse("--csv: cannot write " .. why, false) end
  end
  if not command.save_json(options.json, compare.document(it)) then return false end
  if not options.html then return true end
  local head, blocks = compare.blocks(it)
  local page = {title = ("%d results of %s"):format(#it.columns, it.kind), head = head, blocks = blocks,
                document = compare.document(it)}
  local why = require("clue.show.page").save(options.html, page, "--html", refuse)
  return not why or refuse(why, false)
end

function command.work(options)
  local paths = paths_of(options)
  local wrong = #paths ~= 2 and wrong_words(options, paths)
  if wrong then return command.wrong_use(wrong) end
  local files = files_of(paths)
  if not files then return 1 end
  local it, status = compared(options, files, paths)
  if not it then return status end
  if not options.html then text.print({compare.blocks(it)}, {columns = 132}) end
  return written(options, it) and not it.failed and 0 or 1
end

return command
