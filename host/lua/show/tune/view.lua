--- Shows a run of `clue tune`, after it and from its file: the result, the best, what failed, the charts.
-- Parameters with one meaning everywhere: space, a Space or the results of a tuner; run, such results.
local analysis = require "clue.show.tune.analysis"
local block = require "clue.show.block"
local charts = require "clue.show.tune.charts"
local counted = require("clue.text").count
local duration = require("clue.text").duration
local figures = require "clue.shared.figures"
local lists = require "clue.shared.list"
local shown = require("clue.result.point").shown
local tuning = require "clue.result.tuning"

local view = {}

-- Lines of a terminal that are not wrapped: who looks for a path or a message in the output finds it whole.
local function lines_of(lines, close)
  return block.code(table.concat(lines, "\n"), {only = "text", close = close})
end

-- ---- configurations ----

--- A configuration in words; parameters that have one value only are left out, unless all of them have.
-- @tparam table p configuration
-- @tparam[opt] function takes takes(name): whether to show a parameter; nil: all
-- @treturn string "BLOCK=16 TILE=4"
function view.configuration(space, p, takes)
  local words, varies = {}, lists.any(space.values, function(values) return #values > 1 end)
  for i, name in ipairs(space.names) do
    if (#space.values[i] > 1 or not varies) and (not takes or takes(name)) then
      words[#words + 1] = ("%s=%s"):format(name, shown(p[name]))
    end
  end
  return table.concat(words, " ")
end

-- Adds to a table's columns those with a configuration: one in a terminal, on a page one for each parameter that has
-- several values. get(row) returns the configuration, takes(name) whether a terminal has a parameter.
local function add_configuration(columns, space, get, takes)
  columns[#columns + 1] = {title = "configuration", only = "text", get = function(row)
    return view.configuration(space, get(row), takes)
  end}
  for i, name in ipairs(space.names) do
    columns[#columns + 1] = #space.values[i] > 1 and {title = name, only = "page", right = true, get = function(row)
      return shown(get(row)[name])
    end} or nil
  end
end

local function is_first(rows)
  return function(row) return {class = row == rows[1] and "best" or nil} end
end

-- ---- the best, measured again ----

local narrow = 60 -- characters; longer configurations are shown in two parts

-- The parameters that are the same in all of some results; none if the configurations are short.
local function common_of(space, final)
  local first, common = final[1].result.p, {}
  if #final == 1 or #view.configuration(space, first) <= narrow then return common end
  for name, value in pairs(first) do
    common[name] = true
    for _, each in ipairs(final) do common[name] = common[name] and each.result.p[name] == value end
  end
  return common
end

-- Adds a figure with its 95 % interval; get(row) returns the figure and the interval's ends.
local function add_interval(columns, title, write, get)
  columns[#columns + 1] = {title = title, right = true, get = function(row)
    local value, low, high = get(row)
    return value and {write(value), range = low and figures.range(low, high, write)}
  end}
  columns[#columns + 1] = {title = "95 %", only = "text", get = function(row)
    local _, low, high = get(row)
    return low and ("%s to %s"):format(write(low), write(high))
  end}
end

local function final_columns(space, final, objective, common)
  local columns, is_time = {}, not objective or objective == "time"
  add_interval(columns, "time", duration, function(each) return each.seconds, each.low, each.high end)
  add_interval(columns, is_time and "times\nthe best's" or ("the best's\n%s / this"):format(objective),
    function(ratio) return ("%.3f"):format(ratio) end, function(each)
      if each ~= final[1] then return each.against.ratio, each.against.interval[1], each.against.interval[2] end
    end)
  for _, name in ipairs(lists.keys(final[1].metrics)) do
    columns[#columns + 1] = {title = name, right = true, get = function(each)
      return figures.number(each.metrics[name])
    end}
  end
  add_configuration(columns, space, function(each) return each.result.p end, function(name) return not common[name] end)
  return columns
end

--- The best configurations, measured again by turns.
-- @tparam {table,...} final of @{clue.tune.runner}, not empty
-- @tparam ?string objective a metric, of which more is better; nil or "time": the time
-- @treturn table blocks
function view.best(space, final, objective)
  local common = common_of(space, final)
  return {
    block.heading("The best, measured again by turns", {only = "page"}),
    block.table {name = "the best, measured again", rows = final, look = is_first(final), close = next(common) ~= nil,
      columns = final_columns(space, final, objective, common)},
    next(common) and lines_of {"all of them: " .. view.configuration(space, final[1].result.p,
      function(name) return common[name] end)},
    block.paragraph("Small: 95 % intervals. If that of a ratio contains 1, the two may be equally fast.",
      {class = "note", only = "page"}),
  }
end

-- ---- what failed ----

local MOST_LOG_LINES = 6

local function first_line(text) return (text or ""):match "[^\n]*" end

-- For a page.
local function failures_table(space, groups)
  local columns = {
    {title = "failed", get = function(group) return analysis.words(group[1].failed) end},
    {title = "configurations", right = true, get = function(group) return #group end},
    {title = "why, of the first", get = function(group) return first_line(group[1].text) end},
  }
  add_configuration(columns, space, function(group) return group[1].p end)
  return block.table {name = "failed configurations", rows = groups, columns = columns, only = "page"}
end

-- What the compiler said of a configuration, below the reason.
local function add_log(items, text)
  local count = 0
  for line in (text or ""):gmatch "\n([^\n]*)" do
    count = count + 1
    if count <= MOST_LOG_LINES then items[#items + 1] = "        " .. line end
  end
end

-- For a terminal: a line for each reason, and one with the first configuration that has it.
local function failures_list(space, groups, check)
  local items = {}
  for _, group in ipairs(groups) do
    local why = first_line(group[1].text)
    items[#items + 1] = ("failed: %d %s%s"):format(#group, analysis.words(group[1].failed), why ~= "" and ": " .. why
      or "")
    items[#items + 1] = ("        %s%s"):format(#group > 1 and "such as " or "",
      view.configuration(space, group[1].p))
    add_log(items, group[1].text)
    if check and group[1].ran then items[#items + 1] = "        what it does wrong: " .. check(group[1].p) end
  end
  return items[1] and lines_of(items)
end

--- Why configurations failed.
-- @tparam {table,...} results
-- @tparam[opt] function check check(p): the command that finds what the kernel of a configuration does wrong
-- @treturn table blocks
function view.failures(space, results, check)
  local groups = analysis.failures(results)
  return {failures_list(space, groups, check), failures_table(space, groups)}
end

-- ---- after a run ----

local function counts(results)
  local function number_of(field) return #lists.filter(results, function(result) return result[field] end) end
  return number_of "failed", number_of "lost"
end

local function best_part(run)
  if run.final[1] then
    return {lines_of({"the best, measured again by turns:"}, true),
      view.best(run.space, run.final, run.script.of.objective)}
  end
  return lines_of {run.best and ("the best so far: %s, %s"):format(duration(run.best.seconds),
    view.configuration(run.space, run.best.p)) or "no configuration works"}
end

-- Whether two configurations are one.
local function is_same(run, one, other)
  for _, name in ipairs(run.names) do
    if one[name] ~= other[name] then return false end
  end
  return true
end

-- The row of a configuration that was measured by turns with the best ones, or else its result in the search.
local function measured(run, p)
  for _, row in ipairs(run.final) do
    if is_same(run, row.result.p, p) then return row, row.seconds end
  end
  for _, result in ipairs(run.results) do
    if result.value and not result.failed and is_same(run, result.p, p) then return nil, result.value end
  end
end

-- How many times as good as the reference the best is, and whether that may be none: by turns, if both were measured
-- so, since the search measures each at another time.
local function ratio_to(run, row, value)
  if row then return row.against.ratio, (row.against.interval[1] or 0) <= 1 end
  local best = run.best.value
  for _, result in ipairs(run.final[1] and run.results or {}) do
    if result.value and is_same(run, result.p, run.final[1].result.p) then best = result.value end
  end
  return run.more and best / value or value / best, false
end

-- How the best stands beside the space's reference configuration, if both were measured.
local function against_reference(run)
  local reference, best = run.reference, run.final[1] and run.final[1].result or run.best
  if not (reference and best) then return nil end
  local row, value = measured(run, reference)
  if not value then return nil end
  local text = view.configuration(run, reference)
  if is_same(run, best.p, reference) then return "the best is the reference, " .. text end
  local ratio, may_be_none = ratio_to(run, row, value)
  local word = run.second and "fast" or "good"
  return ("the best is %s the reference, %s: %s"):format(may_be_none and ("as %s as"):format(word)
    or ("%.2f times as %s as"):format(ratio, word), text, row and duration(value) or analysis.text(run, value))
end

--- The result of a run.
-- @tparam table run script, device, space, results, final (may be empty), best, elapsed, path, kept, interrupted; check
--   as for @{failures};
--   reached: the share of the peak at which the run ended, nil if it did not end for that
-- @tparam table stored_run the same, of @{clue.result.tuning}
-- @treturn table blocks
function view.result(run, stored_run)
  local failed, lost = counts(run.results)
  local reference = against_reference(stored_run)
  return {
    lines_of({("%s on device %s: %d of %s in %.1f s; %d failed, %d stopped early"):format(run.script.name,
      run.device.text, #run.results, counted(run.space.count, "configuration"), run.elapsed, failed, lost),
      run.reached and ("stopped at %.0f %% of the device's peak"):format(run.reached * 100)}, failed > 0),
    view.failures(run.space, run.results, run.check), best_part(run), reference and lines_of {reference} or false,
    lines_of({"results: " .. run.path .. (run.interrupted and "; `--resume` goes on with them" or ""),
      run.kept and ("parameters: %s; cl.tuned %q gives them"):format(run.kept, run.script.name)}, true),
  }
end

-- ---- from a file ----

-- The best of the search.
local function search_table(run, most, only)
  local rows = tuning.ranked(run, most)
  local columns = {
    {title = run.objective, right = true, get = function(result) return analysis.text(run, result.value) end},
    {title = "of the best", right = true, get = function(result)
      return analysis.percent(analysis.fraction(run, result.value))
    end},
    {title = "evaluation", right = true, only = "page", get = function(result) return result.number end},
  }
  add_configuration(columns, run, function(result) return result.p end)
  return block.only(only, {block.heading(("The best %d of the search"):format(#rows), {only = "page"}),
    block.table {name = "the best of the search", rows = rows, look = is_first(rows), columns = columns}})
end

local most_in_terminal, most_on_page = 5, 20

local function results_part(run)
  if not run.best then
    return block.paragraph({{class = "bad", "no configuration works"}}, {close = true})
  end
  return {lines_of({run.final[1] and "the best, measured again by turns:" or "the best:"}, true),
    run.final[1] and view.best(run, run.final, run.objective) or search_table(run, most_in_terminal, "text"),
    search_table(run, most_on_page, "page")}
end

local function head_text(run)
  local failed, lost = counts(run.results)
  local last = run.results[#run.results]
  return ("%s%s; %d failed%s%s."):format(run.device and "On " .. run.device .. ". " or "",
    counted(#run.results, "configuration"), failed, lost > 0 and (", %d stopped early"):format(lost) or "",
    last and last.at and (", in %s"):format(duration(last.at)) or "")
end

-- What only a file of clue has.
local function ours_text(ours, framework)
  local started = type(ours.started) == "string" and {time = ours.started:gsub("T", " "):gsub("Z$", " UTC")}
  return {("By %s; begun "):format(framework), started or "at an unknown time",
    (". Strategy %s, seed %s."):format(tostring(ours.strategy), figures.exact(ours.seed or 0))}
end

-- The kernel of the best, and how it is built and launched.
local function call_part(call)
  if not call then return nil end
  local defines = lists.map(lists.keys(call.defines), function(name)
    return ("-D %s=%s"):format(name, shown(call.defines[name]))
  end)
  table.sort(defines)
  local sizes = function(list) return list and table.concat(list, " x ") end
  return block.section {id = "call", title = "The best's call", blocks = {
    block.facts {list = {{"kernel", call.kernel}, {"macros", table.concat(defines, " ")},
      {"global size", sizes(call.global_size)}, {"work-group", sizes(call.local_size) or "the driver's choice"}}},
    block.code(call.source, {opencl = true}),
  }}
end

local function device_part(device)
  return device and block.section {id = "machine", title = "The device", blocks = {block.facts {list = {
    {"name", device.name}, {"address", device.address and "--device " .. device.address .. " picks it again"},
    {"kind", device.kind and tostring(device.kind):upper()}, {"platform", device.platform}, {"driver", device.driver},
    {"compute units", device.compute_units and figures.exact(device.compute_units)}}}}}
end

--- A run in a file, in a terminal.
-- @tparam string path
-- @tparam[opt] {string,string} named the parameters of the map
-- @treturn table blocks
function view.stored(run, path, named)
  local failed, reference = counts(run.results), against_reference(run)
  return {
    lines_of({("%s: %s%s: %s, %d failed"):format(path, run.name or "a kernel", run.device and " on " .. run.device
      or "", counted(#run.results, "configuration"), failed)}, failed > 0),
    view.failures(run, run.results), results_part(run), reference and lines_of {reference} or false,
    charts.blocks(run, named),
  }
end

--- A run in a file, as a page.
-- @tparam table document that it is from
-- @tparam[opt] {string,string} named the parameters of the map
-- @treturn table for @{clue.show.page.text}; it has the document if clue wrote that: other tools' caches may be huge
function view.page(run, document, named)
  local ours, reference = type(document.clue) == "table" and document.clue or nil, against_reference(run)
  return {title = ("Tuning %s"):format(run.name or "a kernel"), document = ours and document,
    head = {reference and block.paragraph(reference:gsub("^t", "T") .. ".", {class = "lead"}),
      block.paragraph(head_text(run), {class = not reference and "lead" or nil}),
      ours and block.paragraph(ours_text(ours, (document.metadata or {}).framework or "clue"), {class = "muted"})},
    blocks = {block.section {id = "summary", title = "Results", blocks = results_part(run)}, charts.blocks(run, named),
      counts(run.results) > 0 and block.section {id = "failures", title = "Failed configurations",
        blocks = view.failures(run, run.results)},
      ours and {call_part(ours.call), device_part(ours.device)}}}
end

return view
