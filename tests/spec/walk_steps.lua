-- A row for each step of the walkthroughs, and for each walkthrough the runs that its steps must pass.
-- walk_steps_spec runs them.
--
-- A walkthrough: check, count: an odd size for `clue check` and `clue count` (default for check: its own), or several
-- runs, each with steps and size, and changes: texts of copies of these steps that are replaced, and by what, as the
-- commands take no parameters; verify: runs of `clue walk --verify`: on: a driver of walk_steps_spec, sizes, and if
-- not all of them: steps; set: parameters; type; on_fault: where and at which size planted faults run; race: the size
-- for planted races; varies: as of a step; kept: with which options the counts are made that are kept for the claims
-- (default: none).
--
-- A step that has something of its own: its file's name; faults: texts that are replaced, and by what (then perhaps a
-- change of a parameter), which the step's check must find: on, size, set: its own; says: what the check must say;
-- races: likewise, for `clue check`; harmless: what must not matter; skipped: a pattern of the reason why it may be
-- skipped; no_kernel: true if it launches none; varies: true if its counts differ from run to run, as its groups look
-- back more often or less, or with an installed library.
--
-- Oclgrind executes some millions of instructions a second, so the sizes for check and count are little above 16 or 32,
-- the sides of most tiles.

local lists = require "clue.shared.list"

local BARRIER = "    barrier(CLK_LOCAL_MEM_FENCE);\n"

-- A missing barrier; after: what comes before it.
local function no_barrier(after, size)
  return {after .. "    " .. BARRIER, after, size = size}
end

local no_barrier_at_all = {pattern = " +barrier%(CLK_LOCAL_MEM_FENCE%);\n"}

-- A replacement by a pattern in kernels/copy_vectors.cl, made in the step where it reads that file.
local function in_kernel(from, to)
  local read = '"/copy_vectors.cl")'
  return {read, ("%s:gsub(%q, %q)"):format(read, from, to)}
end

-- Planted texts, all with parameters, or on another driver or at another size.
local function all_with(how, faults)
  return lists.map(faults, function(fault) return lists.with(how, fault) end)
end

-- The steps of libraries, and one behind them.
local function libraries(last)
  return {"21_openblas", skipped = "OpenBLAS"}, {"22_clblast", skipped = "CLBlast", varies = true},
    {"23_cublas", skipped = "cuBLAS"}, last
end

-- Changes that leave out some of a step's forms, by how they begin.
local function without_forms(forms)
  return lists.map(forms, function(form) return {"{columns = 32, " .. form, "--{columns = 32, " .. form} end)
end

local walkthroughs = {}

-- In 1x8x136, wide vectors divide the rows. At 300x401x261 steps have several tiles and blocks in each dimension, the
-- last ones smaller, and step 16b has several bands at 1160x9x133. In double, vectors and tiles differ; Oclgrind has
-- too little local memory for steps 15 and 16.
walkthroughs.mql5 = {
  check = "9x17x19", count = "65x9x18",
  verify = {
    {on = "oclgrind", sizes = {"131x1x1", "1x8x136"}},
    {on = "oclgrind", sizes = {"33x31x29"}, steps = "4,8-14,17-20", type = "double"},
    {on = "unoptimised", sizes = {"33x31x29"}, steps = "15,16,16b", type = "double"},
    {on = "pocl", sizes = {"65x33x67"}, steps = "1-11"},
    {on = "pocl", sizes = {"300x401x261"}, steps = "12-16,17-24"},
    {on = "pocl", sizes = {"1160x9x133"}, steps = "16b"},
  },
  on_fault = {on = "oclgrind", size = "9x37x7"}, race = "3x17x3",
  {"01_loops", no_kernel = true},
  {"12_local_tiles", faults = {{"row < rows && k < K", "row < rows && k + 1 < K"}},
   races = {no_barrier "            sum += tile_a[y][k] * tile_b[k][x];\n"}},
  {"13_block_per_item", faults = {{"row < M && column < N", "row < M && column + 1 < N", size = "70x9x71"}},
   races = {no_barrier "tile_b[k][x + j * SIDE];\n"}},
  {"14_wide", faults = {{"k + 3 < K ? from[3] : 0", "0"}}, races = {no_barrier "of_a.s3 * of_b;\n        }\n"}},
  {"15_two_buffers", faults = {{"now = SIZE - now", "now = 0"}}, races = {no_barrier "next_b);\n"}},
  {"16_pieces", faults = {{"top + i / 4 * PIECE", "top + i / 4 * 4", size = "70x9x71"}},
   races = {no_barrier "next_b);\n"}},
  {"16b_bands", faults = {{"min(BAND, (int)get_num_groups(1) - band * BAND)", "BAND", size = "9x5x140"}}},
  {"17_vector_blocks", faults = {{"k = whole * WIDTH; k < K", "k = whole * WIDTH; k + 1 < K"}}},
  {"18_panels", faults = {{"j < count; j++", "j + 1 < count; j++"}}},
  {"19_cache_blocks", faults = {{"is_first ? part[j] : part[j] + c[j]", "part[j]", size = "5x401x9"}}},
  libraries {"24_tensor_cores", skipped = "no tensor cores"},
}

-- In steps 1 and 2 every work-item does all the work, which would take Oclgrind minutes: so the counting size is too
-- small for the others, whose counts are kept at larger ones, too. A block of step 7 takes Oclgrind seconds, unless
-- groups are small; then few rows are more than one turn of all groups. The neighbours in dimension 0 of steps 5 to 7
-- have neighbouring columns of C.
local by_8 = {set = {"local=8"}}
local local_8, items_96 = {{'_local", 32', '_local", 8'}}, {{'_items", 1024', '_items", 96'}}
walkthroughs.dcltk = {
  check = {{steps = "0,3,20-23"}, {steps = "4-7", changes = local_8}, {steps = "2", size = "3x11x5"},
           {steps = "1", changes = items_96, size = "3x11x5"}},
  count = {{steps = "0,3,20-23", size = "7x35x33"}, {steps = "4-7", changes = local_8, size = "37x19x11"},
           {steps = "2", size = "5x3x7"}, {steps = "1", changes = items_96, size = "5x3x7"}},
  kept = {"", " --steps 3-7,20 --size 128", " --steps 4,4b --size 64"},
  verify = {
    {on = "oclgrind", sizes = {"1"}, steps = "0,3-20", set = {"local=8"}},
    {on = "oclgrind", sizes = {"129x3x1", "1x130x2"}, steps = "3-7,20", set = {"local=8"}},
    {on = "rusticl", sizes = {"1x300x2", "129x3x1"}, steps = "1,2"},
    {on = "pocl", sizes = {"131x65x133"}, steps = "0-7"}, -- several blocks of step 7
    {on = "unoptimised", sizes = {"131x65x133"}, steps = "20-23"}, -- as mql5 20
    {on = "oclgrind", sizes = {"33x31x29"}, steps = "3-20", type = "double", set = {"local=8"}},
    {on = "unoptimised", sizes = {"33x31x29"}, steps = "1,2", type = "double"},
  },
  on_fault = {on = "oclgrind", size = "41x9x43"}, race = "3x33x3",
  {"00_hello", faults = {{"said[id] = id + 1;", "said[id] = id + (id < 3);"}}},
  {"01_everything_by_everyone", faults = {
    {"sums[id] = sum;", "sums[id] = id == 7 ? sum / 2 : sum;", on = "rusticl", size = "21x5x23"},
    {"% items == id", "% items == id && id != 11", on = "rusticl", size = "21x5x23"},
   }, races = {{"if ((uint)(i * result_cols + j) % items == id)", "", size = "1x2x2"}}}, -- as published
  {"02_groups_of_32", faults = {
    {"get_global_size(0);\n", "get_global_size(0) + 1;\n", on = "rusticl", size = "21x5x23"},
  }},
  {"03_rows_shared", faults = {{"k < cols; k++", "k + 1 < cols; k++"}}},
  {"04_range_2d", faults = {{"j < result_cols; j +=", "j + 1 < result_cols; j +="}}},
  {"05_local_tiles", faults = all_with(by_8, {
    {"first < cols; first", "first + side < cols; first"},
    {"i < rows && j < result_cols)\n", "i < rows && j < result_cols && top + left != 32)\n"},
    {"ka < cols ?", "ka + 1 < cols ?"},
   }), harmless = all_with(by_8, {{"= value;", "= value + (get_local_id(0) != j % side);"}}),
   races = {{"                barrier(CLK_LOCAL_MEM_FENCE);\n            }\n", "            }\n"}}},
  {"06_padded", faults = all_with(by_8, {
    {"first < cols; first", "first + side < cols; first"}, {"value;\n        }", "value + (i + j == 0);\n        }"},
   }), harmless = all_with(by_8, {{"= value;", "= value + (get_local_id(0) != j % side);"}})},
  {"07_block_in_private", faults = all_with(by_8, {
    {"= value[y][x];", "= value[y][x] + (top + row + y * size == 37 && left + column + x * size == 5);"},
   }), harmless = all_with(by_8, {
    {"= value[y][x];", "= value[y][x] + (get_local_id(0) != (left + column + x * size) % size);"},
  })},
  libraries(),
}

-- The kernels get the size as arguments, so PoCL compiles them once. A tile of step 3r takes Oclgrind seconds at any
-- size, unless it is small, and step 7 tries eight forms of one kernel: there, a copy tries three of them.
local small_3r = {{"inputs(input, 1024)", "inputs(input, 64)"}}
local three_forms = without_forms {"parts = 4, block = 16", "parts = 4, block = 24", "parts = 4, block = 40",
  "parts = 4, block = 32, lanes = 1, tile = 1024", "parts = 4, block = 32, lanes = 1, tile = 2048"}
local small_forms = lists.joined(three_forms, {{"tile = 1024}", "tile = 64}"}})
walkthroughs.hello = {
  check = {{steps = "0-2b,3,4-6r"}, {steps = "3r", changes = small_3r, size = "67x69"},
           {steps = "7", changes = small_forms, size = "67x69"}},
  count = {{steps = "0-2b,3,4-6r", size = "257x33"}, {steps = "3r", changes = small_3r, size = "67x69"},
           {steps = "7", changes = three_forms, size = "65x9"}},
  verify = {
    {on = "pocl", sizes = {"1", "1023x12007"}},
    {on = "rusticl", sizes = {"1003x2047"}, steps = "1,5v,6"},
    {on = "oclgrind", sizes = {"1x53"}, steps = "1-4r,5,5r,5v,6,6r", set = {"t=3"}},
    {on = "oclgrind", sizes = {"21x53"}, steps = "1,3,6,6r", set = {"t=65536"}},
  },
  on_fault = {on = "oclgrind", size = "9x501"},
  {"00_serial", no_kernel = true},
  {"01c_constant", faults = {{"goes_on ? c[x] : 0", "0", set = {"constant=400"}}}},
}

walkthroughs.submatrix = {
  check = "9x17x17", count = "33x17x17",
  verify = {
    {on = "pocl", sizes = {"129x65x513"}},
    {on = "unoptimised", sizes = {"1", "1x300x3", "300x1x2"}},
    {on = "oclgrind", sizes = {"37x9x41"}, steps = "5,6", set = {"tile=1", "wpt=1"}},
    {on = "oclgrind", sizes = {"37x9x41"}, steps = "5,6", set = {"tile=12", "wpt=3"}},
    {on = "oclgrind", sizes = {"37x9x41"}, steps = "5,6", set = {"tile=32", "wpt=32"}},
  },
  {"01_host_naive", no_kernel = true}, {"02_host_buffered", no_kernel = true}, {"03_host_cores", no_kernel = true},
  {"21_tensor_cores", skipped = "no tensor cores"},
}

-- The groups are powers of two: 100 becomes 64, and 65536 what the device has. rusticl has no 64-bit atomics.
walkthroughs.reduce = {
  check = "515", count = "513",
  verify = {
    {on = "oclgrind", sizes = {"1"}},
    {on = "oclgrind", sizes = {"1001"}, steps = "1-5,8-12,14-17", set = {"group=2"}},
    {on = "oclgrind", sizes = {"1001"}, steps = "1,8,15", set = {"group=100"}},
    {on = "oclgrind", sizes = {"1001"}, steps = "1-5,8-12,14-17", set = {"group=65536"}},
    {on = "pocl", sizes = {"300007"}},
    {on = "rusticl", sizes = {"70001"}, steps = "2,7,9,13,15"},
  },
  on_fault = {on = "oclgrind", size = "3003"}, race = "2003",
  {"01_interleaved", faults = {{"own[here] += own[here + step];", "own[here] += own[here];"},
                               {"i < count ?", "i + 1 < count ?"}}},
  {"02_sequential", faults = {{"step > 0; step /= 2", "step > 1; step /= 2"}},
   races = {no_barrier("            own[here] += own[here + step];\n", "600")}},
  {"03_first_add_at_load", faults = {{"if (i + get_local_size(0) < count)", "if (i + get_local_size(0) + 1 < count)",
                                      size = "1003"}}},
  {"04_unrolled", faults = {{"step > 0; step /= 2", "step > 1; step /= 2"}}},
  {"05_many_per_item", faults = {{"i < count; i +=", "i + 1 < count; i +="}}},
  {"06_warp_wide", skipped = "neither sub%-groups"},
  {"07_bandwidth", faults = {{"rest < count; rest", "rest + 1 < count; rest"},
                             {"k = 1; k < SUMS; k++)\n        sums[0]", "k = 2; k < SUMS; k++)\n        sums[0]",
                              size = "9003"}}},
  {"08_scan_by_doubling", faults = {{"i >= distance ?", "i > distance ?"}}},
  {"09_scan_groups", faults = {{"i < count && group > 0", "i < count && group > 1"}}, races = {no_barrier_at_all}},
  {"10_scan_tree", faults = {{"reach = SIZE / 4;", "reach = SIZE / 8;"}}},
  {"11_scan_runs", faults = {{"before = here > 0 ?", "before = here > 1 ?"}}, races = {no_barrier_at_all}},
  {"12_scan_sums_first", faults = {{"step > 0; step /= 2", "step > 1; step /= 2"}}, races = {no_barrier_at_all}},
  {"13_scan_one_pass", varies = true, skipped = "no cl_khr_int64_base_atomics",
   faults = {{"k < WINDOW && k <= last", "k < WINDOW && k < last"}, {"before += here > 0 ?", "before += here > 1 ?"}},
   -- a tile that another core has not added up soon
   harmless = {{"#define POLLS 256", "#define POLLS 0", on = "pocl", size = "300007"}}},
  {"13b_best_here", faults = {{'"sum"', '"max"'}}},
  {"14_histogram_global", faults = {{"atomic_inc(&bins[from[i] % 256])", "atomic_inc(&bins[from[i] % 255])"}}},
  {"15_histogram_groups", faults = {{"if (i < count)", "if (i + 1 < count)"}}, races = {no_barrier_at_all}},
  {"16_histogram_many", faults = {{"atomic_add(&bins[bin], own[bin])", "atomic_xchg(&bins[bin], own[bin])"}}},
  {"17_histogram_copies", faults = {{"k = 0; k < COPIES", "k = 1; k < COPIES"}}},
  {"18_histogram_bandwidth", faults = {{"rest < count; rest", "rest + 1 < count; rest"}}},
}

local every_device = {"with=every", "alone=first"}
local few_iterations = {{'_iterations", 0', '_iterations", 50'}}

walkthroughs.devices = {
  varies = true, -- the chunks
  check = {{steps = "1", changes = few_iterations, size = "7"}, {steps = "2-4", size = "product=17,nbody=37,sum=4099"}},
  count = {{steps = "1", changes = few_iterations, size = "9"}, {steps = "2-4", size = "product=33,nbody=67,sum=4099"}},
  verify = {{on = "two", sizes = {"1"}, set = {"with=alike"}}, {on = "two", sizes = {"45"}},
            {on = "both", device = "1:0", sizes = {"45"}, set = every_device}},
  on_fault = {on = "both", size = "120", set = every_device},
  {"01_mandelbrot", faults = {{"item * stride % height;", "item;", says = "took %d+ steps, should take %d+"}}},
  {"02_product", faults = {{"i = first + get_global_id(1)", "i = get_global_id(1)", says = "C%[%d+%]%[%d+%] is"}}},
  {"03_nbody", faults = {{"place.w = own.w;", "place.w = 0;", says = "the fourth number of the position"}}},
  {"04_sum", faults = {{"i = block * (ulong)BLOCK + here", "i = block * (ulong)BLOCK + here + 1",
                        says = "the sum is"}}},
}

-- ---- amd ----

local tail_left_out = {"first < count; first += size", "first + size < count; first += size"}

-- On the simulator, where groups of 256 bodies or sums of 64 numbers take seconds at any size.
local function of_amd(size)
  return {
    {steps = "1-16,20-33,35-38", size = size},
    {steps = "17-19", changes = {{'_group", 256', '_group", 8'}}, size = "21"},
    {steps = "34", changes = {{"WORDS, ROUNDS = 2048, 64", "WORDS, ROUNDS = 256, 8"}}, size = "131"},
  }
end

local in_groups_of_8, by_pocl = {set = {"group=8"}}, {on = "pocl", size = "40003"}
local in_registers, beyond = {on = "pocl", size = "transpose=45x4301"}, {on = "pocl", size = "nbody=41"}

local beyond_faults = {{"j < count; j += PARTS", "j + 1 < count; j += PARTS"},
                       {"first_own + w < count; w++", "first_own + w + 1 < count; w++"}}

-- Heights of transposition around whole strips of 64 and 128 rows, with and without the 16 rows after them; widths
-- around blocks. In the highest one an item moves several strips. Oclgrind's device cannot be divided, a chain takes it
-- minutes, and bytes overflow in large groups only.
walkthroughs.amd = {
  check = of_amd("mapping=17x9x19,transpose=37x29,occupancy=259,vectors=259,nbody=21,extensions=65,memory=131,"
    .. "devices=90"),
  count = of_amd("mapping=33x17x9,transpose=67x35,occupancy=515,vectors=515,nbody=35,extensions=257,memory=131,"
    .. "devices=90"),
  verify = {
    {on = "oclgrind", steps = "1-16,20-26,30-36", sizes = {"1"}},
    {on = "oclgrind", steps = "1-14", sizes = {"mapping=7x13x5,transpose=1x77,occupancy=2049,vectors=15",
                                               "mapping=300x1x2,transpose=77x1,occupancy=31,vectors=16"}},
    {on = "oclgrind", steps = "17-19", sizes = {"1", "6", "41"}, set = {"group=6"}},
    {on = "two", sizes = {"mapping=67,transpose=67,occupancy=67,vectors=67,nbody=1001,extensions=5003,memory=5003,"
      .. "devices=5003"}},
    {on = "two", steps = "27,28,37,38", sizes = {"1"}},
    {on = "pocl", steps = "8d", sizes = {
      "transpose=16x16", "transpose=15x127", "transpose=33x128", "transpose=17x143", "transpose=16x144",
      "transpose=31x145", "transpose=530x79", "transpose=257x272", "transpose=1x300", "transpose=70x4210"}},
    {on = "rusticl", steps = "9,16,23,24,28,31,34,36", sizes = {"67"}},
  },
  on_fault = {on = "oclgrind", size = "45"}, race = "40",
  {"01_rows_first", faults = {{"k < K; k++", "k + 1 < K; k++"}}},
  {"02_columns_first", faults = {{"column >= N", "column + 1 >= N"}}},
  {"03_copy", faults = {{"x < width && y < height", "x < width && y + 1 < height"}}},
  {"04_reads_consecutive", faults = {{"to[x * height + y]", "to[y * width + x]"}}},
  {"05_writes_consecutive", faults = {{"= from[y * width + x];", "= from[y * width + (x == 40 ? 39 : x)];"}}},
  {"06_local_tile", faults = {{"= tile[column * side + line];", "= tile[line * side + column];"}},
   races = {{BARRIER, ""}}},
  {"07_padded_tile",
   faults = {{"= tile[column * stride + line];", "= tile[column * stride + (left == 16 ? 0 : line)];"}},
   races = {{BARRIER, ""}}},
  {"08_block_per_item", faults = {{"to[(left + line)", "if (line != 12) to[(left + line)"}}, races = {{BARRIER, ""}}},
  {"08b_long_tiles", faults = {
    {"left + x < width && top + row < height", "left + x < width && top + row + 1 < height"},
    {"= tile[row * (WIDE + 1) + x];", "= tile[row * (WIDE + 1) + x] + (left == 0 && x == 5);"},
   }, races = {{BARRIER, ""}}},
  {"08c_aligned_runs", faults = {
    {"= tile[(shift + row) * (WIDE + 1) + x];", "= tile[row * (WIDE + 1) + x];"},
    {"row < shift &&", "row + 1 < shift &&"}, {"top + shift + row < height)", "top + shift + row + 1 < height)"},
   }, races = {{BARRIER, ""}}},
  {"08d_in_registers", skipped = "for CPUs", faults = all_with(in_registers, {
    {"first = y == 0 ? 0 : shift", "first = shift"}, {"for (; k < stop; k++)", "for (; k + 1 < stop; k++)"},
    {"0, row + TALL), 0, row", "0, row + TALL), 0, row + 1"},
  })},
  {"09_occupancy", faults = {{"= tile[there];", "= tile[get_local_size(0) == 256 ? here : there];"}},
   races = {{BARRIER, ""}}},
  {"10_copy_float", faults = {{"to[i] = from[i];", "to[i] = from[i] + (i == 40);"}}},
  {"11_copy_float2", faults = {in_kernel("rest < count;", "rest + 1 < count;")}},
  {"12_copy_float4", faults = {in_kernel("to%[i%] = from%[i%];", "to[i] = from[i].yxzw;")}},
  {"13_copy_float8", faults = {in_kernel("= from%[i%];", "= from[i] * (i != 2);"),
                               in_kernel("rest < count;", "rest + 1 < count;")}},
  {"14_copy_float16", faults = {in_kernel("rest = i %* WIDTH;", "rest = i * WIDTH + 1;")}},
  {"15_nbody_host", no_kernel = true,
   faults = {{"checked:step_on_host(loop)", "checked:step_on_host(loop) checked.found.velocity[5] = 0"}}},
  {"16_nbody_global", faults = {
    {"j < count; j++", "j + 1 < count; j++"}, {"uint j = 0;", "uint j = 1;"},
    {"    new_velocity[i] = faster;", "    if (i != 17)\n        new_velocity[i] = faster;"},
    {"0.5f * step * step", "step * step"}, {"faster.w = speed.w;", ""}, {"        now, later = later, now\n", ""},
  }},
  {"17_nbody_local", faults = all_with(in_groups_of_8, {
    tail_left_out,
    {"first + here < count ? position[first + here]", "first + here < count && first != 16 ? position[first + here]"},
    {"first + here < count ? position[first + here]", "first + here + 1 < count ? position[first + here]"},
    {"k < size; k++", "k + 1 < size; k++"},
   }), races = {no_barrier "position[first + here] : (float4)(0);\n",
            lists.joined(no_barrier "        }\n", {{'_group", 256', '_group", 8'}})}},
  {"18_nbody_unrolled", faults = all_with(in_groups_of_8, {
    tail_left_out, {"k + 4 <= size; k += 4", "k + 8 <= size; k += 8"}, {"tile[k + 3]", "tile[k + 2]"},
  })},
  {"19_nbody_vectors", faults = all_with(in_groups_of_8, {
    tail_left_out, {"vload4(k, mass)", "vload4(0, mass)"}, {"dot(pull_z, (float4)(1))", "pull_z.x"},
  })},
  {"20_nbody_beyond", faults = all_with(beyond, beyond_faults)},
  {"20b_nbody_instructions", faults = all_with(beyond, beyond_faults)},
  {"21_extensions", faults = {{"out[0] = 21;", "out[0] = 22;"}}},
  {"22_atomics_global", faults = {{"i < count; i +=", "i + 1 < count; i +="},
                                  {"atomic_inc(&bins[value]);", "bins[value] = 1;", size = "5003"}},
   races = {{"atomic_inc(&bins[value]);", "bins[value]++;", size = "300"}}},
  {"23_atomics_local", faults = all_with({size = "5003"}, {
    {"i < count; i +=", "i + 1 < count; i +="}, {"atomic_add(&bins[k]", "atomic_xchg(&bins[k]"},
    {"own[k] = 0;", "own[k] = 1;"},
   }), races = {{BARRIER .. "    for (uint i", "    for (uint i", size = "300"}}},
  {"24_atomics_64", skipped = "the device has no cl_khr_int64_base_atomics", faults = all_with({size = "5003"}, {
    {"atom_add(&results[0], sum);", "atom_add(&results[0], sum & 0xFFFFF);"},
    {"atom_max(&results[1], largest);", "results[1] = get_local_id(0) == 0 ? largest / 2 : 0;"},
   }), races = {{"atom_add(&results[0], sum);", "results[0] += sum;", size = "300"}}},
  {"25_fp64", skipped = "the device has no cl_khr_fp64", faults = {
    {"REAL = type_name,", "REAL = \"float\","}, {"* (REAL)(0.5)", "* (REAL)(0.5 + 1e-15)"},
  }},
  {"26_byte_stores", faults = all_with(by_pocl, {
    {"items * 255 + here;\n    for (uint k = 0; k < 255; k++)",
     "items * 256 + here;\n    for (uint k = 0; k < 256; k++)"},
    {"k < items; k++)\n            sum", "k + 1 < items; k++)\n            sum"}, {"i < count)", "i + 1 < count)"},
   }), races = {{BARRIER, "", size = "300"}}},
  {"27_fission_equally", skipped = "cannot be divided equally", faults = all_with(by_pocl, {
    {"uint steps = 0;", "uint steps = get_global_id(0) == 4000;"}, {"* 3 + 2;\n    while", "* 3;\n    while"},
  })},
  {"28_fission_by_counts", skipped = "cannot be divided by counts", faults = all_with(by_pocl, {
    {"x = 5 * x + 1;", "x = 5 * x + 3;"}, {"k < rounds; k++", "k + 1 < rounds; k++"},
  })},
  {"29_fission_by_cache", skipped = "cannot be divided by affinity domain"},
  {"30_image_writes", faults = all_with({size = "5003"}, {
    {"(int4)(x, y, z, 0)", "(int4)(x, y, 0, 0)"}, {"x + 1000 * y + 1000000 * z));", "x + 1000 * y));"},
  })},
  {"31_half", faults = all_with({size = "5003"}, {
    {"    vstore_half_rte(", "    vstore_half_rtz("}, {"i, to);", "i + (i == 77), to);"},
  })},
  {"32_printf", faults = {{"id * factor, id * factor,", "id * factor, id + factor,"},
                          {"get_global_id(0);", "get_global_id(0) / 2;"}}},
  {"33_stride_global", faults = all_with({size = "700"}, {
    {"row < rows && at < count", "row < rows && at < count - 1"}, {"= from[at];", "= from[at / 2];"},
  })},
  {"34_stride_local", faults = all_with({size = "700"}, {
    {"k < ROUNDS; k++", "k < ROUNDS - 1; k++"}, {"get_global_id(0) < count)", "get_global_id(0) < count - 1)"},
  })},
  {"35_page_locked", no_kernel = true, faults = all_with({size = "700"}, {
    {"queue:write_buffer(buffer, host)\n", "queue:write_buffer(buffer, host, {count = #host - 1})\n"},
    {"queue:read_buffer(buffer, host)\n", "queue:read_buffer(buffer, host, {count = #host - 1})\n"},
  })},
  {"36_image_or_buffer", faults = all_with({size = "700"}, {
    {"clamp(y + dy, 0, height - 1)", "clamp(y + dy, 1, height - 1)"}, {"(int2)(x + dx, y + dy)", "(int2)(x + dx, y)"},
  })},
  {"37_cpu_vectoriser", skipped = "only PoCL's CPU devices", faults = all_with({on = "two", size = "700"}, {
    {"STEPS_64 STEPS_64 STEPS_64 STEPS_64\n", "STEPS_64 STEPS_64 STEPS_64 STEPS_16\n"},
    {"if (i < count) {", "if (i < count - 1) {"},
  })},
  {"38_several_devices", skipped = "one device of this kind only", faults = all_with({on = "two", size = "700"}, {
    {"k < rounds; k++", "k < rounds - (first > 0); k++"}, {"uint x = first + i;", "uint x = i;"},
  })},
}

return walkthroughs
