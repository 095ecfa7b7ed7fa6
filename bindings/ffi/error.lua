--- The record of the last failure, through clue.h, and how refused arguments are reported.
local ffi = require "ffi"
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local generated = require "clue.ffi.generated"

local causes = generated.words.cause.word

local binding = {}

binding.refusal_setup = argument.refusal_setup

--- The last failure.
-- @treturn ?table code, name, call, detail, cause, text, log; nil if nothing failed
function binding.error()
  local code = C.clue_error_code()
  if code == 0 then return nil end
  return {
    code = code,
    name = generated.functions.error_name(code),
    call = ffi.string(C.clue_error_call()),
    detail = ffi.string(C.clue_error_detail()),
    cause = causes[C.clue_error_cause()],
    text = ffi.string(C.clue_error_text()),
    log = ffi.string(C.clue_error_log()),
  }
end

return binding
