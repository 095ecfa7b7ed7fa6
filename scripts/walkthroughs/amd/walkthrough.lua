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
    count = "mapping=64,transpose=67x65,occupancy=1003,vectors=4099,nbody=256,extensions=1003,memory=4099,"
      .. "devices=4099",
    check = "mapping=45,transpose=37x29,occupancy=1003,vectors=1003,nbody=101,extensions=1003,memory=1003,"
      .. "devices=1003",
  },
  figures = "most of the author's figures are charts without readable values: rows say in words what a study showed",
}
