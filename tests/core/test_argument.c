/* Kernel arguments: what each takes, refusals by name and number, and buffers that a kernel keeps as arguments.
 *
 * suite: quick
 * drivers: pocl oclgrind rusticl */
#include "kept_context.h"

#include <math.h>

static const char *const set = "clSetKernelArg";
static const char *const enqueue = "clEnqueueNDRangeKernel";

static bool keep_information_back; /* as in a driver without information about arguments */
static size_t size_passed;         /* to the driver, when the last argument was set */
static unsigned char bytes_passed[16];

STUB(clGetKernelArgInfo) {
    return keep_information_back ? CL_KERNEL_ARG_INFO_NOT_AVAILABLE : NEXT(clGetKernelArgInfo);
}

STUB(clSetKernelArg) {
    size_passed = size;
    if (value && size <= sizeof bytes_passed) memcpy(bytes_passed, value, size);
    return NEXT(clSetKernelArg);
}

static void assert_passed(const void *bytes, size_t size) {
    assert_int_equal(size_passed, size);
    assert_memory_equal(bytes_passed, bytes, size);
}

/* ---- information about arguments ---- */

static const char *const many_types =
    "typedef float real; typedef int int2d;\n"
    "#define REAL float\n"
    "__kernel void f(__global float *buffer, const int n, unsigned int u, unsigned char c, REAL r, real q, float4 "
    "v,\n"
    "                float3 v3, __local float *l, __constant int *table, ulong big, int2d d, char16 c16,\n"
    "                signed short s, const __global uint *restrict in) { buffer[0] = n; }\n";

TEST(names_and_types_are_known) {
    static const char *const expected[][2] = {
        {"buffer", "float*"}, {"n", "int"},    {"u", "uint"},     {"c", "uchar"},  {"r", "float"},
        {"q", "real"},        {"v", "float4"}, {"v3", "float3"},  {"l", "float*"}, {"table", "int*"},
        {"big", "ulong"},     {"d", "int2d"},  {"c16", "char16"}, {"s", "short"},  {"in", "uint*"},
    };
    const int32_t k = new_kernel(new_context(), many_types);
    const char *name = NULL, *type = NULL;
    int32_t count = 0;
    assert_works(clue_kernel_argument_count(&count, k));
    assert_int_equal(count, sizeof expected / sizeof expected[0]);
    for (int32_t i = 0; i < count; i++) {
        assert_works(clue_kernel_argument(&name, &type, k, i));
        assert_string_equal(name, expected[i][0]);
        assert_string_equal(type, expected[i][1]);
    }
    assert_refused(clue_kernel_argument(&name, &type, k, count), CL_INVALID_ARG_INDEX, CLUE_CAUSE_PARAMETER,
                   "clGetKernelArgInfo", "kernel 'f' has no argument 15: its arguments are 0 to 14");
    assert_refused(clue_kernel_argument_count(&count, 3), CL_INVALID_KERNEL, CLUE_CAUSE_HANDLE, "clGetKernelInfo",
                   "3 is not a kernel: handles are 65536 or more");
}

TEST(an_index_out_of_range_is_refused) {
    const int32_t c = new_context(), k = new_kernel(c, "__kernel void f(__global int *a, int n) { a[0] = n; }");
    const int32_t none = new_kernel(c, "__kernel void f() {}"), b = new_buffer(c, 4), wrong[] = {2, -1, INT32_MAX};
    const int one = 1;
    for (size_t i = 0; i < 3; i++) {
        char text[128];
        (void)snprintf(text, sizeof text, "kernel 'f' has no argument %d: its arguments are 0 to 1", (int)wrong[i]);
        assert_refused(clue_kernel_set_number(k, wrong[i], CLUE_AUTO, 1), CL_INVALID_ARG_INDEX,
                       CLUE_CAUSE_PARAMETER, set, "%s", text);
        assert_refused(clue_kernel_set_bytes(k, wrong[i], &one, 4), CL_INVALID_ARG_INDEX, CLUE_CAUSE_PARAMETER, set,
                       "%s", text);
        assert_refused(clue_kernel_set_object(k, wrong[i], b, 0), CL_INVALID_ARG_INDEX, CLUE_CAUSE_PARAMETER, set,
                       "%s", text);
        assert_refused(clue_kernel_set_local(k, wrong[i], 4), CL_INVALID_ARG_INDEX, CLUE_CAUSE_PARAMETER, set, "%s",
                       text);
    }
    assert_refused(clue_kernel_set_number(none, 0, CLUE_AUTO, 1), CL_INVALID_ARG_INDEX, CLUE_CAUSE_PARAMETER, set,
                   "kernel 'f' has no arguments");
    assert_refused(clue_kernel_set_number(b, 0, CLUE_AUTO, 1), CL_INVALID_KERNEL, CLUE_CAUSE_HANDLE, set,
                   "%d is a buffer; a kernel is needed", b);
}

/* ---- values ---- */

TEST(a_number_becomes_the_kernels_type) {
    const int32_t k = new_kernel(new_context(), many_types);
    const int n = -7;
    const uint32_t u = 4294967295u;
    const uint8_t c = 200;
    const float r = 0.1f;
    const int16_t s = -32768;
    const uint64_t big = UINT64_C(1) << 63;
    assert_works(clue_kernel_set_number(k, 1, CLUE_AUTO, -7));
    assert_passed(&n, sizeof n);
    assert_works(clue_kernel_set_number(k, 2, CLUE_AUTO, 4294967295.0));
    assert_passed(&u, sizeof u);
    assert_works(clue_kernel_set_number(k, 3, CLUE_AUTO, 200));
    assert_passed(&c, sizeof c);
    assert_works(clue_kernel_set_number(k, 4, CLUE_AUTO, 0.1));
    assert_passed(&r, sizeof r);
    assert_works(clue_kernel_set_number(k, 10, CLUE_AUTO, 9223372036854775808.0));
    assert_passed(&big, sizeof big);
    assert_works(clue_kernel_set_number(k, 13, CLUE_AUTO, -32768));
    assert_passed(&s, sizeof s);
    assert_works(clue_kernel_set_number(k, 4, CLUE_AUTO, NAN));
    assert_works(clue_kernel_set_number(k, 4, CLUE_FLOAT, INFINITY));
}

TEST(a_number_that_is_not_of_the_arguments_type_is_refused) {
    static const struct {
        int32_t index, type;
        double value;
        const char *text;
    } wrong[] = {
        {1, CLUE_AUTO, 0.1, "argument 1 'n' of kernel 'f' is int, which cannot hold 0.1"},
        {1, CLUE_AUTO, 2147483648.0, "argument 1 'n' of kernel 'f' is int, which cannot hold 2147483648"},
        {1, CLUE_AUTO, NAN, "argument 1 'n' of kernel 'f' is int, which cannot hold nan"},
        {2, CLUE_AUTO, -1, "argument 2 'u' of kernel 'f' is uint, which cannot hold -1"},
        {2, CLUE_INT, 4294967295.0, "argument 2 'u' of kernel 'f' is uint, which cannot hold 4294967295"},
        {3, CLUE_AUTO, 300, "argument 3 'c' of kernel 'f' is uchar, which cannot hold 300"},
        {4, CLUE_AUTO, 1e39, "argument 4 'r' of kernel 'f' is float, which cannot hold 1e+39"},
        {10, CLUE_AUTO, 18446744073709551616.0,
         "argument 10 'big' of kernel 'f' is ulong, which cannot hold 1.8446744073709552e+19"},
        {11, CLUE_AUTO, 1.5, "argument 11 'd' of kernel 'f' is int, which cannot hold 1.5"},
        {13, CLUE_AUTO, -32769, "argument 13 's' of kernel 'f' is short, which cannot hold -32769"},
        {1, CLUE_FLOAT, 1, "argument 1 'n' of kernel 'f' is int, but float was given"},
        {1, CLUE_LONG, 1, "argument 1 'n' of kernel 'f' is int, but long was given"},
        {4, CLUE_INT, 1, "argument 4 'r' of kernel 'f' is float, but int was given"},
        {4, CLUE_DOUBLE, 1, "argument 4 'r' of kernel 'f' is float, but double was given"},
        {5, CLUE_DOUBLE, 2.5, "argument 5 'q' of kernel 'f' is real, but double was given"}, /* PoCL takes it */
        {5, CLUE_INT, 2, "argument 5 'q' of kernel 'f' is real, but int was given"},
    };
    const int32_t none[] = {12, -1};
    const int32_t k = new_kernel(new_context(), many_types);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_refused(clue_kernel_set_number(k, wrong[i].index, wrong[i].type, wrong[i].value),
                       CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, set, "%s", wrong[i].text);
    for (int i = 0; i < 2; i++)
        assert_refused(clue_kernel_set_number(k, 1, none[i], 1), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, set,
                       "%d is not a type", (int)none[i]);
    assert_works(clue_kernel_set_number(k, 1, CLUE_INT, 1));
}

TEST(whole_numbers_of_one_size_replace_each_other_by_their_bits) {
    const int32_t k = new_kernel(new_context(), many_types);
    const uint32_t all = UINT32_MAX;
    assert_works(clue_kernel_set_number(k, 1, CLUE_UINT, 4294967295.0));
    assert_passed(&all, sizeof all);
    assert_works(clue_kernel_set_number(k, 1, CLUE_INT, 1));
    assert_works(clue_kernel_set_number(k, 2, CLUE_INT, -1));
    assert_passed(&all, sizeof all);
}

TEST(a_typedef_takes_its_type) {
    const int32_t k = new_kernel(new_context(), many_types);
    const float q = 2.5f;
    assert_works(clue_kernel_set_number(k, 5, CLUE_AUTO, 2.5));
    assert_passed(&q, sizeof q);
}

TEST(an_unknown_type_needs_a_typed_number) {
    const int32_t k =
        new_kernel(new_context(), "struct colour { int red; };\n"
                                  "__kernel void f(__global int *out, struct colour c) { out[0] = c.red; }");
    assert_refused(clue_kernel_set_number(k, 1, CLUE_AUTO, 1), CL_INVALID_ARG_VALUE, CLUE_CAUSE_TYPE, set,
                   "argument 1 'c' of kernel 'f' is struct colour, a typedef or struct that the driver does not "
                   "describe: give the value's type");
    assert_works(clue_kernel_set_number(k, 1, CLUE_INT, 1));
}

TEST(an_enum_is_an_int) {
    const int32_t k =
        new_kernel(new_context(), "enum colour { RED };\n"
                                  "__kernel void f(__global int *out, enum colour c) { out[0] = c; }");
    assert_works(clue_kernel_set_number(k, 1, CLUE_AUTO, 1));
    assert_works(clue_kernel_set_number(k, 1, CLUE_INT, 1));
    assert_refused(clue_kernel_set_number(k, 1, CLUE_FLOAT, 1), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, set,
                   "argument 1 'c' of kernel 'f' is enum colour, but float was given: use int");
}

TEST(a_plain_typedef_is_resolved) {
    const int32_t k = new_kernel(new_context(), "typedef  unsigned\n int index;\n#define R float\ntypedef R real;\n"
                                                "kernel void f(index i, real r) {}\n");
    assert_works(clue_kernel_set_number(k, 0, CLUE_UINT, 7));
    assert_refused(clue_kernel_set_number(k, 0, CLUE_ULONG, 7), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, set,
                   "argument 0 'i' of kernel 'f' is index, but ulong was given");
    assert_works(clue_kernel_set_number(k, 1, CLUE_FLOAT, 0.5));
}

TEST(a_vector_takes_bytes) {
    const int32_t k = new_kernel(new_context(), many_types);
    static const float values[4] = {1, 2, 3, 4};
    static const struct {
        int32_t index;
        const float *bytes;
        int64_t size;
        const char *text;
    } wrong[] = {
        {1, values, 8, "argument 1 'n' of kernel 'f' is int and takes 4 bytes, but 8 were given"},
        {5, values, 3, "argument 5 'q' of kernel 'f' is real and takes 4 bytes, but 3 were given"},
        {6, values, 12, "argument 6 'v' of kernel 'f' is float4 and takes 16 bytes, but 12 were given"},
        {7, values, 12, "argument 7 'v3' of kernel 'f' is float3 and takes 16 bytes, but 12 were given"},
        {5, values, 0, "argument 5 'q' of kernel 'f': no bytes were given"},
        {6, values, -16, "argument 6 'v' of kernel 'f': no bytes were given"},
        {6, NULL, 16, "argument 6 'v' of kernel 'f': no bytes were given"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_refused(clue_kernel_set_bytes(k, wrong[i].index, wrong[i].bytes, wrong[i].size), CL_INVALID_ARG_SIZE,
                       CLUE_CAUSE_SIZE, set, "%s", wrong[i].text);
    for (int i = 0; i < 2; i++)
        assert_refused(clue_kernel_set_number(k, 6, i ? CLUE_FLOAT : CLUE_AUTO, 1), CL_INVALID_ARG_SIZE,
                       CLUE_CAUSE_SIZE, set, "argument 6 'v' of kernel 'f' is float4: one number is not enough");
    assert_works(clue_kernel_set_bytes(k, 6, values, 16));
    assert_passed(values, 16);
    assert_works(clue_kernel_set_bytes(k, 7, values, 16));
    assert_works(clue_kernel_set_bytes(k, 12, values, 16));
    assert_works(clue_kernel_set_bytes(k, 5, values, 4));
}

TEST(a_value_knows_its_numbers) {
    static const struct {
        int32_t index, type, width;
    } expected[] = {{0, CLUE_AUTO, 1},  {1, CLUE_INT, 1},  {6, CLUE_FLOAT, 4},
                    {7, CLUE_FLOAT, 3}, {8, CLUE_AUTO, 1}, {12, CLUE_CHAR, 16}};
    const int32_t k = new_kernel(new_context(), many_types);
    int32_t type = 0, width = 0;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        assert_works(clue_kernel_argument_value(&type, &width, k, expected[i].index));
        assert_int_equal(type, expected[i].type);
        assert_int_equal(width, expected[i].width);
    }
    assert_int_equal(clue_kernel_argument_value(&type, &width, k, 15), CL_INVALID_ARG_INDEX);
}

TEST(a_pointer_knows_what_it_points_at) {
    static const struct {
        int32_t index, type;
    } expected[] = {{0, CLUE_FLOAT}, {8, CLUE_FLOAT}, {9, CLUE_INT},
                    {14, CLUE_UINT}, {1, CLUE_AUTO},  {6, CLUE_AUTO}};
    const int32_t k = new_kernel(new_context(), many_types);
    int32_t type = 0, width = 0;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        assert_works(clue_kernel_argument_pointee(&type, &width, k, expected[i].index));
        assert_int_equal(type, expected[i].type);
        assert_int_equal(width, 1);
    }
    assert_int_equal(clue_kernel_argument_pointee(&type, &width, k, 15), CL_INVALID_ARG_INDEX);
}

TEST(a_pointer_may_be_null) {
    const int32_t c = new_context(), b = new_buffer(c, 8);
    const int32_t k =
        new_kernel(c, "__kernel void f(__global int *out, __global int *a, __constant int *b, int n,\n"
                      "                __local int *l) { out[0] = a == 0; out[1] = b == 0; }");
    const cl_mem none = NULL;
    int found[2] = {0};
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    assert_works(clue_kernel_set_object(k, 1, b, 0)); /* NULL takes its place */
    assert_works(clue_kernel_set_null(k, 1));
    assert_passed(&none, sizeof none);
    assert_works(clue_kernel_set_null(k, 2));
    assert_works(clue_kernel_set_number(k, 3, CLUE_AUTO, 1));
    assert_works(clue_kernel_set_local(k, 4, 4));
    run_1d(k, 1);
    assert_works(clue_buffer_read(found, b, 0, sizeof found));
    assert_int_equal(found[0], 1);
    assert_int_equal(found[1], 1);
    assert_refused(clue_kernel_set_null(k, 3), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, set,
                   "argument 3 'n' of kernel 'f' is int: it takes a value (in MQL5, CLSetKernelArg)");
    assert_refused(clue_kernel_set_null(k, 4), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, set,
                   "argument 4 'l' of kernel 'f' is a __local pointer, int*: it takes a size in bytes, "
                   "cl.local_memory(bytes) or CLSetKernelArgMemLocal");
}

TEST(structs_are_passed_as_bytes) {
    const int32_t c = new_context(), b = new_buffer(c, 8);
    const int32_t k = new_kernel(c, "typedef struct { int a, b; } pair;\n"
                                    "__kernel void f(__global int *out, pair p) { out[0] = p.b; out[1] = p.a; }");
    const int values[2] = {3, 4};
    int found[2] = {0};
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    assert_works(clue_kernel_set_bytes(k, 1, values, sizeof values));
    run_1d(k, 1);
    assert_works(clue_buffer_read(found, b, 0, sizeof found));
    assert_int_equal(found[0], 4);
    assert_int_equal(found[1], 3);
}

/* ---- what an argument takes ---- */

TEST(each_refusal_names_what_the_argument_takes) {
    const int32_t c = new_context(), k = new_kernel(c, many_types), b = new_buffer(c, 4);
    const float one = 1;
    assert_refused(clue_kernel_set_number(k, 0, CLUE_AUTO, 1), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, set,
                   "argument 0 'buffer' of kernel 'f' is a __global pointer, float*: it takes a buffer (in MQL5, "
                   "CLSetKernelArgMem)");
    assert_refused(clue_kernel_set_bytes(k, 0, &one, 4), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, set,
                   "argument 0 'buffer' of kernel 'f' is a __global pointer, float*: it takes a buffer (in MQL5, "
                   "CLSetKernelArgMem)");
    assert_refused(clue_kernel_set_local(k, 0, 4), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, set,
                   "argument 0 'buffer' of kernel 'f' is a __global pointer, float*: it takes a buffer (in MQL5, "
                   "CLSetKernelArgMem)");
    assert_refused(clue_kernel_set_number(k, 9, CLUE_INT, 1), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, set,
                   "argument 9 'table' of kernel 'f' is a __constant pointer, int*: it takes a buffer (in MQL5, "
                   "CLSetKernelArgMem)");
    assert_refused(clue_kernel_set_number(k, 8, CLUE_AUTO, 1), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, set,
                   "argument 8 'l' of kernel 'f' is a __local pointer, float*: it takes a size in bytes, "
                   "cl.local_memory(bytes) or CLSetKernelArgMemLocal");
    assert_refused(clue_kernel_set_object(k, 8, b, 0), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, set,
                   "argument 8 'l' of kernel 'f' is a __local pointer, float*: it takes a size in bytes, "
                   "cl.local_memory(bytes) or CLSetKernelArgMemLocal");
    assert_refused(clue_kernel_set_object(k, 1, b, 0), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, set,
                   "argument 1 'n' of kernel 'f' is int: it takes a value (in MQL5, CLSetKernelArg)");
    assert_refused(clue_kernel_set_local(k, 5, 4), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, set,
                   "argument 5 'q' of kernel 'f' is real: it takes a value (in MQL5, CLSetKernelArg)");
    assert_works(clue_kernel_set_object(k, 9, b, 0));
    assert_works(clue_kernel_set_object(k, 14, b, 0));
    assert_works(clue_kernel_set_local(k, 8, 4));
}

TEST(images_and_samplers_take_nothing_else) {
    const int32_t c = new_context(), b = new_buffer(c, 4);
    const int32_t k = new_kernel(c, "__kernel void f(__global int *a, read_only image2d_t i, sampler_t s) {"
                                    "  a[0] = read_imagei(i, s, (int2)(0, 0)).x; }");
    const int64_t bits = 0;
    static const char *const image = "argument 1 'i' of kernel 'f' is image2d_t: it takes an image";
    static const char *const wants_sampler = "argument 2 's' of kernel 'f' is sampler_t: it takes a sampler";
    assert_refused(clue_kernel_set_object(k, 1, b, 0), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, set, image);
    assert_refused(clue_kernel_set_number(k, 1, CLUE_INT, 0), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, set,
                   image);
    assert_refused(clue_kernel_set_bytes(k, 2, &bits, 8), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, set,
                   wants_sampler);
    assert_refused(clue_kernel_set_number(k, 2, CLUE_AUTO, 0), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, set,
                   wants_sampler);
}

TEST(without_information_only_typed_values_are_taken) {
    const int32_t c = new_context(), b = new_buffer(c, 64);
    const char *name = NULL, *type = NULL;
    int32_t k, value = 0;
    keep_information_back = true;
    k = new_kernel(c, "__kernel void f(__global int *a, int n, __local int *l) { l[0] = n; a[0] = l[0]; }");
    keep_information_back = false;
    assert_works(clue_kernel_argument(&name, &type, k, 1));
    assert_string_equal(name, "");
    assert_string_equal(type, "");
    assert_refused(clue_kernel_set_number(k, 1, CLUE_AUTO, 1), CL_INVALID_ARG_VALUE, CLUE_CAUSE_TYPE, set,
                   "the driver does not know the type of argument 1 of kernel 'f': give the value's type");
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    assert_works(clue_kernel_set_number(k, 1, CLUE_INT, 5));
    assert_refused(clue_kernel_execute(k, 1, NULL, &(int64_t){1}, NULL), CL_INVALID_KERNEL_ARGS,
                   CLUE_CAUSE_PARAMETER, enqueue, "argument 2 of kernel 'f' was never set");
    assert_works(clue_kernel_set_local(k, 2, 4));
    run_1d(k, 1);
    assert_works(clue_buffer_read(&value, b, 0, sizeof value));
    assert_int_equal(value, 5);
}

/* ---- local memory ---- */

TEST(a_local_size_is_at_least_1_and_fits) {
    const int32_t k = new_kernel(new_context(), many_types);
    const uint64_t has = device_number(CL_DEVICE_LOCAL_MEM_SIZE);
    assert_refused(clue_kernel_set_local(k, 8, 0), CL_INVALID_ARG_SIZE, CLUE_CAUSE_SIZE, set,
                   "0 bytes of local memory for argument 8 'l' of kernel 'f': it needs at least 1");
    assert_refused(clue_kernel_set_local(k, 8, -1), CL_INVALID_ARG_SIZE, CLUE_CAUSE_SIZE, set,
                   "-1 bytes of local memory for argument 8 'l' of kernel 'f': it needs at least 1");
    assert_refused(clue_kernel_set_local(k, 8, (int64_t)has + 1), CL_INVALID_ARG_SIZE, CLUE_CAUSE_LIMIT, set,
                   "%llu bytes of local memory for argument 8 'l' of kernel 'f' are more than %s has: %llu",
                   (unsigned long long)has + 1, device_name(), (unsigned long long)has);
    assert_refused(clue_kernel_set_local(k, 8, INT64_MAX), CL_INVALID_ARG_SIZE, CLUE_CAUSE_LIMIT, set,
                   "9223372036854775807 bytes of local memory for argument 8 'l' of kernel 'f' are more than %s "
                   "has: %llu",
                   device_name(), (unsigned long long)has);
    assert_works(clue_kernel_set_local(k, 8, (int64_t)has));
}

/* ---- buffers as arguments ---- */

static const char *const add = "__kernel void f(__global int *to, __global int *from, int n) {"
                               "  to[get_global_id(0)] += from[get_global_id(0)] + n; }";

TEST(an_argument_never_set_is_named) {
    const int32_t c = new_context(), k = new_kernel(c, add), b = new_buffer(c, 4);
    const int64_t one = 1;
    assert_refused(clue_kernel_execute(k, 1, NULL, &one, NULL), CL_INVALID_KERNEL_ARGS, CLUE_CAUSE_PARAMETER,
                   enqueue, "argument 0 'to' of kernel 'f' was never set");
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    assert_works(clue_kernel_set_object(k, 1, b, 0));
    assert_refused(clue_kernel_execute(k, 1, NULL, &one, NULL), CL_INVALID_KERNEL_ARGS, CLUE_CAUSE_PARAMETER,
                   enqueue, "argument 2 'n' of kernel 'f' was never set");
    assert_int_equal(clue_kernel_set_number(k, 2, CLUE_AUTO, 1.5),
                     CL_INVALID_ARG_VALUE); /* a refused value sets nothing */
    assert_int_equal(clue_kernel_execute(k, 1, NULL, &one, NULL), CL_INVALID_KERNEL_ARGS);
    assert_works(clue_kernel_set_number(k, 2, CLUE_AUTO, 1));
    run_1d(k, 1);
}

TEST(a_freed_argument_is_refused_by_name_and_number) {
    const int32_t c = new_context(), k = new_kernel(c, add), to = new_buffer(c, 4), from = new_buffer(c, 4);
    const int64_t one = 1;
    assert_works(clue_kernel_set_object(k, 0, to, 0));
    assert_works(clue_kernel_set_object(k, 1, from, 0));
    assert_works(clue_kernel_set_number(k, 2, CLUE_AUTO, 1));
    run_1d(k, 1);
    assert_works(clue_handle_free(from, CLUE_BUFFER));
    assert_refused(clue_kernel_execute(k, 1, NULL, &one, NULL), CL_INVALID_MEM_OBJECT, CLUE_CAUSE_HANDLE, enqueue,
                   "argument 1 'from' of kernel 'f' is buffer %d, which was freed", from);
    assert_refused(clue_kernel_set_object(k, 1, from, 0), CL_INVALID_MEM_OBJECT, CLUE_CAUSE_HANDLE, set,
                   "buffer %d was freed", from);
    assert_works(clue_kernel_set_object(k, 1, to, 0));
    run_1d(k, 1);
}

TEST(a_buffer_may_be_freed_while_its_kernel_runs) {
    const int32_t c = new_context(), k = new_kernel(c, add), to = new_buffer(c, 4096), from = new_buffer(c, 4096);
    static int ones[1024], found[1024];
    for (int i = 0; i < 1024; i++)
        ones[i] = 1;
    assert_works(clue_buffer_write(to, 0, ones, sizeof ones));
    assert_works(clue_buffer_write(from, 0, ones, sizeof ones));
    assert_works(clue_kernel_set_object(k, 0, to, 0));
    assert_works(clue_kernel_set_object(k, 1, from, 0));
    assert_works(clue_kernel_set_number(k, 2, CLUE_AUTO, 5));
    run_1d(k, 1024);
    assert_works(clue_handle_free(from, CLUE_BUFFER));
    assert_works(clue_kernel_set_object(k, 1, to, 0)); /* which also releases `from` */
    assert_works(clue_buffer_read(found, to, 0, sizeof found));
    assert_int_equal(found[1023], 7);
}

TEST(a_buffer_of_another_context_is_refused) {
    const int32_t k = new_kernel(new_context(), add), b = new_buffer(new_context(), 4);
    assert_refused(clue_kernel_set_object(k, 0, b, 0), CL_INVALID_CONTEXT, CLUE_CAUSE_PARAMETER, set,
                   "buffer %d belongs to another context than kernel 'f'", b);
}

TEST(objects_other_than_buffers_are_refused) {
    const int32_t k = new_kernel(new_context(), add);
    assert_refused(clue_kernel_set_object(k, 0, k, 0), CL_INVALID_MEM_OBJECT, CLUE_CAUSE_HANDLE, set,
                   "%d is a kernel; a buffer is needed", k);
    assert_refused(clue_kernel_set_object(k, 0, -1, 0), CL_INVALID_MEM_OBJECT, CLUE_CAUSE_FAILED, set,
                   "-1 is not a buffer");
}

TEST(a_buffer_may_be_several_arguments) {
    const int32_t c = new_context(), k = new_kernel(c, add), b = new_buffer(c, 4);
    const int64_t one = 1;
    for (int i = 0; i < 3; i++) { /* several times, which must not release the buffer too often */
        assert_works(clue_kernel_set_object(k, 0, b, 0));
        assert_works(clue_kernel_set_object(k, 1, b, 0));
    }
    assert_works(clue_kernel_set_number(k, 2, CLUE_AUTO, 1));
    assert_works(clue_handle_free(b, CLUE_BUFFER));
    assert_refused(clue_kernel_execute(k, 1, NULL, &one, NULL), CL_INVALID_MEM_OBJECT, CLUE_CAUSE_HANDLE, enqueue,
                   "argument 0 'to' of kernel 'f' is buffer %d, which was freed", b);
}
