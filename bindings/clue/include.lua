--- What a program's source includes. The core finds it as a compiler would. So clue's own kernels/ folder is passed
-- only if it is needed, and scripts can ask which files were read.
-- @module clue.include
local binding = require "clue.binding"
local error_object = require "clue.error"

local include = {}

--- The files that a source includes, and those that they include, in the order in which they are found.
-- @tparam string source
-- @tparam {string,...} headers alternating names and texts of headers that are not files
-- @tparam string options
-- @treturn {string,...} paths
-- @treturn boolean whether it includes anything, found or not
function include.files(source, headers, options)
  local paths = {}
  local text, any = binding.source_files(source, options, headers)
  if not text then error_object.raise() end
  for path in text:gmatch "[^\n]+" do paths[#paths + 1] = path end
  return paths, any
end

--- The options that a source needs in addition to its own: clue's kernels/ as the last folder. None if it includes
-- nothing.
-- @tparam string source
-- @tparam {string,...} headers alternating names and texts of headers that are not files
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
-- @treturn string -I FOLDER, in quotation marks if it has spaces or apostrophes
function include.folder_option(folder)
  return (folder:find "[%s']" and '-I "%s"' or "-I %s"):format(folder)
end

return include
