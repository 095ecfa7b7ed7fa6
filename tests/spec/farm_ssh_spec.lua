-- clue farm over ssh: several servers on the loopback are hosts with different drivers and with different faults.
-- suite: whole
-- cost: 100
-- waits: long
-- tools: parallel sshd
local json = require "dkjson"
local lfs = require "lfs"
local lists = require "clue.shared.list"
local support = require "support"

-- ---- the hosts ----

local home = support.folder()
local servers = {}

-- What a host does with a command: as any host; garbage as answers to jobs; no file may grow; no clue in its PATH.
local FORCED = [[#!/bin/sh
case $1:$SSH_ORIGINAL_COMMAND in
  garbage:*.run\(\)*) exec head -c 300000 /dev/urandom ;;
  full:*.run\(\)*) trap '' XFSZ; ulimit -f 16 ;;
esac
exec /bin/sh -c "$SSH_ORIGINAL_COMMAND"
]]

local function execute(text, ...)
  local status, out, err = support.execute({"sh", "-c", text, "sh", ...}, nil, nil, 60)
  assert(status == 0, err)
  return out
end

-- What makes the drivers of tests quick: their caches, and their libraries.
local drivers = table.concat(lists.map({"POCL_CACHE_DIR", "MESA_SHADER_CACHE_DIR", "LD_LIBRARY_PATH"}, function(name)
  return (" %s=%s"):format(name, os.getenv(name) or "")
end))

-- A port that nobody has at the moment.
local function free_port()
  local taken = execute "cat /proc/net/tcp /proc/net/tcp6 2>/dev/null"
  for _ = 1, 100 do
    local port = math.random(20000, 32000)
    if not taken:find((":%04X "):format(port)) and not servers[port] then return port end
  end
  error "no port is free"
end

-- With SHLVL, bash reads none of the user's own settings for a command, which take a second where they set up tools.
-- The key exchange takes less time than the one that is safe from quantum computers.
local function start(name, behaviour)
  local port = free_port()
  local folder = home .. "/" .. name
  assert(lfs.mkdir(folder))
  support.write(([[
Port %d
ListenAddress 127.0.0.1
HostKey %s/hostkey
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication no
AuthorizedKeysFile %s/key.pub
ForceCommand /bin/sh %s/forced.sh %s
SetEnv XDG_CACHE_HOME=%s PATH=/usr/bin:/bin SHLVL=1%s
KexAlgorithms curve25519-sha256
]]):format(port, home, home, home, behaviour or "well", folder, drivers), folder .. "/sshd_config")
  local pid = execute("/usr/sbin/sshd -D -f $1/sshd_config -E $1/log >/dev/null 2>&1 & echo $!", folder)
  servers[port] = tonumber(pid)
  return {name = name, port = port, pid = tonumber(pid), folder = folder}
end

-- Waits until a server listens.
local function wait_for(host)
  execute(("until grep -q ':%04X 0.*0A ' /proc/net/tcp; do sleep 0.1; done"):format(host.port))
  return host
end

local made_folder

setup(function()
  assert(io.open("/usr/sbin/sshd"), "this needs openssh-server: ./dev setup installs it")
  execute("ssh-keygen -q -t ed25519 -N '' -f $1/key && ssh-keygen -q -t ed25519 -N '' -f $1/hostkey", home)
  support.write(FORCED, home .. "/forced.sh")
  support.write(("IdentityFile %s/key\nUserKnownHostsFile %s/known\nStrictHostKeyChecking no\n"):format(home, home),
    home .. "/config")
  made_folder = not lfs.attributes "/run/sshd" and lfs.mkdir "/run/sshd" -- a server that runs as root wants it
  math.randomseed(os.time())
end)

teardown(function()
  for _, pid in pairs(servers) do
    os.execute(("kill -CONT %d; pkill -P %d; kill %d 2>/dev/null"):format(pid, pid, pid))
  end
  if made_folder then lfs.rmdir "/run/sshd" end
end)

-- ---- a farm ----

local function line(host, driver, more)
  return ("ssh://127.0.0.1:%d name=%s OCL_ICD_VENDORS=%s %s\n"):format(host.port, host.name,
    support.built("icd/" .. driver), more or "clue=" .. support.clue)
end

local function new_farm(hosts)
  local self = {folder = support.folder()}
  support.write(table.concat(hosts), self.folder .. "/hosts")
  function self.write(name, text) return support.write(text, self.folder .. "/" .. name) end
  function self.shell(text, ...)
    text = ("cd %s || exit 1; %s"):format(self.folder, text)
    local words = {"sh", "-c", text, "sh", support.clue, "farm", "--ssh", "ssh -F " .. home .. "/config", ...}
    return support.execute(words, {XDG_CACHE_HOME = self.folder .. "/cache"}, nil, 250)
  end
  function self.run(...) return self.shell('exec "$@"', "--hosts", "hosts", ...) end
  function self.done()
    local times = {}
    for text in (support.read(self.folder .. "/farm/events") or ""):gmatch "[^\n]+" do
      local event = json.decode(text)
      if event.done then times[event.job] = (times[event.job] or 0) + 1 end
    end
    return times
  end
  return self
end

-- A shell's wait until so many jobs are done, or the farm has ended.
local function until_done(count)
  return ("until [ $(grep -c done farm/events 2>/dev/null || true)0 -ge %d0 ] || ! kill -0 $$; do sleep 0.1; done; ")
    :format(count)
end

local SPACE = [[
  local cl = require "clue"
  return {kernel_name = "twice", problem_size = 4096, tune_params = {N = {1, 2, 4, 8}, block_size_x = {16, 32, 64}},
          source = "kernel void twice(global int *x) { for (int i = 0; i < N; i++) x[get_global_id(0)] += 2 / N; }",
          restrictions = {function(p) return p.N < 4 end},
          arguments = {cl.array.int(4096)}, answer = {[1] = cl.array.int(4096, 2)}}
]]

local function count(times)
  local jobs = 0
  for id, number in pairs(times) do
    assert.equal(1, number, id)
    jobs = jobs + 1
  end
  return jobs
end

describe("clue farm over ssh", function()
  it("walks on hosts with different drivers, and compares them", function()
    local a, b, c = start "pocl", start "oclgrind", start "rusticl"
    for _, host in ipairs {a, b, c} do wait_for(host) end
    local farm = new_farm {line(a, "pocl"), line(b, "oclgrind", "oclgrind clue=" .. support.clue),
      line(c, "rusticl", "RUSTICL_ENABLE=llvmpipe clue=" .. support.clue)}
    local status, out, err = farm.run("--", "walk", "mql5", "--size", "32", "--steps", "1-2", "--json", "{host}.json")
    assert.equal(0, status, out .. err)
    for _, name in ipairs {"pocl", "oclgrind", "rusticl"} do
      local document = json.decode(support.read(("%s/farm/%s.json"):format(farm.folder, name)))
      assert.equal(2, #document.walkthroughs[1].runs[1].rows)
      local result = json.decode(support.read(("%s/farm/jobs/%s.json"):format(farm.folder, name)))
      assert.equal(document.devices[1].name, result.device.name)
      assert.equal(document.devices[1].driver, result.device.driver)
    end
    assert.falsy(lfs.attributes(a.folder .. "/clue/farm/run-" .. (support.read(farm.folder .. "/farm/plan.json")
      :match '"token": ?"(%x+)"')))
  end)

  it("tunes with a host that answers garbage and one where no file can grow: each job is done once", function()
    local good, garbage, full = start "good", start("garbage", "garbage"), start("full", "full")
    for _, host in ipairs {good, garbage, full} do wait_for(host) end
    local farm = new_farm {line(good, "pocl"), line(garbage, "pocl"), line(full, "pocl", "POCL_CACHE_DIR="
      .. full.folder .. " clue=" .. support.clue)}
    farm.write("space.lua", SPACE)
    local out, err = support.ended(0, farm.run("tune", "space.lua", "--chunk", "1"))
    assert.truthy(out:find("6 configurations, 0 failed", 1, true), out .. err)
    assert.equal(7, count(farm.done()))
    assert.truthy(err:find("garbage lost job [%d-]+: did not answer as clue does"), err)
    assert.truthy(err:find("garbage gets no more jobs", 1, true), err)
    assert.truthy(err:find("on full failed and is tried again", 1, true) or err:find("full lost job", 1, true), err)
  end)

  it("goes on without a host that falls silent", function()
    local good, cut = wait_for(start "steady"), wait_for(start "cut")
    local farm = new_farm {line(good, "null"), line(cut, "null")}
    farm.write("s.lua", [[input.int("_n", 1) function OnStart() os.execute "sleep 1" end]])
    -- stopped processes keep the connection open, and answer no more
    local stop = ("echo %d $(pgrep -P %d) $(for p in $(pgrep -P %d); do pgrep -P $p; done) >stopped; "
      .. "kill -STOP $(cat stopped)"):format(cut.pid, cut.pid, cut.pid)
    local status, out, err = farm.shell("(" .. until_done(2) .. stop .. ') & exec "$@"', "--hosts", "hosts", "sweep",
      "s.lua", "--set", "n=1..12+1")
    os.execute(("kill -CONT $(cat %s/stopped) 2>/dev/null"):format(farm.folder))
    assert.equal(0, status, out .. err)
    assert.equal(12, count(farm.done()))
    assert.truthy(err:find("cut lost job", 1, true), err)
  end)

  it("goes on with what is left after it was killed, and leaves nothing on the hosts", function()
    local a, b = wait_for(start "one"), wait_for(start "two")
    local farm = new_farm {line(a, "pocl"), line(b, "pocl")}
    farm.write("space.lua", SPACE)
    farm.shell('"$@" & pid=$!; ' .. until_done(1) .. "kill -KILL $pid; wait $pid", "--hosts", "hosts", "tune",
      "space.lua", "--chunk", "1")
    local before = farm.done()
    assert.truthy(next(before))
    support.ended(0, farm.shell('exec "$@"', "--resume", "farm"))
    assert.equal(7, count(farm.done()))
    for id in pairs(before) do assert.truthy(farm.done()[id]) end
    for _, host in ipairs {a, b} do
      assert.equal("", execute("ls $1/clue/farm", host.folder))
    end
  end)

  it("brings clue to a host that has none, once", function()
    local bare = wait_for(start "bare")
    local farm = new_farm {line(bare, "null", "")}
    local status, _, err = farm.run("--", "-e", "")
    assert.equal(1, status)
    assert.truthy(err:find("bare: has no clue; give --archive FILE", 1, true), err)
    -- an archive whose clue is the one under test
    execute([[mkdir -p $1/clue-0/bin && printf '#!/bin/sh\nexec %s "$@"\n' "$2" >$1/clue-0/bin/clue &&
      chmod +x $1/clue-0/bin/clue && tar -czf $1/clue.tar.gz -C $1 clue-0]], farm.folder, support.clue)
    for _ = 1, 2 do
      execute("rm -rf $1/farm", farm.folder)
      local out
      status, out, err = farm.run("--archive", "clue.tar.gz", "--", "-e", "print(6 * 7)")
      assert.equal(0, status, err)
      assert.truthy(out:find "  42\n")
    end
    assert.truthy(execute("ls $1/clue/farm", bare.folder):find "^clue%-%x+\n$")
  end)
end)
