/* path.c - what paths name, and files of the user's own. Who may write a file is in its access list, which the
 * folder of a user's profile sets well: files are taken for the user's own. */
#include "names.h"
#include "room.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <string.h>
#include <sys/stat.h>

#define SECOND 10000000
#define UNIX_EPOCH INT64_C(11644473600) /* seconds after Windows' */

enum path_kind path_look(path_facts *out, const char *path, bool follow) {
    WIN32_FILE_ATTRIBUTE_DATA about;
    int64_t ticks;
    (void)follow;
    *out = (path_facts){.kind = PATH_NOTHING};
    if (path_is_given(path)) return out->kind = PATH_DEVICE;
    if (!GetFileAttributesExA(path, GetFileExInfoStandard, &about)) {
        (void)fail_as_windows();
        return PATH_NOTHING;
    }
    ticks = (int64_t)about.ftLastWriteTime.dwHighDateTime << 32 | about.ftLastWriteTime.dwLowDateTime;
    out->kind = about.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? PATH_FOLDER : PATH_FILE;
    out->size = (int64_t)about.nFileSizeHigh << 32 | about.nFileSizeLow;
    out->used[0] = ticks / SECOND - UNIX_EPOCH;
    out->used[1] = ticks % SECOND * 100;
    out->is_ours = true;
    return out->kind;
}

bool path_is_readable(const char *path) {
    return _access(path, 4) == 0;
}

bool path_is_program(const char *path) {
    DWORD kind;
    return GetBinaryTypeA(path, &kind) != 0;
}

bool path_is_given(const char *path) {
    return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/self/fd/", 14) == 0 || _stricmp(path, "NUL") == 0;
}

/* Links need a right that users do not have. */
bool path_link(const char *made, const char *to) {
    return GetFileAttributesA(to) == INVALID_FILE_ATTRIBUTES || CopyFileA(to, made, FALSE);
}

/* ---- files ---- */

FILE *file_open(const char *path, const char *mode) {
    return named_open(path, mode);
}

bool memory_file_open(memory_file *self) {
    *self = (memory_file){.to = named_temporary()};
    return self->to != NULL;
}

bool memory_file_close(memory_file *self) {
    bool well;
    if (!self->to) return false;
    self->size = (size_t)_ftelli64(self->to);
    self->bytes = calloc(1, self->size + 1);
    rewind(self->to);
    well = self->bytes && fread(self->bytes, 1, self->size, self->to) == self->size;
    return fclose(self->to) == 0 && well;
}

static void mark_as_used(const char *path) {
    const HANDLE file =
        CreateFileA(path, FILE_WRITE_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                    OPEN_EXISTING, 0, NULL);
    FILETIME now;
    if (file == INVALID_HANDLE_VALUE) return;
    GetSystemTimeAsFileTime(&now);
    (void)SetFileTime(file, NULL, &now, &now);
    (void)CloseHandle(file);
}

char *file_read_own(size_t *size_out, const char *path, int64_t most) {
    path_facts facts;
    char *bytes = NULL;
    FILE *file;
    *size_out = 0;
    if (path_look(&facts, path, false) != PATH_FILE || facts.size > most || !(file = fopen(path, "rb")))
        return NULL;
    bytes = calloc(1, (size_t)facts.size + 1);
    if (bytes && fread(bytes, 1, (size_t)facts.size, file) != (size_t)facts.size) {
        free(bytes);
        bytes = NULL;
    }
    (void)fclose(file);
    if (!bytes) return NULL;
    mark_as_used(path);
    *size_out = (size_t)facts.size;
    return bytes;
}

bool file_append_own(const char *path, const char *text, size_t size) {
    const int file = _open(path, _O_WRONLY | _O_APPEND | _O_CREAT | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
    const bool written = file >= 0 && output_write(file, text, size);
    const int why = errno;
    if (file >= 0) (void)_close(file);
    errno = why;
    return written;
}

bool output_write(int32_t descriptor, const void *bytes, size_t size) {
    const char *at = bytes;
    while (size > 0) {
        const int count = _write(descriptor, at, size < 1 << 20 ? (unsigned)size : 1 << 20);
        if (count <= 0) return false;
        at += count;
        size -= (size_t)count;
    }
    return true;
}
