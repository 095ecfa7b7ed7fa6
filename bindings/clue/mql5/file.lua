--- MQL5's text files, as far as scripts need them to write a kernel or a table: FileOpen, FileWrite, FileClose. Names
-- are relative to the working folder, not to a terminal's; '\' separates folders as '/' does, and the folder must
-- exist. Text is written unchanged, as UTF-8: what MQL5 does with FILE_ANSI and CP_UTF8.
local check = require "clue.mql5.check"
local constants = require "clue.mql5.constants"
local errors = require "clue.mql5.errors"
local format = require "clue.mql5.format"
local has = require("clue.bytes").has_bit

local names, codes = constants.names, constants.errors

local file = {}

local open_files = {} -- by handle
local next_handle = 1

local function flags_reason(flags)
  if flags < 0 or flags >= 2 * names.FILE_COMMON then return "no such flags: " .. check.show(flags) end
  if has(flags, names.FILE_UNICODE) then return "FILE_UNICODE is not supported: FILE_ANSI writes UTF-8" end
  if has(flags, names.FILE_COMMON) then return "there is no common folder: leave FILE_COMMON out" end
  if not has(flags, names.FILE_READ) and not has(flags, names.FILE_WRITE) then
    return "give FILE_READ, FILE_WRITE or both"
  end
  return nil
end

-- As in MQL5, FILE_WRITE alone empties the file; with FILE_READ it keeps the contents.
local function open(name, flags)
  if not has(flags, names.FILE_WRITE) then return io.open(name, "rb") end
  if not has(flags, names.FILE_READ) then return io.open(name, "wb") end
  return io.open(name, "r+b") or io.open(name, "w+b")
end

local function delimiter_of(flags, delimiter)
  if delimiter == nil then return has(flags, names.FILE_CSV) and "\t" or "" end
  if type(delimiter) == "number" and delimiter >= 0 and delimiter <= 127 then
    return delimiter == 0 and "" or string.char(delimiter)
  end
  return check.string("FileOpen", 3, delimiter, "character")
end

local function open_reason(name, flags, codepage)
  local reason = check.whole("FileOpen", 2, flags, "flags") or flags_reason(flags)
  if reason then return reason, codes.ERR_INVALID_PARAMETER end
  if codepage ~= nil and codepage ~= names.CP_ACP and codepage ~= names.CP_UTF8 then
    return "the code page must be CP_ACP or CP_UTF8", codes.ERR_INVALID_PARAMETER
  end
  if name == "" then return "the file's name is empty", codes.ERR_WRONG_FILENAME end
end

--- Opens a file.
-- @tparam string name
-- @tparam number flags FILE_WRITE, FILE_READ or both; FILE_TXT, FILE_CSV or FILE_BIN; FILE_ANSI
-- @tparam[opt] string|number delimiter between what FileWrite writes: a tab for FILE_CSV, else none
-- @tparam[opt] number codepage CP_ACP or CP_UTF8, both UTF-8
-- @treturn number its handle, INVALID_HANDLE and the message on failure
function file.FileOpen(name, flags, delimiter, codepage)
  check.string("FileOpen", 1, name)
  local reason, code = open_reason(name, flags, codepage)
  if reason then return names.INVALID_HANDLE, errors.fail("FileOpen", code, reason) end
  local between = delimiter_of(flags, delimiter)
  local opened, problem = open(name:gsub("\\", "/"), flags)
  if not opened then return names.INVALID_HANDLE, errors.fail("FileOpen", codes.ERR_CANNOT_OPEN_FILE, problem) end
  local handle = next_handle
  next_handle = next_handle + 1
  open_files[handle] = {stream = opened, flags = flags, delimiter = between}
  return handle
end

local function write_reason(entry, handle)
  if not entry then return ("file %s is not open"):format(check.show(handle)), codes.ERR_INVALID_FILEHANDLE end
  if not has(entry.flags, names.FILE_WRITE) then
    return "the file was not opened with FILE_WRITE", codes.ERR_FILE_NOTTOWRITE
  end
  if not has(entry.flags, names.FILE_TXT) and not has(entry.flags, names.FILE_CSV) then
    return "the file was opened neither with FILE_TXT nor with FILE_CSV", codes.ERR_FILE_NOTTXTORCSV
  end
end

--- Writes values as a line, with the delimiter between them and \r\n at the end.
-- @tparam number handle
-- @param ... values, written as Print shows them
-- @treturn number how many bytes were written, 0 and the message on failure
function file.FileWrite(handle, ...)
  local entry = open_files[check.number("FileWrite", 1, handle)]
  local reason, code = write_reason(entry, handle)
  if reason then return 0, errors.fail("FileWrite", code, reason) end
  local line = table.concat(format.texts(...), entry.delimiter) .. "\r\n"
  local done, problem = entry.stream:write(line)
  if not done then return 0, errors.fail("FileWrite", codes.ERR_FILE_WRITEERROR, problem) end
  return #line
end

--- Closes a file.
-- @tparam number handle
-- @treturn ?string the message on failure
function file.FileClose(handle)
  local entry = open_files[check.number("FileClose", 1, handle)]
  if not entry then
    local reason = ("file %s is not open"):format(check.show(handle))
    return errors.fail("FileClose", codes.ERR_INVALID_FILEHANDLE, reason)
  end
  open_files[handle] = nil
  local done, problem = entry.stream:close()
  if not done then return errors.fail("FileClose", codes.ERR_FILE_WRITEERROR, problem) end
end

return {names = file}
