-- The packages that cpack makes: what is in them, what they say of it, and that the archive runs in a root folder that
-- has nothing but libc, the loader and a driver.
-- suite: whole
-- tools: lintian
-- cost: 15
local json = require "dkjson"
local support = require "support"

local build = support.clue:match "^(.*)/"
local made = support.folder()

local function shell(script, env)
  return (support.ended(0, support.execute({"sh", "-euc", script}, env)))
end

local function lines_of(text)
  local lines = {}
  for line in text:gmatch "[^\n]+" do lines[#lines + 1] = line end
  return lines
end

local root, deb, prefix

setup(function()
  shell(('cd "%s" && cpack --config "%s/CPackConfig.cmake" -B "%s"'):format(made, build, made))
  shell(('rm -rf "%s/_CPack_Packages" && cd "%s" && tar -xf clue-*-linux-*.tar.gz'):format(made, made))
  prefix = lines_of(shell(('ls -d "%s"/clue-*-linux-*/'):format(made)))[1]:gsub("/$", "")
  deb = lines_of(shell(('ls "%s"/clue_*.deb'):format(made)))[1]
end)

-- Makes a root folder with the archive, libc, the loader and the driver that does nothing.
local function bare_root()
  if root then return root end
  root = support.folder()
  shell([[
    for library in $(ldd "$PROGRAM" "$DRIVER" | grep -o '/[^ :)]*\.so[^ :)]*' | grep -v "$PREFIX" | sort -u); do
      case $library in
        */ld-linux*|*/libc.so.6|*/libm.so.6|*/libOpenCL.so.1) ;;
        *null.so) continue ;;
        *) echo "the archive needs $library"; exit 1 ;;
      esac
      mkdir -p "$ROOT$(dirname "$library")" && cp -L "$library" "$ROOT$library"
    done
    mkdir -p "$ROOT/etc/OpenCL/vendors" "$ROOT/opt" "$ROOT/tmp" "$ROOT/dev" "$ROOT/home"
    cp "$DRIVER" "$ROOT/opt/null.so" && echo /opt/null.so >"$ROOT/etc/OpenCL/vendors/null.icd"
    cp -a "$PREFIX" "$ROOT/opt/clue"
    # The loader asks /proc for the place of a program, by which the program names its libraries.
    mkdir -p "$ROOT/proc/self" && ln -s /opt/clue/bin/clue "$ROOT/proc/self/exe"]],
    {ROOT = root, PREFIX = prefix, PROGRAM = prefix .. "/bin/clue", DRIVER = support.built "driver/null.so"})
  return root
end

local is_root = shell "id -u" == "0\n"
local can_change_root = is_root or support.execute {"unshare", "-r", "true"} == 0

local function words_in_bare_root(...)
  local words = {"/usr/bin/env", "-i", "HOME=/home", "TERM=xterm", "LUA_PATH=/nowhere/?.lua", "/usr/sbin/chroot",
    bare_root(), "/opt/clue/bin/clue", ...}
  if not is_root then
    table.insert(words, 1, "-r")
    table.insert(words, 1, "/usr/bin/unshare")
  end
  return words
end

local function in_bare_root(...)
  return support.execute(words_in_bare_root(...))
end

describe("the archive", function()
  it("runs with nothing but libc, libOpenCL.so.1 and a driver", function()
    if not can_change_root then return pending "needs root, or user namespaces, for a root folder of its own" end
    local status, out, err = in_bare_root "--version"
    assert.equal(0, status, err)
    assert.matches("^clue %d+%.%d+%.%d+ %(LuaJIT[^\n]*\n  commit ", out)
    status, out, err = in_bare_root "devices"
    assert.equal(0, status, err)
    assert.matches("0:0", out, 1, true)
    status, out, err = in_bare_root "walk"
    assert.equal(0, status, err)
    assert.matches("\nmql5: ", "\n" .. out, 1, true)
    status, out, err = in_bare_root "/opt/clue/share/clue/scripts/examples/hello.lua"
    assert.equal(0, status, err)
    assert.matches("^%-?%d", out) -- what the driver leaves is no answer, but it has no error either
    status, out, err = in_bare_root("-e", [[print(require "clue".template("$(1 + 1)", {}))]])
    assert.matches("\n2\n", out, 1, true, err)
    assert.equal(0, status)
    status, out, err = in_bare_root("help", "errors.md")
    assert.equal(0, status, err)
    assert.matches("^# Errors", out)
    status, out, err = in_bare_root("-l", "clue", "-e", "print(require('clue.repl.help').text 'objects.md')")
    assert.equal(0, status, err)
    assert.matches("^# ", out)
    for _, name in ipairs {"trace", "tune", "check", "count", "doctor", "build"} do
      status, out, err = in_bare_root(name, "--help")
      assert.equal(0, status, err)
      assert.matches("^Usage: clue " .. name, out)
    end
  end)

  it("starts without libOpenCL.so.1, and names clue doctor", function()
    if not can_change_root then return pending "needs root, or user namespaces, for a root folder of its own" end
    local hidden = shell('find "$ROOT" -name "libOpenCL.so.1"', {ROOT = bare_root()}):gsub("\n", "")
    shell('mv "$FILE" "$FILE.off"', {FILE = hidden})
    local status, out, err = in_bare_root "--version"
    local _, _, told = in_bare_root "devices"
    shell('mv "$FILE.off" "$FILE"', {FILE = hidden})
    assert.equal(0, status, err)
    assert.matches("^clue %d", out)
    assert.matches("there is no OpenCL device\n  `clue doctor` shows what this machine lacks", told, 1, true)
  end)

  it("has a prompt without libedit, too, and says in a line what is missing", function()
    if not can_change_root then return pending "needs root, or user namespaces, for a root folder of its own" end
    local words = words_in_bare_root()
    table.insert(words, 1, support.built "terminal/talk")
    local out = support.ended(0, support.execute(words, nil, "prompt\nsend 20 + 3\\r\nexpect 23\nprompt\nsend \\x04\n"))
    assert.matches("clue: no editing, Tab or history at this prompt %(Debian: apt install libedit2%): libedit.so.2: "
      .. "[^\n]*\r?\ncl is require \"clue\"; help%(x%) describes x, [^\n]*\n", out)
  end)

  it("takes the modules that it needs from itself, whatever the system has", function()
    local foreign = support.folder()
    for _, name in ipairs {"argparse", "lfs", "pl", "clue"} do
      support.write("error 'a foreign module'", ("%s/%s.lua"):format(foreign, name))
    end
    local out = support.ended(0, support.execute({"env", "-i", "HOME=" .. foreign, "LUA_PATH=" .. foreign .. "/?.lua;;",
      prefix .. "/bin/clue", "-e", [[
        for _, name in ipairs {"argparse", "lfs", "pl.template", "pl.utils", "clue.run.catalogue"} do
          require(name)
        end
        local seen = {}
        for _, module in pairs(package.loaded) do
          for _, member in pairs(type(module) == "table" and module or {}) do
            local source = type(member) == "function" and debug.getinfo(member, "S").source
            if source and source:find "^@" then seen[source:sub(2)] = true end
          end
        end
        for line in io.lines "/proc/self/maps" do
          local file = line:match "/%S*/lua/%S*%.so$" or line:match "/%S*/lfs%S*$" or line:match "/%S*filesystem%S*$"
          if file then seen[file] = true end
        end
        for path in pairs(seen) do print(path) end]]}))
    assert.is_true(#lines_of(out) > 10)
    assert.matches("bundled/lfs.so\n", out, 1, true)
    for _, path in ipairs(lines_of(out)) do assert.equal(1, (path:find(prefix, 1, true)), path) end
  end)

  it("brings itself to hosts that have no clue, once", function()
    local here, there = support.folder(), support.folder()
    -- Takes the place of ssh: the last word is the command for the host, which has all programs but clue.
    support.write([[#!/bin/sh
      for command; do case $command in -N) exit 1 ;; esac; done
      exec env -i HOME="$THERE" PATH="$THERE/programs" OCL_ICD_VENDORS="$OCL_ICD_VENDORS" sh -c "$command"
    ]], here .. "/to_host")
    support.write("host all\n", here .. "/hosts")
    shell([[chmod +x "$HERE/to_host"; mkdir "$THERE/programs"
      ln -s /usr/bin/* /bin/* "$THERE/programs" 2>/dev/null || true
      rm -f "$THERE/programs/clue"]], {HERE = here, THERE = there})
    local env = support.drivers("null", {THERE = there, XDG_CACHE_HOME = here .. "/cache"})
    for _ = 1, 2 do
      local out = support.ended(0, support.execute({"sh", "-c", 'cd "$1"; rm -rf farm; shift; exec "$@"', "sh", here,
        prefix .. "/bin/clue", "farm", "--hosts", "hosts", "--ssh", "./to_host", "--", "-e", "print(6 * 7)"}, env, nil,
        120))
      assert.matches("  42\n", out, 1, true)
    end
    assert.matches("^clue%-%x+\n$", shell(('ls "%s/.cache/clue/farm"'):format(there)))
  end)

  it("needs no later glibc than the page on installing says", function()
    local stated = support.read("docs/howto/install.md"):match "glibc 2%.(%d+) or later"
    local versions = shell(("find '%s' -type f \\( -name '*.so*' -o -path '*/bin/clue' \\) -exec objdump -T {} + "
      .. "| grep -o 'GLIBC_2[.][0-9]*' | sort -uV | tail -n 1"):format(prefix))
    assert.equal("GLIBC_2." .. stated .. "\n", versions)
  end)

  it("has no path of the machine that made it", function()
    assert.equal("", shell(('grep -rlF "%s" "%s" || true'):format(build, prefix)))
    assert.equal("", shell(('grep -rlF "$PWD" "%s" || true'):format(prefix)))
  end)

  it("has the licences of what it contains", function()
    local document = json.decode(support.read(prefix .. "/share/doc/clue/clue.spdx.json"))
    local names = {}
    for _, each in ipairs(document.packages) do names[each.SPDXID] = each.name end
    local count = 0
    for _, relation in ipairs(document.relationships) do
      if relation.relationshipType ~= "DEPENDS_ON" and relation.relationshipType ~= "DESCRIBES" then
        local name = names[relation.relatedSpdxElement]
        assert.is_string(support.read(("%s/share/doc/clue/licences/%s.txt"):format(prefix, name)), name)
        count = count + 1
      end
    end
    assert.is_true(count >= 7)
  end)
end)

describe("docs/howto/install.md", function()
  -- Runs the commands of a section in bash.
  local function commands_work(title, folder, values)
    local section = assert(support.read("docs/howto/install.md"):match("\n## " .. title .. "\n(.-)\n## "), title)
    local lines = {}
    for line in section:gmatch "\n    ([^\n]*)" do lines[#lines + 1] = line:gsub("%u%u%u%u+", values) end
    assert.is_true(#lines >= 4)
    local script = "set -euo pipefail; cd " .. folder .. "\n" .. table.concat(lines, "\n")
    return (support.ended(0, support.execute {"bash", "-c", script}))
  end

  it("installs the archive", function()
    local folder = support.folder()
    local name = prefix:match "[^/]*$"
    shell(("cp '%s'.tar.gz '%s'"):format(prefix, folder))
    local out = commands_work("The archive", folder, {VERSION = name:match "^clue%-([%d.]+)"})
    assert.matches("platform 0", out, 1, true)
  end)

  it("installs a tree, and removes it", function()
    local folder = support.folder()
    shell(("ln -s '%s' '%s/build'"):format(build, folder))
    local out = commands_work("An installed tree", folder, {PREFIX = folder .. "/tree"})
    assert.matches("\nclue %d", out)
    assert.equal("", shell(("find '%s/tree' -type f -o -type l"):format(folder)))
  end)
end)

describe("the bill of materials", function()
  it("names every package whose files the archive has or loads, in the version that is installed", function()
    local document = json.decode(support.read(prefix .. "/share/doc/clue/clue.spdx.json"))
    assert.equal("SPDX-2.3", document.spdxVersion)
    local known = {}
    for _, each in ipairs(document.packages) do
      known[each.name] = each
      if each.name ~= "clue" then
        assert.equal(each.versionInfo, shell("dpkg-query -W -f '${Version}' " .. each.name))
      end
    end
    for _, name in ipairs {"libluajit-5.1-dev", "lua-argparse", "lua-filesystem", "lua-penlight",
                           "ocl-icd-libopencl1", "libc6", "libedit2"} do
      assert.is_table(known[name], name)
    end
    local version = shell(("'%s' --version"):format(support.clue)):match "^clue (%S+)"
    assert.equal(version, known.clue.versionInfo)
  end)
end)

it("the rockspec has the version that clue has", function()
  local version = shell(("'%s' --version"):format(support.clue)):match "^clue (%S+)"
  local text = assert(support.read(("clue-%s-1.rockspec"):format(version)))
  assert.matches(('\nversion = "%s-1"\n'):format(version), text, 1, true)
end)

describe("the Debian package", function()
  it("is what Debian's policy asks for, but for the exceptions that it explains", function()
    assert.equal("", shell(("lintian --allow-root --tag-display-limit 0 '%s' 2>&1 || true"):format(deb)))
  end)

  it("pulls what it needs", function()
    local depends = shell(("dpkg-deb -f '%s' Depends"):format(deb))
    for _, name in ipairs {"libc6", "libluajit-5.1-2", "ocl-icd-libopencl1", "libedit2", "lua-argparse",
                           "lua-filesystem", "lua-penlight"} do
      assert.matches(name:gsub("%p", "%%%0"), depends)
    end
    assert.not_matches("llvm", depends)
    local recommends = shell(("dpkg-deb -f '%s' Recommends"):format(deb))
    for _, name in ipairs {"pocl-opencl-icd | opencl-icd", "gnuplot-nox", "oclgrind"} do
      assert.matches(name, recommends, 1, true)
    end
    assert.matches("parallel", shell(("dpkg-deb -f '%s' Suggests"):format(deb)), 1, true)
  end)

  it("has pages, completion and documents where Debian looks for them, and runs from anywhere", function()
    local folder = support.folder()
    shell(("dpkg-deb -x '%s' '%s'"):format(deb, folder))
    local page = shell(("gzip -dc '%s/usr/share/man/man1/clue-walk.1.gz'"):format(folder))
    assert.matches("published optimisation walkthrough", page, 1, true)
    for _, path in ipairs {"bash-completion/completions/clue", "zsh/vendor-completions/_clue", "doc/clue/copyright",
                           "doc/clue/clue.spdx.json"} do
      assert.is_string(support.read(folder .. "/usr/share/" .. path), path)
    end
    local status, out, err = support.execute {folder .. "/usr/bin/clue", "-e", "print(require 'clue'.array ~= nil)"}
    assert.equal("true\n", out, err)
    assert.equal(0, status)
  end)
end)
