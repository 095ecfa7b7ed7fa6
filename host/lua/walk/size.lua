--- The sizes that walkthroughs take on the command line.
-- @module clue.walk.size
local size = {}

--- Of a matrix product: "480" or "640x480x320" (M x K x N).
-- @tparam string text
-- @treturn[1] int M
-- @treturn[1] int K
-- @treturn[1] int N
-- @treturn[2] nil
-- @treturn[2] string what is wrong
function size.product(text)
  local m, k, n = text:match("^(%d+)[xX](%d+)[xX](%d+)$")
  if not m then
    m = text:match("^%d+$")
    k, n = m, m
  end
  m, k, n = tonumber(m), tonumber(k), tonumber(n)
  if not m then return nil, ("size '%s' is neither N nor MxKxN, such as 480 or 640x480x320"):format(text) end
  if m * k * n == 0 then return nil, ("size '%s': a matrix has one row and one column at least"):format(text) end
  if math.max(m * k, k * n, m * n) >= 2 ^ 31 then
    return nil, ("size '%s': a matrix has fewer than 2^31 elements"):format(text)
  end
  return m, k, n
end

--- A size of a matrix product that is no larger than so many multiplications, of the same shape: for steps that do far
-- more than the product needs.
-- @tparam string text as for @{product}
-- @tparam number most multiplications, M * K * N
-- @treturn string the same text where it is small enough, or none that @{product} understands
function size.product_at_most(text, most)
  local m, k, n = size.product(text)
  if not m or m * k * n <= most then return text end
  while m * k * n > math.max(1, most) do -- again where an extent cannot go below 1
    local factor = (most / (m * k * n)) ^ (1 / 3)
    local function smaller(extent) return math.max(1, math.floor(extent * factor)) end
    m, k, n = smaller(m), smaller(k), smaller(n)
  end
  return ("%dx%dx%d"):format(m, k, n)
end

return size
