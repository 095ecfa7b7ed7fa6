-- New buffers, blocking transfers and mappings through clue's objects, for tests/bench/prototype. Nothing frees the
-- buffers but the collector.
local cl = require "clue"
local serve = require "serve"

local SMALL, LARGE = 64, 2 ^ 24 -- bytes of a transfer

local context = cl.context()
local queue = context:queue {profiling = false} -- as PyOpenCL's
local operations = {}

for size, name in pairs {[4096] = "4 KiB", [2 ^ 20] = "1 MiB"} do
  operations["new buffer, " .. name] = function(count)
    for _ = 1, count do context:buffer(size) end
  end
end

operations["new buffer that is closed, 4 KiB"] = function(count)
  for _ = 1, count do context:buffer(4096):close() end
end

local page = cl.array.float(1024)
operations["new buffer from an array, 4 KiB"] = function(count)
  for _ = 1, count do context:buffer(page) end
end

for size, name in pairs {[SMALL] = "64 bytes", [LARGE] = "16 MiB"} do
  local buffer, numbers = context:buffer(size), cl.array.float(size / 4)
  operations["write " .. name] = function(count)
    for _ = 1, count do queue:write_buffer(buffer, numbers) end
  end
  operations["read " .. name] = function(count)
    for _ = 1, count do queue:read_buffer(buffer, numbers) end
  end
end

local mapped = context:buffer(2 ^ 20)
operations["map and unmap 1 MiB"] = function(count)
  for _ = 1, count do queue:unmap(queue:map_buffer(mapped, "float")) end
end

serve(operations, function() queue:finish() end)
