-- Describes a package while it is made: what is in it, what it needs, and under which licences.
--   clue materials.lua VERSION ROOT DOCUMENTS LICENSE FILE-OR-PACKAGE...
-- ROOT is the folder with the package's files, DOCUMENTS a folder in it. FILE is a file of others of which the package
-- has a copy, or parts; PACKAGE the name of a Debian package that it needs. Versions and licences are those of the
-- packages that are installed here. Writes:
--   clue.spdx.json   the bill of materials, SPDX 2.3
--   copyright        clue's licence, and that of the headers from which clue.raw is made
--   licences/        the licences of the copies
local json = require "clue.json"
local utils = require "pl.utils"
local version, root, documents, license = arg[1], arg[2], arg[3], arg[4]
local folder = root .. "/" .. documents

local quoted = utils.quote_arg

local function lines_of(command)
  local lines, pipe = {}, assert(io.popen(command))
  for line in pipe:lines() do lines[#lines + 1] = line end
  pipe:close()
  return lines
end

local function read(path)
  return assert(utils.readfile(path, true))
end

local function write(path, text)
  assert(utils.writefile(path, text, true))
end

-- ---- packages of others ----

local function package_of(file)
  local place = lines_of("dpkg-query -S " .. quoted(file) .. " 2>/dev/null")[1]
    or lines_of(('dpkg-query -S "$(readlink -f %s)" 2>/dev/null'):format(quoted(file)))[1]
  return assert(place and place:match "^([^:]+)", file .. ": no installed package has it")
end

local known = {Expat = "MIT", ["MIT/X"] = "MIT", ["Apache-2.0"] = "Apache-2.0"}

-- The licence that the package's copyright file names first, for the upstream's files, in SPDX's words.
local function licence_of(name)
  local text = read("/usr/share/doc/" .. name .. "/copyright")
  return known[text:match "\nLicense: ([^\n]*)"] or "NOASSERTION"
end

local function describe(name)
  local installed, architecture, home = (table.unpack or unpack)(lines_of(
    ("dpkg-query -W -f '${Version}\\n${Architecture}\\n${Homepage}\\n' %s"):format(quoted(name))))
  return {
    SPDXID = "SPDXRef-" .. name:gsub("[^%w.-]", "-"), name = name, versionInfo = assert(installed, name),
    supplier = "Organization: Debian", downloadLocation = "NOASSERTION", filesAnalyzed = false,
    homepage = home ~= "" and home or nil, licenseConcluded = "NOASSERTION", licenseDeclared = licence_of(name),
    copyrightText = "NOASSERTION",
    externalRefs = {{referenceCategory = "PACKAGE-MANAGER", referenceType = "purl",
      referenceLocator = ("pkg:deb/debian/%s@%s?arch=%s"):format(name, installed:gsub("%+", "%%%%2B"), architecture)}},
  }
end

-- The names of the packages that have libraries. dpkg-query reads its whole database for each search, so there is one
-- search, and further ones only for what it did not find.
local function packages_with(names)
  local patterns, found, list = {}, {}, {}
  for i, name in ipairs(names) do patterns[i] = quoted("*-linux-gnu/" .. name) end
  for _, line in ipairs(lines_of(("dpkg-query -S %s 2>/dev/null"):format(table.concat(patterns, " ")))) do
    local package, name = line:match "^([^:]+):.*/([^/]*)$"
    if name then found[name] = found[name] or package end
  end
  for i, name in ipairs(names) do list[i] = found[name] or package_of("*-linux-gnu/" .. name) end
  return list
end

-- The names of the libraries that the package's binaries name, but for its own.
local function libraries()
  local names, list = {}, {}
  for _, file in ipairs(lines_of(("find %s -type f \\( -name '*.so*' -o -name clue -path '*/bin/*' \\)"):format(
    quoted(root)))) do
    for _, line in ipairs(lines_of("readelf -d " .. quoted(file) .. " 2>/dev/null")) do
      local name = line:match "%(NEEDED%)[^%[]*%[([^%]]*)%]" or line:match "%(AUXILIARY%)[^%[]*%[([^%]]*)%]"
      if name and not name:find "^libclue" and not names[name] then
        names[name], list[#list + 1] = true, name
      end
    end
  end
  return list
end

-- ---- the documents ----

local packages, relations = {}, {}

local function add(name, relation)
  if packages[name] then return end
  packages[name] = describe(name)
  packages[#packages + 1] = packages[name]
  table.insert(relations, {spdxElementId = "SPDXRef-clue", relationshipType = relation,
    relatedSpdxElement = packages[name].SPDXID})
end

local copies = {}
for i = 5, #arg do
  if arg[i]:find "^/" then
    local name = package_of(arg[i])
    if not packages[name] then copies[#copies + 1] = name end
    add(name, arg[i]:find "%.h$" and "GENERATED_FROM" or arg[i]:find "%.a$" and "STATIC_LINK" or "CONTAINS")
  else
    add(arg[i], "DEPENDS_ON")
  end
end
local needed = packages_with(libraries())
table.sort(needed)
for _, name in ipairs(needed) do add(name, "DEPENDS_ON") end

os.execute("mkdir -p " .. quoted(folder .. "/licences"))
for _, name in ipairs(copies) do
  write(("%s/licences/%s.txt"):format(folder, name), read("/usr/share/doc/" .. name .. "/copyright"))
end

local created = os.date("!%Y-%m-%dT%H:%M:%SZ", tonumber(os.getenv "SOURCE_DATE_EPOCH"))
local itself = {SPDXID = "SPDXRef-clue", name = "clue", versionInfo = version, downloadLocation = "NOASSERTION",
                filesAnalyzed = false, licenseConcluded = "MIT", licenseDeclared = "MIT",
                copyrightText = read(license):match "Copyright[^\n]*", primaryPackagePurpose = "APPLICATION"}
table.insert(packages, 1, itself)
table.insert(relations, 1, {spdxElementId = "SPDXRef-DOCUMENT", relationshipType = "DESCRIBES",
  relatedSpdxElement = "SPDXRef-clue"})
local list = {}
for i, each in ipairs(packages) do list[i] = each end
write(folder .. "/clue.spdx.json", json.encode({
  spdxVersion = "SPDX-2.3", dataLicense = "CC0-1.0", SPDXID = "SPDXRef-DOCUMENT", name = "clue-" .. version,
  documentNamespace = ("https://spdx.org/spdxdocs/clue-%s-%s"):format(version, created:gsub("%W", "")),
  creationInfo = {created = created, creators = {"Tool: clue-" .. version}}, packages = list, relationships = relations,
}, {indent = true, order = {"spdxVersion", "SPDXID", "name", "versionInfo"}}) .. "\n")

-- As a field of Debian's copyright format: each line begins with a blank, and an empty line is a dot.
local function as_field(text)
  return (text:gsub("%s+$", ""):gsub("\n\n", "\n.\n"):gsub("\n", "\n "))
end

local text = read(license)
write(folder .. "/copyright", ([[
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: clue

Files: *
Copyright: %s
License: Expat
 %s

Files: usr/share/clue/lua/clue/raw/*
Copyright: 2008-2022 The Khronos Group Inc.
License: Apache-2.0
Comment: Made from the OpenCL headers of Debian's package opencl-c-headers.

License: Apache-2.0
 Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in compliance with
 the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0. On Debian systems,
 the full text is in /usr/share/common-licenses/Apache-2.0.
]]):format(text:match "Copyright %(c%) ([^\n]*)" or text:match "Copyright ([^\n]*)",
  as_field(text:match "\n(Permission.*)$")))
