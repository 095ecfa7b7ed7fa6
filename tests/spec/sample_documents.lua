--- Documents like those of `clue walk --json`, `clue peak --json` and `clue tune`, for specs of their readers: two
-- devices, three walkthroughs, steps that failed, were skipped or are wrong, huge figures, long kernels, and text that
-- looks like HTML.
local median = require("clue.timing.statistics").median

local sample = {}

local seed

-- The minimal standard generator, so that the documents are the same everywhere.
local function random()
  seed = (seed * 16807) % 2147483647
  return seed / 2147483647
end

local function times(middle, count, noise)
  local list = {}
  for i = 1, count do list[i] = middle * (1 + (noise or 0.02) * (random() - 0.3)) end
  return list
end

local devices = {
  {ordinal = 0, address = "0:0", name = "pthread-skylake-avx512-AMD EPYC <9V74> & \"friends\"", kind = "cpu",
   platform = "Portable Computing Language", platform_version = "OpenCL 3.0 PoCL 3.1", driver = "3.1+debian",
   version = "OpenCL 3.0", loader = "ocl-icd 2.3.1", compute_units = 2, mhz = 2600, why = "the only CPU device",
   peak = {format = "clue peak 1", flops = {float = 145e9, double = 71e9, int = 52e9},
           bandwidth = {read = 21e9, write = 14e9, copy = 17e9}, local_bandwidth = 90e9}},
  {ordinal = 1, address = "1:0", name = "NVIDIA H200", kind = "gpu", platform = "NVIDIA CUDA",
   platform_version = "OpenCL 3.0 CUDA 12.8", driver = "570.86.15", version = "OpenCL 3.0", loader = "ocl-icd 2.3.1",
   compute_units = 132, mhz = 1980, why = "named by --device",
   peak = {format = "clue peak 1", flops = {float = 6.02e13, double = 3.1e13, int = 3e13, half = 6.1e13},
           bandwidth = {read = 4.1e12, write = 3.4e12, copy = 3.8e12}, local_bandwidth = 2.6e13}},
}

local function copy(value)
  if type(value) ~= "table" then return value end
  local result = {}
  for key, entry in pairs(value) do result[key] = copy(entry) end
  return result
end

local function facts(on)
  return {{property = "CL_DEVICE_LOCAL_MEM_TYPE", value = on.kind == "gpu" and "LOCAL" or "GLOBAL"},
          {property = "CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT", value = on.kind == "gpu" and 1 or 16}}
end

local function row_times(total, work, rate, count, noise)
  local result = {upload = times(total * 0.05, count, noise), kernel = times(total * 0.9, count, noise),
                  read = times(total * 0.1, count, noise), total = times(total, count, noise), clock = "device",
                  rate = rate, runs = count}
  for name, value in pairs(work) do result[name] = value end
  return result
end

local function host(seconds, extrapolated)
  return {name = "serial loop", compiler = "gcc 12.2.0 -O3", times = {seconds}, seconds = seconds,
          extrapolated = extrapolated}
end

-- ---- a matrix product in steps ----

local product_steps = {
  {1, "loops", "the host's loops", "for (int k = 0; k < K; k++)\n    sum += a[i * K + k] * b[k * N + j];"},
  {2, "one_item_per_element", "two loops become the range: one work-item per element of C", [[
/* one item & one element: a < b, "c" > d */
__kernel void product(__global const float *a, __global const float *b, __global float *c)
{
    const int row = get_global_id(0), column = get_global_id(1);
    c[row * N + column] = 0;
    for (int k = 0; k < K; k++)
        c[row * N + column] += a[row * K + k] * b[k * N + column];
}
]]},
  {3, "sum_local", "the sum is kept in a private variable </script><script>alert(1)</script>", [[
__kernel void product(__global const float *a, __global const float *b, __global float *c)
{
    const int row = get_global_id(0), column = get_global_id(1);
    float sum = 0.0f; // one store at the end </script>
    for (int k = 0; k < K; k++)
        sum += a[row * K + k] * b[k * N + column];
    c[row * N + column] = sum;
}
]]},
  {4, "tiles", "tiles of both inputs in local memory", nil},
  {5, "doubles", "the same in double"},
  {6, "endless", "a step made to loop for ever"},
  {7, "wrong", "a step made to give a wrong result"},
  {8, "as_before", "nothing that should matter"},
}

local function long_kernel()
  local lines = {"#define TILE 16", "__kernel void product(__global const float *a, __global const float *b,",
                 "                      __global float *c) {", "    __local float tile[TILE][TILE + 1];"}
  for i = 1, 120 do
    lines[#lines + 1] = ("    sum = mad(a[row * K + %d], b[%d * N + column], sum); // %s"):format(i, i,
      ("unrolled "):rep(i % 5 * 4))
  end
  lines[#lines + 1] = "    barrier(CLK_LOCAL_MEM_FENCE);\n    c[row * N + column] = sum;\n}\n"
  return table.concat(lines, "\n")
end

local product_factors = {1, 0.5, 0.2, 0.05, 0.1, 1, 1, 0.0499}

local function finish_product_row(row, previous)
  if row.number == 5 then
    row.skipped, row.times, row.check, row.problem = "no fp64", nil, nil, nil
  elseif row.number == 6 then
    row.failed = {word = "time limit", text = "was stopped after 300 s: it did not end",
                  lines = {"last it said <nothing> & less"}}
    row.times, row.check = nil, nil
  elseif row.number == 7 then
    row.check = {verified = false, text = "exact on whole numbers: C[3][5] is 17, should be <18>"}
  elseif previous then
    local part = previous.times.kernel and "kernel" or "total"
    row.gain = {over = previous.number, part = part, before = copy(previous.times[part]), now = copy(row.times[part]),
                pairs = 7}
    row.gain.ratio = median(row.gain.before) / median(row.gain.now)
    row.gain.low, row.gain.high = row.gain.ratio * 0.97, row.gain.ratio * 1.04
  end
end

local function product_row(step, on, scale)
  local size = on.kind == "gpu" and 4096 or 480
  local flops = 2 * size ^ 3
  local base = flops / (on.kind == "gpu" and 4e11 or 1.5e9) * scale
  local row = {number = step[1], name = step[2], change = step[3],
    problem = ("A %d x %d times B %d x %d, float"):format(size, size, size, size),
    size = {m = size, k = size, n = size}, type = "float",
    published = {{on = "CPU", seconds = 3.7 / step[1], rate = 4.257 * step[1]},
                 {on = "Radeon HD 4870", seconds = 1.3 / step[1], rate = 12.066 * step[1], unit = "GFLOPS",
                  ratio = 69.5, computed = step[1] % 2 == 0 or nil}},
    check = {verified = true, text = "exact on whole numbers, six sigma on the author's inputs"},
    times = row_times(base * product_factors[step[1]], {flops = flops, bytes = 3 * 4 * size ^ 2}, "GFLOPS",
      step[1] == 1 and 1 or 7, step[1] == 3 and 0.8 or 0.02),
    host = host(flops / 1.1e9, on.kind == "gpu"), device = on, facts = facts(on),
    notes = step[1] == 3 and {"finding: the published kernel reads <past its end>; mended here"} or {}}
  if step[1] == 1 then
    row.device = nil
    row.times = {total = {flops / 1.1e9}, flops = flops, runs = 1, extrapolated = on.kind == "gpu", rate = "GFLOPS"}
    row.beside = {{name = "optimised C on one core", compiler = "gcc -O3 -march=native", times = {flops / 9e9},
                   seconds = flops / 9e9}}
  else
    row.programs = {{source = step[1] == 4 and long_kernel() or step[4] or long_kernel() .. "// again\n",
      options = "-cl-kernel-arg-info -DN=480", kernels = {{name = "product", work_group_size = 1024,
      preferred_work_group_size_multiple = 32, local_mem_size = step[1] == 4 and 1088 or 0, private_mem_size = 96}}}}
  end
  return row
end

local function product_run(on, scale)
  local rows, previous = {}, nil
  for i, step in ipairs(product_steps) do
    rows[i] = product_row(step, on, scale)
    finish_product_row(rows[i], previous)
    if rows[i].times and rows[i].check.verified then previous = rows[i] end
  end
  return {device = on.address, rows = rows}
end

-- ---- copies, in GB/s, in two studies ----

local copies = {
  {1, "read_rows", "transpose", "consecutive reads, scattered writes", 0.2},
  {2, "tile", "transpose", "a tile in local memory", 0.7},
  {3, "padded", "transpose", "the tile padded by one column", 0.9},
  {4, "float1", "vectors", "one float per item", 0.8},
  {5, "float4", "vectors", "four floats per item", 0.95},
}

local function copy_row(step, on, scale)
  local bytes = (on.kind == "gpu" and 2 or 0.03125) * 2 ^ 32
  local row = {number = step[1], name = step[2], study = step[3], change = step[4], problem = "a matrix of floats",
    size = {side = math.sqrt(bytes / 8)}, type = "float", check = {verified = true, text = "every element"},
    published = {{on = "HD 5870", text = "charted, figures not readable"}},
    times = row_times(bytes / (on.peak.bandwidth.copy * step[5]) * scale, {bytes = bytes}, "GB/s", 7), device = on,
    facts = facts(on), notes = {},
    programs = {{source = "kernel void move(global const float *from, global float *to) { /* " .. step[2] .. " */ }\n",
      options = "", kernels = {{name = "move", work_group_size = 256, preferred_work_group_size_multiple = 32,
      local_mem_size = 0, private_mem_size = 0}}}}}
  if step[2] == "padded" then
    row.sweep = {}
    for i, label in ipairs {"8 bodies an item, no tiles <rsqrt>", "16 bodies an item, native_rsqrt"} do
      row.sweep[i] = {label = label, value = i, times = row_times(row.times.total[1] * i, {bytes = bytes}, "GB/s", 5)}
    end
  end
  if step[2] == "tile" then
    row.sweep = {}
    for i, width in ipairs {8, 16, 32, 64, 128} do
      row.sweep[i] = {label = "groups of " .. width, value = width,
        times = row_times(row.times.total[1] * (1 + (i - 3) ^ 2 * 0.2), {bytes = bytes}, "GB/s", 5)}
    end
  end
  return row
end

local function copy_run(on, scale)
  local rows = {}
  for i, step in ipairs(copies) do rows[i] = copy_row(step, on, scale) end
  return {device = on.address, rows = rows}
end

-- ---- extreme figures ----

local function huge_run(on)
  local row = {number = 1, name = "a_step_whose_name_is_longer_than_any_column_of_a_telephone_would_like_it_to_be",
    change = ("and_one_long_word_"):rep(12), problem = "1e9 x 1e9", size = {side = 1e9}, type = "float",
    device = on, facts = {}, published = {{on = "nobody", ratio = 12345678}},
    check = {verified = true, text = "sampled"},
    times = row_times(1e9, {flops = 2e27, bytes = 1.2e19}, "GFLOPS", 3), host = host(1e15, true), notes = {}}
  local tiny = copy(row)
  tiny.number, tiny.name, tiny.times = 2, "tiny", row_times(3e-9, {flops = 2, bytes = 12}, "GFLOPS", 7)
  return {device = on.address, rows = {row, tiny}}
end

local function steps_of(run, text)
  local steps = {}
  for i, row in ipairs(run.rows) do
    steps[i] = {number = row.number, name = row.name,
      text = ("Step %d, %s: %s.\n\n%s Why it should help is written here, in <plain> words & at some length, as the "
        .. "author's article does it, so that the reader need not look it up."):format(row.number, row.name,
        row.change, text)}
  end
  return steps
end

--- A document of `clue walk --json`.
-- @tparam[opt] table how scale: factor of all times (1); seed; devices: how many of the two; only: the name of a single
--   walkthrough
-- @treturn table
function sample.walk(how)
  how = how or {}
  seed = how.seed or 1
  local scale, chosen = how.scale or 1, {}
  for i = 1, how.devices or 2 do chosen[i] = copy(devices[i]) end
  local document = {format = "clue walk 2", clue = "0.4.0", started = "2026-11-21T12:00:00Z",
    finished = "2026-11-21T12:04:31Z", options = {device = "all"}, devices = chosen,
    machine = {system = "Linux 6.1.0-28-amd64 x86_64", processor = "AMD EPYC 9V74 80-Core Processor", cores = 2,
               memory = 24696061952, lua = "LuaJIT 2.1.0-beta3"}, walkthroughs = {}}
  local function add(name, fields, make, text)
    if how.only and how.only ~= name then return end
    fields.name, fields.runs = name, {}
    for i, on in ipairs(chosen) do fields.runs[i] = make(on, scale) end
    fields.steps = steps_of(fields.runs[1], text)
    table.insert(document.walkthroughs, fields)
  end
  add("product", {title = "OpenCL: From Naive Towards <More> Insightful Programming",
    about = "matrix product in ten steps & more", year = 2012, language = "MQL5", author = "A. N. Author",
    hardware = "an OpenCL CPU device ('CPU'), a Radeon HD 4870 ('GPU')", headline = "about 200:1 over the host loop",
    figures = "the author's figures: 2000 x 2000 x 2000, float"}, product_run, "K stores become one.")
  add("copies", {title = "Two studies of memory", about = "transpose and vectors", year = 2010, language = "Chinese",
    author = "a course", hardware = "HD 5870", headline = "both consecutive", figures = ""}, copy_run, "Banks.")
  add("huge", {title = "Out of every range", about = "figures that no machine gives", year = 1999, language = "none",
    author = "nobody", hardware = "none", headline = "none", figures = ""}, huge_run, "Nothing.")
  return document
end

-- A row of a step for a size, `factor` times as long as the sample's speed would make it.
local function swept_row(number, on, size, factor)
  local row = product_row(product_steps[number], on, 1)
  row.times = row_times(2 * size ^ 3 / 1e9 * factor, {flops = 2 * size ^ 3, bytes = 12 * size ^ 2}, "GFLOPS", 7)
  row.size, row.problem = {m = size, k = size, n = size}, ("A %d x %d times B, float"):format(size, size)
  row.host = host(2 * size ^ 3 / 5e8, size > 500)
  return row
end

--- A document of `clue walk --size 256,512,1024 --set tile=8,16 --json`: step 3, and step 4, which has a tile.
-- @tparam[opt] table how scale: factor of the times with tile 16 (1); seed; sizes: a list of texts; without_sizes,
--   without_parameters: one axis only; sides: `--options "" --options -w` instead
-- @treturn table
function sample.sweep(how)
  how = how or {}
  local document = sample.walk {only = "product", devices = 1, seed = how.seed}
  local entry, on = document.walkthroughs[1], document.devices[1]
  entry.runs = {}
  local function add(point, rows) table.insert(entry.runs, {device = on.address, point = point, rows = rows}) end
  local sizes = how.without_sizes and {"512"} or how.sizes or {"256", "512", "1024"}
  for _, text in ipairs(how.sides and {} or sizes) do
    local size = tonumber(text)
    add({size = text}, {swept_row(3, on, size, 1)})
    for _, tile in ipairs(how.without_parameters and {} or {8, 16}) do
      add({size = text, set = {tile = tile}},
        {swept_row(4, on, size, tile == 8 and 0.7 or 0.5 * (how.scale or 1))})
    end
  end
  for i, options in ipairs(how.sides and {"", "-w"} or {}) do
    local row = swept_row(3, on, 512, i == 1 and 1 or 0.8)
    row.gain = i == 2 and {over = "A", part = "kernel", ratio = 1.25, low = 1.2, high = 1.3, pairs = 7} or nil
    add({size = "512", options = options, side = i == 1 and "A" or "B"}, {row})
  end
  entry.sweep = {sizes = not (how.without_sizes or how.sides) and sizes or nil,
    parameters = not (how.without_parameters or how.sides) and {{name = "tile", values = {8, 16}}} or nil,
    options = how.sides and {"", "-w"} or nil}
  return document
end

--- A document of `clue peak --json`.
-- @tparam[opt] table how scale: factor of all times; seed
-- @treturn table
function sample.peak(how)
  how = how or {}
  seed = how.seed or 1
  local scale = how.scale or 1
  local document = {format = "clue peak 1", clue = "0.4.0", started = "2026-11-21T12:00:00Z", machine = {cores = 2},
    device = copy(devices[2]), limits = {}}
  document.device.peak = nil
  local function add(group, name, value, unit)
    local rate = unit ~= "us"
    table.insert(document.limits, {group = group, name = name, unit = unit,
      value = rate and value / scale or value * scale, times = times(0.01 * scale, 7)})
  end
  add("compute", "float4", 60200, "GFLOPS")
  add("compute", "double2", 31000, "GFLOPS")
  add("global", "copy", 3800, "GB/s")
  add("latency", "launch", 4.1, "us")
  return document
end

--- Results of `clue tune`: six configurations, one of which failed.
-- @tparam[opt] table how scale: factor of all times; seed; device: its number of the two (2); name: of the space; best:
--   false if the run ended before the best were measured again; none: whether all failed
-- @treturn table
function sample.tune(how)
  how = how or {}
  seed = how.seed or 1
  local on = copy(devices[how.device or 2])
  on.peak = nil
  local document = {schema_version = "1.0.0", results = {},
    metadata = {timeunit = "milliseconds", device = on.name, framework = "clue 0.4.0"},
    clue = {name = how.name or "tiles", device = on, strategy = "random", seed = 1, started = "2026-11-21T12:00:00Z",
            tune_params = {BLOCK = {8, 16, 32}, VEC = {1, 2}, PAD = {1}}, best = {}}}
  for i = 1, 6 do
    local failed = (how.none or i == 6) and "compile" or nil
    local runtimes = times((how.scale or 1) * (10 - i), 7)
    document.results[i] = {configuration = {BLOCK = 2 ^ (3 + i % 3), VEC = 1 + i % 2, PAD = 1}, objectives = {"time"},
      invalidity = failed or "correct", correctness = 1, times = {runtimes = not failed and runtimes or {}},
      measurements = not failed and {{name = "time", value = runtimes[1], unit = "ms"},
                                     {name = "GFLOPS", value = 100 / runtimes[1], unit = ""}} or {},
      clue = {seconds_into_run = i, failure = failed and "no room"}}
  end
  for i = 1, (how.none or how.best == false) and 0 or 2 do
    local runtimes = times((how.scale or 1) * (4 + i), 15)
    document.clue.best[i] = {configuration = document.results[6 - i].configuration, time = (how.scale or 1) * (4 + i),
      runtimes = runtimes, metrics = {GFLOPS = 100 / (how.scale or 1) / (4 + i)}, ratio = (4 + i) / 5,
      ratio_low = (4 + i) / 5, ratio_high = (4 + i) / 5}
  end
  return document
end

--- Writes a document into a file.
-- @tparam table|string document a text is written as it is
-- @tparam[opt] string path a new temporary file if nil
-- @treturn string its path
function sample.file(document, path)
  local support = require "support"
  return support.write(type(document) == "string" and document or require("dkjson").encode(document),
    path or support.temporary ".json")
end

--- A row of a document.
-- @tparam table document
-- @tparam int walkthrough
-- @tparam int run
-- @tparam int step
-- @treturn table
function sample.row(document, walkthrough, run, step)
  return document.walkthroughs[walkthrough].runs[run].rows[step]
end

return sample
