-- Files exchanged with other programs: arrays with NumPy, pictures with a PNG decoder in Python.
-- suite: whole
-- tools: numpy

local array = require "clue.array"
local binding = require "clue.binding"
local files = require "clue.image_file"
local support = require "support"

local unpack = rawget(table, "unpack") or rawget(_G, "unpack")

-- Uses Debian's python3: another one may be earlier on the path and lack NumPy.
local function python(code, ...)
  local status, out, err = support.execute {"/usr/bin/python3", "-c", "import sys\n" .. code, ...}
  assert(status == 0, err)
  return out
end

local types = {
  {"char", "int8"}, {"uchar", "uint8"}, {"short", "int16"}, {"ushort", "uint16"}, {"int", "int32"},
  {"uint", "uint32"}, {"long", "int64"}, {"ulong", "uint64"}, {"half", "float16"}, {"float", "float32"},
  {"double", "float64"},
}

describe("NumPy", function()
  it("reads the .npy files that arrays save, whatever their type", function()
    local paths, expected = {}, {}
    for i, names in ipairs(types) do
      paths[i] = support.temporary ".npy"
      array[names[1]] {1, 2, 3, 4, 5, 100}:reshape(3, 2):save(paths[i])
      expected[i] = names[2] .. " [[1, 2], [3, 4], [5, 100]]\n"
    end
    local out = python("import numpy as np\nfor path in sys.argv[1:]:\n"
      .. "  a = np.load(path); print(a.dtype, a.astype(int).tolist())", unpack(paths))
    assert.equal(table.concat(expected), out)
  end)

  it("writes files that array.load reads: big-endian, column-major, single numbers, booleans", function()
    local paths = {}
    for i = 1, 5 do paths[i] = support.temporary ".npy" end
    python("import numpy as np\nfiles = sys.argv[1:]\n"
      .. "np.save(files[0], np.array([[1, 2, 3], [4, 5, 6.5]], dtype='>f8'))\n"
      .. "np.save(files[1], np.asfortranarray(np.arange(70 * 50, dtype=np.int16).reshape(70, 50)))\n"
      .. "np.save(files[2], np.float32(2.5))\n"
      .. "np.save(files[3], np.array([True, False, True]))\n"
      .. "np.lib.format.write_array(open(files[4], 'wb'), np.arange(3, dtype='<u4'), version=(3, 0))\n", unpack(paths))
    local a = array.load(paths[1])
    assert.equal("double", a:type())
    assert.same({1, 2, 3, 4, 5, 6.5}, a:table())
    assert.same({2, 3}, {a:rows(), a:columns()})
    a = array.load(paths[2])
    assert.same({70, 50}, {a:rows(), a:columns()})
    for i = 0, #a - 1 do assert.equal(i, a[i]) end
    assert.equal("float[1] {2.5}", tostring(array.load(paths[3])))
    assert.equal("uchar[3] {1, 0, 1}", tostring(array.load(paths[4])))
    assert.equal("uint[3] {0, 1, 2}", tostring(array.load(paths[5])))
  end)
end)

-- Prints a PNG file as text: width, height, depth, channels, interlace, samples in hexadecimal. It needs only Python's
-- own zlib, and undoes the five filters itself.
local DECODER = [[
import zlib, struct
data = open(sys.argv[1], 'rb').read()
at, idat = 8, b''
while at < len(data):
    size, kind = struct.unpack('>I4s', data[at:at + 8])
    body = data[at + 8:at + 8 + size]
    assert struct.unpack('>I', data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + body)
    if kind == b'IHDR': width, height, depth, colour, _, _, interlace = struct.unpack('>IIBBBBB', body)
    if kind == b'IDAT': idat += body
    at += 12 + size
channels = {0: 1, 2: 3, 4: 2, 6: 4}[colour]
raw, stride, rows, before = zlib.decompress(idat), width * channels, [], bytes(width * channels)
def paeth(a, b, c):
    p = a + b - c
    d = (abs(p - a), abs(p - b), abs(p - c))
    return a if d[0] <= d[1] and d[0] <= d[2] else b if d[1] <= d[2] else c
for y in range(height):
    kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
    for i in range(stride):
        a = line[i - channels] if i >= channels else 0
        c = before[i - channels] if i >= channels else 0
        b = before[i]
        line[i] = (line[i] + [0, a, b, (a + b) // 2, paeth(a, b, c)][kind]) % 256
    rows.append(bytes(line)); before = line
print(width, height, depth, channels, interlace, b''.join(rows).hex())
]]

describe("Python", function()
  it("reads the PNG files that clue saves, with 1 to 4 channels", function()
    for channels = 1, 4 do
      local path, samples = support.temporary ".png", array.uchar(5 * 4 * channels)
      for i = 0, #samples - 1 do samples[i] = (i * 37) % 256 end
      files.save(path, samples, 5, 4)
      local hex = binding.array_bytes(samples, 0, #samples):gsub(".", function(c) return ("%02x"):format(c:byte()) end)
      assert.equal(("5 4 8 %d 0 %s\n"):format(channels, hex), python(DECODER, path))
    end
  end)

  it("writes 16-bit PNG files, which clue refuses with a remedy", function()
    local path = support.temporary ".png"
    python([[
import zlib, struct
def chunk(kind, body): return struct.pack('>I', len(body)) + kind + body + struct.pack('>I', zlib.crc32(kind + body))
open(sys.argv[1], 'wb').write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 1, 1, 16, 0, 0, 0, 0))
    + chunk(b'IDAT', zlib.compress(b'\0\1\2')) + chunk(b'IEND', b''))
]], path)
    local done, problem = pcall(files.load, path)
    assert.is_false(done)
    assert.matches("it has 16 bits a sample, and only 8 can be read; .pgm and .ppm keep 16",
      problem.text or problem, 1, true)
  end)
end)
