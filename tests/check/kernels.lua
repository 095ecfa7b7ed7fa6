-- The kernels on which `clue check` is judged: 60 with a fault, and the same 60 without it.
--
-- Each entry: the fault in words; kind: what must be found in the wrong form, and nothing in the right one; wrong and
-- right: the parts of the text that differ, put in its place of $X (both in a list where there are several); global and
-- group; note: what may be told of the right one, which is no error; arguments, in the kernel's order: a number, or a
-- text: "float 64" is a buffer with so many elements, all written; "unwritten float 64" one that nobody has written;
-- "zero int 1" one of zeros; "read_only" and "write_only" are its flags; "local 64" is local memory of so many bytes;
-- "image 8x8" an image of so many pixels; "ints 4 8" a struct of ints.
local list = {}

local function add(name, entry)
  entry.name = name
  list[#list + 1] = entry
end

local LOCAL, GLOBAL = "barrier(CLK_LOCAL_MEM_FENCE);", "barrier(CLK_GLOBAL_MEM_FENCE);"

-- ---- races in local memory ----

add("a tile is read without a barrier after it was written", {kind = "race", wrong = "", right = LOCAL, text = [[
kernel void $NAME(global const float *a, global float *b) {
  local float tile[16];
  const int l = get_local_id(0), i = get_global_id(0);
  tile[l] = a[i];
  $X
  b[i] = tile[15 - l];
}]], global = {64}, group = {16}, arguments = {"float 64", "float 64"}})

add("a tile is overwritten while others still read it", {kind = "race", wrong = "", right = LOCAL, text = [[
kernel void $NAME(global const float *a, global float *b) {
  local float tile[8];
  const int l = get_local_id(0);
  float sum = 0;
  for (int t = 0; t < 4; t++) {
    tile[l] = a[t * 8 + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 8; k++)
      sum += tile[k];
    $X
  }
  b[get_global_id(0)] = sum;
}]], global = {16}, group = {8}, arguments = {"float 32", "float 16"}})

add("a tree of sums has no barrier between its levels", {kind = "race", wrong = "", right = LOCAL, text = [[
kernel void $NAME(global const float *a, global float *b, local float *part) {
  const int l = get_local_id(0);
  part[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_ = 8; half_ > 0; half_ /= 2) {
    if (l < half_) part[l] += part[l + half_];
    $X
  }
  if (l == 0) b[get_group_id(0)] = part[0];
}]], global = {48}, group = {16}, arguments = {"float 48", "float 3", "local 64"}})

add("the barrier orders global memory where local memory is exchanged", {kind = "race", wrong = GLOBAL, right = LOCAL,
  text = [[
kernel void $NAME(global const int *a, global int *b) {
  local int held[8];
  const int l = get_local_id(0), i = get_global_id(0);
  held[l] = a[i];
  $X
  b[i] = held[l ^ 1];
}]], global = {24}, group = {8}, arguments = {"int 24", "int 24"}})

add("a histogram in local memory is counted without atomics", {kind = "race", wrong = "bins[a[i] % 4]++;",
  right = "atomic_inc(bins + a[i] % 4);", text = [[
kernel void $NAME(global const uint *a, global uint *b) {
  local uint bins[4];
  const int l = get_local_id(0), i = get_global_id(0);
  if (l < 4) bins[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  $X
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 4) atomic_add(b + l, bins[l]);
}]], global = {32}, group = {16}, arguments = {"uint 32", "uint 4"}})

add("bytes of neighbours overlap by one", {kind = "race", wrong = "l + 1", right = "l", text = [[
kernel void $NAME(global uchar *b) {
  local uchar row[34];
  const int l = get_local_id(0), i = get_global_id(0);
  row[l * 2] = 1;
  row[l * 2 + 1] = 2;
  barrier(CLK_LOCAL_MEM_FENCE);
  row[2 * l] = i;
  row[2 * ($X) + 1] = i + 1;
  row[2 * l + 1] += 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  b[i] = row[l];
}]], global = {32}, group = {16}, arguments = {"uchar 32"}})

-- ---- races in global memory ----

add("a list is shifted in its own memory", {kind = "race", wrong = "a", right = "b", text = [[
kernel void $NAME(global float *a, global float *b, const int n) {
  const int i = get_global_id(0);
  if (i + 1 < n) $X[i] = a[i + 1];
}]], global = {40}, group = {8}, arguments = {"float 40", "float 40", 40}})

add("a counter is incremented without atomics", {kind = "race", wrong = "counter[0]++;",
  right = "atomic_inc(counter);", text = [[
kernel void $NAME(global const int *a, global int *counter) {
  if (a[get_global_id(0)] > 4) { $X }
}]], global = {64}, group = {8}, arguments = {"int 64", "int 1"}})

add("two work-items write one element", {kind = "race", wrong = "i / 2", right = "i", text = [[
kernel void $NAME(global const float *a, global float *b) {
  const int i = get_global_id(0);
  b[$X] = a[i];
}]], global = {64}, group = {16}, arguments = {"float 64", "float 64"}})

add("a barrier is to order different groups", {kind = "race", wrong = "(i + 16) % 64", right = "i - l + 15 - l",
  text = [[
kernel void $NAME(global float *a, global float *b) {
  const int i = get_global_id(0), l = get_local_id(0);
  a[i] = i;
  barrier(CLK_GLOBAL_MEM_FENCE);
  b[i] = a[$X];
}]], global = {64}, group = {16}, arguments = {"float 64", "float 64"}})

add("the barrier orders local memory where global memory is exchanged", {kind = "race", wrong = LOCAL, right = GLOBAL,
  text = [[
kernel void $NAME(global int *a, global int *b) {
  const int i = get_global_id(0);
  a[i] = i;
  $X
  b[i] = a[i ^ 1];
}]], global = {32}, group = {8}, arguments = {"int 32", "int 32"}})

add("a matrix is transposed in place by all work-items", {kind = "race", wrong = "x != y", right = "x < y", text = [[
kernel void $NAME(global float *a, const int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  if ($X) {
    const float held = a[y * n + x];
    a[y * n + x] = a[x * n + y];
    a[x * n + y] = held;
  }
}]], global = {12, 12}, group = {4, 4}, arguments = {"float 144", 12}})

add("groups side by side in two dimensions write one row", {kind = "race", wrong = "b[x]", right = "b[y * 8 + x]",
  text = [[
kernel void $NAME(global const float *a, global float *b) {
  const int x = get_global_id(0), y = get_global_id(1);
  $X = a[y * 8 + x];
}]], global = {8, 8}, group = {8, 1}, arguments = {"float 64", "float 64"}})

-- ---- out of bounds ----

add("the right neighbour of the last element", {kind = "bounds", wrong = "i < n", right = "i + 1 < n", text = [[
kernel void $NAME(global const float *a, global float *b, const int n) {
  const int i = get_global_id(0);
  if ($X) b[i] = a[i + 1] - a[i];
}]], global = {50}, group = {10}, arguments = {"float 50", "float 50", 50}})

add("the left neighbour of the first element", {kind = "bounds", wrong = "i", right = "max(i, 1)", text = [[
kernel void $NAME(global const float *a, global float *b) {
  const int i = get_global_id(0);
  b[i] = a[$X - 1];
}]], global = {32}, group = {8}, arguments = {"float 32", "float 32"}})

add("a range larger than the data", {kind = "bounds", wrong = "", right = "if (i < n)", text = [[
kernel void $NAME(global float *a, const int n) {
  const int i = get_global_id(0);
  $X a[i] *= 2;
}]], global = {64}, group = {16}, arguments = {"float 50", 50}})

add("a row's length taken for the number of rows", {kind = "bounds", wrong = "rows", right = "columns", text = [[
kernel void $NAME(global const float *a, global float *b, const int rows, const int columns) {
  const int x = get_global_id(0), y = get_global_id(1);
  b[y * columns + x] = a[y * $X + x];
}]], global = {5, 9}, group = {5, 3}, arguments = {"float 45", "float 45", 9, 5}})

add("a local array is one element short", {kind = "bounds", wrong = "16", right = "17", text = [[
kernel void $NAME(global const float *a, global float *b) {
  local float held[$X];
  const int l = get_local_id(0), i = get_global_id(0);
  held[l + 1] = a[i];
  if (l == 0) held[0] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  b[i] = held[l];
}]], global = {32}, group = {16}, arguments = {"float 32", "float 32"}})

add("local memory is given in elements instead of bytes", {kind = "bounds", wrong = "local 16", right = "local 64",
  text = [[
kernel void $NAME(global const float *a, global float *b, local float *held) {
  const int l = get_local_id(0), i = get_global_id(0);
  held[l] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  b[i] = held[15 - l];
}]], global = {32}, group = {16}, arguments = {"float 32", "float 32", "$X"}})

add("a private array is indexed by data", {kind = "bounds", wrong = "a[i]", right = "a[i] % 8", text = [[
kernel void $NAME(global const int *a, global int *b) {
  int table[8];
  const int i = get_global_id(0);
  for (int k = 0; k < 8; k++)
    table[k] = k * k;
  b[i] = table[$X];
}]], global = {16}, group = {4}, arguments = {"int 16", "int 16"}})

add("a constant table is too short", {kind = "bounds", wrong = "5", right = "4", text = [[
constant float weights[4] = {1, 2, 3, 4};
kernel void $NAME(global float *b) {
  const int i = get_global_id(0);
  b[i] = weights[i % $X];
}]], global = {20}, group = {5}, arguments = {"float 20"}})

add("a vector is loaded across the end", {kind = "bounds", wrong = "i", right = "min(i, n - 4)", text = [[
kernel void $NAME(global const float *a, global float *b, const int n) {
  const int i = get_global_id(0);
  const float4 four = vload4(0, a + $X);
  b[i] = four.x + four.w;
}]], global = {32}, group = {8}, arguments = {"float 32", "float 32", 32}})

add("an index leaves its row, though not the array", {kind = "bounds", wrong = "l + 1", right = "(l + 1) % 8", text = [[
kernel void $NAME(global const float *a, global float *b) {
  local float rows[4][8];
  const int l = get_local_id(0), y = get_local_id(1), i = y * 8 + l;
  rows[y][l] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (y < 3) b[i] = rows[y][$X];
}]], global = {8, 4}, group = {8, 4}, arguments = {"float 32", "float 32"}})

add("an asynchronous copy is too long", {kind = "bounds", wrong = "20", right = "16", text = [[
kernel void $NAME(global const float *a, global float *b) {
  local float held[16];
  event_t copied = async_work_group_copy(held, a + get_group_id(0) * 16, $X, 0);
  wait_group_events(1, &copied);
  b[get_global_id(0)] = held[15 - get_local_id(0)];
}]], global = {64}, group = {16}, arguments = {"float 64", "float 64"}})

-- ---- memory that nobody has written ----

add("a sum without a first value", {kind = "uninitialised", wrong = "float sum;", right = "float sum = 0;", text = [[
kernel void $NAME(global const float *a, global float *b) {
  $X
  for (int k = 0; k < 4; k++)
    sum += a[k];
  b[get_global_id(0)] = sum;
}]], global = {8}, group = {4}, arguments = {"float 4", "float 8"}})

add("the border of a tile that nobody fills", {kind = "uninitialised", wrong = "",
  right = "if (l == 0) tile[0] = tile[9] = 0;",
  text = [[
kernel void $NAME(global const float *a, global float *b) {
  local float tile[10];
  const int l = get_local_id(0), i = get_global_id(0);
  tile[l + 1] = a[i];
  $X
  barrier(CLK_LOCAL_MEM_FENCE);
  b[i] = tile[l] + tile[l + 2];
}]], global = {16}, group = {8}, arguments = {"float 16", "float 16"}})

add("a result is added to a buffer that nobody has written", {kind = "uninitialised", wrong = "+=", right = "=",
  text = [[
kernel void $NAME(global const float *a, global float *b) {
  const int i = get_global_id(0);
  b[i] $X a[i];
}]], global = {16}, group = {8}, arguments = {"float 16", "unwritten float 20"}})

-- ---- barriers that not all reach ----

add("a barrier in a branch that half of the group takes", {kind = "divergence",
  wrong = "if (l < 4) { held[l] = 1; barrier(CLK_LOCAL_MEM_FENCE); }",
  right = "if (l < 4) held[l] = 1; barrier(CLK_LOCAL_MEM_FENCE);", text = [[
kernel void $NAME(global int *b) {
  local int held[4];
  const int l = get_local_id(0);
  $X
  if (l < 4) b[get_global_id(0)] = held[l];
}]], global = {16}, group = {8}, arguments = {"int 16"}})

add("some work-items return before a barrier", {kind = "divergence", wrong = "if (i >= n) return;",
  right = "if (get_group_id(0) > 6) return;", text = [[
kernel void $NAME(global const float *a, global float *b, const int n) {
  local float held[8];
  const int i = get_global_id(0), l = get_local_id(0);
  $X
  held[l] = i < n ? a[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n && (i ^ 1) < n) b[i] = held[l ^ 1];
}]], global = {64}, group = {8}, arguments = {"float 50", "float 50", 50}})

-- ---- what the host allows ----

add("the kernel writes to a buffer for reading", {kind = "read only", wrong = "read_only float 16", right = "float 16",
  text = [[
kernel void $NAME(global float *a) {
  a[get_global_id(0)] += 1;
}]], global = {16}, group = {4}, arguments = {"$X"}})

-- ---- vectors of three, and parts of vectors ----

add("a tile of vectors of three without a barrier", {kind = "race", wrong = "", right = LOCAL, text = [[
kernel void $NAME(global const float *a, global float *b) {
  local float3 tile[8];
  const int l = get_local_id(0), i = get_global_id(0);
  tile[l] = vload3(i, a);
  $X
  const float3 other = tile[7 - l];
  b[i] = other.x + other.z;
}]], global = {16}, group = {8}, arguments = {"float 48", "float 16"}})

add("a vector of three is stored as if it were packed", {kind = "race", wrong = "vstore4((float4)(v, 0), 0, b + 3 * i)",
  right = "vstore3(v, i, b)", text = [[
kernel void $NAME(global const float *a, global float *b) {
  const int i = get_global_id(0);
  const float3 v = vload3(i, a) * 2;
  $X;
}]], global = {16}, group = {8}, arguments = {"float 48", "float 49"}})

add("a buffer of packed threes is read as one of float3", {kind = "bounds", wrong = "((global const float3 *)a)[i]",
  right = "vload3(i, a)", text = [[
kernel void $NAME(global const float *a, global float *b) {
  const int i = get_global_id(0);
  const float3 v = $X;
  b[i] = v.x + v.y + v.z;
}]], global = {16}, group = {8}, arguments = {"float 48", "float 16"}})

add("a sum of vectors of three without a first value", {kind = "uninitialised", wrong = "float3 sum;",
  right = "float3 sum = (float3)(0);", text = [[
kernel void $NAME(global const float *a, global float *b) {
  $X
  for (int k = 0; k < 4; k++)
    sum += vload3(k, a);
  b[get_global_id(0)] = sum.x + sum.y + sum.z;
}]], global = {8}, group = {4}, arguments = {"float 12", "float 8"}})

add("a component that nobody sets", {kind = "uninitialised", wrong = "v.xy", right = "v.xw", text = [[
kernel void $NAME(global const float *a, global float *b) {
  const int i = get_global_id(0);
  float4 v;
  $X = (float2)(a[i], 1);
  b[i] = v.x * v.w;
}]], global = {8}, group = {4}, arguments = {"float 8", "float 8"}})

add("a swizzle puts parts of one vector into another", {kind = "uninitialised", wrong = "v.lo = (float2)(a[i], 1);",
  right = "v.lo = (float2)(a[i], 1); v.hi = v.lo.yx;", text = [[
kernel void $NAME(global const float *a, global float4 *b) {
  const int i = get_global_id(0);
  float4 v;
  $X
  b[i] = v.wzyx;
}]], global = {8}, group = {4}, arguments = {"float 8", "float 32"}})

add("components by a computed index", {kind = "uninitialised", wrong = "3", right = "4", text = [[
kernel void $NAME(global const float *a, global float *b) {
  const int i = get_global_id(0);
  float4 v;
  for (int k = 0; k < $X; k++) ((float *)&v)[k] = a[i];
  b[i] = v.x + v.y + v.z + v.w;
}]], global = {8}, group = {4}, arguments = {"float 8", "float 8"}})

add("a component of the neighbour's vector", {kind = "race", wrong = "7 - l", right = "l", text = [[
kernel void $NAME(global const float *a, global float *b) {
  local float part[8][4];
  const int l = get_local_id(0), i = get_global_id(0);
  for (int k = 0; k < 4; k++) part[l][k] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  part[l][1] = part[$X][1] + 1;
  b[i] = part[l][1];
}]], global = {16}, group = {8}, arguments = {"float 16", "float 16"}})

add("vectors of eight overlap", {kind = "race", wrong = "4", right = "8", text = [[
kernel void $NAME(global const float *a, global float *b) {
  const int i = get_global_id(0);
  vstore8((float8)(i), 0, b + i * $X);
}]], global = {8}, group = {4}, arguments = {"float 8", "float 64"}})

-- ---- structs ----

add("structs are copied past the end", {kind = "bounds", wrong = "i + 1", right = "i", text = [[
typedef struct { int x, y, z; } three;
kernel void $NAME(global const three *from, global three *to) {
  const int i = get_global_id(0);
  to[$X].x = from[i].x;
  to[$X].z = from[i].z;
}]], global = {8}, group = {4}, arguments = {"int 24", "int 24"}})

add("two work-items fill one struct", {kind = "race", wrong = "i / 2", right = "i", text = [[
typedef struct { int x, y, z; } three;
kernel void $NAME(global const three *from, global three *to) {
  const int i = get_global_id(0);
  three held = from[i];
  held.x += i;
  to[$X] = held;
}]], global = {8}, group = {4}, arguments = {"int 24", "int 24"}})

add("a field that nobody sets decides", {kind = "uninitialised", wrong = "p.kind = 1;", right = "p.kind = p.flag = 1;",
  text = [[
typedef struct { char kind; int flag; } pair;
kernel void $NAME(global int *b) {
  pair p;
  $X
  if (p.flag) b[get_global_id(0)] = p.kind;
}]], global = {8}, group = {4}, arguments = {"int 8"}})

add("a struct with padding is copied", {kind = "race", wrong = "0", right = "l", text = [[
typedef struct { char kind; int value; } pair;
kernel void $NAME(global const int *a, global int *b) {
  local pair held[8];
  const int l = get_local_id(0), i = get_global_id(0);
  held[$X].value = a[i];
  held[l].kind = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  pair mine = held[l];
  b[i] = mine.value + mine.kind;
}]], global = {16}, group = {8}, arguments = {"int 16", "int 16"}})

add("a struct argument says how wide a row is", {kind = "race", wrong = "ints 4 8", right = "ints 8 8", text = [[
struct size { int width, height; };
kernel void $NAME(global int *a, struct size s) {
  a[get_global_id(1) * s.width + get_global_id(0)] = get_global_id(1);
}]], global = {8, 8}, group = {4, 4}, arguments = {"int 64", "$X"}})

add("a struct argument says how many elements there are", {kind = "bounds", wrong = "ints 0 17", right = "ints 0 16",
  text = [[
struct part { int first, count; };
kernel void $NAME(global int *a, struct part p) {
  for (int k = p.first + get_global_id(0); k < p.count; k += get_global_size(0)) a[k] = k;
}]], global = {8}, group = {4}, arguments = {"int 16", "$X"}})

-- ---- constant memory ----

add("a constant argument is too short", {kind = "bounds", wrong = "constant float 7", right = "constant float 8",
  text = [[
kernel void $NAME(constant float *weights, global float *b) {
  const int i = get_global_id(0);
  b[i] = weights[i % 8];
}]], global = {16}, group = {8}, arguments = {"$X", "float 16"}})

add("a table in constant memory spreads the elements", {kind = "race", wrong = "{0, 1, 2, 2}", right = "{0, 1, 2, 3}",
  text = [[
constant int places[4] = $X;
kernel void $NAME(global int *b) {
  const int i = get_global_id(0);
  const int place = places[i % 4];
  b[4 * (i / 4) + place] = i;
}]], global = {16}, group = {8}, arguments = {"int 16"}})

add("a row of a constant table", {kind = "bounds", wrong = "l % 4", right = "l % 3", text = [[
constant int rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
kernel void $NAME(global int *b) {
  const int l = get_local_id(0);
  b[get_global_id(0)] = rows[0][$X];
}]], global = {16}, group = {8}, arguments = {"int 16"}})

-- ---- images ----

add("work-items write one pixel", {kind = "race", wrong = "(int2)(x, 0)", right = "(int2)(x, y)", text = [[
kernel void $NAME(write_only image2d_t to) {
  const int x = get_global_id(0), y = get_global_id(1);
  write_imagef(to, $X, (float4)(x, y, 0, 1));
}]], global = {8, 8}, group = {4, 4}, arguments = {"image 8x8"}})

add("a kernel gathers pixels into one place", {kind = "race", wrong = "y", right = "y * 8 + x", text = [[
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void $NAME(read_only image2d_t from, global float *b) {
  const int x = get_global_id(0), y = get_global_id(1);
  b[$X] = read_imagef(from, nearest, (int2)(x, y)).x;
}]], global = {8, 8}, group = {4, 4}, arguments = {"image 8x8", "float 64"}})

add("the width of an image taken for a buffer's", {kind = "bounds", wrong = "get_image_width(from)", right = "8",
  text = [[
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void $NAME(read_only image2d_t from, global float *b) {
  const int x = get_global_id(0), y = get_global_id(1);
  b[y * $X + x] = read_imagef(from, nearest, (int2)(x, y)).x;
}]], global = {8, 8}, group = {4, 4}, arguments = {"image 10x8", "float 64"}})

-- ---- atomic functions ----

add("tickets of a counter that is no ticket counter", {kind = "race", wrong = "next[0]++", right = "atomic_inc(next)",
  text = [[
kernel void $NAME(volatile global int *next, global int *b) {
  const int mine = $X;
  b[mine] = 1;
}]], global = {32}, group = {8}, arguments = {"zero int 1", "int 64"}})

add("each group takes places for its work-items", {kind = "race", wrong = "4", right = "8", text = [[
kernel void $NAME(volatile global int *next, global int *b) {
  local int first;
  const int l = get_local_id(0);
  if (l == 0) first = atomic_add(next, $X);
  barrier(CLK_LOCAL_MEM_FENCE);
  b[first + l] = get_global_id(0);
}]], global = {32}, group = {8}, arguments = {"zero int 1", "int 64"}})

add("tickets of a group in local memory", {kind = "race", wrong = "mine / 2", right = "mine", text = [[
kernel void $NAME(global const int *a, global int *b) {
  local int next;
  local int kept[8];
  const int l = get_local_id(0);
  if (l == 0) next = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int mine = atomic_inc(&next);
  kept[$X] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  b[get_global_id(0)] = l < 4 ? kept[l] : 0;
}]], global = {16}, group = {8}, arguments = {"int 16", "int 16"}})

add("a maximum by comparing and storing", {kind = "race", wrong = "if (a[i] > b[0]) b[0] = a[i];",
  right = "atomic_max(b, a[i]);", text = [[
kernel void $NAME(global const int *a, global int *b) {
  const int i = get_global_id(0);
  $X
}]], global = {32}, group = {8}, arguments = {"int 32", "int 1"}})

add("a lock that not everybody takes", {kind = "race", note = "only atomics",
  wrong = "sum[0] += get_group_id(0);", right = "while (atomic_cmpxchg(lock, 0, 1) != 0) ; sum[0] += get_group_id(0); "
  .. "mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_xchg(lock, 0);", text = [[
kernel void $NAME(volatile global int *lock, volatile global int *sum) {
  if (get_local_id(0) == 0) { $X }
}]], global = {32}, group = {8}, arguments = {"zero int 1", "int 1"}})

-- ---- numbers that decide where ----

add("an offset that is no multiple of the range", {kind = "race", wrong = 1, right = 64, text = [[
kernel void $NAME(global int *a, const int offset) {
  const int i = get_global_id(0);
  a[i] += a[i + offset];
}]], global = {64}, group = {8}, arguments = {"int 128", "$X"}})

add("a stride that spreads too little", {kind = "race", wrong = 3, right = 4, text = [[
kernel void $NAME(global int *a, const int stride) {
  const int i = get_global_id(0);
  for (int k = 0; k < 4; k++) a[i * stride + k] = i;
}]], global = {32}, group = {8}, arguments = {"int 128", "$X"}})

add("a guard that lets the last group go on", {kind = "bounds", wrong = 50, right = 48, text = [[
kernel void $NAME(global int *a, const int n) {
  const int i = get_global_id(0);
  if (i < n) a[i] = i;
}]], global = {64}, group = {8}, arguments = {"int 48", "$X"}})

add("a loop over tiles whose count differs between work-items", {kind = "divergence", wrong = 20, right = 24, text = [[
kernel void $NAME(global const int *a, global int *b, const int n) {
  local int tile[8];
  const int l = get_local_id(0);
  int sum = 0;
  for (int k = l; k < n; k += 8) {
    tile[l] = a[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += tile[7 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  b[get_global_id(0)] = sum;
}]], global = {16}, group = {8}, arguments = {"int 24", "int 16", "$X"}})

return list
