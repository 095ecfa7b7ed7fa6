-- busted loads this before any spec. clue exits with a failure if the last MQL5 error is still set at the end of the
-- script. Here busted is the script, and specs set that error on purpose.

require("busted").subscribe({"suite", "end"}, function()
  local mql5 = package.loaded["clue.mql5"]
  if mql5 then mql5.ResetLastError() end
end)

-- Before each file, busted forgets the modules that the files before it loaded. Where one process runs many files, that
-- leaves dozens of copies of clue's modules, through which the collector and every lookup of a public function's name
-- go. Modules that are loaded before the first file are kept.
if os.getenv "CLUE_TEST_TOGETHER" then
  for _, name in ipairs {"clue", "clue.mql5", "clue.device_array", "clue.struct"} do require(name) end
end
