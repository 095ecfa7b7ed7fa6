"""The operations of arrays_worker.lua by NumPy, each in its quickest way."""

import numpy

from serve import serve

SIZES = {"1e3": 10**3, "1e6": 10**6, "1e7": 10**7}
SOME = {"1e3": 10**3, "1e6": 10**6}
TYPES = {"uchar": numpy.uint8, "int": numpy.int32, "long": numpy.int64, "half": numpy.float16, "float": numpy.float32,
         "double": numpy.float64}
REAL, WHOLE = ("float", "double"), ("uchar", "int", "long")
CONVERSIONS = (("float", "double"), ("double", "float"), ("float", "int"), ("double", "int"), ("int", "float"),
               ("int", "double"), ("long", "double"), ("float", "half"), ("half", "float"), ("int", "uchar"))

generator = numpy.random.default_rng(1)
made = {}
operations = {}


def held(type_name, size, copy=False):
    """Arrays of whole numbers from 0 to 99, made when they are first used."""
    key = (type_name, size, copy)
    if key not in made:
        made[key] = generator.integers(0, 100, size).astype(TYPES[type_name])
    return made[key]


def add(name, type_names, work, sizes=None):
    """Adds an operation for each type and size: work(array, size, other array)."""
    for type_name in type_names:
        for size_name, size in (sizes or SIZES).items():
            def run(count, type_name=type_name, size=size):
                a, b = held(type_name, size), held(type_name, size, True)
                for _ in range(count):
                    work(a, size, b)
            operations[f"{name}, {type_name}, {size_name}"] = run


def convert(source, target):
    def work(count, size):
        a, b = held(source, size), held(target, size, True)
        for _ in range(count):
            numpy.copyto(b, a, casting="unsafe")
    return work


def load(type_name):
    def work(count, size):
        elements = held(type_name, size).tolist()
        for _ in range(count):
            numpy.array(elements, dtype=TYPES[type_name])
    return work


add("sum", REAL + WHOLE, lambda a, _, b: a.sum())
add("least and greatest", REAL + WHOLE, lambda a, _, b: (a.min(), a.max()))
add("their indices", REAL + WHOLE, lambda a, _, b: (a.argmin(), a.argmax()))
add("fill", REAL + WHOLE, lambda a, _, b: b.fill(3))
add("copy into", REAL + WHOLE, lambda a, _, b: numpy.copyto(b, a))
add("new copy", REAL + WHOLE, lambda a, _, b: a.copy())
add("equal", REAL + WHOLE, lambda a, _, b: numpy.array_equal(a, a))
add("random", REAL, lambda a, _, b: generator.random(dtype=b.dtype, out=b))
add("random", WHOLE, lambda a, size, b: generator.integers(0, 100, size, dtype=b.dtype))
add("allclose", REAL, lambda a, _, b: numpy.allclose(a, a))
add("norm", REAL, lambda a, _, b: numpy.linalg.norm(a))
add("new", REAL, lambda a, size, b: numpy.zeros(size, dtype=b.dtype))
add("to a table", ("float", "double", "int"), lambda a, _, b: a.tolist(), SOME)

for source, target in CONVERSIONS:
    for size_name, size in SIZES.items():
        operations[f"convert, {source} to {target}, {size_name}"] = (
            lambda count, work=convert(source, target), size=size: work(count, size))
for type_name in ("float", "double", "int"):
    for size_name, size in SOME.items():
        operations[f"from a table, {type_name}, {size_name}"] = (
            lambda count, work=load(type_name), size=size: work(count, size))

serve(operations)
