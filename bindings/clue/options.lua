--- The options that the host was started with: quiet, strict, device, program, version; and interrupted(raised), which
-- is true if an error is Ctrl-C. In `clue`, main.c puts the table into this module's place before anything runs;
-- elsewhere it is empty. Fields may be set: raise makes every failed CL call raise, as strict does.
return {}
