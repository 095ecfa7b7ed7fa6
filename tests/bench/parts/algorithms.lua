-- The operations of the algorithms bench: for each, the bytes of an element that it reads and writes at least, its
-- sort of limit, and the algorithm of CUB's that does the same, if there is one. A sort has no limit here.
local algorithms = {
  {name = "reduce sum float", reads = 4},
  {name = "reduce min float", reads = 4},
  {name = "reduce dot float", reads = 8},
  {name = "scan sum float", reads = 4, writes = 4},
  {name = "scan max int", reads = 4, writes = 4},
  {name = "scan sum double", reads = 8, writes = 8},
  {name = "elementwise fill", writes = 4},
  {name = "elementwise copy", reads = 4, writes = 4},
  {name = "elementwise axpy", reads = 8, writes = 4},
  {name = "copy_buffer", reads = 4, writes = 4},
  {name = "random uniform float", writes = 4},
  {name = "random uniform double", writes = 8},
  {name = "random uniform int", writes = 4},
  {name = "random uniform half", writes = 2},
  {name = "random uniform uchar", writes = 1},
  {name = "random normal float", writes = 4},
  {name = "array (a - b):abs():max()", reads = 8},
  {name = "array c:assign(2 * a + b)", reads = 8, writes = 4},
  {name = "array (2 * a + b):compute()", reads = 8, writes = 4},
  {name = "array square:sum(1)", reads = 4},
  {name = "array square:sum(2)", reads = 4},
  {name = "array 16 rows:sum(1)", reads = 4},
  {name = "array 16 rows:sum(2)", reads = 4},
  {name = "array 16 columns:sum(1)", reads = 4},
  {name = "array 16 columns:sum(2)", reads = 4},
  {name = "sort uint", sorts = true},
  {name = "sort uint, uint", sorts = true},
  {name = "sort float", sorts = true},
}

for _, each in ipairs(algorithms) do
  each.reads, each.writes = each.reads or 0, each.writes or 0
  algorithms[each.name] = each
end

return algorithms
