-- MQL5's matrix and vector types, their elements, methods and operators, and complex numbers.
-- suite: quick
-- process: shared

local array = require "clue.array"
local mql5 = require "clue.mql5"
local support = require "support"

local unpack = rawget(table, "unpack") or rawget(_G, "unpack")
local matrix, vector, complex = mql5.matrix, mql5.vector, mql5.complex

local function assert_raises(pattern, body)
  local done, problem = pcall(body)
  assert.is_false(done, pattern)
  assert.matches("mql5_matrix_type_spec%.lua:%d+: " .. pattern, tostring(problem))
end

describe("matrix and vector", function()
  it("hold double, float or complex, filled with zeros, a value or a table's elements", function()
    local m, mf, mc = matrix(2, 3), mql5.matrixf(3, 1, 0.5), mql5.matrixc(1, 2, complex(1, 2))
    assert.same({"double", 2, 3, 6}, {m:type(), m.Rows(), m.Cols(), #m})
    assert.same({"float", 3, 1, 0.5}, {mf:type(), mf.Rows(), mf.Cols(), mf[2][0]})
    assert.same({"complex", 1, 2, 2}, {mc:type(), mc.Rows(), mc.Cols(), #mc})
    assert.equal(complex(1, 2), mc[0][1])
    assert.same({"double", 4, 7}, {vector(4, 7):type(), vector(4, 7).Size(), vector(4, 7)[3]})
    assert.same({"float", 2}, {mql5.vectorf(2):type(), #mql5.vectorf(2)})
    assert.equal(complex(0), mql5.vectorc(1)[0])
    assert.same({0, 0, 0}, {matrix().Rows(), matrix().Cols(), #vector()})
    assert.same({3, 6}, {matrix {{1, 2, 3}, {4, 5, 6}}[0][2], matrix {{1, 2, 3}, {4, 5, 6}}[1][2]})
    assert.equal(2, vector {1, 2}[1])
  end)

  it("refuse numbers that float does not hold, at the script's line", function()
    local v = mql5.vectorf(2)
    assert_raises("vectorf: element 0 of float%[3%] cannot be 1e%+300", function() mql5.vectorf(3, 1e300) end)
    assert_raises("matrix.Fill: element 0 of float%[2%] cannot be 1e%+300", function() v.Fill(1e300) end)
    assert_raises("element 1 of float%[2%] cannot be %-1e%+300", function() v[1] = -1e300 end)
    v[0], v[1] = 1 / 0, -3.4028234663852886e+38
    assert.same({1 / 0, -3.4028234663852886e+38}, {v[0], v[1]})
  end)

  it("are made by static methods", function()
    local m = mql5.matrixf.Zeros(2, 3)
    assert.same({"float", 2, 3, 0}, {m:type(), m.Rows(), m.Cols(), m.Sum()})
    assert.same({1, 1, 1, 1}, matrix.Ones(2, 2):table())
    assert.same({5, 5}, matrix.Full(1, 2, 5):table())
    assert.same({1, 0, 0, 0, 1, 0}, matrix.Identity(2, 3):table())
    assert.same({0, 1, 0, 0, 0, 1}, matrix.Eye(2, 3, 1):table())
    assert.same({0, 0, 1, 0, 0, 1}, matrix.Eye(3, 2, -1):table())
    assert.equal(complex(1, 2), mql5.matrixc.Full(1, 1, complex(1, 2))[0][0])
    assert.same({"float", 0, 0}, {mql5.vectorf.Zeros(2):type(), unpack(mql5.vectorf.Zeros(2):table())})
    assert.same({1, 1}, vector.Ones(2):table())
    assert.same({3, 3}, vector.Full(2, 3):table())
    assert_raises("matrix.Zeros: rows must be a whole number of 0 or more, got %-1", function() matrix.Zeros(-1, 2) end)
    assert_raises("vector.Ones: size must be a whole number of 0 or more, got nil", function() vector.Ones() end)
    assert_raises("matrixf.Inv: there is no such method of the type; an object of it may have one", function()
      return mql5.matrixf.Inv
    end)
  end)

  it("are set by a function", function()
    local function count(m, from)
      for row = 0, m.Rows() - 1 do
        for column = 0, m.Cols() - 1 do m[row][column] = from + row * m.Cols() + column end
      end
    end
    local m = mql5.matrixf(2, 2, count, 10)
    assert.same({10, 11, 12, 13}, m:table())
    m.Init(1, 3, count, 0)
    assert.same({0, 1, 2}, m:table())
    local function set(v) v[0] = 7 end
    local v = vector(2, set)
    assert.same({7, 0}, v:table())
    v.Init(1, set)
    assert.same({7}, v:table())
    assert_raises("here", function() matrix(1, 1, function() error "here" end) end)
  end)

  it("sum up, and find the least and the greatest, along an axis too", function()
    local m = matrix {{10, 3, 2}, {1, 8, 12}, {6, 5, 4}, {7, 11, 9}}
    assert.equal(78, m.Sum())
    assert.same({24, 27, 27}, m.Sum(0):table())
    assert.same({15, 21, 15, 27}, m:Sum(1):table())
    assert.same({1, 12, 6.5}, {m.Min(), m.Max(), m.Mean()})
    assert.same({1, 3, 2}, m.Min(0):table())
    assert.same({10, 12, 6, 11}, m.Max(1):table())
    assert.same({5, 7, 5, 9}, m.Mean(1):table())
    assert.same({60, 96, 120, 693}, m.Prod(1):table())
    local v = vector {1, 2, 0 / 0, 4}
    assert.same({1, 4}, {v.Min(), v:Max()})
    assert.same({0, 1}, {vector().Sum(), vector().Prod()})
    assert.equal(complex(4, 6), mql5.vectorc {complex(1, 2), complex(3, 4)}.Sum())
    assert.equal("float", mql5.matrixf(2, 2).Sum(0):type())
    assert_raises("matrix.Mean: the vector has no elements", function() vector().Mean() end)
    assert_raises("matrix.Sum: axis must be left out for a vector, got 0", function() v.Sum(0) end)
    assert_raises("matrix.Sum: axis must be 0, for columns, or 1, for rows, got 2", function() m.Sum(2) end)
    assert_raises("matrix.Max: complex numbers have no order", function() mql5.vectorc(1).Max() end)
  end)

  it("count the elements that differ", function()
    local m, n = matrix {{1, 2}, {3, 4}}, matrix {{1, 2.001}, {3, -4}}
    assert.same({1, 2, 0}, {m.Compare(n, 0.01), m.Compare(n, 0.0001), m.Compare(m, 0)})
    assert.same({1, 2}, {m:Compare(n, 0.01), m.CompareByDigits(n, 5)})
    assert.same({1, 0}, {m.CompareByDigits(n, 3), vector {1e-20, 2}.CompareByDigits(vector {1.0001e-20, 2.0001}, 4)})
    assert.same({2, 2}, {vector {0, 0 / 0}.CompareByDigits(vector {1e-30, 0 / 0}, 3),
      vector {1 / 0, 0 / 0}.Compare(vector {-1 / 0, 0 / 0}, 1)})
    assert.equal(0, vector {1 / 0}.Compare(vector {1 / 0}, 1))
    assert.equal(1, mql5.vectorc {complex(0, 0), complex(3, 4)}.Compare(mql5.vectorc(2), 4.9))
    assert_raises("matrix.Compare: sizes differ: 2 x 2 and 1 x 4", function() m.Compare(matrix(1, 4), 1) end)
    assert_raises("matrix.Compare: epsilon must be a number, got nil", function() m.Compare(n) end)
    assert_raises("matrix.CompareByDigits: digits must be a whole number of 1 or more, got 0", function()
      m.CompareByDigits(n, 0)
    end)
  end)

  it("name MQL5's methods that they lack", function()
    assert_raises("clue's matrices and vectors lack MQL5's Inv: `clue help functions.md#matrices%-and%-vectors` lists",
      function() return matrix(1, 1).Inv() end)
  end)

  it("have elements by row and column", function()
    local m = matrix(2, 2)
    m[0][1], m[1][0] = 5, -1
    local row = m[1]
    row[1] = 9
    assert.same({0, 5, -1, 9}, {m[0][0], m[0][1], m[1][0], m[1][1]})
    assert.equal(2, #row)
    assert.equal(row, m[1])
    local v = vector(2)
    v[1] = 3
    assert.same({0, 3}, {v[0], v[1]})
  end)

  it("round to float where they are of float", function()
    local m = mql5.matrixf(1, 1)
    m[0][0] = 0.1
    assert.equal(array.float {0.1}[0], m[0][0])
  end)

  it("answer a dot as well as a colon", function()
    local m = matrix {{1, 2}, {3, 4}}
    assert.same({m.Rows(), m.Cols()}, {m:Rows(), m:Cols()})
    local square = m.MatMul(m)
    assert.equal(tostring(square), tostring(m:MatMul(m)))
    assert.equal("[[7,10]\n [15,22]]", tostring(square))
    assert.equal("[3,4]", tostring(m.Row(1)))
    assert.equal("[3,4]", tostring(m:Row(1)))
    m.Fill(1)
    m:Fill(2)
    assert.equal("[[2,2]\n [2,2]]", tostring(m))
    local v = vector {1, 2}
    assert.same({5, 5}, {v.Dot(v), v:Dot(v)})
  end)

  it("print as in MQL5 #once", function()
    local _, out = support.run_script [[
      Print(matrix {{1, 2.5}, {-3, 0}})
      Print("v: ", vector {1, 2}, " ", matrix {{1, 2}}[0])
      Print(matrixc {{complex(1, -2), 3}}, complex(-3, 4))
      Print(matrix(0, 0), vector(0))]]
    assert.equal("[[1,2.5]\n [-3,0]]\nv: [1,2] [1,2]\n[[(1,-2),(3,0)]](-3,4)\n[][]\n", out)
  end)

  it("change their size", function()
    local m = matrix {{1, 2, 3}, {4, 5, 6}}
    assert.is_true(m.Resize(3, 2))
    assert.equal("[[1,2]\n [4,5]\n [0,0]]", tostring(m))
    m.Reshape(2, 4)
    assert.equal("[[1,2,4,5]\n [0,0,0,0]]", tostring(m))
    m.Init(1, 2)
    assert.equal("[[0,0]]", tostring(m))
    m.Init(2, 1, 7)
    assert.equal("[[7]\n [7]]", tostring(m))
    local v = vector {1, 2, 3}
    assert.is_true(v.Resize(2))
    v.Resize(3)
    assert.equal("[1,2,0]", tostring(v))
    v.Init(2, 5)
    assert.equal("[5,5]", tostring(v))
    local c = mql5.matrixc {{complex(1, 1), 2}, {3, 4}}
    c.Resize(1, 3)
    assert.equal("[[(1,1),(2,0),(0,0)]]", tostring(c))
    c.Reshape(3, 1)
    assert.equal("[[(1,1)]\n [(2,0)]\n [(0,0)]]", tostring(c))
  end)

  it("give and take rows and columns", function()
    local m = matrix {{1, 2, 3}, {4, 5, 6}}
    assert.equal("[2,5]", tostring(m.Col(1)))
    assert.is_true(m.Row(vector {7, 8, 9}, 0))
    assert.is_true(m:Col(vector {0, -1}, 2))
    assert.equal("[[7,8,0]\n [4,5,-1]]", tostring(m))
    assert.equal("[[7,4]\n [8,5]\n [0,-1]]", tostring(m.Transpose()))
    assert_raises("matrix.Row: row 2 is outside 0 to 1", function() m.Row(2) end)
    assert_raises("matrix.Col: a vector of 2 elements is needed, not 1", function() m.Col(vector(1), 0) end)
  end)

  it("are copied into others", function()
    local m, copy = matrix {{1, 2}}, matrix()
    assert.is_true(copy.Copy(m))
    copy[0][0] = 9
    assert.same({1, 9}, {m[0][0], copy[0][0]})
    local single = mql5.matrixf()
    assert.is_true(single.Assign(m))
    assert.equal("[[1,2]]", tostring(single))
    assert.is_true(m.Assign(m))
    assert_raises("matrix.Copy: the operand must be a matrixf, got a matrix; m%.Assign%(n%) converts double and float",
      function() single.Copy(m) end)
    assert_raises("matrix.Assign: the operand must be a matrix of numbers, got a vector", function()
      m.Assign(vector(2))
    end)
    assert_raises("matrix.Assign: the operand must be a matrix of numbers", function() m.Assign(mql5.matrixc(1, 1)) end)
  end)

  it("multiply matrices and vectors", function()
    local m, v = matrix {{1, 2, 3}, {4, 5, 6}}, vector {1, 0, -1}
    assert.equal("[[14,32]\n [32,77]]", tostring(m.MatMul(m.Transpose())))
    assert.equal("[-2,-2]", tostring(m.MatMul(v)))
    assert.equal("[9,12,15]", tostring(vector {1, 2}.MatMul(m)))
    assert.equal("float", mql5.matrixf(1, 1, 2).MatMul(mql5.matrixf(1, 1, 3)):type())
    local c = mql5.matrixc {{complex(0, 1), 1}}
    assert.equal("[[(0,0)]]", tostring(c.MatMul(c.Transpose())))
    assert.equal("[(0,1)]", tostring(c.MatMul(mql5.vectorc {1, 0})))
    assert.equal(complex(-3, 4), mql5.vectorc {complex(1, 2)}.Dot(mql5.vectorc {complex(1, 2)}))
    assert.equal("[[]\n []]", tostring(matrix(2, 0).MatMul(matrix(0, 0))))
    assert_raises("matrix.MatMul: 2 x 3 times 2 x 3: the left one must have as many columns as the right one has rows",
      function() m.MatMul(m) end)
    assert_raises("matrix.MatMul: the operand must be a matrix or a vector, got a matrix", function()
      m.MatMul(mql5.matrixf(3, 1))
    end)
    assert_raises("vector.Dot: vectors of 3 and 2 elements", function() v.Dot(vector(2)) end)
    assert_raises("vector.MatMul: the operand must be a matrix, got a vector", function() v.MatMul(v) end)
  end)

  it("multiply exactly as sums in double do", function()
    local a, b = matrix(17, 23), matrix(23, 11)
    a:random(-1, 1, 1)
    b:random(-1, 1, 2)
    local c = a.MatMul(b)
    for i = 0, 16 do
      for j = 0, 10 do
        local sum = 0
        for k = 0, 22 do sum = sum + a[i][k] * b[k][j] end
        assert.equal(sum, c[i][j])
      end
    end
  end)

  it("have operators for elements of one size, and for numbers", function()
    local m = matrix {{1, 2}, {3, 4}}
    assert.equal("[[2,4]\n [6,8]]", tostring(m + m))
    assert.equal("[[0,0]\n [0,0]]", tostring(m - m))
    assert.equal("[[1,4]\n [9,16]]", tostring(m * m))
    assert.equal("[[0.5,1]\n [1.5,2]]", tostring(m / 2))
    assert.equal("[2,1]", tostring(2 / vector {1, 2}))
    assert.equal("[(0,1)]", tostring(mql5.vectorc {1} * complex(0, 1)))
    assert_raises("sizes differ: 2 x 2 and 1 x 2", function() return m + matrix(1, 2) end)
    assert_raises("the operand must be a matrix, got a vector$", function() return m + vector(2) end)
    assert_raises("the operand must be a matrix, got a matrixf; m%.Assign%(n%) converts double and float$",
      function() return m + mql5.matrixf(1, 1) end)
    assert_raises("the operand must be a matrix, got \"2\"", function() return m * "2" end)
  end)

  it("have the methods of arrays too, with a colon", function()
    local m = matrix {{1, 2}, {3, 4}}
    assert.same({10, 32, 2, 2, 3}, {m:sum(), m:bytes(), m:rows(), m:columns(), m:get(1, 0)})
    assert.equal(m, m:fill(5))
    assert.equal(20, m:sum())
    assert.is_nil(vector(3):rows())
    assert.equal(m:array(), m.array())
    m:array()[3] = 1
    assert.equal(1, m[1][1])
    assert.equal(32, mql5.matrixc(1, 2):bytes())
    assert_raises("call sum with a colon: a matrix expected before it, got nil", function() m.sum() end)
  end)

  it("refuse wrong indexes, values and names", function()
    local m, v = matrix(2, 3), vector(2)
    assert_raises("row 2 is outside 0 to 1", function() return m[2] end)
    assert_raises("row 0.5 is outside", function() return m[0.5] end)
    assert_raises("column 3 is outside 0 to 2", function() return m[0][3] end)
    assert_raises("column %-1 is outside", function() m[0][-1] = 1 end)
    assert_raises("a column must be a number, got \"x\"", function() return m[0].x end)
    assert_raises("index 2 is outside 0 to 1", function() return v[2] end)
    assert_raises("index 2 is outside 0 to 1", function() v[2] = 1 end)
    assert_raises("the element must be a number, got \"x\"", function() m[0][0] = "x" end)
    assert_raises("the element must be a number, got nil", function() v[0] = nil end)
    assert_raises("the element must be a number or a complex number, got nil", function()
      mql5.vectorc(1)[0] = nil
    end)
    assert_raises("write m%[row%]%[column%] = value", function() m[0] = v end)
    assert_raises("a matrix has no method \"Row_\": is Row meant%?", function() return m.Row_ end)
    assert_raises("a matrix is indexed by a number or the name of a method, not by a table", function()
      return m[{}]
    end)
    assert_raises("a vector is indexed by a number or the name of a method, not by true", function() return v[true] end)
    assert_raises("a vector has no method \"Rows\"", function() return v.Rows() end)
    local row = m[1]
    m.Resize(1, 3)
    assert_raises("row 1 is outside 0 to 0", function() return row[0] end)
  end)

  it("refuse wrong sizes", function()
    assert_raises("matrix: rows must be a whole number of 0 or more, got %-1", function() matrix(-1, 2) end)
    assert_raises('matrixf: columns must be a number, got "3"', function() mql5.matrixf(2, "3") end)
    assert_raises("vector: size must be a whole number of 0 or more, got 1%.5", function() vector(1.5) end)
    assert_raises("vectorf: value must be a number, got true", function() mql5.vectorf(1, true) end)
    assert_raises("matrix: value must be a number, got a complex number", function() matrix(1, 1, complex(1)) end)
    assert_raises("matrix: a table must have rows of equal length", function() matrix {{1, 2}, {3}} end)
    assert_raises("matrix: the element must be a number, got \"x\"", function() matrix {{"x"}} end)
    assert_raises("matrix.Resize: rows must be a whole number of 0 or more, got nil", function() matrix().Resize() end)
  end)

  -- This needs a process of its own: busted keeps what tests have made.
  it("are collected #once", function()
    local out = support.ended(0, support.run {"-e", [[
      local watched, alive = setmetatable({}, {__mode = "k"}), 0
      for i = 1, 100 do
        local m = matrix(4, 4)
        m[0][0] = m.Rows() + #m[1]
        watched[m] = true
      end
      collectgarbage()
      collectgarbage()
      for _ in pairs(watched) do alive = alive + 1 end
      print(alive < 5)
    ]]})
    assert.equal("true\n", out)
  end)
end)

describe("complex numbers", function()
  it("compute as such", function()
    local z = complex(1, 2)
    assert.same({1, 2}, {z.real, z.imag})
    assert.equal(complex(-3, 4), z * z)
    assert.equal(complex(2, 2), z + 1)
    assert.equal(complex(0, -2), 1 - z)
    assert.equal(complex(1, 0), z / z)
    assert.equal(complex(0.5, -0.5), 1 / complex(1, 1))
    assert.equal(complex(2, -2), complex(4, 4) / complex(0, 2))
    assert.equal(complex(-1, -2), -z)
    assert.not_equal(complex(1, 0), z)
    assert.equal("(0.1,-2)", tostring(complex(0.1, -2)))
    assert.equal(1e300, (complex(1e300, 1e300) / complex(1e300, 1e300)).real * 1e300)
  end)

  it("cannot be changed, and have two fields", function()
    local z = complex(1)
    assert_raises("a complex number cannot be changed", function() z.real = 2 end)
    assert_raises('a complex number has the fields real and imag, not "re"', function() return z.re end)
    assert_raises("complex: real must be a number, got nil", function() complex() end)
    assert_raises("an operand must be a number or a complex number, got \"x\"", function() return z + "x" end)
  end)
end)
