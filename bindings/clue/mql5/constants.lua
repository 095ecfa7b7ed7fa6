--- The constants of MQL5 that scripts use: devices, buffer flags, handle types, states, error codes, files.
-- MetaQuotes does not publish some values, so we chose them: CL_USE_*, which must not be ordinals or handles, and
-- TERMINAL_OPENCL_SUPPORT.
local constants = {}

--- All constants but the numbers of properties.
-- @table constants
constants.names = {
  INVALID_HANDLE = -1, -- no handle, what a function that makes something returns on failure
  WHOLE_ARRAY = -1, -- as a count, all elements

  CL_USE_ANY = -2, -- the best device, or the one that --device or CLUE_DEVICE names
  CL_USE_CPU_ONLY = -3, -- the best CPU
  CL_USE_GPU_ONLY = -4, -- the best GPU
  CL_USE_GPU_DOUBLE_ONLY = -5, -- the best GPU that computes in double

  CL_MEM_READ_WRITE = 1, -- kernels read and write the buffer
  CL_MEM_WRITE_ONLY = 2, -- kernels only write it
  CL_MEM_READ_ONLY = 4, -- kernels only read it
  CL_MEM_ALLOC_HOST_PTR = 16, -- in memory that the host can reach

  OPENCL_INVALID = 0, -- CLHandleType, no handle
  OPENCL_CONTEXT = 1, -- CLHandleType, a context
  OPENCL_PROGRAM = 2, -- CLHandleType, a program
  OPENCL_KERNEL = 3, -- CLHandleType, a kernel
  OPENCL_BUFFER = 4, -- CLHandleType, a buffer

  CL_DEVICE_DEFAULT = 1, -- CL_DEVICE_TYPE, the bit of a default device
  CL_DEVICE_CPU = 2, -- CL_DEVICE_TYPE, the bit of a CPU
  CL_DEVICE_GPU = 4, -- CL_DEVICE_TYPE, the bit of a GPU
  CL_DEVICE_ACCELERATOR = 8, -- CL_DEVICE_TYPE, the bit of an accelerator
  CL_DEVICE_CUSTOM = 16, -- CL_DEVICE_TYPE, the bit of a device without a compiler

  CL_COMPLETE = 0, -- CLExecutionStatus, done
  CL_RUNNING = 1, -- CLExecutionStatus, the device computes
  CL_SUBMITTED = 2, -- CLExecutionStatus, the driver has given it to the device
  CL_QUEUED = 3, -- CLExecutionStatus, waits in the queue

  TERMINAL_OPENCL_SUPPORT = 30, -- TerminalInfoInteger, the highest OpenCL version of any device, 0x00010002 for 1.2

  INIT_SUCCEEDED = 0, -- OnInit, what it returns if OnStart is to run
  INIT_FAILED = 1, -- OnInit, what it returns if OnStart must not run
  INIT_PARAMETERS_INCORRECT = 2, -- OnInit, the same, because of the inputs
  REASON_PROGRAM = 0, -- OnDeinit, the script has ended
  REASON_INITFAILED = 8, -- OnDeinit, OnInit has failed

  FILE_READ = 1, -- for reading
  FILE_WRITE = 2, -- for writing
  FILE_BIN = 4, -- bytes
  FILE_CSV = 8, -- lines of values with a delimiter between them
  FILE_TXT = 16, -- lines
  FILE_ANSI = 32, -- texts are UTF-8, as everywhere in clue
  FILE_UNICODE = 64, -- UTF-16, which FileOpen refuses
  FILE_SHARE_READ = 128, -- accepted, without effect
  FILE_SHARE_WRITE = 256, -- accepted, without effect
  FILE_REWRITE = 512, -- accepted, without effect
  FILE_COMMON = 4096, -- a folder of MQL5's terminals, which FileOpen refuses
  SEEK_SET = 0, -- FileSeek, from the start
  SEEK_CUR = 1, -- FileSeek, from the place reached
  SEEK_END = 2, -- FileSeek, from the end
  CHAR_VALUE = 1, -- FileWriteInteger and FileReadInteger, one byte
  SHORT_VALUE = 2, -- FileWriteInteger and FileReadInteger, two bytes
  INT_VALUE = 4, -- FileWriteInteger and FileReadInteger, four bytes
  CP_ACP = 0, -- the system's code page, UTF-8
  CP_UTF8 = 65001, -- UTF-8

  TIME_DATE = 1, -- TimeToString, the date
  TIME_MINUTES = 2, -- TimeToString, hours and minutes
  TIME_SECONDS = 4, -- TimeToString, hours, minutes and seconds
}

--- What GetLastError() gives; the codes of MQL5's list that our functions set.
-- @table errors
constants.errors = {
  ERR_SUCCESS = 0, -- nothing failed
  ERR_INVALID_PARAMETER = 4003, -- a wrong value for a parameter
  ERR_NOT_ENOUGH_MEMORY = 4004, -- not enough memory
  ERR_INVALID_ARRAY = 4006, -- an array of the wrong type or shape
  ERR_WRONG_FILENAME = 5002, -- no valid name of a file
  ERR_CANNOT_OPEN_FILE = 5004, -- the file cannot be opened
  ERR_INVALID_FILEHANDLE = 5007, -- no open file has this handle
  ERR_FILE_NOTTOWRITE = 5009, -- the file was not opened for writing
  ERR_FILE_NOTTOREAD = 5010, -- the file was not opened for reading
  ERR_FILE_NOTBIN = 5011, -- the file was not opened as FILE_BIN
  ERR_FILE_NOTTXTORCSV = 5013, -- the file was opened neither as FILE_TXT nor as FILE_CSV
  ERR_FILE_READERROR = 5015, -- the file cannot be read, or ends
  ERR_FILE_WRITEERROR = 5026, -- the file cannot be written
  ERR_WRONG_STRING_DATE = 5031, -- the text is no date
  ERR_WRONG_STRING_PARAMETER = 5040, -- the text has a wrong form
  ERR_STRINGPOS_OUTOFRANGE = 5041, -- a position outside the text
  ERR_SMALL_ARRAY = 5052, -- a position outside the array
  ERR_OPENCL_NOT_SUPPORTED = 5100, -- there is no OpenCL on this machine
  ERR_OPENCL_INTERNAL = 5101, -- an error inside the driver
  ERR_OPENCL_INVALID_HANDLE = 5102, -- no handle of this kind
  ERR_OPENCL_CONTEXT_CREATE = 5103, -- the context cannot be made
  ERR_OPENCL_QUEUE_CREATE = 5104, -- the queue cannot be made
  ERR_OPENCL_PROGRAM_CREATE = 5105, -- the program cannot be compiled
  ERR_OPENCL_TOO_LONG_KERNEL_NAME = 5106, -- the kernel's name is too long
  ERR_OPENCL_KERNEL_CREATE = 5107, -- the kernel cannot be made
  ERR_OPENCL_SET_KERNEL_PARAMETER = 5108, -- an argument of a kernel cannot be set
  ERR_OPENCL_EXECUTE = 5109, -- the kernel cannot be run
  ERR_OPENCL_WRONG_BUFFER_SIZE = 5110, -- a wrong size of a buffer
  ERR_OPENCL_WRONG_BUFFER_OFFSET = 5111, -- a wrong offset in a buffer
  ERR_OPENCL_BUFFER_CREATE = 5112, -- the buffer cannot be made
  ERR_OPENCL_TOO_MANY_OBJECTS = 5113, -- there are too many objects
  ERR_OPENCL_SELECTDEVICE = 5114, -- there is no such device
}

for name, code in pairs(constants.errors) do constants.names[name] = code end

return constants
