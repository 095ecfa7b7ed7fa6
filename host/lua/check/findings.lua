--- What `clue check` finds, in words: each fault once, what it is and what to do.
-- Parameters with one meaning everywhere: finding, as the plugin or a try tells it.
local build_log = require "clue.build_log"
local c_text = require "clue.shared.c_text"
local lines_of = require("clue.text").lines
local lists = require "clue.shared.list"

local findings = {}

--- The kinds of findings: those that count, and those that are mere notes.
findings.kinds = {
  race = "error", bounds = "error", uninitialised = "error", divergence = "error", ["read only"] = "error",
  ["write only"] = "error", mapped = "error", event = "error", alignment = "error", arithmetic = "error",
  recursion = "error", printf = "error", fault = "error", call = "error", result = "error", shift = "note",
  ["same value"] = "note", ["only atomics"] = "note",
  ["assumed size"] = "note", inexact = "note",
}

--- The level of a finding: "error" or "note".
-- @treturn string
function findings.level(finding)
  return finding.invented and "note" or findings.kinds[finding.kind]
end

--- Whether a finding is an error, not a mere note.
function findings.counts(finding)
  return findings.level(finding) == "error"
end

-- ---- each fault once ----

local function place_key(deed)
  return deed and ("%s:%s"):format(tostring(deed.file), tostring(deed.line)) or ""
end

--- The lines of a finding or of a guess, of which it does not matter which comes first.
-- @tparam table it first, second: deeds, the second may be nil
-- @treturn string the lesser one, "sum.cl:12"
-- @treturn string the other one, "" if there is none
function findings.lines(it)
  local first, second = place_key(it.first), place_key(it.second)
  if second ~= "" and second < first then return second, first end
  return first, second
end

-- A line can fail in several ways; a message that differs in numbers only is no other one, since a loop makes many.
local function call_key(finding)
  local reason = (finding.text or ""):match "^[^\r\n]*":gsub("%d+", "#")
  return table.concat({"call", finding.name or "", tostring(finding.where), finding.caller or "", reason}, "|")
end

-- The same lines are one fault: `a[i] += x` reads and writes, and both are wrong together. So are
-- kernels of one name in several programs, and launches of one step with several variants.
local function key_of(finding)
  if finding.kind == "call" then return call_key(finding) end
  if finding.kind == "result" then return "result" end
  local first, second = findings.lines(finding)
  local race = finding.kind == "race" or finding.kind == "same value" or finding.kind == "only atomics"
  local object = finding.object and finding.object.name or ""
  return table.concat({finding.kernel, race and "race" or finding.kind, first, race and second or "", object}, "|")
end

-- What a run with another schedule shows again is counted already.
local function count_in(to, from)
  if from.schedule and from.schedule ~= to.schedule then return end
  for index, try in pairs(from.tries or {}) do
    to.tries = to.tries or {}
    to.tries[index] = try
  end
  to.times, to.launches = to.times + from.times, math.max(to.launches, from.launches)
end

-- Of a race and a note about the same lines, the race stays.
local function take_over(kept, finding)
  for name in pairs(kept) do kept[name] = nil end
  for name, value in pairs(finding) do kept[name] = value end
end

-- Who reads too early races with the writer, and so reads what is not written yet: that is no other fault.
local function without_consequences(list)
  local races = {}
  local function key(finding, deed) return ("%s|%s|%s"):format(finding.kernel, finding.object.name, place_key(deed)) end
  for _, finding in ipairs(list) do
    if finding.kind == "race" then
      races[key(finding, finding.first)], races[key(finding, finding.second)] = true, true
    end
  end
  return lists.filter(list, function(finding)
    return finding.kind ~= "uninitialised" or not races[key(finding, finding.first)]
  end)
end

--- Makes one finding of several of the same fault.
-- @tparam {table,...} all
-- @treturn {table,...} errors first, else as they were found
function findings.merge(all)
  local list = without_consequences(all)
  local by_key, merged = {}, {}
  for _, finding in ipairs(list) do
    local kept = by_key[key_of(finding)]
    if not kept then
      by_key[key_of(finding)], merged[#merged + 1] = finding, finding
    elseif findings.counts(finding) and not findings.counts(kept) then
      kept.tries = nil
      count_in(finding, kept)
      take_over(kept, finding)
    elseif findings.counts(kept) == findings.counts(finding) then
      count_in(kept, finding)
    end
  end
  return lists.flat({true, false}, function(wanted)
    return lists.filter(merged, function(finding) return findings.counts(finding) == wanted end)
  end)
end

-- ---- objects ----

local function plain(object)
  return object.name ~= "" and object.name or "memory"
end

--- The object of a finding, in the kernel's words.
-- @treturn string "argument 1 'a' (global)", "local array 'tile'"
function findings.object(finding)
  local object = finding.object
  if object.argument then
    return ("argument %d '%s' (%s memory)"):format(object.argument, object.name, object.space)
  end
  if object.name == "" then return object.space .. " memory" end
  if object.null then return ("pointer '%s' to %s memory"):format(object.name, object.space) end
  return ("%s %s '%s'"):format(object.space, (object.size or 0) > finding.bytes and "array" or "variable", object.name)
end

--- Where in its object an access is.
-- @treturn ?string "element 64 of 64 (0 to 63)"; nil if it is not to be seen
function findings.place(finding)
  local object, bytes = finding.object, finding.bytes
  if finding.limit then
    return ("index %d of a %s that has %d (0 to %d)"):format(finding.index, finding.field and "field" or "dimension",
      finding.limit, finding.limit - 1)
  end
  if not object.offset or (object.offset == 0 and object.size == bytes) then return nil end
  if object.offset % bytes ~= 0 or object.size % bytes ~= 0 then
    return ("bytes %d to %d of %d"):format(object.offset, object.offset + bytes - 1, object.size)
  end
  local count = object.size / bytes
  return ("element %d of %d, each of %d bytes"):format(object.offset / bytes, count, bytes)
end

-- ---- sentences ----

-- What the layers call the same thing.
local layers = {
  objects = {read_only = '"read_only"', write_only = '"write_only"', read_write = '"read_write"',
             write = "queue:write_buffer, queue:fill_buffer", argument = "kernel:set_arg"},
  mql5 = {read_only = "CL_MEM_READ_ONLY", write_only = "CL_MEM_WRITE_ONLY", read_write = "CL_MEM_READ_WRITE",
          write = "CLBufferWrite", argument = "CLSetKernelArgMem"},
}

local function words_of(finding)
  return layers[finding.layer or "objects"]
end

-- What a list says of a finding: a text, or what a function makes of the finding.
local function said(list, finding)
  local its = list[finding.kind]
  if type(its) == "function" then return its(finding) end
  return its
end

local titles = {}

titles.race = function(f)
  local what = plain(f.object)
  local verbs = f.first.access == f.second.access and f.first.access == "write" and "write" or "access"
  local who = f.within_group and "work-items of one group" or "work-items of different groups"
  return ("%s %s '%s'%s, and nothing orders them"):format(who, verbs, what,
    verbs == "access" and ", one at least writes" or "")
end

titles.bounds = function(f)
  if f.object.null and f.object.name == "" then return ("a null pointer to %s memory"):format(f.object.space) end
  if f.object.null then return ("'%s' is a null pointer"):format(plain(f.object)) end
  if f.limit and not f.field then return ("an index of '%s' is outside its dimension"):format(plain(f.object)) end
  local before = (f.field and f.index or f.object.offset or 0) < 0
  local what = ("%s %s of "):format(f.first.access == "read" and "a read" or "a write",
    before and "before the begin" or "past the end")
  if not f.field then return ("%s'%s'"):format(what, plain(f.object)) end
  local of = f.object.name ~= "" and (" of '%s'"):format(f.object.name) or ""
  return what .. (f.field ~= "" and ("field '%s'"):format(f.field) or "a field") .. of .. ", though inside the struct"
end

titles.uninitialised = function(f)
  return ("'%s' is read before anything was written there"):format(plain(f.object))
end

local places = {barrier = "barrier", copy = "copy", wait = "wait for copies"}

titles.divergence = function(f)
  if f.manner then
    return ("work-items of one group come to this barrier %s"):format(
      f.manner == "call" and "by different calls" or "in different iterations of a loop")
  end
  if f.of and f.first.access == "copy" then
    return ("%d of the group's %d work-items made a copy that is waited for here, the others did not"):format(
      f.arrived, f.of)
  elseif f.of then
    return ("%d of the group's %d work-items %s to this %s, the others do not"):format(f.arrived, f.of,
      f.arrived == 1 and "comes" or "come", places[f.first.access])
  end
  if f.first.access ~= f.second.access then
    return ("some work-items of a group are at a %s, others at a %s"):format(places[f.first.access],
      places[f.second.access])
  end
  return ("work-items of one group are at different %s"):format(({barrier = "barriers", copy = "copies",
                                                                  wait = "waits for copies"})[f.first.access])
end

titles["same value"] = function(f)
  if f.first and f.second and f.first.access ~= f.second.access then
    return ("a work-item reads what it has written to '%s', others write the same value, and nothing orders them")
      :format(plain(f.object))
  end
  return ("several work-items write the same value to '%s', and nothing orders them"):format(plain(f.object))
end
titles["only atomics"] = function(f)
  return ("only atomic functions order accesses of '%s' by different groups"):format(plain(f.object))
end
titles["assumed size"] = function(f)
  return ("an access past the end of '%s', whose size was assumed"):format(plain(f.object))
end
titles.inexact = function(f)
  local names = {[2] = "half", [4] = "float", [8] = "double"}
  return ("a %s of %.0f or more becomes an int"):format(names[f.limit], f.index)
end
local manners = {division = "a division by zero", overflow = "a quotient that its type does not hold",
                 conversion = "a number that the integer type does not hold",
                 shift = "a shift by the width of the type or more"}

titles.arithmetic = function(f) return ("%s: %s"):format(manners[f.manner], f.operands) end
titles.shift = titles.arithmetic
titles["read only"] = function(f)
  return ("the kernel writes '%s', whose buffer was made for reading (%s)"):format(plain(f.object),
    words_of(f).read_only)
end
titles["write only"] = function(f)
  return ("the kernel reads '%s', whose buffer was made for writing (%s)"):format(plain(f.object),
    words_of(f).write_only)
end
titles.mapped = function(f)
  return ("the kernel uses '%s' while the host has its buffer mapped"):format(plain(f.object))
end
titles.event = "an asynchronous copy and the waits for it do not fit together"
titles.alignment = "an access is not aligned to its type"
titles.recursion = function(f)
  local name, through = f.operands:match "^(.-), (.*)$"
  return ("'%s' calls itself%s, and OpenCL C does not allow recursion"):format(name or f.operands,
    through and " through " .. through or "")
end
titles.printf = function(f) return f.operands end
titles.fault = "the simulator could not go on with this work-group"
titles.result = function(f) return "the result is wrong: " .. f.text end
titles.call = function(f)
  local from = f.caller and (" (called from %s)"):format(f.caller) or ""
  return ("%s failed: %s%s"):format(f.name or "a call", (f.text or ""):match "^[^\r\n]*", from)
end

--- What is wrong, in a clause.
-- @treturn string
function findings.title(finding)
  local title = said(titles, finding)
  return finding.invented and ("%s, only with %s that clue invented"):format(title, finding.invented) or title
end

-- ---- the source between two places ----

--- Whether a program has a barrier between the two places of a race.
--
-- This reads the text between the places, in the order of lines. So it cannot know of a barrier inside a macro or a
-- function that is used between them, and takes one that an #if leaves out for a barrier.
-- @tparam string source the program's
-- @tparam table first place: file, line, column
-- @tparam table second place
-- @treturn boolean false if a place is unknown, or in another file
function findings.barrier_between(source, first, second)
  local known = first.line and second.line and first.file == second.file and build_log.is_source(first.file, source)
  if not known then return false end
  local from, to = first, second
  if from.line > to.line then from, to = to, from end
  local lines = lines_of(c_text.mask(source))
  if from.line < 1 or to.line > #lines then return false end
  lines[to.line] = lines[to.line]:sub(1, to.column)
  lines[from.line] = lines[from.line]:sub((from.column or 0) + 1)
  return table.concat(lines, "\n", from.line, to.line):find "barrier%s*%(" ~= nil
end

-- ---- what to do ----

local fences = {["local"] = "CLK_LOCAL_MEM_FENCE", global = "CLK_GLOBAL_MEM_FENCE"}

local remedies = {}

-- Whether a deed is that of a group as a whole.
local function is_copy(deed)
  return not deed.global
end

-- Whether a barrier cannot stand between two deeds.
local function in_one_statement(a, b)
  if place_key(a) ~= place_key(b) then return false end
  local from, to = a.text_column or 1, b.text_column or 1
  return not (a.text or ""):sub(math.min(from, to), math.max(from, to)):find ";"
end

local ATOMIC = "access '%s' by atomic functions only (atomic_or(p, 0) reads)"

-- One side is atomic, the other is not.
local function half_atomic(f, fence)
  local only = ATOMIC:format(plain(f.object))
  if not f.within_group then
    return ("no barrier reaches other groups: %s, or continue in a second kernel"):format(only)
  end
  return in_one_statement(f.first, f.second) and only
    or ("put barrier(%s) between the two, where every work-item of the group comes by, or %s"):format(fence, only)
end

-- Of work-items that meet in one statement.
local function own_place(f, fence)
  if f.object.space == "local" and f.first.access ~= f.second.access then
    return ("read into a variable first, put barrier(%s) behind that, and then write"):format(fence)
  end
  return "let each work-item write an element of its own, or use an atomic function"
end

remedies.race = function(f)
  local fence = fences[f.object.space] or "CLK_GLOBAL_MEM_FENCE"
  if f.wrong_fence then
    return ("the barrier between them does not order %s memory: give it %s"):format(f.object.space, fence)
  elseif f.wait_between and not f.barrier_between then
    return ("wait_group_events is no barrier, it waits for copies only: put barrier(%s) between the two, where every "
      .. "work-item of the group comes by"):format(fence)
  elseif f.within_group and (is_copy(f.first) or is_copy(f.second)) then
    return ("a copy by the group goes on until wait_group_events: access '%s' before the copy begins, with barrier(%s) "
      .. "between, or after the wait"):format(plain(f.object), fence)
  elseif f.first.access ~= f.second.access and (f.first.access == "atomic" or f.second.access == "atomic") then
    return half_atomic(f, fence)
  elseif f.unfenced then
    return "an atomic function that tells other groups of a write does not order it: put "
      .. "mem_fence(CLK_GLOBAL_MEM_FENCE) between the two, or barrier(CLK_GLOBAL_MEM_FENCE) if several work-items of "
      .. "the group have written"
  elseif not f.within_group then
    return "no barrier reaches other groups: let each group write elements of its own, use atomic functions, or "
      .. "continue in a second kernel"
  elseif in_one_statement(f.first, f.second) then
    local apart = own_place(f, fence)
    return f.in_loop and ("if they meet in different turns of the loop, put barrier(%s) at its end; else %s"):format(
      fence, apart) or apart
  elseif f.barrier_between then
    return ("a barrier stands between the two lines, so they meet in different turns of a loop: put another "
      .. "barrier(%s) at the end of the loop"):format(fence)
  end
  return ("put barrier(%s) between the two lines, where every work-item of the group comes by"):format(fence)
end

remedies.bounds = function(f)
  if f.object.null and not f.object.argument then return "let the pointer lead to memory before it is used" end
  if f.object.null then return ("set the argument to a buffer (%s)"):format(words_of(f).argument) end
  if f.field then return "compare the index with the field's length: OpenCL C does not promise what lies behind it" end
  if f.limit then return "check the order of the indexes, and compare each with its own dimension" end
  if (f.object.offset or 0) < 0 then
    return "let the index not become less than 0: guard the access (i > 0 before a[i - 1]), or begin further on"
  end
  if f.object.space == "private" or not f.object.argument then
    return "compare the index with the array's size, or make the array larger"
  end
  return "compare the index with the size before the access (the range may be larger than the data), or make the "
    .. "buffer larger"
end

remedies.uninitialised = function(f)
  if f.object.space == "local" then
    return "let the work-items write it, and pass a barrier, before it is read; local memory has no initial value"
  elseif f.object.space == "private" then
    return "give the variable a value where it is declared"
  end
  return ("write the buffer before the launch (%s), or let the kernel write it first"):format(words_of(f).write)
end

remedies.divergence = function(f)
  if f.first.access ~= "barrier" then
    return "let every work-item of the group make the same copy with the same arguments, and wait for it"
  end
  if f.manner == "call" then return "let all work-items of the group come to the barrier by the same call" end
  return "move the barrier out of the if, or the loop, that not all work-items of the group take; do not return before "
    .. "it"
end

local arithmetic = {
  division = "compare the divisor with 0 before the division: OpenCL C leaves the result open",
  overflow = "compare the operands before the division: OpenCL C leaves the result open",
  conversion = "compare the number with the type's bounds before, or use convert_TYPE_sat: devices give different "
    .. "results",
}

remedies.arithmetic = function(f) return arithmetic[f.manner] end
remedies.shift =
  "OpenCL C shifts by the rest of the division by the width, other languages do not: compare the count with it"
remedies["same value"] =
  "GPUs keep one of the equal values, though OpenCL C does not promise it: let one work-item write"
remedies["only atomics"] = "OpenCL 1.2 promises no order here; with OpenCL 2.0, use atomics with acquire and release"
remedies["assumed size"] = function(f)
  if f.limit then return "see that the range is no larger than the image; a script launches it with one of its size" end
  return ("say how many elements it has: --arg %s=NUMBER"):format(plain(f.object))
end
remedies.inexact =
  "such numbers do not hold every int, so a sum of ints may have lost some: add ints up in an int or a long"
remedies["read only"] = function(f)
  return ("make the buffer with %s, or write to another"):format(words_of(f).read_write)
end
remedies["write only"] = function(f) return ("make the buffer with %s"):format(words_of(f).read_write) end
remedies.mapped = "unmap the buffer before the launch"
remedies.event = "keep the event of each copy, and wait for it with wait_group_events in every work-item"
remedies.alignment = "use vloadN and vstoreN for vectors at any address, or align the pointer"
remedies.recursion = "use a loop, with an array as its stack if it needs one; only then is more told of this kernel"
remedies.printf = "give each conversion an argument of its type: %d for an int, %ld for a long or a size_t, "
  .. "%f for a float, %v4hlf for a float4"
remedies.fault = "what it says above is the simulator's own text"

--- What to do, in a clause.
-- @treturn ?string
function findings.remedy(finding)
  if finding.invented then
    local by = finding.invented == "groups" and "--group" or not finding.of_script and "--arg NAME=VALUE"
    return ("if the %s can be so, this is an error%s"):format(finding.invented,
      by and ("; %s says what they are"):format(by) or "")
  end
  return said(remedies, finding)
end

return findings
