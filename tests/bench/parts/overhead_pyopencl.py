"""The operations of tests/bench/overhead by PyOpenCL, as its users write them: kernel.set_arg, enqueue_copy, and with a
flush after each, enqueue_nd_range_kernel and kernel(queue, ...), which also sets the arguments.

Reads lines "OPERATION COUNT" up to "end 0", and answers each with nanoseconds per operation."""

import sys
import time

import numpy
import pyopencl

ARGUMENTS = {"1": 1, "4": 4, "8": 8}

context = pyopencl.Context([pyopencl.get_platforms()[0].get_devices()[0]])
queue = pyopencl.CommandQueue(context, properties=pyopencl.command_queue_properties.PROFILING_ENABLE)
with open(sys.argv[1], encoding="ascii") as source:
    program = pyopencl.Program(context, source.read()).build(options=["-cl-kernel-arg-info"])
kernels = {count: pyopencl.Kernel(program, "f" + count) for count in ARGUMENTS}
buffer = pyopencl.Buffer(context, pyopencl.mem_flags.READ_WRITE, 4096)
numbers = numpy.zeros(16, dtype=numpy.float32)


def arguments_of(count, turn):
    """A buffer, a float, a buffer, an int, and again from the first."""
    return (buffer, numpy.float32(turn % 1024), buffer, numpy.int32(turn % 1024), buffer, numpy.float32(turn % 1024),
            buffer, numpy.int32(turn % 1024))[:count]


def enqueue(kernel):
    """Flushes the queue, as CLExecute does."""
    pyopencl.enqueue_nd_range_kernel(queue, kernel, (64,), None)
    queue.flush()


def set_float(_, turns):
    kernel = kernels["4"]
    for i in range(turns):
        kernel.set_arg(1, numpy.float32(i % 1024))


def set_buffer(_, turns):
    kernel = kernels["4"]
    for _ in range(turns):
        kernel.set_arg(0, buffer)


def enqueue_many(count, turns):
    kernel = kernels[count]
    for _ in range(turns):
        enqueue(kernel)


def set_enqueue(count, turns):
    kernel, arguments = kernels[count], ARGUMENTS[count]
    for i in range(turns):
        kernel(queue, (64,), None, *arguments_of(arguments, i % 1024))
        queue.flush()


def set_ask(count, turns):
    """Asks each command for its state."""
    kernel, arguments = kernels[count], ARGUMENTS[count]
    for i in range(turns):
        event = kernel(queue, (64,), None, *arguments_of(arguments, i % 1024))
        queue.flush()
        event.command_execution_status  # pylint: disable=pointless-statement


def new_buffer(_, turns):
    for _ in range(turns):
        pyopencl.Buffer(context, pyopencl.mem_flags.READ_WRITE, 4096)


def write(_, turns):
    for _ in range(turns):
        pyopencl.enqueue_copy(queue, buffer, numbers, is_blocking=True)


operations = {
    "set_float": (set_float, None),
    "set_buffer": (set_buffer, None),
    "new_buffer": (new_buffer, None),
    "write_64": (write, None),
}
for number in ARGUMENTS:
    operations["enqueue_" + number] = (enqueue_many, number)
    operations["set_enqueue_" + number] = (set_enqueue, number)
    operations["ask_" + number] = (set_ask, number)

TYPES = (None, numpy.float32, None, numpy.int32) * 2
for number, count in ARGUMENTS.items():
    kernels[number].set_scalar_arg_dtypes(TYPES[:count])
    kernels[number](queue, (64,), None, *arguments_of(count, 1))
print("ready", flush=True)
for line in sys.stdin:
    if line.startswith("end\t"):
        break
    name, turns = line.split()
    run, number = operations[name]
    run(number, int(turns) // 8 + 1)  # caches, clocks and devices come back from other processes
    queue.finish()
    start = time.perf_counter_ns()
    run(number, int(turns))
    taken = time.perf_counter_ns() - start
    queue.finish()
    print(f"{taken / int(turns):.3f}", flush=True)
