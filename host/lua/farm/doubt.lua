--- Whether what a job of a tuning brought back may be the host's fault: a full disk, a broken driver or a machine
-- without memory makes configurations fail that work elsewhere.
-- @module clue.farm.doubt
local json = require "clue.shared.json"

-- T4's words for failures that need not be the configuration's.
local doubtful = {runtime = true, timeout = true}

--- Looks for such a failure.
-- @tparam string text T4, as it came
-- @treturn ?string what the first one says; nil if there is none
return function(text)
  local document = json.read(text)
  for _, result in ipairs(type(document) == "table" and type(document.results) == "table" and document.results or {}) do
    if type(result) == "table" and doubtful[result.invalidity] then
      local said = type(result.clue) == "table" and result.clue.failure
      return type(said) == "string" and said or result.invalidity
    end
  end
end
