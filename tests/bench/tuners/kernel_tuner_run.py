"""Searches the space of product.cl with Kernel Tuner (pip install kernel_tuner pyopencl), for compare.lua.

kernel_tuner_run.py DEVICE STRATEGY SEED EVALUATIONS SECONDS: prints a line of JSON for each result. DEVICE is a name:
PyOpenCL has an ICD loader of its own, so the order of its platforms may be another."""
import json
import os
import random
import sys
import time

import numpy
import kernel_tuner
import pyopencl

name, strategy, seed, evaluations, seconds = sys.argv[1:6]
platform, device = next((i, k) for i, one in enumerate(pyopencl.get_platforms())
                        for k, each in enumerate(one.get_devices()) if each.name == name)
folder = os.path.dirname(os.path.abspath(__file__))
N = int(os.environ.get("TUNERS_N", "512"))
random.seed(int(seed))
numpy.random.seed(int(seed))
values = numpy.random.default_rng(1)
a = (values.random((N, N)) * 2 - 1).astype(numpy.float32)
b = (values.random((N, N)) * 2 - 1).astype(numpy.float32)
c = numpy.zeros((N, N), numpy.float32)

tune_params = {
    "block_size_x": [4, 8, 16, 32, 64], "block_size_y": [1, 2, 4, 8, 16], "WX": [1, 2, 4, 8], "WY": [1, 2, 4, 8],
    "TK": [4, 8, 16, 32], "LOCAL": [0, 1],
}
restrictions = [
    "16 <= block_size_x * block_size_y <= 512",
    "block_size_x * WX <= 256", "block_size_y * WY <= 128",
    "(block_size_x * WX + block_size_y * WY) * TK * 4 <= 32768",
]
began = time.monotonic()



class Clock(kernel_tuner.observers.BenchmarkObserver):
    """Notes when each configuration was measured."""

    def get_results(self):
        return {"at": time.monotonic() - began}


results, _ = kernel_tuner.tune_kernel(
    "product", os.path.join(folder, "product.cl"), (N, N), [a, b, c], tune_params, platform=platform, device=device,
    lang="OpenCL", grid_div_x=["block_size_x", "WX"], grid_div_y=["block_size_y", "WY"],
    restrictions=restrictions, answer=[None, None, a @ b], atol=1e-3, compiler_options=[f"-DN={N}"],
    strategy=strategy, strategy_options={"max_fevals": int(evaluations), "time_limit": float(seconds)},
    observers=[Clock()], quiet=True)
for result in results:
    p = {name: result[name] for name in tune_params}
    failed = not isinstance(result["time"], float)
    print(json.dumps({"p": p, "at": result.get("at"), "time": None if failed else result["time"] / 1000}))
