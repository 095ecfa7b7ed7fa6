--- Pictures in the netpbm formats PGM (grey) and PPM (RGB), with 8 or 16 bits per sample. Used by clue.image_file.
--
-- Both are read in their binary form (P5, P6) and as text (P2, P3), and written in the binary form. If a file's
-- largest value is neither 255 nor 65535, samples are scaled to one of these and rounded to nearest.
-- @module clue.pnm
local array = require "clue.array"
local binding = require "clue.binding"
local error_object = require "clue.error"
local write_file = require "clue.write_file"

local pnm = {}

local function fail(path, text, ...)
  error(error_object.new {text = ("cannot read %s: %s"):format(path, text:format(...))}, 0)
end

-- The next word of a header, and where it ends; a comment goes from # to the end of its line.
local function word_from(text, at)
  local skipped
  repeat
    skipped = at
    at = text:match("^%s*()", at)
    at = text:match("^#[^\n]*\n?()", at) or at
  until at == skipped
  local word, stop = text:match("^([^%s#]+)()", at)
  return word, stop or at
end

-- Width, height and the largest value, and where the samples begin: after one blank.
local function read_header(path, text)
  local numbers, at = {}, 3
  for i, what in ipairs {"width", "height", "largest value"} do
    local word
    word, at = word_from(text, at)
    numbers[i] = word and word:match "^%d+$" and tonumber(word)
    if not numbers[i] or numbers[i] < 1 or numbers[i] > (i == 3 and 65535 or 2 ^ 31 - 1) then
      fail(path, "its %s is %s", what, word and ("'%s'"):format(word) or "missing")
    end
  end
  return numbers[1], numbers[2], numbers[3], at + 1
end

local function read_binary(path, text, first, samples)
  local size = binding.type_sizes[samples:type()]
  local there = math.floor((#text - first + 1) / size)
  if there < #samples then fail(path, "it ends after %.0f of its %.0f samples", math.max(there, 0), #samples) end
  binding.array_set_bytes(samples, 0, text:sub(first, first + #samples * size - 1))
  binding.array_swap(samples, 0, #samples) -- the larger byte comes first
end

local function fail_above(path, i, value, most)
  fail(path, "its sample %.0f is %.0f, but its largest value is %.0f", i, value, most)
end

local function read_text(path, text, first, samples, most)
  local at = first - 1
  for i = 0, #samples - 1 do
    local word, stop = word_from(text, at)
    at = stop
    local value = word and word:match "^%d+$" and tonumber(word)
    if not value then fail(path, "its sample %.0f is %s", i, word and ("'%s'"):format(word) or "missing") end
    if value > most then fail_above(path, i, value, most) end
    samples[i] = value
  end
end

local function scale(path, samples, most)
  local full = samples:type() == "uchar" and 255 or 65535
  if most == full then return end
  for i = 0, #samples - 1 do
    local value = samples[i]
    if value > most then fail_above(path, i, value, most) end
    samples[i] = math.floor(value * full / most + 0.5)
  end
end

--- Reads a picture. Raises an error object on failure.
-- @tparam string path for messages
-- @tparam string text all of the file; it begins with P2, P3, P5 or P6
-- @treturn array uchar or ushort, rows from the top
-- @treturn number width in pixels
-- @treturn number height in pixels
-- @treturn number samples per pixel, 1 or 3
function pnm.read(path, text)
  local kind = text:sub(2, 2)
  local width, height, most, first = read_header(path, text)
  local channels = (kind == "3" or kind == "6") and 3 or 1
  if width * height * channels > #text then -- a sample takes at least one byte
    fail(path, "it is too short for %.0f x %.0f pixels", width, height)
  end
  local samples = array[most < 256 and "uchar" or "ushort"](width * height * channels)
  if kind == "5" or kind == "6" then
    read_binary(path, text, first, samples)
  else
    read_text(path, text, first, samples, most)
  end
  scale(path, samples, most)
  return samples, width, height, channels
end

--- Writes a picture in the binary form. Raises an error object on failure.
-- @tparam string path
-- @tparam array samples uchar or ushort, rows from the top
-- @tparam number channels samples per pixel, 1 or 3
-- @tparam number width in pixels
-- @tparam number height in pixels
function pnm.write(path, samples, channels, width, height)
  local wide = samples:type() == "ushort"
  local turned = wide and samples:copy() or samples
  if wide then binding.array_swap(turned, 0, #turned) end
  local head = ("P%d\n%.0f %.0f\n%d\n"):format(channels == 1 and 5 or 6, width, height, wide and 65535 or 255)
  write_file(path, head .. binding.array_bytes(turned, 0, #turned))
end

return pnm
