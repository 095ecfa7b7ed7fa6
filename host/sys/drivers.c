/* drivers.c - one more driver for the ICD loader than those that are registered.
 *
 * ocl-icd knows no variable that adds a driver, only OCL_ICD_VENDORS, which replaces the folder of all. So a
 * temporary folder gets a link to each registered .icd file, and a file that names the new driver. Child processes
 * inherit the variable; the folder is removed when this process ends. The loader reads the folder at the first
 * OpenCL call, so later changes have no effect. */
#include "../core/base/base.h"
#include "system.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clue_drivers_add";
static const char own[] = "clue-added.icd"; /* no registered file has this name */

static int32_t failed(const char *path) {
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call, "cannot add a driver: %s: %s", path,
                        strerror(errno));
}

/* What the loader reads: a folder, an .icd file or a library. */
static const char *registered(void) {
    static const char *const variables[] = {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *value = getenv(variables[i]);
        if (value && *value) return value;
    }
    return "/etc/OpenCL/vendors";
}

static bool ends_in_icd(const char *name) {
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".icd") == 0;
}

/* Whether an .icd file names the library, by its file name. */
static bool names_library(const char *path, const char *library) {
    char line[PATH_ROOM] = "";
    const char *slash = strrchr(library, '/');
    FILE *file = file_open(path, "r");
    if (!file) return false;
    if (!fgets(line, sizeof line, file)) line[0] = '\0';
    fclose(file);
    return strstr(line, slash ? slash + 1 : library) != NULL;
}

static int32_t write_icd(const char *folder, const char *name, const char *library) {
    char path[PATH_ROOM];
    FILE *file;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    file = file_open(path, "w");
    if (!file) return failed(path);
    fprintf(file, "%s\n", library);
    return fclose(file) == 0 ? 0 : failed(path);
}

/* Links an .icd file into the folder. */
static int32_t link_icd(const char *folder, const char *from) {
    char path[PATH_ROOM];
    const char *slash = strrchr(from, '/');
    (void)snprintf(path, sizeof path, "%s/%s", folder, slash ? slash + 1 : from);
    return path_link(path, from) ? 0 : failed(path); /* a link that leads nowhere is no driver */
}

struct links {
    const char *folder, *from, *library;
    bool known;
    int32_t code;
};

static bool link_each(void *data, const char *name) {
    struct links *links = data;
    char path[PATH_ROOM];
    if (!ends_in_icd(name)) return true;
    (void)snprintf(path, sizeof path, "%s/%s", links->from, name);
    links->known |= names_library(path, links->library);
    links->code = link_icd(links->folder, path);
    return links->code == 0;
}

/* Links all of a folder's .icd files, or tells that one of them names the library. */
static int32_t link_folder(bool *known_out, const char *folder, const char *from, const char *library) {
    struct links links = {.folder = folder, .from = from, .library = library};
    (void)folder_each(from, link_each, &links); /* if there is none, no driver is registered */
    *known_out |= links.known;
    return links.code;
}

/* Puts into the folder what is registered. */
static int32_t gather(bool *known_out, const char *folder, const char *from, const char *library) {
    path_facts facts;
    char path[PATH_ROOM];
    const char *slash = strrchr(library, '/');
    if (path_look(&facts, from, true) == PATH_FOLDER) return link_folder(known_out, folder, from, library);
    if (!ends_in_icd(from)) {
        *known_out = strstr(from, slash ? slash + 1 : library) != NULL;
        return write_icd(folder, "registered.icd", from);
    }
    (void)snprintf(path, sizeof path, "%s%s", strchr(from, '/') ? "" : "/etc/OpenCL/vendors/", from);
    *known_out = names_library(path, library);
    return link_icd(folder, path);
}

int32_t clue_drivers_added(void) {
    char path[PATH_ROOM];
    path_facts facts;
    (void)snprintf(path, sizeof path, "%s/%s", registered(), own);
    return path_look(&facts, path, true) != PATH_NOTHING;
}

int32_t clue_drivers_add(const char *library) {
    const char *folder;
    bool known = false;
    int32_t code = clue_temporary_folder(&folder);
    if (code) return code;
    code = gather(&known, folder, registered(), library);
    if (code == 0 && !known) code = write_icd(folder, own, library);
    if (code == 0 && !known && !process_set_variable("OCL_ICD_VENDORS", folder)) code = failed(folder);
    if (code || known) clue_temporary_remove(folder);
    return code;
}
