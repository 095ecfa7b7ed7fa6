/* fuzz_cache.c - the files of built programs. They lie in a folder where others may have written, and what they say
 * about arguments is believed.
 *
 * Input: a file without its checksum, which is added here, because a guess would never have the right one. The
 * program's facts are then asked for, as clue_kernel_argument() does. The same text is also read as the arguments
 * alone. No file of any content may crash, hang, or answer with more than it has.
 *
 * suite: quick
 * runs: 5000 */
#include "fuzz.h"

#include "program/cache/cache.h"

static const char key[] = "key of the build";
static context *in;

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    const char *folder;
    int32_t handle;
    (void)count;
    (void)arguments;
    fuzz_require(setenv("OCL_ICD_VENDORS", CLUE_FUZZ_DRIVER, 1) == 0);
    fuzz_require(clue_temporary_folder(&folder) == 0 && setenv("CLUE_CACHE_DIR", folder, 1) == 0);
    fuzz_require(clue_context_create(&handle, &(int32_t){0}, 1) == 0);
    in = (context *)handle_find(handle, CLUE_CONTEXT, "clCreateProgramWithBinary");
    return 0;
}

static void ask(const char *arguments, const char *name, cl_uint index) {
    static const cl_kernel_arg_info properties[] = {CL_KERNEL_ARG_NAME, CL_KERNEL_ARG_TYPE_NAME,
                                                    CL_KERNEL_ARG_ADDRESS_QUALIFIER, CL_KERNEL_ARG_ACCESS_QUALIFIER,
                                                    CL_KERNEL_ARG_TYPE_QUALIFIER};
    for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
        char value[64];
        size_t size = 0, most = strlen(arguments) + sizeof(cl_ulong);
        (void)kept_argument_info(arguments, name, index, properties[i], sizeof value, value, NULL);
        if (kept_argument_info(arguments, name, index, properties[i], 0, NULL, &size) == CL_SUCCESS)
            fuzz_require(size > 0 && size <= most);
    }
}

static void ask_all(const char *arguments) {
    size_t length = 0;
    const char *attributes = kept_attributes(&length, arguments, "f");
    fuzz_require(length <= strlen(attributes));
    ask(arguments, "f", 0);
    ask(arguments, "f", 3);
    ask(arguments, "g", 1);
}

static void load(const uint8_t *data, size_t size) {
    char *file = malloc(size + 17);
    struct built found;
    fuzz_require(file);
    if (size) memcpy(file, data, size);
    (void)snprintf(file + size, 17, "%016llx", (unsigned long long)cache_checksum(CACHE_CHECKSUM, file, size));
    cache_write(key, ".program", file, size + 16);
    free(file);
    if (!program_from_cache(&found, in->context, in->devices[0], key)) return;
    ask_all(found.arguments);
    (void)clReleaseProgram(found.program);
    free(found.log);
    free(found.kernels);
    free(found.arguments);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct fuzz_input from = {data, data + size};
    char *text = fuzz_text(&from);
    ask_all(text);
    free(text);
    load(data, size);
    return 0;
}
