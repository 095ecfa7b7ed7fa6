/* program_key.c - the key of a build, which is everything that decides its result, as one text: device, driver,
 * options, source, headers.
 *
 * A program has no key, and is neither shared nor kept, if its headers cannot be known for certain: a name made by
 * a macro, a missing file, __DATE__. */
#include "../../sys/system.h"
#include "program/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(FILE *to, const char *name, const char *text) {
    fprintf(to, "%s %zu\n%s\n", name, strlen(text), text);
}

/* ---- device, driver, settings ---- */

static bool put_device(FILE *to, const device *on) {
    static const cl_device_info properties[] = {CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DEVICE_VERSION,
                                                CL_DRIVER_VERSION, CL_DEVICE_EXTENSIONS};
    char *text = calloc(1, 65536);
    bool known = text && clGetPlatformInfo(on->platform, CL_PLATFORM_NAME, 65535, text, NULL) == CL_SUCCESS;
    if (known) put(to, "platform", text);
    known = known && clGetPlatformInfo(on->platform, CL_PLATFORM_VERSION, 65535, text, NULL) == CL_SUCCESS;
    if (known) put(to, "platform version", text);
    for (size_t i = 0; known && i < sizeof properties / sizeof *properties; i++) {
        known = clGetDeviceInfo(on->id, properties[i], 65535, text, NULL) == CL_SUCCESS;
        if (known) put(to, "device", text);
    }
    free(text);
    return known;
}

/* Environment variables that change what drivers compile. */
static void put_settings(FILE *to) {
    static const char *const families[] = {"POCL_", "IGC_", "NEO_", "AMD_", "GPU_", "HSA_"};
    for (const char *const *entry = process_variables(); entry && *entry; entry++)
        for (size_t i = 0; i < sizeof families / sizeof *families; i++)
            if (text_begins_with(*entry, families[i]) && !text_begins_with(*entry, "POCL_CACHE_DIR=") &&
                !text_begins_with(*entry, "POCL_DEBUG="))
                put(to, "setting", *entry);
}

/* ---- the key ---- */

static bool is_off(void) {
    const char *off = getenv("CLUE_NO_CACHE");
    return off && *off && strcmp(off, "0") != 0;
}

char *program_key(const device *on, const struct includes *with, const char *options) {
    memory_file key;
    bool known;
    if (!with->certain || is_off() || !memory_file_open(&key)) return NULL;
    put(key.to, "options", options);
    put(key.to, "source", with->of->source);
    put_settings(key.to);
    known = put_device(key.to, on);
    for (int32_t i = 0; i < with->count; i++)
        put(key.to, with->files[i].path, with->files[i].text);
    if (memory_file_close(&key) && known) return key.bytes;
    free(key.bytes);
    return NULL;
}
