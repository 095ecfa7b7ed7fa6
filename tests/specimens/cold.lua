-- Steps of walks do not warm up: for tests in which their times do not count (LUA_INIT=@.../cold.lua).
package.preload["clue.walk.measure"] = function(name)
  local measure = assert(loadfile(package.searchpath(name, package.path)))(name) -- luacheck: ignore
  measure.warm_seconds = 0
  return measure
end
