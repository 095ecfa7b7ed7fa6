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
local gpu = require "clue.gemm.gpu"
local sizes = require "clue.compute.sizes"
local storage = require "clue.gemm.storage"
local types = require "clue.compute.types"
local widened = require "clue.gemm.widened"

local gemm = {}

local forms = {cpu = cpu, gpu = gpu} -- by sizes.form
local known_types = {float = true, double = true, int = true, half = true, char = true}

local call_options = {
  alpha = "number", beta = "number", transpose_a = "boolean", transpose_b = "boolean", lda = "whole", ldb = "whole",
  ldc = "whole", a_offset = "whole", b_offset = "whole", c_offset = "whole",
}

local LIMIT = 2 ^ 31

-- A factor. Those of int and char are whole numbers.
local function factor(self, given, name, default)
  if given == nil then return default end
  return storage.sum(self.type_name) == "int" and argument.whole(given, name, -LIMIT, LIMIT) or given
end

-- The values of a call, all of them checked.
local function values(self, given, where)
  local names = {"M", "N", "K"}
  for i, name in ipairs(names) do argument.whole(given[i], name, 0, LIMIT) end
  local m, n, k = given[1], given[2], given[3]
  local made = {m = m, n = n, k = k, alpha = factor(self, where.alpha, "alpha", 1),
                beta = factor(self, where.beta, "beta", 0), a = given[4], b = given[5], c = given[6],
                transpose_a = where.transpose_a or false, transpose_b = where.transpose_b or false}
  storage.matrix(made, where, "a", made.transpose_a and k or m, made.transpose_a and m or k, self.bytes)
  storage.matrix(made, where, "b", made.transpose_b and n or k, made.transpose_b and k or n, self.bytes)
  storage.matrix(made, where, "c", m, n, self.c_bytes)
  storage.refuse_sharing(made, "a", self.bytes, self.c_bytes)
  storage.refuse_sharing(made, "b", self.bytes, self.c_bytes)
  if made.alpha == 0 then made.k = 0 end -- A and B are not read
  return made
end

--- Computes C = alpha A B + beta C.
-- @function call
-- @tparam gemm self
-- @tparam queue queue
-- @param ... optionally a table of options (@{clue.gemm.new}), and M, N, K, A, B, C
-- @treturn event
local function call(self, queue, ...)
  queue = algorithm.queue(queue)
  local given, where = algorithm.given(self, call_options, ...)
  local made = values(self, given, where)
  if made.m == 0 or made.n == 0 then return (queue:marker()) end
  return (self.form.run(self.made, queue, made))
end

local new = algorithm.class("gemm", call)

-- The form for a type on a context's device: the script's, or that of the device's kind.
local function form_of(context, type_name, given)
  local own = forms[(sizes.form(context))]
  local form = given == nil and own or argument.word(given, forms, "form of products")
  if form == cpu and own ~= cpu then
    argument.fail("products in the form for CPUs need a CPU whose driver ends no loops; %s is none",
      context.device.name)
  end
  return form == cpu and storage.sum(type_name) ~= type_name and widened or form
end

local known_precisions = {tf32 = true}

local function check_precision(type_name, precision)
  if precision == nil then return end
  argument.word(precision, known_precisions, "precision of products")
  if type_name ~= "float" then argument.fail("precision = \"%s\" is for float, not %s", precision, type_name) end
end

--- Makes matrix products of a type, or finds them if the context has made them before.
-- @tparam context context
-- @tparam string type_name of the elements: "float", "double", "int", "half", whose sums are
--   float, or "char", for which C and the sums are int
-- @tparam[opt] table options options: of the build, as for context:program; form: "cpu" or "gpu", in place of the one
--   for the device's kind; parameters: of the form, by name, in place of those for the device (a tuner's); portable:
--   true for a GPU form without instructions of one vendor; precision: "tf32" allows products of float whose factors
--   are rounded to TF32's 11 bits, where tensor cores have them
-- @treturn gemm call it with a queue, optionally a table, and M, N, K, A, B, C: C (M x N) = alpha A (M
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
  options = argument.options(options, "options", {options = "checked", form = "text", parameters = "list",
                                                    portable = "boolean", precision = "text"})
  check_precision(type_name, options.precision)
  local form, words = form_of(context, type_name, options.form), {type_name, storage.key(options.parameters)}
  return (algorithm.keep(context, "gemm", words, {options = options.options, form = options.form,
                                                  portable = options.portable, precision = options.precision},
    function()
      local bytes = types.bytes(type_name)
      return new {name = "gemm", signature = {text = "M, N, K, A, B, C", {}, {}, {}, {}, {}, {}}, form = form,
                  type_name = type_name, bytes = bytes, c_bytes = types.bytes(storage.result(type_name)),
                  made = form.new(context, type_name, bytes, options)}
    end))
end

return gemm
