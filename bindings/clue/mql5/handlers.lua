--- MQL5's event handlers, as far as a script has them: OnStart(), with OnInit() before and OnDeinit() after it. Scripts
-- are ported with them, so what nobody would call is found: a handler that clue does not call, and one under a name
-- that Lua tells apart (Onstart) or hides (local function OnStart).
local file = require "clue.file"
local literals = require "clue.literals"

local handlers = {}

-- By their names in small letters.
local known = {}
for name in ([[OnStart OnInit OnDeinit OnTick OnTimer OnTrade OnTradeTransaction OnBookEvent OnChartEvent OnCalculate
  OnTester OnTesterInit OnTesterDeinit OnTesterPass]]):gmatch "%S+" do
  known[name:lower()] = name
end

local called = {OnStart = true, OnInit = true, OnDeinit = true}

-- The code of a script, without comments and strings; "" if it cannot be read again, as standard input.
local function code_of(script)
  local text = file.read(script)
  return text and (literals.mask(text)) or ""
end

-- A name of its own, not the end of another or a field's.
local function word(name)
  return "%f[%w_.:]" .. name .. "%f[^%w_]"
end

-- Whether the code mentions a name other than to define it: a script may call its own handler.
local function is_used(code, name)
  for _, definition in ipairs {"local%s+function%s+", "function%s+", "local%s+"} do
    code = code:gsub(definition .. word(name), "")
  end
  return code:gsub(word(name) .. "%s*=[^=]", ""):find(word(name)) ~= nil
end

local function is_local(code, name)
  return code:find("local%s+function%s+" .. word(name)) or code:find("local%s+" .. word(name))
end

-- The global functions with a handler's name, however it is written, which the code does not use.
local function unused(code)
  local list = {}
  for name, member in pairs(_G) do
    local is_handler = type(name) == "string" and type(member) == "function" and known[name:lower()]
    if is_handler and not is_used(code, name) then list[#list + 1] = name end
  end
  table.sort(list)
  return list
end

local function listed(names)
  if #names == 1 then return names[1] end
  return table.concat(names, ", ", 1, #names - 1) .. " and " .. names[#names]
end

--- Finds out why a script does not do what its handlers say.
-- @tparam string script its path
-- @treturn ?string the reason; nil if there is nothing to say
function handlers.problem(script)
  local code = code_of(script)
  local list, has_start = unused(code), rawget(_G, "OnStart") ~= nil
  for _, name in ipairs(list) do
    local right = known[name:lower()]
    if called[right] and right ~= name and rawget(_G, right) == nil then
      return ("the script defines %s, which nothing calls: is %s meant?"):format(name, right)
    end
  end
  if has_start then return nil end
  if is_local(code, "OnStart") and not is_used(code, "OnStart") then
    return "OnStart is local, so clue cannot call it: write `function OnStart()` without local"
  end
  if #list == 0 then return nil end
  return ("the script defines %s, but no OnStart(): clue calls only OnStart(), with OnInit() before and OnDeinit() "
    .. "after it; call the others from OnStart()"):format(listed(list))
end

--- A handler that clue calls around OnStart(), unless the script calls it itself.
-- @tparam string script its path
-- @tparam string name OnInit or OnDeinit
-- @treturn ?function
function handlers.around(script, name)
  local handler = rawget(_G, name)
  if type(handler) ~= "function" or is_used(code_of(script), name) then return nil end
  return handler
end

return handlers
