-- Every step of writing a file fails once, and every one from there on (tests/layer/fail_file.c): open, write, close,
-- rename, mkdir. The old file stays, no half of a new one does, the message names the file, and the exit status says
-- so. Walks write their results as they come: the last whole file stays. The cache is not what a script asked for: it
-- only goes without.
-- suite: whole
-- cost: 20

local failing = require "failing"
local json = require "dkjson"
local lfs = require "lfs"
local support = require "support"

local function files_in(folder, into)
  into = into or {}
  for name in lfs.dir(folder) do
    local path = folder .. "/" .. name
    if name ~= "." and name ~= ".." then
      if lfs.attributes(path, "mode") == "directory" then files_in(path, into) else into[#into + 1] = path end
    end
  end
  return into
end

local function check_target(each, sound)
  for _, path in ipairs(files_in(each.folder)) do
    assert.is_nil(path:find("/%.clue%-[^/]*$"), path .. " is left after " .. each.title)
  end
  if each.status ~= 0 then
    assert.equal("OLD", each.text, each.title)
    return assert.is_truthy(each.err:find(each.target, 1, true), each.title)
  end
  assert.equal("close", each.step, each.title) -- of the empty file that is opened again to be written
  assert.is_truthy(#each.text > 3 and #each.text >= #sound.text / 2, each.title)
end

-- whole(text): true if the text is a whole document.
local function check_document(whole)
  return function(each)
    if each.status == 0 then return assert.is_truthy(whole(each.text), each.title) end
    assert.equal(1, each.status, each.title)
    assert.is_truthy(each.text == "OLD" or whole(each.text), each.title .. each.text)
    assert.is_truthy(each.err:find(each.target, 1, true), each.title)
    assert.matches("No space left on device", each.err, 1, true)
  end
end

local check_json, check_page = check_document(json.decode), check_document(function(text)
  return text:find "^<!DOCTYPE html>.*</html>%s*$"
end)

local check_csv = check_document(function(text)
  local title = text:match "^[^\n]*\n"
  return title and select(2, title:gsub(",", "")) > 20 and text:sub(-1) == "\n"
end)

-- A folder of files: all are there, or the run failed and the message names the folder.
local function check_folder(each, sound)
  if each.status == 0 then return assert.equal(#files_in(sound.folder), #files_in(each.folder), each.title) end
  assert.equal(1, each.status, each.title)
  assert.is_truthy(each.err:find(each.folder, 1, true), each.title)
  assert.matches("No space left on device", each.err, 1, true)
end

-- Everything that a replay needs, or nothing. Only the call's results may be missing, which are written last.
local function check_capture(each, sound)
  local missing = #files_in(sound.folder) - #files_in(each.folder)
  if each.status == 0 then
    assert.is_true(missing == 0 or missing == 1, each.title)
    local lost = each.err:find("the call is captured, but its results were not captured: ", 1, true)
    return assert.equal(each.step ~= nil and each.step ~= "-", lost ~= nil, each.title)
  end
  assert.equal(1, each.status, each.title)
  assert.equal(0, #files_in(each.folder), each.title)
  local _, messages = each.err:gsub("not captured: ", "")
  assert.equal(1, messages, each.title)
  assert.matches("clue: the kernel's call was not captured: ", each.err, 1, true)
  assert.is_truthy(each.err:find(each.folder, 1, true), each.title)
  assert.matches("No space left on device", each.err, 1, true)
end

local function check_cache(each, sound)
  assert.equal(0, each.status, each.title)
  assert.equal(sound.out, each.out, each.title)
end

local function script(text)
  return function(target) return {support.write(text), target} end
end

local function walk(target)
  return {"walk", "mql5", "--steps", "2", "--size", "8", "--repeat", "1", "--json", target}
end

-- What walks write at their end, from a document.
local document
local function show(option)
  return function(target)
    if not document then
      document = support.temporary ".json"
      assert.equal(0, (support.run(walk(document), support.drivers "oclgrind")))
    end
    return {"show", document, option, target}
  end
end

local tuned = [[
  local cl = require "clue"
  local x, twice = cl.array.float {1, 2, 3, 4}, cl.array.float {2, 4, 6, 8}
  return {kernel_name = "twice", source = "kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }",
    tune_params = {block_size_x = {2, 4}}, problem_size = 4, arguments = {x}, answer = {twice}}]]

-- most: how many steps fail at the most, of those that a long run makes.
local cases = {
  {"an array in .npy", target = "x.npy",
   words = script "require 'clue'.array.float {1, 2, 3, 4}:save(...)"},
  {"an array in .csv", target = "x.csv",
   words = script "require 'clue'.array.float {1, 2, 3, 4}:save(...)"},
  {"a PNG", target = "x.png",
   words = script "local cl = require 'clue' cl.image_file.save(..., cl.array.uchar(16), 2, 2)"},
  {"a PGM", target = "x.pgm",
   words = script "local cl = require 'clue' cl.image_file.save(..., cl.array.uchar(4), 2, 2)"},
  {"a trace", target = "t.json",
   words = function(target) return {"trace", "-o", target, "tests/specimens/failures/graphs.lua"} end},
  {"the JSON of a walk", target = "w.json", check = check_json, driver = "oclgrind", most = 12, words = walk},
  {"the CSV of a walk", target = "w.csv", check = check_csv, most = 12, words = show "--csv"},
  {"the report of a walk", target = "w.html", check = check_page, most = 12, words = show "--html"},
  {"the results of tuning", target = "t.json", check = check_json, driver = "oclgrind", most = 16,
   words = function(target) return {"tune", support.write(tuned), "--results", target} end},
  {"a new walkthrough", check = check_folder, most = 12,
   words = function(_, folder) return {"new", "walkthrough", folder .. "/mine", "--from", "mql5", "--steps", "3"} end},
  {"a captured call", check = check_capture, words = function(_, folder)
    return {"trace", "-o", support.temporary(), "--capture", "scale", "--capture-folder", folder .. "/scale",
            failing.script "mql5"}
  end},
  {"the cache", check = check_cache, driver = "pocl",
   env = function(folder) return support.uncached {CLUE_NO_CACHE = false, CLUE_CACHE_DIR = folder .. "/cache"} end,
   words = script("local program = require('clue').context():program [[kernel void f(global float *x) { x[0] = 1; }]] "
     .. "print(program:kernel 'f')")},
}

describe("a step of writing that fails", function()
  for _, case in ipairs(cases) do
    it("leaves no harm: " .. case[1], function()
      if support.sanitized then pending "the sanitizers' own library must be preloaded first" end
      local function run(n, stays)
        local folder = support.folder()
        local target = folder .. "/" .. (case.target or "none")
        if case.target then support.write("OLD", target) end
        local each = failing.run({words = case.words(target, folder), driver = case.driver or "null",
          env = case.env and case.env(folder), library = "fail_file", folder = folder}, n, stays)
        each.folder, each.target, each.text, each.step = folder, target, support.read(target), each.report.failed
        return each
      end
      local sound, failures = run(0), 0
      assert.equal(0, sound.status, sound.title)
      local calls = tonumber(sound.report.calls)
      assert.is_true(calls >= 4, "only " .. calls .. " steps")
      for stays = 0, 1 do
        for n = 1, math.min(calls, case.most or calls) do
          local each = run(n, stays)
          if each.step == "-" then -- a run may write less than the first one, because times differ in length
            assert.is_true(each.status == 0 and tonumber(each.report.calls) < n, each.title)
          else
            (case.check or check_target)(each, sound)
            failures = failures + 1
          end
        end
      end
      assert.is_true(failures >= 2 * math.min(calls, case.most or calls) - 4, failures .. " failures")
      print(("%d failures: %s"):format(failures, case[1]))
    end)
  end
end)
