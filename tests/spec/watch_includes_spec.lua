-- clue.watch.includes: which headers a compiler reads for a program.
local includes = require "clue.watch.includes"

-- A disk in memory.
local function opener(files)
  return function(path)
    local text = files[path]
    return text and {read = function() return text end, close = function() end}
  end
end

local function told(source, options, files)
  local paths = {}
  includes.each(source, options, function(path) paths[#paths + 1] = path end, opener(files or {}))
  return table.concat(paths, " ")
end

describe("the headers of a program", function()
  it("are those that #include names, in quotes and in angles", function()
    assert.equal("a.h b.h", told('#include "a.h"\n  # include <b.h> // c\nint x;', "", {["a.h"] = "", ["b.h"] = ""}))
    assert.equal("", told('// #include "a.h"\nint x; /* include */', "", {["a.h"] = ""}))
  end)

  it("are looked for in the folders of -I, and the places before them count too", function()
    assert.equal("a.h inc/a.h", told('#include "a.h"', "-w -I inc -D X=1", {["inc/a.h"] = ""}))
    assert.equal("a.h one/a.h two/a.h", told('#include "a.h"', '-Ione -I "two"', {["two/a.h"] = ""}))
    assert.equal("/x/a.h", told('#include "/x/a.h"', "-I inc", {["/x/a.h"] = ""}))
  end)

  it("that are nowhere are told everywhere", function()
    assert.equal("a.h inc/a.h", told('#include "a.h"', "-I inc"))
  end)

  it("have headers of their own, beside them first", function()
    assert.equal("a.h inc/a.h inc/b.h", told('#include "a.h"', "-I inc",
      {["inc/a.h"] = '#include "b.h"', ["inc/b.h"] = ""}))
  end)

  it("that include each other end", function()
    assert.equal("a.h b.h", told('#include "a.h"', "", {["a.h"] = '#include "b.h"\n', ["b.h"] = '#include "a.h"\n'}))
  end)
end)
