--- The options that the host was started with: quiet, strict, device, program, version. And two functions:
-- interrupted(raised) is true if an error is Ctrl-C; stopped() is true if Ctrl-C was pressed since its first call. In
-- `clue`, main.c puts the table into this module's place before anything runs; elsewhere it is empty. Fields may be
-- set: raise makes every failed CL call raise, as strict does.
return {}
