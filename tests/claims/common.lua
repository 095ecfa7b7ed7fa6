-- What numbers mean in the texts of all walkthroughs.
return function()
  return {
    definition = {
      "a warp of 32", "warps of 32", "a warp has 32", "32 or 64 work-items", "32 or 64 items", "banks, 32 on most GPUs",
      "32 of 4 bytes", "most GPUs have 32 banks", "on 32 banks", "32 lanes", "95 % interval", "blocks of 32 bytes",
      "16 bytes", "64 bytes", "sectors of 32 bytes", "lines of 128 bytes", "a line of 128 bytes",
      "wavefront of 64", "2 M N K operations", "2 X Y operations", "32 work-items of a warp", "float4 of",
      "[0, 1)",
    },
  }
end
