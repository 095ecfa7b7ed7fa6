--- Copies a walkthrough into a folder of the user's. For `clue new walkthrough`.
-- @module clue.run.copy
local lfs = require "lfs"
local paths = require "clue.paths"
local read_file = require "clue.read_file"
local save = require "clue.save"

local function read(path)
  local text, why = read_file(path)
  return text or error(why, 0)
end

local function write(path, text)
  local saved, why = save(path, text)
  if not saved then error("cannot write " .. why, 0) end
end

-- A step reads kernels from clue's own folder by `paths.kernels`; its copy reads those beside itself.
local OWN_PATHS = 'local paths = require "clue.paths"'
local COPYS_PATHS = 'local paths = {kernels = debug.getinfo(1, "S").source:match "^@(.*)/" or "."} -- where this is'

-- Adds the texts of a step, and of the kernels that it reads, to those of a copy: by the file's name.
local function add_step(texts, step)
  local text = read(step.path)
  local first, last = text:find(OWN_PATHS, 1, true)
  if first then text = text:sub(1, first - 1) .. COPYS_PATHS .. text:sub(last + 1) end
  for name in text:gmatch 'paths%.kernels %.%. "/([%w_]+%.cl)"' do
    local kernels = first and paths.kernels or step.path:match "^(.*)/"
    texts[name] = texts[name] or read(("%s/%s"):format(kernels, name))
  end
  texts[step.path:match "[^/]*$"] = text
end

-- walkthrough.lua, which says what it is a copy of.
local function description(path, from)
  local text = read(path)
  if text:find "\n%s*from = " then return text end
  local first, last = text:find "%f[%w_]return {\n"
  if not first then error(path .. ": it does not begin its table with 'return {' in a line of its own", 0) end
  return ('%s  from = %q, -- of which this is a copy\n%s'):format(text:sub(1, last), from, text:sub(last + 1))
end

--- Copies. Raises if that fails; the folder is not made if something cannot be read.
-- @tparam string from the folder of the walkthrough
-- @tparam {table,...} steps of @{clue.run.catalogue.get}
-- @tparam string folder to make
-- @tparam string name of the original, for walkthrough.lua
return function(from, steps, folder, name)
  local texts = {["walkthrough.lua"] = description(from .. "/walkthrough.lua", name)}
  for _, step in ipairs(steps) do add_step(texts, step) end
  local made, why = lfs.mkdir(folder)
  if not made then error(("cannot make the folder %s: %s"):format(folder, why), 0) end
  for file, text in pairs(texts) do write(("%s/%s"):format(folder, file), text) end
end
