-- What `clue walk` says about this walkthrough.
return {
  title = "Hello OpenCL",
  about = "the outer sum C[x] = sum over y of A[x] B[y]",
  language = "C++",
  author = "a German tutorial",
  hardware = "RTX 2080, GT 630, GT 625",
  headline = "8 to 600 times the serial loop by card; float4 gains another 2.7 times (RTX 2080), 3.7 times (GT 630)",
  figures = "the author's figures are GFLOPS of 2 X Y operations; X and Y are not given. Here: on a CPU so many that "
    .. "the serial loop takes some tenths of a second, on a GPU far more (the loop's time is extrapolated then)",
  over = {[2] = 1, [3] = 1, ["5v"] = 5, [6] = 5},
  size = "outer_sum",
  sizes = {cpu = "16384x16384", gpu = "1048576x65536", count = "2048x32", check = "1003x7"},
}
