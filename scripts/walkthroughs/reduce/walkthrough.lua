-- What `clue walk` says about this walkthrough.
return {
  title = "Reduction, scan and histogram: from the first idea to the limit of memory",
  about = "the sum of many floats, the prefix sums of many uints, and how many of them fall in each of 256 bins",
  language = "Lua",
  author = "clue",
  hardware = "your device",
  headline = "one addition a value: a kernel can be no faster than memory is read (and written, for prefix sums), and "
    .. "the last step of each study is nearly so",
  figures = "a walkthrough of our own: there are no published figures. GB/s count each value once as read, prefix sums "
    .. "also once as written; the limit is that of clue peak, measured by turns with the step",
  size = "reduce",
  sizes = {cpu = "33554467", gpu = "268435459", count = "16387", check = "5003"},
}
