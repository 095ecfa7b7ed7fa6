--- What all subcommands share: options and --help, their messages when they refuse, and their exit status.
--
--     local command = subcommand.new {name = "greet", summary = "say hello", about = "Says hello to a device."}
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
-- @module clue.shared.subcommand
local argparse = require "argparse"
local host = require "clue.options"
local output = require "clue.output"

local subcommand = {}

-- ---- options of several subcommands ----

--- Adds --device.
-- @tparam table parser of argparse
-- @tparam string text for the help
function subcommand.device(parser, text)
  parser:option("--device", text):argname "SPEC"
end

--- Adds --json with a file.
-- @tparam table parser of argparse
-- @tparam string text for the help
function subcommand.json_file(parser, text)
  parser:option("--json", text):argname "FILE"
end

local function seconds(text)
  local number = tonumber(text)
  if number and number > 0 and number < math.huge then return number end
  return nil, ("--time-limit: '%s' must be seconds, more than 0"):format(text)
end

--- Adds --time-limit: options.time_limit is a number.
-- @tparam table parser of argparse
-- @tparam string default seconds
-- @tparam string text for the help
function subcommand.time_limit(parser, default, text)
  parser:option("--time-limit", text):argname "SECONDS":default(default):convert(seconds)
end

--- Adds --help. Only a subcommand with places_help calls it.
-- @tparam table parser of argparse
function subcommand.help(parser)
  parser:flag("-h --help", "print this and exit")
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
  local parser = argparse("clue " .. self.name, self.about)
  parser:add_help(false)
  self.options(parser)
  if not self.places_help then subcommand.help(parser) end
  if not self.wide then parser:help_max_width(80) end
  return parser
end

local function holds_help(words)
  for _, word in ipairs(words) do
    if word == "-h" or word == "--help" then return true end
  end
  return false
end

local function run(self, words, ...)
  local parser = new_parser(self)
  local understood, options = parser:pparse(words)
  if understood and options.help or self.help_first and holds_help(words) then
    output.print(parser:get_help())
    return 0
  end
  if not understood then return self.wrong_use(tostring(options)) end
  return self.work(options, ...)
end

-- Reports wrong words.
local function with_usage(self, text)
  if self.shows_usage then return text .. "\n" .. new_parser(self):get_usage() end
  return ("%s; `clue %s --help` lists the options"):format(text:gsub("\n", "; "), self.name)
end

--- Makes a subcommand, which a module clue.command.NAME returns.
-- @tparam table of name; summary: a line for `clue --help`; about: the first lines of --help. Rarely: shows_usage:
-- wrong
--   use shows the usage instead of a hint at --help; help_first: --help works whatever else is wrong; wide: the help's
--   lines are not wrapped; places_help: options() adds --help itself, before others
-- @treturn table with run(args), which the host calls, and what its module may call: refuse(text, ...), see
--   @{refuser}; wrong_use(text), which returns 2; failed(why) and attempt(work, ...), see below. The module adds
--   options(parser), which adds its own; work(options, ...), which returns the exit status; and, if the parser needs
--   other words than those given, words(args), which returns the parser's words, and the other arguments of work
function subcommand.new(of)
  local self = of
  self.refuse = subcommand.refuser(self.name)
  self.words = self.words or function(args) return args end
  function self.run(args) return run(self, self.words(args)) end
  function self.wrong_use(text) return self.refuse(with_usage(self, text), 2) end

  -- Reports why something failed, and returns the exit status.
  function self.failed(why)
    output.clear_progress()
    return self.refuse(tostring(why), host.interrupted(why) and 130 or 1)
  end

  -- Returns the exit status of work(...), or of its failure if it raised.
  function self.attempt(work, ...)
    local done, status = pcall(work, ...)
    return done and status or self.failed(status)
  end

  return self
end

return subcommand
