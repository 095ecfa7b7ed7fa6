"""The operations of buffers_worker.lua by PyOpenCL."""

import numpy
import pyopencl

from serve import serve

context = pyopencl.create_some_context(interactive=False)
queue = pyopencl.CommandQueue(context)
operations = {}


def make(size):
    def run(count):
        for _ in range(count):
            pyopencl.Buffer(context, pyopencl.mem_flags.READ_WRITE, size)
    return run


def write(buffer, numbers):
    def run(count):
        for _ in range(count):
            pyopencl.enqueue_copy(queue, buffer, numbers, is_blocking=True)
    return run


def read(buffer, numbers):
    def run(count):
        for _ in range(count):
            pyopencl.enqueue_copy(queue, numbers, buffer, is_blocking=True)
    return run


for size, name in ((4096, "4 KiB"), (2**20, "1 MiB")):
    operations[f"new buffer, {name}"] = make(size)


def make_and_close(count):
    for _ in range(count):
        pyopencl.Buffer(context, pyopencl.mem_flags.READ_WRITE, 4096).release()


def make_from(count):
    flags = pyopencl.mem_flags.READ_WRITE | pyopencl.mem_flags.COPY_HOST_PTR
    for _ in range(count):
        pyopencl.Buffer(context, flags, hostbuf=page)


def map_and_unmap(count):
    flags = pyopencl.map_flags.READ | pyopencl.map_flags.WRITE
    for _ in range(count):
        array, _event = pyopencl.enqueue_map_buffer(queue, mapped, flags, 0, (2**18,), numpy.float32, is_blocking=True)
        array.base.release(queue)


page = numpy.zeros(1024, dtype=numpy.float32)
operations["new buffer that is closed, 4 KiB"] = make_and_close
operations["new buffer from an array, 4 KiB"] = make_from

for size, name in ((64, "64 bytes"), (2**24, "16 MiB")):
    buffer = pyopencl.Buffer(context, pyopencl.mem_flags.READ_WRITE, size)
    numbers = numpy.zeros(size // 4, dtype=numpy.float32)
    operations[f"write {name}"] = write(buffer, numbers)
    operations[f"read {name}"] = read(buffer, numbers)

mapped = pyopencl.Buffer(context, pyopencl.mem_flags.READ_WRITE, 2**20)
operations["map and unmap 1 MiB"] = map_and_unmap

serve(operations, queue.finish)
