-- Pictures of access, as text and as SVG: kernels whose cells are known.
-- suite: quick
local pictures = require("clue.show.page.picture").pictures
local html = require "clue.show.page.element"
local paint = require("clue.show.count.picture").paint
local picture = require "clue.show.count.picture"
local places = require "clue.show.count.places"
local support = require "support"

-- Counts a script that runs one kernel. how: source, kernel (its name), before (Lua: what makes buffers; it sees
-- context and queue), call (Lua: the sizes and arguments), options (words for clue count)
local function count(how)
  local script = support.write(([==[
    local cl = require "clue"
    local context = cl.context()
    local queue = context:queue()
    local kernel = context:program([=[%s]=]):kernel "%s"
    %s
    kernel(queue, %s)
    queue:finish()
  ]==]):format(how.source, how.kernel, how.before, how.call))
  local words = support.words({"count", "--pictures"}, how.options, {script})
  local out, _, document = support.ended(0, support.document(words, {COLUMNS = how.columns or "100"}))
  return document.runs[1].kernels[1], out
end

-- The lines of the place whose title has this in it. Also the whole title.
local function lines_of(kernel, title, rows)
  local titles = {}
  for i, of in ipairs(places.of(kernel, rows)) do
    titles[i] = picture.title(of)
    if titles[i]:find(title, 1, true) then return picture.lines(of, 78).lines end
  end
  error(("no picture '%s', but:\n%s"):format(title, table.concat(titles, "\n")))
end

local function first_of(most, lines)
  local first = {}
  for i = 1, most do first[i] = lines[i] end
  return first
end

-- c = a b, with dimension 0 along the columns or along the rows of c; a is 40 x 48, b 48 x 64, c 40 x 64.
local function product(column, row)
  local call = column == 0 and "{64, 40}, {32, 1}, a, b, c" or "{40, 64}, {40, 1}, a, b, c"
  return count {
    kernel = "product", call = call,
    source = ([[
      kernel void product(global const float *a, global const float *b, global float *c) {
        const int column = get_global_id(%d), row = get_global_id(%d);
        float sum = 0;
        for (int k = 0; k < 48; k++)
          sum += a[row * 48 + k] * b[k * 64 + column];
        c[row * 64 + column] = sum;
      }]]):format(column, row),
    before = ([[
      local function matrix(rows, columns) return cl.array.float(rows * columns):reshape(rows, columns) end
      local of_c = matrix(40, 64)
      local a, b, c = context:buffer(matrix(40, 48)), context:buffer(48 * 64 * 4), context:buffer(of_c:bytes())
      queue:write_buffer(b, matrix(48, 64))
      kernel(queue, CALL)
      queue:read_buffer(c, of_c)]]):gsub("CALL", call),
  }
end

describe("a picture of access", function()
  it("has the rows of the arrays that buffers were made of, written from or read into", function()
    local kernel = product(0, 1)
    assert.same({
      "row 0        8        16       24",
      "  0 *+++++++ ........ ........ ........ ..",
    }, lines_of(kernel, "reads a, 40 rows of 48 floats: 32 work-items ask for 1 float, 1 sector in 1 line; the "
      .. "next request is 1 column on"))
    local b = lines_of(kernel, "reads b, 48 rows of 64 floats: 32 work-items ask for 32 floats, 4 sectors in 1 line; "
      .. "the next request is 1 row on")
    assert.equal(1 + 8, #b)
    assert.equal("  0 01234567 89abcdef ghijklmn opqrstuv ..", b[2])
    assert.equal("  7 ++++++++ ++++++++ ++++++++ ++++++++ ..", b[9])
    assert.same({
      "row 0        8        16       24",
      "  0 01234567 89abcdef ghijklmn opqrstuv ..",
    }, lines_of(kernel, "writes c, 40 rows of 64 floats: 32 work-items ask for 32 floats, 4 sectors in 1 line"))
  end)

  it("shows neighbours that go down a column", function()
    local kernel, out = count {
      kernel = "down", call = "64, 64, a", columns = "80",
      source = "kernel void down(global float *a) { a[get_global_id(0) * 96 + 50] = 1; }",
      before = "local a = context:buffer(cl.array.float(64 * 96):reshape(64, 96))",
    }
    assert.same({
      "row    32       40       48       56",
      "  0 .. ........ ........ --0----- ........ ..",
      "  1 .. ........ ........ --1----- ........ ..",
      "  2 .. ........ ........ --2----- ........ ..",
      "  3 .. ........ ........ --3----- ........ ..",
      "  4 .. ........ ........ --4----- ........ ..",
      "  5 .. ........ ........ --5----- ........ ..",
      "  6 .. ........ ........ --6----- ........ ..",
      "  7 .. ........ ........ --7----- ........ ..",
      "    ... 24 more rows",
    }, lines_of(kernel, "writes a, 64 rows of 96 floats: 32 work-items ask for 32 floats, 32 sectors in 32 lines"))
    assert.matches("\n  row    32       40       48       56\n    0 .. ........ ........ --0----- ........ ..\n", out,
      1, true)
    local from = assert(out:find("  Pictures of", 1, true))
    for line in out:sub(from):gmatch "[^\n]+" do assert.is_true(#line <= 80, line) end
  end)

  it("shows the first warp that asks for something, where the first ones return at the border", function()
    local kernel, out = count {
      kernel = "blur", call = "{64, 8}, {32, 1}, from, to, 64, 8", options = {"--rows", "from=64"},
      source = [[
        kernel void blur(global const float *from, global float *to, int w, int h) {
          const int x = get_global_id(0), y = get_global_id(1);
          if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
          to[y * w + x] = from[y * w + x - 1] + from[y * w + x] + from[y * w + x + 1];
        }]],
      before = "local from, to = context:buffer(2048), context:buffer(2048)",
    }
    assert.matches("0-9 and a-v are work-items (0,0) to (31,0) of group (0,1);", support.flat(out), 1, true)
    assert.equal("  1 .1234567 89abcdef ghijklmn opqrstuv ..", lines_of(kernel, "reads from[y * w + x], rows of 64 "
      .. "floats: 31 work-items ask for 31 floats, 4 sectors in 1 line", {from = 64})[2]:gsub("%-", "."))
  end)

  it("names the warp of a place that another one comes to first", function()
    local kernel, out = count {
      kernel = "parts", call = "128, 64, a, b",
      source = [[
        kernel void parts(global float *a, global float *b) {
          const int i = get_global_id(0);
          a[i] = 1;
          if (i >= 32) b[i] = 2;
        }]],
      before = "local a, b = context:buffer(512), context:buffer(512)",
    }
    assert.same({0, 1}, {kernel.pictures[1].warp, kernel.pictures[2].warp})
    assert.matches("0-9 and a-v are work-items 0 to 31 of the first group;", support.flat(out), 1, true)
    assert.matches("writes b, in lines of 32 floats: warp 1 of group 0: 32 work-items ask for 32 floats",
      support.flat(out), 1, true)
  end)

  it("marks the sectors of rows that no sector begins with", function()
    local kernel, out = count {
      kernel = "transpose", call = "{16, 16}, {16, 16}, from, to",
      source = [[
        kernel void transpose(global const float *from, global float *to) {
          const int x = get_global_id(0), y = get_global_id(1);
          to[x * 19 + y] = from[y * 21 + x];
        }]],
      before = [[
        local from = context:buffer(cl.array.float(19 * 21):reshape(19, 21))
        local to = context:buffer(cl.array.float(21 * 19):reshape(21, 19))]],
    }
    assert.same({
      "row 0       8       16",
      "  0 0123456789abcdef-----", -- its end is in the sector that row 1 begins in
      "  1 ghijklmnopqrstuv---..", -- floats 21 to 36; their last sector ends with float 39
    }, lines_of(kernel, "reads from, 19 rows of 21 floats: 32 work-items ask for 32 floats, 5 sectors in 2 lines"))
    local to = lines_of(kernel, "writes to, 21 rows of 19 floats: 32 work-items ask for 32 floats, 18 sectors in 9")
    assert.equal("  0 0g------........---", to[2])
    assert.equal("  1 1h---........------", to[3])
    assert.matches("rows of no whole number", out, 1, true)
    assert.is_nil(out:find "stand apart")
  end)

  it("divides vectors into their elements, and knows the size of these", function()
    local kernel = count {
      kernel = "vectors", call = "16, 16, a, b, c",
      source = [[
        kernel void vectors(global const float4 *a, global double *b, global const uchar *c) {
          const int i = get_global_id(0);
          b[i * 24] = dot(a[i], (float4)(1)) + vload2(i * 12, c).x;
        }]],
      before = "local a, b, c = context:buffer(4096), context:buffer(2^14), context:buffer(4096)",
    }
    local rows = {b = 24, c = 64}
    assert.same({
      "  0 00001111 22223333 44445555 66667777",
      " 32 88889999 aaaabbbb ccccdddd eeeeffff",
    }, lines_of(kernel, "reads a, in lines of 32 floats: 16 work-items ask for 64 floats, 8 sectors in 2 lines"))
    assert.same({
      "row 0    4    8    12",
      "  0 0--- .... .... .... ..",
      "  1 1--- ....|.... .... ..",
    }, first_of(3, lines_of(kernel, "writes b, rows of 24 doubles: 16 work-items ask for 16 doubles", rows)))
    assert.equal("  0 00----------------------11------ ----------------22--------------",
      lines_of(kernel, "reads c, rows of 64 uchars", rows)[2])
  end)

  it("takes a stride for a row, and says so", function()
    local kernel = count {
      kernel = "strided", call = "64, 64, a, b", source = [[
        kernel void strided(global const int *a, global int *b) {
          const int i = get_global_id(0);
          int sum = 0;
          for (int k = 0; k < 5; k++) sum += a[i + 640 * k];
          b[i % 16 + i / 16 * 200] = sum;
          b[20000 + 2 * i] = sum;
        }]],
      before = "local a, b = context:buffer(2^16), context:buffer(2^17)",
    }
    local a = lines_of(kernel, "reads a, ~rows of 640 ints, by the stride")
    assert.equal("  4 ++++++++ ++++++++ ++++++++ ++++++++ ..", a[6])
    assert.same({
      "row 0        8        16       24",
      "  0 01234567 89abcdef ........ ........ ..",
      "  1 ghijklmn opqrstuv ........|........ ..",
    }, lines_of(kernel, "writes b, ~rows of 200 ints, by the stride: 32 work-items ask for 32 ints, 4 sectors in 2"))
  end)

  it("takes no stride for a row that accesses disagree on, or that is no line long", function()
    local kernel = count {
      kernel = "several", call = "32, 32, a, b", source = [[
        kernel void several(global int *a, global int *b) {
          const int i = get_global_id(0);
          a[i * 64] = 1;
          a[i * 96] = 1;
          b[i * 2] = 1;
        }]],
      before = "local a, b = context:buffer(2^16), context:buffer(2^16)",
    }
    assert.same({
      "  0 0------- ........ ........ ........",
      " 64 1------- ........ ........ ........",
    }, first_of(2, lines_of(kernel, "writes a, in lines of 32 ints: 32 work-items")))
    assert.same({
      "  0 0-1-2-3- 4-5-6-7- 8-9-a-b- c-d-e-f-",
      " 32 g-h-i-j- k-l-m-n- o-p-q-r- s-t-u-v-",
    }, lines_of(kernel, "writes b, in lines of 32 ints: 32 work-items ask for 32 ints, 8 sectors in 2 lines"))
  end)

  it("is one of what is read and written alike", function()
    local kernel = count {
      kernel = "add", call = "32, 32, a", source = [[
        kernel void add(global int *a) {
          const int i = get_global_id(0);
          a[i] += a[i + 42];
        }]],
      before = "local a = context:buffer(4096)",
    }
    assert.equal(2, #places.of(kernel))
    assert.same({"  0 01234567 89abcdef ghijklmn opqrstuv"}, lines_of(kernel, "reads and writes a[i], in lines of 32"))
    assert.same({
      " 32 ........ --012345 6789abcd efghijkl",
      " 64 mnopqrst uv------ ........ ........",
    }, lines_of(kernel, "reads a[i + 42], in lines of 32 ints"))
  end)

  it("draws local memory as its banks, one request of it", function()
    local kernel, out = count {
      kernel = "tile", call = "{8, 8}, {8, 8}, a", source = [[
        kernel void tile(global float *a) {
          local float held[8 * 8];
          const int x = get_local_id(0), y = get_local_id(1);
          held[y * 8 + x] = a[y * 8 + x];
          barrier(CLK_LOCAL_MEM_FENCE);
          a[y * 8 + x] = held[x * 8 + y];
        }]],
      before = "local a = context:buffer(cl.array.float(64):reshape(8, 8))",
    }
    assert.same({"  0 01234567 89abcdef ghijklmn opqrstuv"}, lines_of(kernel, "writes local held, in 32 banks"))
    assert.same({
      "  0 08go.... 19hp.... 2aiq.... 3bjr....",
      " 32 4cks.... 5dlt.... 6emu.... 7fnv....",
    }, lines_of(kernel, "reads local held, in 32 banks: 32 work-items ask for 32 words"))
    assert.matches("0-9 and a-v are work-items (0,0) to (7,3)", out, 1, true)
  end)

  it("tells the buffers of one function's calls apart", function()
    local kernel = count {
      kernel = "calls", call = "32, 32, a, b", source = [[
        __attribute__((noinline)) void put(global int *p, int i) { p[i] = i; }
        kernel void calls(global int *a, global int *b) {
          put(a, get_global_id(0));
          put(b, get_global_id(0) * 64);
        }]],
      before = "local a, b = context:buffer(2^14), context:buffer(cl.array.int(32 * 64):reshape(32, 64))",
    }
    assert.same({"  0 01234567 89abcdef ghijklmn opqrstuv"}, lines_of(kernel, "writes a, in lines of 32 ints"))
    assert.equal("  1 1------- ........ ........ ........ ..", lines_of(kernel, "writes b, 32 rows of 64 ints")[3])
  end)

  it("has the rows of MQL5's matrices", function()
    local script = support.write([[
local context = CLContextCreate(CL_USE_ANY)
local program = CLProgramCreate(context,
  "__kernel void twice(__global float *m) { m[get_global_id(0) * 40] *= 2; }")
local kernel = CLKernelCreate(program, "twice")
local buffer = CLBufferCreate(context, 32 * 40 * 4, CL_MEM_READ_WRITE)
CLSetKernelArgMem(kernel, 0, buffer)
CLBufferWrite(buffer, 0, matrixf(32, 40))
CLExecute(kernel, 1, {0}, {32}, {32})
]], support.temporary ".lua")
    local _, _, document = support.ended(0, support.document {"count", script})
    local lines = lines_of(document.runs[1].kernels[1], "reads and writes m, 32 rows of 40 floats")
    assert.equal("  1 1------- ........ ........|........ ..", lines[3])
  end)

  it("has a colour for each work-item where there are colours", function()
    local shown = "  0 \27[1;48;5;210;38;5;16m0\27[0m-\27[48;5;210;38;5;16m+\27[0m \27[1;4;48;5;122;38;5;16m*\27[0m"
    assert.equal(shown, paint("  0 0-+ *", "    0.0 f"))
    assert.equal("row 0", paint("row 0", nil))
    local known, colours = {}, 0
    for lane = 0, 31 do
      local colour = paint(picture.symbol(lane), picture.symbol(lane)):match "48;5;(%d+)"
      known[colour] = (known[colour] or 0) + 1
      colours = colours + (known[colour] == 1 and 1 or 0)
    end
    for _, times in pairs(known) do assert.is_true(times <= 2) end
    assert.is_true(colours >= 16)
  end)

  it("has the rows that --rows gives, instead of an array's", function()
    local script = support.write([[
local cl = require "clue"
local context = cl.context()
local kernel = context:program "kernel void set(global int *a) { a[get_global_id(0)] = 1; }":kernel "set"
kernel(context:queue(), 32, 32, context:buffer(cl.array.int(64):reshape(2, 32)))
]], support.temporary ".lua")
    local out = support.ended(0, support.run {"count", "--rows", "a=24", script})
    assert.matches("writes a, rows of 24 ints: 32 work-items ask for 32 ints, 4 sectors in 1 line\n"
      .. "  row 0        8        16\n"
      .. "    0 01234567 89abcdef ghijklmn\n"
      .. "    1 opqrstuv|........ ........\n", out, 1, true)
  end)

  it("refuses rows that it cannot draw", function()
    local script = support.write([[
local cl = require "clue"
local context = cl.context()
local kernel = context:program "kernel void set(global int *a) { a[get_global_id(0)] = 1; }":kernel "set"
kernel(context:queue(), 32, 32, context:buffer(128))
]], support.temporary ".lua")
    local _, err = support.ended(1, support.run {"count", "--rows", "b=8", script})
    assert.matches("%-%-rows: no kernel accesses an argument 'b': a\n", err)
    for _, wrong in ipairs {"a", "a=", "a=0", "a=1,", "a=2.5"} do
      _, err = support.ended(2, support.run {"count", "--rows", wrong, script})
      assert.matches("it must be arguments of a kernel and the elements of a row", err, 1, true)
    end
  end)
end)

describe("a picture on a page", function()
  local kernel, out = product(1, 0)

  local function drawn(what)
    for i, of in ipairs(places.of(kernel)) do
      if of.site.access .. " " .. of.site.object == what then return html.text(pictures(kernel)[2][i]) end
    end
  end

  it("has a box with a letter, a colour and a title for each work-item", function()
    assert.matches("reads a, 40 rows of 48 floats: 32 work-items ask for 32 floats, 32 sectors in 32", out, 1, true)
    local page, colours, known = drawn "load a", 0, {}
    assert.matches("<title>row 0, column 0: work-item (0,0)</title>", page, 1, true)
    assert.matches('<title>row 15, column 0: work-item (15,0)</title><rect fill="hsl(155 75% 72%)" height="11" '
      .. 'width="11" x="44" y="192"></rect><text x="49.5" y="201">f</text>', page, 1, true)
    for fill in page:gmatch '<rect fill="(hsl[^"]+)"' do
      colours = colours + (known[fill] and 0 or 1)
      known[fill] = true
    end
    assert.equal(16, colours)
    assert.matches("Not drawn: 16 more rows.", page, 1, true)
    assert.matches("<title>later requests, work-item (3,0)</title>", page, 1, true)
  end)

  it("frames what several work-items ask for, and names them", function()
    local page = drawn "load b"
    assert.matches('<title>row 0, column 0: 32 work-items, (0,0) to (31,0)</title><rect fill="hsl(0 75% 72%)" '
      .. 'height="11" stroke="#111111" width="11" x="44" y="12"></rect><text x="49.5" y="21">*</text>', page, 1, true)
    assert.matches("<title>later requests, work-item (0,0) and others</title>", page, 1, true)
  end)

  it("shades what is fetched, and parts sectors and lines", function()
    local page = drawn "store c"
    -- Sectors of 8 elements: 12 pixels each.
    assert.matches('"M44 12h96v11h%-96z[^"]*M44 192h96v11h%-96z" fill="currentColor" fill%-opacity="0.16">', page)
    assert.matches('<path d="M139.5 12v11M235.5 12v11M331.5 12v11M139.5 24v11', page, 1, true)
    assert.matches('<path d="M43.5 12v11M43.5 24v11', page, 1, true)
  end)

  it("needs nothing from elsewhere, and has only the page's colours for its lines", function()
    local page = drawn "load a"
    assert.is_nil(page:find "href")
    assert.is_nil(page:find "url%(")
    for stroke in page:gmatch 'stroke="([^"]+)"' do assert.equal("currentColor", stroke) end
    assert.is_true(#page < 12000, #page)
  end)
end)
