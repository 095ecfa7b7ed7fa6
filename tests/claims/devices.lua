-- Where the numbers in the texts of devices come from: see tests/spec/claim_check.lua.
return function(c)
  return {
    [1] = {definition = {"0: 1000 on a CPU, 50000", "997 pixels"}},
    [4] = {["65536"] = c.constant(4).BLOCK},
    walkthrough = {definition = {"1 is all"}},
  }
end
