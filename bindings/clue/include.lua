--- What a program's source includes: found by the core as a compiler will find it, so that clue's own kernels/ folder
-- is among the folders where it is needed, and scripts can ask which files were read.
-- @module clue.include
local binding = require "clue.binding"
local error_object = require "clue.error"

local include = {}

--- The files that a source includes, and those that they include, in the order in which they are met.
-- @tparam string source
-- @tparam {string,...} headers names and texts by turns, of what is no file
-- @tparam string options
-- @treturn {string,...} paths
-- @treturn boolean whether it includes anything, found or not
function include.files(source, headers, options)
  local paths = {}
  local text, any = binding.source_files(source, options, headers)
  if not text then error(error_object.new(binding.error()), 0) end
  for path in text:gmatch "[^\n]+" do paths[#paths + 1] = path end
  return paths, any
end

--- The options that a source needs beside those it was given: clue's own kernels/ as the last folder. None where it
-- includes nothing.
-- @tparam string source
-- @tparam {string,...} headers names and texts by turns, of what is no file
-- @tparam string options
-- @treturn string all options
-- @treturn {string,...} the paths of the files that it includes
function include.options(source, headers, options)
  local words = include.folder_option(require("clue.paths").kernels)
  if options ~= "" then words = options .. " " .. words end
  local files, any = include.files(source, headers, words)
  if any then return words, files end
  return options, {}
end

--- The option that adds a folder.
-- @tparam string folder
-- @treturn string -I FOLDER, in quotation marks where it has spaces
function include.folder_option(folder)
  return (folder:find "%s" and '-I "%s"' or "-I %s"):format(folder)
end

return include
