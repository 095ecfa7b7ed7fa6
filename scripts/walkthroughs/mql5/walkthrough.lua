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
  sizes = {cpu = "480", gpu = "2000", count = "64"},
  types = {"float", "double"},
  links = {{"the article", "https://www.mql5.com/en/articles/407"}},
  lessons = {
    "How neighbouring work-items read memory decides more than how much arithmetic a kernel does: count it with `clue "
      .. "count mql5 --steps 2-10`.",
    "What is read more than once belongs nearer to the work-item: into registers (4, 6, 13), then into local memory on "
      .. "a GPU (12), into the caches on a CPU (18, 19).",
  },
  try = {
    {"clue walk mql5 --explain 4", "one step: the bottleneck, its counts, pictures and machine code"},
    {"clue walk mql5 --steps 12-16 --set tile=8,16,32", "which tile suits this device"},
    {"clue walk mql5 --steps 4,9,12,20 --size 256..2048*2", "speed against size"},
    {"clue new walkthrough mine --from mql5 --steps 4", "a copy whose kernel you change, compared with the original"},
  },
  libraries = {21, 22, 23},
  over = {[8] = 6, [11] = 4, [17] = 10, [20] = {cpu = 19, gpu = "16b"}, [21] = 20, [22] = 20, [23] = 20},
  figures = "the author's figures: 2000 x 2000 x 2000, float, seconds like our total; * computed from these times; the "
    .. "host loop took 115.628 s (step 2, CPU run), 114.583 s (step 2, GPU run), then 91.9 to 99.5 s",
}
