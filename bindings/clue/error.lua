--- What the object layer raises: tables with the call, the code and the remedy.
local binding = require "clue.binding"
local failure = require "clue.failure"
local public = require "clue.public"

--- The fields of an error object. tostring gives where, text and log, of which it shortens long lines and leaves out
-- repetitions.
-- @table error
-- @tfield number code OpenCL's number, 0 if the error is not OpenCL's
-- @tfield ?string name "CL_INVALID_VALUE"
-- @tfield ?string call "clSetKernelArg", or "graph:replay" for what clue does itself
-- @tfield ?string detail what is wrong, and what to do about it
-- @tfield ?string cause a word for the kind of cause, "handle"
-- @tfield ?string log of a build
-- @tfield string text everything but the log
-- @tfield ?string where the line of the call, "script.lua:12"

local error_object = {}

local kinds_of_fields = {
  call = "string", cause = "string", code = "number", detail = "string", log = "string", name = "string",
  text = "string", where = "string",
}

-- They become parts of messages.
local function check_fields(record)
  for field, wanted in pairs(kinds_of_fields) do
    local given = record[field]
    if given ~= nil and type(given) ~= wanted then
      failure.refuse("record." .. field, wanted == "number" and "a number" or "a text", given)
    end
  end
end

--- Makes an error object of a record, without raising it.
-- @tparam table record fields as above; a missing text is made from the others
-- @treturn table
function error_object.new(record)
  if type(record) ~= "table" then failure.refuse("record", "a table", record) end
  check_fields(record)
  return failure.new(record)
end

--- Raises the binding's last failure if the first result is nil, and passes other results on, as in
-- `error_object.check(binding.buffer_create(...))`.
-- @param ... the results of a function of the binding
-- @return everything given
function error_object.check(...)
  if (...) == nil then error_object.raise() end
  return ...
end

--- Makes an error object of the binding's last failure, without raising it. Where a function of clue's own in C failed,
-- it names the function that the script called.
-- @treturn table
function error_object.last()
  local record = binding.error() or {text = "the call failed, but the reason was not recorded"}
  local own, said = (record.call or ""):match "^clue_.*", public.called()
  if own and said then
    record.call, record.text = said, said .. record.text:sub(#own + 1)
  end
  return error_object.new(record)
end

--- Raises the last failure of the binding.
function error_object.raise()
  error(error_object.last(), 0)
end

error_object.is = failure.is

public.add("error.", error_object)

return error_object
