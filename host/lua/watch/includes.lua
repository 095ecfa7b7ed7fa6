--- The headers that an OpenCL program includes: the compiler reads them, and tells nobody.
-- @module clue.watch.includes
local includes = {}

-- The folders of -I in build options.
local function folders_of(options)
  local folders = {}
  for quoted, plain in options:gmatch '%-I%s*"?()([^%s"]+)"?' do
    folders[#folders + 1] = plain or quoted
  end
  return folders
end

local function exists(path, open)
  local file = open(path, "rb")
  local text = file and file:read "*a"
  if file then file:close() end
  return text
end

local scan

-- The first file of that name is read; those before it, which are not there, are told too: they would be read.
local function find(name, folders, note, open, seen)
  local rooted = name:find "^/" ~= nil
  for _, folder in ipairs(rooted and {""} or folders) do
    local path = rooted and name or folder == "." and name or folder .. "/" .. name
    if seen[path] then return end
    local text = exists(path, open)
    note(path)
    if text then
      seen[path] = true
      scan(text, folders, path:match "^(.*)/[^/]*$" or ".", note, open, seen)
      return
    end
  end
end

function scan(source, folders, own, note, open, seen)
  local places = {own}
  for _, folder in ipairs(folders) do places[#places + 1] = folder end
  for name in ("\n" .. source):gmatch '\n[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]' do
    find(name, places, note, open, seen)
  end
end

--- Tells the headers of a source, and theirs.
-- @tparam string source OpenCL C
-- @tparam string options build options, with the folders of -I
-- @tparam function note called with each path; with those where the compiler looks first, too
-- @tparam[opt=io.open] function open
function includes.each(source, options, note, open)
  scan(source, folders_of(options), ".", note, open or io.open, {})
end

return includes
