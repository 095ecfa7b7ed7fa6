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
  sizes = {cpu = "100x200x300", gpu = "1000x2000x3000", count = "8x12x16", check = "37x11x13"},
  types = {"float", "double"},
  libraries = {21, 22, 23},
  over = {[21] = 20, [22] = 20, [23] = 20},
  figures = "the author's figures: float, elements in [0, 1), 100 x 200 x 300 unless the row says otherwise; the "
    .. "device times include reading back and come from one run without a warm-up; there are none for steps 5 to 7; "
    .. "* computed from the author's times",
}
