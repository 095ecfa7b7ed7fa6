--- How the memory that a site accesses is drawn: the rows of a matrix, lines of 128 bytes, or the banks of local
-- memory.
--
-- A matrix's rows come from the array that was written to its buffer or read from it (clue.simulator.matrices), or from
-- `--rows`. Where neither says them, a stride that all accesses agree on is taken for a row, and marked '~'.
local layout = {}

local LINE, BANK = 128, 4

local sizes = {char = 1, uchar = 1, short = 2, ushort = 2, half = 2, int = 4, uint = 4, float = 4, long = 8, ulong = 8,
               double = 8}

-- The elements of an argument by its type: bytes of one, and its name. Those of vectors are drawn one by one.
local function element_of(type_name, requests)
  local name = (type_name or ""):gsub("^.*%f[%w]const ", ""):match "^(%l+)%d*%s*%*"
  if sizes[name] then return sizes[name], name end
  local least = 8 -- of a struct, or a type of the kernel's own: what is accessed at once
  for _, request in ipairs(requests) do least = math.min(least, request.bytes) end
  return least, ("value of %d bytes"):format(least), ("values of %d bytes"):format(least)
end

-- ---- rows by the stride ----

-- Where runs of neighbouring bytes begin.
local function beginnings(request)
  local list, last = {}, nil
  for _, offset in ipairs(request.offsets) do
    if not last or offset ~= last and offset ~= last + request.bytes then list[#list + 1] = offset end
    last = offset
  end
  return list
end

local function between(numbers)
  local stride
  for i = 2, #numbers do
    local this = numbers[i] - numbers[i - 1]
    if stride and this ~= stride then return nil end
    stride = this
  end
  return stride
end

-- How far all lanes of a site move from one request to the next.
local function moved(requests)
  local numbers = {}
  for i, request in ipairs(requests) do numbers[i] = request.offsets[1] end
  return between(numbers)
end

-- The one stride of all sites that have one; nil if they disagree.
local function agreed(sites, stride_of)
  local found
  for _, requests in ipairs(sites) do
    local stride = stride_of(requests)
    if stride and stride > LINE then
      if found and found ~= stride then return nil end
      found = stride
    end
  end
  return found
end

local function row_by_stride(sites)
  return agreed(sites, function(requests) return between(beginnings(requests[1])) end) or agreed(sites, moved)
end

-- ---- layouts ----

--- The layout of local memory: a row is a word of each bank.
layout.banks = {kind = "banks", element = BANK, name = "word", plural = "words", columns = 32}

local function of_rows(element, row_bytes, more)
  if not row_bytes or row_bytes % element ~= 0 then return nil end
  more.kind, more.columns = "rows", math.floor(row_bytes / element)
  return more
end

--- The layout of a buffer.
-- @tparam ?table argument of a kernel: type, rows, row_bytes
-- @tparam {table,...} sites the requests of each place that accesses it
-- @tparam ?number given the elements of a row, by `--rows`
-- @treturn table kind ("rows", "lines", "banks"), element (its bytes), name and plural (of an element), columns
--   (elements of a row), rows (how many, if that is known), by ("given", "stride" or nil)
function layout.of(argument, sites, given)
  argument = argument or {}
  local all = {}
  for _, requests in ipairs(sites) do
    for _, request in ipairs(requests) do all[#all + 1] = request end
  end
  local element, name, plural = element_of(argument.type, all)
  local found = given and {kind = "rows", columns = given, by = "given"}
    or (argument.rows or 0) > 1 and of_rows(element, argument.row_bytes, {rows = argument.rows})
    or not argument.rows and of_rows(element, row_by_stride(sites), {by = "stride"})
    or {kind = "lines", columns = math.floor(LINE / element)}
  found.element, found.name, found.plural = element, name, plural or name .. "s"
  return found
end

--- A layout in words.
-- @tparam table of
-- @treturn string "64 rows of 64 floats"
function layout.text(of)
  if of.kind == "banks" then return "in 32 banks" end
  if of.kind == "lines" then return ("in lines of %d %s"):format(of.columns, of.plural) end
  local rows = ("rows of %.0f %s"):format(of.columns, of.plural)
  if of.by == "stride" then return ("~%s, by the stride"):format(rows) end
  return of.rows and ("%.0f %s"):format(of.rows, rows) or rows
end

--- How far one request is from the one before it, in words.
-- @tparam table of a layout
-- @tparam number bytes
-- @treturn string "1 row on"
function layout.distance(of, bytes)
  if bytes == 0 then return "asks for the same again" end
  local far, way = math.abs(bytes), bytes > 0 and "on" or "back"
  local row_bytes = of.columns * of.element
  local function counted(count, one, many) return ("%.0f %s %s"):format(count, count == 1 and one or many, way) end
  if of.kind == "rows" and far % row_bytes == 0 then return "is " .. counted(far / row_bytes, "row", "rows") end
  if far % of.element ~= 0 then return "is " .. counted(far, "byte", "bytes") end
  if of.kind == "rows" and far < row_bytes then return "is " .. counted(far / of.element, "column", "columns") end
  return "is " .. counted(far / of.element, of.name, of.plural)
end

return layout
