--- Writes a file with @{clue.file.save}, for functions that raise error objects: arrays and pictures.
-- @module clue.write_file
local error_object = require "clue.error"
local save = require("clue.file").save

--- Writes a file. Raises an error object on failure.
-- @tparam string path
-- @tparam string|function content see @{clue.file.save}
return function(path, content)
  local saved, why = save(path, content)
  if not saved then error(error_object.new {text = "cannot write " .. why}, 0) end
end
