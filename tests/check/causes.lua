-- Why kernels of public collections are judged otherwise than by their collection, for collections.lua: by file.
local EQUAL = "work-items write equal values: a note"
local BENIGN = "work-items write the value that is there, which the collection calls benign"

return {
  -- GPUVerify's tests in OpenCL
  ["array_bounds_tests/array_in_array/kernel.cl"] = "the index is unwritten memory, which is told",
  ["array_bounds_tests/array_in_array_param/kernel.cl"] = "the index is data, and inside with all that are tried",
  ["array_bounds_tests/negative_index_multi_dim/kernel.cl"] = "the index lies outside its row, though in the array",
  ["async_work_group_copy/fail/test14/kernel.cl"] = "copies by the group may still read for others what one overwrites",
  ["benign_race_tests/fail/writezero_nobenign/kernel.cl"] = EQUAL,
  ["benign_race_tests/pass/writeafterread/kernel.cl"] = BENIGN,
  ["inter_group_and_barrier_flag_tests/pass/read_then_write/kernel.cl"] = "barriers with different fences in one group",
  ["inter_group_and_barrier_flag_tests/pass/write_then_read/kernel.cl"] = "barriers with different fences in one group",
  ["multidimarrays/test5/kernel.cl"] = BENIGN,
  ["reducedstrengthnonloopbug/kernel.cl"] = "no kernel calls the function",
  -- GPUVerify's tests in CUDA
  ["globalarray/fail/kernel.cu"] = "a host of CUDA may change constant arrays; one of OpenCL cannot",
  ["memcpy/arrayofstruct/kernel.cu"] = "copies a struct that nobody has written, which is told",
  ["memcpy/fail_arrayofstruct/kernel.cu"] = "copies a struct that nobody has written, which is told",
  ["memcpy/fail_overstep/kernel.cu"] = EQUAL,
  ["memcpy/lentoobig/kernel.cu"] = EQUAL,
  ["pointertests/test_copy_between_memory_spaces/kernel.cu"] = "reads unwritten local memory, which is told",
}
