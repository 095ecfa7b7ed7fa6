-- Reads the blocks of Markdown pages: shared by docs_spec.lua, which runs their Lua, and docs_commands_spec.lua, which
-- runs their commands.

local markdown = {}

-- Removes from each line the blanks that a list puts before it, up to those of the block's first line.
local function unindent(lines, blanks)
  for i, line in ipairs(lines) do lines[i] = line:sub(math.min(blanks, #line:match "^ *") + 1) end
end

local function remark_of(line)
  return line:match "^%s*<!%-%- (.-) %-%->%s*$"
end

--- The pages whose listings and commands are run.
-- @treturn table a list of paths
function markdown.pages()
  local list = {"README.md", "CONTRIBUTING.md", "SECURITY.md"}
  local find = assert(io.popen "find docs -name '*.md' | sort")
  for path in find:lines() do list[#list + 1] = path end
  find:close()
  return list
end

--- The blocks of a page in order: fenced by ```, or indented by four spaces below an empty line or a remark.
-- @tparam string text
-- @treturn table a list of blocks: `language` ("indented" if there is no fence), `lines`, `text`, `line` and `last`
-- (the numbers of its first and last line, fences included), `prose` (the text since the block before), and `remarks`
-- (what the HTML comments between the prose and the block say, in order)
function markdown.blocks(text)
  local blocks, block = {}, nil
  local prose, remarks, number, above = {}, {}, 0, ""

  local function open(language, blanks)
    block = {language = language, blanks = blanks, lines = {}, line = number, remarks = remarks,
      prose = table.concat(prose, " ")}
    prose, remarks = {}, {}
  end

  local function close(last)
    while block.language == "indented" and not block.lines[#block.lines]:find "%S" do
      block.lines[#block.lines], last = nil, last - 1
    end
    unindent(block.lines, block.blanks)
    block.text, block.last = table.concat(block.lines, "\n") .. "\n", last
    blocks[#blocks + 1], block = block, nil
  end

  local function outside(line)
    local fence, blanks, remark = line:match "^%s*```(.*)$", #line:match "^ *", remark_of(line)
    if fence then
      open(fence, blanks)
    elseif blanks >= 4 and not remark and (not above:find "%S" or remark_of(above)) and line:find "%S" then
      open("indented", blanks)
      block.lines[1] = line
    elseif remark then
      remarks[#remarks + 1] = remark
    elseif line:find "%S" then
      prose[#prose + 1], remarks = line, {}
    end
  end

  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    number = number + 1
    if block and block.language == "indented" and line:find "%S" and not line:find "^    " then close(number - 1) end
    if not block then
      outside(line)
    elseif block.language ~= "indented" and line:find "^%s*```%s*$" then
      close(number)
    else
      block.lines[#block.lines + 1] = line
    end
    above = line
  end
  assert(not block or block.language == "indented", "a block does not end")
  if block then close(number) end
  return blocks
end

--- What a block's remarks say.
-- @tparam table block
-- @tparam string pattern
-- @return the captures of the first remark that matches; nil if none does
function markdown.remark(block, pattern)
  for _, remark in ipairs(block.remarks) do
    if remark:find(pattern) then return remark:match(pattern) end
  end
end

--- Whether a block shows what the Lua above it prints: a ```text block with nothing but empty lines between.
-- @tparam table block
-- @tparam ?table before the block before it
-- @treturn boolean
function markdown.is_output(block, before)
  local is_behind = before ~= nil and before.language == "lua" and block.prose == "" and #block.remarks == 0
  return block.language == "text" and is_behind
end

--- Whether a line is what a page shows, where "..." stands for anything.
-- @tparam string line
-- @tparam string shown
-- @treturn boolean
function markdown.is_shown(line, shown)
  local pattern = shown:gsub("%p", "%%%0"):gsub("%%%.%%%.%%%.", ".*")
  return line:find("^" .. pattern .. "$") ~= nil
end

return markdown
