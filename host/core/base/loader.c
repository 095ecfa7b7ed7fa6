/* loader.c - the name of the ICD loader that stands between the library and the drivers. */
#include "base/base.h"

#include <stdio.h>

/* The extension cl_icdl of ocl-icd and the Khronos loader. No header in Debian declares it. */
enum { LOADER_VERSION = 2, LOADER_NAME = 3 };
typedef cl_int (*loader_info)(cl_uint property, size_t size, void *value, size_t *size_out);

const char *clue_loader_name(void) {
    static char text[160];
    char name[64] = "", version[64] = "";
    loader_info ask;
    if (text[0]) return text;
    /* ISO C cannot convert an object's pointer to a function's; POSIX guarantees it. */
    *(void **)&ask = clGetExtensionFunctionAddress("clGetICDLoaderInfoOCLICD");
    if (ask && ask(LOADER_NAME, sizeof name - 1, name, NULL) == CL_SUCCESS &&
        ask(LOADER_VERSION, sizeof version - 1, version, NULL) == CL_SUCCESS)
        snprintf(text, sizeof text, "%s %s", name, version);
    return text;
}
