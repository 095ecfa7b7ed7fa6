-- What `clue walk` says about this walkthrough.
return {
  title = "OpenCL: From Naive Towards More Insightful Programming",
  author = "an article of the MQL5 community",
  about = "matrix product as an MQL5 script",
  year = 2012,
  language = "MQL5",
  hardware = "an OpenCL CPU device ('CPU'), a Radeon HD 4870 ('GPU'), MQL5 loops on one core ('host')",
  headline = "about 200:1 over the host loop on the GPU, 32 GFLOPS (by our reckoning 2.7 % of that card's peak)",
  size = "product",
  sizes = {cpu = "480", gpu = "2000", count = "64", check = "45"},
  types = {"float", "double"},
  libraries = {21, 22, 23},
  over = {[8] = 6, [11] = 4, [17] = 10, [20] = {cpu = 19, gpu = "16b"}, [21] = 20, [22] = 20, [23] = 20},
  figures = "the author's figures: 2000 x 2000 x 2000, float, seconds like our total; * computed from these times; the "
    .. "host loop took 115.628 s (step 2, CPU run), 114.583 s (step 2, GPU run), then 91.9 to 99.5 s",
}
