-- Faults in host/main.c and host/main: exit statuses, what users read after an error, signals and time limits.
return {
  {
    name = "main_status_cut",
    file = "host/main.c",
    was = "bool is_status = number >= 0 && number <= 255 && number == (int)number;",
    is = "bool is_status = number >= 0 && number == (int)number;",
    fault = "OnStart's 256 becomes the exit status 0",
    test = "spec.interpreter",
    says = "fails if OnStart returns a number that is not an exit status",
  },
  {
    name = "main_exit_failure_lost",
    file = "host/main.c",
    was = "if (!clue_setup_finish(L, run->status) && run->status == 0) run->status = CLUE_STATUS_FAILED;",
    is = "(void)clue_setup_finish(L, run->status);",
    fault = "a run whose output could not be written has the exit status 0",
    test = "spec.interpreter",
    says = "is a failure if output could not be written",
  },
  {
    name = "report_character_cut",
    file = "host/main/report.c",
    was = "while (part < size && part > 1 &&",
    is = "while (part > size && part > 1 &&",
    fault = "a long message has escapes in place of a character of several bytes",
    test = "spec.interpreter",
    says = "shows each character of a long message",
  },
  {
    name = "time_limit_without_line",
    file = "host/main/time_limit.c",
    was = [[
    clue_report_push_place(L);
    lua_pushstring(L, message);
    lua_concat(L, 2);
]],
    is = "    lua_pushstring(L, message);\n",
    fault = "the error of --time-limit does not say where the script was",
    test = "spec.signal",
    says = "ends Lua code with an error that gives its line",
  },
  {
    name = "time_limit_status",
    file = "host/main.c",
    was = "if (run->status == CLUE_STATUS_FAILED && clue_time_limit_passed()) run->status = CLUE_STATUS_TIME_LIMIT;",
    is = "",
    fault = "a run that --time-limit ends in Lua code has the status of any error",
    test = "spec.signal",
    says = "ends Lua code with an error that gives its line",
  },
  {
    name = "time_limit_leaves_children",
    file = "host/main/time_limit.c",
    was = "    clue_child_kill_all();\n",
    is = "",
    fault = "what child processes have started outlives a run that --time-limit ends",
    test = "spec.signal",
    says = "leaves no child process and no temporary file of a script that goes on",
  },
  {
    name = "time_limit_leaves_files",
    file = "host/main/time_limit.c",
    was = "    clue_temporary_remove_all();\n",
    is = "",
    fault = "temporary files outlive a run that --time-limit ends",
    test = "spec.signal",
    says = "leaves no child process and no temporary file of a script that goes on",
  },
  {
    name = "isolate_signal_status",
    file = "host/main/isolate.c",
    was = "return CLUE_STATUS_SIGNALLED + value;",
    is = "return value;",
    fault = "the exit status of a crash is that of a script's own",
    test = "spec.isolate",
    says = "tells that the run was killed",
  },
}
