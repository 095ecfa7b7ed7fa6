-- The benches' --help: the comment at their head.

--- Prints a file's first comment.
-- @tparam string path
return function(path)
  for line in io.lines(path) do
    if not line:find "^#!" and not line:find "^%-%-" then return end
    if line:find "^%-%-" then print((line:gsub("^%-%- ?", ""))) end
  end
end
