"""The same as start.lua by PyOpenCL."""

import numpy
import pyopencl

context = pyopencl.create_some_context(interactive=False)
queue = pyopencl.CommandQueue(context)
program = pyopencl.Program(
    context, "kernel void square(global float *x) { x[get_global_id(0)] *= x[get_global_id(0)]; }").build()
numbers = numpy.full(1000, 3, dtype=numpy.float32)
flags = pyopencl.mem_flags.READ_WRITE | pyopencl.mem_flags.COPY_HOST_PTR
x = pyopencl.Buffer(context, flags, hostbuf=numbers)
program.square(queue, (1000,), None, x)
pyopencl.enqueue_copy(queue, numbers, x)
print(f"{numbers[999]:.0f}")
