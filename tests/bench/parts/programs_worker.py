"""The operations of programs_worker.lua by PyOpenCL."""

import time

import pyopencl

from serve import serve

MOST_TEXTS = 4

context = pyopencl.create_some_context(interactive=False)
texts = 0


def new_text():
    """A text that was never built. The operator differs from programs_worker.lua's, so that neither finds the other's."""
    global texts
    texts += 1
    return f"kernel void f(global long *x) {{ x[get_global_id(0)] -= {time.perf_counter_ns()} + {texts}; }}"


def measure(builds):
    """The seconds of the last of so many builds of each text, for `count` texts."""
    def run(count):
        seconds = 0
        built = min(count, MOST_TEXTS)
        for _ in range(built):
            text = new_text()
            for build in range(builds):
                start = time.perf_counter()
                pyopencl.Program(context, text).build()
                if build == builds - 1:
                    seconds += time.perf_counter() - start
        return seconds / built * count
    return run


serve({"build 1": measure(1), "build 2": measure(2), "build 3": measure(3)})
