--- Arrays in files: the format that a name means, and the formats that are text. array:save and array.load load it
-- when they are first called.
-- @module clue.array.file
local binding = require "clue.binding"
local error_object = require "clue.error"
local npy = require "clue.npy"
local write_file = require "clue.write_file"

local array_file = {}

local function suffix_of(path)
  return (path:match "%.([^./]*)$" or ""):lower()
end

-- Writes rows of elements. marks holds the texts around the whole, around a row, between its elements and between
-- rows.
local function save_rows(path, self, marks, check)
  local rows, columns = self:rows() or #self, self:columns() or 1
  local function produce(put)
    put(marks.first)
    for row = 0, rows - 1 do
      local parts = {}
      for column = 0, columns - 1 do
        local text = binding.array_print(self, row * columns + column)
        if check then check(row * columns + column, text) end
        parts[column + 1] = text
      end
      put(marks.row, table.concat(parts, ","), row < rows - 1 and marks.next or marks.last)
    end
    put(marks.finish)
  end
  write_file(path, function(_, write) return write(produce) end)
end

local writers = {}

writers.npy = npy.save

-- A line for each row. An array without rows is a column.
function writers.csv(path, self)
  save_rows(path, self, {first = "", row = "", next = "\n", last = "\n", finish = ""})
end

-- A list of numbers; for a matrix a list of rows.
function writers.json(path, self)
  local in_rows = self:rows() ~= nil
  local marks = {first = "[", row = in_rows and "[" or "", next = in_rows and "],\n" or ",\n",
    last = in_rows and "]" or "", finish = "]\n"}
  save_rows(path, self, marks, function(index, text)
    if text:find "^%-?%d" then return end
    error(error_object.new {text = ("cannot write %s: element %.0f is %s, which JSON does not have")
      :format(path, index, text)}, 0)
  end)
end

--- Writes an array in the format that the file's name ends in.
-- @tparam array self
-- @tparam string path
function array_file.save(self, path)
  local write = writers[suffix_of(path)]
  if not write then
    error(error_object.new {text = ("cannot write %s: arrays are saved as .npy, .csv or .json; "
      .. "pictures by clue.image_file"):format(path)}, 0)
  end
  write(path, self)
end

--- Reads an array.
-- @tparam string path of a .npy file
-- @tparam table make makes an array: make.float(count)
-- @treturn array
function array_file.load(path, make)
  if suffix_of(path) == "npy" then return (npy.load(path, make)) end
  error(error_object.new {text = ("cannot read %s: arrays are read from .npy; pictures by clue.image_file")
    :format(path)}, 0)
end

return array_file
