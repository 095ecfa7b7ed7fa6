--- Makes a compiler's log point to the script: "scan.lua:12:14: error: use of undeclared identifier 'x'".
--
-- Drivers write places in different ways, and name the source after a temporary file. Here the name is that of the
-- file that holds the text: one that cl.read_file read, or the script. A text that stands in no file (the script put
-- it together) is called "source". Names that #line sets, headers and files keep their names.
-- @module clue.build_log
local binding = require "clue.binding"
local read_file = require "clue.read_file"
local where = require "clue.where"

local build_log = {}

local kinds = {error = "error", warning = "warning", note = "note", remark = "note", ["fatal error"] = "error"}

-- ---- where a source comes from ----

local MOST_FILES, SHORTEST = 32, 20 -- texts to remember; characters too many to be found by chance

local files, order = {}, {} -- paths by text; texts, oldest first

--- Remembers the file of a text, which may become a program's source.
-- @tparam string path
-- @tparam string text
function build_log.read(path, text)
  if not files[text] then order[#order + 1] = text end
  files[text] = path
  if #order > MOST_FILES then files[table.remove(order, 1)] = nil end
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

-- Whether the characters around a part of a script are the quotation marks of a literal.
local function is_literal(text, first, last)
  local before, after = text:sub(math.max(first - 9, 1), first - 1), text:sub(last + 1, last + 9)
  local mark = before:match "[\"']$"
  if mark then return after:sub(1, 1) == mark end
  local level = before:match "%[(=*)%[\n?$"
  return level ~= nil and after:find("^%]" .. level .. "%]") ~= nil
end

--- Finds a text that is a literal of the calling script, however short; of several like it, the one nearest to the
-- line of the call.
-- @tparam string literal
-- @treturn ?table name (the path), first (line), column (characters before it there); nil if it is not found
function build_log.literal(literal)
  local path, text, line = script()
  local best
  local at = text and literal ~= "" and text:find(literal, 1, true)
  while at do
    local place = is_literal(text, at, at + #literal - 1) and place_at(path, text, at)
    if place and (not best or math.abs(place.first - line) < math.abs(best.first - line)) then best = place end
    at = text:find(literal, at + 1, true)
  end
  return best
end

--- Finds where a program's source comes from. Must be called while the script that builds it is on the stack.
-- @tparam ?string source
-- @tparam[opt] {string,...} headers name, text, name, text, ... of headers that are not files
-- @treturn table name, first (line), column (characters before it there), source, headers
function build_log.place(source, headers)
  local place = source and files[source] and {name = files[source], first = 1, column = 0}
    or source and place_in_script(source) or {name = "source", first = 1, column = 0}
  place.source, place.headers = source, headers or {}
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
    return message
  end
  kind, message.text = rest:match "^(%a[%a ]*): (.*)$"
  message.kind = kinds[kind or ""]
  return message.kind and message or nil
end

-- The name of a header that is not a file. A driver may add a folder to it.
local function header_name(name, headers)
  for i = 1, #headers, 2 do
    if ("/" .. name):sub(-#headers[i] - 1) == "/" .. headers[i] then return headers[i] end
  end
  return nil
end

-- File, line and column of a place in a log, as users know them.
local function user_place(place, file, line, column)
  local header = header_name(file, place.headers)
  if header or not build_log.is_source(file, place.source) then return header or file, line, column end
  return place.name, line + place.first - 1, line == 1 and column + place.column or column
end

--- Where the macro that a message means stands.
-- @tparam table message of @{parse}
-- @tparam table place of @{place}
-- @treturn string " (expanded from a.h:2:11)", or that it is a macro of the build options; "" if the place is unknown
function build_log.macro(message, place)
  local file, line, column = (message.macro or ""):match "^(.-):(%d+):(%d+)$"
  if not file then return "" end
  if drivers_own[file] then return " (expanded from a macro of the build options)" end
  return (" (expanded from %s:%d:%d)"):format(user_place(place, file, tonumber(line), tonumber(column)))
end

local function message_line(message, place)
  local file, line, column = user_place(place, message.file, message.line, message.column)
  return ("%s:%d:%d: %s: %s%s"):format(file, line, column, message.kind, message.text,
    build_log.macro(message, place))
end

local function inclusion_line(line, place)
  local head, name, number = line:match "^(In file included from )(.-):(%d+):$"
  if not head then return nil end
  local file, row = user_place(place, name, tonumber(number), 0)
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

--- The record of a build that has just failed. Its log and its text name the source's file.
-- @tparam table place
-- @treturn table as binding.error() gives it
function build_log.failure(place)
  if place.name ~= "source" then binding.error_source(place.name, place.first) end
  local record = binding.error()
  record.log = build_log.rewrite(record.log, place)
  return record
end

return build_log
