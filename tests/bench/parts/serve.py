"""The loop of a bench's worker in Python: see serve.lua, which documents the lines."""

import sys

from clock import now


def seconds_of(run, count, settle):
    """The seconds of a batch. The work that it only enqueued ends before the next batch, but does not count."""
    start = now()
    own = run(count)
    taken = now() - start
    if settle:
        settle()
    return taken if own is None else own


def serve(operations, settle=None):
    """Measures operations, functions of a count by name, until it is told to end."""
    print("ready", flush=True)
    for line in sys.stdin:
        name, count = line.rstrip("\n").split("\t")
        count = int(count)
        if name == "end":
            return
        if name == "list":
            print("\t".join(sorted(operations)), flush=True)
            continue
        if count > 1:  # caches, clocks and devices come back from the other worker
            seconds_of(operations[name], count // 8 + 1, settle)
        print(f"{seconds_of(operations[name], count, settle) / count * 1e9:.3f}", flush=True)
