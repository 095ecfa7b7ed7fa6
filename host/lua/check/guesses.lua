--- Values of numbers with which something may be wrong that no try showed: the plugin guesses them from addresses that
-- are affine (host/simulator/check/guesses.h). Kernels are launched with them, and only what is then found is told.
-- @module clue.check.guesses
local guesses = {}

local MOST = 8 -- launches of a kernel

local function place_of(at)
  return at and ("%s:%s"):format(tostring(at.file), tostring(at.line)) or ""
end

local kinds = {["same value"] = "race", ["only atomics"] = "race", ["assumed size"] = "bounds"}

-- Of a race, it does not matter which place comes first.
local function key_of(it)
  local first, second = place_of(it.first), place_of(it.second)
  if second ~= "" and second < first then first, second = second, first end
  local kind = kinds[it.kind] or it.kind
  return table.concat({it.kernel, kind, first, kind == "race" and second or ""}, "|")
end

-- Whether the memory that an access would leave is as long as the kernel is told.
local function has_length(guess, assumed)
  for _, each in ipairs(assumed) do
    local argument = guess.argument and each.kernel == guess.kernel and each.arguments[guess.argument + 1]
    if argument then return argument.given end
  end
  return true
end

--- The tries that prove guesses.
-- @tparam {table,...} list guesses: kind, kernel, name (of the number), value, first and second (places: file, line);
--   argument: whose memory an access would leave
-- @tparam {table,...} found findings, which need no proof
-- @tparam {table,...} assumed of each kernel's launch
-- @treturn {table,...} as @{clue.check.tries.list} gives them, with kernel and proves
function guesses.proofs(list, found, assumed)
  local proofs, known, launched, counts = {}, {}, {}, {}
  for _, finding in ipairs(found) do known[key_of(finding)] = true end
  for _, guess in ipairs(list) do
    local text = ("%s = %d"):format(guess.name, guess.value)
    local launch, count = guess.kernel .. " " .. text, counts[guess.kernel] or 0
    if not (known[key_of(guess)] or launched[launch]) and count < MOST and has_length(guess, assumed) then
      counts[guess.kernel], launched[launch] = count + 1, true
      proofs[#proofs + 1] = {kernel = guess.kernel, values = {[guess.name] = guess.value}, text = text, proves = true}
    end
  end
  return proofs
end

return guesses
