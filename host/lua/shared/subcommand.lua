--- What all subcommands share: options and --help, their messages when they refuse, and their exit status.
--
--     local command = subcommand.new {name = "greet", group = "device", summary = "say hello",
--                                     about = "Says hello to a device."}
--
--     function command.options(parser) subcommand.device(parser, "whom to greet") end
--
--     function command.work(options)
--       if not options.device then return command.wrong_use "--device: whom?" end
--       return command.attempt(say_hello, options.device)
--     end
--
--     return command
--
-- The exit status is the result of work; by convention 0: success, 1: failure, 2: wrong use, 130: interrupted.
--
-- Parameters with one meaning everywhere: parser, of argparse; text, for the help.
local argparse = require "argparse"
local clue_options = require "clue.options"
local lists = require "clue.shared.list"
local misspelt = require "clue.misspelt"
local output = require "clue.output"

local subcommand = {}

-- ---- options of several subcommands ----

--- Says what a shell may offer for an option's value or for an argument (`clue completion`).
-- @tparam table element what parser:option or parser:argument returned
-- @tparam string kinds with blanks: device, walkthrough, command, folder, file, endings of files (.lua), or words with
--   a = before them
-- @treturn table the element
function subcommand.completes(element, kinds)
  element.completes = kinds
  return element
end

--- Says that an option names a file which is written: no other option may write or read that file.
-- @tparam table option what parser:option returned
-- @treturn table the option
function subcommand.writes(option)
  option.writes = true
  return option
end

--- Says that an option or an argument names files which are read, such as results: none of them may be written.
-- @tparam table element what parser:option or parser:argument returned; - means standard input
-- @treturn table the element
function subcommand.reads(element)
  element.reads = true
  return element
end

--- Adds --device.
function subcommand.device(parser, text)
  subcommand.completes(parser:option("--device", text):argname "SPEC", "device")
end

--- Adds --json with a file.
function subcommand.json_file(parser, text)
  subcommand.writes(parser:option("--json", text):argname "FILE")
end

--- Makes what parser:option converts a whole number with.
-- @tparam string option its name, for the message
-- @tparam number least
-- @tparam number most
function subcommand.whole_number(option, least, most)
  return function(text)
    local number = tonumber(text)
    if number and number % 1 == 0 and number >= least and number <= most then return number end
    return nil, ("%s: '%s' must be a whole number from %.0f to %.0f"):format(option, text, least, most)
  end
end

local function seconds(text)
  local number = tonumber(text)
  if number and number > 0 and number < math.huge then return number end
  return nil, ("--time-limit: '%s' must be seconds, more than 0"):format(text)
end

--- Adds --time-limit: options.time_limit is a number.
-- @tparam ?string default seconds; nil: none
-- @treturn table the option
function subcommand.time_limit(parser, default, text)
  return parser:option("--time-limit", text):argname "SECONDS":default(default):convert(seconds)
end

--- The options that take the next word.
-- @tparam table command
-- @treturn table set of their names
function subcommand.with_value(command)
  local options = lists.filter(command.parser()._options, function(option) return option._minargs > 0 end)
  return lists.set(lists.flat(options, function(option) return option._aliases end))
end

-- An option that may be repeated has a list, which is empty without it.
local function is_given(value)
  return value and not (type(value) == "table" and value[1] == nil)
end

--- The first of some options that is given.
-- @tparam table options as they were parsed
-- @tparam {string,...} names "device-a", or "repeat", whose field is "repeats"
-- @treturn ?string its name; nil: none is
function subcommand.first_given(options, names)
  return lists.find(names, function(name)
    return is_given(options[name == "repeat" and "repeats" or (name:gsub("-", "_"))])
  end)
end

--- Divides words between a subcommand and the script that it runs: what stands after a script belongs to it; after a
-- walkthrough's name, options go on.
-- @tparam {string,...} args
-- @tparam table command
-- @treturn {string,...} the parser's words
-- @treturn {string,...} the script's
function subcommand.script_words(args, command)
  local ours, rest, i, with_value = {}, {}, 1, subcommand.with_value(command)
  while args[i] do
    local word = args[i]
    ours[#ours + 1] = word
    if with_value[word] then
      i = i + 1
      ours[#ours + 1] = args[i]
    elseif word:find "%.lua$" and not word:find "^%-" then
      for k = i + 1, #args do rest[#rest + 1] = args[k] end
      break
    end
    i = i + 1
  end
  return ours, rest
end

-- ---- messages ----

--- Makes the function that reports on stderr why a subcommand refuses.
-- @tparam string name of the subcommand
-- @treturn function refuse(text, ...) returns the values after the text, such as nil or a status
function subcommand.refuser(name)
  return function(text, ...)
    io.stdout:flush()
    output.err:write("clue ", name, ": ", text, "\n")
    return ...
  end
end

-- ---- a run ----

local function new_parser(self)
  local parser = argparse("clue " .. self.name, self.about):add_help(false):help_max_width(80)
  self.options(parser)
  parser:argument("surplus"):args "*":hidden(true) -- argparse itself does not name the word that is too much
  parser:option("--color", "colours: auto (in a terminal without NO_COLOR), always or never"):argname "WHEN"
    :choices {"auto", "always", "never"}
  parser:flag("-h --help", "print this and exit")
  return parser
end

local function holds_help(words)
  return lists.any(words, function(word) return word == "-h" or word == "--help" end)
end

-- The argument that is missing, as the help describes it: argparse has only the name of its field.
local function missing(parser, name)
  for _, argument in ipairs(parser._arguments) do
    if argument._name == name then
      local shown = argument._argname or name
      return ("missing %s: %s"):format(type(shown) == "table" and shown[1] or shown, argument._description)
    end
  end
end

-- What to say of a negative number after an option: to argparse, whatever begins with - is an option.
local function negative(parser, words, typed)
  local names = lists.set(lists.flat(parser._options, function(option) return option._aliases end))
  for i, word in ipairs(typed:find "^%-[%d.]" and words or {}) do
    local option = word == typed and words[i - 1]
    if names[option] then
      return ("%s: a value that begins with - is joined by =: %s=%s"):format(option, option, typed)
    end
  end
end

-- argparse's reason, with a guess of ours: its own begins a line and a sentence, and knows only one wrong letter.
local function reason(self, parser, words, text)
  local first = text:match "^[^\n]*"
  local typed, absent = first:match "^unknown option '(.*)'$", first:match "^missing argument '(.*)'$"
  if not typed then return absent and missing(parser, absent) or text end
  local number = negative(parser, words, typed)
  if number then return number end
  local instead = self.instead and self.instead[typed:match "^%-*([^=]*)"]
  if instead then return ("%s: %s"):format(first, instead) end
  local guess = misspelt.guess(typed, lists.flat(parser._options, function(option) return option._aliases end))
  return first .. (guess == "" and self.otherwise or guess)
end

-- An option's name, "--output"; nil for an argument, which has none.
local function name_of(element)
  local name
  for _, alias in ipairs(element._aliases or {}) do name = alias:find "^%-%-" and alias or name or alias end
  return name
end

local function value_of(element, options)
  return options[element._target or element:_get_default_target()]
end

-- The files that options and arguments name.
-- purpose: "reads" or "writes"
local function files_named(parser, options, purpose)
  local files = {}
  for _, element in ipairs(lists.joined(parser._arguments, parser._options)) do
    local value = element[purpose] and value_of(element, options)
    for _, path in ipairs(type(value) == "table" and value or {value or nil}) do
      if purpose == "reads" and path == "-" then path = "/dev/stdin" end
      files[#files + 1] = {name = name_of(element), path = path, purpose = purpose}
    end
  end
  return files
end

-- Why an option's file cannot be written beside another one that is read or written; nil if it can. What is not there
-- is not read: the word may be a walkthrough's name.
local function collision(it, other)
  if other.purpose == "reads" and not require("lfs").attributes(other.path) then return nil end
  if not require("clue.shared.paths").same(other.path, it.path) then return nil end
  if other.purpose == "writes" then
    return ("%s and %s would both write %s: give each a file of its own"):format(other.name, it.name, it.path)
  end
  return ("%s would replace %s, which is read: give it another file"):format(it.name, it.path)
end

-- Why files cannot be written. What compares paths is loaded only if there are two, since `clue doctor` must start
-- without LuaFileSystem.
local function clash(parser, options)
  local files = files_named(parser, options, "reads")
  for _, it in ipairs(files_named(parser, options, "writes")) do
    if it.path == "" then return it.name .. ": the name of the file is empty" end
    if it.path == "-" then return it.name .. ": - is no file's name here; /dev/stdout is standard output" end
    for _, other in ipairs(files) do
      local why = collision(it, other)
      if why then return why end
    end
    files[#files + 1] = it
  end
end

-- What `clue FILE.mq5` says, if such a file stands in a script's place; nil otherwise. The modules are loaded only
-- then, as above.
local function about_mql5(parser, options)
  for _, argument in ipairs(parser._arguments) do
    local path = value_of(argument, options)
    local may_be = (argument.completes or ""):find(".lua", 1, true) and type(path) == "string"
    if may_be and require("clue.shared.mql5_source").is(path) then
      local text, why = require("clue.file").read(path)
      return text and require("clue.shared.mql5_source").describe(path, text) or why
    end
  end
end

local function run(self, words, ...)
  local parser = new_parser(self)
  if holds_help(words) then -- whatever else is wrong
    self.explain(parser)
    return 0
  end
  local understood, options = parser:pparse(words)
  if not understood then return self.wrong_use(reason(self, parser, words, tostring(options))) end
  if options.surplus[1] then return self.wrong_use(("too many arguments: '%s'"):format(options.surplus[1])) end
  local why = clash(parser, options) or about_mql5(parser, options)
  if why then return self.refuse(why, 2) end
  output.colours = options.color or "auto"
  return self.work(options, ...)
end

--- The options that were given, besides --color and those that have a default.
-- @tparam table options as it parsed them
-- @treturn {string,...} their names, "--steps"
function subcommand.given(parser, options)
  return lists.map(parser._options, function(option)
    local name = name_of(option)
    local is_its = option._default == nil and name ~= "--color"
    return is_its and is_given(value_of(option, options)) and name or nil
  end)
end

--- Makes a subcommand, which a module clue.command.NAME returns.
-- @tparam table of name; summary: a line for `clue --help`; group: the heading above it, of clue.manual.overview's;
--   about: the first lines of --help; page: what docs/ has about it; instead: what to say of words that are no options
--   of it, but of others or of other programs: {list = "..."} for --list; otherwise: what to say of any word that is
--   none, and like none
-- @treturn table with run(args), which the host calls; parser(), for who describes it; explain(), which prints its
--   --help; and what its module may call: refuse(text, ...), see @{refuser}; wrong_use(text), which returns 2;
--   failed(why), save_json(path, document, order) and attempt(work, ...), see below.
--   The module adds options(parser), which adds its own; work(options, ...), which returns the exit status; and, if the
--   parser needs other words than those given, words(args, self), which returns the parser's words, and the other
--   arguments of work
function subcommand.new(of)
  local self = of
  self.refuse = subcommand.refuser(self.name)
  self.words = self.words or function(args) return args end
  function self.run(args) return run(self, self.words(args, self)) end
  function self.parser() return new_parser(self) end

  -- Prints --help.
  function self.explain(parser)
    output.print((parser or new_parser(self)):get_help())
    if self.page then output.print(("\nMore: clue help %s"):format(self.page:match "[^/]*$")) end
  end

  -- Reports wrong words.
  function self.wrong_use(text)
    local help = ("`clue %s --help` lists the options"):format(self.name)
    return self.refuse(misspelt.join(text:gsub("\n", "; "), help), 2)
  end

  -- Reports why something failed, and returns the exit status.
  function self.failed(why)
    output.clear_progress()
    return self.refuse(tostring(why), clue_options.interrupted(why) and 130 or 1)
  end

  -- Writes a document into the file of --json, if there is one; order: names that come first. Returns false after
  -- reporting that it cannot be written.
  function self.save_json(path, document, order)
    if not path then return true end
    local saved, why = require("clue.file").save(path, require("clue.shared.json").text(document, true, order) .. "\n")
    return saved or self.refuse("--json: cannot write " .. why, false)
  end

  -- Returns the exit status of work(...), or of its failure if it raised.
  function self.attempt(work, ...)
    local done, status = pcall(work, ...)
    return done and status or self.failed(status)
  end

  return self
end

--- Makes a subcommand that this system lacks: it says why, and its status is 1.
-- @tparam table of name, group, summary; about: why
-- @treturn table as @{new} does
function subcommand.absent(of)
  local self = subcommand.new(of)
  function self.options() end
  function self.run(args)
    if args[1] ~= "--help" and args[1] ~= "-h" then return self.refuse(self.about, 1) end
    output.print(self.about)
    return 0
  end
  return self
end

return subcommand
