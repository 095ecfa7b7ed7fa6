-- Faults in the prompt: host/lua/repl and host/repl.
return {
  {
    name = "prompt_methods_not_completed",
    file = "host/lua/repl/completion.lua",
    was = [[    if type(rawget(meta, "methods")) == "table" then add(found, rawget(meta, "methods")) end]] .. "\n",
    is = "",
    fault = "Tab does not know the methods of clue's objects",
    test = "spec.repl_completion",
  },
  {
    name = "prompt_history_not_written",
    file = "host/lua/repl/history.lua",
    was = [[  if path then editor.append(path, line .. "\n") end]] .. "\n",
    is = "",
    fault = "the next session has no history",
    test = "spec.repl",
    says = "prompts with >> until a statement is complete, and keeps it as one line",
  },
  {
    name = "prompt_comment_joined",
    file = "host/lua/repl/history.lua",
    was = [[statement:find("--", 1, true) or ]],
    is = "",
    fault = "a comment in a statement of the history hides its next lines",
    test = "spec.repl",
    says = "keeps the lines of a statement apart if a comment ends one",
  },
  {
    name = "prompt_outlives_sigterm",
    file = "host/sys/posix/keys.c",
    was = "    if (take(SIGTERM)) raise(SIGTERM);\n",
    is = "",
    fault = "SIGTERM at the prompt is told to the shell as a normal end",
    test = "spec.repl",
    says = "restores the terminal when a signal ends it",
  },
}
