"""The operations of compute_worker.lua with PyOpenCL's ElementwiseKernel, ReductionKernel and PhiloxGenerator."""

import numpy
import pyopencl
import pyopencl.array
from pyopencl.clrandom import PhiloxGenerator
from pyopencl.elementwise import ElementwiseKernel
from pyopencl.reduction import ReductionKernel

from serve import serve

SIZES = {"1e3": 1000, "1e6": 1000000, "3e7": 30000000}

context = pyopencl.create_some_context(interactive=False)
queue = pyopencl.CommandQueue(context)
axpy = ElementwiseKernel(context, "float a, const float *x, float *y", "y[i] = a * x[i] + y[i]")
exponential = ElementwiseKernel(context, "const float *x, float *y", "y[i] = exp(x[i])")
floats = "const __global float *x"
total = ReductionKernel(context, numpy.float32, neutral="0", reduce_expr="a + b", map_expr="x[i]", arguments=floats)
least = ReductionKernel(context, numpy.float32, neutral="INFINITY", reduce_expr="fmin(a, b)", map_expr="x[i]",
                        arguments=floats)
dot = ReductionKernel(context, numpy.float32, neutral="0", reduce_expr="a + b", map_expr="x[i] * y[i]",
                      arguments=floats + ", const __global float *y")
generator = PhiloxGenerator(context, seed=7)
operations = {}


def add(name, work):
    """An operation is timed with all that it enqueues."""

    def repeated(count):
        for _ in range(count):
            work()
        queue.finish()

    operations[name] = repeated


def add_all(name, size):
    random = numpy.random.default_rng(1).random(size, dtype=numpy.float32)
    x = pyopencl.array.to_device(queue, random)
    y = pyopencl.array.to_device(queue, numpy.ones(size, dtype=numpy.float32))
    add("axpy " + name, lambda: axpy(numpy.float32(2), x, y))
    add("exp " + name, lambda: exponential(x, y))
    add("sum " + name, lambda: total(x).get())
    add("min " + name, lambda: least(x).get())
    add("dot " + name, lambda: dot(x, y).get())
    add("uniform " + name, lambda: generator.fill_uniform(y, -1, 1))
    add("normal " + name, lambda: generator.fill_normal(y))


for label, number in SIZES.items():
    add_all(label, number)

serve(operations, queue.finish)
