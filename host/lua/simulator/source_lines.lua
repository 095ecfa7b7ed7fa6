--- The lines of a source by the numbers that #line gives them, as a compiler's messages have them.
local source_lines = {}

-- The file and the number that a line gives the next one; nil if it is no such line. # 12 "file" is a preprocessor's.
local function directive(line)
  local number, rest = line:match "^%s*#%s*line%s+(%d+)(.*)$"
  if not number then number, rest = line:match '^%s*#%s*(%d+)(%s+".*)$' end
  return tonumber(number), rest and rest:match '"([^"]*)"'
end

--- The lines of a source.
-- @tparam string source
-- @treturn {table,...} text, number and file of each; file: nil where the source has none but its own name
function source_lines.read(source)
  local list, number, file = {}, 0, nil
  for text in (source .. "\n"):gmatch "(.-)\n" do
    number = number + 1
    list[#list + 1] = {text = text, number = number, file = file}
    local given, name = directive(text)
    if given then number, file = given - 1, name or file end
  end
  return list
end

--- Which line of a source a compiler means. Of several with one number, such as those above and below a #line 1, the
-- last one.
-- @tparam {table,...} lines of @{read}
-- @tparam ?string file that a #line names; nil: the source
-- @tparam int number
-- @treturn ?int from 1
function source_lines.find(lines, file, number)
  for i = #lines, 1, -1 do
    local line = lines[i]
    if line.number == number and line.file == file then return i end
  end
end

--- Whether a #line names a file.
-- @tparam {table,...} lines of @{read}
-- @tparam string file
function source_lines.names(lines, file)
  for _, line in ipairs(lines) do
    if line.file == file then return true end
  end
  return false
end

return source_lines
