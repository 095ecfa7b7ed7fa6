--- Recognises Ctrl-C, which host/main/signal.c raises as "interrupted!".
-- @module clue.shared.interrupted

--- Whether an error is Ctrl-C.
-- @param raised an error, as pcall() returns it
-- @treturn boolean
return function(raised)
  return tostring(raised):find("interrupted", 1, true) ~= nil
end
