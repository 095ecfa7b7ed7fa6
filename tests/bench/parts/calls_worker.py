"""The operations of calls_worker.lua by PyOpenCL. The kernels know their scalar types, and are made once: PyOpenCL's
fastest way."""

import os

import numpy
import pyopencl

from clock import now
from serve import serve

GATED = 500

context = pyopencl.create_some_context(interactive=False)
queue = pyopencl.CommandQueue(context)
profiling = pyopencl.CommandQueue(context, properties=pyopencl.command_queue_properties.PROFILING_ENABLE)
on_cpu = context.devices[0].type & pyopencl.device_type.CPU
with open(os.path.join(os.path.dirname(__file__), "overhead.cl"), encoding="ascii") as source:
    program = pyopencl.Program(context, source.read()).build()
f1, f4, f8 = pyopencl.Kernel(program, "f1"), pyopencl.Kernel(program, "f4"), pyopencl.Kernel(program, "f8")
TYPES = [None, numpy.float32, None, numpy.int32]
f1.set_scalar_arg_dtypes(TYPES[:1])
f4.set_scalar_arg_dtypes(TYPES)
f8.set_scalar_arg_dtypes(TYPES * 2)
x = pyopencl.Buffer(context, pyopencl.mem_flags.READ_WRITE, 4096)


def enqueueing(calls, queue=queue):
    """The operation that makes calls from a first number to before another. Gives its seconds."""
    def run(count):
        seconds = 0
        for first in range(0, count, GATED):
            gate = pyopencl.UserEvent(context) if on_cpu else None
            if gate:
                pyopencl.enqueue_barrier(queue, wait_for=[gate])
            start = now()
            calls(first, min(first + GATED, count))
            seconds += now() - start
            if gate:
                gate.set_status(pyopencl.command_execution_status.COMPLETE)
            queue.finish()
        return seconds
    return run


def call_1(first, last):
    for _ in range(first, last):
        f1(queue, (64,), None, x)


def call_4(first, last):
    for i in range(first, last):
        f4(queue, (64,), None, x, i, x, i)


def call_8(first, last):
    for i in range(first, last):
        f8(queue, (64,), None, x, i, x, i, x, i, x, i)


def ask_1(first, last):
    for _ in range(first, last):
        assert f1(queue, (64,), None, x).command_execution_status is not None


def ask_4(first, last):
    for i in range(first, last):
        assert f4(queue, (64,), None, x, i, x, i).command_execution_status is not None


def ask_8(first, last):
    for i in range(first, last):
        assert f8(queue, (64,), None, x, i, x, i, x, i, x, i).command_execution_status is not None


def profile_4(first, last):
    for i in range(first, last):
        f4(profiling, (64,), None, x, i, x, i)


def wait(count):
    for _ in range(count):
        f1(queue, (64,), None, x).wait()


def thousand(count):
    for _ in range(count):
        for _ in range(1000):
            f1(queue, (64,), None, x)
        queue.finish()


serve({
    "call, 1 argument": enqueueing(call_1), "call, 4 arguments": enqueueing(call_4),
    "call, 8 arguments": enqueueing(call_8),
    "call, 1 argument, event": enqueueing(ask_1), "call, 4 arguments, event": enqueueing(ask_4),
    "call, 8 arguments, event": enqueueing(ask_8), "call, 4 arguments, profiling": enqueueing(profile_4, profiling),
    "call and wait, 1 argument": wait, "1000 calls and their work": thousand,
})
