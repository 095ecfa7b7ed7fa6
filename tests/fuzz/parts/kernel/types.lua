-- The types of random kernels, {base = "int", n = 4}: one table each, so that == compares them. n is 1 for a scalar.
local types = {}

-- bits, whether signed, whether float; in C's order of ranks.
local bases = {
  char = {bits = 8, signed = true, rank = 1}, uchar = {bits = 8, rank = 1},
  short = {bits = 16, signed = true, rank = 2}, ushort = {bits = 16, rank = 2},
  int = {bits = 32, signed = true, rank = 3}, uint = {bits = 32, rank = 3},
  long = {bits = 64, signed = true, rank = 4}, ulong = {bits = 64, rank = 4},
  float = {bits = 32, signed = true, float = true, rank = 5},
}

types.integers = {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"}
types.widths = {1, 2, 3, 4, 8, 16}
local known = {}

--- The type of a base and a width.
function types.of(base, n)
  local name = base .. ((n or 1) > 1 and n or "")
  if not known[name] then
    local about = bases[base]
    local made = {name = name, base = base, n = n or 1, bits = about.bits, signed = about.signed or false,
      float = about.float or false, rank = about.rank}
    made.bytes = about.bits / 8 * (n == 3 and 4 or n or 1)
    known[name] = made
  end
  return known[name]
end

--- The type with another base, or another width.
function types.with(t, base, n)
  return types.of(base or t.base, n or t.n)
end

--- The integer type of the same size: of floats int and uint.
function types.unsigned(t)
  if t.float then return types.of("uint", t.n) end
  return types.of((t.base:gsub("^u?", "u")), t.n)
end

function types.signed(t)
  if t.float then return types.of("int", t.n) end
  return types.of((t.base:gsub("^u", "")), t.n)
end

--- The base with twice the bits, nil if there is none.
function types.wider(t)
  local names = {char = "short", uchar = "ushort", short = "int", ushort = "uint", int = "long", uint = "ulong"}
  return names[t.base]
end

--- What C makes of a scalar integer in an expression.
function types.promoted(t)
  return t.n == 1 and t.rank < 3 and types.of "int" or t
end

--- C's usual arithmetic conversions of two scalar integers, with 32 bits in int and 64 in long.
function types.common(a, b)
  a, b = types.promoted(a), types.promoted(b)
  if a.rank ~= b.rank then return a.rank > b.rank and a or b end
  return a.signed and b or a
end

--- The least and the greatest value, as doubles: of 64 bits not exact.
function types.range(t)
  if t.signed then return -2 ^ (t.bits - 1), 2 ^ (t.bits - 1) - 1 end
  return 0, 2 ^ t.bits - 1
end

return types
