-- What `clue walk` says about this walkthrough.
return {
  title = "Several devices: one problem, divided while it runs",
  about = "the Mandelbrot set, a matrix product, n-body and a sum, each on every device alone and on all together",
  language = "Lua",
  author = "clue",
  headline = "efficiency is the rate of all devices together by the sum of their rates alone: 1 is all that there is",
  figures = "a walkthrough of our own: there are no published figures. Each row's efficiency is that of its last "
    .. "variant; its times are those of all devices together",
  size = "studies",
  sizes = {
    cpu = "mandelbrot=1920,product=768,nbody=8192,sum=33554467",
    gpu = "mandelbrot=8192,product=8192,nbody=524288,sum=268435459",
    count = "mandelbrot=16,product=64,nbody=256,sum=16387",
    check = "mandelbrot=16,product=37,nbody=263,sum=5003",
  },
  lessons = {
    "A device gets its next chunk while it works on the one before, so it never waits for the host (1 to 3).",
    "Chunks are large first and small at the end: rows of unequal cost (1) and devices of unequal speed end together.",
    "A slow device helps by its rate and no more. It gets nothing that it would end last, so it does not harm either.",
    "Work as short as a few launches gains little from a second device (4): starting and ending it takes the time.",
  },
  try = {
    {"clue walk devices --set with=alike,all", "devices of the same kind only, or all of the machine"},
    {"clue walk devices --steps 3 --size 1024..65536*4", "how large the work must be for a second device to pay"},
    {"clue walk devices --steps 1 --size 480..7680*2", "the same for the Mandelbrot set"},
    {"clue walk devices --explain 2", "what a step's variants are"},
    {"clue new walkthrough mine --from devices --steps 1,3", "a copy whose kernels you change"},
  },
}
