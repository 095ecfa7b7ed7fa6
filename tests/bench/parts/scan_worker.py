"""The operations of scan_worker.lua with PyOpenCL's InclusiveScanKernel, GenericScanKernel and RadixSort."""

import numpy
import pyopencl
import pyopencl.array
from pyopencl.algorithm import RadixSort
from pyopencl.scan import GenericScanKernel, InclusiveScanKernel

from serve import serve

SIZES = {"1e3": 1000, "1e6": 1000000, "1e7": 10000000}

context = pyopencl.create_some_context(interactive=False)
queue = pyopencl.CommandQueue(context)
total = InclusiveScanKernel(context, numpy.float32, "a + b", neutral="0")
greatest = GenericScanKernel(context, numpy.int32, arguments="__global int *x, __global int *out", input_expr="x[i]",
                             scan_expr="a > b ? a : b", neutral="INT_MIN", output_statement="out[i] = item")
sort = RadixSort(context, "unsigned int *keys", key_expr="keys[i]", sort_arg_names=["keys"])
by_key = RadixSort(context, "unsigned int *keys, unsigned int *places", key_expr="keys[i]",
                   sort_arg_names=["keys", "places"])
operations = {}


def add(name, work):
    """An operation is timed with all that it enqueues."""

    def repeated(count):
        for _ in range(count):
            work()
        queue.finish()

    operations[name] = repeated


def add_all(name, size):
    random = numpy.random.default_rng(1)
    x = pyopencl.array.to_device(queue, random.random(size, dtype=numpy.float32))
    whole = x.view(numpy.int32)
    out = pyopencl.array.empty(queue, size, numpy.float32)
    out_whole = out.view(numpy.int32)
    keys = pyopencl.array.to_device(queue, random.integers(0, 2**32, size, dtype=numpy.uint32))
    places = pyopencl.array.zeros(queue, size, numpy.uint32)
    add("sum float " + name, lambda: total(x, out))
    add("max int " + name, lambda: greatest(whole, out_whole))
    if size < 10000000:  # a sort of so many takes 9 seconds on two cores
        add("sort uint " + name, lambda: sort(keys, queue=queue))
        add("sort uint, uint " + name, lambda: by_key(keys, places, queue=queue))


for label, number in SIZES.items():
    add_all(label, number)

serve(operations, queue.finish)
