-- What tests say in their heads (tests/heads.cmake), and the commands that the quick suite finds (tests/quick_path).
-- suite: quick
local lfs = require "lfs"
local support = require "support"

-- What CMake reads in a file of tests: head_<key> of each key as "key=word;word", or why it refuses it.
local function read(text, reader)
  local script = support.write(([[
    cmake_minimum_required(VERSION 3.21)
    include(tests/heads.cmake)
    %s
    foreach(key suite builds drivers process tools cost waits each arguments)
      message(STATUS "${key}=${head_${key}}")
    endforeach()]]):format(reader:format(support.write(text))), support.temporary ".cmake")
  local status, out, err = support.execute {"cmake", "-P", script}
  return status, status == 0 and out or support.flat(err)
end

local function head(text) return read(text, "clue_read_head(%s)") end

describe("the head of a test", function()
  it("is read in Lua and in C", function()
    for _, text in ipairs {
      "-- About it.\n-- suite: whole\n-- builds: luajit lua54\n-- tools: vim\n-- cost: 60\n-- waits: long\nlocal x\n",
      "/* About it.\n *\n * suite: whole\n * builds: luajit lua54\n * tools: vim\n * cost: 60\n * waits: long */\n",
    } do
      local out = support.ended(0, head(text))
      for _, line in ipairs {"suite=whole", "builds=luajit;lua54", "drivers=", "tools=vim", "cost=60", "waits=long"} do
        assert.matches("-- " .. line .. "\n", out, 1, true)
      end
    end
  end)

  it("names the folder of which each folder is a test", function()
    local out = support.ended(0, head "-- suite: whole\n-- each: scripts/walkthroughs\n")
    assert.matches("-- each=scripts/walkthroughs\n", out, 1, true)
  end)

  it("of a program gives a name and arguments to each of its tests", function()
    local program = "#!/bin/sh\n# test: a, suite: quick, arguments: --driver pocl,null\n# test: b, suite: whole\n"
    local out = support.ended(0, read(program, [[
      clue_read_tests(texts %s)
      list(GET texts 0 text)
      message(STATUS "${texts}")
      clue_read_keys(x "${text}")]]))
    assert.matches("a, suite: quick, arguments: --driver pocl,null;b, suite: whole", out, 1, true)
    assert.matches("arguments=--driver;pocl,null\n", out, 1, true)
  end)

  it("is refused if it names no suite, or what is not known", function()
    for text, why in pairs {
      ["-- About it.\n"] = "does not say which suite it belongs to",
      ["-- suite: fast\n"] = "says 'suite: fast'; there are quick, whole",
      ["-- suite: quick\n-- drivers: pocl nvidia\n"] = "says 'drivers: nvidia'; there are pocl, oclgrind, ",
      ["-- suite: quick\n-- tools: vim\n"] = "but it needs vim, which only ./dev test --whole installs",
    } do
      local status, err = head(text)
      assert.equal(1, status, text)
      assert.matches(why, err, 1, true)
    end
  end)
end)

describe("the PATH of the quick suite", function()
  it("is the folder of a bare machine's commands", function()
    local path = os.getenv "PATH"
    assert.equal("path", path:match "[^/]*$")
    for _, name in ipairs {"sh", "gcc", "cmake", "busted"} do
      assert.is_string(lfs.attributes(path .. "/" .. name, "mode"), name)
    end
  end)

  -- The dpkg-query here knows some packages, whose commands are this machine's. `whole` is installed, but the quick
  -- suite does not need it: gcc depends on the first of several that are there. luajit was removed.
  it("has the commands of what the quick suite needs, and no others", function()
    local folder, tools = support.folder(), support.folder()
    support.write([[#!/bin/sh
      if [ "$1" = -W ]; then
        printf 'ii \tbase\tyesrequired\t, \t\n'
        printf 'ii \tgcc\tnooptional\t, either (>= 1), nowhere | first:any | whole\t\n'
        printf 'ii \teither\tnooptional\t, \t\nii \tfirst\tnooptional\t, virtual\t\n'
        printf 'ii \twhole\tnooptional\t, \t\nii \tgives\tnooptional\t, \tvirtual (= 1)\n'
        printf 'rc \tluajit\tyesrequired\t, \t\n'
      else
        for package in "$@"; do
          case $package in
            base) echo /bin/cat ;;
            gcc) printf '/usr/bin/sort\n/usr/share/doc/gcc\n' ;;
            either) echo /usr/bin/cut ;;
            first) echo /usr/bin/head ;;
            gives) echo /usr/bin/tail ;;
            whole) echo /usr/bin/uniq ;;
            luajit) echo /usr/bin/comm ;;
          esac
        done
      fi]], tools .. "/dpkg-query")
    support.execute {"chmod", "+x", tools .. "/dpkg-query"}
    support.ended(0, support.execute({"tests/quick_path", folder .. "/path"},
      {PATH = tools .. ":" .. os.getenv "PATH"}))
    local found = {}
    for name in lfs.dir(folder .. "/path") do
      if name:find "^%a" and ("cat cut comm head sort tail uniq"):find(name, 1, true) then found[#found + 1] = name end
    end
    table.sort(found)
    assert.same({"cat", "cut", "head", "sort", "tail"}, found)
  end)
end)
