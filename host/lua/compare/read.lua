--- Reads what `clue walk --json` and `clue peak --json` wrote, or says what is wrong with it and what to do.
-- @module clue.compare.read
local json = require "dkjson"

local kinds = {
  ["clue walk"] = {version = "2", list = "walkthroughs", again = "clue walk NAME --json FILE"},
  ["clue peak"] = {version = "1", list = "limits", again = "clue peak --json FILE"},
}

local function slurp(path)
  local file, why = io.open(path, "rb")
  if not file then return nil, why end
  local text, problem = file:read("*a")
  file:close()
  if not text then return nil, ("%s: %s"):format(path, problem or "cannot be read") end
  return text
end

-- What stands at a place of the text, for a person to find it.
local function line_of(text, position)
  return 1 + select(2, text:sub(1, math.max(0, position - 1)):gsub("\n", ""))
end

local function decode(path, text)
  if not text:find "%S" then return nil, path .. ": is empty: was the run that should have written it stopped?" end
  local document, position, problem = json.decode(text)
  if problem or type(document) ~= "table" then
    local where = problem and (" (line %d: %s)"):format(line_of(text, position or 1), tostring(problem)) or ""
    return nil, ("%s: no JSON%s; give files that `clue walk --json` or `clue peak --json` wrote"):format(path, where)
  end
  if text:find("%S", position or 1) then
    return nil, ("%s: more than one JSON document (line %d)"):format(path, line_of(text, text:find("%S", position)))
  end
  return document
end

-- Before formats had names, a walkthrough's document was its rows.
local function is_first_format(document)
  return document.format == nil and type(document.walkthrough) == "string" and type(document.rows) == "table"
end

local function check(path, document)
  if is_first_format(document) then
    return nil, path .. ": written by an older clue; replay it with this one: clue walk "
      .. document.walkthrough .. " --json FILE"
  end
  if type(document.format) ~= "string" then
    return nil, path .. ": JSON, but none that `clue walk --json` or `clue peak --json` wrote"
  end
  local name, version = document.format:match("^(.-) (%d+)$")
  local kind = kinds[name]
  if not kind then
    return nil, ("%s: its format is '%s'; compared are those of `clue walk --json` and `clue peak --json`")
      :format(path, document.format)
  end
  if version ~= kind.version then
    local older = tonumber(version) < tonumber(kind.version)
    return nil, ("%s: format '%s', written by %s clue; this one reads '%s %s': %s"):format(path, document.format,
      older and "an older" or "a newer", name, kind.version,
      older and "run `" .. kind.again .. "` again" or "compare with the clue that wrote it")
  end
  if type(document[kind.list]) ~= "table" then
    return nil, ("%s: format '%s', but without %s: was it changed?"):format(path, document.format, kind.list)
  end
  return name
end

--- Reads a document.
-- @tparam string path
-- @treturn[1] table the document
-- @treturn[1] string "clue walk" or "clue peak"
-- @treturn[2] nil
-- @treturn[2] string what is wrong, the path first, and what to do
return function(path)
  local text, why = slurp(path)
  if not text then return nil, why end
  local document, kind
  document, why = decode(path, text)
  if not document then return nil, why end
  kind, why = check(path, document)
  if not kind then return nil, why end
  return document, kind
end
