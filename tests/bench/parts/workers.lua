-- The processes that measure for the benches: each keeps running, reads orders from its own pipe, and answers
-- each with a line.
local workers = {}
workers.__index = workers

local function quote(word)
  return "'" .. tostring(word):gsub("'", "'\\''") .. "'"
end

--- Joins words to a command line for the shell.
-- @tparam table words the program and its arguments
-- @tparam table env variables by name
-- @treturn string
function workers.command(words, env)
  local line = {"env"}
  for name, value in pairs(env) do line[#line + 1] = quote(name .. "=" .. value) end
  for _, word in ipairs(words) do line[#line + 1] = quote(word) end
  return table.concat(line, " ")
end

--- Runs a command to its end.
-- @tparam string command
-- @treturn string its output on both streams
-- @treturn boolean whether it succeeded
function workers.capture(command)
  local pipe = assert(io.popen("{ " .. command .. "; echo \"status $?\"; } 2>&1"))
  local text = pipe:read("*a")
  pipe:close()
  local output, status = text:match("^(.*)status (%d+)\n$")
  return output or text, status == "0"
end

local function read_all(path)
  local file = assert(io.open(path))
  local text = file:read("*a")
  file:close()
  return text:match("^%s*(.-)%s*$")
end

--- Starts a worker and waits until it is ready.
-- @tparam table words the program and its arguments
-- @tparam table env
-- @treturn ?table the worker
-- @treturn ?string why there is none
function workers.start(words, env)
  local fifo, problems = os.tmpname(), os.tmpname()
  os.remove(fifo)
  assert(select(2, workers.capture("mkfifo " .. quote(fifo))))
  local answers = assert(io.popen(("%s <%s 2>%s"):format(workers.command(words, env), quote(fifo), quote(problems))))
  local self = setmetatable({answers = answers, orders = assert(io.open(fifo, "w")), problems = problems}, workers)
  os.remove(fifo)
  if answers:read("*l") == "ready" then return self end
  local problem = read_all(problems)
  self:forget()
  return nil, problem
end

--- Lets a worker do an operation.
-- @tparam string operation its name in the worker
-- @tparam number count how often
-- @treturn number nanoseconds for each
function workers:measure(operation, count)
  return tonumber((self:ask(operation, count)))
end

--- The operations of a worker that uses serve.lua or serve.py.
-- @treturn {string,...}
function workers:list()
  local names = {}
  for name in self:ask("list", 0):gmatch "[^\t]+" do names[#names + 1] = name end
  return names
end

-- Gives a worker an order, and returns the line of its answer.
function workers:ask(operation, count)
  self.orders:write(("%s\t%d\n"):format(operation, count))
  self.orders:flush()
  return self.answers:read("*l")
    or error(("a worker ended at %s: %s"):format(operation, read_all(self.problems)), 0)
end

-- Closes the pipes of a process that has ended or is about to end.
function workers:forget()
  self.orders:close()
  self.answers:close()
  os.remove(self.problems)
end

--- Ends a worker, by an order. Closing the pipe is not enough, since later workers have inherited its end.
function workers:stop()
  self.orders:write("end\t0\n")
  self:forget()
end

return workers
