-- Foreign texts in clue's output: none of their control characters reaches a terminal, a file or a pipe.
-- suite: quick
-- builds: luajit asan
local json = require "dkjson"
local support = require "support"

local EVIL = "\27]0;x\7\228"
local SHOWN = "\\x1b]0;x\\x07\\xe4"

-- The output has no control characters, but the wanted text, in which they are written as escapes.
local function assert_shown(out, wanted)
  assert.is_nil(out:find "[%z\1-\8\11-\31\127]", out:gsub("%c", "?"))
  assert.truthy(out:find(wanted or SHOWN, 1, true), out)
end

local function folder()
  local path = support.folder()
  return path
end

describe("an error's message", function()
  it("is shown without control characters", function()
    local _, err = support.ended(1, support.run_script(("error(%q)"):format(EVIL)))
    assert_shown(err)
    _, _, err = support.run {"no" .. EVIL}
    assert_shown(err, "no script or subcommand 'no" .. SHOWN .. "'")
    _, _, err = support.run {"walk", "no" .. EVIL}
    assert_shown(err)
    _, _, err = support.run {"build", "no" .. EVIL}
    assert_shown(err)
  end)

  it("is complete, however long it is", function()
    local text = ("\226\130\172"):rep(5000) .. "\27"
    local _, _, err = support.run_script(("error(%q, 0)"):format(text))
    assert.equal("clue: " .. ("\226\130\172"):rep(5000) .. "\\x1b\n", err:gsub("stack traceback:.*", ""), nil)
  end)
end)

describe("a source line beside a compiler's message", function()
  local source = "kernel void f(global int *x) { /* " .. EVIL .. " \195\164 */ missing; }\n"
  local line = source:gsub("\n", ""):gsub("\27", "\\x1b"):gsub("\7", "\\x07"):gsub("\228", "\\xe4")
  local before = line:match "^(.*)missing":gsub("\195\164", "a")

  it("is shown with its caret below its character, by `clue build`", function()
    local inside = folder()
    local path = support.write(source, inside .. "/a" .. EVIL .. ".cl")
    local out, err = support.ended(1, support.run {"build", path})
    assert_shown(out, "/a" .. SHOWN .. ".cl:1:")
    assert.truthy(out:find("\n    " .. line .. "\n    " .. (" "):rep(#before) .. "^\n", 1, true), out)
    assert.equal("", err)
    assert(os.remove(path) and os.remove(inside))
  end)

  it("is shown with its caret in a script's message, too", function()
    local script = ("local text = %q\n"):format(source)
    local _, _, err = support.run_script(script .. "require('clue').context():program(text)")
    assert_shown(err)
    assert.truthy(err:find("\n    " .. line .. "\n    " .. (" "):rep(#before) .. "^\n", 1, true), err)
    local _, _, warned = support.run_script(script .. "CLProgramCreate(CLContextCreate(0), text)")
    assert_shown(warned)
  end)
end)

describe("text in files", function()
  it("is shown without control characters by `clue walk` and in its JSON, CSV and report", function()
    local own = folder()
    support.write(("return {title = %q, author = %q, about = 'a', hardware = 'h', headline = %q, language = 'l'}")
      :format(EVIL, EVIL, EVIL), own .. "/walkthrough.lua")
    support.write("-- " .. EVIL .. "\nio.stderr:write('" .. EVIL .. "', '\\n') os.exit(3)\n",
      own .. "/01_a" .. EVIL .. ".lua")
    local kept, cells, page = support.temporary ".json", support.temporary ".csv", support.temporary ".html"
    local out = support.ended(1, support.run {"walk", own .. "/", "--json", kept, "--csv", cells, "--report", page})
    assert_shown(out)
    assert_shown(support.read(cells))
    assert_shown(support.read(page))
    assert.equal("\27]0;x\7\\xe4", json.decode(support.read(kept)).walkthroughs[1].title)
    local _, explained = support.run {"walk", own .. "/", "--explain", "1"}
    assert_shown(explained)
  end)

  it("is shown without control characters by `clue compare`", function()
    local documents = require "sample_documents"
    local paths = {}
    for i = 1, 3 do
      local document = documents.walk {}
      document.devices[1].name = EVIL
      document.walkthroughs[1].title, document.walkthroughs[2].name = EVIL, EVIL
      document.walkthroughs[1].runs[1].rows[2].name, document.walkthroughs[1].runs[1].rows[2].times.rate = EVIL, EVIL
      document.walkthroughs[1].runs[1].rows[3].failed = {word = EVIL, text = EVIL}
      paths[i] = support.write(json.encode(document), support.temporary ".json")
    end
    local _, out, err = support.run {"compare", paths[1], paths[2]}
    assert_shown(out .. err)
    _, out, err = support.run {"compare", paths[1], paths[2], paths[3]}
    assert_shown(out .. err)
    for i = 1, 2 do
      local document = documents.tune {name = EVIL, device = i}
      document.clue.device.name = EVIL
      document.clue.best[1].configuration[EVIL], document.clue.best[1].metrics[EVIL] = EVIL, 1
      support.write(json.encode(document), paths[i])
    end
    _, out, err = support.run {"compare", paths[1], paths[2]}
    assert_shown(out .. err)
  end)

  it("is shown without control characters by `clue doctor`", function()
    local vendors = folder()
    support.write("/no/such/" .. EVIL .. ".so\n", vendors .. "/a.icd")
    local _, out = support.run({"doctor"}, {OCL_ICD_VENDORS = vendors})
    assert_shown(out)
    local _, encoded = support.run({"doctor", "--json"}, {OCL_ICD_VENDORS = vendors})
    assert.is_table(json.decode(encoded))
    assert.is_nil(encoded:find("\228", 1, true))
    assert(os.remove(vendors .. "/a.icd") and os.remove(vendors))
  end)
end)

it("the prompt shows a string's control characters as escapes, but does not change what a script prints", function()
  local status, out = support.run({"-i"}, nil, ("%q\nprint(%q)\nio.write(%q)\n"):format("a" .. EVIL, "b\27", "c\27"))
  assert.equal(0, status)
  assert.truthy(out:find("a" .. SHOWN, 1, true), out)
  assert.truthy(out:find("b\27\n", 1, true))
  assert.truthy(out:find("c\27", 1, true))
end)

describe("clue's Lua", function()
  -- These files print for the script, or pass on what a watched script printed; one speaks with another clue.
  local own = {["bindings/clue/mql5/text.lua"] = true, ["bindings/clue/mql5/inputs.lua"] = true,
               ["bindings/clue/replay_script.lua"] = true, ["bindings/clue/output.lua"] = true,
               ["host/lua/command/watch.lua"] = true, ["host/lua/farm/agent.lua"] = true}

  it("prints in one place", function()
    local files = io.popen "find bindings/clue host/lua -name '*.lua'"
    local found, looked = {}, 0
    for path in files:lines() do
      looked = looked + 1
      for line in io.lines(path) do
        line = line:gsub("%-%-.*", "")
        if not own[path] and (line:find "io%.write" or line:find "io%.std%l+:write" or line:find "^%s*print[ (]") then
          found[#found + 1] = path .. ": " .. line
        end
      end
    end
    files:close()
    assert.is_true(looked > 100)
    assert.same({}, found)
  end)
end)
