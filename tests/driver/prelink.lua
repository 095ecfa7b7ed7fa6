-- Prelinks the large libraries that the tests' drivers load, LLVM above all, inside clue:
--
--     prelink.lua FOLDER DRIVER...    where the copies go, and the drivers' libraries or their names
--
-- A process spends half of what it takes to start and find a device on relocating them: it adds the address at which a
-- library lies to 700,000 pointers, and so gets its own copy of 3,000 pages. A copy made here lies at a fixed address,
-- and has the sums in its file. ld.so takes the address that a library's segments ask for if it is free, as it always
-- is so far below the others; LD_LIBRARY_PATH names the folder (tests/CMakeLists.txt). Copies are made anew when a
-- library changes. A library for another processor, or of a form that is not known here, is left out, and tests take
-- longer.
local ffi = require "ffi"
local lfs = require "lfs"

local folder = arg[1]
local stamp = folder .. "/made.txt"
local FIRST, SPACE = 0x200000000000, 0x40000000 -- the address of the first copy, and what each has
local MANY = 10000 -- as few relocations are not worth a copy
local OF_OCLGRIND = "oclgrind" -- the folder of its headers, which it looks for beside its library

ffi.cdef [[
  typedef struct {
    uint8_t ident[16];
    uint16_t type, machine;
    uint32_t version;
    uint64_t entry, segments, sections;
    uint32_t flags;
    uint16_t size, segment_size, segment_count, section_size, section_count, names;
  } prelink_header;
  typedef struct {
    uint32_t type, flags;
    uint64_t offset, address, physical, in_file, in_memory, align;
  } prelink_segment;
  typedef struct {
    uint32_t name, type;
    uint64_t flags, address, offset, size;
    uint32_t link, info;
    uint64_t align, entry_size;
  } prelink_section;
  typedef struct { uint64_t tag, value; } prelink_dynamic;
  typedef struct { uint32_t name; uint8_t info, other; uint16_t section; uint64_t value, size; } prelink_symbol;
  typedef struct { uint64_t place; uint32_t type, symbol; uint64_t addend; } prelink_relocation;
]]

local X86_64 = 62
local LOAD, DYNAMIC, STACK = 1, 2, 0x6474e551 -- segments
local RELOCATION_SECTION, DYNAMIC_SYMBOLS, ALLOCATED = 4, 11, 2 -- types of sections, and a flag
local UNDEFINED, ABSOLUTE = 0, 0xfff1 -- a symbol's section
local OBJECT, FUNCTION, THREAD_LOCAL = 1, 2, 6 -- its type
local GLOBAL = 1 -- its binding
local DIRECT, SLOT, RELATIVE, INDIRECT = 1, 6, 8, 37 -- R_X86_64_64, GLOB_DAT, RELATIVE, IRELATIVE
local JUMPS_SIZE, STRINGS, RELOCATIONS, RELOCATIONS_SIZE, JUMPS, TEXT_RELOCATIONS, PACKED, RELATIVE_COUNT =
  2, 5, 7, 8, 23, 22, 36, 0x6ffffff9
-- Tags of the dynamic section whose values are addresses: PLTGOT, HASH, STRTAB, SYMTAB, RELA, INIT, FINI, JMPREL,
-- INIT_ARRAY, FINI_ARRAY, PREINIT_ARRAY, GNU_HASH, VERSYM, VERDEF, VERNEED.
local addresses = {}
for _, tag in ipairs {3, 4, 5, 6, 7, 12, 13, 23, 25, 26, 32, 0x6ffffef5, 0x6ffffff0, 0x6ffffffc, 0x6ffffffe} do
  addresses[tag] = true
end

-- ---- one library ----

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

-- A view of a file: `at(kind, offset)` is a pointer to a structure, `offset(address)` where in the file an address is.
local function open(path)
  local text = read(path)
  local library = {bytes = ffi.new("uint8_t[?]", #text, text), size = #text, loads = {}}
  function library.at(kind, offset) return ffi.cast(kind, library.bytes + offset) end
  function library.offset(address)
    address = tonumber(address)
    for _, load in ipairs(library.loads) do
      if address >= load.address and address < load.address + load.size then
        return address - load.address + load.offset
      end
    end
    error(("address 0x%x is in no segment"):format(address))
  end
  return library
end

-- Moves the segments, the sections and the addresses that the dynamic section has. Gives a table of the latter: a
-- pointer to each entry, and its former value.
local function move_tables(library, base)
  local header = library.at("prelink_header *", 0)
  assert(header.machine == X86_64, "it is for another processor")
  local segments, dynamic = library.at("prelink_segment *", header.segments), nil
  for i = 0, header.segment_count - 1 do
    local segment = segments[i]
    if segment.type == LOAD then
      library.loads[#library.loads + 1] =
        {address = tonumber(segment.address), offset = tonumber(segment.offset), size = tonumber(segment.in_file)}
    elseif segment.type == DYNAMIC then
      dynamic = library.at("prelink_dynamic *", segment.offset)
    end
    if segment.type ~= STACK then
      segment.address, segment.physical = segment.address + base, segment.physical + base
    end
  end
  assert(library.loads[1].address == 0, "it has a fixed address already")
  local entries = {}
  for i = 0, math.huge do
    local entry, tag = dynamic[i], tonumber(dynamic[i].tag)
    if tag == 0 then break end
    entries[tag] = {entry = entry, value = entry.value}
    if addresses[tag] then entry.value = entry.value + base end
  end
  assert(not entries[TEXT_RELOCATIONS] and not entries[PACKED] and entries[RELATIVE_COUNT], "it has other relocations")
  return entries
end

-- Moves the symbols' addresses, and gives the symbols.
local function move_symbols(library, base)
  local header, symbols = library.at("prelink_header *", 0), nil
  local sections = library.at("prelink_section *", header.sections)
  for i = 0, header.section_count - 1 do
    local section = sections[i]
    if section.type == DYNAMIC_SYMBOLS then
      symbols = library.at("prelink_symbol *", section.offset)
      for j = 0, tonumber(section.size) / ffi.sizeof "prelink_symbol" - 1 do
        local symbol = symbols[j]
        if symbol.section ~= UNDEFINED and symbol.section ~= ABSOLUTE and symbol.info % 16 ~= THREAD_LOCAL then
          symbol.value = symbol.value + base
        end
      end
    end
    if tonumber(section.flags) % (2 * ALLOCATED) >= ALLOCATED then section.address = section.address + base end
  end
  return symbols
end

-- Whether a library may use its own definition of a symbol, whatever the others have: a function, what the compiler
-- makes for a type, or a variable that has one definition. Other weak ones, such as variables of templates, must be the
-- same for all libraries.
local function is_own(symbol, strings)
  if symbol.section == UNDEFINED then return false end
  local type, binding = symbol.info % 16, math.floor(symbol.info / 16)
  if type == OBJECT then return binding == GLOBAL or ffi.string(strings + symbol.name):find "^_ZT[ISV]" ~= nil end
  return type == FUNCTION
end

-- Carries out the relocations that need no other library, and leaves the rest to ld.so.
local function relocate(library, base, entries, symbols)
  local strings = ffi.cast("const char *", library.bytes) + library.offset(entries[STRINGS].value)
  local function word(place) return library.at("uint64_t *", library.offset(place)) end
  local list = library.at("prelink_relocation *", library.offset(entries[RELOCATIONS].value))
  local kept = 0
  for i = 0, tonumber(entries[RELOCATIONS_SIZE].value) / ffi.sizeof "prelink_relocation" - 1 do
    local it = list[i]
    if it.type == RELATIVE then
      word(it.place)[0] = it.addend + base
    elseif (it.type == DIRECT or it.type == SLOT) and is_own(symbols[it.symbol], strings) then
      word(it.place)[0] = symbols[it.symbol].value + (it.type == DIRECT and it.addend or 0)
    else
      list[kept].place, list[kept].type, list[kept].symbol = it.place + base, it.type, it.symbol
      list[kept].addend = it.addend + (it.type == INDIRECT and base or 0)
      kept = kept + 1
    end
  end
  entries[RELOCATIONS_SIZE].entry.value = kept * ffi.sizeof "prelink_relocation"
  entries[RELATIVE_COUNT].entry.value = 0
  if not entries[JUMPS] then return end
  local jumps = library.at("prelink_relocation *", library.offset(entries[JUMPS].value))
  for i = 0, tonumber(entries[JUMPS_SIZE].value) / ffi.sizeof "prelink_relocation" - 1 do
    local jump = jumps[i]
    local target = word(jump.place)
    target[0] = target[0] + base -- its code that asks ld.so
    jump.place = jump.place + base
    if jump.type == INDIRECT then jump.addend = jump.addend + base end
  end
end

-- How many relocations a library has.
local function relocation_count(path)
  local file = assert(io.open(path, "rb"))
  local header = ffi.new "prelink_header"
  ffi.copy(header, file:read(ffi.sizeof(header)), ffi.sizeof(header))
  file:seek("set", tonumber(header.sections))
  local length = header.section_count * ffi.sizeof "prelink_section"
  local sections = ffi.new("prelink_section[?]", header.section_count)
  ffi.copy(sections, file:read(length), length)
  file:close()
  local count = 0
  for i = 0, header.section_count - 1 do
    if sections[i].type == RELOCATION_SECTION then
      count = count + tonumber(sections[i].size) / ffi.sizeof "prelink_relocation"
    end
  end
  return count
end

-- Whether ld.so lays a copy where it was made for.
local function is_laid(path, base)
  local script = "require('ffi').load [[%s]] for line in io.lines '/proc/self/maps' do print(line) end"
  local pipe = io.popen(("'%s' --quiet -e \"%s\" 2>&1"):format(os.getenv "CLUE", script:format(path)))
  local said = pipe:read "*a"
  pipe:close()
  return said:match("(%x+)%-[^\n]*" .. path:gsub("%p", "%%%0")) == ("%x"):format(base)
end

local function prelink(path, copy, base)
  local library = open(path)
  local offset = ffi.cast("uint64_t", base)
  local entries = move_tables(library, offset)
  relocate(library, offset, entries, move_symbols(library, offset))
  local part = copy .. ".part"
  local file = assert(io.open(part, "wb"))
  assert(file:write(ffi.string(library.bytes, library.size)))
  file:close()
  if not is_laid(part, base) then
    os.remove(part)
    error("ld.so lays it at another address", 0)
  end
  assert(os.rename(part, copy))
end

-- ---- all of them ----

-- The libraries of the drivers, a path for each name that programs know them by, in a fixed order.
local function libraries()
  local paths, names = {}, {}
  for i = 2, #arg do
    local driver = arg[i]
    if not driver:find "/" then
      driver = io.popen("ldconfig -p"):read("*a"):match("%s" .. driver:gsub("%p", "%%%0") .. " [^\n]* => (%S+)")
      if driver then paths[arg[i]] = driver end
    end
    for name, path in io.popen(("ldd '%s'"):format(driver or "")):read("*a"):gmatch "(%S+) => (/%S+)" do
      paths[name] = path
    end
  end
  for name in pairs(paths) do names[#names + 1] = name end
  table.sort(names)
  return paths, names
end

-- What the copies are made from, and by.
local function identity(paths, names)
  local lines = {}
  for _, name in ipairs(names) do
    local about = assert(lfs.attributes(paths[name]), paths[name])
    lines[#lines + 1] = ("%s %d %d"):format(paths[name], about.size, about.modification)
  end
  lines[#lines + 1] = ("%d"):format(assert(lfs.attributes(arg[0])).modification)
  return table.concat(lines, "\n") .. "\n"
end

local paths, names = libraries()
local current = identity(paths, names)
if lfs.attributes(stamp) and read(stamp) == current then return end
lfs.mkdir(folder)
local base = FIRST
for _, name in ipairs(names) do
  local copy = folder .. "/" .. name
  os.remove(copy)
  if relocation_count(paths[name]) > MANY then
    local made, why = pcall(prelink, paths[name], copy, base)
    if not made then print(("the tests' %s is not prelinked: %s"):format(name, why)) end
    local beside = paths[name]:match "^(.*/)" .. OF_OCLGRIND
    if name:find(OF_OCLGRIND) and lfs.attributes(beside) then
      os.remove(folder .. "/" .. OF_OCLGRIND)
      assert(lfs.link(beside, folder .. "/" .. OF_OCLGRIND, true))
    end
    base = base + SPACE
  end
end
local file = assert(io.open(stamp, "w"))
file:write(current)
file:close()
