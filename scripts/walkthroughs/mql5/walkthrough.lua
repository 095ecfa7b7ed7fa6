-- What `clue walk` tells of this walkthrough.
return {
  title = "OpenCL: From Naive Towards More Insightful Programming",
  about = "matrix product in ten steps, as an MQL5 script",
  year = 2012,
  language = "MQL5",
  hardware = "an OpenCL CPU device ('CPU'), a Radeon HD 4870 ('GPU'), MQL5 loops on one core ('host')",
  headline = "about 200:1 over the host loop on the GPU, 32 GFLOPS: 2.7 % of that card's peak",
  size = {kind = "product", default = "480", published = "2000"},
}
