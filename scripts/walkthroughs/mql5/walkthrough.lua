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
  links = {{"the article", "https://www.mql5.com/en/articles/407"}},
  lessons = {
    "On a GPU, what neighbouring work-items read at the same time decides: a request of 32 sectors, where 4 "
      .. "would do (steps 2 to 5), costs more than any arithmetic.",
    "What is used more than once belongs nearer to the work-item: into registers (4, 13), into private memory, which "
      .. "is no register for a whole row (6), into local memory on a GPU (7, 12), into the caches on a CPU (18, 19).",
    "One sum whose additions wait for each other leaves a CPU idle most of the time (2 to 6): it takes several sums, "
      .. "in vectors (8, 17), to keep it busy.",
    "Once each element that was loaded serves many multiply-adds (13, 16, 18), the rest of the time goes into copying: "
      .. "look at the kernel's time beside the total.",
  },
  try = {
    {"clue walk mql5 --explain 4", "one step: its bottleneck, counts, pictures and machine code"},
    {"clue count mql5 --steps 2-10", "accesses, sectors and idle lanes of the article's kernels"},
    {"clue walk mql5 --steps 4,12,16,20 --size 256..1024*2", "speed against size: which steps need large matrices"},
    {'clue walk mql5 --steps 4,8 --options "" --options "-cl-fast-relaxed-math"',
     "what a compiler gains that may add up in another order"},
    {"clue walk mql5 --steps 7 --set group=8,16,40,80", "how many work-items should share a column of B"},
    {"clue new walkthrough mine --from mql5 --steps 4", "a copy whose kernel you change, compared with the original"},
  },
  libraries = {21, 22, 23},
  forms = {cpu = {17, 18, 19, 21}, gpu = {16, "16b", 23, 24}},
  over = {[8] = 6, [10] = 9, [11] = 4, [17] = 10, [20] = {cpu = 19, gpu = "16b"}, [21] = 20, [22] = 20, [23] = 20,
          [24] = 20},
  figures = "the author's figures: 2000 x 2000 x 2000, float, seconds like our total; * computed from these times; the "
    .. "host loop took 115.628 s (step 2, CPU run), 114.583 s (step 2, GPU run), then 91.9 to 99.5 s",
}
