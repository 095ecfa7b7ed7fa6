-- What `clue walk` says about this walkthrough.
return {
  title = "Reduction: from a tree in local memory to the limit of memory",
  about = "the sum of many floats",
  language = "Lua",
  author = "clue",
  hardware = "your device",
  headline = "one addition a value: a kernel can be no faster than memory is read, and the last step is nearly so",
  figures = "a walkthrough of our own: there are no published figures. GB/s count each value once; the limit is "
    .. "that of clue peak, measured by turns with the step",
  size = "reduce",
  sizes = {cpu = "33554467", gpu = "268435459"},
}
