--- The kernels of context:sort: a radix sort from the lowest digit to the highest, which is stable.
--
-- A pass puts all elements in the order of one digit. Each piece of the elements counts its digits, so that sums of
-- the counts, digit by digit, say where each piece puts its first element of each digit. The forms are those of
-- @{clue.compute.scan_source}. In "chunks" one work-item of a CPU walks through a piece. In "groups" and "look-back" a
-- work-group puts its tile in order in local memory first, so that neighbours write neighbouring places. "look-back"
-- reads the elements once per pass: the digits of all passes are counted beforehand, and a tile learns from the tiles
-- before it where its elements go (Adinets and Merrill, Onesweep, 2022).
--
-- Keys are compared as unsigned numbers of their size, which clue_order makes of their bits.
-- @module clue.compute.sort_source
local groups = require "clue.compute.sort_groups"
local local_memory = require("clue.kernel").local_memory
local source = require "clue.compute.source"
local types = require "clue.compute.types"

local sort_source = {}

local GROUP = 256 -- work-items of a GPU's group, and digits
local CHUNK = 32768 -- elements of a CPU's work-item; one driver cuts loops at 65535 iterations
local AHEAD = 4 -- earlier tiles whose states are read at once
local LANES = 32 -- work-items that find equal digits among themselves

local unsigned = {"uchar", "ushort", nil, "uint", nil, nil, nil, "ulong"} -- by bytes
local infinity = {half = "0x7C00", float = "0x7F800000", double = "0x7FF0000000000000"}

-- NaNs are greater than all numbers, and -0 equals 0.
local order_of_reals = [[
static clue_key clue_order_up(const clue_key bits)
{
  if ((bits & ~clue_SIGN) > $INFINITY)
    return ~(clue_key)0;
  if (bits == clue_SIGN)
    return bits;
  return bits & clue_SIGN ? ~bits : bits ^ clue_SIGN;
}
]]

local order_of_whole = "static clue_key clue_order_up(const clue_key bits) { return bits ^ $FLIP; }\n"

local common = [[
typedef $KEY clue_key;
typedef $COUNT clue_count;
#define clue_SIGN ((clue_key)((clue_key)1 << ($BYTES * 8 - 1)))
$ORDER
static clue_key clue_order(const clue_key bits) { return $DIRECTION clue_order_up(bits); }

static int clue_digit(const clue_key bits, const int shift, const int mask)
{
  return (int)(clue_order(bits) >> shift) & mask;
}
]]

-- What the kernels have only if values go along with the keys.
local with_values = {
  ["true"] = [[
typedef $VALUE clue_value;
#define clue_VALUES
#define clue_PARAMETERS , global const clue_value *values, global clue_value *sorted_values, const long values_from, \
  const long values_to, const int numbered
#define clue_value_of(k) ($NUMBER values[values_from + (k)])
]],
  ["false"] = "#define clue_PARAMETERS\n",
}

local chunks = [==[
kernel void $NAME_count(global const clue_key *keys, const long from, const long n, const int shift, const int mask,
                        global clue_count *counts)
{
  const long piece = get_group_id(0), pieces = get_num_groups(0), end = min(n, (piece + 1) * $LENGTH);
  clue_count own[256];
  for (int digit = 0; digit <= mask; digit++)
    own[digit] = 0;
  for (long k = piece * $LENGTH; k < end; k++)
    own[clue_digit(keys[from + k], shift, mask)]++;
  for (int digit = 0; digit <= mask; digit++)
    counts[digit * pieces + piece] = own[digit];
}

kernel void $NAME(global const clue_key *keys, global clue_key *sorted, const long from, const long to, const long n,
                  const int shift, const int mask, global const clue_count *counts clue_PARAMETERS)
{
  const long piece = get_group_id(0), pieces = get_num_groups(0), end = min(n, (piece + 1) * $LENGTH);
  clue_count next[256];
  for (int digit = 0; digit <= mask; digit++)
    next[digit] = counts[digit * pieces + piece];
  for (long k = piece * $LENGTH; k < end; k++) {
    const clue_key key = keys[from + k];
    const clue_count place = next[clue_digit(key, shift, mask)]++;
    sorted[to + place] = key;
#ifdef clue_VALUES
    sorted_values[values_to + place] = clue_value_of(k);
#endif
  }
}
]==]

-- ---- putting them together --------------------------------------------------------------------------------------

local function items_of(bytes)
  return math.max(math.min(math.floor((bytes < 8 and 64 or 96) / bytes), 16), 1)
end

--- The forms: how many elements a piece has, and how many work-items share it.
-- @tparam string form "chunks", "groups" or "look-back"
-- @tparam number bytes of a key or a value, the larger of both
-- @treturn number
-- @treturn number
-- @treturn ?local_memory what the group shares, the last argument of the sorting kernel
function sort_source.piece(form, bytes)
  if form == "chunks" then return CHUNK, 1 end
  local length = GROUP * items_of(bytes)
  return length, GROUP, local_memory(math.max(2 * GROUP / LANES * 256 * 4, length * bytes))
end

--- The digits of a key: passes of 8 bits; two of 4 bits for a byte, because after an even number of passes the sorted
-- elements are back in their buffer.
-- @tparam number bytes of the key
-- @treturn number how many passes
-- @treturn number bits of a digit
function sort_source.digits(bytes)
  if bytes == 1 then return 2, 4 end
  return bytes, 8
end

local function filled(pattern, words)
  return (pattern:gsub("%$(%u+)", words))
end

local function words_of(key, options, form, bytes)
  local base, size = types.parts(key), types.bytes(key)
  local passes, bits = sort_source.digits(size)
  local words = {
    NAME = options.name, KEY = unsigned[size], COUNT = options.wide and "ulong" or "uint", BYTES = size,
    DIRECTION = options.descending and "~" or "", VALUE = options.values or "",
    NUMBER = options.argsort and "numbered ? (clue_value)(from + (k)) :" or "",
    LENGTH = sort_source.piece(form, bytes), ITEMS = items_of(bytes), GROUP = GROUP, LANES = LANES, PASSES = passes,
    BITS = bits, INFINITY = infinity[base], FLIP = base:find "^u" and "0" or "clue_SIGN", AHEAD = AHEAD,
  }
  words.ORDER = filled(infinity[base] and order_of_reals or order_of_whole, words)
  return words
end

--- Builds the kernels of a form.
-- @tparam context context
-- @tparam string form "chunks", "groups" or "look-back"
-- @tparam string key the type of the keys
-- @tparam table options name; values (a type, nil without values), argsort, descending, wide (boolean: 2^32 elements or
--   more), options (of the build)
-- @tparam number bytes as for @{piece}
-- @treturn kernel counts digits
-- @treturn kernel sorts by a digit
function sort_source.build(context, form, key, options, bytes)
  local text, words = source.new(options.name), words_of(key, options, form, bytes)
  text:add(types.extension(options.values or "")):add(filled(common, words))
  text:add(filled(with_values[tostring(options.values ~= nil)], words))
  if form == "chunks" then
    text:add(filled(chunks, words))
  else
    text:add(filled(groups[form], words))
  end
  local program = text:build(context, options.options)
  return program:kernel(options.name .. "_count"), program:kernel(options.name)
end

return sort_source
