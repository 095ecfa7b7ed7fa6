-- Readers of whole documents, for parsers.lua: files of `clue walk --json` and `clue peak --json`, as `clue compare`,
-- --resume, --csv and --report take them, and stored results and journals of `clue tune`. They are right documents of
-- docs/measurements with other values in some places, still JSON: what readers in Lua stumble over are values of
-- another kind.
local array = require "clue.array"
local captured = require "clue.captured"
local compare = require "clue.command.compare"
local csv = require "clue.show.walk.csv"
local document = require "clue.result.document"
local marked_list = require("clue.shared.json").list
local resume = require "clue.run.resume"
local journal = require "clue.tune.journal"
local json = require "dkjson"
local lfs = require "lfs"
local tuning = require "clue.result.tuning"

local repository = debug.getinfo(1, "S").source:match "^@(.*)/tests/fuzz/parts/" or "."

local documents = {}

-- ---- right documents, made short ----

local function measured(name)
  local pipe = assert(io.popen(("gzip -dc '%s/docs/measurements/%s.json.gz'"):format(repository, name)))
  local text = pipe:read "*a"
  pipe:close()
  return (assert(json.decode(text)))
end

local LONGEST = {samples = 6, total = 6, kernel = 6, times = 6, rows = 3, limits = 4, walkthroughs = 1, runs = 2}

local function shorten(value, name)
  if type(value) == "string" then return #value > 300 and value:sub(1, 300) or value end
  if type(value) ~= "table" then return value end
  for i = #value, (LONGEST[name] or 12) + 1, -1 do table.remove(value, i) end
  for key, each in pairs(value) do value[key] = shorten(each, type(key) == "number" and name .. "[]" or key) end
  return value
end

local function text_of(name)
  return json.encode(shorten(measured(name), ""))
end

-- ---- changing a value, and leaving the rest ----

local odd = {
  json.null, true, false, -1, 0, 0.5, 1e308, 2 ^ 53, "", "x", "2 3", "\27[31m\0", "1e9", "-", "%s",
}

local function places_of(value, list)
  for key, each in pairs(value) do
    list[#list + 1] = {value, key}
    if type(each) == "table" and each ~= json.null then places_of(each, list) end
  end
  return list
end

-- The keys of a table have no order, and a seed must give the same document each time.
local function sorted(value)
  local list = places_of(value, {})
  local paths = {}
  local function path(of, prefix)
    for key, each in pairs(of) do
      paths[of] = paths[of] or prefix
      if type(each) == "table" and each ~= json.null then path(each, prefix .. "/" .. tostring(key)) end
    end
  end
  path(value, "")
  table.sort(list, function(a, b)
    local one, two = paths[a[1]] .. "/" .. tostring(a[2]), paths[b[1]] .. "/" .. tostring(b[2])
    return one < two
  end)
  return list
end

local function change(text, random)
  local value = json.decode(text)
  for _ = 1, random(3) do
    local places = sorted(value)
    if #places == 0 then break end
    local at, other = places[random(#places)], places[random(#places)]
    local choice = random(10)
    if choice <= 6 then
      at[1][at[2]] = odd[random(#odd)]
    elseif choice == 7 then
      at[1][at[2]] = random(2) == 1 and {} or {odd[random(#odd)], {}}
    elseif choice == 8 then
      at[1][at[2]] = nil
    else -- another part of the document; not one that contains this place
      local copy = json.decode(json.encode {other[1][other[2]]})
      at[1][at[2]] = copy and copy[1]
    end
  end
  return json.encode(value)
end

-- ---- reading, with what is said kept from the terminal ----

local function put(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
  return path
end

-- A sentence is clue's own message; an error with a place in one of clue's files is Lua's. (A captured call is Lua.)
local function quietly(work)
  local out, err, nowhere = io.stdout, io.stderr, assert(io.open("/dev/null", "w"))
  rawset(io, "stdout", nowhere)
  rawset(io, "stderr", nowhere)
  local done, problem = pcall(work)
  rawset(io, "stdout", out)
  rawset(io, "stderr", err)
  nowhere:close()
  local place = type(problem) ~= "string" or problem:gsub("call%.lua:%d+", ""):find "%.lua:%d+:"
  if not done and place then error(problem, 0) end
  return done and problem or nil
end

-- The other way in which a document is read: beside others.
local function set_beside(right)
  return function(text, scratch)
    local paths = {}
    for i, each in ipairs {right, text, right} do paths[i] = put(("%s/%d.json"):format(scratch, i), each) end
    return quietly(function()
      for _, order in ipairs {{1, 2, 3}, {2, 1, 3}} do
        local status = compare.work {a = paths[order[1]], b = paths[order[2]], more = {paths[order[3]]},
                                     json = scratch .. "/out.json"}
        if status ~= 0 and status ~= 1 then return "its status is " .. tostring(status) end
      end
    end)
  end
end

local walks, peaks = {text_of "walk-pocl-transpose", text_of "walk-pocl-xeon-reduce"}, {text_of "peak-pocl-1"}

local function compared(right)
  return function(text, scratch)
    local a, b = put(scratch .. "/a.json", right), put(scratch .. "/b.json", text)
    return quietly(function()
      for _, options in ipairs {{a = a, b = b, json = scratch .. "/out.json"}, {a = b, b = a}} do
        local status = compare.work(options)
        if status ~= 0 and status ~= 1 and status ~= 2 then return "its status is " .. tostring(status) end
      end
    end)
  end
end

documents.compare_walks = {texts = walks, change = change, read = compared(walks[1])}
documents.compare_peaks = {texts = peaks, change = change, read = compared(peaks[1])}

local tunes = {json.encode(shorten(measured("tune-h200-gemm")["512"], ""))}

documents.beside_walks = {texts = walks, change = change, read = set_beside(walks[1])}
documents.beside_peaks = {texts = peaks, change = change, read = set_beside(peaks[1])}
documents.beside_tunes = {texts = tunes, change = change, read = set_beside(tunes[1])}

documents.resume = {
  texts = walks, change = change,
  read = function(text, scratch)
    return quietly(function()
      local earlier = document.load(put(scratch .. "/a.json", text))
      if not earlier then return nil end
      for _, walkthrough in ipairs(earlier.walkthroughs) do
        for _, run in ipairs(walkthrough.runs or {}) do
          resume.rows(earlier, {name = walkthrough.name, steps = {}}, run.device, run.point)
        end
      end
      resume.mismatch(earlier, earlier, earlier.devices or {})
      local fresh = {format = document.format, started = "now", options = {}, devices = marked_list {},
                     walkthroughs = marked_list {}}
      for i, walkthrough in ipairs(earlier.walkthroughs) do
        fresh.walkthroughs[i] = {name = walkthrough.name, steps = {}, runs = marked_list {(walkthrough.runs or {})[1]}}
      end
      document.save(scratch .. "/b.json", resume.joined(earlier, fresh))
      local again, why = document.load(scratch .. "/b.json")
      if not again then return "joined, it cannot be read again: " .. why end
      if type(csv.text(earlier)) ~= "string" then return "its CSV is no text" end
      document.save(scratch .. "/b.json", earlier)
      if not document.load(scratch .. "/b.json") then return "it cannot be read again" end
    end)
  end,
}

documents.journal = {
  texts = {
    json.encode {format = journal.format, name = "n", source = "s", words = "", device = "d", driver = "1"},
    json.encode {p = {tile = 16}, samples = {0.5, 0.25}, clock = "device", at = 1},
  },
  change = change,
  read = function(text, scratch)
    local head = json.encode {format = journal.format, name = "n"}
    return quietly(function()
      local old = journal.read(put(scratch .. "/journal", head .. "\n" .. text .. "\n"))
      if old then journal.fits(old.header, {name = "n"}) end
    end)
  end,
}

-- ---- captures ----

local CALL = [[return {kernel = "f", global = {4}, sources = {{file = "f.cl", options = ""}}, arguments = {
  {kind = "buffer", contents_of = 0, size = 16, flags = 1}, {kind = "value", bytes = "\1\0\0\0"}}}]]

documents.capture = {
  compiled = true,
  texts = {CALL},
  words = {"nil", "-1", "0.5", "{}", "'x'", "1e308", "true", "'local'", "'image'", "'sampler'", "'null'", "2"},
  read = function(text, scratch)
    local folder = scratch .. "/capture"
    lfs.mkdir(folder)
    put(folder .. "/call.lua", text)
    put(folder .. "/f.cl", "kernel void f(global int *x, int y) { x[get_global_id(0)] = y; }")
    array.int {1, 2, 3, 4}:save(folder .. "/arg0.before.npy")
    return quietly(function()
      local call = captured.load(folder)
      for index = 0, #call.arguments do call:contents(index, "before") end
      call:source()
    end)
  end,
}

documents.stored = {
  texts = {text_of "tuners-pocl"}, change = change,
  read = function(text, scratch)
    return quietly(function() tuning.read(put(scratch .. "/tuning.json", text)) end)
  end,
}

for _, reader in pairs(documents) do reader.slow = true end

return documents
