--- Operations that enqueue work, for serve.lua: a batch ends when all of its work is done.
-- @tparam queue queue
-- @treturn table the operations by name, none yet
-- @treturn function adds one: its name and its work
return function(queue)
  local operations = {}
  return operations, function(name, work)
    operations[name] = function(count)
      for _ = 1, count do work() end
      queue:finish()
    end
  end
end
