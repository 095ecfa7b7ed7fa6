"""The operations of calls_worker.lua by PyOpenCL. The kernels know their scalar types, and are made once: PyOpenCL's
fastest way."""

import os

import numpy
import pyopencl

from serve import serve

context = pyopencl.create_some_context(interactive=False)
queue = pyopencl.CommandQueue(context)
with open(os.path.join(os.path.dirname(__file__), "overhead.cl"), encoding="ascii") as source:
    program = pyopencl.Program(context, source.read()).build()
f1, f4, f8 = pyopencl.Kernel(program, "f1"), pyopencl.Kernel(program, "f4"), pyopencl.Kernel(program, "f8")
TYPES = [None, numpy.float32, None, numpy.int32]
f1.set_scalar_arg_dtypes(TYPES[:1])
f4.set_scalar_arg_dtypes(TYPES)
f8.set_scalar_arg_dtypes(TYPES * 2)
x = pyopencl.Buffer(context, pyopencl.mem_flags.READ_WRITE, 4096)


def call_1(count):
    for _ in range(count):
        f1(queue, (64,), None, x)


def call_4(count):
    for i in range(count):
        f4(queue, (64,), None, x, i, x, i)


def call_8(count):
    for i in range(count):
        f8(queue, (64,), None, x, i, x, i, x, i, x, i)


def ask_1(count):
    for _ in range(count):
        status = f1(queue, (64,), None, x).command_execution_status
    assert status is not None


def ask_4(count):
    for i in range(count):
        status = f4(queue, (64,), None, x, i, x, i).command_execution_status
    assert status is not None


def ask_8(count):
    for i in range(count):
        status = f8(queue, (64,), None, x, i, x, i, x, i, x, i).command_execution_status
    assert status is not None


def thousand(count):
    for _ in range(count):
        for _ in range(1000):
            f1(queue, (64,), None, x)
        queue.finish()


serve({
    "call, 1 argument": call_1, "call, 4 arguments": call_4, "call, 8 arguments": call_8,
    "call, 1 argument, event": ask_1, "call, 4 arguments, event": ask_4, "call, 8 arguments, event": ask_8,
    "1000 calls and their work": thousand,
}, queue.finish)
