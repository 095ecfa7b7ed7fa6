-- What `clue walk` says about this walkthrough.
return {
  title = "Submatrices: tiles and more work per item",
  about = "product of int matrices, from the triple loop to tiles with eight outputs for each work-item",
  year = 2023,
  language = "C++",
  author = "a Russian blog",
  hardware = "Ryzen 7 3700X ('CPU'), RTX 3060 ('GPU')",
  headline = "23:1 over all cores of the CPU at 4096",
  figures = "the author's figures are for square matrices of 1024, 2048 and 4096, as each row says; GFLOPS count "
    .. "2 M N K operations on ints",
  lessons = {
    "On the author's host, the order in which memory is read gains 8.2, all his eight cores together another "
      .. "2.3 (2, 3).",
    "Local memory gains little where neighbours' requests were combined already: steps 4 and 5 both read twice for "
      .. "each multiply-add (1.23 on an H200).",
    "Several elements for each work-item save reads, but only in groups of whole warps: 8 work-items waste three "
      .. "quarters of 32 lanes (6).",
  },
  try = {
    {"clue walk submatrix --steps 6 --set tile=8,16,32 --set wpt=1,2,4,8", "tiles and elements for each item, as a "
      .. "map"},
    {"clue walk submatrix --steps 5 --set tile=4,8,16,32", "which tile suits this device"},
    {"clue count submatrix --steps 4-6", "reads for each operation, and lanes that idle"},
    {"clue walk submatrix --explain 6", "one step: its counts, pictures and machine code"},
    {"clue walk submatrix --steps 3-6,20,21 --size 256..1024*2", "host and device against size"},
    {"clue new walkthrough mine --from submatrix --steps 5,6", "a copy whose kernel you change"},
  },
  size = "product",
  sizes = {cpu = "512", gpu = "4096", count = "64", check = "45"},
  forms = {gpu = {21}},
}
