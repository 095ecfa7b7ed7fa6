-- Pictures in files: PNG, PGM and PPM.
-- suite: quick
-- process: shared

local array = require "clue.array"
local binding = require "clue.binding"
local files = require "clue.image_file"
local support = require "support"

local text_of_error = support.text_of_error

local function refuses_to_save(told, ...)
  assert.matches(told, text_of_error(files.save, ...), 1, true)
end

-- A pattern of this many samples, with every value in it if they suffice.
local function pattern(count)
  local samples = array.uchar(count)
  for i = 0, count - 1 do samples[i] = (i * 37 + math.floor(i / 256)) % 256 end
  return samples
end

describe("a picture saved as PNG", function()
  it("loads unchanged, with 1 to 4 samples a pixel", function()
    for channels = 1, 4 do
      local path, samples = support.temporary ".png", pattern(13 * 7 * channels)
      files.save(path, samples, 13, 7)
      local back, width, height, found = files.load(path)
      assert.same({13, 7, channels}, {width, height, found})
      assert.is_nil(samples:compare(back), channels)
      assert.equal(channels == 1 and 7 or nil, back:rows())
    end
  end)

  it("takes its size from a matrix of grey", function()
    local path = support.temporary ".png"
    files.save(path, pattern(6):reshape(2, 3))
    local back, width, height = files.load(path)
    assert.same({3, 2, 2, 3}, {width, height, back:rows(), back:columns()})
  end)
end)

describe("image_file.load", function()
  it("can add channels but not drop any", function()
    local grey, rgb = support.temporary ".png", support.temporary ".png"
    files.save(grey, array.uchar {0, 255, 10, 13}, 2, 2)
    files.save(rgb, array.uchar {1, 2, 3, 0, 10, 255}, 1, 2)
    assert.same({0, 255, 255, 255, 10, 255, 13, 255}, files.load(grey, {channels = 2}):table())
    assert.same({0, 0, 0, 255, 255, 255, 10, 10, 10, 13, 13, 13}, files.load(grey, {channels = 3}):table())
    assert.same({1, 2, 3, 255, 0, 10, 255, 255}, files.load(rgb, {channels = 4}):table())
    assert.equal(4, (select(4, files.load(rgb, {channels = 4}))))
    assert.matches("with 1 channels: it has 3, and none may be dropped", text_of_error(files.load, rgb, {channels = 1}),
      1, true)
    assert.matches("with 5 channels", text_of_error(files.load, rgb, {channels = 5}), 1, true)
  end)

  it("reads PGM and PPM as bytes and as text", function()
    local function loaded(text)
      return files.load(support.write(text, support.temporary ".pgm"))
    end
    local samples, width, height, channels = loaded "P5\n# a comment\n3 2 # and one\n255\n\1\2\3\4\10\0"
    assert.same({1, 2, 3, 4, 10, 0}, samples:table())
    assert.same({3, 2, 1}, {width, height, channels})
    samples, width, height, channels = loaded "P3 1 2 255 1 2 3\n4 5 6\n"
    assert.same({1, 2, 3, 4, 5, 6}, samples:table())
    assert.same({1, 2, 3}, {width, height, channels})
    assert.same({1, 2, 3}, loaded "P6 1 1 255\n\1\2\3":table())
    assert.same({0, 85, 255}, loaded "P2 3 1 3 0 1 3":table())
    samples = loaded "P5 2 1 65535\n\1\2\255\254"
    assert.equal("ushort", samples:type())
    assert.same({258, 65534}, samples:table())
    assert.same({0, 65535}, loaded "P2 2 1 1023 0 1023":table())
    local wide = files.load(support.write("P5 1 1 65535\n\1\2", support.temporary ".pgm"), {channels = 4})
    assert.same({258, 258, 258, 65535}, wide:table())
  end)

  it("refuses truncated files, wrong numbers and other formats", function()
    local path = support.temporary ".pgm"
    local function refuses(told, text)
      support.write(text, path)
      assert.matches(told, text_of_error(files.load, path), 1, true)
    end
    refuses("it ends after 3 of its 4 samples", "P5 2 2 255\n123")
    refuses("its sample 1 is missing", "P2 2 1 255   7   ")
    refuses("its sample 0 is 300, but its largest value is 255", "P2 1 1 255 300")
    refuses("its sample 1 is 120, but its largest value is 100", "P5 2 1 100\n2x")
    refuses("its width is 'x'", "P5 x 1 255\n1")
    refuses("its height is missing", "P5 3")
    refuses("its largest value is '65536'", "P5 1 1 65536\n1")
    refuses("it is too short for 100000 x 100000 pixels", "P5 100000 100000 255\n1")
    refuses("its first bytes are not those of a PNG, PGM or PPM file", "GIF89a and so on")
    refuses("it is empty", "")
    assert.matches("cannot read /nowhere.png: No such file or directory", text_of_error(files.load, "/nowhere.png"),
      1, true)
    assert.matches("image_file.load: path must be the path of a file, got nil", text_of_error(files.load), 1, true)
  end)

  it("passes on libpng's message about a broken PNG", function()
    local path = support.temporary ".png"
    files.save(path, pattern(400), 20, 20)
    local whole = support.read(path)
    support.write(whole:sub(1, #whole - 60), path)
    assert.matches("cannot read " .. path .. ": ", text_of_error(files.load, path), 1, true)
    support.write(whole:sub(1, 20) .. "\255" .. whole:sub(22), path)
    assert.matches("CRC error", text_of_error(files.load, path), 1, true)
  end)
end)

describe("a picture saved as PGM or PPM", function()
  it("loads unchanged, with 8 or 16 bits", function()
    local wide = array.ushort {0, 258, 65535, 1, 2, 3}
    for ending, channels in pairs {[".pgm"] = 1, [".ppm"] = 3} do
      local path = support.temporary(ending)
      files.save(path, wide, 6 / channels, 1)
      local back, width, height, found = files.load(path)
      assert.is_nil(back:compare(wide))
      assert.same({6 / channels, 1, channels}, {width, height, found})
      files.save(path, pattern(24), 24 / channels, 1)
      assert.is_nil(pattern(24):compare((files.load(path))))
    end
    assert.same({0, 258, 65535, 1, 2, 3}, wide:table()) -- saving has not swapped its bytes
  end)

  it("has the high byte first", function()
    local path = support.temporary ".pgm"
    files.save(path, array.ushort {258}, 1, 1)
    assert.equal("P5\n1 1\n65535\n\1\2", support.read(path))
  end)
end)

describe("image_file.save", function()
  it("refuses wrong samples, sizes and paths", function()
    local grey = array.uchar(6)
    refuses_to_save("pictures are saved as .png, .pgm or .ppm", "a.gif", grey, 3, 2)
    refuses_to_save("image_file.save: samples must be an array, got a table; cl.array.float{...} makes one "
      .. "of a table", "a.png", {}, 3, 2)
    refuses_to_save("samples must be uchar (8 bits) or ushort (16 bits), not float", "a.png", array.float(6), 3, 2)
    refuses_to_save("PNG takes 8 bits per sample (uchar); write ushort to .pgm or .ppm", "a.png", array.ushort(6), 3, 2)
    refuses_to_save("give a width and a height in pixels", "a.png", grey)
    refuses_to_save("give a width and a height in pixels", "a.png", grey, 3, 0.5)
    refuses_to_save("6 samples do not make 4 x 4 pixels", "a.png", grey, 4, 4)
    refuses_to_save("0 samples do not make 4 x 4 pixels", "a.png", array.uchar(0), 4, 4)
    refuses_to_save("a pixel has 3 samples, but .pgm takes 1, .ppm 3, .png 1 to 4", "a.pgm", grey, 2, 1)
    refuses_to_save("a pixel has 6 samples", "a.png", grey, 1, 1)
    refuses_to_save("image_file.save: path must be the path of a file, got 7", 7, grey, 3, 2)
    refuses_to_save("cannot write /nowhere/a.png: No such file or directory", "/nowhere/a.png", grey, 3, 2)
    refuses_to_save("cannot write /nowhere/a.pgm: No such file or directory", "/nowhere/a.pgm", grey, 3, 2)
  end)

  it("keeps the existing file if it fails", function()
    for _, ending in ipairs {".png", ".pgm"} do
      local path = support.temporary(ending)
      support.execute {"ln", "-s", "/dev/full", path}
      refuses_to_save("cannot write " .. path, path, array.uchar(4), 2, 2)
      assert.equal(0, (support.execute {"test", "-h", path, "-a", "-c", path}))
    end
  end)
end)

it("the binding's PNG functions refuse a size that differs from the array's, and arrays of other types", function()
  assert.error_matches(function() binding.png_write("a.png", array.uchar(4), 1, 2, 3) end,
    "bad argument #3 to 'png_write' (2 x 3 pixels of 1 samples are not the size of an array of 4)", 1, true)
  assert.error_matches(function() binding.png_write("a.png", array.int(4), 1, 2, 2) end,
    "bad argument #2 to 'png_write' (array of uchar expected)", 1, true)
  assert.error_matches(function() binding.png_read(array.int(4), "a.png") end,
    "bad argument #1 to 'png_read' (array of uchar expected)", 1, true)
  assert.is_nil(binding.png_write("a.png", array.uchar(0), 0, 0, 0))
  assert.equal("0 x 0 pixels of 0 samples: sizes must be at least 1, samples 1 to 4", binding.error().detail)
  local path = support.temporary ".png"
  files.save(path, array.uchar(4), 2, 2)
  assert.is_nil(binding.png_read(array.uchar(5), path))
  assert.equal(path .. " has 4 samples, but there is room for 5", binding.error().detail)
end)
