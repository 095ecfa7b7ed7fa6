--- NumPy's names for what arrays and buffers tell of themselves. A field that does not exist is nil in Lua, so a script
-- that reads one of these names would go on with nothing: it is refused, and the message has clue's word.
-- @module clue.foreign
local words = {
  array = {
    shape = "#a is the length of an array, a:rows() and a:columns() are those of a matrix",
    ndim = "a:rows() is nil unless the array is a matrix", dtype = "a:type() is the type's name",
    nbytes = "a:bytes() is the size", itemsize = "a:bytes() / #a is the size of an element",
  },
  ["device array"] = {
    ndim = "a:shape() returns the extents", dtype = "a:type() is the type's name",
    nbytes = "a:count() is the number of elements", itemsize = "a:type() is the type's name",
  },
  buffer = {
    shape = "buffer.size is in bytes, and a buffer has no other extent", nbytes = "buffer.size is in bytes",
    dtype = "a buffer is bytes; the type is that of the array which is written or read",
  },
}

--- Makes a function for an __index, which is called for a name that nothing has.
-- @tparam string kind "array", "device array" or "buffer"
-- @treturn function takes the object and the name; raises an error object for a word of NumPy's, else returns nil
return function(kind)
  local its = words[kind]
  return function(_, name)
    if not its[name] then return nil end
    -- LuaJIT keeps the array's type, and so this function, where clue's modules are loaded again.
    return require("clue.argument").fail("%s is NumPy's word: %s", name, its[name])
  end
end
