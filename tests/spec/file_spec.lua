-- Saving over an existing file: arrays, pictures and texts share one way to do it.
-- suite: quick
-- process: shared
local array = require "clue.array"
local image_file = require "clue.image_file"
local lfs = require "lfs"
local save = require("clue.file").save
local support = require "support"

local folder

local function path_of(name)
  return folder .. "/" .. name
end

local function put(name, text, mode)
  support.write(text, path_of(name))
  if mode then support.execute {"chmod", mode, path_of(name)} end
  return path_of(name)
end

-- By file name: a function that saves such a file at a path.
local writers = {
  ["a.npy"] = function(path) array.float {1, 2}:save(path) end,
  ["a.csv"] = function(path) array.float {1, 2}:save(path) end,
  ["a.json"] = function(path) array.float {1, 2}:save(path) end,
  ["a.png"] = function(path) image_file.save(path, array.uchar {1, 2}, 2, 1) end,
  ["a.pgm"] = function(path) image_file.save(path, array.uchar {1, 2}, 2, 1) end,
  ["a.txt"] = function(path) assert(save(path, "text")) end,
}

local function names()
  local found = {}
  for name in lfs.dir(folder) do
    if name ~= "." and name ~= ".." then found[#found + 1] = name end
  end
  table.sort(found)
  return table.concat(found, " ")
end

describe("saving a file", function()
  before_each(function()
    folder = support.folder()
  end)

  it("keeps the file's mode, and does not touch other files", function()
    for name, write in pairs(writers) do
      local path = put(name, "before", "0640")
      put(name .. ".part", "mine")
      write(path)
      assert.equal("rw-r-----", lfs.attributes(path, "permissions"))
      assert.not_equal("before", support.read(path))
      assert.equal("mine", support.read(path .. ".part"))
      assert(os.remove(path) and os.remove(path .. ".part"))
      assert.equal("", names())
    end
  end)

  it("gives a new file the usual mode", function()
    local path = put("other", "")
    assert(save(path_of "new", "text"))
    assert.equal(lfs.attributes(path, "permissions"), lfs.attributes(path_of "new", "permissions"))
  end)

  it("follows a symbolic link, whether or not its target exists", function()
    assert(lfs.mkdir(path_of "deep"))
    for name, write in pairs(writers) do
      local target, link = path_of("deep/" .. name), path_of(name)
      assert(lfs.link("deep/" .. name, link, true))
      for _ = 1, 2 do
        write(link)
        assert.equal("link", lfs.symlinkattributes(link, "mode"))
        assert.equal("file", lfs.symlinkattributes(target, "mode"))
      end
      assert(os.remove(link) and os.remove(target))
    end
    assert.equal("deep", names())
  end)

  it("writes into a FIFO, and into a file with two hard links", function()
    for name, write in pairs(writers) do
      local path = put(name, "before")
      assert(lfs.link(path, path_of "second"))
      write(path)
      local text = support.read(path)
      assert.not_equal("before", text)
      assert.equal(text, support.read(path_of "second"))
      assert(os.remove(path) and os.remove(path_of "second"))
      support.execute {"mkfifo", path}
      local reader = io.popen("cat " .. support.quote(path))
      write(path)
      local read = reader:read "*a"
      reader:close()
      assert.equal(text, read)
      assert.equal("named pipe", lfs.attributes(path, "mode"))
      assert(os.remove(path))
    end
    assert.equal("", names())
  end)

  -- Root may make files anywhere, so this needs a user of its own.
  local function other(...)
    return support.execute {"setpriv", "--reuid", "65531", "--clear-groups", ...}
  end
  local test = other(support.clue, "-e", "") == 0 and it or pending
  test("writes into a file in a folder where no files may be made", function()
    local home = io.popen "mktemp -d /tmp/clue-file-XXXXXX":read "*l"
    local path = support.write("before", home .. "/a.npy")
    support.execute {"chmod", "666", path}
    support.execute {"chmod", "755", home}
    local code = "require('clue').array.float {1, 2}:save(arg[1])"
    local script = support.write(code, home .. "/save.lua")
    local status, _, err = other(support.clue, script, path)
    local saved, made, _, refused = support.read(path), other(support.clue, script, home .. "/new.npy")
    support.execute {"chmod", "444", path}
    local _, _, kept = other(support.clue, script, path)
    support.execute {"rm", "-r", home}
    assert.same({0, ""}, {status, err})
    assert.equal("\147NUMPY", saved:sub(1, 6))
    assert.equal(1, made) -- a new file cannot be made there
    assert.matches("new.npy: Permission denied", refused, 1, true)
    assert.matches("a.npy: Permission denied", kept, 1, true)
  end)

  -- Only root may mount.
  test = support.execute {"unshare", "--mount", "true"} == 0 and it or pending
  test("writes into a file that is mounted, as a container has them", function()
    local kept = put("kept.npy", "before")
    local path, script = put("a.npy", ""), support.write "require('clue').array.float(300000):save(arg[1])"
    local line = 'mount --bind "$1" "$2" && "$0" "$3" "$2"'
    local status, _, err = support.execute {"unshare", "--mount", "sh", "-c", line, support.clue, kept, path, script}
    assert.same({0, ""}, {status, err})
    assert.equal("\147NUMPY", support.read(kept):sub(1, 6))
    assert.equal(128 + 4 * 300000, #support.read(kept))
    assert.equal("a.npy kept.npy", names())
  end)

  it("leaves nothing behind if it fails, and names the requested path", function()
    local path = put("a.txt", "before")
    local saved, why = save(path, function() return nil, "no more ideas" end)
    assert.same({nil, path .. ": no more ideas"}, {saved, why})
    assert.error_matches(function() save(path, function() error "oops" end) end, "oops")
    saved, why = save(path, function(to) return io.open(to .. "/x", "w") end)
    assert.is_nil(saved)
    assert.equal(path .. "/x: Not a directory", why)
    assert.same({nil, folder .. ": Is a directory"}, {save(folder, "text")})
    assert.same({nil, "/nowhere/a: No such file or directory"}, {save("/nowhere/a", "text")})
    assert.same({nil, "a: a file's name cannot contain a zero byte"}, {save("a\0b", "text")})
    assert.equal("before", support.read(path))
    assert.equal("a.txt", names())
  end)

  it("reports a limit on the size of files #once", function()
    local path = put("a.npy", "before")
    local _, err = support.ended(1, support.execute {"sh", "-c", 'ulimit -f 8; exec "$0" -e "$1"', support.clue,
      ("require('clue').array.float(100000):save('%s')"):format(path)})
    assert.matches("cannot write " .. path .. ": File too large", err, 1, true)
    assert.equal("before", support.read(path))
    assert.equal("a.npy", names())
  end)

  it("never fails or shows half a file while others save to the same path", function()
    local path = path_of "shared.npy"
    array.float(5000):save(path)
    local script = support.write [[
      local array = require "clue.array"
      local mine = array.float(5000)
      mine:fill(tonumber(arg[2]))
      for _ = 1, 60 do mine:save(arg[1]) end
      print "all saved"]]
    local children = {}
    for i = 1, 2 do
      children[i] = io.popen(("%s %s %s %d 2>&1"):format(support.quote(support.clue), support.quote(script),
        support.quote(path), i))
    end
    for _ = 1, 200 do
      local read = array.load(path)
      assert.equal(read[0], read[4999])
    end
    for i = 1, 2 do
      assert.equal("all saved\n", children[i]:read "*a")
      children[i]:close()
    end
    assert.equal("shared.npy", names())
  end)
end)

describe("a FIFO, folder or device", function()
  local fifo

  before_each(function()
    folder = support.folder()
    fifo = path_of "fifo"
    support.execute {"mkfifo", fifo}
  end)

  local function reason(path, kind)
    return ("%s: this is %s, but a file is expected"):format(path, kind)
  end

  it("is refused by name without waiting", function()
    local cl = require "clue"
    for path, kind in pairs {[fifo] = "a FIFO", [folder] = "a folder", ["/dev/zero"] = "a device"} do
      for _, read in ipairs {cl.read_file, image_file.load} do
        local done, problem = pcall(read, path)
        assert.is_false(done)
        assert.matches("cannot read " .. reason(path, kind), tostring(problem), 1, true)
      end
    end
  end)

  it("is refused by the subcommands that read files #once", function()
    for _, words in ipairs {{"build"}, {"compare", fifo}, {"walk", "mql5", "--resume", "--json"}} do
      words[#words + 1] = fifo
      local status, _, err = support.run(words, support.drivers "none")
      assert.not_equal(0, status)
      assert.matches(reason(fifo, "a FIFO"), err, 1, true)
    end
  end)

  it("is read if it is the process's standard input #once", function()
    local status, out = support.execute({"sh", "-c", 'echo text | "$CLUE" -e \'io.write(require("clue").read_file '
      .. '"/dev/stdin")\''})
    assert.same({0, "text\n"}, {status, out})
  end)
end)
