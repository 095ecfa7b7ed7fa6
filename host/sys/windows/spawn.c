/* spawn.c - starts a child: pipes, words, variables. Only what is listed is inherited, because drivers' threads may
 * start processes at any moment, and a pipe that such a process inherits never ends.
 *
 * A descriptor for results goes to the child by a block that Microsoft's C library reads at its start. */
#include "clue.h"
#include "group.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RESULT = 64, STREAMS = 4, FILE_IS_OPEN = 0x01, FILE_IS_PIPE = 0x08, FILE_IS_DEVICE = 0x40 };

struct ends {
    HANDLE ours, childs;
};

struct plan {
    const clue_child_options *options;
    struct ends streams[SPAWN_STREAMS], input;
    char *words, *variables;
};

static void end_close(HANDLE *end) {
    if (*end) (void)CloseHandle(*end);
    *end = NULL;
}

/* ---- texts that grow ---- */

struct text {
    char *bytes;
    size_t size, room;
    bool failed;
};

static void add(struct text *to, const char *bytes, size_t size) {
    if (to->failed) return;
    if (to->size + size > to->room) {
        const size_t room = 2 * (to->size + size);
        char *more = realloc(to->bytes, room);
        to->failed = !more;
        if (!more) return;
        to->bytes = more;
        to->room = room;
    }
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

static char *taken(struct text *from) {
    add(from, "", 1);
    if (!from->failed) return from->bytes;
    free(from->bytes);
    errno = ENOMEM;
    return NULL;
}

/* ---- words: a program splits its command line itself, by the rules of Microsoft's C library ---- */

static void add_word(struct text *line, const char *word) {
    size_t backslashes = 0;
    if (line->size > 0) add(line, " ", 1);
    if (*word && !strpbrk(word, " \t\n\v\"")) {
        add(line, word, strlen(word));
        return;
    }
    add(line, "\"", 1);
    for (; *word; word++) {
        backslashes = *word == '\\' ? backslashes + 1 : backslashes;
        if (*word == '"')
            for (size_t i = 0; i <= backslashes; i++)
                add(line, "\\", 1);
        add(line, word, 1);
        if (*word != '\\') backslashes = 0;
    }
    for (size_t i = 0; i < backslashes; i++)
        add(line, "\\", 1);
    add(line, "\"", 1);
}

/* env(1) finds a program in PATH; there is none here, so it is done here. What it does not find, it says itself,
 * and ends with 127, by way of the command interpreter. */
static char *line_by_path(char *program_out, const char *const *words) {
    struct text line = {0};
    if (SearchPathA(NULL, words[0], ".exe", PATH_ROOM, program_out, NULL) > 0) {
        for (; *words; words++)
            add_word(&line, *words);
        return taken(&line);
    }
    if (GetEnvironmentVariableA("COMSPEC", program_out, PATH_ROOM) == 0)
        (void)snprintf(program_out, PATH_ROOM, "%s", "C:\\windows\\system32\\cmd.exe");
    add(&line, "cmd /d /c \"echo env: ", strlen("cmd /d /c \"echo env: "));
    for (const char *at = words[0]; *at; at++)
        if (!strchr("\"&|<>^%", *at)) add(&line, at, 1);
    add(&line, ": No such file or directory 1>&2 & exit 127\"",
        strlen(": No such file or directory 1>&2 & exit 127\""));
    return taken(&line);
}

static char *line_of(char *program_out, const char *const *words) {
    struct text line = {0};
    if (strcmp(words[0], "/usr/bin/env") == 0 && words[1]) return line_by_path(program_out, words + 1);
    (void)snprintf(program_out, PATH_ROOM, "%s", words[0]);
    for (; *words; words++)
        add_word(&line, *words);
    return taken(&line);
}

/* ---- variables, whose names have no capitals of their own ---- */

static size_t name_of(const char *entry) {
    return *entry ? strcspn(entry + 1, "=") + 2 : 0; /* hidden ones begin with '=' */
}

static bool is_set_in(const char *const *additions, const char *entry) {
    const size_t name = name_of(entry);
    for (; additions && *additions; additions++)
        if (name_of(*additions) == name && _strnicmp(*additions, entry, name) == 0) return true;
    return false;
}

static char *variables_with(const char *const *additions) {
    struct text block = {0};
    for (const char *const *ours = process_variables(); ours && *ours; ours++)
        if (!is_set_in(additions, *ours)) add(&block, *ours, strlen(*ours) + 1);
    for (; additions && *additions; additions++)
        if (!is_set_in(additions + 1, *additions)) add(&block, *additions, strlen(*additions) + 1);
    return taken(&block);
}

/* ---- pipes ---- */

static bool pipe_make(struct ends *out, bool child_reads) {
    HANDLE reader, writer;
    if (!CreatePipe(&reader, &writer, NULL, 1 << 16)) return false;
    *out = child_reads ? (struct ends){writer, reader} : (struct ends){reader, writer};
    return SetHandleInformation(out->childs, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
}

static bool make_pipes(struct plan *plan) {
    DWORD mode = PIPE_NOWAIT;
    for (int i = 0; i < SPAWN_STREAMS; i++) {
        const bool wanted =
            i == SPAWN_STREAMS - 1 ? plan->options->result_descriptor > 0 : !plan->options->foreground;
        if (wanted && !pipe_make(&plan->streams[i], false)) return false;
    }
    if (!plan->options->input) return true;
    return pipe_make(&plan->input, true) && SetNamedPipeHandleState(plan->input.ours, &mode, NULL, NULL);
}

static void close_plan(struct plan *plan, bool ours_too) {
    for (int i = 0; i < SPAWN_STREAMS; i++) {
        end_close(&plan->streams[i].childs);
        if (ours_too) end_close(&plan->streams[i].ours);
    }
    end_close(&plan->input.childs);
    if (ours_too) end_close(&plan->input.ours);
    free(plan->words);
    free(plan->variables);
}

/* ---- the block of descriptors: their number, a byte of flags for each, and their handles ---- */

struct block {
    char bytes[sizeof(int) + (MOST_RESULT + 1) * (1 + sizeof(HANDLE))];
    WORD size;
};

static void write_block(struct block *out, const HANDLE *standard, HANDLE result, int at) {
    const int count = at + 1;
    char *flags = out->bytes + sizeof count, *handles = flags + count;
    memcpy(out->bytes, &count, sizeof count);
    for (int i = 0; i < count; i++) {
        const HANDLE handle = i < 3 ? standard[i] : i == at ? result : INVALID_HANDLE_VALUE;
        const DWORD type = handle && handle != INVALID_HANDLE_VALUE ? GetFileType(handle) : FILE_TYPE_UNKNOWN;
        if (type != FILE_TYPE_UNKNOWN)
            flags[i] = (char)(FILE_IS_OPEN | (type == FILE_TYPE_PIPE ? FILE_IS_PIPE : 0) |
                              (type == FILE_TYPE_CHAR ? FILE_IS_DEVICE : 0));
        memcpy(handles + (size_t)i * sizeof handle, &handle, sizeof handle);
    }
    out->size = (WORD)((size_t)(handles - out->bytes) + (size_t)count * sizeof(HANDLE));
}

/* ---- the process ---- */

/* Those of this process for a child in the foreground; else its ends of the pipes, and an input that is empty. */
static void choose_handles(HANDLE *standard, HANDLE *nothing_out, const struct plan *plan) {
    static const DWORD numbers[] = {STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    *nothing_out = NULL;
    for (int i = 0; i < 3 && plan->options->foreground; i++) {
        standard[i] = GetStdHandle(numbers[i]);
        (void)SetHandleInformation(standard[i], HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    }
    if (plan->options->foreground) return;
    if (!plan->input.childs)
        *nothing_out = CreateFileA("NUL", GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited,
                                   OPEN_EXISTING, 0, NULL);
    standard[0] = plan->input.childs ? plan->input.childs : *nothing_out;
    standard[1] = plan->streams[0].childs;
    standard[2] = plan->streams[1].childs;
}

/* What the child inherits, each once. */
static size_t list_handles(HANDLE *list, const HANDLE *standard, HANDLE result) {
    size_t count = 0;
    for (int i = 0; i < STREAMS; i++) {
        const HANDLE handle = i < 3 ? standard[i] : result;
        bool known = !handle || handle == INVALID_HANDLE_VALUE;
        for (size_t k = 0; k < count; k++)
            known |= list[k] == handle;
        if (!known) list[count++] = handle;
    }
    return count;
}

static bool create(PROCESS_INFORMATION *out, struct plan *plan, const char *program, STARTUPINFOEXA *start) {
    const DWORD flags = CREATE_SUSPENDED | EXTENDED_STARTUPINFO_PRESENT |
                        (plan->options->foreground ? 0 : CREATE_NEW_PROCESS_GROUP);
    return CreateProcessA(program, plan->words, NULL, NULL, TRUE, flags, plan->variables, NULL, &start->StartupInfo,
                          out) != 0;
}

static bool create_with(PROCESS_INFORMATION *out, struct plan *plan, const char *program) {
    STARTUPINFOEXA start = {.StartupInfo = {.cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES}};
    HANDLE standard[3], list[STREAMS], nothing, result = plan->streams[SPAWN_STREAMS - 1].childs;
    struct block block = {.size = 0};
    SIZE_T room = 0;
    size_t count;
    bool made = false;
    choose_handles(standard, &nothing, plan);
    start.StartupInfo.hStdInput = standard[0];
    start.StartupInfo.hStdOutput = standard[1];
    start.StartupInfo.hStdError = standard[2];
    if (result) {
        write_block(&block, standard, result, plan->options->result_descriptor);
        start.StartupInfo.cbReserved2 = block.size;
        start.StartupInfo.lpReserved2 = (BYTE *)block.bytes;
    }
    count = list_handles(list, standard, result);
    (void)InitializeProcThreadAttributeList(NULL, 1, 0, &room);
    start.lpAttributeList = malloc(room);
    if (start.lpAttributeList && InitializeProcThreadAttributeList(start.lpAttributeList, 1, 0, &room)) {
        (void)UpdateProcThreadAttribute(start.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, list,
                                        count * sizeof *list, NULL, NULL);
        made = create(out, plan, program, &start);
        if (!made) (void)fail_as_windows();
        DeleteProcThreadAttributeList(start.lpAttributeList);
    }
    free(start.lpAttributeList);
    end_close(&nothing);
    return made;
}

/* The process runs once its job holds it, so nothing that it starts can escape. */
static bool start_in_job(PROCESS_INFORMATION *process, HANDLE job) {
    if (AssignProcessToJobObject(job, process->hProcess) &&
        group_add(process->dwProcessId, process->hProcess, job)) {
        (void)ResumeThread(process->hThread);
        (void)CloseHandle(process->hThread);
        return true;
    }
    errno = EAGAIN;
    (void)TerminateProcess(process->hProcess, 1);
    (void)CloseHandle(process->hThread);
    (void)CloseHandle(process->hProcess);
    return false;
}

/* False: with errno. */
static bool start(int *number_out, struct plan *plan) {
    char program[PATH_ROOM];
    PROCESS_INFORMATION process;
    HANDLE job;
    plan->words = line_of(program, plan->options->arguments);
    plan->variables = plan->words ? variables_with(plan->options->environment) : NULL;
    job = plan->variables ? group_job() : NULL;
    if (!job) return false;
    if (create_with(&process, plan, program) && start_in_job(&process, job)) {
        *number_out = (int)process.dwProcessId;
        return true;
    }
    (void)CloseHandle(job);
    return false;
}

static bool is_foreground;

void spawn_foreground_end(void) {
    if (is_foreground) interrupts_ignore(false);
    is_foreground = false;
}

static int descriptor_of(HANDLE end) {
    return end ? _open_osfhandle((intptr_t)end, _O_BINARY | _O_NOINHERIT) : -1;
}

int spawn(spawned *out, const char **call_out, const clue_child_options *options,
          void (*started)(void *data, int process), void *data) {
    struct plan plan = {.options = options};
    int number = 0, error = 0;
    *call_out = "CreatePipe";
    if (options->result_descriptor > MOST_RESULT)
        error = EMFILE;
    else if (!make_pipes(&plan))
        error = ENOMEM;
    if (error == 0) {
        *call_out = "CreateProcess";
        if (!start(&number, &plan)) error = errno;
    }
    close_plan(&plan, error != 0);
    out->input = descriptor_of(plan.input.ours);
    for (int i = 0; i < SPAWN_STREAMS; i++)
        out->streams[i] = descriptor_of(plan.streams[i].ours);
    if (error != 0) return error;
    started(data, number);
    is_foreground = options->foreground != 0;
    if (is_foreground) interrupts_ignore(true);
    return 0;
}
