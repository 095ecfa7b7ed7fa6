--- Makes the reference and the editors' annotations from the comments in the sources, which LDoc reads.
--
--     build/clue docs/api/generate.lua pages FOLDER      a page of Markdown for each topic, and index.md
--     build/clue docs/api/generate.lua luacats FOLDER    an addon for lua-language-server
--     build/clue docs/api/generate.lua check             only says what is not documented
--
-- It must be of the same build as the sources: names are found at run time, and comments by their lines.
local here = debug.getinfo(1, "S").source:match "^@(.*)/generate%.lua$" or "."
if here:sub(1, 1) ~= "/" then here = require("lfs").currentdir() .. "/" .. here end
package.path = here .. "/parts/?.lua;" .. package.path

local ldoc = require "ldoc"
local surface = require "surface"
local walk = require "walk"

local what, folder = arg[1], arg[2]

local function refuse(...)
  io.stderr:write("generate.lua: ", (...):format(select(2, ...)), "\n")
  os.exit(1)
end

local is_known = what == "pages" or what == "luacats" or what == "check"
if not is_known or what ~= "check" and not folder then
  refuse "usage: build/clue docs/api/generate.lua pages|luacats FOLDER, or check"
end
if not ldoc.is_installed() then refuse "LDoc is not installed: apt-get install lua-ldoc" end

local topics, complaints = surface.read()
local modules, more = walk.read()
complaints = complaints .. more
for _, list in ipairs {surface.faults(topics), walk.faults(modules)} do
  for _, fault in ipairs(list) do complaints = complaints .. fault .. "\n" end
end
-- A build with a faulty comment still has annotations; the tests find the fault.
if complaints ~= "" and what ~= "luacats" then refuse("%s", complaints) end
if what == "pages" then require("pages").write(topics, modules, ldoc.root, folder) end
if what == "luacats" then require("luacats").write(topics, modules, folder) end
