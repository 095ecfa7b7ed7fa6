-- Steps of walks do not warm up, limits are measured by the fewest and shortest runs, and no progress is told on a busy
-- machine: for tests in which times do not count (LUA_INIT=@.../cold.lua).
for name, fields in pairs {["clue.walk.measure"] = {warm_seconds = 0},
                           ["clue.peak.series"] = {most_seconds = 0, part = 0.1},
                           ["clue.output"] = {patience = math.huge}} do
  package.preload[name] = function()
    local module = assert(loadfile(package.searchpath(name, package.path)))(name) -- luacheck: ignore
    for field, value in pairs(fields) do module[field] = value end
    return module
  end
end
