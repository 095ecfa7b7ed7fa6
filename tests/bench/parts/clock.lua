-- The clock of a bench's worker, in seconds: the process's own CPU time where BENCH_CLOCK is "cpu".
return os.getenv "BENCH_CLOCK" == "cpu" and os.clock or require("clue").now
