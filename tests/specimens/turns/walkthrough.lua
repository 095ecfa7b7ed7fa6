-- Steps of known duration, for the comparison of steps that take turns.
return {
  title = "Steps of known duration", about = "steps that sleep", year = 2026, language = "Lua", hardware = "any",
  headline = "twice as fast", author = "nobody", over = {[6] = 1},
}
