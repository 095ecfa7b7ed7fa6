-- Steps of walks do not warm up, limits are measured by the fewest runs, and no progress is told on a busy machine: for
-- tests in which times do not count (LUA_INIT=@.../cold.lua).
for name, set in pairs {["clue.walk.measure"] = {"warm_seconds", 0}, ["clue.peak.series"] = {"most_seconds", 0},
                        ["clue.output"] = {"patience", math.huge}} do
  package.preload[name] = function()
    local module = assert(loadfile(package.searchpath(name, package.path)))(name) -- luacheck: ignore
    module[set[1]] = set[2]
    return module
  end
end
