-- Copies of the factors of products on tensor cores, which need no tensor cores themselves.
-- suite: quick
-- builds: luajit lua54
-- process: shared

local cl = require "clue"
local copies = require "clue.gemm.copies"
local objects = require "objects"
local tensor_sets = require "clue.gemm.tensor_sets"

local array = cl.array
local types = {"uchar", "ushort", [4] = "uint"} -- by an element's bytes
local kinds = {3, 1, [4] = 2}

local context, queue = objects.context()

-- The copy of A, which is stored with an element before it and gaps between its rows; and the distance of its rows.
local function copied(bytes, rows, columns, is_turned, value_of)
  local ld = columns + 3
  local stored = array[types[bytes]](1 + rows * ld):fill(77)
  for row = 0, rows - 1 do
    for column = 0, columns - 1 do stored[1 + row * ld + column] = value_of(row, column) end
  end
  local call = {a = context:buffer(stored), b = context:buffer(64), a_rows = rows, a_columns = columns, lda = ld,
                a_offset = 1, b_rows = 8, b_columns = 8, ldb = 32, b_offset = 0, n = 8, transpose_a = is_turned,
                transpose_b = false, most_kept = 2 ^ 20}
  call.m, call.k = is_turned and columns or rows, is_turned and rows or columns
  local p = tensor_sets.complete({WGMMA = bytes == 4 and 1 or 0}, kinds[bytes])
  local copy = tensor_sets.copied(p, call).a
  local _, to = copies.copy(copies.new(context, bytes), queue, nil, "a", copy, call.a)
  return objects.contents(queue, to, types[bytes]), copy.pitch
end

local function number(row, column) return (row * 67 + column) % 251 end

describe("copies of factors", function()
  it("of half and char have the elements as they are stored", function()
    for bytes = 1, 2 do
      local to, pitch = copied(bytes, 65, 67, true, number)
      for row = 0, 64 do
        for column = 0, 66 do assert.equal(number(row, column), to[row * pitch + column + 1]) end
      end
    end
  end)

  it("of float have their rows along K", function()
    local function element(row, column) return number(row, column) * 2 ^ 13 end
    for _, is_turned in ipairs {false, true} do
      local to, pitch = copied(4, 65, 67, is_turned, element)
      for row = 0, 64 do
        for column = 0, 66 do
          local place = is_turned and column * pitch + row or row * pitch + column
          assert.equal(element(row, column), to[place + 1])
        end
      end
    end
  end)

  it("of float are rounded to 11 bits, ties away from 0", function()
    local cases = {
      {0x3f800000, 0x3f800000}, {0x3f800fff, 0x3f800000}, {0x3f801000, 0x3f802000}, {0xbf801000, 0xbf802000},
      {0x00000fff, 0}, {0x80001000, 0x80002000}, {0x7f7fefff, 0x7f7fe000}, {0x7f7fffff, 0x7f800000},
      {0x7f800000, 0x7f800000}, {0xff800000, 0xff800000}, {0x7f800001, 0x7fc00000}, {0xffffffff, 0x7fc00000},
    }
    local to = copied(4, 1, #cases, false, function(_, column) return cases[column + 1][1] end)
    for i, case in ipairs(cases) do assert.equal(case[2], to[i], ("%08x"):format(case[1])) end
  end)
end)
