-- clue tests/lint/style.lua FILE...: whether Lua files and pages are in one style. Table constructors are written {x},
-- without blanks inside the braces, unless a comment follows. What stands in strings and comments does not count. Lines
-- of pages have at most 122 characters, but for tables, code, remarks and links (luacheck and clang-format see to
-- code). Each place that differs is one line; without one nothing is printed and the status is 0.

-- Where the string or comment ends that begins at a place; nil where none does.
local function text_end(code, at)
  local level = code:match("^%-%-%[(=*)%[", at) or code:match("^%[(=*)%[", at)
  if level then return select(2, code:find("]" .. level .. "]", at, true)) or #code end
  if code:find("^%-%-", at) then return (code:find("\n", at, true) or #code + 1) - 1 end
  local quote = code:match("^[\"']", at)
  if not quote then return nil end
  repeat
    at = code:find("[\\" .. quote .. "]", at + 1) or #code
    local escape = code:sub(at, at) == "\\"
    if escape then at = at + 1 end
  until not escape
  return at
end

-- What is wrong with the brace at a place, or nil.
local function fault(code, at, line_start)
  if code:sub(at, at) == "{" then
    local _, first = code:find("^[ \t]+%f[%S]", at + 1)
    local comment = first and code:find("^%-%-", first + 1)
    return first and not comment and "a blank behind '{'" or nil
  end
  local before = code:sub(line_start, at - 1)
  return before:find "[^%s{][ \t]+$" and "a blank before '}'" or nil
end

local function check(path)
  local file = assert(io.open(path, "rb"))
  local code, line, line_start, at, good = file:read "*a", 1, 1, 1, true
  file:close()
  while true do
    at = code:find("[{}\"'%-%[\n]", at)
    if not at then return good end
    local stop = text_end(code, at) or at
    local problem = stop == at and code:find("^[{}]", at) and fault(code, at, line_start)
    if problem then
      print(("%s:%d: %s: table constructors are written {x}"):format(path, line, problem))
      good = false
    end
    for line_end in code:sub(at, stop):gmatch "()\n" do
      line, line_start = line + 1, at + line_end
    end
    at = stop + 1
  end
end

local function check_page(path)
  local number, is_code, good = 0, false, true
  for line in io.lines(path) do
    number = number + 1
    if line:find "^%s*```" then is_code = not is_code end
    local length = select(2, line:gsub("[^\128-\191]", ""))
    local whole = line:find "^|" or line:find "^    " or line:find "^<!%-%-" or line:find "%]%([^%s]+$"
    if length > 122 and not is_code and not whole then
      print(("%s:%d: %d characters: break the line"):format(path, number, length))
      good = false
    end
  end
  return good
end

local good = true
for _, path in ipairs(arg) do good = (path:find "%.md$" and check_page or check)(path) and good end
os.exit(good and 0 or 1)
