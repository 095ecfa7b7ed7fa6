/* fuzz_interface.c - sequences of calls of clue.h, over the driver that does nothing.
 *
 * Each call takes its number and its arguments from the input: handles that live, that were freed, of another kind,
 * or that never existed; sizes and offsets from those at which sums overflow. Only what clue.h demands of a caller
 * is kept: pointers are good for the sizes that go with them. A call that fails leaves its own code in the record,
 * one that succeeds gives a handle that lives, and at the end every object can be freed.
 *
 * suite: quick
 * runs: 10000 */
#include "fuzz.h"

#include <CL/cl.h>

enum { KNOWN = 48, ROOM = 4096, MOST_CALLS = 200 };

static struct fuzz_input in;
static int32_t known[KNOWN], made; /* handles that calls gave, freed ones too */
static _Alignas(64) uint8_t memory[ROOM];

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count;
    (void)arguments;
    fuzz_require(setenv("OCL_ICD_VENDORS", CLUE_FUZZ_DRIVER, 1) == 0 && setenv("CLUE_NO_CACHE", "1", 1) == 0);
    fuzz_require(setenv("CLUE_NULL_SVM", "3", 1) == 0 && setenv("CLUE_NULL_DEVICES", "2", 1) == 0);
    fuzz_require(setenv("CLUE_NULL_IL", "SPIR-V_1.2", 1) == 0);
    return 0;
}

/* ---- arguments ---- */

static int32_t take_handle(void) {
    static const int32_t odd[] = {0, -1, 1, 2, CLUE_FIRST_HANDLE, CLUE_FIRST_HANDLE + 1, INT32_MAX, INT32_MIN};
    const uint8_t which = fuzz_byte(&in);
    if (which < 240) return known[which % KNOWN];
    if (which < 248) return odd[which - 240];
    return known[which % KNOWN] + fuzz_byte(&in) - 128;
}

static int64_t take_number(void) {
    static const int64_t odd[] = {-1,
                                  -4,
                                  INT32_MAX,
                                  (int64_t)INT32_MAX + 1,
                                  UINT32_MAX,
                                  (int64_t)1 << 32,
                                  INT64_MAX,
                                  INT64_MIN,
                                  INT64_MAX - 63,
                                  (int64_t)1 << 62,
                                  4095,
                                  4096,
                                  4097,
                                  1024,
                                  65536,
                                  1 << 20};
    const uint8_t which = fuzz_byte(&in);
    return which < 240 ? (int64_t)(which / 8) * (which % 8 + 1) : odd[which - 240];
}

/* A size of memory that exists. */
static int64_t take_size(void) {
    const int64_t size = take_number();
    return size < ROOM ? size : ROOM;
}

static int32_t take_count(void) {
    return (int32_t)(fuzz_byte(&in) % 6) - 1;
}

static int64_t take_flags(void) {
    static const int64_t usual[] = {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, 0};
    const uint8_t which = fuzz_byte(&in);
    return which < 192 ? usual[which % 4] : take_number();
}

static const int64_t *take_three(void) {
    static int64_t numbers[4][3];
    static int turn;
    int64_t *three = numbers[turn = (turn + 1) % 4];
    const uint8_t which = fuzz_byte(&in);
    for (int i = 0; i < 3; i++)
        three[i] = which % 4 == 1 ? 1 : take_number();
    return which % 4 ? three : NULL;
}

static const int32_t *take_handles(void) {
    static int32_t handles[8];
    for (int i = 0; i < 8; i++)
        handles[i] = i < 4 ? take_handle() : 0;
    return handles;
}

static const char *take_source(void) {
    static const char *const sources[] = {
        "kernel void f(global float *x, int n, local int *l) { }",
        "kernel void f(read_only image2d_t i, sampler_t s, float4 v) { }\nkernel void g(global int *x) { }",
        "typedef float t; kernel void f(constant t *x, t y) { }",
        "",
        "#include \"nothing.h\"\n",
        "kernel void f() { }"};
    return sources[fuzz_byte(&in) % (sizeof sources / sizeof *sources)];
}

/* ---- what must hold ---- */

static int32_t checked(int32_t code) {
    if (code) fuzz_require(clue_error_code() == code && *clue_error_text() && *clue_error_call());
    return code;
}

static void keep(int32_t code, int32_t handle, int32_t kind) {
    if (checked(code)) return;
    fuzz_require(clue_handle_kind(handle) == kind);
    known[made++ % KNOWN] = handle;
}

static void keep_event(int32_t code, int32_t event) {
    if (event)
        keep(code, event, CLUE_EVENT);
    else
        (void)checked(code);
}

/* ---- the calls ---- */

/* An event is asked for or not; each command gives it in its first parameter. */
#define COMMAND(call, ...)                                                                                         \
    do {                                                                                                           \
        int32_t event = 0, *wanted = fuzz_byte(&in) & 1 ? &event : NULL;                                           \
        const int32_t code = call(wanted, __VA_ARGS__);                                                            \
        keep_event(code, code ? 0 : event);                                                                        \
    } while (0)

#define MAKE(kind, call, ...)                                                                                      \
    do {                                                                                                           \
        int32_t handle = 0;                                                                                        \
        const int32_t code = call(&handle, __VA_ARGS__);                                                           \
        keep(code, handle, kind);                                                                                  \
    } while (0)

static void make_context(void) {
    const int32_t devices[] = {fuzz_byte(&in) % 3, take_handle(), 1};
    MAKE(CLUE_CONTEXT, clue_context_create, devices, 1 + fuzz_byte(&in) % 8 / 7);
}

static void make_program(void) {
    const char *source = take_source();
    MAKE(CLUE_PROGRAM, clue_program_create, take_handle(), source, (int64_t)strlen(source), NULL);
}

static void compile_program(void) {
    const char *source = take_source(), *const headers[] = {"nothing.h", "int x;"};
    MAKE(CLUE_PROGRAM, clue_program_compile, take_handle(), source, (int64_t)strlen(source), "-DA", headers,
         fuzz_byte(&in) & 1);
}

static void link_programs(void) {
    const int32_t *programs = take_handles();
    MAKE(CLUE_PROGRAM, clue_program_link, take_handle(), programs, take_count(), NULL);
}

static void load_program(void) {
    const int64_t size = take_size();
    if (fuzz_byte(&in) & 1)
        MAKE(CLUE_PROGRAM, clue_program_from_binary, take_handle(), memory, size);
    else
        MAKE(CLUE_PROGRAM, clue_program_from_il, take_handle(), memory, size, NULL);
}

static void make_kernel(void) {
    MAKE(CLUE_KERNEL, clue_kernel_create, take_handle(), fuzz_byte(&in) % 4 ? "f" : "g");
}

static void make_buffer(void) {
    const int32_t context = take_handle();
    const int64_t size = take_number();
    MAKE(CLUE_BUFFER, clue_buffer_create, context, size, take_flags());
}

static void make_buffer_from(void) {
    const int32_t context = take_handle();
    const int64_t size = take_size();
    MAKE(CLUE_BUFFER, clue_buffer_create_from, context, memory, size, take_flags());
}

/* The library takes the memory over only if that succeeds. */
static void make_buffer_in(void) {
    void *data = clue_array_allocate(ROOM);
    const int32_t context = take_handle();
    const int64_t size = take_size();
    int32_t buffer = 0, owner = 0, code;
    fuzz_require(data);
    code = clue_buffer_create_in(&buffer, &owner, context, data, size, take_flags());
    if (code) clue_array_free(data);
    keep(code, buffer, CLUE_BUFFER);
    if (code == 0) keep(code, owner, CLUE_HOST_MEMORY);
}

static void make_sub_buffer(void) {
    const int32_t buffer = take_handle();
    const int64_t flags = take_flags(), offset = take_number();
    MAKE(CLUE_BUFFER, clue_buffer_create_sub, buffer, flags, offset, take_number());
}

static void make_svm(void) {
    const int32_t context = take_handle();
    const int64_t size = take_size();
    MAKE(CLUE_SVM, clue_svm_create, context, size, take_flags());
}

static clue_image_shape take_shape(void) {
    static const uint32_t types[] = {CL_MEM_OBJECT_IMAGE1D,
                                     CL_MEM_OBJECT_IMAGE2D,
                                     CL_MEM_OBJECT_IMAGE3D,
                                     CL_MEM_OBJECT_IMAGE2D_ARRAY,
                                     CL_MEM_OBJECT_IMAGE1D_ARRAY,
                                     CL_MEM_OBJECT_IMAGE1D_BUFFER,
                                     0};
    clue_image_shape shape = {.order = CL_RGBA, .channel = fuzz_byte(&in) & 1 ? CL_FLOAT : CL_UNORM_INT8};
    shape.type = types[fuzz_byte(&in) % (sizeof types / sizeof *types)];
    if (fuzz_byte(&in) & 1) shape.buffer = take_handle();
    shape.width = take_number();
    shape.height = take_number();
    shape.depth = take_number();
    shape.array_size = take_number();
    if (fuzz_byte(&in) & 1) shape.row_pitch = take_number();
    return shape;
}

static void make_image(void) {
    const int32_t context = take_handle();
    const int64_t flags = take_flags();
    const clue_image_shape shape = take_shape();
    MAKE(CLUE_IMAGE, clue_image_create, context, flags, &shape);
}

static void make_image_from(void) {
    const int32_t context = take_handle();
    const int64_t size = take_size(), flags = take_flags();
    const clue_image_shape shape = take_shape();
    MAKE(CLUE_IMAGE, clue_image_create_from, context, memory, size, flags, &shape);
}

static void make_sampler(void) {
    MAKE(CLUE_SAMPLER, clue_sampler_create, take_handle(), fuzz_byte(&in) & 1,
         CL_ADDRESS_NONE + fuzz_byte(&in) % 6U, CL_FILTER_NEAREST);
}

static void make_queue(void) {
    const int32_t context = take_handle(), device = fuzz_byte(&in) % 4 ? 0 : take_handle();
    MAKE(CLUE_QUEUE, clue_queue_create, context, device, take_number());
}

static void make_user_event(void) {
    MAKE(CLUE_EVENT, clue_user_event_create, take_handle());
}

static void set_user_event(void) {
    (void)checked(clue_user_event_set(take_handle(), take_count()));
}

static void divide_device(void) {
    const int64_t values[] = {take_number(), take_number()};
    int32_t devices[4], count = 0;
    const int32_t code =
        clue_device_partition(devices, &count, 4, take_handle(), 0x1086U + fuzz_byte(&in) % 3U, values, 2);
    for (int32_t i = 0; checked(code) == 0 && i < count && i < 4; i++)
        keep(0, devices[i], CLUE_DEVICE);
}

static void free_handle(void) {
    (void)checked(clue_handle_free(take_handle(), fuzz_byte(&in) % 15));
}

static void free_any(void) {
    (void)checked(clue_handle_free(take_handle(), CLUE_NONE));
}

static void drop_handle(void) {
    clue_handle_drop(take_handle());
}

static void ask_handle(void) {
    const int32_t handle = take_handle();
    int32_t parent, number;
    int64_t size;
    void *pointer;
    double seconds;
    const char *text;
    (void)checked(clue_handle_parent(&parent, handle));
    (void)checked(clue_handle_pointer(&pointer, handle, fuzz_byte(&in) % 16 - 1));
    (void)checked(clue_memory_size(&size, handle));
    (void)checked(clue_buffer_offset(&size, handle));
    (void)checked(clue_svm_flags(&size, handle));
    (void)checked(clue_program_log(&text, handle, take_handle()));
    (void)checked(clue_program_kernels(&text, handle));
    (void)checked(clue_kernel_name(&text, handle));
    (void)checked(clue_kernel_status(&number, handle));
    (void)checked(clue_kernel_time(&seconds, &number, handle));
    (void)checked(clue_event_status(&number, handle));
    (void)checked(clue_event_time(&seconds, &number, handle));
    (void)checked(clue_event_moment(&seconds, handle, take_count()));
}

static void ask_properties(void) {
    const int32_t handle = take_handle();
    const uint32_t property = 0x1000U + 16U * fuzz_byte(&in) + fuzz_byte(&in) % 16U;
    const int64_t capacity = take_size();
    const int32_t given[] = {1, 2, 3};
    int64_t size;
    (void)checked(clue_device_info(&size, handle, property, memory, capacity));
    (void)checked(clue_platform_info(&size, handle, property, memory, capacity));
    (void)checked(clue_kernel_info(&size, handle, property, memory, capacity));
    (void)checked(clue_kernel_group_info(&size, handle, take_handle(), property, memory, capacity));
    (void)checked(clue_kernel_sub_group_info(&size, handle, take_handle(), property, given, take_count() % 4,
                                             memory, capacity));
    (void)checked(clue_program_binary(&size, handle, take_handle(), memory, capacity));
    (void)checked(clue_image_formats(&size, handle, take_flags(), CL_MEM_OBJECT_IMAGE2D, memory, capacity));
}

static void ask_argument(void) {
    const int32_t kernel = take_handle(), index = take_count();
    const char *name, *type;
    int32_t one, two, three;
    (void)checked(clue_kernel_argument_count(&one, kernel));
    (void)checked(clue_kernel_argument(&name, &type, kernel, index));
    (void)checked(clue_kernel_argument_qualifiers(&one, &two, &three, kernel, index));
    (void)checked(clue_kernel_argument_value(&one, &two, kernel, index));
    (void)checked(clue_kernel_argument_pointee(&one, &two, kernel, index));
}

static void set_number(void) {
    const int32_t kernel = take_handle(), index = take_count();
    (void)checked(clue_kernel_set_number(kernel, index, fuzz_byte(&in) % 14 - 1, (double)take_number()));
}

static void set_bytes(void) {
    const int32_t kernel = take_handle(), index = take_count();
    (void)checked(clue_kernel_set_bytes(kernel, index, memory, take_size()));
}

static void set_object(void) {
    const int32_t kernel = take_handle(), index = take_count(), object = take_handle();
    (void)checked(clue_kernel_set_object(kernel, index, object, fuzz_byte(&in) & 1 ? 0 : take_number()));
}

static void set_other(void) {
    const int32_t kernel = take_handle(), index = take_count();
    (void)checked(clue_kernel_set_local(kernel, index, take_number()));
    if (fuzz_byte(&in) & 1) (void)checked(clue_kernel_set_null(kernel, index));
}

static void set_svm_pointers(void) {
    const int32_t *svms = take_handles();
    (void)checked(clue_kernel_set_svm_pointers(take_handle(), svms, take_count()));
}

static void run_kernel(void) {
    const int32_t kernel = take_handle(), dimensions = take_count();
    const int64_t *offset = take_three(), *local = take_three(), *global = take_three();
    if (!global) return;
    if (fuzz_byte(&in) & 1)
        (void)checked(clue_kernel_execute(kernel, dimensions, offset, global, local));
    else
        COMMAND(clue_queue_execute, take_handle(), kernel, dimensions, offset, global, local);
}

static void write_memory(void) {
    const int32_t queue = take_handle(), to = take_handle();
    const int64_t offset = take_number();
    COMMAND(clue_queue_write, queue, to, offset, memory, take_size());
}

static void read_memory(void) {
    const int32_t queue = take_handle(), from = take_handle();
    const int64_t offset = take_number();
    COMMAND(clue_queue_read, memory, queue, from, offset, take_size());
}

static void transfer_at_once(void) {
    const int32_t buffer = take_handle();
    const int64_t offset = take_number(), size = take_size();
    (void)checked(clue_buffer_write(buffer, offset, memory, size));
    (void)checked(clue_buffer_read(memory, buffer, offset, size));
}

static void copy_memory(void) {
    const int32_t queue = take_handle(), from = take_handle(), to = take_handle();
    const int64_t one = take_number(), other = take_number();
    COMMAND(clue_queue_copy, queue, from, one, to, other, take_number());
}

static void fill_memory(void) {
    const int32_t queue = take_handle(), at = take_handle();
    const int64_t offset = take_number(), size = take_number();
    COMMAND(clue_queue_fill, queue, at, offset, size, memory, take_size());
}

static void migrate(void) {
    const int32_t queue = take_handle(), *objects = take_handles(), count = take_count();
    COMMAND(clue_queue_migrate, queue, objects, count, take_number());
}

static void map_memory(void) {
    const int32_t queue = take_handle(), at = take_handle();
    const int64_t flags = 1 + fuzz_byte(&in) % 8, offset = take_number();
    int32_t mapping = 0, code;
    void *data;
    code = clue_queue_map(&data, &mapping, queue, at, flags, offset, take_number());
    keep(code, mapping, CLUE_MAPPING);
}

static void map_image(void) {
    const int32_t queue = take_handle(), image = take_handle();
    clue_image_part part = {0};
    int32_t mapping = 0, code;
    int64_t size;
    void *data;
    for (int i = 0; i < 3; i++) {
        part.origin[i] = take_number();
        part.region[i] = take_number();
    }
    code = clue_queue_map_image(&data, &size, &mapping, queue, image, 1 + fuzz_byte(&in) % 8, &part);
    keep(code, mapping, CLUE_MAPPING);
}

static void unmap(void) {
    const int32_t queue = take_handle();
    (void)checked(clue_queue_unmap(queue, take_handle()));
}

static void transfer_box(void) {
    const int32_t queue = take_handle(), one = take_handle(), other = take_handle();
    const int64_t size = take_size();
    clue_rect box;
    int64_t *numbers = (int64_t *)&box;
    for (size_t i = 0; i < sizeof box / sizeof *numbers; i++)
        numbers[i] = take_number();
    switch (fuzz_byte(&in) % 3) {
    case 0:
        COMMAND(clue_queue_write_rect, queue, one, memory, size, &box);
        break;
    case 1:
        COMMAND(clue_queue_read_rect, memory, queue, one, size, &box);
        break;
    default:
        COMMAND(clue_queue_copy_rect, queue, one, other, &box);
    }
}

static void transfer_image(void) {
    const int32_t queue = take_handle(), image = take_handle();
    const int64_t size = take_size();
    clue_image_part part;
    int64_t *numbers = (int64_t *)&part;
    const bool whole = fuzz_byte(&in) & 1;
    for (size_t i = 0; i < sizeof part / sizeof *numbers; i++)
        numbers[i] = take_number();
    if (fuzz_byte(&in) & 1)
        COMMAND(clue_queue_write_image, queue, image, memory, size, whole ? NULL : &part);
    else
        COMMAND(clue_queue_read_image, memory, queue, image, size, whole ? NULL : &part);
}

static void copy_image(void) {
    static const double colour[4];
    const int32_t queue = take_handle(), one = take_handle(), other = take_handle();
    const int64_t *from = take_three(), *to = take_three(), *region = take_three(), offset = take_number();
    switch (fuzz_byte(&in) % 4) {
    case 0:
        COMMAND(clue_queue_copy_image, queue, one, other, from, to, region);
        break;
    case 1:
        COMMAND(clue_queue_copy_image_to_buffer, queue, one, other, from, region, offset);
        break;
    case 2:
        COMMAND(clue_queue_copy_buffer_to_image, queue, one, other, offset, to, region);
        break;
    default:
        COMMAND(clue_queue_fill_image, queue, one, colour, from, region);
    }
}

static void wait_for(void) {
    const int32_t queue = take_handle(), *events = take_handles();
    (void)checked(clue_queue_wait_for(queue, events, take_count()));
}

static void mark(void) {
    COMMAND(clue_queue_marker, take_handle());
    COMMAND(clue_queue_barrier, take_handle());
}

static void finish(void) {
    const int32_t handle = take_handle();
    (void)checked(clue_queue_flush(handle));
    (void)checked(clue_queue_finish(handle));
    (void)checked(clue_context_finish(handle));
    (void)checked(clue_kernel_wait(handle));
    (void)checked(clue_event_wait(handle));
}

static void begin_graph(void) {
    int32_t graph = 0, commands = 0;
    const int32_t code = clue_graph_create(&graph, &commands, take_handle());
    keep(code, graph, CLUE_GRAPH);
    if (code == 0) keep(code, commands, CLUE_QUEUE);
}

static void end_graph(void) {
    (void)checked(clue_graph_end(take_handle(), fuzz_byte(&in) & 1));
}

static void replay_graph(void) {
    const int32_t graph = take_handle();
    COMMAND(clue_graph_replay, graph, take_handle());
}

static void ask_graph(void) {
    const int32_t graph = take_handle(), number = take_count();
    const char *what;
    int64_t size;
    int32_t count, kernel = 0, code;
    (void)checked(clue_graph_count(&count, graph));
    (void)checked(clue_graph_driver(&count, graph));
    (void)checked(clue_graph_command(&what, graph, number));
    (void)checked(clue_graph_objects(&size, graph, number, memory, take_size()));
    code = clue_graph_kernel(&kernel, graph, number);
    keep(code, kernel, CLUE_KERNEL);
}

static void profile(void) {
    double seconds;
    int32_t clock, executions;
    if (fuzz_byte(&in) & 1)
        (void)checked(clue_profile_start());
    else
        (void)checked(clue_profile_stop(&seconds, &clock, &executions));
}

static void (*const calls[])(void) = {make_context,     make_program,    compile_program, link_programs,
                                      load_program,     make_kernel,     make_buffer,     make_buffer_from,
                                      make_buffer_in,   make_sub_buffer, make_svm,        make_image,
                                      make_image_from,  make_sampler,    make_queue,      make_user_event,
                                      set_user_event,   divide_device,   free_handle,     free_any,
                                      drop_handle,      ask_handle,      ask_properties,  ask_argument,
                                      set_number,       set_bytes,       set_object,      set_other,
                                      set_svm_pointers, run_kernel,      write_memory,    read_memory,
                                      transfer_at_once, copy_memory,     fill_memory,     migrate,
                                      map_memory,       map_image,       unmap,           transfer_box,
                                      transfer_image,   copy_image,      wait_for,        mark,
                                      finish,           begin_graph,     end_graph,       replay_graph,
                                      ask_graph,        profile};

/* What most calls need, so that few bytes reach far: a context, a kernel of a program, a buffer and a queue. */
static void make_usual_objects(void) {
    static const char source[] = "kernel void f(global float *x, int n, local int *l) { }";
    MAKE(CLUE_CONTEXT, clue_context_create, &(int32_t){0}, 1);
    MAKE(CLUE_PROGRAM, clue_program_create, known[0], source, (int64_t)sizeof source - 1, NULL);
    MAKE(CLUE_KERNEL, clue_kernel_create, known[1], "f");
    MAKE(CLUE_BUFFER, clue_buffer_create, known[0], 1024, CL_MEM_READ_WRITE);
    MAKE(CLUE_QUEUE, clue_queue_create, known[0], 0, 0);
    fuzz_require(made == 5);
}

/* User events are set first: nothing may wait for one while it ends. */
static void free_everything(void) {
    double seconds;
    int32_t clock, executions;
    for (int32_t handle = 0; (handle = clue_handle_next(handle));)
        if (clue_handle_kind(handle) == CLUE_EVENT) (void)clue_user_event_set(handle, 0);
    (void)clue_profile_stop(&seconds, &clock, &executions);
    for (int32_t handle; (handle = clue_handle_next(0));)
        fuzz_require(clue_handle_free(handle, CLUE_NONE) == 0);
    fuzz_require(clue_handle_count() == 0 && !clue_waiting());
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    in = (struct fuzz_input){data, data + size};
    memset(known, 0, sizeof known);
    memset(memory, 0, sizeof memory);
    made = 0;
    clue_error_clear();
    make_usual_objects();
    for (int i = 0; i < MOST_CALLS && in.at < in.end; i++)
        calls[fuzz_byte(&in) % (sizeof calls / sizeof *calls)]();
    free_everything();
    return 0;
}
