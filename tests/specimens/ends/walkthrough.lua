-- Steps that end in every way a step can end, for the runner's specs.
return {
  title = "The ways a step can end", about = "steps that crash, hang, lie or ask for too much", year = 2026,
  language = "Lua", hardware = "any", headline = "the others still run",
  size = "product",
}
