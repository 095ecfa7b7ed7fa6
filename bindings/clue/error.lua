--- What the object layer raises: tables with the call, the code and what can be done about it.
-- Fields: code (OpenCL's number), name ("CL_INVALID_VALUE"), call ("clSetKernelArg"), detail, cause, log (of a
-- build), text (all of it but the log) and where ("script.lua:12", the line that asked). tostring gives where, text
-- and log.
local public = require "clue.public"
local where = require "clue.where"

local error_object = {}

local kind = {}
kind.__index = kind

function kind:__tostring()
  local parts = {(self.where and self.where .. ": " or "") .. self.text}
  if self.log and self.log ~= "" then parts[2] = self.log end
  return table.concat(parts, "\n")
end

--- Makes an error object of a record, without raising it.
-- @tparam table record fields as above; text is put together from the others where it is missing
-- @treturn table
function error_object.new(record)
  if type(record) ~= "table" then require("clue.argument").refuse("record", "a table", record) end
  local self = {where = (where.line())}
  for field, value in pairs(record) do self[field] = value end
  self.code = self.code or 0
  if not self.text then
    local label = self.name and ("%s (%d)"):format(self.name, self.code) or nil
    local parts = {}
    for _, part in ipairs {self.call or false, label or false, self.detail or false} do
      if part and part ~= "" then parts[#parts + 1] = part end
    end
    self.text = table.concat(parts, ": ")
  end
  return setmetatable(self, kind)
end

--- Raises the last failure of the binding; a result that is not nil is passed through, so that
-- `error_object.check(binding.buffer_create(...))` reads well.
-- @param ... the results of a function of the binding
-- @return everything given
function error_object.check(...)
  if (...) == nil then error_object.raise() end
  return ...
end

--- Raises the last failure of the binding.
function error_object.raise()
  local record = require("clue.binding").error()
  error(error_object.new(record or {text = "the call failed, and nothing tells why"}), 0)
end

--- Recognises an error object.
-- @param value anything
-- @treturn boolean
function error_object.is(value)
  return type(value) == "table" and getmetatable(value) == kind
end

public.add("error.", error_object)

return error_object
