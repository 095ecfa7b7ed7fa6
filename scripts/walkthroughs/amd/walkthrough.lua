-- What `clue walk` says about this walkthrough.
return {
  title = "AMD OpenCL University course, part 7: mapping, occupancy, vectors, n-body, extensions",
  about = "small studies: thread mapping of a product, transposition, occupancy, vector copies, n-body, extensions; "
    .. "beyond the course: strides, transfers, images, a CPU's vectors, several devices",
  year = 2010,
  language = "C++ (course slides, Chinese edition)",
  author = "AMD",
  hardware = "GeForce 8800 and 285 (mapping), Radeon HD 5870 (transposition, n-body), HD 5670 and GTX 480 (n-body)",
  headline = "dimension 0 belongs to consecutive memory; n-body unrolled by 4: 30 % more frames on an HD 5670",
  size = "studies",
  sizes = {
    cpu = "mapping=480,transpose=2003x1501,occupancy=1000003,vectors=4000003,nbody=2048,extensions=1000003,"
      .. "memory=4000003,devices=1000003",
    gpu = "mapping=2048,transpose=8191x8193,occupancy=20000003,vectors=67108867,nbody=65536,"
      .. "extensions=16777213,memory=67108867,devices=16777213",
    count = "mapping=64,transpose=64,occupancy=1003,vectors=4099,nbody=256,extensions=1003,memory=4099,"
      .. "devices=4099",
    check = "mapping=45,transpose=37x29,occupancy=1003,vectors=1003,nbody=101,extensions=1003,memory=1003,"
      .. "devices=1003",
  },
  check_set = {"group=30"},
  figures = "most of the author's figures are charts without readable values: rows say in words what a study showed",
  forms = {cpu = {"8d", 37}},
  lessons = {
    "Dimension 0 belongs to consecutive memory. On a GPU a warp's request then touches few sectors (2), a scattered "
      .. "one 16 or 32 (1, 33); on a CPU that computes one item after the other, the product hardly changes (2).",
    "Counts say what a step asks for, and not always what it costs: steps 4 and 5 ask for the same bytes, and a cache "
      .. "that serves scattered reads leaves a local tile little to gain (6).",
    "The device's own width is the best: 16 bytes an item on a GPU (12 to 14), full vectors on a CPU (8d, 19, 20).",
    "Local memory and its tiles are for hardware that has them. On a CPU they are one more copy: the forms that win "
      .. "there have one item a group and work in registers (8d, 20).",
  },
  try = {
    {"clue walk amd --explain 5", "why reads that are scattered may cost less than such writes, with pictures of both"},
    {"clue walk amd --steps 3-8d --size transpose=1024", "rows of 4 KiB share a CPU cache's sets: who loses?"},
    {"clue walk amd --steps 6,7 --set tile=8,16,32", "bank conflicts against the width of a tile"},
    {"clue walk amd --steps 17-19 --set group=32,64,128,256", "how many bodies a tile should have"},
    {"clue count amd --steps 1,2,33,34 --pictures", "who reads which bytes, with both mappings and with each stride"},
    {"clue new walkthrough mine --from amd --steps 3-8", "a copy of the transposition, whose kernels you change"},
  },
}
