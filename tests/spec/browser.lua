--- Chromium without a window, to open the pages and traces that clue writes.
local support = require "support"

local browser = {}

--- Opens a page in a fresh profile, and waits until the browser ends.
-- @tparam {string,...} options more options of Chromium, such as "--dump-dom"
-- @tparam string path the page's file
-- @treturn number exit status
-- @treturn string standard output
-- @treturn string standard error, which includes the page's console
function browser.open(options, path)
  local words = {"chromium-headless-shell", "--no-sandbox", "--disable-gpu", "--disable-extensions", "--no-first-run",
                 "--user-data-dir=" .. support.temporary(), "--enable-logging=stderr", "--v=0",
                 "--allow-file-access-from-files"}
  return support.execute(support.words(words, options, {"file://" .. path}))
end

return browser
