--- Kernels that make random numbers, for @{clue.compute.random}: Philox4x32-10, the counter-based generator of Salmon,
-- Moraes, Dror and Shaw (Parallel Random Numbers: As Easy as 1, 2, 3; 2011). A block of four words is a function of its
-- number and the key, so each work-item makes blocks of its own.
-- @module clue.compute.random_source
local source = require "clue.compute.source"
local types = require "clue.compute.types"

local random_source = {}

--- The generator: clue_philox(words, key_0, key_1) turns the four words of a counter into those of its block.
-- NVIDIA's compiler multiplies twice, for each half of a product, unless it is given the instruction that makes both.
random_source.philox = [[
ulong clue_product(const uint a, const uint b) {
#ifdef __NV_CL_C_VERSION
  ulong product;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(product) : "r"(a), "r"(b));
  return product;
#else
  return (ulong)a * b;
#endif
}
void clue_round(uint *word_0, uint *word_1, uint *word_2, uint *word_3, const uint key_0, const uint key_1) {
  const ulong of_0 = clue_product(*word_0, 0xd2511f53u), of_2 = clue_product(*word_2, 0xcd9e8d57u);
  *word_0 = (uint)(of_2 >> 32) ^ *word_1 ^ key_0;
  *word_1 = (uint)of_2;
  *word_2 = (uint)(of_0 >> 32) ^ *word_3 ^ key_1;
  *word_3 = (uint)of_0;
}
void clue_philox(uint *words, uint key_0, uint key_1) {
  for (int round = 0; round < 10; round++) {
    clue_round(words, words + 1, words + 2, words + 3, key_0, key_1);
    key_0 += 0x9e3779b9u;
    key_1 += 0xbb67ae85u;
  }
}]]

-- What becomes of a block's words. Each has the parameters that its kernel takes besides those of all, their names, and
-- clue_numbers(words, made, ...), which makes the elements of the block.
local numbers = {}

numbers.interval = {
  parameters = "const REAL first, const REAL width, const REAL scale, const REAL least, const REAL most",
  names = "first, width, scale, least, most", code = [[
void clue_numbers(const uint *words, REAL *made, PARAMETERS) {
  for (int k = 0; k < EACH; k++) {
    const REAL value = (first + UNIT * width) * scale;
    made[k] = KEPT;
  }
}]]}

numbers.whole = {parameters = "const TYPE low, const TYPE high", names = "low, high", code = [[
void clue_numbers(const uint *words, TYPE *made, PARAMETERS) {
  const uint span = (uint)high - (uint)low + 1; // 0: each word as it is
  for (int k = 0; k < EACH; k++)
    made[k] = (TYPE)((uint)low + (SPANNED ? (uint)((ulong)words[k] * span >> 32) : words[k]));
}]]}

numbers.whole_64 = {parameters = "const TYPE low, const TYPE high", names = "low, high", code = [[
void clue_numbers(const uint *words, TYPE *made, PARAMETERS) {
  const ulong span = (ulong)high - (ulong)low + 1;
  for (int k = 0; k < EACH; k++)
    made[k] = (TYPE)((ulong)low + mul_hi(words[2 * k] | (ulong)words[2 * k + 1] << 32, span));
}]]}

-- Box and Muller's method: two numbers above 0 and up to 1 become two normal ones.
numbers.normal = {parameters = "const REAL mean, const REAL deviation", names = "mean, deviation", code = [[
LOGARITHM
void clue_pair(const REAL number, const REAL turn, REAL *made, PARAMETERS) {
  const REAL radius = sqrt(-2 * clue_log(number));
  made[0] = mean + deviation * radius * cospi(2 * turn);
  made[1] = mean + deviation * radius * sinpi(2 * turn);
}
void clue_numbers(const uint *words, REAL *made, PARAMETERS) {
PAIRS
}]]}

-- PoCL's own logarithm takes a hundred times as long as all the rest. So CPUs get a series: m * 2^e is the number, with
-- m from sqrt(1/2) up to sqrt(2), and log(m) = 2 atanh((m - 1) / (m + 1)).
local logarithms = {
  cpu = [[
REAL clue_log(const REAL number) {
  const BITS bits = as_BITS(number);
  const int e = (int)((SIGNED)(bits - SQRT_HALF) >> FRACTION);
  const REAL m = as_REAL(bits - ((BITS)e << FRACTION)), s = (m - 1) / (m + 1), square = s * s;
  return e * (REAL)0.693147180559945309417 + 2 * s * (SERIES);
}]],
  gpu = [[
REAL clue_log(const REAL number) {
  return log(number);
}]],
}

-- In a loop, PoCL would not vectorise the series.
local function atanh_series(terms, type_name)
  local text = ""
  for term = terms - 1, 1, -1 do text = (" + square * ((%s)1 / %d%s)"):format(type_name, 2 * term + 1, text) end
  return "1" .. text
end

local float_words = {
  REAL = "float", UNIT = "((float)(words[k] >> 8) * 0x1p-24f)", KEPT = "max(min(value, most), least)",
  PAIRS = [[
  clue_pair((float)words[0] * 0x1p-32f + 0x1p-33f, (float)words[1] * 0x1p-32f, made, NAMES);
  clue_pair((float)words[2] * 0x1p-32f + 0x1p-33f, (float)words[3] * 0x1p-32f, made + 2, NAMES);]],
  BITS = "uint", SIGNED = "int", as_BITS = "as_uint", as_REAL = "as_float", SQRT_HALF = "0x3f3504f3u", FRACTION = "23",
  SERIES = atanh_series(5, "float"),
}
local double_words = {
  REAL = "double", UNIT = "((double)words[2 * k + 1] * 0x1p-32 + (double)(words[2 * k] >> 11) * 0x1p-53)",
  KEPT = "value < least ? least : value < most ? value : most", -- quicker than min and max of double on NVIDIA
  PAIRS = [[
  clue_pair(((double)words[1] * 0x1p-32 + (double)(words[0] >> 11) * 0x1p-53) + 0x1p-54,
            (double)words[3] * 0x1p-32 + (double)(words[2] >> 11) * 0x1p-53, made, NAMES);]],
  BITS = "ulong", SIGNED = "long", as_BITS = "as_ulong", as_REAL = "as_double", SQRT_HALF = "0x3fe6a09e667f3bcdul",
  FRACTION = "52", SERIES = atanh_series(11, "double"),
}

-- An element as it is stored: a half is rounded to its bits.
local stored = {
  plain = [[
TYPE clue_stored(const TYPE value) {
  return value;
}]],
  half = [[
ushort clue_stored(const float value) {
  ushort bits;
  vstore_half_rte(value, 0, (half *)&bits);
  return bits;
}]],
}

-- A run of elements is one work-item's: whole blocks. Those before the first whole run and behind the last are left to
-- the first work-items. Whole runs need no check, so compilers vectorise their loop.
local kernel = [[
void clue_block(uint *words, const long block, const uint key_0, const uint key_1) {
  words[0] = (uint)block;
  words[1] = (uint)(block >> 32);
  words[2] = 0;
  words[3] = 0;
  clue_philox(words, key_0, key_1);
}
void clue_some(global STORED *clue_out, const long at, const long begin, const long end, const uint key_0,
               const uint key_1, PARAMETERS) {
  for (long i = begin + get_global_id(0); i < end; i += get_global_size(0)) {
    uint words[4];
    MADE made[EACH];
    clue_block(words, i / EACH, key_0, key_1);
    clue_numbers(words, made, NAMES);
    clue_out[i + at] = clue_stored(made[i % EACH]);
  }
}
kernel void NAME(global STORED *clue_out, const long at, const long begin, const long end, const uint key_0,
                 const uint key_1, const long step, PARAMETERS) {
  const long head = (begin + RUN - 1) / RUN, tail = end / RUN, front = min(head * RUN, end);
  clue_some(clue_out, at, begin, front, key_0, key_1, NAMES);
  clue_some(clue_out, at, max(tail * RUN, front), end, key_0, key_1, NAMES);
LOOP
}]]

local LANES = 64

-- CPUs make LANES blocks side by side, which compilers vectorise. Their runs are single blocks.
local loops = {
  cpu = [[
  long block = head + get_global_id(0) * step;
  const long stop = min(block + step, tail);
  for (; block + LANES <= stop; block += LANES) {
    uint clue_0[LANES], clue_1[LANES], clue_2[LANES], clue_3[LANES], round_0 = key_0, round_1 = key_1;
    for (int lane = 0; lane < LANES; lane++) {
      clue_0[lane] = (uint)(block + lane);
      clue_1[lane] = (uint)((block + lane) >> 32);
      clue_2[lane] = clue_3[lane] = 0;
    }
    for (int round = 0; round < 10; round++) {
      for (int lane = 0; lane < LANES; lane++)
        clue_round(clue_0 + lane, clue_1 + lane, clue_2 + lane, clue_3 + lane, round_0, round_1);
      round_0 += 0x9e3779b9u;
      round_1 += 0xbb67ae85u;
    }
    for (int lane = 0; lane < LANES; lane++) {
      const uint words[4] = {clue_0[lane], clue_1[lane], clue_2[lane], clue_3[lane]};
      MADE made[EACH];
      clue_numbers(words, made, NAMES);
      for (int k = 0; k < EACH; k++) clue_out[EACH * (block + lane) + k + at] = clue_stored(made[k]);
    }
  }
  for (; block < stop; block++) {
    uint words[4];
    MADE made[EACH];
    clue_block(words, block, key_0, key_1);
    clue_numbers(words, made, NAMES);
    for (int k = 0; k < EACH; k++) clue_out[EACH * block + k + at] = clue_stored(made[k]);
  }]],
  -- Work-items write 16 bytes at once where these are aligned.
  gpu = [[
  const bool is_aligned = (size_t)(clue_out + at) % 16 == 0;
  for (long run = head + get_global_id(0); run < tail; run += step) {
    STORED clue_run[RUN];
#pragma unroll
    for (int block = 0; block < RUN / EACH; block++) {
      uint words[4];
      MADE made[EACH];
      clue_block(words, run * (RUN / EACH) + block, key_0, key_1);
      clue_numbers(words, made, NAMES);
      for (int k = 0; k < EACH; k++) clue_run[EACH * block + k] = clue_stored(made[k]);
    }
    if (is_aligned)
      ((global VECTOR *)(clue_out + at))[run] = (VECTOR)(PACKED);
    else {
#pragma unroll
      for (int k = 0; k < RUN; k++) clue_out[RUN * run + k + at] = clue_run[k];
    }
  }]],
}

-- The elements of 16 bytes as those of a vector: of numbers of 4 or 8 bytes; or of uint, each of which has several.
local function packed(count, bytes)
  local words = {}
  for k = 0, count - 1 do
    local word, place = math.floor(k * bytes / 4), k * bytes % 4 * 8
    if bytes >= 4 then
      words[k + 1] = ("clue_run[%d]"):format(k)
    else
      local part = ("(uint)(%s)clue_run[%d] << %d"):format(bytes == 1 and "uchar" or "ushort", k, place)
      words[word + 1] = words[word + 1] and words[word + 1] .. " | " .. part or part
    end
  end
  return table.concat(words, ", ")
end

local function kind_of(type_name, distribution)
  if distribution == "normal" then return numbers.normal end
  if types.is_real(type_name) then return numbers.interval end
  return types.bytes(type_name) == 8 and numbers.whole_64 or numbers.whole
end

local function words_of(type_name, distribution, form)
  local bytes, of, is_half = types.bytes(type_name), kind_of(type_name, distribution), type_name == "half"
  local each = bytes == 8 and 2 or 4
  local run = form == "gpu" and math.floor(16 / bytes) or each
  return {TYPE = type_name, MADE = is_half and "float" or type_name, STORED = is_half and "ushort" or type_name,
          EACH = each, RUN = run, VECTOR = bytes < 4 and "uint4" or type_name .. run, PACKED = packed(run, bytes),
          NAME = "random_" .. type_name, NAMES = of.names, PARAMETERS = of.parameters, LANES = LANES,
          LOOP = loops[form], LOGARITHM = logarithms[form], SPANNED = bytes < 4 and "true" or "span"}
end

--- Builds the kernel of a type and a distribution.
-- @tparam context context
-- @tparam string type_name "float"
-- @tparam string distribution "uniform" or "normal"
-- @tparam string form "cpu" or "gpu"
-- @treturn kernel which takes the memory; the place there of the sequence's element 0; the first element, and that
--   behind the last; the key's two words; a CPU's runs for each work-item, or a GPU's work-items; and the numbers of
--   the distribution
-- @treturn number the elements of a run
function random_source.build(context, type_name, distribution, form)
  local of, words = kind_of(type_name, distribution), words_of(type_name, distribution, form)
  for name, word in pairs(type_name == "double" and double_words or float_words) do words[name] = word end
  local function filled(code)
    local before
    repeat before, code = code, code:gsub("%f[%w_][as_]*%u[%u_]+%f[^%w_]", words) until code == before
    return code
  end
  local text = source.new(words.NAME)
  text:add(type_name == "double" and types.extension "double" or ""):add "#pragma OPENCL FP_CONTRACT OFF"
  text:add(random_source.philox):add(filled(of.code)):add(filled(stored[type_name == "half" and "half" or "plain"]))
  text:add(filled(kernel))
  return text:build(context):kernel(words.NAME), words.RUN
end

return random_source
