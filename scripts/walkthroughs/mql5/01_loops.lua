-- Step 1, matr_mul_2dim: the host alone. Three loops over 2-D arrays, in all six orders.
--
-- One core does everything here, so that is the first limit. The second is the way through memory: no order does less
-- arithmetic than another, but the innermost loop goes along a row, where 16 floats share a cache line of 64 bytes, or
-- down a column, where each float is in another line. The author's slowest order took 1.73 times as long as the
-- fastest; for compiled C on current caches the difference is larger.
--
-- The arithmetic is 2 N^3 operations, so twice the size takes eight times as long: the author's 10.5 s at 1000 became
-- 83.7 s at 2000. (Strassen's method replaces eight products of half the size by seven and more additions, so that its
-- operations grow by N to the power of 2.81 (log2 7) instead of 3. The author mentions it. Neither he nor we use it:
-- all steps do the same operations, so that they can be compared.)
local binding = require "clue.binding"
local counted = require("clue.text").count
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "480")

local ORDERS = {"rck", "rkc", "crk", "ckr", "krc", "kcr"} -- r: row of C, c: column of C, k: the sum; outermost first

local row = {
  number = 1, name = "matr_mul_2dim", change = "host only: the triple loop over 2-D arrays, in its six orders",
  note_of_author = "the MQL5 loops took 83.663 s (0.191 GFLOPS) at 2000, at 1000 10.530 s in the order r-k-c, "
    .. "11.544 s in c-r-k; slowest/fastest 1.73",
}

-- Every order is checked at a size at which that is quick; the measured size differs only in the loops' ends. The
-- optimised form is quick at any size.
local function check_loops(p)
  local function small(extent) return math.min(extent, 200) end
  local size = ("%dx%dx%d"):format(small(p.m), small(p.k), small(p.n))
  local checked = product.new{size = size, type = p.type}
  for _, order in ipairs(ORDERS) do
    local check = checked:verify_host(order)
    if not check.verified then return check, size end
  end
  local one_core = p:verify_host "optimised"
  return one_core.verified and p:verify_host("optimised", 0) or one_core, size
end

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat}
  local checked_size
  row.check, checked_size = check_loops(p)
  row.orders = {}
  local fastest, slowest, mark = nil, nil, ""
  for i, order in ipairs(ORDERS) do
    local host = p:host(order)
    row.orders[i] = host
    if not fastest or host.seconds < fastest.seconds then fastest = host end
    if not slowest or host.seconds > slowest.seconds then slowest = host end
    if host.extrapolated then mark = "~" end
  end
  row.host = fastest
  row.times = {total = fastest.times, flops = p.flops, rate = "GFLOPS", runs = #fastest.times,
               extrapolated = fastest.extrapolated}
  row.beside = {
    p:host("optimised", "the same product by optimised C on one core"),
    p:host("optimised", "the same on all " .. counted(binding.processor_count(), "core"), 0),
  }
  row.notes = {
    product.orders_text(row.orders),
    ("slowest/fastest %s%.2f, the author's 1.73; the row shows the fastest, %s"):format(mark,
      slowest.seconds / fastest.seconds, fastest.name),
    ("the six orders are checked at %s, the optimised form at the full size"):format(checked_size),
  }
  walk.report(p:row(row))
end
