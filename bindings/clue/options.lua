--- The options that the host was started with: quiet, strict, device, program, version. And functions:
-- interrupted(raised) is true if an error is Ctrl-C; stopped() is true if Ctrl-C was pressed since its first call. A
-- third, described(), lists clue's own options, with label, value and help, and has about and closing. In
-- `clue`, main.c puts the table into this module's place before anything runs; elsewhere it is empty. Fields may be
-- set: raise makes every failed CL call raise, as strict does.
return {}
