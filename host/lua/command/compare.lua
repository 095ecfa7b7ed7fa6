--- `clue compare`: compares two runs: device with device, driver with driver, yesterday with today; or sets the results
-- of many devices side by side.
-- @module clue.command.compare
local files_of = require "clue.show.compare.files"
local json = require "clue.shared.json"
local many = require "clue.show.compare.many"
local repeated = require("clue.shared.paths").repeated
local save = require("clue.file").save
local subcommand = require "clue.shared.subcommand"
local two = require "clue.show.compare.two"

local command = subcommand.new {
  name = "compare",
  summary = "compare two runs of `clue walk` or `clue peak`, or the results of many devices",
  about = "Compares two runs, from the files that `clue walk --json FILE` or `clue peak --json FILE` wrote. A is the "
    .. "earlier run, B the later one: a ratio above 1 means that B is faster. It is the quotient of the two medians "
    .. "beside it. Three files or more, or one file with the results of several devices, are set side by side: a row "
    .. "for each step or limit, a column for each device. Results of `clue tune` (NAME.tune.json), two or more, become "
    .. "a table with a row for each. Exit status 1: a file cannot be used, or a step or limit that is verified in A, "
    .. "or in the first column, is not verified in B, or is wrong or failed in another column; 2: wrong use.",
}

local refuse = command.refuse

function command.options(parser)
  parser:argument("a", "the earlier run, or the first column; - for standard input"):argname "A.json"
  parser:argument("b", "the later run, or the next columns"):args "?":argname "B.json"
  parser:argument("more", "more columns"):args "*":argname "C.json"
  parser:option("--device-a", "use only this device of A: its address (1:0) or ordinal in that file, cpu, gpu or "
    .. "accelerator, or a part of its name")
    :argname "SPEC"
  parser:option("--device-b", "use only this device of B; A and B may be the same file"):argname "SPEC"
  parser:option("--step-a", "use only this step of A's walkthrough"):argname "STEP"
  parser:option("--step-b", "compare it with this step of B, such as an edited copy; A and B may be the same file")
    :argname "STEP"
  subcommand.json_file(parser, "write the comparison to this file as well")
end

local for_two = {{"device_a", "--device-a"}, {"device_b", "--device-b"}, {"step_a", "--step-a"},
                 {"step_b", "--step-b"}}

local function paths_of(options)
  local paths = {}
  for _, word in ipairs {options.a, options.b} do paths[#paths + 1] = files_of.path(word) end
  for _, word in ipairs(options.more or {}) do paths[#paths + 1] = files_of.path(word) end
  return paths
end

-- What is wrong with the words, if all files are to be set side by side.
local function wrong_words(options, paths)
  for _, each in ipairs(for_two) do
    if options[each[1]] then
      return ("%s goes with two files%s"):format(each[2], #paths == 1 and ": give this one twice" or "")
    end
  end
  local path, earlier = repeated(paths)
  if path then
    return path == earlier and ("%s is given twice"):format(path)
      or ("%s and %s are the same file"):format(earlier, path)
  end
end

-- The comparison must not replace what it compares.
local function overwritten(options, paths)
  for _, path in ipairs(options.json and paths or {}) do
    if repeated {path, options.json} then
      return ("--json %s would replace a file that is compared"):format(options.json)
    end
  end
end

local function compared(options, paths)
  local wrong = overwritten(options, paths) or #paths ~= 2 and wrong_words(options, paths)
  if wrong then return command.wrong_use(wrong) end
  local files = files_of.read(paths, refuse)
  if not files then return 1 end
  if #files == 2 and files[1].kind ~= "clue tune" then return two(options, files[1], files[2], refuse) end
  wrong = wrong_words(options, paths)
  if wrong then return command.wrong_use(wrong) end
  return many(files, refuse)
end

function command.work(options)
  local status, document = compared(options, paths_of(options))
  if not (document and options.json) then return status end
  local saved, why = save(options.json, json.text(document, true) .. "\n")
  if saved then return status end
  return refuse("--json: cannot write " .. why, 1)
end

return command
