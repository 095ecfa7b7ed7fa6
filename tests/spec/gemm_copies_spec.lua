-- Copies of the factors of products on tensor cores, which need no tensor cores themselves.
-- suite: quick
-- process: shared

local cl = require "clue"
local copies = require "clue.gemm.copies"
local objects = require "objects"
local tensor_sets = require "clue.gemm.tensor_sets"

local array = cl.array
local types = {"uchar", "ushort", [4] = "uint"} -- by an element's bytes

local context, queue = objects.context()

-- The copy of A, which is stored with an element before it and gaps between its rows; and the distance of its rows.
local function copied(bytes, rows, columns, is_turned, value_of)
  local ld = columns + 3
  local stored = array[types[bytes]](1 + rows * ld):fill(77)
  for row = 0, rows - 1 do
    for column = 0, columns - 1 do stored[1 + row * ld + column] = value_of(row, column) end
  end
  local call = {a_rows = rows, a_columns = columns, lda = ld, a_offset = 1, transpose_a = is_turned}
  local kept = bytes == 4 and is_turned and rows or columns
  local _, to = copies.copy(copies.new(context, bytes), queue, nil, "a", call, kept, context:buffer(stored))
  return objects.contents(queue, to, types[bytes]), copies.pitch(kept, bytes)
end

local function number(row, column) return (row * 67 + column) % 251 end

describe("copies of factors", function()
  it("begin their rows at multiples of 128 bytes", function()
    for bytes in pairs(types) do
      assert.equal(128 / bytes, copies.pitch(1, bytes))
      assert.equal(128 / bytes, copies.pitch(128 / bytes, bytes))
      assert.equal(256 / bytes, copies.pitch(128 / bytes + 1, bytes))
    end
  end)

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

-- Stands for the kernel on tensor cores: the same arguments, and it reads rows only where that one can.
local PLAIN = [[
kernel void gemm(const int M, const int N, const int K, const int alpha, global const char *A, const ulong a_first,
                 const int lda, global const char *B, const ulong b_first, const int ldb, const int beta,
                 global int *C, const ulong c_first, const int ldc)
{
    const int tiles = (N + 63) / 64, i = get_local_id(0);
    for (int e = i; e < 64 * 64; e += get_local_size(0)) {
        const int row = get_group_id(0) / tiles * 64 + e / 64, column = get_group_id(0) % tiles * 64 + e % 64;
        if (row >= M || column >= N)
            continue;
        int sum = (a_first | lda | b_first | ldb) % 4 ? 1000000 : 0;
        for (int k = 0; k < K; k++)
            sum += A[a_first + (size_t)row * lda + k] * B[b_first + (size_t)k * ldb + column];
        C[c_first + row * ldc + column] = alpha * sum;
    }
}
]]

describe("products whose factors are copied", function()
  local real = tensor_sets.kind
  setup(function() tensor_sets.kind = function(_, type_name) return type_name == "char" and 3 or nil end end)
  teardown(function() tensor_sets.kind = real end)

  it("are those of the copies, in every part of C", function()
    local M, N, K = 70, 131, 37
    local a, b, c = array.char(2 + M * 39), array.char(3 + K * 133), array.int(M * N)
    for i = 0, #a - 1 do a[i] = i * 7 % 23 - 11 end
    for i = 0, #b - 1 do b[i] = i * 5 % 19 - 9 end
    local gemm = context:gemm("char", {form = "gpu", options = {defines = {COPIED = 1}},
      parameters = {TENSOR = 1, BM = 64, BN = 64, BK = 32, WM = 32, WN = 32}})
    local plain = context:program(PLAIN):kernel "gemm"
    setmetatable(gemm.made.kernels, {__index = function(_, name) return name:find "^own" and plain or nil end})
    local to = context:buffer(4 * M * N)
    for _ = 1, 2 do -- the second has the steps of the first
      gemm(queue, {lda = 39, ldb = 133, a_offset = 2, b_offset = 3}, M, N, K, context:buffer(a), context:buffer(b), to)
    end
    assert.is_nil(gemm.made.refused)
    assert.equal(tensor_sets, gemm.made.recent[1].part.set.of)
    queue:read_buffer(to, c)
    for row = 0, M - 1, 23 do
      for column = 0, N - 1, 26 do
        local sum = 0
        for k = 0, K - 1 do sum = sum + a[2 + row * 39 + k] * b[3 + k * 133 + column] end
        assert.equal(sum, c[row * N + column])
      end
    end
  end)
end)
