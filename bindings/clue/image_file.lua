--- Pictures in files: PNG (through libpng), PGM and PPM.
--
--     local files = require "clue.image_file"              -- cl.image_file is the same
--     local pixels, width, height = files.load("in.png", { channels = 4 })
--     files.save("out.png", pixels, width, height)
--
-- Samples lie in an array: rows from the top, in a row the pixels from the left, in a pixel its samples (1: grey; 2:
-- grey and alpha; 3: red, green, blue; 4: RGBA). uchar holds 8 bits per sample, ushort 16. PGM and PPM have both; PNG
-- is read and written with 8. Sample c of the pixel in column x and row y is pixels[(y * width + x) * channels + c].
-- A matrix with one sample per pixel has its own size.
-- @module clue.image_file
local argument = require "clue.argument"
local array = require "clue.array"
local binding = require "clue.binding"
local error_object = require "clue.error"
local open = require("clue.file").open
local pnm = require "clue.pnm"
local public = require "clue.public"
local write_file = require "clue.write_file"

local image_file = {}

local function fail(text, ...)
  error(error_object.new {text = text:format(...)}, 0)
end

-- ---- reading ----------------------------------------------------------------------------------------------------

local function read_png(path)
  local width, height, channels = binding.png_size(path)
  local samples = width and array.uchar(width * height * channels)
  if not samples or not binding.png_read(samples, path) then
    local why = binding.error()
    local hint = why.cause == "limit" and "; .pgm and .ppm keep 16, or reduce it: convert IN.png -depth 8 OUT.png"
      or ""
    error(error_object.new {code = why.code, name = why.name, call = why.call, text = "cannot read " .. why.detail
      .. hint}, 0)
  end
  return samples, width, height, channels
end

local function read(path)
  local file, why = open(path)
  if not file then fail("cannot read %s", why) end
  local start
  start, why = file:read(8)
  local text = start and start:find "^P[2356]%s" and start .. (file:read "*a" or "")
  file:close()
  if not start then fail("cannot read %s: %s", path, why or "it is empty") end
  if start == "\137PNG\r\n\26\n" then return read_png(path) end
  if text then return pnm.read(path, text) end
  fail("cannot read %s: its first bytes are not those of a PNG, PGM or PPM file", path)
end

-- How to add samples to a pixel: grey is repeated, missing alpha is opaque. By channels wanted and channels present.
local additions = {
  [2] = {[1] = "%1F"},
  [3] = {[1] = "%1%1%1"},
  [4] = {[1] = "%1%1%1F", [2] = "%1%1%1%2", [3] = "%1%2%3F"},
}

local function with_channels(samples, there, wanted)
  local size = binding.type_sizes[samples:type()]
  local sample = "(" .. ("."):rep(size) .. ")"
  local full = ("\255"):rep(size)
  local pixel = sample:rep(there)
  local bytes = binding.array_bytes(samples, 0, #samples)
  bytes = bytes:gsub(pixel, (additions[wanted][there]:gsub("F", full)))
  local made = array[samples:type()](#bytes / size)
  binding.array_set_bytes(made, 0, bytes)
  return made
end

--- Reads a picture. Its first bytes decide the format. Raises an error object on failure.
-- @tparam string path
-- @tparam[opt] table options channels = 2, 3 or 4: samples per pixel, for an image format that the device has (most
-- have
--   no RGB, all have RGBA). Grey is repeated, missing alpha is opaque. Fewer channels than the file has are refused,
--   since samples are never dropped
-- @treturn array samples: uchar, or ushort if the file has more than 8 bits; a matrix if a pixel has one sample
-- @treturn number width in pixels
-- @treturn number height in pixels
-- @treturn number how many samples a pixel has
function image_file.load(path, options)
  argument.text(path, "path", "the path of a file")
  options = argument.options(options, "options", {channels = "whole"})
  local samples, width, height, channels = read(path)
  local wanted = options.channels or channels
  if wanted ~= channels and not (additions[wanted] and additions[wanted][channels]) then
    fail("cannot read %s with %s channels: it has %d, and none may be dropped", path, tostring(wanted), channels)
  end
  if wanted ~= channels then samples = with_channels(samples, channels, wanted) end
  if wanted == 1 then samples:reshape(height, width) end
  return samples, width, height, wanted
end

-- ---- writing ----------------------------------------------------------------------------------------------------

local function write_png(path, samples, channels, width, height)
  if samples:type() ~= "uchar" then
    fail("cannot write %s: PNG takes 8 bits per sample (uchar); write ushort to .pgm or .ppm", path)
  end
  write_file(path, function(to)
    if binding.png_write(to, samples, channels, width, height) then return true end
    return nil, binding.error().detail
  end)
end

local function needs(path, channels, ...)
  for i = 1, select("#", ...) do
    if channels == (select(i, ...)) then return end
  end
  fail("cannot write %s: a pixel has %g samples, but .pgm takes 1, .ppm 3, .png 1 to 4", path, channels)
end

local writers = {}

function writers.png(path, samples, channels, width, height)
  needs(path, channels, 1, 2, 3, 4)
  write_png(path, samples, channels, width, height)
end

function writers.pgm(path, samples, channels, width, height)
  needs(path, channels, 1)
  pnm.write(path, samples, channels, width, height)
end

function writers.ppm(path, samples, channels, width, height)
  needs(path, channels, 3)
  pnm.write(path, samples, channels, width, height)
end

local function is_size(value)
  return type(value) == "number" and value >= 1 and value < 2 ^ 31 and value % 1 == 0
end

local function check(path, samples, width, height)
  if samples:type() ~= "uchar" and samples:type() ~= "ushort" then
    argument.fail("samples must be uchar (8 bits) or ushort (16 bits), not %s: scale them and copy_from() them to such "
      .. "an array", samples:type())
  end
  if not is_size(width) or not is_size(height) then
    fail("cannot write %s: give a width and a height in pixels, 1 or more (a matrix of grey has its own), not %s "
      .. "and %s", path, tostring(width), tostring(height))
  end
  if #samples % (width * height) ~= 0 or #samples == 0 then
    fail("cannot write %s: %.0f samples do not make %.0f x %.0f pixels", path, #samples, width, height)
  end
end

--- Writes a picture as PNG, PGM or PPM, in the format that the file's name ends in. Raises an error object on failure.
-- @tparam string path
-- @tparam array samples uchar, or for PGM and PPM ushort; their number gives the samples per pixel
-- @tparam[opt] number width in pixels; nil: a matrix's columns
-- @tparam[opt] number height in pixels; nil: a matrix's rows
function image_file.save(path, samples, width, height)
  argument.text(path, "path", "the path of a file")
  argument.array(samples, "samples")
  if width == nil and height == nil then width, height = samples:columns(), samples:rows() end
  check(path, samples, width, height)
  local write = writers[(path:match "%.([^./]*)$" or ""):lower()]
  if not write then fail("cannot write %s: pictures are saved as .png, .pgm or .ppm", path) end
  write(path, samples, #samples / (width * height), width, height)
end

public.add("image_file.", image_file)

return image_file
