--- What the host was started with: quiet, strict, device, program, version. In `clue` main.c has put the table in this
-- module's place before anything runs; elsewhere nobody said anything. Fields may be set: raise makes every failed
-- CL call raise, as strict does.
return {}
