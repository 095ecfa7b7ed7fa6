--- Prints the limits of a device as a table.
-- @module clue.show.peak.view
local counted = require("clue.text").count
local figures = require "clue.shared.figures"
local grouped = require "clue.shared.grouped"
local summary = require "clue.show.peak.summary"
local tables = require "clue.table"

local view = {}

-- A spread above this is reported.
local large_spread = 0.1

local titles = {
  compute = "multiply-adds, two operations each", global = "global memory", ["local"] = "local memory",
  transfer = "host and device", latency = "latency",
}

-- The fastest form, and the work of a compute unit in one cycle.
local function text_of_form(limit)
  local form = ("%s%s x %d"):format(limit.type, limit.width > 1 and limit.width or "", limit.chains)
  return limit.per_cycle and ("%s, %s a cycle and unit"):format(form, figures.ratio(limit.per_cycle)) or form
end

local function row_of(limit)
  if limit.skipped then return {"  " .. limit.name, "-", "", "", "", "", limit.skipped} end
  if limit.failed then return {"  " .. limit.name, "-", "", "", "", "", "failed: " .. limit.failed:match "[^\n]*"} end
  local remarks = {}
  if (limit.chains or 1) > 1 then remarks[1] = text_of_form(limit) end
  if limit.wrong then remarks[#remarks + 1] = "WRONG: " .. limit.wrong end
  if limit.clock == "host" and limit.group ~= "transfer" and limit.group ~= "latency" then
    remarks[#remarks + 1] = "host clock"
  end
  return {"  " .. limit.name, figures.number(limit.value), figures.number(limit.best), limit.unit,
          figures.percent(limit.spread) .. " %", ("%d"):format(#limit.times), table.concat(remarks, "; ")}
end

local columns = {
  {title = "limit"}, {title = "median", right = true}, {title = "best", right = true}, {title = "unit"},
  {title = "range", right = true}, {title = "runs", right = true}, {title = ""},
}

local function count_unsteady(limits)
  local unsteady, measured = 0, 0
  for _, limit in ipairs(limits) do
    if limit.value then measured = measured + 1 end
    if limit.value and limit.spread > large_spread then unsteady = unsteady + 1 end
  end
  return unsteady, measured
end

local function head_of(device)
  local kinds = {gpu = "GPU", accelerator = "accelerator", cpu = "CPU", any = "CPU and GPU", custom = "custom"}
  if not device.name then return ("device %s"):format(device.address) end
  return ("device %d (%s) %s [%s, %s], driver %s, %s, %d MHz, %s"):format(device.ordinal, device.address, device.name,
    kinds[device.kind] or "?", device.platform or "?", device.driver or "?",
    counted(device.compute_units or 0, "compute unit"), device.mhz or 0, device.loader or "?")
end

local function words_of(failure)
  return failure.text .. "\n" .. table.concat(failure.lines, "\n")
end

local function place_of(failure)
  return failure.group .. (failure.at and ", at " .. failure.at or "")
end

-- What fails in several groups for the same reason is said once.
local function failures_of(document)
  local list = {}
  for _, same in ipairs(grouped(document.failures, words_of)) do
    local places = {}
    for i, failure in ipairs(same) do places[i] = place_of(failure) end
    list[#list + 1] = {text = ("%s: %s"):format(table.concat(places, "; "), same[1].text), lines = same[1].lines}
  end
  return list
end

--- Prints a document.
-- @tparam table document of @{clue.peak.measure}
-- @tparam file out
-- @tparam[opt=100] number width characters of a line
function view.print(document, out, width)
  local function write(text, indent)
    for _, line in ipairs(tables.wrap(text, width or 100, indent)) do out:write(line, "\n") end
  end
  write(head_of(document.device))
  for _, line in ipairs(summary.lines(document)) do write(line, "  ") end
  local rows, group = {}, nil
  for _, limit in ipairs(document.limits) do
    if limit.group ~= group then rows[#rows + 1] = {("%s (%s)"):format(limit.group, titles[limit.group])} end
    group = limit.group
    rows[#rows + 1] = row_of(limit)
  end
  if #rows > 0 then
    out:write "\n"
    for _, line in ipairs(tables.lines(columns, rows)) do out:write(line, "\n") end
    out:write "\n"
    for _, term in ipairs(summary.terms(document)) do write(term, "  ") end
  end
  local unsteady, measured = count_unsteady(document.limits)
  if unsteady > 0 then
    out:write(("%d of %s vary by more than %.0f %%: other work or changing clocks; the best is what the device "
      .. "can do\n"):format(unsteady, counted(measured, "limit"), large_spread * 100))
  end
  for _, failure in ipairs(failures_of(document)) do
    write(failure.text, "  ")
    for _, line in ipairs(failure.lines) do out:write("  ", line, "\n") end
  end
end

return view
