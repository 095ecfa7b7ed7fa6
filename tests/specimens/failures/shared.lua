local cl = require "clue"
local context = cl.context(cl.device.get(0))
local queue = context:queue()
local x, y = context:svm(cl.array.float {1, 2, 3, 4}), context:svm(16)
queue:fill_svm(y, cl.float(1))
queue:copy_svm(x, y, {size = 8})
queue:write_svm(x, cl.array.float {5}, {blocking = false}):wait()
queue:migrate(x, y)
local kernel = context:program "kernel void double_all(global float *x) {x[get_global_id(0)] *= 2;}"
  :kernel "double_all"
kernel:set_svm_pointers(x)(queue, 4, nil, y)
local mapped = queue:map_svm(y, "float")
mapped[3] = 10
queue:unmap(mapped)
local read = cl.array.float(4)
queue:read_svm(y, read)
queue:finish()
print(read:sum())
