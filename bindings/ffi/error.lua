--- The record of the last failure, through clue.h, and how refused arguments are told.
local ffi = require "ffi"
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local generated = require "clue.ffi.generated"

local causes = generated.words.cause.word

local binding = {}

--- Says how refused arguments are told; until then an error names the binding's function and the position.
-- @tparam function told told(call, position, problem): what is raised; nil: that error
function binding.refusal_setup(told)
  argument.refusal_setup(told)
end

--- The last failure.
-- @treturn ?table code, name, call, detail, cause, text, log; nil when nothing failed
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
