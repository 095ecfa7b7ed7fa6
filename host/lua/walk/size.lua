--- The sizes that walkthroughs take on the command line.
-- @module clue.walk.size
local plain = require("clue.number").plain

local size = {}

--- Reads the size of a matrix product: "480" or "640x480x320" (M x K x N).
-- @tparam string text
-- @treturn[1] int M
-- @treturn[1] int K
-- @treturn[1] int N
-- @treturn[2] nil
-- @treturn[2] string what is wrong
function size.product(text)
  local digits = plain(text)
  local m, k, n = digits:match("^(%d+)[xX](%d+)[xX](%d+)$")
  if not m then
    m = digits:match("^%d+$")
    k, n = m, m
  end
  m, k, n = tonumber(m), tonumber(k), tonumber(n)
  if not m then return nil, ("size '%s' is neither N nor MxKxN, such as 480 or 640x480x320"):format(text) end
  if m * k * n == 0 then return nil, ("size '%s': a matrix needs at least one row and one column"):format(text) end
  if math.max(m * k, k * n, m * n) >= 2 ^ 31 then
    return nil, ("size '%s': a matrix must have fewer than 2^31 elements"):format(text)
  end
  return m, k, n
end

-- "2003x1501", or "2000" for two equal numbers.
local function two(text)
  local digits = plain(text)
  local first, second = digits:match "^(%d+)[xX](%d+)$"
  first = first or digits:match "^%d+$"
  return tonumber(first), tonumber(second or first)
end

--- Reads the size of a plane: "2000" or "2003x1501" (width x height).
-- @tparam string text
-- @treturn[1] int width
-- @treturn[1] int height
-- @treturn[2] nil
-- @treturn[2] string what is wrong
function size.plane(text)
  local width, height = two(text)
  if not width then return nil, ("size '%s' is neither N nor WxH, such as 2000 or 2003x1501"):format(text) end
  if width * height == 0 then return nil, ("size '%s': width and height must be at least 1"):format(text) end
  if math.max(width, height) >= 2 ^ 31 or width * height >= 2 ^ 40 then
    return nil, ("size '%s' must have fewer than 2^31 rows and columns, and fewer than 2^40 elements"):format(text)
  end
  return width, height
end

--- Reads the size of a list: "4000003" elements, bodies, ...
-- @tparam string text
-- @treturn[1] int how many
-- @treturn[2] nil
-- @treturn[2] string what is wrong
function size.count(text)
  local digits = plain(text)
  local count = digits:match("^%d+$") and tonumber(digits)
  if not count then return nil, ("size '%s' is not a whole number"):format(text) end
  if count < 1 or count >= 2 ^ 40 then return nil, ("size '%s' must be 1 to 2^40"):format(text) end
  return count
end

--- Reads how many values the steps of the walkthrough reduce take.
-- @tparam string text
-- @treturn[1] int how many
-- @treturn[2] nil
-- @treturn[2] string what is wrong
function size.reduce(text)
  local count, why = size.count(text)
  if not count then return nil, why end
  -- Kernels count in uint, and round up to whole groups.
  if count > 2 ^ 31 then return nil, ("size '%s' must be 1 to 2^31"):format(text) end
  return count
end

-- How studies read sizes that are no counts.
local readers = {mapping = size.product, transpose = size.plane, product = size.product}

-- The studies of a walkthrough, as its own sizes name them.
local function studies_of(walkthrough)
  local names, known, sizes = {}, {}, walkthrough.sizes or {}
  for name in (sizes.cpu or sizes.gpu or sizes.count or sizes.check or ""):gmatch "(%l+)=" do
    names[#names + 1], known[name] = name, true
  end
  return names, known
end

--- Reads the sizes of a walkthrough with several studies: "480", which each reads in its own way, or
-- "mapping=480,vectors=1000".
-- @tparam string text
-- @tparam table walkthrough its sizes name its studies
-- @treturn[1] boolean true
-- @treturn[2] nil
-- @treturn[2] string what is wrong
function size.studies(text, walkthrough)
  if not text:find "=" then
    local count, why = size.count(text)
    if count then return true end
    return nil, text:find "%dx%d" and why .. "; STUDY=SIZE gives a study a size of its own, such as 64x32" or why
  end
  local names, open = studies_of(walkthrough)
  if #names == 0 then
    return nil, ("size '%s': give one number, or name the studies in walkthrough.lua, as in sizes = {cpu = \"%s\"}")
      :format(text, text)
  end
  for part in (text .. ","):gmatch "([^,]*)," do
    local study, value = part:match "^(%l+)=(.*)$"
    if not open[study] then
      return nil, open[study] == false and ("size '%s': %s has a size already"):format(part, study)
        or ("size '%s': give one number, or STUDY=SIZE with commas; studies are %s"):format(part,
          table.concat(names, ", "))
    end
    open[study] = false
    local read, why = (readers[study] or size.count)(value)
    if not read then return nil, study .. ": " .. why end
  end
  return true
end

--- The size for one study in a text for several.
-- @tparam string text as for @{studies}, or the study's own
-- @tparam string study
-- @tparam string default if the text is a list without this study
-- @treturn string
function size.of_study(text, study, default)
  if not text:find "=" then return text end
  return ("," .. text .. ","):match("," .. study .. "=([^,]*),") or default
end

--- Reduces the size of a matrix product to a number of multiplications, keeping its shape: for steps that do far more
-- work than the product needs.
-- @tparam string text as for @{product}
-- @tparam number most multiplications, M * K * N
-- @treturn string the same text if it is small enough, or if @{product} does not understand it
function size.product_at_most(text, most)
  local m, k, n = size.product(text)
  if not m or m * k * n <= most then return text end
  while m * k * n > math.max(1, most) do -- repeated, since an extent cannot go below 1
    local factor = (most / (m * k * n)) ^ (1 / 3)
    local function smaller(extent) return math.max(1, math.floor(extent * factor)) end
    m, k, n = smaller(m), smaller(k), smaller(n)
  end
  return ("%dx%dx%d"):format(m, k, n)
end

--- Reads the size of an outer sum: "4096" or "32768x16384" (X x Y).
-- @tparam string text
-- @treturn[1] int X
-- @treturn[1] int Y
-- @treturn[2] nil
-- @treturn[2] string what is wrong
function size.outer_sum(text)
  local x, y = two(text)
  if not x then return nil, ("size '%s' is neither N nor XxY, such as 4096 or 32768x16384"):format(text) end
  if x * y == 0 then return nil, ("size '%s': X and Y must be at least 1"):format(text) end
  if x >= 2 ^ 30 then return nil, ("size '%s': X must be below 2^30"):format(text) end
  -- Below 2^24, sums of whole numbers are exact in float, so that every size can be checked.
  if y >= 2 ^ 24 then return nil, ("size '%s': Y must be below 2^24"):format(text) end
  return x, y
end

return size
