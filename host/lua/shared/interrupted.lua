--- Whether what was raised is Ctrl-C, which host/main/signal.c raises as "interrupted!".
-- @module clue.shared.interrupted

--- Looks at it.
-- @param raised what an error or pcall() gave
-- @treturn boolean
return function(raised)
  return tostring(raised):find("interrupted", 1, true) ~= nil
end
