"""cuBLAS through PyTorch, without TF32 unless the type is "tf32".

Operations "events MxNxK TYPE", "graph MxNxK TYPE" and "kernels MxNxK TYPE" return seconds for a count of products: by
CUDA events around all, launched one by one or as one graph, or by the profiler's times of the kernels alone. With a
fourth word, "columns", B is stored by columns; that of "char" always is."""

import sys

import torch
from torch.profiler import ProfilerActivity, profile

from serve import serve


told = set()  # the names of cuBLAS' kernels


class Operations(dict):
    """Makes the operation for a size when it is first asked for; the last matrices are kept."""

    def __missing__(self, name):
        kind, size, type_name, *columns = name.split(" ")
        m, n, k = (int(x) for x in size.split("x"))
        torch.backends.cuda.matmul.allow_tf32 = type_name == "tf32"
        if type_name == "char":
            a = torch.randint(-128, 128, (m, k), dtype=torch.int8, device="cuda")
            b = torch.randint(-128, 128, (n, k), dtype=torch.int8, device="cuda").t()  # the only order that it takes
            c = torch.empty(m, n, dtype=torch.int32, device="cuda")
            self.clear()
            self[name] = getattr(self, kind)(lambda: torch._int_mm(a, b, out=c))
            return self[name]
        form = {"device": "cuda", "dtype": getattr(torch, "float" if type_name == "tf32" else type_name)}
        a, b, c = torch.rand(m, k, **form) * 2 - 1, torch.rand(k, n, **form) * 2 - 1, torch.empty(m, n, **form)
        if columns:
            b = b.t().contiguous().t()
        self.clear()
        self[name] = getattr(self, kind)(lambda: torch.matmul(a, b, out=c))
        return self[name]

    @staticmethod
    def events(work):
        def run(count):
            start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            start.record()
            for _ in range(count):
                work()
            end.record()
            torch.cuda.synchronize()
            return start.elapsed_time(end) * 1e-3

        return run

    @staticmethod
    def graph(work):
        graphs = {}

        def run(count):
            if count not in graphs:
                work()
                torch.cuda.synchronize()
                graphs[count] = torch.cuda.CUDAGraph()
                with torch.cuda.graph(graphs[count]):
                    for _ in range(count):
                        work()
            return Operations.events(graphs[count].replay)(1)

        return run

    @staticmethod
    def kernels(work):
        def run(count):
            try:
                return profiled(count)
            except Exception as problem:  # an old or bare PyTorch
                print("no profiler:", problem, file=sys.stderr, flush=True)
                return Operations.events(work)(count)

        def profiled(count):
            with profile(activities=[ProfilerActivity.CUDA]) as seen:
                for _ in range(count):
                    work()
                torch.cuda.synchronize()
            on_gpu = [e for e in seen.events() if e.device_type == torch.autograd.DeviceType.CUDA]
            for name in sorted({e.name for e in on_gpu} - told):
                told.add(name)
                print(name, file=sys.stderr, flush=True)
            return sum(e.time_range.end - e.time_range.start for e in on_gpu) * 1e-6

        return run


serve(Operations())
