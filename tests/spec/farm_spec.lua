-- clue farm on this machine alone: what it runs, what comes back, what it does about workers that do not keep their
-- side, and how it goes on after an end. farm_ssh_spec.lua has the same over ssh.
-- suite: whole
-- tools: parallel
-- cost: 30
local folders = require "clue.farm.folder"
local json = require "dkjson"
local lfs = require "lfs"
local support = require "support"

local unpack = unpack or table.unpack -- luacheck: ignore

-- A farm's own folder, in which it runs, without a driver that computes: hosts is the text of its file. Everything in
-- it may have blanks and quotes.
local function new_farm(hosts, driver)
  local self = {folder = support.folder() .. "/it's a farm"}
  os.execute("mkdir " .. support.quote(self.folder))
  support.write(hosts, self.folder .. "/hosts")

  function self.write(name, text) return support.write(text, self.folder .. "/" .. name) end
  function self.read(name) return support.read(self.folder .. "/" .. name) end

  function self.shell(text, ...)
    local line = ("cd %s || exit 1; %s"):format(support.quote(self.folder), text)
    return support.execute({"sh", "-c", line, "sh", support.clue, ...}, support.drivers(driver or "null",
      {XDG_CACHE_HOME = self.folder .. "/cache"}), nil, 120)
  end

  function self.run(...)
    return self.shell('exec "$@"', "farm", ...)
  end

  -- What happened, a list.
  function self.events(name)
    local list = {}
    for line in (self.read((name or "farm") .. "/events") or ""):gmatch "[^\n]+" do
      list[#list + 1] = json.decode(line)
    end
    return list
  end

  -- How often each job was done.
  function self.done(name)
    local times = {}
    for _, event in ipairs(self.events(name)) do
      if event.done then times[event.job] = (times[event.job] or 0) + 1 end
    end
    return times
  end

  -- A program that behaves as clue, but for its jobs.
  function self.program(name, behaviour)
    local path = self.write(name, ([[#!/bin/sh
case "$*" in
  *"agent').run()"*) %s ;;
esac
exec %s "$@"
]]):format(behaviour, support.quote(support.clue)))
    os.execute("chmod +x " .. support.quote(path))
    return name
  end

  return self
end

-- Starts a command and sends it a signal once a shell's test succeeds, however long that takes on a busy machine.
local function ended_by(signal, test)
  return ([[env --default-signal=INT "$@" & pid=$!
    until %s; do sleep 0.1; done
    kill -%s $pid; wait $pid; ]]):format(test, signal)
end

local SQUARE = [[
input.int("_n", 4)
function OnStart()
  print("some words")
  print(('{"square": %d}'):format(_n * _n))
end
]]

local function count(times)
  local jobs = 0
  for _, number in pairs(times) do
    assert.equal(1, number)
    jobs = jobs + 1
  end
  return jobs
end

describe("clue farm", function()
  it("runs a command on every device, and brings the results back under their names", function()
    local farm = new_farm ": name=one\n: name=two  # a comment\n\n"
    farm.write("it's.lua", "print(arg[1], arg[2]) io.open(arg[3], 'w'):write('{\"by\": \"' .. arg[2] .. '\"}')")
    local out, err = support.ended(0, farm.run("--hosts", "hosts", "--", "it's.lua", "$HOME; `x` 'y' \"z\"", "word",
      "{worker}.json"))
    assert.equal("clue farm: 2 workers: one: null; two: null\n", err)
    assert.truthy(out:find("side by side: clue compare farm/one.json farm/two.json", 1, true))
    assert.equal('{"by": "word"}', farm.read "farm/one.json")
    assert.equal('{"by": "word"}', farm.read "farm/two.json")
    local result = json.decode(farm.read "farm/jobs/two.json")
    assert.equal("$HOME; `x` 'y' \"z\"\tword\n", result.output)
    assert.same({"two", "two"}, {result.worker, result.host})
    assert.equal("0:0", result.device.address)
    assert.truthy(result.device.driver and result.started and result.seconds > 0)
    local _, left = support.execute {"ls", farm.folder .. "/cache/clue/farm"}
    assert.equal("", left)
  end)

  it("takes results by any name that a command gives them", function()
    local farm = new_farm ": name=a"
    farm.write("write.lua",
      "for i, word in ipairs(arg) do io.open((word:gsub('^%-%-json=', '')), 'w'):write('{\"i\": ' .. i .. '}') end")
    local words = {"100%{worker}.json", "--json={worker} it's.json", "{worker}{}.json"}
    local out = support.ended(0, farm.run("--hosts", "hosts", "--", "write.lua", unpack(words)))
    for i, word in ipairs(words) do
      local text = farm.read("farm/" .. word:gsub("^%-%-json=", ""):gsub("{worker}", "a"))
      assert.equal(('{"i": %d}'):format(i), text, out)
    end
  end)

  it("names the files to compare as a shell takes them", function()
    local farm = new_farm ": name=a\n: name=b"
    farm.write("write.lua", "io.open(arg[1], 'w'):write '{}'")
    local _, out = farm.run("--hosts", "hosts", "--", "write.lua", "the {worker}.json")
    assert.truthy(out:find("\nside by side: clue compare 'farm/the a.json' 'farm/the b.json'\n", 1, true), out)
  end)

  it("has workers of one name do different jobs, and any name that is allowed", function()
    local both = "OCL_ICD_VENDORS=" .. support.built "icd/both"
    local farm = new_farm((": name=cargo-0.0\n: name=cargo 0,1 %s\n: name=cargo\n"):format(both))
    local status, out, err = farm.run("--hosts", "hosts", "--", "-e", "print 'here'")
    assert.equal(0, status, out .. err)
    assert.same({["cargo-0.0"] = 1, ["cargo-0.0-2"] = 1, ["cargo-1.0"] = 1, ["cargo-2"] = 1}, farm.done())
    farm = new_farm ": name=cargo"
    status, out, err = farm.run("--hosts", "hosts", "--", "-e", "print 'here'")
    assert.equal(0, status, out .. err)
  end)

  it("shows what a command without results printed", function()
    local farm = new_farm ":"
    local out = support.ended(0, farm.run("--hosts", "hosts", "--", "-e", "print 'hel\\27lo'"))
    assert.truthy(out:find("here:\n  hel\\x1blo\n", 1, true), out)
  end)

  it("does not let two workers write one file", function()
    local farm = new_farm ""
    farm.write("hosts", (": name=a 0,1 OCL_ICD_VENDORS=%s"):format(support.built "icd/both"))
    local _, err = support.ended(1, farm.run("--hosts", "hosts", "--", "-e", "", "{host}.json"))
    assert.truthy(err:find("a-0.0 and a-1.0 would both write a.json: put {worker} into the name", 1, true), err)
  end)

  it("runs a script with all values, and reads the JSON among its lines", function()
    local farm = new_farm ": name=a\n: name=b"
    farm.write("square.lua", SQUARE)
    local out = support.ended(0, farm.run("sweep", "square.lua", "--hosts", "hosts", "--set", "n=1..4+1"))
    local document = json.decode(farm.read "farm/sweep.json")
    assert.equal(1, #document.devices) -- both workers have one kind of device
    local points = document.devices[1].points
    assert.equal(4, #points)
    for n = 1, 4 do
      assert.same({n = n}, points[n].set)
      assert.same({{square = n * n}}, points[n].results)
      assert.truthy(points[n].output:find("some words", 1, true))
    end
    assert.equal(4, count(farm.done()))
    assert.truthy(out:find '4 +[%d.]+ m?s +[ab] +{"square": 16}')
  end)

  it("keeps values as they were given, under any name", function()
    local farm = new_farm ":"
    farm.write("say.lua", "input.string('size', '') function OnStart() print('size ' .. size) end")
    local out = support.ended(0, farm.run("sweep", "say.lua", "--hosts", "hosts", "--set",
      "size=8,1e3,-0.5,nan,inf,0x10,9007199254740993"))
    local found = {}
    for i, point in ipairs(json.decode(farm.read "farm/sweep.json").devices[1].points) do found[i] = point.set.size end
    assert.same({8, 1000, -0.5, "nan", "inf", "0x10", "9007199254740993"}, found)
    assert.truthy(out:find "\n9007199254740993 +[%d.]+ m?s +here +size 9007199254740993\n", out)
  end)

  it("counts a point as failed if what it printed is not all there", function()
    local farm = new_farm ":"
    farm.write("much.lua", [[
      input.int("n", 1)
      function OnStart() for i = 1, n do print(('{"i": %d, "pad": "%s"}'):format(i, ("x"):rep(1000))) end end
    ]])
    local status, out = farm.run("sweep", "much.lua", "--hosts", "hosts", "--set", "n=1000,2000")
    assert.equal(1, status)
    assert.truthy(out:find("failed: it printed more than a MiB, of which the rest is lost", 1, true), out)
    assert.truthy(out:find("1 point failed", 1, true), out)
    status, out = farm.run("--results", "each", "--hosts", "hosts", "--", "much.lua", "--n=2000")
    assert.equal(0, status)
    assert.truthy(out:find("\n  (it printed more, which is lost: the first MiB is kept)\n", 1, true))
  end)

  it("works in a temporary folder with blanks and braces in its name", function()
    local farm = new_farm ":"
    farm.write("square.lua", SQUARE)
    local temporary = support.folder() .. "/a b%{}" -- a quote is too much for GNU parallel's own scripts
    os.execute("mkdir " .. support.quote(temporary))
    support.ended(0, farm.shell(("TMPDIR=%s; export TMPDIR; "):format(support.quote(temporary)) .. 'exec "$@"',
      "farm", "sweep", "square.lua", "--hosts", "hosts", "--set", "n=1"))
  end)

  it("tries a job that fails twice more, and then tells why it failed", function()
    local farm = new_farm ": name=a\n: name=b"
    farm.write("bad.lua", "input.int('_n', 1) function OnStart() if _n == 2 then error('no two') end end")
    local out, err = support.ended(1, farm.run("sweep", "bad.lua", "--hosts", "hosts", "--set", "n=1,2,3"))
    assert.truthy(out:find("failed: clue: bad.lua:1: no two", 1, true), out)
    assert.truthy(out:find("1 point failed", 1, true), out)
    assert.truthy(err:find("1-2 on [ab] failed and is tried again: clue: bad.lua:1: no two"), err)
    local failed = 0
    for _, event in ipairs(farm.events()) do
      if event.job == "1-2" and event.failed then failed = failed + 1 end
    end
    assert.equal(2, failed)
    assert.equal(3, count(farm.done()))
  end)

  it("copies what a command names, and what it is told to", function()
    local farm = new_farm ":"
    os.execute("mkdir " .. support.quote(farm.folder .. "/data") .. " " .. support.quote(farm.folder .. "/parts"))
    farm.write("data/one.txt", "one")
    farm.write("parts/two.txt", "two")
    local outside = support.write("three", support.temporary ".txt")
    farm.write("read.lua", [[
      local text = ""
      for _, path in ipairs {arg[1], "parts/two.txt", arg[2], arg[3]} do
        text = text .. assert(io.open(path)):read "*a"
      end
      print(text, io.open "hosts")
    ]])
    farm.write("outside", "four")
    local status, out = farm.run("--hosts", "hosts", "--copy", "parts", "--", "read.lua", "data/one.txt", outside,
      "outside")
    assert.equal(0, status, out)
    assert.truthy(out:find("onetwothreefour\tnil", 1, true), out)
  end)

  it("copies all of a folder, a file of which the command names", function()
    local farm = new_farm ":"
    os.execute("mkdir " .. support.quote(farm.folder .. "/parts"))
    local text = "for i = 1, 8 do assert(io.open(('parts/%d.lua'):format(i))) end"
    for i = 1, 8 do farm.write(("parts/%d.lua"):format(i), text) end
    support.execute {"ln", "-s", "me@host.123", farm.folder .. "/.#1.lua"} -- Emacs' lock
    support.execute {"ln", "-s", "me@host.123", farm.folder .. "/parts/.#1.lua"}
    for _, i in ipairs {1, 3, 6, 8} do -- in any order
      support.ended(0, farm.run("--results", "farm" .. i, "--hosts", "hosts", "--copy",
        i == 8 and "." or "./parts/", "--", ("parts/%d.lua"):format(i)))
    end
  end)

  it("ends a job at its time limit", function()
    local farm = new_farm ":"
    local out = support.ended(1, farm.run("--hosts", "hosts", "--time-limit", "0.2", "--", "-e", "while true do end"))
    assert.truthy(out:find "failed: stopped after 0.2 s", out)
  end)
end)

describe("clue farm, with a worker that does not keep its side,", function()
  local cases = {
    {"answers garbage", "head -c 100000 /dev/urandom; exit 0", "did not answer as clue does"},
    {"says nothing", "exit 0", "the connection ended without a result"},
    {"says why it cannot", "echo 'no room' >&2; exit 3", "no room"},
    {"never ends its line", "yes | tr -d '\\n'", "answers too much"},
    {"dies", "kill -9 $$", "the agent crashed"},
    {"sends another file", [[read -r job; t=${job#*'"token":"'}; t=${t%%'"'*}; echo "$t {\"file\":\"../../x.json\",]]
      .. [[\"content\":\"{}\"}"; exit 0]], "sent a file that it was not asked for: '../../x.json'"},
    {"sends a wrong ending", [[read -r job; t=${job#*'"token":"'}; t=${t%%'"'*}; echo "$t {\"finished\":true,]]
      .. [[\"status\":-7}"; exit 0]], "its exit status is none"},
    {"does not know the token", [[echo 0123456789abcdef0123456789abcdef '{"finished":true,"status":0}'; exit 0]],
      "did not answer as clue does"},
  }
  it("tells what each of them does, and the others do its jobs", function()
    local farm, hosts = new_farm "", {": name=good"}
    for i, case in ipairs(cases) do
      -- the path of a program has no blanks in a file of hosts
      local link = support.temporary()
      farm.program("bad" .. i, case[2])
      os.execute(("ln -s %s %s"):format(support.quote(farm.folder .. "/bad" .. i), link))
      hosts[#hosts + 1] = (": name=bad%d clue=%s"):format(i, link)
    end
    farm.write("hosts", table.concat(hosts, "\n") .. "\n")
    farm.write("s.lua", [[input.int("_n", 1) function OnStart() os.execute "sleep 0.2" end]])
    local _, err = support.ended(0, farm.run("sweep", "s.lua", "--hosts", "hosts", "--set", "n=1..10+1"))
    assert.equal(10, count(farm.done()))
    for i, case in ipairs(cases) do
      local told
      for event_text in err:gmatch(("clue farm: bad%d lost job ([^\n]*)"):format(i)) do
        told = told or event_text:find(case[3], 1, true)
      end
      assert.truthy(told, ("one that %s:\n%s"):format(case[1], err))
    end
    for _, event in ipairs(farm.events()) do assert.truthy(not event.done or event.worker == "good") end
  end)

  it("takes no result that is not JSON", function()
    local farm = new_farm ":"
    farm.write("s.lua", "io.open(arg[1], 'w'):write '{\"a\": 1'")
    local out, err = support.ended(1, farm.run("--hosts", "hosts", "--", "s.lua", "{worker}.json"))
    assert.truthy(err:find("here lost job here: its here.json is not JSON", 1, true), err)
    assert.truthy(out:find "not done", out)
    assert.falsy(farm.read "farm/here.json")
  end)

  it("stops if no other is left, and goes on with --resume", function()
    local farm = new_farm ""
    local link = support.temporary()
    farm.program("bad", '[ -e "' .. link .. '.well" ] || exit 3')
    os.execute(("ln -s %s %s"):format(support.quote(farm.folder .. "/bad"), link))
    farm.write("hosts", (": name=bad clue=%s\n"):format(link))
    farm.write("s.lua", SQUARE)
    local status, _, err = farm.run("sweep", "s.lua", "--hosts", "hosts", "--set", "n=1,2,3")
    assert.equal(1, status)
    assert.truthy(err:find("no worker is left", 1, true), err)
    local lost = select(2, err:gsub("bad lost job", ""))
    assert.is_true(lost >= 2 and lost < 20, lost) -- two in a row are enough; further ones may have started meanwhile
    assert.truthy(err:find("3 jobs are not done; `clue farm --resume farm` goes on", 1, true), err)
    support.write("", link .. ".well")
    local out
    status, out, err = farm.run("--resume", "farm")
    os.remove(link .. ".well")
    assert.equal(0, status, err)
    assert.truthy(out:find('{"square": 9}', 1, true), out)
    assert.equal(3, count(farm.done()))
  end)
end)

describe("clue farm tune", function()
  local SPACE = [[
    return {kernel_name = "k", source = "kernel void k(global int *x) { x[get_global_id(0)] = N; }", problem_size = 64,
            tune_params = {N = {1, 2, 3}, block_size_x = {1, 2}},
            verify = function() return true end, arguments = {require("clue").array.int(64)}}
  ]]

  it("measures each configuration once, and the best of all again", function()
    local farm = new_farm(": name=a\n: name=b", "oclgrind")
    farm.write("space.lua", SPACE)
    local out = support.ended(0, farm.run("tune", "space.lua", "--hosts", "hosts", "--chunk", "3"))
    local path = out:match "results: (farm/space%.[^\n]*%.tune%.json)"
    local document, seen = json.decode(farm.read(path)), {}
    assert.equal(6, #document.results)
    for _, result in ipairs(document.results) do
      local key = result.configuration.N .. "," .. result.configuration.block_size_x
      assert.falsy(seen[key])
      seen[key] = true
    end
    assert.truthy(document.clue.best[1]) -- one that turns out slower is stopped early
    assert.equal(3, count(farm.done())) -- two chunks and the last one
    assert.truthy(out:find("6 configurations, 0 failed", 1, true), out)
    assert.truthy(farm.read "cache/clue/tuned/space.json")
  end)

  it("measures the best again on devices that are done, and says how far the others are", function()
    local farm = new_farm("", "oclgrind")
    farm.program("bad", "exit 1")
    local link = support.temporary()
    os.execute(("ln -s %s %s"):format(support.quote(farm.folder .. "/bad"), link))
    farm.write("hosts", (": name=a\n: name=b clue=%s OCL_ICD_VENDORS=%s\n"):format(link,
      support.built "icd/pocl"))
    farm.write("space.lua", SPACE)
    local out = support.ended(1, farm.run("tune", "space.lua", "--hosts", "hosts"))
    assert.truthy(out:find("6 configurations, 0 failed", 1, true), out)
    assert.truthy(farm.read "cache/clue/tuned/space.json", out)
    assert.truthy(out:find "pthread%-[^\n]*: nothing was measured", out)
  end)

  it("goes on after it was killed, and does no job twice", function()
    local farm = new_farm(": name=a\n: name=b", "oclgrind")
    farm.write("space.lua", SPACE)
    farm.shell(ended_by("KILL", 'grep -q done farm/events 2>/dev/null'), "farm", "tune", "space.lua", "--hosts",
      "hosts", "--chunk", "1")
    local before = farm.done()
    assert.truthy(next(before))
    local out = support.ended(0, farm.run("--resume", "farm"))
    local after = farm.done()
    assert.equal(7, count(after))
    for id in pairs(before) do assert.equal(1, after[id]) end
    assert.truthy(out:find("6 configurations, 0 failed", 1, true), out)
  end)

  it("leaves nothing running after Ctrl-C", function()
    local farm = new_farm ":"
    local mark = ("%d"):format(1e6 + os.time() % 1e6) -- no other sleep has this number
    farm.write("s.lua", ("input.int('_n', 1) function OnStart() os.execute 'sleep %s' end"):format(mark))
    local sleeps = 'ps -eo args | grep "^sleep ' .. mark .. '$"'
    local _, err = support.ended(0, farm.shell(ended_by("INT", sleeps .. " >/dev/null")
      .. "while " .. sleeps .. "; do sleep 0.1; done", "farm", "sweep", "s.lua",
      "--hosts", "hosts", "--set", "n=1,2"))
    assert.truthy(err:find("`clue farm --resume farm` goes on", 1, true), err)
  end)
end)

describe("clue farm, on its inside,", function()
  it("ends where a result cannot be kept, and says why, also where no job can tell it", function()
    local farm = new_farm ":"
    local function said(results, ...)
      local lines = {}
      for i, name in ipairs {...} do
        lines[i] = ("require('lfs').mkdir %q"):format(("%s/%s/%s"):format(farm.folder, results, name))
      end
      farm.write("s.lua", ("input.int('n', 1) function OnStart() %s end"):format(table.concat(lines, " ")))
      return select(2, support.ended(1, farm.run("sweep", "s.lua", "--hosts", "hosts", "--set", "n=1", "--results",
        results)))
    end
    assert.matches("\nclue farm: on this machine: cannot write [^\n]+/a/jobs/1%-1.json: Is a directory\n",
      said("a", "jobs/1-1.json"))
    assert.matches("\nclue farm: b/events: Is a directory\n", said("b", "jobs/1-1.json", "events"), 1, true)
  end)

  it("says where it cannot tell what happened", function()
    local here = folders.at(support.folder())
    local path = here:file "events"
    lfs.link("/dev/full", path, true)
    assert.has_error(function() here:tell {} end, path .. ": No space left on device")
    os.remove(path)
    lfs.mkdir(path)
    assert.has_error(function() here:tell {} end, path .. ": Is a directory")
  end)

  it("says which files find no place in the archive for the hosts", function()
    local farm = new_farm ":"
    local _, err = support.ended(1, farm.shell(('mkdir new; export TMPDIR=$PWD/new LD_PRELOAD=%s CLUE_FAIL_NTH=1 '
      .. 'CLUE_FAIL_VARIANT=1 CLUE_FAIL_FOLDER="$PWD/new"; exec "$@"'):format(support.built "layer/fail_file.so"),
      "farm", "--hosts", "hosts", "--copy", "hosts", "--", "devices"))
    assert.matches("^clue farm: hosts: cannot make the folder [^\n]+/cargo: No space left on device\n$", err)
  end)

  it("does no job again that has a result", function()
    local farm = new_farm ": name=a"
    farm.write("s.lua", "input.int('_n', 1) function OnStart() io.open('../ran', 'a'):write 'x' end")
    assert.equal(0, (farm.run("sweep", "s.lua", "--hosts", "hosts", "--set", "n=1,2")))
    -- as if it had been killed between the result and the joblog
    os.remove(farm.folder .. "/farm/1.joblog")
    farm.write("s.lua", "error 'it ran again'")
    support.ended(0, farm.run("--resume", "farm"))
    assert.equal(2, count(farm.done()))
  end)

  it("does a job again whose result is no longer there", function()
    local farm = new_farm ": name=a"
    farm.write("s.lua", SQUARE)
    assert.equal(0, (farm.run("sweep", "s.lua", "--hosts", "hosts", "--set", "n=1,2")))
    farm.write("farm/jobs/1-2.json", "") -- as a machine may leave it that went down
    support.ended(0, farm.run("--resume", "farm"))
    assert.same({["1-1"] = 1, ["1-2"] = 2}, farm.done())
  end)

  it("does not mix devices of different names, drivers or numbers of compute units", function()
    local farm = new_farm ""
    farm.write("hosts", (": name=a 0,1 OCL_ICD_VENDORS=%s"):format(support.built "icd/both"))
    farm.write("s.lua", SQUARE)
    support.ended(0, farm.run("sweep", "s.lua", "--hosts", "hosts", "--set", "n=3"))
    local document = json.decode(farm.read "farm/sweep.json")
    assert.equal(2, #document.devices)
    assert.truthy(document.devices[1].device.name ~= document.devices[2].device.name)
    assert.is_true(document.devices[1].device.compute_units >= 1)

    local same = support.run_script [[
      local same_devices = require("clue.farm.contact").by_device
      local function worker(name, driver, units) return {name = name .. driver, device = {platform = "P", name = name,
        driver = driver, compute_units = units}} end
      os.exit(#same_devices {worker("A", "1", 2), worker("A", "2", 2), worker("B", "1", 2), worker("A", "1", 2),
        worker("A", "1", 64)})
    ]]
    assert.equal(4, same)
  end)
end)

describe("clue farm refuses", function()
  local function refused(hosts, complaint, ...)
    local farm = new_farm(hosts)
    farm.write("s.lua", SQUARE)
    local status, _, err = farm.run(...)
    assert.truthy(status == 1 or status == 2, status)
    assert.truthy(err:find(complaint, 1, true), err)
  end

  it("lines of hosts that it does not understand", function()
    refused("a b c", "hosts:1: 'b' and 'c': give one choice of devices", "--hosts", "hosts", "--", "devices")
    refused("a\nb x=1", "hosts:2: there is no setting 'x='", "--hosts", "hosts", "--", "devices")
    refused("-oProxyCommand=x", "hosts:1: '-oProxyCommand=x' is no host", "--hosts", "hosts", "--", "devices")
    refused(": name=../x", "name=../x: a name has letters", "--hosts", "hosts", "--", "devices")
    refused("# none", "hosts has no hosts", "--hosts", "hosts", "--", "devices")
    refused("name=lab", "hosts:1: 'name=lab' is no host, with which a line begins", "--hosts", "hosts", "--", "devices")
    refused(": A=1 A=2", "hosts:1: A= is there twice", "--hosts", "hosts", "--", "devices")
    refused(": clue=", "hosts:1: clue= needs the program", "--hosts", "hosts", "--", "devices")
    local farm = new_farm "\239\187\191: name=a VALUE=1#2 # the first"
    local out = support.ended(0, farm.run("--hosts", "hosts", "--", "-e", "print(os.getenv 'VALUE')"))
    assert.truthy(out:find("\n  1#2\n", 1, true), out)
  end)

  it("hosts without clue, devices that are not there, and goes on with the others", function()
    local hosts = ": name=a clue=/nowhere/clue\n: name=b"
    local out, err = support.ended(1, new_farm(hosts).run("--hosts", "hosts", "--", "-e", "")) -- not on every host
    assert.truthy(err:find("a: has no clue; give --archive FILE", 1, true), err)
    assert.matches("\nb +null .* done\na +not used: has no clue; give %-%-archive FILE", out)
    refused(": nosuchdevice", "no host can be used", "--hosts", "hosts", "--", "devices")
    local farm = new_farm(hosts)
    farm.write("s.lua", SQUARE)
    local _, told = support.ended(0, farm.run("--hosts", "hosts", "sweep", "s.lua", "--set", "n=1"))
    assert.matches("clue farm: a was not used: has no clue; give %-%-archive FILE[^\n]*\n$", told)
  end)

  it("a host without clue, which runs the command after --resume once it has one", function()
    local farm = new_farm ""
    local link = support.temporary()
    os.remove(link)
    farm.write("hosts", (": name=a clue=%s\n: name=b\n"):format(link))
    support.ended(1, farm.run("--hosts", "hosts", "--", "-e", "print('on ' .. 6 * 7)"))
    farm.program("well", "")
    os.execute(("ln -s %s %s"):format(support.quote(farm.folder .. "/well"), link))
    local out = support.ended(0, farm.run("--resume", "farm"))
    os.remove(link)
    assert.matches("\nb +null .* done\na +null .* done\n", out)
    assert.equal(2, select(2, out:gsub("on 42", "")))
    support.ended(0, farm.run("--resume", "farm")) -- it has its job now
  end)

  it("a host whose tar fails, with the line that tells the cause", function()
    local farm = new_farm ":"
    farm.write("tar", '#!/bin/sh\ncase "$*" in *-xzf*) exec /bin/tar -xzf tar ;; esac\nexec /bin/tar "$@"\n')
    local status, _, err = farm.shell([[chmod +x tar; PATH=$PWD:$PATH exec "$@"]], "farm", "--hosts", "hosts", "--",
      "devices")
    assert.equal(1, status)
    assert.truthy(err:find("here: gzip: stdin: not in gzip format\n", 1, true), err)
  end)

  it("hosts that no program here can reach, with the package that has it", function()
    local farm = new_farm "node"
    local _, err = support.ended(1, farm.shell([[mkdir bin
      for tool in find tar gzip sha256sum parallel; do ln -s "$(command -v $tool)" bin; done
      PATH=$PWD/bin exec "$@"]], "farm", "--hosts", "hosts", "--", "devices"))
    assert.truthy(err:find("node: ssh is not installed here: on Debian, `apt install openssh-client`\n", 1, true), err)
    refused("node", "node: my-ssh is not installed here\n", "--hosts", "hosts", "--ssh", "my-ssh", "--", "devices")
  end)

  it("what a program of this machine fails at, in the program's words", function()
    local function said(tool, text, ...)
      local farm = new_farm ":"
      farm.write(tool, "#!/bin/sh\n" .. text)
      return select(2, support.ended(1, farm.shell(("mkdir parts; chmod +x %s; "
        .. "export SLURM_JOB_NODELIST=a PATH=$PWD:$PATH; "):format(tool) .. 'exec "$@"', "farm", ...)))
    end
    assert.equal("clue farm: tar: ./parts: Cannot open: Permission denied\n", said("tar",
      "echo 'tar: ./parts: Cannot open: Permission denied' >&2; echo 'tar: Exiting with failure status' >&2; exit 2",
      "--hosts", "hosts", "--copy", "parts", "--", "devices"))
    assert.equal("clue farm: sha256sum is not installed here\n",
      said("sha256sum", "exit 127", "--hosts", "hosts", "--archive", "hosts", "--", "devices"))
    assert.equal("clue farm: scontrol: error: no hosts\n",
      said("scontrol", "echo 'scontrol: error: no hosts' >&2; exit 1", "--slurm", "--", "devices"))
    assert.matches("\nclue farm: parallel: Unknown option: plain\n$",
      said("parallel", "echo 'Unknown option: plain' >&2; exit 255", "--hosts", "hosts", "--", "devices"))
  end)

  it("a machine without GNU parallel, before there is a folder", function()
    local farm = new_farm ":"
    local status, _, err = farm.shell([[mkdir bin; PATH=$PWD/bin "$@"; status=$?; test ! -e farm || echo a folder >&2
      exit $status]], "farm", "--hosts", "hosts", "--", "devices")
    assert.same({1, "clue farm: parallel is not installed here: on Debian, `apt install parallel`\n"}, {status, err})
  end)

  it("words that do not fit together", function()
    refused(":", "unknown option '--size': options of what runs stand after --, as in clue farm --hosts FILE -- walk",
      "--hosts", "hosts", "walk", "hello", "--size", "64")
    refused(":", "unknown option '--result': did you mean --results?", "--hosts", "hosts", "--result", "x")
    refused(":", "give the hosts: --hosts FILE", "--", "devices")
    refused(":", "what shall run?", "--hosts", "hosts")
    refused(":", "'walk': there are `clue farm tune`", "--hosts", "hosts", "walk")
    refused(":", "--set goes with clue farm sweep", "--hosts", "hosts", "--set", "n=1", "--", "devices")
    refused(":", "--chunk goes with clue farm tune", "--hosts", "hosts", "--chunk", "1", "--", "devices")
    refused(":", "--slurm: there is no allocation here", "--slurm", "--", "devices")
    refused(":", "--resume: nothing/plan.json: No such file", "--resume", "nothing")
    local farm = new_farm ""
    farm.write("plan.json", '{"format": "clue farm 1", "kind": "each", "words": ["devices"]}')
    local _, err = support.ended(1, farm.run("--resume", "."))
    assert.truthy(err:find("--resume: ./plan.json: its options is not what clue farm writes", 1, true), err)
    local nothing = '"words": [], "options": {}, "hosts": [], "workers": [], "groups": [], "how": {}'
    farm.write("plan.json", ('{"format": "clue farm 1", "kind": "sweep", %s}'):format(nothing))
    _, err = support.ended(1, farm.run("--resume", "."))
    assert.truthy(err:find("--resume: .: give the script: clue farm sweep SCRIPT.lua", 1, true), err)
    refused(":", "--hosts: nothing: No such file", "--hosts", "nothing", "--", "devices")
    refused(":", "--results: cannot make the folder /proc/x: No such file", "--results", "/proc/x", "--hosts", "hosts",
      "--", "devices")
    refused(":", "--archive: there is no file nothing.tar.gz", "--hosts", "hosts", "--archive", "nothing.tar.gz", "--",
      "devices")
    refused(":", "nothing: there is no such file or folder to copy", "--hosts", "hosts", "--copy", "nothing", "--",
      "devices")
    refused(":", "--copy ..: what is copied lies there as here", "--hosts", "hosts", "--copy", "..", "--", "devices")
    refused(":", "there is no script none.lua", "sweep", "none.lua", "--hosts", "hosts", "--set", "n=1")
    refused(": name=plan", "plan.json is the farm's own", "--hosts", "hosts", "--", "devices", "{worker}.json")
    for _, option in ipairs {"--set=n=1", "--any-device", "--time-limit=1", "--evaluations=1", "--seed=1", "--chunk=1",
                             "--archive=x", "--copy=x", "--results=x", "--device=0"} do
      refused(":", "--resume goes on as before: leave out " .. option:match "^[%w-]+", "--resume", "farm", option)
    end
  end)

  it("commands that nothing can come of, as wrong use", function()
    local farm = new_farm ":"
    local function wrong(complaint, ...)
      local _, err = support.ended(2, farm.run("--hosts", "hosts", ...))
      assert.truthy(err:find(complaint, 1, true), err)
    end
    wrong("--set NAME=VALUES says what to sweep", "sweep", "s.lua")
    wrong("--set 'n': it must be NAME=VALUES", "sweep", "s.lua", "--set", "n")
    wrong("--set: 64000 points; at most 10000 run", "sweep", "s.lua", "--set", "a=1..40+1", "--set", "b=1..40+1",
      "--set", "c=1..40+1")
    wrong("give the script: clue farm sweep SCRIPT.lua", "sweep", "--set", "n=1")
    wrong("--set n is there twice: give all its values in one list", "sweep", "s.lua", "--set", "n=1", "--set", "n=2")
    wrong("--set device: use the devices of the hosts' file", "sweep", "s.lua", "--set", "device=1")
    wrong("'{wroker}.json': there is no {wroker}; there are {worker}", "--", "walk", "--json", "{wroker}.json")
    wrong("give the space: clue farm tune SPACE.lua", "tune")
    wrong("give a command after --", "--")
    wrong("'{host}.csv': what comes back is a result in JSON", "--", "walk", "{host}.csv")
    wrong("'a/{host}.json': results come back to the farm's own folder", "--", "walk", "a/{host}.json")
  end)

  it("a folder with the results of another farm", function()
    local farm = new_farm ":"
    assert.equal(0, (farm.run("--hosts", "hosts", "--", "-e", "")))
    local status, _, err = farm.run("--hosts", "hosts", "--", "-e", "")
    assert.equal(1, status)
    assert.truthy(err:find("farm has the results of a farm: `clue farm --resume farm` goes on with it", 1, true), err)
    status, _, err = farm.run("--hosts", "hosts", "--results", "it's new", "--", "-e", "error 'no'")
    assert.equal(1, status, err)
    _, _, err = farm.run("--hosts", "hosts", "--results", "it's new", "--", "-e", "")
    assert.truthy(err:find([[`clue farm --resume 'it'\''s new'` goes on with it]], 1, true), err)
    os.remove(farm.folder .. "/farm/plan.json") -- its results would count as those of any other command
    status, _, err = farm.run("--hosts", "hosts", "--", "-e", "print 'new'")
    assert.equal(1, status)
    assert.truthy(err:find("farm has remains of a farm, without its plan.json", 1, true), err)
  end)

  it("a folder in which another farm works, or did meanwhile, or that it cannot lock", function()
    local farm = new_farm ":"
    local lock = assert(io.open(farm.folder .. "/lock", "a"))
    assert(lfs.lock(lock, "w"))
    -- for which it waits a minute of this clock
    local faster = "local at = require 'clue.binding' local now = at.now function at.now() return 60 * now() end"
    local _, err = support.ended(1, farm.shell('LUA_INIT="$2"; shift 2; export LUA_INIT; exec "$@"', faster,
      support.clue, "farm", "--hosts", "hosts", "--results", ".", "--", "devices"))
    lock:close()
    assert.equal("clue farm: another clue farm works in .\n", err)
    os.execute("mkdir -p " .. support.quote(farm.folder .. "/new/lock"))
    _, err = support.ended(1, farm.run("--hosts", "hosts", "--results", "new", "--", "devices"))
    assert.equal("clue farm: new/lock: Is a directory\n", err)
    local lfs_lock, path = lfs.lock, support.folder()
    finally(function() lfs.lock = lfs_lock end)
    lfs.lock = function(...)
      support.write("{}", path .. "/plan.json")
      return lfs_lock(...)
    end
    assert.matches("has the results of a farm", support.text_of_error(folders.new, path), 1, true)
  end)

  it("a folder with what a farm left, before it makes anything there", function()
    local farm = new_farm ":"
    farm.write("events", "")
    local _, err = support.ended(1, farm.run("--hosts", "hosts", "--results", ".", "--", "devices"))
    assert.matches("^clue farm: %-%-results: %. has remains of a farm, without its plan.json: ", err)
    assert.is_nil(lfs.attributes(farm.folder .. "/jobs"))
  end)
end)
