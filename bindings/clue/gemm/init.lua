--- context:gemm: the product of matrices, C = alpha A B + beta C.
--
--     local gemm = context:gemm "float"
--     gemm(queue, M, N, K, A, B, C)                                       -- C = A B
--     gemm(queue, {alpha = -1, beta = 1}, M, N, K, A, B, C)               -- C = C - A B
--     gemm(queue, {transpose_a = true, lda = 100, a_offset = 7}, M, N, K, A, B, C)
--
-- Matrices are stored by rows. A form for each kind of device plans and runs the product: {new = , run = }, as in
-- @{clue.gemm.cpu}. This module checks the call, and gives the form all of its values.
-- @module clue.gemm
local algorithm = require "clue.compute.algorithm"
local argument = require "clue.argument"
local cpu = require "clue.gemm.cpu"
local sizes = require "clue.compute.sizes"
local storage = require "clue.gemm.storage"
local types = require "clue.compute.types"

local gemm = {}

local forms = {cpu = cpu} -- by sizes.form
local known_types = {float = true, double = true}

local call_options = {
  alpha = "number", beta = "number", transpose_a = "boolean", transpose_b = "boolean", lda = "whole", ldb = "whole",
  ldc = "whole", a_offset = "whole", b_offset = "whole", c_offset = "whole",
}

local LIMIT = 2 ^ 31

-- The values of a call, all of them checked.
local function values(self, given, where)
  local names = {"M", "N", "K"}
  for i, name in ipairs(names) do argument.whole(given[i], name, 0, LIMIT) end
  local m, n, k = given[1], given[2], given[3]
  local made = {m = m, n = n, k = k, alpha = where.alpha or 1, beta = where.beta or 0, a = given[4], b = given[5],
                c = given[6], transpose_a = where.transpose_a or false, transpose_b = where.transpose_b or false}
  storage.matrix(made, where, "a", made.transpose_a and k or m, made.transpose_a and m or k, self.bytes)
  storage.matrix(made, where, "b", made.transpose_b and n or k, made.transpose_b and k or n, self.bytes)
  storage.matrix(made, where, "c", m, n, self.bytes)
  storage.refuse_sharing(made, "a", self.bytes)
  storage.refuse_sharing(made, "b", self.bytes)
  if made.alpha == 0 then made.k = 0 end -- A and B are not read
  return made
end

local function call(self, queue, ...)
  queue = algorithm.queue(queue)
  local given, where = algorithm.given(self, call_options, ...)
  local made = values(self, given, where)
  if made.m == 0 or made.n == 0 then return (queue:marker()) end
  return (self.form.run(self.made, queue, made))
end

local new = algorithm.class("gemm", call)

-- The form for a context's device.
local function form_of(context)
  local name = sizes.form(context)
  return forms[name]
    or argument.fail("matrix products run on CPUs so far: %s is not one, or its driver ends loops", context.device.name)
end

--- Makes matrix products of a type, or finds them if the context has made them before.
-- @tparam context context
-- @tparam string type_name of the elements: "float" or "double"
-- @tparam[opt] table options options: of the build, as for context:program; parameters: of the form, by name, in place
--   of those for the device (a tuner's)
-- @treturn function-like object: call it with a queue, optionally a table, and M, N, K, A, B, C: C (M x N) = alpha A (M
--   x K) B (K x N) + beta C. M, N and K are 0 or more; A, B and C are buffers or shared virtual memory. The table may
--   have:
--
--   - alpha (1), beta (0): numbers. If beta is 0, C is not read; if alpha is 0, A and B are not
--   - transpose_a, transpose_b: true if A is stored as K x M, B as N x K
--   - lda, ldb, ldc: the distance of rows as stored, in elements (the row's own length)
--   - a_offset, b_offset, c_offset: the index of the first element (0)
--
--   C must share no element with A and B. Returns an event (@{clue.event}).
function gemm.new(context, type_name, options)
  argument.word(type_name, known_types, "type of elements")
  options = argument.options(options, "options", {options = "checked", parameters = "list"})
  return (algorithm.keep(context, "gemm", {type_name, storage.key(options.parameters)}, {options = options.options},
    function()
      local form, bytes = form_of(context), types.bytes(type_name)
      return new {name = "gemm", signature = {text = "M, N, K, A, B, C", {}, {}, {}, {}, {}, {}}, form = form,
                  bytes = bytes, made = form.new(context, type_name, bytes, options)}
    end))
end

return gemm
