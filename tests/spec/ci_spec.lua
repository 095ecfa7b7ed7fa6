-- .ci/run succeeds if its two parts do, however long the log that it shows at the end.
-- suite: quick
local lfs = require "lfs"
local support = require "support"

-- Runs .ci/run in a folder with this script as ./dev.
local function ci(dev)
  local folder = support.folder()
  assert(lfs.mkdir(folder .. "/.ci"))
  support.write(support.read ".ci/run", folder .. "/.ci/run")
  support.write("#!/bin/sh\n" .. dev, folder .. "/dev")
  support.execute {"chmod", "+x", folder .. "/dev"}
  local status, out = support.execute {"bash", folder .. "/.ci/run"}
  return status, out
end

-- More lines than a pipe holds.
local long_log = "if [ $1 = flakes ]; then seq 100000; fi\n"

describe("continuous integration", function()
  it("succeeds and shows the head of a long log", function()
    local status, out = ci(long_log)
    assert.equals(0, status)
    assert.equals(60, select(2, out:gsub("\n", "")))
  end)

  it("runs the README's two commands on a bare system, and then the rest of the whole suite", function()
    local status, out = ci 'echo "$*"\n'
    assert.equals(0, status)
    assert.equals("setup\nfresh ./dev demo && ./dev test\ntest --whole --label-exclude ^quick$\nflakes\n", out)
  end)

  it("runs the commands that the README shows first", function()
    local shown = {}
    for command in support.read("README.md"):match "\n    %./dev.-\n\n":gmatch "    (%./dev %a+)" do
      shown[#shown + 1] = command
    end
    assert.matches("'" .. table.concat(shown, " && ") .. "'", support.read ".ci/run", 1, true)
  end)

  it("fails if a part fails", function()
    assert.equals(3, (ci('[ "$1" != fresh ] || exit 3\n' .. long_log)))
    assert.equals(4, (ci('[ "$1" != test ] || exit 4\n' .. long_log)))
    assert.equals(5, (ci('[ "$1" != setup ] || exit 5\n' .. long_log)))
  end)

  it("leaves it to the tests to say that their builds fail", function()
    assert.equals(0, (ci('[ "$1" != build ] || exit 6\n' .. long_log)))
  end)
end)

describe("./dev", function()
  -- Runs it in a folder of its own, in which these programs take the place of the system's.
  local function dev(task, programs)
    local folder = support.folder()
    support.write(support.read "dev", folder .. "/dev")
    assert(lfs.mkdir(folder .. "/bin"))
    for name, text in pairs(programs) do support.write("#!/bin/sh\n" .. text, ("%s/bin/%s"):format(folder, name)) end
    support.execute {"sh", "-c", 'chmod +x "$1"/dev "$1"/bin/*', "sh", folder}
    return support.execute({folder .. "/dev", task}, {PATH = folder .. "/bin:" .. os.getenv "PATH"})
  end

  local programs = {
    ["dpkg-query"] = "exit 0\n", id = "echo 0\n", ["apt-get"] = "seq 1000\n",
    ninja = "echo '  --quiet  no lines'\n",
    cmake = [[case "$*" in *--build*--\ --quiet) ;; *--build*) seq 1000 ;; esac]] .. "\n",
  }

  it("prints few lines where nobody watches, however many packages and steps there are", function()
    local status, out, err = dev("build", programs)
    assert.equals("0", status .. err)
    assert.matches("^dev: building clue %(luajit%); [^\n]+\ndev: build/clue is ready\n$", out)
    status, out = dev("setup", programs)
    assert.equals(0, status)
    assert.matches("^dev: installing %d+ packages from Debian[^\n]+\ndev: everything is installed\n$", out)
  end)

  it("refuses an option of build that it does not know", function()
    assert.same({1, "", "dev: build: only --whole and --apart are known\n"},
      {support.execute {"./dev", "build", "--wohle"}})
  end)

  it("shows what apt said if it fails", function()
    local failing = {}
    for name, text in pairs(programs) do failing[name] = text end
    failing["apt-get"] = 'case "$*" in *--simulate*) ;; *) echo "E: no space left"; exit 100 ;; esac\n'
    local status, _, err = dev("setup", failing)
    assert.is_true(status ~= 0)
    assert.matches("E: no space left", err)
  end)
end)

describe("./dev lint", function()
  it("runs all linters that it is given, and fails if one of them finds something", function()
    local folder = support.folder()
    support.write("#!/bin/sh\ncat >/dev/null\nexit 1\n", folder .. "/shellcheck")
    support.execute {"chmod", "+x", folder .. "/shellcheck"}
    local env = {PATH = folder .. ":" .. os.getenv "PATH"}
    local status, out, err = support.execute({"./dev", "lint", "core", "shellcheck", "style"}, env)
    assert.same({1, "lint core\nlint shellcheck\nlint style\n", "dev: not clean: shellcheck\n"}, {status, out, err})
  end)

  it("runs a luacheck that is a script of the shell, as LuaRocks installs it", function()
    local folder = support.folder()
    support.write("#!/bin/sh\necho \"$1\"\nexit 3\n", folder .. "/luacheck")
    support.execute {"chmod", "+x", folder .. "/luacheck"}
    local env = {PATH = folder .. ":" .. os.getenv "PATH"}
    assert.same({3, "--quiet\n", ""}, {support.execute({"./dev", "lint", "luacheck"}, env)})
  end)

  it("refuses a linter that it does not know, before any runs", function()
    local status, out, err = support.execute {"./dev", "lint", "style", "spelling"}
    assert.same({1, ""}, {status, out})
    assert.matches("^dev: there is no linter 'spelling'; there are format tidy ", err)
  end)
end)
