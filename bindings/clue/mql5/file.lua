--- MQL5's files, as far as scripts need them to write a kernel or a table, and to exchange arrays with MQL5: FileOpen,
-- FileWrite, FileClose and where in a file one is; clue.mql5.file_binary reads and writes numbers. Names are relative
-- to the working folder, not to a terminal's; '\' separates folders as '/' does, and the folder must exist. Text is
-- written unchanged, as UTF-8: what MQL5 does with FILE_ANSI and CP_UTF8.
local check = require "clue.mql5.check"
local constants = require "clue.mql5.constants"
local errors = require "clue.mql5.errors"
local format = require "clue.mql5.format"
local has = require("clue.bytes").has_bit
local passed = require("clue.public").passed

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

-- What a file must have been opened with, and the code if it was not.
local wanted = {
  read = {names.FILE_READ, "FILE_READ", codes.ERR_FILE_NOTTOREAD},
  write = {names.FILE_WRITE, "FILE_WRITE", codes.ERR_FILE_NOTTOWRITE},
}

--- An open file. Reports one that is not open, or not for this.
-- @tparam string name of the function
-- @tparam number handle its first argument
-- @tparam[opt] string use "read" or "write"
-- @tparam[opt] boolean is_binary whether it must be a file of FILE_BIN
-- @treturn ?table with stream and flags; nil if there is no such file
-- @treturn ?string the message then
local function entry_of(name, handle, use, is_binary)
  local entry, need = open_files[check.number(name, 1, handle)], wanted[use]
  if not entry then
    return nil, errors.fail(name, codes.ERR_INVALID_FILEHANDLE, ("file %s is not open"):format(check.show(handle)))
  elseif need and not has(entry.flags, need[1]) then
    return nil, errors.fail(name, need[3], ("the file was not opened with %s"):format(need[2]))
  elseif is_binary and not has(entry.flags, names.FILE_BIN) then
    return nil, errors.fail(name, codes.ERR_FILE_NOTBIN, "the file was not opened with FILE_BIN")
  end
  if use and entry.last and entry.last ~= use then entry.stream:seek("cur", 0) end -- C asks for it between the two
  entry.last = use or entry.last
  return entry
end

--- Writes values as a line, with the delimiter between them and \r\n at the end.
-- @tparam number handle of a file opened with FILE_TXT or FILE_CSV
-- @param ... values, written as Print shows them
-- @treturn number how many bytes were written, 0 and the message on failure
function file.FileWrite(handle, ...)
  local entry, message = entry_of("FileWrite", handle, "write")
  if not entry then return 0, message end
  if not has(entry.flags, names.FILE_TXT) and not has(entry.flags, names.FILE_CSV) then
    return 0, errors.fail("FileWrite", codes.ERR_FILE_NOTTXTORCSV, "the file was opened neither with FILE_TXT nor with "
      .. "FILE_CSV; FileWriteArray writes into one of FILE_BIN")
  end
  local line = table.concat(format.texts(...), entry.delimiter) .. "\r\n"
  local done, problem = entry.stream:write(line)
  if not done then return 0, errors.fail("FileWrite", codes.ERR_FILE_WRITEERROR, problem) end
  return #line
end

--- Closes a file.
-- @tparam number handle
-- @treturn ?string the message on failure
function file.FileClose(handle)
  local entry, message = entry_of("FileClose", handle)
  if not entry then return message end
  open_files[handle] = nil
  local done, problem = entry.stream:close()
  if not done then return errors.fail("FileClose", codes.ERR_FILE_WRITEERROR, problem) end
end

-- ---- places -----------------------------------------------------------------------------------------------------

-- The place in a file, and the file's length, in bytes. On failure nil and the reason.
local function place_of(entry)
  local here, problem = entry.stream:seek "cur"
  if not here then return nil, problem .. ": only files on a disk have a length and places" end
  local last = entry.stream:seek "end"
  entry.stream:seek("set", here)
  return here, last
end

-- A number that place_of gives; -1, or another result, and the message on failure.
local function asked(name, handle, failed, answer)
  local entry, message = entry_of(name, handle)
  if not entry then return failed, message end
  local here, last = place_of(entry)
  if not here then return failed, errors.fail(name, codes.ERR_FILE_READERROR, last) end
  return answer(here, last)
end

--- How many bytes a file has.
-- @tparam number handle
-- @treturn number 0 and the message on failure
function file.FileSize(handle)
  return passed(asked("FileSize", handle, 0, function(_, last) return last end))
end

--- Where in a file the next byte is read or written.
-- @tparam number handle
-- @treturn number bytes from its start; -1 and the message on failure
function file.FileTell(handle)
  return passed(asked("FileTell", handle, -1, function(here) return here end))
end

--- Whether all bytes of a file have been read.
-- @tparam number handle
-- @treturn boolean true and the message on failure, which ends a loop
function file.FileIsEnding(handle)
  return passed(asked("FileIsEnding", handle, true, function(here, last) return here >= last end))
end

local origins = {[names.SEEK_SET] = "set", [names.SEEK_CUR] = "cur", [names.SEEK_END] = "end"}

--- Moves to another place in a file.
-- @tparam number handle
-- @tparam number offset in bytes
-- @tparam number origin SEEK_SET, SEEK_CUR or SEEK_END: what the offset counts from
-- @treturn boolean false and the message on failure
function file.FileSeek(handle, offset, origin)
  local reason = check.whole("FileSeek", 2, offset, "offset")
  check.number("FileSeek", 3, origin)
  local entry, message = entry_of("FileSeek", handle)
  if not entry then return false, message end
  if not origins[origin] then reason = "the origin must be SEEK_SET, SEEK_CUR or SEEK_END" end
  if reason then return false, errors.fail("FileSeek", codes.ERR_INVALID_PARAMETER, reason) end
  local done, problem = entry.stream:seek(origins[origin], offset)
  if not done then return false, errors.fail("FileSeek", codes.ERR_INVALID_PARAMETER, problem) end
  return true
end

return {names = file, entry_of = entry_of, place_of = place_of}
