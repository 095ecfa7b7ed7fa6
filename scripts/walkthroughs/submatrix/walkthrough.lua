-- What `clue walk` says about this walkthrough.
return {
  title = "Submatrices: tiles and more work per item",
  about = "product of int matrices, from the triple loop to tiles with eight outputs for each work-item",
  year = 2023,
  language = "C++",
  author = "a Russian blog",
  hardware = "Ryzen 7 3700X ('CPU'), RTX 3060 ('GPU')",
  headline = "23:1 over all cores of the CPU at 4096",
  figures = "the author's figures are for square matrices of 1024, 2048 and 4096, as each row says; GFLOPS count "
    .. "2 M N K operations on ints",
  size = "product",
  sizes = {cpu = "512", gpu = "4096", count = "64", check = "45"},
}
