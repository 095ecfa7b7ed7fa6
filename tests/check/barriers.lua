-- Judges `clue check` by the walkthroughs' own steps: takes one barrier after another out of a copy of a step, and
-- looks whether a check of it finds something.
--
--     build/clue tests/check/barriers.lua [WALKTHROUGH ...]
--
-- Prints each barrier whose absence is not noticed, with the lines that the check says it has not seen, and how many
-- are noticed. That of a barrier which is not needed is not noticed either: who reads the list decides.
local json = require "clue.shared.json"
local lists = require "clue.shared.list"
local paths = require "clue.shared.paths"
local read_file = require("clue.file").read
local save = require("clue.file").save

local root = require("clue.paths").scripts .. "/walkthroughs"

local function run(text, ...)
  return os.execute(text:format(...))
end

-- The places of a text's barriers, first and last.
local function barriers_of(text)
  local list, from = {}, 1
  while true do
    local first, last = text:find("barrier%([%u_ |]+%);", from)
    if not first then return list end
    list[#list + 1], from = {first, last}, last + 1
  end
end

-- What the check says of code that it has not seen.
local function unseen(entry)
  local words = {}
  for _, name in ipairs {"unreached", "one_turn"} do
    for _, it in ipairs(entry[name] or {}) do words[#words + 1] = ("%s: line %d"):format(name, it.line) end
  end
  return words[1] and "; " .. table.concat(words, ", ") or ""
end

local function check(walkthrough, name, text, place, folder)
  local copy, document = folder .. "/" .. walkthrough, folder .. "/found.json"
  run("rm -rf '%s' && cp -r '%s/%s' '%s'", copy, root, walkthrough, copy)
  assert(save(("%s/%s"):format(copy, name), text:sub(1, place[1] - 1) .. text:sub(place[2] + 1)))
  run("'%s' check '%s' --steps %s --json '%s' >'%s/out' 2>&1", arg[-1], copy, name:match "^0*(%d+%a*)", document,
    folder)
  return json.read(assert(read_file(document))).runs[1]
end

local count, found = 0, 0
io.stdout:setvbuf "line"
paths.with_temporary_folder(function(folder)
  for _, walkthrough in ipairs(arg[1] and arg or paths.names_in(root)) do
    local names = lists.filter(paths.names_in(root .. "/" .. walkthrough), function(name)
      return name:find "^%d+%a*_.*%.lua$"
    end)
    for _, name in ipairs(names) do
      local text = read_file(("%s/%s/%s"):format(root, walkthrough, name))
      for i, place in ipairs(barriers_of(text)) do
        local entry = check(walkthrough, name, text, place, folder)
        count = count + 1
        if #entry.findings > 0 then found = found + 1
        else
          print(("%s/%s, barrier %d: %s%s"):format(walkthrough, name, i, entry.skipped and "not run: " .. entry.skipped
            or "not noticed", unseen(entry)))
        end
      end
    end
  end
end)
print(("%d barriers: the absence of %d is noticed"):format(count, found))
