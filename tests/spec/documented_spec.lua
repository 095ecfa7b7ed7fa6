-- Every public function of bindings/ and host/lua has a doc comment that names each of its parameters.
-- A function is public if a line starts with `function table.name(...)` or `function table:name(...)`, except for
-- metamethods and the tables named below. Methods need not document `self`. A parameter that means the same in all
-- functions of a file may be documented once, in the file's head:
--
--     -- Parameters with one meaning everywhere: name, of the function called; index, the place's, from 0.
-- suite: whole

-- Tables that are local to their file, and subcommands, whose functions clue.shared.subcommand documents.
local private = {command = true, computed = true, conversions = true, readers = true, writers = true}

local function lines_of(path)
  local lines = {}
  for line in io.lines(path) do lines[#lines + 1] = line end
  return lines
end

local function sources()
  local list = {}
  local find = assert(io.popen("find bindings host/lua -name '*.lua' -o -name '*.lua.in'"))
  for path in find:lines() do list[#list + 1] = path end
  find:close()
  table.sort(list)
  return list
end

-- The doc comment that ends just above a line. "" if there is no comment, or if it does not begin with "---".
local function comment_above(lines, at)
  local parts = {}
  while at > 1 and lines[at - 1]:find "^%-%-" do
    at = at - 1
    table.insert(parts, 1, lines[at])
  end
  return parts[1] and parts[1]:find "^%-%-%-" and table.concat(parts, "\n") or ""
end

-- The public function that a line begins: its full name, and the text in its parentheses.
local function public_function(line)
  local name, list = line:match "^function ([%w_.:]+)%s*%(([^)]*)%)"
  local owner, member = (name or ""):match "^([%w_]+).*[.:]([%w_]+)$"
  if not owner or private[owner] or member:find "^__" then return nil end
  return name, list
end

local function parameters(name, list)
  local words = {}
  for word in list:gmatch "[%w_.]+" do
    local implied = word == "self" and name:find "^methods%."
    if not implied then words[#words + 1] = word end
  end
  return words
end

-- Finds "@tparam type word", "@tparam[opt] type word" or "@param word". A type has spaces only inside braces.
local function names_parameter(comment, word)
  local ending = word:gsub("%p", "%%%0") .. "%f[^%w_.]"
  for line in (comment .. "\n"):gmatch "([^\n]*)\n" do
    local rest = line:match "@tparam%b[]%s+(.*)" or line:match "@tparam%s+(.*)"
    local named = rest and (rest:match "^%b{}%s+(.*)" or rest:match "^%S+%s+(.*)")
      or line:match "@param%b[]%s+(.*)" or line:match "@param%s+(.*)"
    if named and (named .. " "):find("^" .. ending) then return true end
  end
  return false
end

-- The arguments of "..." may be documented by name: then there are more names than other parameters.
local function names_rest(comment, others)
  local named = select(2, comment:gsub("@t?param[%s%[]", ""))
  return named > others
end

-- The parameters that a file's head documents for all its functions: a set of names.
local function shared_parameters(lines)
  local head, at = {}, 1
  while (lines[at] or ""):find "^%-%-" do
    head[at], at = lines[at]:match "^%-+%s*(.*)", at + 1
  end
  local listed = table.concat(head, " "):match "Parameters with one meaning everywhere: ([^.]*)"
  local names = {}
  for name in ("; " .. (listed or "")):gmatch "; ([%w_]+)," do names[name] = true end
  return names
end

-- Lists what the doc comments of a file's public functions lack, one line for each fault.
local function missing_in(path)
  local lines, missing = lines_of(path), {}
  local shared = shared_parameters(lines)
  for at, line in ipairs(lines) do
    local name, list = public_function(line)
    local comment = name and comment_above(lines, at)
    if comment == "" then missing[#missing + 1] = ("%s:%d: %s has no doc comment"):format(path, at, name) end
    for i, word in ipairs(name and parameters(name, list) or {}) do
      local found = shared[word] or names_parameter(comment, word) or word == "..." and names_rest(comment, i - 1)
      if not found then
        missing[#missing + 1] = ("%s:%d: %s does not document '%s'"):format(path, at, name, word)
      end
    end
  end
  return missing
end

describe("the sources", function()
  for _, path in ipairs(sources()) do
    it("document every public function of " .. path, function()
      assert.equal("", table.concat(missing_in(path), "\n"))
    end)
  end
end)

describe("this check", function()
  local support = require "support"

  local function missing(text)
    return #missing_in(support.write(text))
  end

  it("accepts every way to write a parameter", function()
    assert.equal(0, missing("--- Does.\n-- @tparam {table,...} a\n-- @tparam[opt=1] ?number b x\n-- @param c\n"
      .. "-- @param ... more\nfunction m.f(a, b, c, ...)\nend\n"))
    assert.equal(0, missing("--- Does.\n-- @param a\n-- @tparam[opt] number b\nfunction m.f(a, ...)\nend\n"))
  end)

  it("accepts parameters that the file's head documents", function()
    local head = "--- Checks.\n--\n-- Parameters with one meaning everywhere: a, the\n-- first; b, the last.\n"
    assert.equal(0, missing(head .. "\n--- Does.\nfunction m.f(a, b)\nend\n"))
    assert.equal(1, missing(head .. "\n--- Does.\nfunction m.f(a, first)\nend\n"))
  end)

  it("finds missing comments and missing parameters", function()
    assert.equal(1, missing("function m.f()\nend\n"))
    assert.equal(1, missing("-- Does.\nfunction m.f()\nend\n"))
    assert.equal(1, missing("--- Does.\n\nfunction m.f()\nend\n"))
    assert.equal(1, missing("--- Does.\n-- @tparam number ab\nfunction m.f(a)\nend\n"))
    assert.equal(1, missing("--- Does.\n-- @treturn number a\nfunction m:f(a)\nend\n"))
    assert.equal(1, missing("--- Does.\n-- @param a\nfunction m.f(a, ...)\nend\n"))
    assert.equal(2, missing("function m.f(a)\nend\n"))
  end)

  it("ignores private functions", function()
    assert.equal(0, missing("local function f(a)\nend\nfunction m.__index(a)\nend\nfunction readers.f(a)\nend\n"
      .. "--- Does.\nfunction methods.f(self)\nend\n"))
  end)
end)
