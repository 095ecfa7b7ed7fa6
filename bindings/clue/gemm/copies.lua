--- Copies of A and B for products on tensor cores, made for @{clue.gemm.gpu}: of rows that do not begin where a kernel
-- needs it, and of all factors of TF32 by wgmma. That instruction takes them along K only, and drops the bits that TF32
-- lacks, so they are rounded to nearest.
-- @module clue.gemm.copies
local algorithm = require "clue.compute.algorithm"
local programs = require "clue.program"
local value = require "clue.value"

local copies = {}

-- A group copies SIDE x SIDE elements. Each work-item loads all of its own before it stores one.
local SIDE, ROWS = 64, 8
local MOST_DOWN = 65535 -- groups in the second dimension, NVIDIA's most
local SOURCE = [[
#define COUNT (SIDE / ROWS)
#define ARGUMENTS global const T *from, const ulong first, const int ld, const int rows, const int columns, \
                  global T *to, const int pitch

/* Of 32 bits: to the nearest number of 11 bits, ties away from 0. NaN keeps a bit that is not dropped. */
static T rounded(const T x)
{
#if BYTES == 4
    return (x & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : (x + 0x1000u) & 0xffffe000u;
#else
    return x;
#endif
}

/* The groups' tiles, from top to bottom. */
#define EACH_TILE for (int top = get_group_id(1) * SIDE; top < rows; top += get_num_groups(1) * SIDE)

/* Copies rows x columns elements, as they are stored. */
kernel __attribute__((reqd_work_group_size(SIDE, ROWS, 1))) void copy_rows(ARGUMENTS)
{
    const int x = get_global_id(0), y = get_local_id(1);
    if (x >= columns)
        return;
    EACH_TILE {
        T v[COUNT];
        #pragma unroll
        for (int i = 0; i < COUNT; i++)
            v[i] = top + y + i * ROWS < rows ? from[first + (size_t)(top + y + i * ROWS) * ld + x] : 0;
        #pragma unroll
        for (int i = 0; i < COUNT; i++)
            if (top + y + i * ROWS < rows)
                to[(size_t)(top + y + i * ROWS) * pitch + x] = rounded(v[i]);
    }
}

/* The same, and columns become rows. */
kernel __attribute__((reqd_work_group_size(SIDE, ROWS, 1))) void copy_columns(ARGUMENTS)
{
    local T tile[SIDE][SIDE + 1];
    const int left = get_group_id(0) * SIDE, x = get_local_id(0), y = get_local_id(1);
    EACH_TILE {
        barrier(CLK_LOCAL_MEM_FENCE);
        #pragma unroll
        for (int i = 0; i < COUNT; i++) {
            const int row = y + i * ROWS;
            const int is_inside = left + x < columns && top + row < rows;
            tile[row][x] = is_inside ? from[first + (size_t)(top + row) * ld + left + x] : 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        #pragma unroll
        for (int i = 0; i < COUNT; i++) {
            const int column = y + i * ROWS;
            if (top + x < rows && left + column < columns)
                to[(size_t)(left + column) * pitch + top + x] = rounded(tile[x][column]);
        }
    }
}
]]

local types = {"uchar", "ushort", [4] = "uint"} -- by an element's bytes

--- Builds the copies of a context.
-- @tparam context context
-- @tparam number bytes of an element
-- @treturn table for @{copy}
function copies.new(context, bytes)
  local defines = {T = types[bytes], BYTES = bytes, SIDE = SIDE, ROWS = ROWS}
  local program = programs.new(context, SOURCE, programs.options {defines = defines})
  return {bytes = bytes, rows = program:kernel "copy_rows", columns = program:kernel "copy_columns"}
end

--- Enqueues the copy of a matrix.
-- @tparam table made of @{new}
-- @tparam queue queue
-- @tparam ?event previous
-- @tparam string name "a" or "b"
-- @tparam table copy what it is like, of @{clue.gemm.tensor_sets.copied}
-- @tparam buffer|svm from the matrix
-- @treturn event
-- @treturn buffer
function copies.copy(made, queue, previous, name, copy, from)
  local to = algorithm.scratch(queue, "gemm " .. name, made.bytes * copy.size)
  local range = {math.ceil(copy.columns / SIDE) * SIDE, math.min(math.ceil(copy.rows / SIDE), MOST_DOWN) * ROWS}
  local event = algorithm.step(queue, previous, copy.turned and made.columns or made.rows, range, {SIDE, ROWS}, from,
    value.ulong(copy.first), copy.ld, copy.rows, copy.columns, to, copy.pitch)
  return event, to
end

return copies
