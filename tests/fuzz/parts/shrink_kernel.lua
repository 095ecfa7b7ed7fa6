-- Makes a random kernel that fails smaller, as long as it fails in the same way, and prints it. tests/fuzz/kernels
-- starts it.
--
--   shrink_kernel.lua CLUE SEED STATUS SECONDS [--mql5]
--
-- Every try is a process of its own: kernels.lua, which ends with STATUS if the kernel fails.
local folder = arg[0]:match "^(.*)/"
local clue, seed, status, seconds, mql5 = arg[1], arg[2], tonumber(arg[3]), tonumber(arg[4]), arg[5] or ""
local until_then = os.time() + 90

local function run(edits, more)
  local command = "{ timeout %d '%s' '%s/kernels.lua' %s 1 --edits '%s' %s %s; echo status $?; } 2>/dev/null"
  local pipe = io.popen(command:format(seconds, clue, folder, seed, edits, mql5, more or ""))
  local text = pipe:read "*a"
  pipe:close()
  return text
end

local function fails(edits)
  return tonumber(run(edits):match "status (%d+)%s*$") == status
end

-- The first edit that leaves it failing, from the place in the list where the last one was found.
local function shrink_once(edits, from)
  local words = {}
  for word in run(edits, "--list"):gsub("status %d+%s*$", ""):gmatch "%S+" do words[#words + 1] = word end
  for i = 0, #words - 1 do
    local at = (from + i - 1) % #words + 1
    if os.time() > until_then then return nil end
    if fails(edits .. "," .. words[at]) then return edits .. "," .. words[at], at end
  end
  return nil
end

local edits, from = "", 1
while true do
  local smaller, at = shrink_once(edits, from)
  if not smaller then break end
  edits, from = smaller, at
end
print(("  shrunk: kernels.lua %s 1 --show --edits '%s' %s"):format(seed, edits:gsub("^,", ""), mql5))
for line in run(edits, "--show"):gsub("status %d+%s*$", ""):gmatch "[^\n]+" do print("    " .. line) end
