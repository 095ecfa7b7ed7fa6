-- What `clue walk` says about this walkthrough.
return {
  title = "Reduction, scan and histogram: from the first idea to the limit of memory",
  about = "the sum of many floats, the prefix sums of many uints, and how many of them fall in each of 256 bins",
  language = "Lua",
  author = "clue",
  headline = "one addition a value: a kernel can be no faster than memory is read (and written, for prefix sums), and "
    .. "the last step of each study is nearly so",
  figures = "a walkthrough of our own: there are no published figures. GB/s count each value once as read, prefix sums "
    .. "also once as written; the limit is that of clue peak, measured by turns with the step",
  size = "reduce",
  sizes = {cpu = "33554467", gpu = "268435459", count = "16387", check = "5003"},
  links = {
    {"Merrill and Garland's report on step 13",
     "https://research.nvidia.com/publication/2016-03_single-pass-parallel-prefix-scan-decoupled-look-back"},
  },
  lessons = {
    "One addition a value is nothing; what costs is everything around it. On GPUs, count the instructions, barriers "
      .. "and passes through memory for each value: steps 3, 11 and 12 gain about as much as these fall.",
    "Fewer additions are no gain if rounds, barriers or bank conflicts take the time: the tree of step 10 has 502 "
      .. "instead of 1793 for 256 numbers, and loses.",
    "The last factor is the same in all three studies: many reads in progress, and one pass through memory (7, 13, "
      .. "18).",
    "Trees and local memory are for GPUs. A CPU wants one item a group, full vectors and no barriers or atomics.",
  },
  try = {
    {"clue walk reduce --steps 1-7 --size 65536..16777216*16", "which steps need many values to be good"},
    {"clue walk reduce --steps 1-4 --set group=32,64,128,256", "a tree has fewer rounds in small groups"},
    {"clue count reduce --steps 9-12", "instructions, barriers and bank conflicts for each scan"},
    {"clue walk reduce --explain 10", "why fewer additions lose here"},
    {"clue walk reduce --diff 17", "what copies of the bins change in the kernel"},
    {"clue new walkthrough mine --from reduce --steps 14-18", "a copy of the histograms, whose kernels you change"},
  },
}
