local cl = require "clue"
local context = cl.context(cl.device.get(0))
local header = "kernel void f(global int *x) {*x = 1;}"
local program = context:program('#include "a.h"', {headers = {["a.h"] = header}})
print(#program.kernels)
