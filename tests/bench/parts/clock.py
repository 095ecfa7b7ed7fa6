"""The clock of a bench's worker, in seconds: the process's own CPU time where BENCH_CLOCK is "cpu"."""

import os
import time

now = time.process_time if os.environ.get("BENCH_CLOCK") == "cpu" else time.perf_counter
