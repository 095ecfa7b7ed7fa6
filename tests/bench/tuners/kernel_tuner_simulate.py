"""Searches a recorded space with a strategy of Kernel Tuner, in its simulation: nothing is compiled or run.

kernel_tuner_simulate.py CACHE STRATEGY REPEATS: CACHE is a cachefile of Kernel Tuner with all configurations, such as
those of the benchmark hub. Prints what part of the optimum's speed the best of the first 25, 50, 100 and 200 different
configurations has, a line of JSON for each repeat; the seeds are 0, 1, 2 and so on. A search that ends sooner keeps its
best. It needs kernel_tuner, for bayes_opt and skopt also scikit-optimize, and for nsga2 and nsga3 pymoo."""
import json
import random
import sys

import kernel_tuner
import numpy

POINTS = (25, 50, 100, 200)
path, strategy, repeats = sys.argv[1:4]
with open(path, encoding="utf-8") as file:
    space = json.load(file)
names = space["tune_params_keys"]


def key(p):
    return ",".join(str(p[name]) for name in names)


def is_recorded(p):
    return key(p) in space["cache"]


def seconds(result):
    """Configurations that failed have the name of their failure, or a large number."""
    time = result["time"]
    return time if isinstance(time, (int, float)) and time < 1e19 else float("inf")


optimum = min(map(seconds, space["cache"].values()))
for seed in range(int(repeats)):
    random.seed(seed)
    numpy.random.seed(seed)
    results, _ = kernel_tuner.tune_kernel(
        space["kernel_name"], "__global__ void none() {}", space["problem_size"], [],
        {name: space["tune_params"][name] for name in names}, restrictions=is_recorded, lang="CUDA", cache=path,
        simulation_mode=True, strategy=strategy, strategy_options={"max_fevals": POINTS[-1]}, quiet=True)
    seen, least, reached = set(), float("inf"), []
    for result in results:
        if key(result) not in seen:
            seen.add(key(result))
            least = min(least, seconds(result))
            if len(seen) in POINTS:
                reached.append(round(optimum / least, 4))
    reached += [round(optimum / least, 4)] * (len(POINTS) - len(reached))
    print(json.dumps({"evaluations": len(seen), "reached": reached}), flush=True)
