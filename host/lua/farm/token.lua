--- A word that nobody else can know: lines of a host that begin with it are its answers.
-- @module clue.farm.token

--- Makes one.
-- @treturn string 32 hexadecimal digits
return function()
  local file = assert(io.open("/dev/urandom", "rb"))
  local bytes = file:read(16)
  file:close()
  return (bytes:gsub(".", function(byte) return ("%02x"):format(byte:byte()) end))
end
