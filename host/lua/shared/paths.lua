--- Paths that options and arguments give: whether two lead to one file, and whether one can be written. Writes files,
-- reads and makes folders.
local binding = require "clue.binding"
local lfs = require "lfs"
local output = require "clue.output"
local read = require("clue.file").read
local save = require("clue.file").save

local paths = {}

-- What is there by its number. Windows tells none: there by its whole path, whose letters may be of either case.
local function number(attributes, path)
  if attributes.ino ~= 0 then return ("%.0f:%.0f"):format(attributes.dev, attributes.ino) end
  local plain = path:gsub("\\", "/")
  if not plain:find "^%a?:?/" then plain = lfs.currentdir():gsub("\\", "/") .. "/" .. plain end
  return (plain:gsub("/%./", "/"):lower())
end

-- What two paths of one file have in common: the file, or its folder and name if it is not there yet. nil for what is
-- no file, such as /dev/null, which takes everything.
local function identity(path)
  local file = lfs.attributes(path)
  if file then return file.mode == "file" and number(file, path) or nil end
  local above, name = path:match "^(.*)/([^/]*)$"
  above = above == "" and "/" or above or "."
  local folder = lfs.attributes(above)
  return folder and ("%s/%s"):format(number(folder, above), name or path) or path
end

--- Whether two paths name one file, so that what is written to one would replace the other.
-- @tparam string one
-- @tparam string other
function paths.same(one, other)
  local it = identity(one)
  return it ~= nil and it == identity(other)
end

--- The first path of a file that is there twice, also under another path.
-- @tparam {string,...} list
-- @treturn ?string the path that repeats
-- @treturn ?string the earlier path
function paths.repeated(list)
  for i, path in ipairs(list) do
    for k = 1, i - 1 do
      if paths.same(list[k], path) then return path, list[k] end
    end
  end
end

--- Whether a file can be written, to be asked before long work.
-- @tparam string path
-- @treturn[1] bool true
-- @treturn[2] nil
-- @treturn[2] string why not, with the path
function paths.can_be_written(path)
  local made, target = binding.file_beside(path)
  if not made then return nil, binding.error().detail end
  if made ~= target then os.remove(made) end
  return true
end

--- Checks before long work that the file of an option can be written. Raises if not.
-- @tparam string option "--report"
-- @tparam ?string path nil if the option is not there
function paths.check(option, path)
  if not path then return end
  local well, why = paths.can_be_written(path)
  if not well then error(("%s: cannot write %s"):format(option, why), 0) end
end

--- Reads a file. Raises if that fails.
-- @tparam string path
-- @treturn string
function paths.read(path)
  local text, why = read(path)
  return text or error(why, 0)
end

--- Writes a file. Raises if that fails.
-- @tparam string path
-- @tparam string text
function paths.write(path, text)
  local saved, why = save(path, text)
  if not saved then error("cannot write " .. why, 0) end
end

--- Keeps what a file has as PATH.old, and says so, before new results replace it: results took time to measure, and the
-- command of the run before is easily repeated. If that fails, it says so, too.
-- @tparam ?string path nil: nothing is kept
function paths.keep(path)
  local there = path and not path:find "^/dev/" and lfs.attributes(path)
  if not (there and there.mode == "file" and there.size > 0) then return end
  local old = path .. ".old"
  local text, why = read(path)
  if text then text, why = save(old, text) end
  output.say(text and ("clue: %s had results: %s keeps them"):format(path, old)
    or ("clue: the results in %s cannot be kept: %s"):format(path, why))
end

-- ---- folders ----

--- The names in a folder, in order.
-- @tparam string folder
-- @treturn[1] {string,...} without "." and ".."
-- @treturn[2] nil
-- @treturn[2] string why it cannot be read
function paths.names_in(folder)
  local opened, step, state = pcall(lfs.dir, folder)
  if not opened then return nil, tostring(step) end
  local names = {}
  for name in step, state do
    if name ~= "." and name ~= ".." then names[#names + 1] = name end
  end
  table.sort(names)
  return names
end

--- Makes a folder and those above it.
-- @tparam string folder
-- @treturn[1] bool true, also if it was there
-- @treturn[2] nil
-- @treturn[2] string why not, with the path
function paths.make_folder(folder)
  if lfs.attributes(folder, "mode") == "directory" then return true end
  local above = folder:match "^(.+)/[^/]+$"
  local made, why = true, nil
  if above then made, why = paths.make_folder(above) end
  if not made then return nil, why end
  made, why = lfs.mkdir(folder)
  if made then return true end
  return nil, ("cannot make the folder %s: %s"):format(folder, why)
end

--- Makes a new, empty folder in TMPDIR or /tmp, and removes it with its contents when the work is done.
-- @tparam function work work(path)
-- @return the results of work, at most two; its errors are passed on
function paths.with_temporary_folder(work)
  local path = binding.temporary_folder() or error(binding.error().detail, 0)
  local done, first, second = pcall(work, path)
  binding.temporary_remove(path)
  if not done then error(first, 0) end
  return first, second
end

return paths
