-- Children of clue's own programs that a kernel has damaged: those that wait for ever, and those that write for ever.
-- suite: quick
local child = require "clue.shared.child"

local function run(line, options)
  options.arguments = {"/bin/sh", "-c", line}
  return child.start(options):follow()
end

local function ignore() end

describe("a child", function()
  it("that is idle for too long is stuck, and counts as crashed", function()
    local seen = run("sleep 60", {seconds = 50, idle = 2})
    assert.equal("signalled", seen.state)
    assert.is_true(seen:has_crashed())
    assert.equal("stuck", (seen:reason()))
    assert.matches("^is stuck: for 2 s, all its threads waited for each other", select(2, seen:reason()))
  end)

  it("that computes or says something is not stuck #later", function()
    assert.equal("timeout", run("while :; do :; done", {seconds = 4, idle = 2}).state)
    assert.equal("exited", run("for i in 1 2 3 4 5 6 7 8; do sleep 0.5; echo '{}' >&3; done",
      {seconds = 50, idle = 2, results = ignore}).state)
  end)

  it("that waits for its turn, without a limit, is not stuck", function()
    assert.equal("exited", run("sleep 4", {idle = 1}).state)
    local one = child.start {arguments = {"/bin/sh", "-c", "read line; sleep 60"}, seconds = 50, idle = 2, input = true}
    one:limit(0)
    for _ = 1, 8 do one:step(0.5) end
    assert.equal("running", one.state)
    one:limit(50)
    one:send "go\n"
    assert.equal("stuck", (one:follow():reason()))
  end)

  it("that writes without an end where its results are is killed", function()
    local seen = run("exec tr '\\0' x </dev/zero >&3", {seconds = 100, results = ignore})
    assert.equal("signalled", seen.state)
    assert.equal("wrote 16 MiB that are no result, as if a kernel had written over its memory",
      (select(2, seen:reason())))
    assert.is_true(seen.pended < 2 ^ 20)
  end)

  it("that ends in the middle of a result has sent the ones before", function()
    local came = {}
    local seen = run([[printf '{"a":1}\n{"a":' >&3; kill -9 $$]], {
      results = function(value) came[#came + 1] = value.a end,
    })
    assert.same({1}, came)
    assert.equal("crashed", (seen:reason()))
  end)

  it("is looked at only where its kernels run on this machine's processor", function()
    assert.equal(30, child.idle_on("cpu", "OpenCL 3.0 PoCL HSTR: pthread-haswell"))
    assert.is_nil(child.idle_on("cpu", "OpenCL 3.0 PoCL HSTR: pocl-remote: pthread-haswell"))
    assert.is_nil(child.idle_on("gpu", "OpenCL 3.0 CUDA"))
  end)
end)
