--- What clue says of a source of MQL5, which it cannot run: what is in it, and how to go on.
local c_text = require "clue.shared.c_text"
local count = require("clue.text").count

local mql5_source = {}

-- MetaEditor saves in UTF-16, too. Only ASCII counts here.
local function as_bytes(text)
  local mark = text:sub(1, 2)
  if mark ~= "\255\254" and mark ~= "\254\255" then return text end
  return (text:sub(3):gsub("(.)(.)", function(first, second)
    if mark == "\254\255" then first, second = second, first end
    return second == "\0" and first or "?"
  end))
end

--- Whether a file's name is that of a source of MQL5. host/main.c asks the same before it runs a script.
-- @tparam string path
function mql5_source.is(path)
  return path:lower():find "%.mq[5h]$" ~= nil
end

-- Each match once, in their order.
local function each_once(text, pattern, accept)
  local list, seen = {}, {}
  for found in text:gmatch(pattern) do
    if not seen[found] and (not accept or accept[found]) then list[#list + 1] = found end
    seen[found] = true
  end
  return list
end

local escaped = {n = "\n", r = "\r", t = "\t"}

local function value_of(text, string)
  local written = text:sub(string.first + 1, string.stop - 1)
  return (written:gsub("\\(.)", function(letter) return escaped[letter] or letter end))
end

-- The texts of all strings; those that follow each other, or are added up, are one.
local function joined(text, code, strings)
  local parts, after = {}, 1
  for _, each in ipairs(strings) do
    if code:sub(after, each.first - 1):find "[^%s+]" then parts[#parts + 1] = "\n" end
    parts[#parts + 1], after = value_of(text, each), each.stop + 1
  end
  return table.concat(parts)
end

-- The files of kernels that #resource names.
local function resources(text, code, strings)
  local list = {}
  for _, each in ipairs(strings) do
    local is_resource = code:sub(1, each.first - 1):match "([^\n]*)$":find "^%s*#%s*resource%s+$"
    local name = is_resource and value_of(text, each)
    if name and name:find "%.cl$" then list[#list + 1] = name end
  end
  return list
end

-- The kernels' names. Most sources have them in strings, some in a macro that makes a string of its parameter.
local function kernels(code, text)
  local all = (code .. "\n" .. c_text.mask(text)):gsub("__attribute__%s*%b()", " ")
  return each_once(all, "%f[%w_]_?_?kernel%f[^%w_][^%w_]*void[^%w_]+([%a_][%w_]*)%s*%(")
end

-- The functions and classes of clue's that a source uses.
local function uses(code)
  local names = require "clue.mql5"
  local list = each_once(code, "%f[%w_](CL%u%l%w*)%s*%(", names)
  if code:find "%f[%w_]COpenCL%f[^%w_]" then list[#list + 1] = "COpenCL" end
  return list
end

local function add(lines, list, text)
  if #list > 0 then lines[#lines + 1] = text:format(table.concat(list, ", ")) end
end

--- Describes a source.
-- @tparam string path
-- @tparam ?string text what is in it; nil if it cannot be read
-- @treturn string lines
function mql5_source.describe(path, text)
  text = as_bytes(text or "")
  local code, strings = c_text.mask(text)
  local used, found = uses(code), kernels(code, joined(text, code, strings))
  local files = resources(text, code, strings)
  local lines = {("%s is MQL5, which MetaTrader compiles; clue runs Lua. Port it, which is short:"):format(path)}
  local stays = #found == 1 and "stays as it is" or "stay as they are"
  add(lines, found, ("  it has %s, which %s: %%s"):format(count(#found, "kernel"), stays))
  add(lines, files, "  kernels are in %s; `clue build FILE.cl` compiles such a file as it is")
  add(lines, used, "  it uses %s; a script of clue's has these under the same names")
  if #found + #files + #used == 0 then
    lines[#lines + 1] = "  it has no kernel and calls no function of OpenCL; what it includes may"
  end
  lines[#lines + 1] = "  `clue help porting.md` shows line by line how to write the rest in Lua"
  lines[#lines + 1] = ("  next: clue new script %s   # a script that runs, to put the kernel into"):format(
    path:match("([^/]*)%.[^.]*$"):gsub("[^%w_-]", "_"))
  return table.concat(lines, "\n")
end

return mql5_source
