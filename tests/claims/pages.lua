-- Where the numbers of pages about walkthroughs come from, by page and heading: see tests/spec/claim_check.lua. A part
-- has the walkthrough that its step numbers belong to, and for each of its tables, in their order, by the heading of a
-- column a function of the row's step (or of its first cell) that gives the claims of the numbers in the cell.
return function(sources)
  local c = sources.of "mql5"
  local is, seen, found, measured = c.is, c.seen, c.found, c.measured
  local function kept(name, file) return sources.of(name).kept(file) end

  -- ---- columns ----

  local function ms(run) return function(step) return {run[step].kernel_ms} end end
  local function speed(run) return function(step) return {run[step].speed} end end
  local function gain(run)
    return function(step) return run.raw(step).gain and c.gain(run, step) or {} end
  end
  local function figure(name, what, size)
    local count = sources.of(name).count
    return function(step) return {count(step, size)[what]} end
  end
  local function of_run(run, more)
    local columns = {ms = ms(run), GFLOPS = speed(run), GOPS = speed(run), ["GB/s"] = speed(run), gain = gain(run),
                     ["limited by"] = {text = run.limit}}
    for title, column in pairs(more or {}) do columns[title] = column end
    return columns
  end
  -- ---- runs ----

  local mql5, dcltk = kept("mql5", "walk-h200-mql5"), kept("dcltk", "walk-h200-dcltk")
  local dcltk_32 = kept("dcltk", "walk-h200-dcltk-32-bits")
  local hello, submatrix = kept("hello", "walk-h200-hello"), kept("submatrix", "walk-h200-submatrix")
  local amd = kept("amd", "walk-h200-amd")
  local reduce = kept("reduce", "walk-h200-reduce")
  local tiles_4096 = kept("dcltk", "walk-h200-dcltk-4096-tiles")
  local beyond, beyond_pocl = kept("mql5", "walk-h200-mql5-beyond"), kept("mql5", "walk-pocl-mql5-beyond")
  local scan_pocl = kept("reduce", "walk-pocl-scan-histogram")
  local later_pocl = kept("reduce", "walk-pocl-scan")

  local count, author = c.count, c.published
  local dcltk_128 = function(step) return sources.of("dcltk").count(step, "128") end
  local function of_dcltk(what)
    return function(step)
      return {((step == 1 or step == 2) and sources.of("dcltk").count(step) or dcltk_128(step))[what]}
    end
  end
  local amd_count, reduce_count = sources.of("amd").count, sources.of("reduce").count
  local function asm(section, pattern, file) return found(file or "asm-h200.txt",
  "== " .. section .. ".-" .. pattern) end
  local over_of_author = {[3] = 2, [4] = 3, [5] = 4, [6] = 5, [7] = 6, [8] = 6, [9] = 8, [10] = 9}
  local function loop_of(section, fields) -- of the second loop in a table of instructions
    local loop = {}
    for i, name in ipairs(fields) do
      loop[name] = asm(section, "L_x_1, 2 deep" .. (" +%S+"):rep(i - 1) .. " +(%d+)")
    end
    return loop
  end
  local loop_6 = loop_of("mql5%-06", {"all", "fused", "integer", "loads"})
  local loop_8 = loop_of("mql5%-08", {"all", "fused", "other", "integer", "loads"})
  loop_6.stack = asm("mql5%-06", "L_x_1, 2 deep" .. (" +%S+"):rep(5) .. " +(%d+)")
  loop_8.stack = asm("mql5%-08", "L_x_1, 2 deep" .. (" +%S+"):rep(6) .. " +(%d+)")
  local function sass_loop(section, place) return asm(section, place .. " +(%d+)") end

  -- A table whose columns are strides, and what its rows say of them.
  local strides = {}
  for _, stride in ipairs {1, 2, 4, 8, 16, 32, 64, 33} do
    local function times(step) return c.variant(amd, step, stride) / c.variant(amd, step, 1) end
    local rows = {
      ["global, times the time of stride 1"] = function() return times(33) end,
      ["global, sectors a request"] = function() return is(math.min(32, 4 * stride)) end,
      ["global, lines a request"] = function() return is(math.min(32, stride)) end,
      ["local, times the time of stride 1"] = function() return times(34) end,
      ["local, passes a request"] = function() return is(stride == 33 and 1 or stride) end,
    }
    strides[tostring(stride)] = function(row) return {rows[row]()} end
  end

  local hello_beyond, nbody = kept("hello", "walk-h200-hello-beyond"), kept("amd", "walk-h200-nbody")
  local transpose, transpose_pocl = kept("amd", "walk-h200-transpose"), kept("amd", "walk-pocl-transpose")
  local tensor, tensor_double = kept("mql5", "walk-h200-mql5-tensor"), kept("mql5", "walk-h200-mql5-tensor-double")
  local tensor_char, tf32 = kept("submatrix", "walk-h200-submatrix-tensor"), kept("mql5", "walk-h200-mql5-tf32")
  local function tensor_peak(type)
    return c.found("peak-h200-tensor.txt", "tensor cores, " .. type .. " +%d+ +(%d+)", "measurement")
  end
  local beyond_2000 = c.kept "walk-h200-mql5-beyond-2000"
  local multiply_adds = found("peak-h200-walk.json.gz", '"float":(%d+)', "measurement") / 2e12
  local function transposed(name) -- GB/s
    return found("transpose-h200.txt", "\n" .. name .. " +[%d.]+ ms +([%d.]+) GB/s", "measurement")
  end
  local function nbody_shape(name, column) -- G interactions/s
    local pattern = ("\n%s, tile %%d+ +%s([%%d.]+)"):format(name, column and "[%d.]+ +" or "")
    return found("nbody-h200.txt", pattern, "measurement")
  end
  local function newton(pattern) return found("nbody-pocl.txt", pattern, "measurement") end

  local hello_shares = {
    of_2 = hello[2].speed / 16700, of_1c = hello["1c"].speed / 16700, of_1 = hello[1].speed / 16700,
  }

  return {
    ["docs/reference/walk.md"] = {
      ["Replaying a walkthrough: `clue walk`"] = {definition = {"MQL5, 2012", "D, 2018", "C++, 2010", "C++, 2023"}},
      ["What it prints, and how sure it is"] = {
        definition = {"80 columns", "contains 1", "over 10 % from 1", "to 5 %"},
      },
      ["Only verifying"] = {definition = {"status is 0"}},
      ["The results of many devices"] = {definition = {"to column 1", "status is 1"}},
      ["Keeping and comparing results"] = {definition = {"contains 1", "below 1 %", "over 10 % from 1"}},
    },

    ["docs/tutorial/6-walkthroughs.md"] = {["6. Replay a walkthrough, and change a step"] = {walkthrough = "mql5"}},

    ["docs/walkthroughs.md"] = {
      ["What the walkthroughs show on a current GPU"] = {
        ["132 units"] = measured(132), ["66 TFLOPS"] = found("peak-h200-walk.json.gz",
          '"float":(%d+)', "measurement") / 1e12,
        ["4.06 TB/s"] = found("peak-h200-walk.json.gz", '"copy":(%d+)', "measurement") / 1e12,
        ["4 would do"] = is(32) / 8,
        definition = {"measured on 24, 28 and 29",
          "for 32 floats", "32 if each", "1 if all", "80 columns", "1920 pixels"},
      },

      ["mql5: a matrix product in ten steps"] = {
        walkthrough = "mql5",
        tables = {of_run(mql5, {
          ["the author's"] = function(step)
            local over = over_of_author[step]
            return over and {author(over, "GPU").seconds / author(step, "GPU").seconds} or {}
          end,
          ["accesses an operation"] = figure("mql5", "accesses"), ["sectors a request"] = figure("mql5", "sectors"),
          ["asked for"] = figure("mql5", "asked"),
        })},
        ["32 sectors a request"] = count(3).reads("a").sectors, ["6 % fewer"] = (is(1)
          - count(3).instructions / count(2).instructions) * 100,
        ["the 1.5 %"] = (mql5[3].gain - 1) * 100, ["touches 32 sectors"] = count(3).writes("c").sectors,
        ["so 33 of"] = count(4).reads("a").sectors + count(4).reads("b").sectors,
        ["round's 65"] = count(3).reads("a").sectors + count(3).writes("c").sectors + count(3).reads("b").sectors,
        ["factor of 2;"] = count(3).sectors / count(4).sectors * 4 / 3 * 65 / 64, ["4 million"] = is(2000) ^ 2 / 1e6,
        ["2048 work-items"] = is(64) * 32, ["132 units"] = measured(132), ["0.7 %"] = is(2000) / (is(132) * 2048) * 100,
        ["179 to 10.7"] = {count(5).asked, count(6).asked}, ["0.52 to 0.023"] = {count(6).accesses, count(7).accesses},
        ["24 loads for 96"] = {loop_6.stack, loop_6.fused}, ["20 for 80"] = {loop_8.stack, loop_8.loads},
        ["60 fused"] = loop_8.fused, ["40 other"] = loop_8.other, ["for 80 elements, where"] = loop_8.loads,
        ["but 96 multiply-adds for 96"] = {loop_6.fused, loop_6.loads},
        ["206 instructions for 80"] = {loop_8.all, loop_8.loads}, ["224 for 96"] = {loop_6.all, loop_6.loads},
        ["1.10 times"] = loop_8.all / loop_8.loads / (loop_6.all / loop_6.loads),
        ["1.17 times"] = mql5[8].kernel_ms / mql5[6].kernel_ms,
        ["remaining 6 %"] = (mql5[8].kernel_ms / mql5[6].kernel_ms
          / (loop_8.all / loop_8.loads / (loop_6.all / loop_6.loads)) - 1) * 100,
        ["80 loads of B, 20"] = {loop_8.loads, loop_8.stack}, ["20 multiplications, 20"] = {seen(20), seen(20)},
        ["in 206"] = loop_8.all, ["takes 1.15 times"] = mql5["10d"].kernel_ms / mql5["9v"].kernel_ms,
        ["makes 14"] = seen(14), ["has 14"] = seen(14), ["have 25"] = seen(25),
        ["2.23 (1.70-2.66)"] = c.gain(c.kept "walk-pocl-mql5-dot8", 10),
        ["0.62 (0.56-0.77)"] = c.gain(c.kept "walk-pocl-mql5-dot8", "10d"),
        ["CPU gained 1.72"] = author(9, "CPU").seconds / author(10, "CPU").seconds,
        definition = {
          "2000 x 2000 x 2000", "64 x 64 x 64", "at 2000", "the 32 neighbours", "with 2000 work-items",
          "holds 64 warps",
          "once; 2000", "256 bits", "at 480",
        },
      },

      ["Group shapes, and what follows"] = {
        walkthrough = "mql5",
        tables = {
          {
            group = function(shape)
              local list = {}
              if shape ~= "the driver's" then c.variant(mql5, 11, shape) end -- there is one
              for length in shape:gmatch "%d+" do list[#list + 1] = is(tonumber(length)) end
              return list
            end,
            ["sectors of A and B"] = function(shape)
              local rows = tonumber(shape:match "^(%d+) x")
              if not rows then return {} end
              local in_warp = math.min(rows, 32)
              return {is(in_warp), is(32 / in_warp)}
            end,
            ["total ms"] = function(shape)
              return {c.variant(mql5, 11, shape == "the driver's" and "driver's" or shape, "total")}
            end,
          },
          of_run(mql5, {
            ["global accesses an operation"] = figure("mql5", "accesses"), ["asked for"] = figure("mql5", "asked"),
          }),
          {
            ["256"] = function(step) return {c.kept("walk-h200-mql5-sizes", nil, "256")[step].speed} end,
            ["512"] = function(step) return {c.kept("walk-h200-mql5-sizes", nil, "512")[step].speed} end,
            ["1024"] = function(step) return {c.kept("walk-h200-mql5-sizes", nil, "1024")[step].speed} end,
            ["2048"] = function(step) return {c.kept("walk-h200-mql5-sizes", nil, "2048")[step].speed} end,
            ["4096"] = function(step) return {c.kept("walk-h200-mql5-sizes", nil, "4096")[step].speed} end,
          },
        },
        ["1.9 %"] = mql5[4].speed / mql5[20].speed * 100, ["reaches 810"] = mql5[4].speed,
        ["4 x 4 elements"] = {is(4), is(4)}, ["8 x 8 elements"] = {is(8), is(8)},
        ["down 8 tiles"] = c.constant("16b").BAND,
        ["tiles of 16 x 16"] = {c.constant(12).SIDE, c.constant(12).SIDE},
        definition = {"64 x 64 x 64", "at 2000"},
      },

      ["dcltk: from one work-item to tiles"] = {
        walkthrough = "dcltk",
        tables = {
          of_run(dcltk, {
            ["the author's"] = function(step)
              local of = sources.of("dcltk").published
              if step == 2 then return {of(1, "K80").seconds / of(2, "K80").seconds} end
              -- 85 ms for 1000 rows, 2100 ms for 1000 x 2000 x 3000, a hundred times the work
              return step == 4 and {measured(4.05)} or {}
            end,
            ["accesses an operation"] = of_dcltk "accesses", ["sectors a request"] = of_dcltk "sectors",
            ["asked for"] = of_dcltk "asked",
          }),
          of_run(tiles_4096),
        },
        ["3 %"] = sources.of("dcltk").count(1).lanes, ["15.8 ns"] = dcltk[1].kernel_ms * 1e6 / 6e6,
        ["13.7 in"] = dcltk[2].kernel_ms * 1e6 / 6e6, ["6 million"] = is(100) * 200 * 300 / 1e6,
        ["132"] = measured(132), ["has 13,"] = is(13), ["1024 warps"] = sources.of("dcltk").count(1).items,
        ["16,384"] = sources.of("dcltk").count(4).items, ["of 416"] = is(13) * 32, ["was 0.49"] = measured(0.49),
        ["from 355"] = dcltk_128(4).asked, ["to 3.00"] = dcltk_128(5).asked,
        ["118"] = dcltk_128(4).asked / dcltk_128(5).asked,
        ["28.6"] = dcltk_128(4).accesses / dcltk_128(5).accesses,
        ["4.14"] = dcltk_128(4).sectors / dcltk_128(5).sectors,
        ["2.98 ms"] = dcltk[6].read_ms, ["1.03"] = dcltk[5].read_ms,
        ["3 % less"] = (is(1) - dcltk[6].kernel_ms / dcltk[5].kernel_ms) * 100,
        ["142, 119 and 749"] = {dcltk_32[1].kernel_ms, dcltk_32[2].kernel_ms, dcltk_32[3].kernel_ms},
        ["3.5 times"] = dcltk[3].kernel_ms / dcltk_32[3].kernel_ms, ["1.67"] = dcltk_128(7).asked,
        ["of 3.00"] = dcltk_128(6).asked, ["1.5 times"] = dcltk_128(7).local_reads / (dcltk_128(7).floats / 2),
        ["author's 16"] = is(4) ^ 2, ["on 16"] = is(4) ^ 2, ["2 x 2 elements"] = {is(2), is(2)},
        definition = {
          "1000 x 2000 times 2000 x 3000", "100 x 200 times 200 x 300", "128 x 128 x 128", "8 x 12 x 16", "32 bits",
          "of 64 bits",
          "one lane of 32", "groups of 32", "4096 x 4096 x 4096",
        },
      },

      ["hello: an outer sum"] = {
        walkthrough = "hello",
        tables = {of_run(hello)},
        ["16 loads for 16"] = {seen(16), seen(16)}, ["39 instructions"] = seen(39), ["has 4 of"] = seen(4),
        ["25 instructions"] = seen(25), ["128 bytes"] = is(32) * 4, ["33.3 TB/s"] = measured(33.3),
        ["16.7 TFLOPS"] = measured(33.3) / 4 * 2, ["reach 0.97"] = c.about(hello_shares.of_2),
        ["0.93"] = hello_shares.of_1c, ["0.83"] = hello_shares.of_1,
        ["20.3 and 16.4"] = {sources.of("hello").count(1).asked, sources.of("hello").count(2).asked},
        ["for 1.01"] = sources.of("hello").count("2b").asked,
        ["1.22, 2.0"] = {
          sources.of("hello").published("4t", "RTX 2080").rate / sources.of("hello").published(4, "RTX 2080").rate,
          sources.of("hello").published("4t", "GT 630").rate / sources.of("hello").published(4, "GT 630").rate,
        },
        ["1.08, 1.29"] = {
          sources.of("hello").published(5, "RTX 2080").rate / sources.of("hello").published("4t", "RTX 2080").rate,
          sources.of("hello").published(5, "GT 630").rate / sources.of("hello").published("4t", "GT 630").rate,
        },
        ["64 multiply-adds"] = is(8) ^ 2, ["8 loads and 256"] = {
          asm("hello%-05_", ".L_x_3 +%d+ +%d+ +%d+ +(%d+)"), asm("hello%-05_", ".L_x_3 +%d+ +(%d+)"),
        },
        ["loop of 270"] = sass_loop("hello%-05_", ".L_x_3"), ["of 5v 61"] = seen(61), ["has 12"] = seen(12),
        ["has 32 loads"] = asm("hello%-05v", ".L_x_4 +%d+ +%d+ +%d+ +(%d+)"),
        ["instead of 8, and 294 instead of 270"] = {
          asm("hello%-05_", ".L_x_3 +%d+ +%d+ +%d+ +(%d+)"), sass_loop("hello%-05v", ".L_x_4"),
          sass_loop("hello%-05_", ".L_x_3"),
        },
        ["same 256"] = asm("hello%-05v", ".L_x_4 +%d+ +(%d+)"),
        ["1.09 times as many"] = sass_loop("hello%-05v", ".L_x_4") / sass_loop("hello%-05_", ".L_x_3"),
        ["takes 1.12 times"] = hello["5v"].kernel_ms / hello[5].kernel_ms, ["64 registers"] = seen(64),
        ["and 32 for"] = seen(32), ["with 32 registers"] = seen(32),
        ["5.1 %"] = (c.variant(hello, "5t", 1024) / c.variant(hello, "5t", 32) - 1) * 100,
        ["0.87 (0.87-0.87)"] = c.note(hello, 7, "^([%d.]+) %(([%d.]+)-([%d.]+)%)"),
        source = {"2.7 and 3.7", "2.7, 3.7", "1, 2"},
        definition = {
          "1,048,576 x by 65,536 y", "but 32 registers", "do 128 multiply-adds", "1, global", "1, constant", "1, local",
          "1/4, global", "1/64, float8", "1/64, local", "1/8, local", "128 bits", "512 and 1024", "groups of 32",
        },
      },

      ["submatrix: tiles of ints"] = {
        walkthrough = "submatrix",
        tables = {of_run(submatrix, {
          ["accesses an operation"] = figure("submatrix", "accesses"), ["asked for"] = figure("submatrix", "asked"),
          ["lanes that work"] = figure("submatrix", "lanes"),
        })},
        ["1 sector"] = sources.of("submatrix").count(4).reads("a").sectors,
        ["4 sectors"] = sources.of("submatrix").count(4).reads("b").sectors,
        ["1.49 times"] = c.variant(submatrix, 5, 8) / c.variant(submatrix, 5, 16), ["8.7 TOPS"] = measured(8.7),
        source = {"1.35", "1.2 at 1024"},
        definition = {"4096 x 4096 x 4096", "64 x 64 x 64", "8 x 8", "16 x 16", "groups of 8"},
      },
      ["amd: the course"] = {},

      Mapping = {
        walkthrough = "amd",
        tables = {of_run(amd, {["sectors a request"] = figure("amd", "sectors"),
          ["asked for"] = figure("amd", "asked")})},
        ["8.56 / 2.02 = 4.25"] = {
          amd_count(1).sectors, amd_count(2).sectors, amd_count(1).sectors / amd_count(2).sectors,
        },
        ["gain of 5.64"] = amd[2].gain,
        ["touches 16 sectors"] = amd_count(1).reads("a").sectors, ["touches 2."] = amd_count(2).reads("a").sectors,
      },

      Transposing = {
        walkthrough = "amd",
        tables = {of_run(amd, {
          ["sectors: reads, writes"] = function(step)
            if type(step) == "string" then return {amd_count(step).sectors, amd_count(step).sectors} end
            return {amd_count(step).reads("from").sectors, amd_count(step).writes("to").sectors}
          end,
          ["fetched by groups"] = figure("amd", "moved"),
          ["passes: writes, reads"] = function(step)
            if type(step) == "string" then return {amd_count(step).passes, amd_count(step).passes} end
            return {amd_count(step).writes("tile").passes, amd_count(step).reads("tile").passes}
          end,
        })},
        ["2.50 times"] = amd_count(4).asked, ["16 sectors"] = amd_count(4).writes("to").sectors,
        ["47 instructions"] = amd_count(6).instructions_an_item, ["of 16)"] = amd_count(5).instructions_an_item,
        ["81 %"] = amd.limited(4),
        ["from 9"] = amd_count(6).writes("tile").passes + amd_count(6).reads("tile").passes,
        ["to 4"] = amd_count(7).writes("tile").passes + amd_count(7).reads("tile").passes,
        ["0.912 (0.908-0.915)"] = c.note(amd, "8c", "^([%d.]+) %(([%d.]+)-([%d.]+)%)"),
        definition = {"32 elements", "32 x 32", "line of 128 bytes"},
      },

      Vectors = {
        walkthrough = "amd",
        tables = {of_run(amd, {
          ["sectors and lines a request"] = function(step)
            local wide = step == 13 and 16 or step == 14 and 16 or 4 * 2 ^ (step - 10)
            local apart = 4 * 2 ^ (step - 10)
            return {is(32 * (step >= 13 and 32 or wide) / 32), is(32 * apart / 128)}
          end,
        })},
        ["32 bytes"] = is(8) * 4, ["32 sectors in 8"] = {is(32), is(32) * 32 / 128},
        ["32 sectors in 16"] = {is(32), is(32) * 64 / 128},
      },

      ["N-body"] = {
        walkthrough = "amd",
        tables = {of_run(amd, {["global: asked for"] = figure("amd", "asked")})},
        ["1 sector a request"] = amd_count(16).reads("position").sectors, ["78 and 77"] = {seen(78), seen(77)},
        ["3.13 with"] = kept("amd", "walk-h200-nbody-16384")[16].kernel_ms
          / kept("amd", "walk-h200-nbody-16384")[17].kernel_ms,
        ["2.2 with"] = kept("amd", "walk-h200-nbody-65536")[16].kernel_ms
          / kept("amd", "walk-h200-nbody-65536")[17].kernel_ms,
        ["1.61 with"] = kept("amd", "walk-h200-nbody-262144")[16].kernel_ms
          / kept("amd", "walk-h200-nbody-262144")[17].kernel_ms,
        ["4 warps"] = is(16384) / 32 / 132, ["62 warps"] = is(262144) / 32 / 132,
        ["3 % more"] = (amd_count(18).instructions_an_item / amd_count(17).instructions_an_item - 1) * 100,
        ["173 instructions"] = seen(173), ["32 loads"] = seen(32), ["has 8 of"] = seen(8),
        ["14 instructions"] = seen(14),
        ["0.83 of"] = c.note(amd, "20b", "each: ([%d.]+)")[1],
        source = {"1.30", "about 1.1"}, definition = {"16,384", "65,536"},
      },

      ["Occupancy, atomics, memory"] = {
        walkthrough = "amd",
        tables = {strides},
        ["2.65 times"] = c.variant(amd, 9, 64) / c.variant(amd, 9, 256), ["36.3 (35.8-37.6)"] = c.gain(amd, 23),
        ["1.92"] = amd[22].speed, ["73.8"] = amd[23].speed, ["13.2 sectors"] = amd_count(22).adds("bins").sectors,
        ["2.28 passes"] = amd_count(23).adds("own").passes,
        ["6.33 times"] = c.note(amd, 35, "takes ([%d.]+)")[1], ["3.29 times"] = c.note(amd, 35, ", ([%d.]+) times")[1],
        ["1.78 times"] = c.note(amd, 36, "takes ([%d.]+)")[1], ["4.5 a cycle"] = measured(4.5),
        ["1980 MHz"] = measured(1980),
        definition = {"of stride 1", "64 warps (32 groups", "groups of 32", "groups of 64", "groups of 256", "of 64;"},
      },

      ["Reduction, scan and histogram: `reduce`"] = {
        walkthrough = "reduce",
        tables = {
          of_run(reduce, {
            ["lanes that work"] = function(step)
              if step == 13 then return {is(51), is(97)} end
              return step == 6 and {} or {reduce_count(step).lanes}
            end,
            ["passes a local request"] = figure("reduce", "passes"),
          }),
          of_run(scan_pocl, {share = function(step)
            local of = c.note(scan_pocl, step, "^([%d.]+) %(([%d.]+)-([%d.]+)%)")
            return (step == 13 or step == 18) and of or {of[1]}
          end}),
        },
        ["27 %"] = reduce_count(1).lanes, ["95 %"] = reduce_count(2).lanes, ["14.7 sectors"] = reduce_count(7).sectors,
        ["3.35 passes"] = reduce_count(10).passes, ["instead of 1: bank"] = reduce_count(9).passes,
        ["4 sectors"] = reduce_count(15).adds("bins").sectors, ["10.7"] = reduce_count(14).adds("bins").sectors,
        ["2.7; the"] = reduce_count(14).adds("bins").sectors / reduce_count(15).adds("bins").sectors,
        ["6.82 is"] = reduce[15].gain, ["2520 GB/s"] = c.note(reduce, 16, "^([%d.e+]+) GB/s if all")[1],
        ["16 of them"] = seen(16), ["one of 500"] = measured(500),
        ["4.4, 3.0, 6.7, 12.2, 7.2, 6.7 and 151"] = (function()
          local xeon, list = kept("reduce", "walk-pocl-xeon-reduce"), {}
          for step = 1, 7 do list[step] = xeon[step].speed end
          return list
        end)(),
        ["1.03 (0.94-1.06), 0.76 (0.69-0.88) and 0.78 (0.70-0.81)"] = {
          measured(1.03), measured(0.94), measured(1.06), measured(0.76), measured(0.69), measured(0.88),
          measured(0.78),
          measured(0.70), measured(0.81),
        },
        ["10.4 GB/s"] = later_pocl["13b"].speed, ["7.06 GB/s"] = later_pocl[18].speed,
        ["2.57 (2.14-3.45)"] = c.gain(later_pocl, "13b"),
        ["1.50 (1.25-2.17)"] = c.note(later_pocl, "13b", "^([%d.]+) %(([%d.]+)-([%d.]+)%)"),
        ["1.51 of"] = found("scan-histogram-pocl.txt", "copy past the caches +([%d.]+)"),
        ["0.99 numbers"] = found("scan-histogram-pocl.txt", "at best ([%d.]+) numbers a cycle"),
        definition = {"268,435,459", "256 numbers", "256 bins", "16 cores", "33,554,467"},
      },

      ["Beyond the authors"] = {
        walkthrough = "amd",
        ["block of 32"] = c.note(hello_beyond, 7, "here: %d+ x %d+ items, (%d+) vectors")[1],
        ["56.6"] = hello_beyond[7].speed / 1e3,
        ["0.878 (0.874-0.878)"] = c.note(hello_beyond, 7, "^([%d.]+) %(([%d.]+)-([%d.]+)%)"),
        ["53.2"] = hello_beyond[6].speed / 1e3,
        ["4109"] = transposed "copy float4", ["reach 0.86"] = transposed "64x128 by 1024" / transposed "copy float4",
        ["runs 0.91"] = transposed "aligned, 64x128 by 512" / transposed "copy float4",
        ["0.875 (0.872-0.882)"] = c.note(transpose, "8b", "^([%d.]+) %(([%d.]+)-([%d.]+)%)"),
        ["0.925 (0.910-0.937)"] = c.note(transpose, "8c", "^([%d.]+) %(([%d.]+)-([%d.]+)%)"),
        ["3.3 GB/s"] = transpose_pocl["8c"].speed, ["29 GB/s"] = transpose_pocl["8d"].speed,
        ["0.83 (0.58-0.89)"] = c.note(transpose_pocl, "8d", "^([%d.]+) %(([%d.]+)-([%d.]+)%)"),
        ["0.94 (0.82-1.02)"] = {measured(0.94), measured(0.82), measured(1.02)}, ["had 0.7"] = measured(0.7),
        ["49.8"] = tensor[20].speed / 1e3, ["48.4"] = tensor[23].speed / 1e3,
        ["236 TFLOPS"] = tf32[24].speed / 1e3, ["4.91 (4.71-5.04)"] = c.gain(tf32, 24),
        ["0.21 %"] = tensor[4].speed / tf32[24].speed * 100, ["55.3"] = tensor_double[24].speed / 1e3,
        ["771 TOPS"] = tensor_char[21].speed / 1e3, ["27.3 (24.0-27.4)"] = c.gain(tensor_char, 21),
        ["0.8 %"] = tensor_char[5].speed / tensor_char[21].speed * 100,
        ["490 TFLOPS"] = tensor_peak "TF32 by wgmma" / 1e3, ["1276 TOPS"] = tensor_peak "char" / 1e3,
        ["0.48 and 0.60"] = {tf32[24].speed / tensor_peak "TF32 by wgmma", tensor_char[21].speed / tensor_peak "char"},
        ["46.5"] = beyond[20].speed / 1e3, ["49.4"] = beyond[23].speed / 1e3,
        ["43.2 beside 41.4"] = {beyond_2000[20].speed / 1e3, beyond_2000[23].speed / 1e3},
        ["31.0"] = submatrix[20].speed / 1e3, ["of 8 bits"] = is(8), ["with 8 bits"] = is(8),
        ["1.90 and 1.94"] = {nbody_shape "64 x 8, 1 bodies" / 1e3, nbody_shape("64 x 8, 1 bodies", 2) / 1e3},
        ["13.4"] = seen(429) / 32, ["429 for 32"] = {seen(429), seen(32)}, ["2.4 T"] = multiply_adds / (seen(429) / 32),
        ["0.76 and 0.79"] = {
          nbody_shape "64 x 4, 4 bodies" / 1e3 / (multiply_adds / (seen(429) / 32)),
          nbody_shape("64 x 4, 4 bodies", 2) / 1e3 / (multiply_adds / (seen(429) / 32)),
        },
        ["unrolled by 4"] = c.note(nbody, "20b", "unrolled by (%d+)")[1],
        ["1.93 T"] = c.note(nbody, "20b", "^([%d.e+]+) interactions")[1] / 1e12,
        ["0.831"] = c.note(nbody, "20b", "each: ([%d.]+)")[1],
        ["its 14"] = c.note(nbody, "20b", "^(%d+) instructions")[1],
        ["was 0.83"] = newton("mad%(%), the root's steps a loop%s+unrolled by 1 +%d+ +([%d.]+)"),
        ["1.3 times"] = newton "as it is now%)%s+unrolled by 1 +%d+ +%S+ %S+ +([%d.]+e9)"
          / newton "mad%(%), the root unrolled%s+unrolled by 1 +%d+ +%S+ %S+ +([%d.]+e9)",
        ["1.11 (1.08-1.17)"] = {
          newton "as it is now%)%s+unrolled by 1 +%d+ +([%d.]+)",
          newton "as it is now%)%s+unrolled by 1 +%d+ +%S+ %(([%d.]+)",
          newton "as it is now%)%s+unrolled by 1 +%d+ +%S+ %([%d.]+%-([%d.]+)",
        },
        ["1.5 times"] = newton "frame, ([%d.]+) ms" / newton "([%d.]+) ms a frame",
        ["1.03 (1.02-1.03)"] = {newton "share ([%d.]+)", newton "share [%d.]+ %(([%d.]+)",
          newton "share [%d.]+ %([%d.]+%-([%d.]+)"},
        ["its 19"] = newton "root %((%d+) instructions",
        definition = {
          "32 bytes", "64 columns", "128 rows", "8191 x 8193", "strips of 512", "strips of 4096", "at 4096",
          "at 2000", "65,536", "262,144",
        },
      },

      ["The matrix product, one idea a step"] = {
        walkthrough = "mql5",
        tables = {{
          H200 = speed(beyond), [3] = gain(beyond), [5] = gain(beyond_pocl),
          PoCL = speed(beyond_pocl),
        }},
        ["16 x 16"] = {c.constant(12).SIDE, c.constant(12).SIDE}, ["13: 4 x 4"] = {is(4), is(4)},
        ["16: 8 x 8"] = {is(8), is(8)},
        ["down 8 tiles"] = c.constant("16b").BAND, ["blocks of 4 x 4"] = {c.constant(17).SIDE, c.constant(17).SIDE},
        ["12 rows by 2"] = {is(12), is(2)}, ["1.40 (1.21-1.52)"] = c.gain(c.kept "walk-pocl-mql5-beyond-3000", 19),
        ["has 24 fused"] = is(12) * 2, ["of 16 floats"] = is(16), ["42 instructions"] = seen(42),
        definition = {"at 4096", "at 480", "At 3000"},
      },

      ["Earlier runs"] = {
        walkthrough = "dcltk",
        ["5.23 (5.23-5.23)"] = c.gain(kept("amd", "walk-h200-amd-4096"), 2),
        ["1.77 (1.47-1.97)"] = c.gain(kept("amd", "walk-h200-amd-4096"), 5),
        ["93 GB/s"] = kept("amd", "walk-h200-driver-groups")[10].speed, ["of 2480"] = c.about(amd[10].speed),
        definition = {"4096 x 4096", "[3 and 4]"},
      },
    },
  }
end
