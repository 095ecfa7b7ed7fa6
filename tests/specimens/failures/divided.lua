local cl = require "clue"
local part = cl.device.get(0):partition {equally = 1}[1]
cl.context(part):queue():finish()
print(part.max_compute_units)
