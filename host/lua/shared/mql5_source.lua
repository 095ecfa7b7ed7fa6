--- What clue says of a source of MQL5, which it cannot run: what is in it, and how to go on.
-- @module clue.shared.mql5_source
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

-- The comments are left out, since old code stands there.
local function without_comments(text)
  return (text:gsub("/%*.-%*/", ""):gsub("//[^\n]*", ""))
end

-- Each match once, in their order.
local function each_once(text, pattern)
  local list, seen = {}, {}
  for found in text:gmatch(pattern) do
    if not seen[found] then list[#list + 1] = found end
    seen[found] = true
  end
  return list
end

-- The kernels' names; in a string of MQL5, "\n" may stand for a blank.
local function kernels(text)
  return each_once((text:gsub("\\[rnt]", " ")), "%f[%w_]_?_?kernel%f[^%w_][^%w_]*void[^%w_]+([%a_][%w_]*)%s*%(")
end

local function add(lines, list, text)
  if #list > 0 then lines[#lines + 1] = text:format(table.concat(list, ", ")) end
end

--- Describes a source.
-- @tparam string path
-- @tparam ?string text what is in it; nil if it cannot be read
-- @treturn string lines
function mql5_source.describe(path, text)
  local code = without_comments(as_bytes(text or ""))
  local calls, found = each_once(code, "%f[%w_](CL%u%l[%w]*)%s*%("), kernels(code)
  local files = each_once(code, '#resource%s+"([^"]+%.cl)"')
  local lines = {("%s is MQL5, which MetaTrader compiles; clue runs Lua. Port it, which is short:"):format(path)}
  local stays = #found == 1 and "stays as it is" or "stay as they are"
  add(lines, found, ("  it has %s, which %s: %%s"):format(count(#found, "kernel"), stays))
  add(lines, files, "  kernels are in %s; `clue build FILE.cl` compiles such a file as it is")
  add(lines, calls, "  it calls %s; a script of clue's has these under the same names")
  if #found + #files + #calls == 0 then
    lines[#lines + 1] = "  it has no kernel and calls no function of OpenCL; what it includes may"
  end
  lines[#lines + 1] = "  docs/mql5/porting.md shows line by line how to write the rest in Lua"
  lines[#lines + 1] = ("  next: clue new script %s   # a script that runs, to put the kernel into"):format(
    path:match("([^/]*)%.[^.]*$"):gsub("[^%w_-]", "_"))
  return table.concat(lines, "\n")
end

return mql5_source
