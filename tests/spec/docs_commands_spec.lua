-- The tutorial can be followed: its files are written, its changes applied and its commands run, in order and in one
-- folder, and each command prints what the page shows.
--
-- Visible words say what a block is. After "Save this as `NAME`:" it is a file. After "Change `NAME`:" a ```diff block
-- replaces lines that are in the file exactly once. In ```console, lines that begin with "$ " are commands, and what
-- follows is their output (stdout and stderr). A line of "..." stands for any lines. A line that names the device is
-- any such line. Remarks above a block: <!-- not run: WHY -->; "fails" (the exit status is not 0); "measured" (numbers,
-- their units, intervals and charts are not compared: only the words of the lines without them).
local support = require "support"
local lfs = require "lfs"

local function read_blocks(page)
  local blocks, block, prose, remark = {}, nil, "", ""
  for line in (page .. "\n"):gmatch "([^\n]*)\n" do
    if block and line == "```" then
      blocks[#blocks + 1], block, prose, remark = block, nil, "", ""
    elseif block then
      block.lines[#block.lines + 1] = line
    elseif line:find "^```" then
      block = {language = line:sub(4), lines = {}, prose = prose, remark = remark}
    elseif line:find "^<!%-%-" then
      remark = line
    else
      prose = prose .. " " .. line
    end
  end
  return blocks
end

local function edit(path, lines)
  local old, new = "", ""
  for _, line in ipairs(lines) do
    local sign, text = line:sub(1, 1), line:sub(2) .. "\n"
    if sign ~= "+" then old = old .. text end
    if sign ~= "-" then new = new .. text end
  end
  local text = assert(support.read(path), "no file " .. path)
  local first, last = text:find(old, 1, true)
  assert(first and not text:find(old, last, true), path .. " must have once:\n" .. old)
  support.write(text:sub(1, first - 1) .. new .. text:sub(last + 1), path)
end

-- The commands of a block, each with the lines shown below it.
local function commands_of(block)
  local list = {}
  for _, line in ipairs(block.lines) do
    local command = line:match "^%$ (.*)"
    if command then
      list[#list + 1] = {command = command, shown = {}}
    else
      table.insert(assert(list[#list], "output without a command").shown, line)
    end
  end
  return list
end

local function lines_of(text)
  local lines = {}
  for line in text:gmatch "([^\n]*)\n" do
    line = line:gsub("%s+$", "")
    -- PoCL names the processor, and its compiler counts errors beside its log.
    if not line:find "^%d+ errors? generated%.$" then lines[#lines + 1] = line end
  end
  while lines[#lines] == "" do lines[#lines] = nil end
  return lines
end

local function is_like(line, shown)
  for _, kind in ipairs {"^clue: device ", "^Device .* failed to build"} do
    if line:find(kind) and shown:find(kind) then return true end
  end
  local pattern = shown:gsub("%p", "%%%0"):gsub("%%%.%%%.%%%.", ".*")
  return line:find("^" .. pattern .. "$") ~= nil
end

local function difference(lines, shown)
  for i = 1, math.max(#lines, #shown) do
    if shown[i] == "..." then return nil end
    if not lines[i] or not shown[i] or not is_like(lines[i], shown[i]) then
      return ("line %d\n  shown: %s\n  found: %s"):format(i, tostring(shown[i]), tostring(lines[i]))
    end
  end
end

-- The words that must come again although the numbers differ: what precedes the first digit of a line of text.
local function missing_word(output, shown)
  for _, line in ipairs(shown) do
    local words = line:match "^(%a[^%d:]*:)" or line:match "(WRONG)"
    if words and not line:find "^the times" and not output:find(words, 1, true) then return words end
  end
end

local function run(folder, command)
  local env = {
    PATH = support.clue:match "^(.*)/" .. ":" .. os.getenv "PATH", CLUE_CACHE_DIR = folder .. "/.cache",
    CLUE_NO_CACHE = false,
  }
  local line = 'cd "$0" && { ' .. command .. "; } 2>&1"
  local status, out = support.execute({"stdbuf", "-oL", "sh", "-c", line, folder}, env)
  return status, out
end

local function follow(block, folder)
  local saved = block.prose:match "Save this as `([^`]+)`:%s*$"
  local changed = block.prose:match "Change `([^`]+)`[^`]*:%s*$"
  if saved then
    support.write(table.concat(block.lines, "\n") .. "\n", folder .. "/" .. saved)
  elseif block.language == "diff" then
    edit(folder .. "/" .. assert(changed, "a change of no file"), block.lines)
  elseif block.language == "console" and not block.remark:find "not run: %S" then
    for _, each in ipairs(commands_of(block)) do
      local status, out = run(folder, each.command)
      local fails = block.remark:find "fails" ~= nil
      assert((status ~= 0) == fails, ("%s ends with %d\n%s"):format(each.command, status, out))
      local problem
      if block.remark:find "measured" then
        problem = missing_word(out, each.shown)
      else
        problem = difference(lines_of(out), lines_of(table.concat(each.shown, "\n") .. "\n"))
      end
      assert(not problem, ("%s: %s\n%s"):format(each.command, tostring(problem), out))
    end
  end
end

describe("the tutorial", function()
  local chapters, folder = {}, support.folder()
  for name in lfs.dir "docs/tutorial" do
    if name:find "%.md$" then chapters[#chapters + 1] = name end
  end
  table.sort(chapters)

  it("has seven chapters", function() assert.equal(7, #chapters) end)

  for _, name in ipairs(chapters) do
    it("can be followed in " .. name, function()
      for _, block in ipairs(read_blocks(support.read("docs/tutorial/" .. name))) do follow(block, folder) end
    end)
  end

  it("would notice another output, and a change that fits nowhere", function()
    assert.truthy(difference({"1 4 9"}, {"1 4 8"}))
    assert.truthy(difference({"1 4 9"}, {}))
    assert.is_nil(difference({"a", "b", "c"}, {"a", "..."}))
    assert.equal("rows:", missing_word("columns: 3 ms", {"rows: 2 ms"}))
    local path = support.write "a\nb\n"
    assert.error(function() edit(path, {"-c", "+d"}) end)
  end)
end)
