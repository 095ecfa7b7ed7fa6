--- What a step built, as one text of OpenCL C that `clue build` and `clue asm` take as it is. For
-- --source, --diff and the comparison of two runs.

-- What -D does, as #define lines; the other options as text. Options in quotation marks are not taken apart.
local function sorted_options(options)
  local defines, others, words = {}, {}, {}
  if options:find "[\"'\\]" then return defines, options end
  for word in options:gmatch "%S+" do words[#words + 1] = word end
  local i = 1
  while words[i] do
    local macro = words[i]:match "^%-D(.*)$"
    if macro == "" then
      i = i + 1
      macro = words[i] or ""
    end
    local name, value = (macro or ""):match "^([^=]+)=(.*)$"
    if macro then
      defines[#defines + 1] = ("#define %s %s"):format(name or macro, value or "1")
    else
      others[#others + 1] = words[i]
    end
    i = i + 1
  end
  return defines, table.concat(others, " ")
end

-- What stands before a program's text: its macros as #define lines, the other options in a comment.
local function head_of(program)
  local lines, others = sorted_options(program.options or "")
  if others ~= "" then
    local quote = others:find('"', 1, true) and "'" or '"'
    table.insert(lines, 1, ("/* the other build options: --options %s%s%s */"):format(quote,
      others:gsub("%*/", "* /"), quote))
  end
  return #lines > 0 and table.concat(lines, "\n") .. "\n" or ""
end

-- The different programs, each once: head and text; and whether their texts are the same.
local function different(programs)
  local list, seen, same = {}, {}, true
  for _, program in ipairs(programs) do
    local one = {head = head_of(program), text = program.source or ""}
    local key = one.head .. "\0" .. one.text
    if not seen[key] then list[#list + 1] = one end
    seen[key] = true
    same = same and one.text == list[1].text
  end
  return list, same
end

-- Texts of which the macro CLUE_PROGRAM chooses one.
local function choice(texts)
  local lines = {("/* %d programs: -D CLUE_PROGRAM=1 to %d chooses one */"):format(#texts, #texts),
                 "#ifndef CLUE_PROGRAM", "#define CLUE_PROGRAM 1", "#endif"}
  for i, text in ipairs(texts) do
    lines[#lines + 1] = ("#%s CLUE_PROGRAM == %d"):format(i == 1 and "if" or "elif", i)
    lines[#lines + 1] = (text:gsub("\n$", ""))
  end
  return table.concat(lines, "\n") .. "\n#endif\n"
end

--- The source of what a step built: macros of its build options are #define lines, its other options a comment. If it
-- built several programs, the macro CLUE_PROGRAM chooses one; the first by default.
-- @tparam table row
-- @treturn string "" if it built nothing
return function(row)
  local list, same = different(row.programs or {})
  if #list == 0 then return "" end
  if #list == 1 then return list[1].head .. list[1].text end
  local texts = {}
  for i, each in ipairs(list) do texts[i] = same and each.head or each.head .. each.text end
  return choice(texts) .. (same and list[1].text or "")
end
