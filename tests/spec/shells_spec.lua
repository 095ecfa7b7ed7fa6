-- Tab in a real bash and a real zsh, with the completion that the program prints: tests/terminal/talk types.
-- suite: whole
-- tools: bash-completion zsh
local support = require "support"

local talk = support.built "terminal/talk"

-- Types into a shell that has read the completion, and returns what the terminal showed.
local function typed(words, steps, files)
  local folder = support.folder()
  for name, text in pairs(files) do support.write(text, folder .. "/" .. name) end
  local all = support.words({talk, "/usr/bin/env", "-i", "HOME=" .. folder, "ZDOTDIR=" .. folder, "TERM=xterm",
    "OCL_ICD_VENDORS=" .. os.getenv "OCL_ICD_VENDORS", "PATH=" .. support.clue:match "^(.*)/" .. ":/usr/bin:/bin",
    "sh", "-c", 'cd "$HOME" && exec "$@"', "sh"}, words)
  return (support.ended(0, support.execute(all, nil, steps)))
end

local dialogue = [[
expect ready>
send clue wal\t
expect clue walk
send  mq\t
expect mql5
send  --res\t
expect --resume
send \x15
send clue --device cp\t
expect cpu
send \x15
send clue hell\t
expect hello.lua
send \x15
send clue walk \t\t
expect submatrix
send \x15
send exit\r
]]

-- A beep between typed letters would part the words that are expected.
local start = "PS1='ready> '; setopt NO_BEEP; autoload -U compinit && compinit -u\n"

local scripts = {["hello.lua"] = "", ["hello.txt"] = ""}

local function with(more)
  local all = {}
  for name, text in pairs(scripts) do all[name] = text end
  for name, text in pairs(more) do all[name] = text end
  return all
end

describe("Tab", function()
  it("completes in bash, and a list says what the words are", function()
    local out = typed({"bash", "--noprofile", "--rcfile", ".rc", "-i"}, dialogue,
      with {[".rc"] = "PS1='ready> '; source <(clue completion bash)\n"})
    assert.matches("mql5 +%(matrix product as an MQL5 script%)", out)
    assert.not_matches("hello.txt", out, 1, true)
  end)

  it("completes in zsh, and a list says what the words are", function()
    local out = typed({"zsh", "-i"}, dialogue,
      with {[".zshrc"] = start .. "source <(clue completion zsh)\n"})
    assert.matches("mql5 +%-%- matrix product as an MQL5 script", out)
  end)

  it("completes in zsh from a file of its own, as it is installed", function()
    local script = select(2, support.run {"completion", "zsh"})
    typed({"zsh", "-i"}, "expect ready>\nsend clue wal\\t\nexpect clue walk\nsend \\x15\nsend exit\\r\n",
      {[".zshrc"] = "fpath=($HOME $fpath); " .. start, ["_clue"] = script})
  end)
end)
