-- busted loads this before any spec. clue exits with a failure if the last MQL5 error is still set at the end of the
-- script. Here busted is the script, and specs set that error on purpose.

require("busted").subscribe({"suite", "end"}, function()
  local mql5 = package.loaded["clue.mql5"]
  if mql5 then mql5.ResetLastError() end
end)
