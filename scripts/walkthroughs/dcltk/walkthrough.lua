-- What `clue walk` says about this walkthrough.
return {
  title = "OpenCL from D: from one work-item to a 2-D range, then local, padded and private memory",
  about = "product of a ROWS x COLS by a COLS x RESULT_COLS matrix, after a kernel that says Hello",
  year = 2018,
  language = "D",
  author = "outlandkarasu",
  hardware = "a Tesla K80 (13 compute units), a D loop on the host",
  headline = "10 times the host loop at 100 x 200 x 300, 20 times at 1000 x 2000 x 3000; the first try 20 times slower",
  size = "product",
  sizes = {cpu = "100x200x300", gpu = "1000x2000x3000", count = "8x12x16", check = "21x19x13"},
  check_set = {"local=8"},
  types = {"float", "double"},
  links = {{"the code", "https://github.com/outlandkarasu/dcltk"}},
  lessons = {
    "A device gains nothing from work-items that all do the same (1, 2): the work must be divided (3), and "
      .. "among many (4).",
    "On a GPU, dimension 0 should run along what is adjacent in memory: 4 sectors a request instead of 32 (5).",
    "A bounds test costs less than the padding that avoids it (6); an element read once for several sums pays more "
      .. "than either (7, 20).",
  },
  try = {
    {"clue walk dcltk --explain 5", "a tile's accesses as pictures: who reads which bytes"},
    {"clue walk dcltk --steps 4,5,7 --set groups=1,2,4,8,16", "how many groups this device needs"},
    {"clue walk dcltk --steps 5,7 --set local=8,16,32", "which tile suits it"},
    {"clue walk dcltk --steps 3-5 --size 1000x200x300", "the author's second size: rows for all 416 work-items"},
    {"clue walk dcltk --diff 5", "what local tiles change in the kernel"},
    {"clue new walkthrough mine --from dcltk --steps 4,5", "a copy to change: exchange the dimensions of step 4"},
  },
  libraries = {21, 22, 23},
  forms = {cpu = {21}, gpu = {23}},
  over = {[5] = 4, [21] = 20, [22] = 20, [23] = 20},
  figures = "the author's figures: float, elements in [0, 1), 100 x 200 x 300 unless the row says otherwise; the "
    .. "device times include reading back and come from one run without a warm-up; there are none for steps 5 to 7; "
    .. "* computed from the author's times",
}
