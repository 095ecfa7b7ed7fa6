--- A compiler's log as messages with places and source lines, without repetitions.
local build_log = require "clue.build_log"
local read_file = require("clue.file").read
local text = require "clue.text"

local messages = {
  --- What is wrong with a source without kernels, and what to do.
  NO_KERNEL = "it has no kernel: write 'kernel' before a function that shall be one, or give the -D that its #if "
    .. "asks for",
}

-- A text's lines. They are kept, since many messages may refer to the same text.
local function lines_of(taken, given)
  taken[given] = taken[given] or text.lines(given)
  return taken[given]
end

local function same(left, right)
  return left and left.file == right.file and left.line == right.line and left.column == right.column
    and left.kind == right.kind and left.text == right.text
end

-- Source lines that a driver shows itself; clue shows them for all drivers, unless it does not know them: #line may
-- name any file. The driver's line may be a part of the script's, without the Lua around it.
local function is_shown(line, message)
  if not message.source then return false end
  if line:find "^[%s|^~]*$" then return true end
  return message.source:find(text.trim(line), 1, true) ~= nil
end

local function finish(message, file, source, taken)
  local own = message.file == file or build_log.is_source(message.file, source)
  local given = own and source or read_file(message.file)
  if own then message.file = file end
  message.source = given and lines_of(taken, given)[message.line]
  message.text = message.text .. build_log.macro(message, {name = file, first = 1, column = 0, source = source,
    headers = {}})
  message.macro = nil
  return message
end

-- What NVIDIA writes about every kernel; clue.kernel.registers reads it.
local function is_noise(line)
  return line:find "^ptxas info" or line:find "bytes stack frame, %d+ bytes spill"
    or line:find "^%(%): Warning: Function .* is a kernel, so overriding noinline attribute"
end

--- Reads a log.
-- @tparam string log
-- @tparam string file the source's name for the messages
-- @tparam string source its text
-- @treturn {table,...} kind ("error", "warning" or "note"), file, line, column (from 1), text, source (that line, nil
--   if unknown); or only other: a line that is not a message
function messages.read(log, file, source)
  local list, last, taken = {}, nil, {}
  for line in log:gmatch "[^\r\n]+" do
    local found = build_log.parse(line)
    if found then
      found = finish(found, file, source, taken)
      if not same(last, found) then list[#list + 1] = found end
      last = found
    elseif not is_noise(line) and not (last and is_shown(line, last)) then
      local head, name, rest = line:match "^(In file included from )(.-)(:%d+:)$"
      if head and build_log.is_source(name, source) then line = head .. file .. rest end
      list[#list + 1] = {other = line}
    end
  end
  return list
end

--- Messages as editors read them, with the source's line and a caret.
-- @tparam {table,...} list of @{read}
-- @treturn {string,...} lines: "FILE:6:21: error: text", ...
function messages.lines(list)
  local lines = {}
  for _, message in ipairs(list) do
    if message.other then
      lines[#lines + 1] = message.other
    else
      lines[#lines + 1] = ("%s:%d:%d: %s: %s"):format(message.file, message.line, message.column, message.kind,
        message.text)
      if message.source then
        lines[#lines + 1] = "    " .. message.source
        lines[#lines + 1] = "    " .. text.caret(message.source, message.column)
      end
    end
  end
  return lines
end

return messages
