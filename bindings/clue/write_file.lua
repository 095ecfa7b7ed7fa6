--- Writes a file with @{clue.save}, for functions that raise error objects: arrays and pictures.
-- @module clue.write_file
local error_object = require "clue.error"
local save = require "clue.save"

--- Writes a file. Raises an error object on failure.
-- @tparam string path
-- @tparam string|function content see @{clue.save}
return function(path, content)
  local saved, why = save(path, content)
  if not saved then error(error_object.new {text = "cannot write " .. why}, 0) end
end
