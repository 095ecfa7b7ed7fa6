/* include_files.c - finds the files that a source includes, and the files that these include.
 *
 * Compilers differ in where they look first. So every file counts that a name may mean. `taken` marks the one that
 * most compilers take: beside the including file, then in the folders of the options in their order, then in the
 * working folder. If a compiler may include anything else, the list is not certain. */
#include "program/cache/cache.h"
#include "program/internal.h"

#include "../../sys/file.h"
#include "../../sys/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_FILES = 1024, MOST_DEPTH = 40, MOST_PATH = 4096 };

/* ---- options ---- */

/* True if this word may make a compiler read files: as an option, or as the value of an unknown option. */
static bool may_read(const char *word) {
    static const char *const reading[] = {"-i",  "--", "-X",       "-F",  "-B",    "-T",
                                          "-Wp", "@",  "-fmodule", "-fp", "-load", "-resource"};
    if (*word != '-') return true;
    for (size_t i = 0; i < sizeof reading / sizeof *reading; i++)
        if (text_begins_with(word, reading[i])) return true;
    return strstr(word, " -") != NULL; /* two words for a compiler that knows no quotation marks */
}

static void add_folder(struct includes *all, const char *name) {
    char **more = realloc(all->folders, (size_t)(all->folder_count + 1) * sizeof *more);
    char *copy = more ? text_copy(name) : NULL;
    if (more) all->folders = more;
    if (copy) all->folders[all->folder_count++] = copy;
    if (!copy || !*name || strpbrk(name, "'\\")) all->certain = false; /* the last two are read in various ways */
}

static void read_options(struct includes *all, const char *options) {
    char word[MOST_PATH];
    for (const char *at = options; (at = options_next(at, word, sizeof word));) {
        const bool alone = word[0] == '-' && word[1] && strchr("IDU", word[1]) && !word[2];
        const int kind = word[0] == '-' ? word[1] : '\0';
        const char *given = word + 2;
        if (strlen(word) + 1 == sizeof word) all->certain = false;
        if (alone && !(at = options_next(at, word, sizeof word))) return;
        if (alone) given = word;
        if (kind == 'I')
            add_folder(all, given);
        else if (kind == 'D' || kind == 'U' ? strstr(given, " -") != NULL : may_read(word))
            all->certain = false;
    }
}

/* ---- files ---- */

static void look_into(struct includes *all, const char *text, const char *folder, const char *name, int depth);

static struct included *find_seen(const struct includes *all, const char *path, const char *name) {
    for (int32_t i = 0; i < all->count; i++)
        if (strcmp(all->files[i].path, path) == 0 && strcmp(all->files[i].name, name) == 0) return &all->files[i];
    return NULL;
}

/* Adds a file, and takes over its text. */
static struct included *add_file(struct includes *all, const char *path, const char *name, char *text) {
    struct included *more =
        all->count < MOST_FILES ? realloc(all->files, (size_t)(all->count + 1) * sizeof *all->files) : NULL;
    struct included *made = more ? &more[all->count] : NULL;
    if (more) all->files = more;
    if (made) *made = (struct included){text_copy(path), text_copy(name), text, false};
    if (made && made->path && made->name) {
        all->count++;
        return made;
    }
    if (made) free(made->path);
    if (made) free(made->name);
    free(text);
    all->certain = false;
    return NULL;
}

/* The part of a path up to and including its last '/'; "" if it has none. */
static void folder_of(char *folder_out, const char *path) {
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash + 1 - path) : 0;
    memcpy(folder_out, path, length);
    folder_out[length] = '\0';
}

/* If there is a file at this path, adds it and the files that it includes. Returns false if there is none. first:
 * most compilers take this one. */
static bool put(struct includes *all, const char *path, const char *name, bool first, int depth) {
    struct included *file = find_seen(all, path, name);
    enum file_kind kind = FILE_WHOLE;
    char folder[MOST_PATH], inside[MOST_PATH], *text;
    if (file) {
        file->taken |= first;
        return true;
    }
    text = file_text(path, &kind);
    if (kind == FILE_MISSING) return false;
    if (kind == FILE_ENDLESS && first && !all->endless) all->endless = text_copy(path);
    if (!text) all->certain = false;
    if (!text || !(file = add_file(all, path, name, text))) return true;
    file->taken = first;
    folder_of(folder, path);
    folder_of(inside, name);
    look_into(all, text, folder, inside, depth + 1);
    return true;
}

/* Joins a folder and a name; false if the path is too long. */
static bool join(char *path_out, const char *folder, const char *name) {
    const size_t length = strlen(folder);
    const char *slash = length == 0 || folder[length - 1] == '/' ? "" : "/";
    return snprintf(path_out, MOST_PATH, "%s%s%s", folder, slash, name) < MOST_PATH;
}

/* True if a given header, which is not a file, has this name. */
static bool put_given(struct includes *all, const char *name, int depth) {
    for (int32_t i = 0; i < all->of->header_count; i++) {
        char folder[MOST_PATH];
        if (strcmp(all->of->headers[2 * (size_t)i], name) != 0 || strlen(name) >= MOST_PATH) continue;
        if (all->given_seen[i]) return true;
        all->given_seen[i] = 1;
        folder_of(folder, name);
        look_into(all, all->of->headers[2 * (size_t)i + 1], folder, folder, depth + 1);
        return true;
    }
    return false;
}

/* Adds the files that a name may mean. folder: that of the including file; `inside`: its place among the
 * headers. */
static void put_all(struct includes *all, const struct include *what, const char *folder, const char *inside,
                    int depth) {
    char path[MOST_PATH], near[MOST_PATH];
    bool found = put_given(all, what->name, depth);
    if (*what->name == '/') {
        if (!put(all, what->name, what->name, true, depth)) all->certain &= found;
        return;
    }
    if (!join(near, inside, what->name)) all->certain = false;
    if (what->quoted && *inside) found |= put_given(all, near, depth);
    if (what->quoted && join(path, folder, what->name)) found |= put(all, path, near, !found, depth);
    for (int32_t i = 0; i < all->folder_count; i++)
        if (join(path, all->folders[i], what->name)) found |= put(all, path, what->name, !found, depth);
    found |= put(all, what->name, what->name, !found, depth);
    if (!found) all->certain = false; /* it may be in the compiler's own folders */
}

static void look_into(struct includes *all, const char *text, const char *folder, const char *name, int depth) {
    char *joined = depth <= MOST_DEPTH ? include_text(text) : NULL;
    struct include what;
    enum directive found;
    if (!joined || include_is_doubtful(joined)) all->certain = false;
    for (const char *at = joined; at && (found = include_next(&what, &at)) != NO_DIRECTIVE;) {
        all->any = true;
        if (found == DOUBTFUL) all->certain = false;
        if (found == INCLUDES) put_all(all, &what, folder, name, depth);
    }
    free(joined);
}

void includes_find(struct includes *all, const struct build_text *of, const char *options) {
    *all = (struct includes){.of = of, .certain = true};
    all->given_seen = calloc((size_t)of->header_count + 1, 1);
    read_options(all, options);
    if (include_is_doubtful(options)) all->certain = false;
    if (all->given_seen)
        look_into(all, of->source, "", "", 0);
    else
        all->certain = false;
}

void includes_free(struct includes *all) {
    for (int32_t i = 0; i < all->count; i++) {
        free(all->files[i].path);
        free(all->files[i].name);
        free(all->files[i].text);
    }
    for (int32_t i = 0; i < all->folder_count; i++)
        free(all->folders[i]);
    free(all->files);
    free(all->folders);
    free(all->given_seen);
    free(all->endless);
}

/* ---- using the list ---- */

int32_t includes_check(const struct includes *all, const char *call) {
    if (!all->endless) return 0;
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
                        "the source includes '%s', which is not a file: a compiler might wait for it for ever",
                        all->endless);
}

static uint64_t sum_of(const struct includes *all) {
    uint64_t sum = CACHE_CHECKSUM;
    for (int32_t i = 0; i < all->count; i++) /* with the zeros that separate them */
        sum = cache_checksum(sum, all->files[i].text, strlen(all->files[i].text) + 1);
    for (int32_t i = 0; i < 2 * all->of->header_count; i++)
        sum = cache_checksum(sum, all->of->headers[i], strlen(all->of->headers[i]) + 1);
    return sum;
}

/* A number that no other call on this machine gets. */
static uint64_t new_number(uint64_t from) {
    static uint64_t count;
    const int64_t process = process_id(), now[] = {(int64_t)time(NULL), trace_now()};
    count++;
    from = cache_checksum(from, now, sizeof now);
    from = cache_checksum(from, &process, sizeof process);
    return cache_checksum(from, &count, sizeof count);
}

char *includes_mark(const struct includes *all, const device *on, const char *options) {
    const size_t room = strlen(options) + sizeof " -DCLUE_INCLUDED=0x" + 16;
    char *marked;
    uint64_t sum;
    if (all->certain && !all->any) return text_copy(options);
    sum = sum_of(all);
    if (!all->certain && !on->pocl) sum = new_number(sum); /* PoCL identifies a program by its preprocessed text */
    marked = malloc(room);
    if (marked) (void)snprintf(marked, room, "%s -DCLUE_INCLUDED=0x%016llx", options, (unsigned long long)sum);
    return marked;
}

bool includes_need_texts(const struct includes *all, const device *on) {
    bool needed = false;
    for (int32_t i = 0; i < all->folder_count; i++)
        needed = needed || !device_reads_folder(on, all->folders[i]);
    return needed && all->count > 0;
}

bool includes_as_texts(struct build_text *out, const struct includes *all, const device *on) {
    const int32_t given = 2 * all->of->header_count;
    const char **headers;
    *out = *all->of;
    out->headers = NULL;
    headers = calloc((size_t)given + 2 * (size_t)all->count + 1, sizeof *headers);
    if (!headers) return false;
    if (given) memcpy(headers, all->of->headers, (size_t)given * sizeof *headers);
    for (int32_t i = 0; i < all->count && includes_need_texts(all, on); i++) {
        const struct included *file = &all->files[i];
        if (!file->taken || *file->name == '/' || strstr(file->name, ".."))
            continue; /* PoCL writes them to files */
        headers[2 * (size_t)out->header_count] = file->name;
        headers[2 * (size_t)out->header_count++ + 1] = file->text;
    }
    out->headers = headers;
    return true;
}

int32_t clue_source_files(const char **files_out, int32_t *any_out, const char *source, int64_t length,
                          const char *options, const char *const *headers, int32_t header_count) {
    static char *files;
    static const char call[] = "clCreateProgramWithSource";
    struct build_text of = {.headers = headers, .header_count = header_count};
    struct includes all;
    char *text, *with;
    memory_file to = {0};
    bool made;
    int32_t code = program_check_source(source, length);
    if (code == 0) code = program_check_headers(&of);
    if (code) return code;
    of.source = text = program_copy_source(source, length);
    with = text ? program_options(NULL, options, CL_INVALID_BUILD_OPTIONS, "clBuildProgram") : NULL;
    if (!with) code = text ? clue_error_code() : error_out_of_memory(call);
    free(files);
    files = NULL;
    if (with && memory_file_open(&to)) {
        includes_find(&all, &of, with);
        for (int32_t i = 0; i < all.count; i++)
            if (all.files[i].taken) fprintf(to.to, "%s\n", all.files[i].path);
        *any_out = all.any;
        includes_free(&all);
    }
    free(text);
    free(with);
    if (code) return code;
    made = memory_file_close(&to);
    files = to.bytes;
    if (!made) return error_out_of_memory(call);
    *files_out = files;
    return 0;
}
