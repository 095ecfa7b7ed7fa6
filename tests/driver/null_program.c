/* null_program.c - the null driver's programs and kernels.
 *
 * Nothing is compiled, so nothing is refused. The kernels and their arguments are read from the source: "kernel" or
 * "__kernel", anything, a name, and the arguments in parentheses. Preprocessor lines are skipped, and a type keeps
 * its spelling. */
#include "null.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PROGRAMS = 16, MOST_KERNELS = 32, MOST_ARGUMENTS = 32, WORD = 64 };

typedef struct null_argument {
    char name[WORD], type[WORD];
    cl_kernel_arg_address_qualifier address;
    cl_kernel_arg_type_qualifier qualifiers;
} null_argument;

typedef struct null_declaration {
    char name[WORD];
    cl_uint count;
    null_argument arguments[MOST_ARGUMENTS];
} null_declaration;

typedef struct null_program {
    null_object base;
    cl_context context;
    char *source, *options;
    cl_uint count;
    null_declaration kernels[MOST_KERNELS];
} null_program;

typedef struct null_kernel {
    null_object base;
    null_program *program;
    const null_declaration *is;
} null_kernel;

/* ---- reading the source ---- */

/* Overwrites comments and preprocessor lines with blanks. */
static void blank_out(char *text) {
    bool line_begins = true;
    for (char *at = text; *at;) {
        const char *end = NULL;
        if (at[0] == '/' && at[1] == '*')
            end = (end = strstr(at + 2, "*/")) ? end + 2 : at + strlen(at);
        else if ((at[0] == '/' && at[1] == '/') || (line_begins && *at == '#'))
            end = at + strcspn(at, "\n");
        line_begins = *at == '\n' || (line_begins && isspace((unsigned char)*at));
        if (!end) at++;
        while (at < end)
            *at++ = ' ';
    }
}

static bool in_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Reads the next word, or one other character. Returns the place after it; NULL at the end. */
static const char *next_token(char *token, const char *at) {
    size_t length = 0;
    at += strspn(at, " \t\r\n");
    if (!*at) return NULL;
    while (length < WORD - 1 && in_word(at[length]))
        length++;
    if (length == 0) length = 1;
    memcpy(token, at, length);
    token[length] = '\0';
    return at + length;
}

/* at is after an opening parenthesis. Returns the place after the one that closes it; NULL if none does. */
static const char *skip_parentheses(const char *at) {
    for (int depth = 1; *at; at++) {
        depth += (*at == '(') - (*at == ')');
        if (depth == 0) return at + 1;
    }
    return NULL;
}

static bool is_one_of(const char *token, const char *word) { /* with or without its underscores */
    return strcmp(token, word) == 0 || strcmp(token, word + 2) == 0;
}

/* Stores the word if it is an address space or a qualifier; false if it belongs to the type or is the name. */
static bool qualifies(null_argument *a, const char *token) {
    if (is_one_of(token, "__global"))
        a->address = CL_KERNEL_ARG_ADDRESS_GLOBAL;
    else if (is_one_of(token, "__constant"))
        a->address = CL_KERNEL_ARG_ADDRESS_CONSTANT;
    else if (is_one_of(token, "__local"))
        a->address = CL_KERNEL_ARG_ADDRESS_LOCAL;
    else if (is_one_of(token, "__private"))
        a->address = CL_KERNEL_ARG_ADDRESS_PRIVATE;
    else if (strcmp(token, "const") == 0)
        a->qualifiers |= CL_KERNEL_ARG_TYPE_CONST;
    else if (strcmp(token, "volatile") == 0)
        a->qualifiers |= CL_KERNEL_ARG_TYPE_VOLATILE;
    else if (strcmp(token, "restrict") == 0)
        a->qualifiers |= CL_KERNEL_ARG_TYPE_RESTRICT;
    else
        return false;
    return true;
}

/* The last word is the name, so the word that was taken for the name before belongs to the type. */
static void add_word(null_argument *a, const char *token) {
    const size_t used = strlen(a->type);
    if (*a->name) (void)snprintf(a->type + used, WORD - used, used ? " %s" : "%s", a->name);
    (void)snprintf(a->name, WORD, "%s", token);
}

/* Reads one argument, and the comma or the parenthesis after it. */
static const char *read_argument(null_argument *a, char *token, const char *at) {
    int stars = 0;
    *a = (null_argument){.address = CL_KERNEL_ARG_ADDRESS_PRIVATE};
    while ((at = next_token(token, at)) && *token != ',' && *token != ')')
        if (*token == '*')
            stars++;
        else if (!qualifies(a, token))
            add_word(a, token);
    for (size_t used = strlen(a->type); stars > 0 && used < WORD - 1; stars--, used++)
        memcpy(a->type + used, "*", 2);
    return at;
}

/* at is after the opening parenthesis. NULL if the source ends before the closing one. */
static const char *read_arguments(null_declaration *kernel, const char *at) {
    char token[WORD];
    do {
        null_argument *a = &kernel->arguments[kernel->count];
        at = read_argument(a, token, at);
        if (at && *a->name && *a->type) kernel->count++;
    } while (at && *token == ',' && kernel->count < MOST_ARGUMENTS);
    return at;
}

/* at is after the word kernel. The kernel's name is the word before the parenthesis. */
static const char *read_kernel(null_declaration *kernel, const char *at) {
    char token[WORD];
    while ((at = next_token(token, at)) && *token != '(') {
        if (strcmp(token, "__attribute__") == 0) {
            at = strchr(at, '(');
            if (!at || !(at = skip_parentheses(at + 1))) return NULL;
        } else {
            memcpy(kernel->name, token, WORD);
        }
    }
    return at ? read_arguments(kernel, at) : NULL;
}

static void read_source(null_program *program, char *text) {
    char token[WORD] = "";
    blank_out(text);
    program->count = 0;
    for (const char *at = text; program->count < MOST_KERNELS && (at = next_token(token, at));) {
        if (!is_one_of(token, "__kernel")) continue;
        program->kernels[program->count] = (null_declaration){.count = 0};
        at = read_kernel(&program->kernels[program->count], at);
        if (!at) return;
        program->count++;
    }
}

/* ---- programs ---- */

static char *copy_text(const char *text, size_t length) {
    char *copy = calloc(1, length + 1);
    if (copy && length) memcpy(copy, text, length);
    return copy;
}

static char *join(cl_uint count, const char **strings, const size_t *lengths) {
    char *all = copy_text("", 0);
    size_t used = 0;
    for (cl_uint i = 0; i < count && all; i++) {
        const size_t length = lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
        char *longer = realloc(all, used + length + 1);
        if (!longer) {
            free(all);
            return NULL;
        }
        all = longer;
        memcpy(all + used, strings[i], length);
        used += length;
        all[used] = '\0';
    }
    return all;
}

static void end_program(void *object) {
    null_program *program = object;
    free(program->source);
    free(program->options);
}

static cl_program make_program(cl_context context, cl_uint count, const char **strings, const size_t *lengths,
                               cl_int *error_out) {
    static cl_uint made;
    null_program *program = null_make(sizeof *program, &made, error_out);
    if (!program) return NULL;
    program->base.end = end_program;
    program->context = context;
    program->source = join(count, strings, lengths);
    if (program->source) return (cl_program)program;
    null_release(program);
    if (error_out) *error_out = CL_OUT_OF_HOST_MEMORY;
    return NULL;
}

static cl_program CL_API_CALL create_program(cl_context context, cl_uint count, const char **strings,
                                             const size_t *lengths, cl_int *error_out) {
    WATCH_MAKER(clCreateProgramWithSource, " context %u", null_number(context));
    return make_program(context, count, strings, lengths, error_out);
}

/* A program's binary is its source. */
static cl_program CL_API_CALL create_from_binary(cl_context context, cl_uint count, const cl_device_id *devices,
                                                 const size_t *lengths, const unsigned char **binaries,
                                                 cl_int *statuses, cl_int *error_out) {
    const char *source = count ? (const char *)binaries[0] : "";
    (void)devices;
    WATCH_MAKER(clCreateProgramWithBinary, " context %u size %zu", null_number(context), count ? lengths[0] : 0);
    if (statuses) *statuses = CL_SUCCESS;
    return make_program(context, 1, &source, lengths, error_out);
}

/* What follows a SPIR-V module's header is source here. */
static cl_program CL_API_CALL create_from_il(cl_context context, const void *il, size_t length, cl_int *error_out) {
    const size_t head = length < 20 ? length : 20, rest = length - head;
    const char *source = rest ? (const char *)il + head : "";
    WATCH_MAKER(clCreateProgramWithIL, " context %u size %zu", null_number(context), length);
    return make_program(context, 1, &source, &rest, error_out);
}

static void *CL_API_CALL get_extension_function(cl_platform_id platform, const char *name) {
    const __typeof__(null_table.clCreateProgramWithIL) function = create_from_il;
    void *address = NULL;
    (void)platform;
    if (strcmp(name, "clCreateProgramWithILKHR") == 0) memcpy(&address, &function, sizeof address);
    return address;
}

/* The new program has the kernels of all given programs. */
static cl_program CL_API_CALL link_programs(cl_context context, cl_uint device_count, const cl_device_id *devices,
                                            const char *options, cl_uint count, const cl_program *programs,
                                            void(CL_CALLBACK *notify)(cl_program, void *), void *data,
                                            cl_int *error_out) {
    const char *sources[MOST_PROGRAMS];
    cl_program made;
    char *text;
    (void)device_count, (void)devices;
    WATCH_MAKER(clLinkProgram, " context %u programs %u options %s", null_number(context), count, options);
    for (cl_uint i = 0; i < count && i < MOST_PROGRAMS; i++)
        sources[i] = ((const null_program *)programs[i])->source;
    made = make_program(context, count < MOST_PROGRAMS ? count : MOST_PROGRAMS, sources, NULL, error_out);
    if (!made) return NULL;
    text = copy_text(((null_program *)made)->source, strlen(((null_program *)made)->source));
    if (text) read_source((null_program *)made, text);
    free(text);
    if (notify) notify(made, data);
    return made;
}

static cl_int CL_API_CALL compile_program(cl_program object, cl_uint count, const cl_device_id *devices,
                                          const char *options, cl_uint header_count, const cl_program *headers,
                                          const char **names, void(CL_CALLBACK *notify)(cl_program, void *),
                                          void *data) {
    (void)count, (void)devices, (void)headers, (void)names;
    WATCH(clCompileProgram, " program %u options %s headers %u", null_number(object), options, header_count);
    if (notify) notify(object, data);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL build_program(cl_program object, cl_uint count, const cl_device_id *devices,
                                        const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                                        void *data) {
    null_program *program = (null_program *)object;
    char *text;
    (void)count, (void)devices;
    WATCH(clBuildProgram, " program %u options %s", null_number(object), options ? options : "");
    free(program->options);
    program->options = copy_text(options ? options : "", options ? strlen(options) : 0);
    text = copy_text(program->source, strlen(program->source));
    if (!program->options || !text) {
        free(text);
        return CL_OUT_OF_HOST_MEMORY;
    }
    read_source(program, text);
    free(text);
    if (notify) notify(object, data);
    return CL_SUCCESS;
}

static cl_int answer_binary(const null_program *program, size_t size, void *value, size_t *size_out) {
    if (value && size >= sizeof(void *) && *(char **)value)
        memcpy(*(char **)value, program->source, strlen(program->source));
    return null_answer(size, NULL, size_out, NULL, sizeof(void *));
}

static cl_int answer_names(const null_program *program, size_t size, void *value, size_t *size_out) {
    char names[MOST_KERNELS * (WORD + 1)] = "";
    size_t used = 0;
    for (cl_uint i = 0; i < program->count; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, i ? ";%s" : "%s", program->kernels[i].name);
    return null_answer_text(size, value, size_out, names);
}

static cl_int CL_API_CALL get_program_info(cl_program object, cl_program_info name, size_t size, void *value,
                                           size_t *size_out) {
    const null_program *program = (const null_program *)object;
    const cl_device_id device = null_device(0);
    WATCH(clGetProgramInfo, " program %u 0x%x", null_number(object), name);
    switch (name) {
    case CL_PROGRAM_CONTEXT:
        return null_answer(size, value, size_out, &program->context, sizeof(cl_context));
    case CL_PROGRAM_NUM_DEVICES:
        return null_answer_number(size, value, size_out, sizeof(cl_uint), 1);
    case CL_PROGRAM_DEVICES:
        return null_answer(size, value, size_out, &device, sizeof(cl_device_id));
    case CL_PROGRAM_SOURCE:
        return null_answer_text(size, value, size_out, program->source);
    case CL_PROGRAM_NUM_KERNELS:
        return null_answer_number(size, value, size_out, sizeof(size_t), program->count);
    case CL_PROGRAM_BINARY_SIZES:
        return null_answer_number(size, value, size_out, sizeof(size_t), strlen(program->source));
    case CL_PROGRAM_BINARIES:
        return answer_binary(program, size, value, size_out);
    case CL_PROGRAM_KERNEL_NAMES:
        return answer_names(program, size, value, size_out);
    default:
        return CL_INVALID_VALUE;
    }
}

static cl_int CL_API_CALL get_build_info(cl_program object, cl_device_id device, cl_program_build_info name,
                                         size_t size, void *value, size_t *size_out) {
    const null_program *program = (const null_program *)object;
    (void)device;
    WATCH(clGetProgramBuildInfo, " program %u 0x%x", null_number(object), name);
    switch (name) {
    case CL_PROGRAM_BUILD_STATUS:
        return null_answer_number(size, value, size_out, sizeof(cl_int), CL_BUILD_SUCCESS);
    case CL_PROGRAM_BUILD_OPTIONS:
        return null_answer_text(size, value, size_out, program->options ? program->options : "");
    case CL_PROGRAM_BUILD_LOG:
        return null_answer_text(size, value, size_out, "");
    default:
        return CL_INVALID_VALUE;
    }
}

/* ---- kernels ---- */

static const null_declaration *find(const null_program *program, const char *name) {
    for (cl_uint i = 0; i < program->count; i++)
        if (strcmp(program->kernels[i].name, name) == 0) return &program->kernels[i];
    return NULL;
}

static void end_kernel(void *object) {
    null_release(((null_kernel *)object)->program);
}

static cl_kernel CL_API_CALL create_kernel(cl_program object, const char *name, cl_int *error_out) {
    static cl_uint made;
    null_program *program = (null_program *)object;
    const null_declaration *is = find(program, name);
    null_kernel *kernel;
    WATCH_MAKER(clCreateKernel, " program %u %s", null_number(object), name);
    if (!is) {
        if (error_out) *error_out = CL_INVALID_KERNEL_NAME;
        return NULL;
    }
    kernel = null_make(sizeof *kernel, &made, error_out);
    if (!kernel) return NULL;
    null_retain(program);
    kernel->base.end = end_kernel;
    kernel->program = program;
    kernel->is = is;
    return (cl_kernel)kernel;
}

static cl_int CL_API_CALL get_kernel_info(cl_kernel object, cl_kernel_info name, size_t size, void *value,
                                          size_t *size_out) {
    const null_kernel *kernel = (const null_kernel *)object;
    const cl_program program = (cl_program)kernel->program;
    WATCH(clGetKernelInfo, " kernel %u 0x%x", null_number(object), name);
    switch (name) {
    case CL_KERNEL_FUNCTION_NAME:
        return null_answer_text(size, value, size_out, kernel->is->name);
    case CL_KERNEL_NUM_ARGS:
        return null_answer_number(size, value, size_out, sizeof(cl_uint), kernel->is->count);
    case CL_KERNEL_CONTEXT:
        return null_answer(size, value, size_out, &kernel->program->context, sizeof(cl_context));
    case CL_KERNEL_PROGRAM:
        return null_answer(size, value, size_out, &program, sizeof(cl_program));
    case CL_KERNEL_ATTRIBUTES:
        return null_answer_text(size, value, size_out, "");
    default:
        return CL_INVALID_VALUE;
    }
}

static cl_int CL_API_CALL get_group_info(cl_kernel object, cl_device_id device, cl_kernel_work_group_info name,
                                         size_t size, void *value, size_t *size_out) {
    static const size_t none[3];
    (void)device;
    WATCH(clGetKernelWorkGroupInfo, " kernel %u 0x%x", null_number(object), name);
    switch (name) {
    case CL_KERNEL_WORK_GROUP_SIZE:
        return null_answer_number(size, value, size_out, sizeof(size_t), 1024);
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return null_answer_number(size, value, size_out, sizeof(size_t), 1);
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
        return null_answer(size, value, size_out, none, sizeof none);
    case CL_KERNEL_LOCAL_MEM_SIZE:
    case CL_KERNEL_PRIVATE_MEM_SIZE:
        return null_answer_number(size, value, size_out, sizeof(cl_ulong), 0);
    default:
        return CL_INVALID_VALUE;
    }
}

static cl_int CL_API_CALL get_argument_info(cl_kernel object, cl_uint index, cl_kernel_arg_info name, size_t size,
                                            void *value, size_t *size_out) {
    const null_declaration *is = ((const null_kernel *)object)->is;
    const null_argument *a = &is->arguments[index < is->count ? index : 0];
    WATCH(clGetKernelArgInfo, " kernel %u argument %u 0x%x", null_number(object), index, name);
    if (index >= is->count) return CL_INVALID_ARG_INDEX;
    switch (name) {
    case CL_KERNEL_ARG_NAME:
        return null_answer_text(size, value, size_out, a->name);
    case CL_KERNEL_ARG_TYPE_NAME:
        return null_answer_text(size, value, size_out, a->type);
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
        return null_answer_number(size, value, size_out, sizeof a->address, a->address);
    case CL_KERNEL_ARG_ACCESS_QUALIFIER:
        return null_answer_number(size, value, size_out, sizeof(cl_uint), CL_KERNEL_ARG_ACCESS_NONE);
    case CL_KERNEL_ARG_TYPE_QUALIFIER:
        return null_answer_number(size, value, size_out, sizeof a->qualifiers, a->qualifiers);
    default:
        return CL_INVALID_VALUE;
    }
}

/* "buffer 1" for a buffer, "size 64" for local memory, otherwise the bytes of the value. */
static const char *value_text(char *text, size_t room, const null_argument *a, size_t size, const void *value) {
    size_t used = 0;
    text[0] = '\0';
    if (!value) {
        (void)snprintf(text, room, "size %zu", size);
    } else if (a->address != CL_KERNEL_ARG_ADDRESS_PRIVATE) {
        const void *buffer;
        memcpy(&buffer, value, sizeof buffer);
        (void)snprintf(text, room, "buffer %u", null_number(buffer));
    } else {
        for (size_t i = 0; i < size && used + 3 < room; i++)
            used += (size_t)snprintf(text + used, room - used, "%02x", ((const unsigned char *)value)[i]);
    }
    return text;
}

static cl_int CL_API_CALL set_argument(cl_kernel object, cl_uint index, size_t size, const void *value) {
    const null_declaration *is = ((const null_kernel *)object)->is;
    char text[300];
    if (index >= is->count) return CL_INVALID_ARG_INDEX;
    WATCH(clSetKernelArg, " kernel %u argument %u %s", null_number(object), index,
          value_text(text, sizeof text, &is->arguments[index], size, value));
    return CL_SUCCESS;
}

void null_program_calls(void) {
    null_table.clCreateProgramWithSource = create_program;
    null_table.clCreateProgramWithBinary = create_from_binary;
    null_table.clGetExtensionFunctionAddressForPlatform = get_extension_function; /* the driver is OpenCL 1.2 */
    null_table.clBuildProgram = build_program;
    null_table.clCompileProgram = compile_program;
    null_table.clLinkProgram = link_programs;
    null_table.clGetProgramInfo = get_program_info;
    null_table.clGetProgramBuildInfo = get_build_info;
    null_table.clCreateKernel = create_kernel;
    null_table.clGetKernelInfo = get_kernel_info;
    null_table.clGetKernelWorkGroupInfo = get_group_info;
    null_table.clGetKernelArgInfo = get_argument_info;
    null_table.clSetKernelArg = set_argument;
}
