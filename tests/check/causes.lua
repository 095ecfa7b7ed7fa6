-- Why kernels of public collections are judged otherwise than by their collection, for collections.lua: by file.
local EQUAL = "work-items write equal values: a note"
local COUNTER = "the place comes from a counter in local memory that nobody has set, which is told"
local UNWRITTEN = "reads local memory that nobody has written, which is told"

return {
  -- GPUVerify's tests in OpenCL
  ["array_bounds_tests/array_in_array/kernel.cl"] = "the index is unwritten memory, which is told",
  ["array_bounds_tests/array_in_array_param/kernel.cl"] = "the index is data, and inside with all that are tried",
  ["array_bounds_tests/negative_index_multi_dim/kernel.cl"] = "the index lies outside its row, though in the array",
  ["async_work_group_copy/fail/test14/kernel.cl"] = "copies by the group may still read for others what one overwrites",
  ["atomics/histo/kernel.cl"] = COUNTER,
  ["atomics/refined_atomic_abstraction/many_accesses/kernel.cl"] = COUNTER,
  ["atomics/refined_atomic_abstraction/one_access/kernel.cl"] = COUNTER,
  ["benign_race_tests/pass/writeafterread/kernel.cl"] =
    "work-items write the value that is there, benign for GPUVerify",
  ["benign_race_tests/fail/writewritearray_adversarial/kernel.cl"] = EQUAL,
  ["benign_race_tests/fail/writezero_nobenign/kernel.cl"] = EQUAL,
  ["pointertests/test_copy_between_memory_spaces/kernel.cl"] = UNWRITTEN,
  ["pointertests/test_copy_between_memory_spaces2/kernel.cl"] = UNWRITTEN,
  ["reducedstrengthnonloopbug/kernel.cl"] = "no kernel calls the function",
  ["simplebinomialoptions/kernel.cl"] = "16 work-items leave unwritten what 256 write, which is told",
  -- GPUVerify's tests in CUDA
  ["memcpy/arrayofstruct/kernel.cu"] = "copies a struct that nobody has written, which is told",
  ["memcpy/fail_arrayofstruct/kernel.cu"] = "copies a struct that nobody has written, which is told",
  ["memcpy/fail_overstep/kernel.cu"] = EQUAL,
  ["memcpy/lentoobig/kernel.cu"] = EQUAL,
  ["pointertests/test_copy_between_memory_spaces/kernel.cu"] = UNWRITTEN,
}
