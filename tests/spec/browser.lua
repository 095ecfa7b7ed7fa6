--- Chromium without a window, for what clue writes to be opened in a browser.
local support = require "support"

local browser = {}

--- Opens a page, with a profile of its own, and waits until it is done.
-- @tparam {string,...} options more options of Chromium, such as "--dump-dom"
-- @tparam string path the page's file
-- @treturn number exit status
-- @treturn string standard output
-- @treturn string standard error, with what the page wrote to its console
function browser.open(options, path)
  local words = {"chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-extensions", "--no-first-run",
                 "--user-data-dir=" .. support.temporary(), "--enable-logging=stderr", "--v=0",
                 "--allow-file-access-from-files"}
  for _, option in ipairs(options) do words[#words + 1] = option end
  words[#words + 1] = "file://" .. path
  return support.execute(words)
end

return browser
