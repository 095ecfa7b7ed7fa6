--- What a program's source includes: found as the compiler will find it, so that clue's own kernels/ folder is among
-- the folders where it is needed, scripts can ask which files were read, and a driver that keeps what it has compiled
-- sees that an included file has changed, even one that looks at the source and the options only.
-- Only lines that begin with #include and name the file are seen, not what macros make of them.
-- @module clue.include

local include = {}

local function read(path)
  local file = io.open(path, "rb")
  if not file then return nil end
  local text = file:read("*a") -- nil for a folder
  file:close()
  return text
end

local function folder_of(path)
  return path:match "^(.*)/[^/]*$" or "."
end

-- Calls found(name) for every file that a text includes.
local function each(text, found)
  for line in text:gmatch "[^\n]+" do
    local name = line:match "^%s*#%s*include%s*[<\"]([^>\"]+)[>\"]"
    if name then found(name) end
  end
end

--- Whether a text includes anything.
-- @tparam string text
-- @treturn boolean
function include.is_in(text)
  return text:find "#%s*include" ~= nil
end

--- The folders in a text of options, `-I kernels -I"my kernels"`.
-- @tparam string options
-- @treturn {string,...}
function include.folders(options)
  local folders, at = {}, 1
  while true do
    local first, last = (" " .. options):find("%s%-I%s*", at)
    if not first then return folders end
    local folder = options:match('^"([^"]*)', last) or options:match("^%S*", last)
    folders[#folders + 1] = folder
    at = last + 1 + #folder
  end
end

-- The file that a name means: beside the file that includes it, or in the first folder that has it.
local function locate(name, beside, folders)
  if name:sub(1, 1) == "/" then return name, read(name) end
  local places = { beside }
  for _, folder in ipairs(folders) do places[#places + 1] = folder end
  for _, folder in ipairs(places) do
    local path = folder .. "/" .. name
    local text = read(path)
    if text then return path, text end
  end
end

--- The files that a source includes, and those that they include, in the order in which they are met.
-- @tparam string source
-- @tparam table headers texts by name that are no files
-- @tparam {string,...} folders
-- @treturn {string,...} paths
-- @treturn {string,...} the text of each
function include.files(source, headers, folders)
  local paths, texts, seen = {}, {}, {}
  local function look_into(text, beside)
    each(text, function(name)
      if headers[name] then
        if not seen[name] then
          seen[name] = true
          look_into(headers[name], nil)
        end
        return
      end
      local path, found = locate(name, beside, folders)
      if not found or seen[path] then return end
      seen[path] = true
      paths[#paths + 1], texts[#texts + 1] = path, found
      look_into(found, folder_of(path))
    end)
  end
  look_into(source, nil)
  return paths, texts
end

--- A number that another text hardly has.
-- @tparam {string,...} texts
-- @treturn string eight hexadecimal digits
function include.sum(texts)
  local sum = 0
  for _, text in ipairs(texts) do
    sum = (sum * 31 + #text + 1) % 4294967291
    for i = 1, #text do sum = (sum * 257 + text:byte(i)) % 4294967291 end
  end
  return ("%08x"):format(sum)
end

--- The options that a source needs beside those it was given: clue's own kernels/ as the last folder, and a macro
-- that changes with what is included. None where it includes nothing.
-- @tparam string source
-- @tparam table headers texts by name that are no files
-- @tparam string options
-- @treturn string all options
-- @treturn {string,...} the paths of the files that it includes
function include.options(source, headers, options)
  local with = source
  for _, text in pairs(headers) do with = with .. "\n" .. text end
  if not include.is_in(with) then return options, {} end
  local kernels = require("clue.paths").kernels
  local folders = include.folders(options .. " " .. (os.getenv "CLUE_BUILD_OPTIONS" or ""))
  folders[#folders + 1] = kernels
  local paths, texts = include.files(source, headers, folders)
  local words = { include.folder_option(kernels) }
  if options ~= "" then table.insert(words, 1, options) end
  if #paths > 0 then words[#words + 1] = "-DCLUE_INCLUDED=0x" .. include.sum(texts) end
  return table.concat(words, " "), paths
end

--- The option that adds a folder.
-- @tparam string folder
-- @treturn string -I FOLDER, in quotation marks where it has spaces
function include.folder_option(folder)
  return (folder:find "%s" and '-I "%s"' or "-I %s"):format(folder)
end

return include
