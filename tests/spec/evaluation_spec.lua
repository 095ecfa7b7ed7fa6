-- What may become code: every place of the sources that compiles text, loads a library or starts a program. Whoever
-- adds one says here what it runs, and makes sure that it is no data: results, caches, arrays, traces, names.
-- suite: quick
local literals = require "clue.literals"
local support = require "support"

-- By file and function: how often it is called, and what becomes code there.
local permitted = {
  -- what users run as code: their scripts and statements, walkthroughs and spaces
  ["host/main.c luaL_loadfile"] = 2, -- the script, and the file that LUA_INIT names
  ["host/main.c luaL_loadbuffer"] = 1, -- -e, LUA_INIT
  ["host/main/repl.c luaL_loadbuffer"] = 1, -- what is typed at the prompt
  ["host/lua/run/catalogue.lua dofile"] = 1, -- walkthrough.lua
  ["host/lua/run/parameters.lua dofile"] = 1, -- the steps, for their inputs
  ["host/lua/tune/space_script.lua loadfile"] = 1, -- the space
  -- text of our own, with numbers or names of our own in it
  ["host/main/setup.c luaL_loadbuffer"] = 1, -- the searcher of modules
  ["host/main/bytecode.c lua_load"] = 1, -- clue's own modules, as the build compiled them
  ["bindings/clue/compute/algorithm.lua load"] = 1, -- functions with so many arguments
  ["bindings/ffi/array_table.lua loadstring"] = 2, -- loops for a type
  ["bindings/ffi/cell.lua loadstring"] = 2, -- access to an element, for a type
  ["bindings/ffi/kernel.lua loadstring"] = 1, -- functions with so many arguments
  ["bindings/clue/paths.lua.in popen"] = 1, -- pwd
  ["host/lua/farm/job.lua os.execute"] = 1, -- kill, of GNU parallel
  -- children that run clue itself: calls of its functions, whose arguments are quoted with %q
  ["host/lua/shared/child.lua -e"] = 1,
  ["host/lua/run/machine_code.lua -e"] = 1,
  ["host/lua/simulator/process.lua -e"] = 1,
  ["host/lua/build/programs.lua -e"] = 1,
  ["host/lua/farm/transport.lua -e"] = 1, -- of the farm's agent, on another host
  -- only compiled, to compare the message; it does not run
  ["host/lua/hint/init.lua load"] = 1,
  ["host/lua/shared/script.lua load"] = 1, -- likewise: whether a part of a script is whole statements
  -- when clue is built
  ["bindings/capi/generate.lua dofile"] = 1,
  ["bindings/ffi/generate.lua dofile"] = 1,
  -- libraries by names of our own, and drivers, which clue doctor loads in a process of their own
  ["bindings/ffi/library.lua ffi.load"] = 2,
  ["bindings/raw/init.lua ffi.load"] = 1,
  ["host/lua/doctor/questions.lua loadlib"] = 1,
  ["host/sys/posix/library.c dlopen"] = 1, -- library_open()
  ["host/sys/posix/library.c library_open"] = 1,
  ["host/sys/windows/library.c library_open"] = 1,
  ["host/sys/windows/lua/clue/command/doctor.lua ffi.load"] = 1, -- user32
  ["host/sys/system.h library_open"] = 1,
  ["host/sys/png.c library_open"] = 1,
  ["host/walk/library/shared.c library_open"] = 1,
  -- programs, without a shell: clue itself, gnuplot, a driver's disassembler, the tests' simulator
  ["host/sys/posix/spawn.c vfork"] = 1,
  ["host/sys/posix/spawn.c execve"] = 1,
}

-- Programs that clue starts, by the files that name them.
local programs = {
  ["host/lua/build/assembly.lua"] = "search_path()", -- readelf, objdump, cuobjdump, nvdisasm
  ["host/lua/show/page/gnuplot.lua"] = "gnuplot", -- its script has no text of others, see clue.show.page.plot
  ["host/lua/result/document.lua"] = "gzip",
  ["host/lua/farm/cargo.lua"] = "find tar",
  ["host/lua/farm/contact.lua"] = "sha256sum tar",
  ["host/lua/farm/engine.lua"] = "parallel",
  ["host/lua/farm/hosts.lua"] = "scontrol",
  ["host/lua/farm/transport.lua"] = "srun setsid", -- and ssh, or what --ssh names
}

-- What a farm's host does is a shell's command, there and here: all words of others in it are quoted.
local with_shell = {["host/lua/farm/transport.lua"] = true}

local in_lua = {"load", "loadstring", "loadfile", "dofile", "setfenv", "popen", "tmpname", "loadlib", "os.execute",
                "string.dump", "ffi.load"}
local in_c = {"system", "popen", "execl", "execle", "execlp", "execv", "execve", "execvp", "execvpe", "fork", "vfork",
              "posix_spawn", "posix_spawnp", "dlopen", "library_open", "lua_load", "luaL_loadbuffer",
              "luaL_loadbufferx", "luaL_loadfile", "luaL_loadfilex", "luaL_loadstring", "luaL_dostring", "luaL_dofile",
              -- no code, but the same care: predictable names, and lengths that nobody checks
              "mktemp", "tmpnam", "tempnam", "tmpfile", "gets", "strcpy", "strcat", "sprintf", "vsprintf"}

local function each_place(text, word, visit)
  for at in text:gmatch("()%f[%w_]" .. word:gsub("%.", "%%.") .. "%f[^%w_]") do
    local before = text:sub(math.max(1, at - 20), at - 1)
    -- load is also the name of fields, and of functions of modules and of objects
    local is_other = before:find "[.:]$" or before:find "function%s+%w*$" or text:find("^%s*=[^=]", at + #word)
    if word ~= "load" or not is_other then visit() end
  end
end

local function places_of(file, text, found)
  local function add(word) found[file .. " " .. word] = (found[file .. " " .. word] or 0) + 1 end
  if file:find "%.lua" then
    local code = literals.mask(text)
    for _, word in ipairs(in_lua) do each_place(code, word, function() add(word) end) end
    for _ in text:gmatch '"%-e"' do add "-e" end
  else
    text = text:gsub("/%*.-%*/", ""):gsub("//[^\n]*", "")
    for _, word in ipairs(in_c) do
      for _ in text:gmatch("%f[%w_]" .. word .. "%s*%(") do add(word) end
    end
  end
  return found
end

local function sources()
  local pipe, list = assert(io.popen "find host bindings scripts kernels -type f"), {}
  for file in pipe:lines() do
    for _, ending in ipairs {"%.lua$", "%.lua%.in$", "%.[ch]$", "%.cpp$"} do
      if file:find(ending) then list[#list + 1] = file end
    end
  end
  pipe:close()
  return list
end

describe("the sources", function()
  it("turn nothing but what is listed into code", function()
    local found = {}
    for _, file in ipairs(sources()) do places_of(file, support.read(file), found) end
    assert.same(permitted, found)
  end)

  it("name no program but those listed, and no shell", function()
    local found = {}
    for _, file in ipairs(sources()) do
      local text = support.read(file)
      if file:find "%.lua$" then
        local names = {}
        for _, form in ipairs {'"/usr/bin/env", "?([%w_()]+)', 'transport%.output_of%(?%s*{"(%w+)'} do
          for name in text:gmatch(form) do
            if names[#names] ~= name then names[#names + 1] = name end
          end
        end
        found[file] = names[1] and table.concat(names, " ")
      end
      assert.equal(with_shell[file], text:find '"/bin/%w*sh"' and true, file)
    end
    assert.same(programs, found)
  end)

  it("are searched for each of these words", function()
    local lua = [[load(x) local a = loadstring or load; t = {load = 1} x = io.popen(y) os.execute(z) setfenv(f, {})
      f {"-e", t} ffi.load(p)
      -- load(x)
      local s = "loadstring" array.load(p) function m.load() end object:load()]]
    assert.same({["a.lua load"] = 2, ["a.lua loadstring"] = 1, ["a.lua popen"] = 1, ["a.lua os.execute"] = 1,
      ["a.lua setfenv"] = 1, ["a.lua -e"] = 1, ["a.lua ffi.load"] = 1}, places_of("a.lua", lua, {}))
    assert.same({["a.c system"] = 1, ["a.c execvp"] = 1}, places_of("a.c",
      "/* popen( */ system(x); // dlopen(y)\nexecvp (p, q); my_system(z); strcpy;", {}))
  end)
end)
