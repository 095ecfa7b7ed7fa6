-- Finds links of a site's pages to files that are not there: clue docs/site/links.lua FOLDER. It reads each page
-- once and asks for each file once, which takes a second; a checker of links on the web takes a minute.
local lfs = require "lfs"
local root = assert(arg[1], "which folder?")

-- Without "." and "..".
local function plain(path)
  local parts = {}
  for part in path:gmatch "[^/]+" do
    if part == ".." then parts[#parts] = nil elseif part ~= "." then parts[#parts + 1] = part end
  end
  return (path:find "^/" and "/" or "") .. table.concat(parts, "/")
end

local function decoded(text)
  return (text:gsub("&amp;", "&"):gsub("%%(%x%x)", function(code) return string.char(tonumber(code, 16)) end))
end

local is_there, pages, links, broken = {}, 0, 0, 0

local function check(page, folder, link)
  if link:find "^%a[%w+.-]*:" or link:find "^//" then return end -- a place on the web, or data
  local target = decoded(link:gsub("[?#].*", ""))
  if target == "" then return end
  local path = plain(folder .. "/" .. target)
  if is_there[path] == nil then is_there[path] = lfs.attributes(path, "mode") ~= nil end
  links = links + 1
  if not is_there[path] then
    broken = broken + 1
    print(("%s: a link to %s, which is not there"):format(page, link))
  end
end

local function check_all(folder)
  for name in lfs.dir(folder) do
    local path = folder .. "/" .. name
    if name:find "%.html$" then
      local file = assert(io.open(path, "rb"))
      local text = file:read "*a"
      file:close()
      pages = pages + 1
      for _, attribute in ipairs {"href", "src"} do
        for link in text:gmatch("<[^<>]-%s" .. attribute .. '="([^"]*)"') do check(path, folder, link) end
      end
    elseif name ~= "." and name ~= ".." and lfs.attributes(path, "mode") == "directory" then
      check_all(path)
    end
  end
end

check_all(root)
print(("%d links in %d pages, %d broken"):format(links, pages, broken))
os.exit(broken == 0 and links > 0)
