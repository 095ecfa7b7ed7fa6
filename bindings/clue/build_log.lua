--- Makes a compiler's log point to the script: "scan.lua:12:14: error: use of undeclared identifier 'x'".
--
-- Drivers write places in different ways, and name the source after a temporary file. Here the name is that of the
-- file that holds the text: one that cl.read_file read, or the script. If a script puts a source together, each line
-- has the name of the file that holds that part; a part that stands in no file is called "source". Names that #line
-- sets, headers and files keep their names.
-- @module clue.build_log
local binding = require "clue.binding"
local literals = require "clue.literals"
local read_file = require("clue.file").read
local where = require "clue.where"

local build_log = {}

local kinds = {error = "error", warning = "warning", note = "note", remark = "note", ["fatal error"] = "error"}

-- ---- where a source comes from ----

local MOST_FILES, SHORTEST = 32, 20 -- texts to remember; characters too many to be found by chance

local known, order = {}, {} -- places by text; texts, oldest first

--- Remembers where a text comes from, which may become a program's source.
-- @tparam string text
-- @tparam table place name, first, column and pieces, as of @{place}
function build_log.remember(text, place)
  if not known[text] then order[#order + 1] = text end
  known[text] = place
  if #order > MOST_FILES then known[table.remove(order, 1)] = nil end
end

--- Remembers the file of a text, which may become a program's source.
-- @tparam string path
-- @tparam string text
function build_log.read(path, text)
  build_log.remember(text, {name = path, first = 1, column = 0})
end

-- The calling script: its path, its text, and the line of the call. Nil if no script is on the stack.
local function script()
  local _, line = where.line()
  local path, number = (line or ""):match "^@(.*):(%d+)$"
  return path, path and read_file(path), tonumber(number)
end

-- The place of a position in a script: the path, its line, and how many characters precede it in that line.
local function place_at(path, text, at)
  local before = text:sub(1, at - 1)
  return {name = path, first = select(2, before:gsub("\n", "")) + 1, column = #(before:match "^.*\n(.*)$" or before)}
end

-- Finds a source in the calling script. A text with line numbers of its own is not searched for.
local function place_in_script(source)
  if source:find "#%s*line%s" then return nil end
  local path, text = script()
  local at = text and #source >= SHORTEST and text:find(source, 1, true)
  if not at or text:find(source, at + 1, true) then return nil end
  return place_at(path, text, at)
end

--- Finds a text that is a literal of the calling script, however short; of several like it, the one nearest to the
-- line of the call.
-- @tparam string literal
-- @treturn ?table name (the path), first (line), column (characters before it there); nil if it is not found
function build_log.literal(literal)
  local path, text, line = script()
  local best
  for _, each in ipairs(text and literal ~= "" and literals.strings(text) or {}) do
    local place = each.value == literal and place_at(path, text, each.first)
    if place and (not best or math.abs(place.first - line) < math.abs(best.first - line)) then best = place end
  end
  return best
end

-- ---- sources put together from several texts ----

-- The texts that a source may be made of, those of files and the strings of the script: a list of value, and place(),
-- which gives its place. A text that is there twice has none.
local function texts()
  local list, by_value = {}, {}
  local function add(value, place)
    local same = by_value[value]
    if same then
      same.place = nil
    elseif #value >= SHORTEST then
      list[#list + 1] = {value = value, place = place}
      by_value[value] = list[#list]
    end
  end
  for text, place in pairs(known) do
    if not place.pieces then add(text, function() return place end) end
  end
  local path, text = script()
  for _, each in ipairs(text and literals.strings(text) or {}) do
    add(each.value, function() return place_at(path, text, each.first) end)
  end
  return list
end

-- The line of a position in a text, and how many characters precede it in that line.
local function position(text, at)
  local place = place_at("", text, at)
  return place.first, place.column
end

local function overlaps(found, first, last)
  for _, each in ipairs(found) do
    if first <= each.last and last >= each.at then return true end
  end
  return false
end

-- The parts of a source that stand in files: each has its place, and begins and ends in the source at line, before and
-- last_line, last_column (before: characters before it in its line).
local function pieces_of(source)
  local list, found = texts(), {}
  table.sort(list, function(a, b) return #a.value > #b.value end) -- a text within a longer one is no part of its own
  for _, each in ipairs(list) do
    local at, last = source:find(each.value, 1, true)
    if each.place and at and not source:find(each.value, at + 1, true) and not overlaps(found, at, last) then
      local place, piece = each.place(), {at = at, last = last}
      piece.name, piece.first, piece.column = place.name, place.first, place.column
      piece.line, piece.before = position(source, at)
      piece.last_line, piece.last_column = position(source, last + 1)
      found[#found + 1] = piece
    end
  end
  return found
end

-- The part of a source that has a position.
local function piece_at(pieces, line, column)
  for _, piece in ipairs(pieces or {}) do
    local begun = line > piece.line or line == piece.line and column > piece.before
    if begun and (line < piece.last_line or line == piece.last_line and column <= piece.last_column) then
      return piece
    end
  end
end

--- Finds where a program's source comes from. Must be called while the script that builds it is on the stack.
-- @tparam ?string source
-- @tparam[opt] {string,...} headers name, text, name, text, ... of headers that are not files
-- @treturn table name, first (line), column (characters before it there), source, headers; pieces: those of a source
--   that was put together
function build_log.place(source, headers)
  local found = source and (known[source] or place_in_script(source)) or {name = "source", first = 1, column = 0}
  local place = {name = found.name, first = found.first, column = found.column, pieces = found.pieces, source = source,
                 headers = headers or {}}
  if source and place.name == "source" and not place.pieces and not source:find "#%s*line%s" then
    place.pieces = pieces_of(source)
  end
  return place
end

-- ---- messages ----

local drivers_own = {["<command line>"] = true, ["<built-in>"] = true, ["<scratch space>"] = true}

--- Whether a name in a log is a driver's own name for the source: none, or that of a temporary copy.
-- @tparam string name
-- @tparam ?string source
-- @treturn boolean
function build_log.is_source(name, source)
  if drivers_own[name] then return false end
  if name == "source" or name == "input.cl" or name:find "^<" or name:find "^%d*$" or name:find "tempfile_[^/]*$" then
    return true
  end
  local text = read_file(name)
  return text ~= nil and text == source or (text == nil and name:find "^/tmp/" ~= nil)
end

-- A message with what a compiler leaves out.
local function complete(message)
  if message.text:find "^%l+ by zero in preprocessor expression$" then
    message.text = message.text .. " (a macro that is not defined counts as 0: define it with -D)"
  end
  return message
end

--- Reads a message's line: "FILE:6:21: error: text" as clang and most write it, "error: FILE:6:21: text" as PoCL
-- does, with <Spelling=FILE:2:3> after the place if a macro is meant.
-- @tparam string line
-- @treturn ?table kind ("error", "warning" or "note"), file, line, column (numbers), text, macro (the macro's place,
-- if
--   the line has it); nil if the line is not a message
function build_log.parse(line)
  local file, row, column, macro, rest = line:match "^(.-):(%d+):(%d+) <Spelling=(.-:%d+:%d+)>:%s*(.*)$"
  if not file then file, row, column, rest = line:match "^(.-):(%d+):(%d+):%s*(.*)$" end
  if not file then return nil end
  local message = {file = file, line = tonumber(row), column = tonumber(column), macro = macro}
  local kind, name = file:match "^(%a[%a ]*): (.*)$"
  if kind and kinds[kind] then
    message.kind, message.file, message.text = kinds[kind], name, rest
    return complete(message)
  end
  kind, message.text = rest:match "^(%a[%a ]*): (.*)$"
  message.kind = kinds[kind or ""]
  return message.kind and complete(message) or nil
end

-- The name of a header that is not a file. A driver may add a folder to it.
local function header_name(name, headers)
  for i = 1, #headers, 2 do
    if ("/" .. name):sub(-#headers[i] - 1) == "/" .. headers[i] then return headers[i] end
  end
  return nil
end

--- A place in a program as users know it: in their file, not in the compiler's copy of the source.
-- @tparam table place of @{place}
-- @tparam string file the compiler's name
-- @tparam number line
-- @tparam number column
-- @treturn string the file
-- @treturn number line
-- @treturn number column
function build_log.user_place(place, file, line, column)
  local header = header_name(file, place.headers)
  if header or not build_log.is_source(file, place.source) then return header or file, line, column end
  local piece = piece_at(place.pieces, line, column) or {line = 1, before = 0, name = place.name, first = place.first,
                                                         column = place.column}
  return piece.name, line - piece.line + piece.first,
    line == piece.line and column - piece.before + piece.column or column
end

--- Where the macro that a message means stands.
-- @tparam table message of @{parse}
-- @tparam table place of @{place}
-- @treturn string " (expanded from a.h:2:11)", or that it is a macro of the build options; "" if the place is unknown,
--   or if it is a macro of the driver's of which users know nothing
function build_log.macro(message, place)
  local file, line, column = (message.macro or ""):match "^(.-):(%d+):(%d+)$"
  if not file then return "" end
  if drivers_own[file] then return " (expanded from a macro of the build options)" end
  if file:find "/_builtin_renames%.h$" then return "" end -- PoCL's, whose macros rename functions of OpenCL C
  return (" (expanded from %s:%d:%d)"):format(build_log.user_place(place, file, tonumber(line), tonumber(column)))
end

local function message_line(message, place)
  local file, line, column = build_log.user_place(place, message.file, message.line, message.column)
  return ("%s:%d:%d: %s: %s%s"):format(file, line, column, message.kind, message.text,
    build_log.macro(message, place))
end

local function inclusion_line(line, place)
  local head, name, number = line:match "^(In file included from )(.-):(%d+):$"
  if not head then return nil end
  local file, row = build_log.user_place(place, name, tonumber(number), 0)
  return ("%s%s:%d:"):format(head, file, row)
end

--- Rewrites a log for people and editors: each message's place stands before its kind, the source has its file's
-- name.
-- @tparam string log
-- @tparam table place of @{place}
-- @treturn string
function build_log.rewrite(log, place)
  return (log:gsub("[^\r\n]+", function(line)
    local message = build_log.parse(line)
    return message and message_line(message, place) or inclusion_line(line, place)
  end))
end

-- The part of the source with the first error.
local function faulty_piece(place)
  for line in binding.error().log:gmatch "[^\r\n]+" do
    local message = build_log.parse(line)
    if message and message.kind == "error" then
      return build_log.is_source(message.file, place.source) and piece_at(place.pieces, message.line, message.column)
    end
  end
end

--- Whether a text is the name of a file, and no source: one word with the ending of one.
-- @tparam ?string|table source
-- @treturn ?string what to do then, "looks like a file: ..."; nil otherwise
function build_log.is_name(source)
  if type(source) ~= "string" or not source:find "^[^%s{}();]+%.%l+$" then return nil end
  return ("looks like a file: cl.read_file(%q) reads it"):format(source)
end

--- The record of a build that has just failed. Its log and its text name the source's file.
-- @tparam table place
-- @tparam string|table source
-- @treturn table as binding.error() gives it
function build_log.failure(place, source)
  local piece = place.pieces and faulty_piece(place)
  if piece then
    binding.error_source(piece.name, piece.first - piece.line + 1)
  elseif place.name ~= "source" then
    binding.error_source(place.name, place.first)
  end
  local record = binding.error()
  record.log = build_log.rewrite(record.log, place)
  local remedy = build_log.is_name(source)
  if remedy and record.detail then
    record.detail = ("the source, '%s', %s"):format(source, remedy)
    record.text = record.text:gsub(": the source does not compile.*$", ": " .. record.detail:gsub("%%", "%%%%"))
  end
  return record
end

return build_log
