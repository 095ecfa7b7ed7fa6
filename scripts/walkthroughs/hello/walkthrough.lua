-- What `clue walk` says about this walkthrough.
return {
  title = "Hello OpenCL",
  about = "the outer sum C[x] = sum over y of A[x] B[y]",
  language = "C++",
  author = "a German tutorial",
  hardware = "RTX 2080, GT 630, GT 625",
  headline = "8 to 600 times the serial loop by card; float4 gains 2.7 (RTX 2080), 3.7 (GT 630), over what is not said",
  figures = "the author's figures are GFLOPS of 2 X Y operations; X and Y are not given. Here: on a CPU so many that "
    .. "the serial loop takes some tenths of a second, on a GPU far more (the loop's time is extrapolated then)",
  links = {{"the tutorial, part 3 (in German)", "http://www.rolfp.ch/computer/parallelprogramme/teil3.html"}},
  lessons = {
    "An element of B that was read should serve as many multiply-adds as possible: one in steps 1 to 3, four in step "
      .. "4, eight in step 5, where one read brings eight. That gains more than a nearer memory for the same reads "
      .. "(1c, 2, 3).",
    "A sum is a chain: each addition waits for the one before. Several sums in an item, as vectors or as a block in "
      .. "registers (4, 5, 7), keep the units busy meanwhile.",
    "The type of a pointer tells the compiler how its vectors are aligned, and so which loads it may make (5v).",
  },
  try = {
    {"clue walk hello --explain 5", "machine code of the inner loop: loads and multiply-adds side by side"},
    {"clue walk hello --steps 3-5 --set tpb=32,128,512", "which size of groups suits each kernel"},
    {"clue count hello --steps 1-6", "reads of B for each operation, by kind of memory"},
    {"clue walk hello --diff 5v", "what an unaligned vector changes in the kernel"},
    {'clue walk hello --steps 1,4 --options "" --options "-cl-fast-relaxed-math"',
     "what a compiler gains that may add up in another order"},
    {"clue new walkthrough mine --from hello --steps 4,5", "a copy to change: float16, say"},
  },
  over = {[2] = 1, [3] = 1, [4] = 3, ["4t"] = 4, [5] = "4t", ["5t"] = 5, ["5v"] = "5r", [6] = 5},
  size = "outer_sum",
  sizes = {cpu = "16384x16384", gpu = "1048576x65536", count = "2048x32", check = "37x139"},
  check_set = {"tpb=16", "stage=64", "tile=64"},
}
