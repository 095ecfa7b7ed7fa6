--- The kernel of context:scan in the form "vectors", for CPUs: named operations on numbers, several in a vector.
--
-- A work-item takes the next tile of the elements, adds it up, publishes the sum of everything up to the tile's end,
-- and then scans the tile, which its core's cache holds by then. So memory is read once, not twice as in "chunks".
-- Results of which the caches could keep only a part go past them: memory need not be read before a line of it is
-- written.
--
-- A tile needs the sum of those before it. If this does not appear for a while, its thread may be suspended: so the
-- work-item that waits adds up the missing tiles itself. Nothing waits for progress of another group, and the sums are
-- the same, whoever publishes them. Atomics order all that: a tile is published before it is written, so what has been
-- added up of a tile that is still not published afterwards was not yet overwritten by a scan in place. (OpenCL C 1.2
-- does not promise this order; CPUs' drivers make full barriers of its atomics.)
-- @module clue.compute.scan_vectors
local source = require "clue.compute.source"
local types = require "clue.compute.types"

local scan_vectors = {}

local TILE = 131072 -- bytes: they stay in a core's second cache
local PATIENCE = 1000 -- looks at what is missing, longer than a tile takes

-- Operations of vectors: functions of PoCL's take more instructions. NaN, which loses to any number, becomes the
-- identity as it is read.
local LESSER, GREATER = "b < a ? b : a", "a < b ? b : a"
local OF_VECTORS = {
  ["min(a, b)"] = LESSER, ["max(a, b)"] = GREATER, ["fmin(a, b)"] = LESSER, ["fmax(a, b)"] = GREATER,
}

local MASKS = {"uchar", "ushort", nil, "uint", nil, nil, nil, "ulong"} -- by bytes

local pattern = [[
typedef $ITEM clue_item;
typedef $ITEM$WIDTH clue_vector;
typedef union { clue_item item; uint bits[$WORDS]; } clue_words;
typedef union { clue_vector vector; clue_item items[$WIDTH]; } clue_lanes;

static clue_item clue_identity(void) { return $IDENTITY; }
static clue_item clue_combine(const clue_item a, const clue_item b) { return $OPERATION; }
static clue_vector clue_combine_all(const clue_vector a, const clue_vector b) { return $OF_VECTORS; }

#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define clue_mix(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#endif
#if __has_builtin(__builtin_nontemporal_store)
#define clue_store_past(value, to) __builtin_nontemporal_store(value, to)
#endif
#endif
#ifndef clue_mix
#define clue_mix(a, b, ...) shuffle2(a, b, ($MASK$WIDTH)(__VA_ARGS__))
#endif
#define clue_store(value, to) (*(to) = (value))
#ifndef clue_store_past
#define clue_store_past clue_store
#endif

static clue_vector clue_load(global const clue_item *x, const clue_vector none)
{
  const clue_vector v = vload$WIDTH(0, x);
  return $LOADED;
}

static clue_item clue_sum(global const clue_item *x, const long begin, const long end)
{
  const clue_vector none = clue_identity();
  clue_vector sums[4] = {none, none, none, none};
  long i = begin;
  for (; i + 4 * $WIDTH <= end; i += 4 * $WIDTH) {
#pragma unroll
    for (int k = 0; k < 4; k++)
      sums[k] = clue_combine_all(sums[k], clue_load(x + i + k * $WIDTH, none));
  }
  clue_lanes lanes;
  lanes.vector = clue_combine_all(clue_combine_all(sums[0], sums[1]), clue_combine_all(sums[2], sums[3]));
  clue_item sum = lanes.items[0];
  for (int k = 1; k < $WIDTH; k++)
    sum = clue_combine(sum, lanes.items[k]);
  for (; i < end; i++)
    sum = clue_combine(sum, x[i]);
  return sum;
}

// A tile's place: a mark, and the sum of everything up to the tile's end.
static void clue_publish(volatile global uint *places, const long tile, const clue_item item)
{
  volatile global uint *place = places + 1 + tile * ($WORDS + 1);
  clue_words words;
  words.bits[0] = 0;
  words.item = item;
  for (int k = 0; k < $WORDS; k++)
    atomic_xchg(place + 1 + k, words.bits[k]);
  atomic_xchg(place, 1u);
}

static bool clue_published(volatile global uint *places, const long tile, clue_item *item)
{
  volatile global uint *place = places + 1 + tile * ($WORDS + 1);
  clue_words words;
  if (atomic_or(place, 0u) == 0)
    return false;
  for (int k = 0; k < $WORDS; k++)
    words.bits[k] = atomic_or(place + 1 + k, 0u);
  *item = words.item;
  return true;
}

static clue_item clue_before(global const clue_item *x, const long first, volatile global uint *places,
                             const long tile)
{
  clue_item sum = clue_identity(), found;
  if (tile == 0)
    return sum;
  for (int look = 0; look < $PATIENCE; look++)
    if (clue_published(places, tile - 1, &found))
      return found;
  long from = tile - 1;
  for (; from > 0; from--)
    if (clue_published(places, from - 1, &sum))
      break;
  for (; from < tile; from++) {
    const long begin = first + from * $LENGTH;
    const clue_item own = clue_sum(x, begin, begin + $LENGTH);
    if (clue_published(places, from, &found)) {
      sum = found;
    } else {
      sum = clue_combine(sum, own);
      clue_publish(places, from, sum);
    }
  }
  return sum;
}

#define clue_scan_alone(to) \
  for (; i < to; i++) { \
    const clue_item previous = sum; \
    sum = clue_combine(sum, x[i]); \
    out[i] = $SHOWN; \
  }

#define clue_scan_vectors(store) \
  for (; i + $WIDTH <= end; i += $WIDTH) { \
    clue_vector v = clue_load(x + i, none); \
    $SHIFTS \
    v = clue_combine_all(carry, v); \
    store($SHOWN_VECTOR, (global clue_vector *)(out + i)); \
    carry = v.s$LAST; \
  }

kernel void $NAME(global const clue_item *x, global clue_item *out, const long clue_first, const long n,
                  const int clue_is_large, volatile global uint *clue_places)
{
  const bool is_alone = get_num_groups(0) == 1;
  const long tile = is_alone ? 0 : atomic_inc(clue_places);
  const long begin = clue_first + tile * $LENGTH, end = min(n, begin + $LENGTH);
  clue_item sum = clue_identity();
  if (!is_alone) {
    const clue_item own = clue_sum(x, begin, end);
    sum = clue_before(x, clue_first, clue_places, tile);
    clue_publish(clue_places, tile, clue_combine(sum, own));
  }
  // A constant that the compiler knew would be mixed in by a slower instruction.
  volatile clue_item identity = clue_identity();
  const clue_vector none = identity;
  const ulong past = (ulong)(out + begin) % sizeof(clue_vector);
  long i = begin;
  clue_scan_alone(min(end, begin + (long)((sizeof(clue_vector) - past) % sizeof(clue_vector) / sizeof(clue_item))))
  clue_vector carry = sum;
  if (clue_is_large) {
    clue_scan_vectors(clue_store_past)
  } else {
    clue_scan_vectors(clue_store)
  }
  sum = carry.s0;
  clue_scan_alone(end)
}
]]

-- The arguments of clue_mix that give a vector whose lanes begin with the last `distance` of the first one.
local function mixed(a, b, width, distance)
  local lanes = {}
  for lane = 1, width do lanes[lane] = width - distance + lane - 1 end
  return ("clue_mix(%s, %s, %s)"):format(a, b, table.concat(lanes, ", "))
end

local function shifts(width)
  local lines, distance = {}, 1
  while distance < width do
    lines[#lines + 1] = ("v = clue_combine_all(%s, v);"):format(mixed("none", "v", width, distance))
    distance = 2 * distance
  end
  return table.concat(lines, " ")
end

--- Whether there is a kernel for elements of a type.
-- @tparam string name
-- @treturn boolean
function scan_vectors.takes(name)
  local base, width = types.parts(name)
  return width == 1 and base ~= "half"
end

--- How many elements a tile has.
-- @tparam number bytes of an item
-- @treturn number
function scan_vectors.length(bytes)
  return math.floor(TILE / bytes)
end

--- The memory in which tiles are published.
-- @tparam number pieces how many there are
-- @tparam number bytes of an item
-- @treturn number bytes
function scan_vectors.places(pieces, bytes)
  return 4 * (1 + pieces * (1 + math.ceil(bytes / 4)))
end

local function words_of(context, options)
  local bytes = types.bytes(options.type)
  local width = math.floor(math.max(2, math.min(16, 4 * (context.device.native_vector_width_int or 4) / bytes)))
  return {
    NAME = options.name, ITEM = options.type, WIDTH = width, MASK = MASKS[bytes], WORDS = math.ceil(bytes / 4),
    IDENTITY = options.identity, OPERATION = options.operation,
    OF_VECTORS = OF_VECTORS[options.operation] or options.operation, LENGTH = scan_vectors.length(bytes),
    LOADED = options.operation:find "^fm" and "v != v ? none : v" or "v", PATIENCE = PATIENCE,
    SHIFTS = shifts(width), LAST = ("%x"):format(width - 1),
    SHOWN = options.exclusive and "previous" or "sum",
    SHOWN_VECTOR = options.exclusive and mixed("carry", "v", width, 1) or "v",
  }
end

--- Builds the kernel.
-- @tparam context context
-- @tparam table options of @{clue.compute.scan}, with a named operation: name, type, operation, identity, exclusive,
--   preamble, options
-- @treturn table scan (kernel), length (elements of a tile), group (1)
function scan_vectors.build(context, options)
  local text = source.new(options.name)
  text:add(types.extension(options.type)):user("preamble", options.preamble)
  text:add((pattern:gsub("%$(%u[%u_]*)", words_of(context, options))))
  local program = text:build(context, options.options)
  return {scan = program:kernel(options.name), length = scan_vectors.length(types.bytes(options.type)), group = 1}
end

return scan_vectors
