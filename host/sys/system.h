/* system.h - the system's calls, for all of clue: no other code knows which system it is. The folder posix has them
 * for POSIX systems. Nothing here records a failure: what fails gives false, NULL or -1, with the reason in errno,
 * unless its comment says otherwise. Used by sys/clock.c, trace, base, sys, queue, program, kernel, capture. What
 * is not in the library uses it, too, and links what it needs: the executable, the walkthroughs, the prompt, MPI,
 * and the simulators' plugin. */
#ifndef CLUE_SYSTEM_H
#define CLUE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { STANDARD_INPUT, STANDARD_OUTPUT, STANDARD_ERROR }; /* descriptors */

/* ---- self.c: this process ---- */

int64_t process_id(void);
/* Writes the command line from this byte of it on, each word with a zero after it; the number of bytes. For signal
 * handlers, too. */
size_t process_arguments(char *out, size_t room, size_t from);
/* Before anything else: the words of main(), in which paths of files are then written with '/'. */
void process_take_words(int count, char **words);
bool process_program(char *path_out, size_t room); /* the path of the executable */
bool process_has_borrowed_rights(void);            /* those of the file's owner, which its user does not have */
/* The function runs in each process that is forked from this one. */
void process_after_fork(void (*in_child)(void));
/* If a standard descriptor is closed, the next file would get its number: such a one then leads nowhere. */
void process_reserve_descriptors(void);
int64_t process_most_descriptors(void);
const char *const *process_variables(void);                     /* "NAME=VALUE", ended by NULL; NULL: none */
bool process_set_variable(const char *name, const char *value); /* NULL: removes it */
int64_t process_processors(void);                               /* those that are online */
bool process_may_use_all_processors(void);
/* Writes the limits that may be why a driver fails, "; a limit of this process may be the reason: ...", or "". */
void process_limits(char *out, size_t room);
/* Makes malloc keep what is freed, for the next ones: a collection frees many arrays at once. */
void process_keep_freed_memory(void);

/* ---- thread.c ---- */

bool thread_start(uintptr_t *thread_out, void *(*run)(void *), void *argument);
void thread_join(uintptr_t thread);
void thread_yield(void);
/* Starts so many threads, which end at once. Gives the error's number. */
int threads_try(int64_t count);
/* Around calls that make drivers start their threads: these get a larger stack. */
void threads_enlarge_stacks(void);
void threads_restore_stacks(void);

/* ---- thread_stack.c: stacks for signal handlers, of every thread of the executable ---- */

/* Gives this thread one, unless it has one. Threads that start later get theirs by themselves; if one cannot be
 * started, refused() is called. */
void thread_stack_add(void (*refused)(void));

/* ---- signals.c ---- */

/* Around calls that make drivers start or compile: the process keeps its own handlers. */
void handlers_keep(void);
void handlers_put_back(void);

/* What ends a run from outside, and what only interrupts it. All of them are called in handlers. */
typedef struct signal_actions {
    void (*interrupt)(int number); /* Ctrl-C */
    void (*end)(int number);       /* the process is to end, or nobody reads its output any more */
    /* name: "SIGSEGV"; stack_is_full: because the thread's own stack is */
    void (*crash)(int number, const char *name, bool stack_is_full);
} signal_actions;

/* What the parent process ignores stays ignored. */
void signals_handle(const signal_actions *actions);
/* The process ends by this signal when the handler returns, so that its parent sees which one it was. */
void signal_end_by(int number);
const char *signal_name(int number); /* "SIGSEGV", "SIGKILL"; NULL for those that are no crash */
/* Calls the function whenever the process goes on after it was suspended, unless the program itself is told. */
void signals_watch_suspensions(void (*resumed)(void));

/* For a process that does nothing but wait for its child: a request to end is noted, and told by signals_asked().
 * The first call is about all but Ctrl-C, which the child gets as well: only one that another process sent is
 * noted. */
void signals_note(void);
void signals_note_interrupt(void);
bool signals_ignore_interrupt(void); /* as a shell has it for commands behind & */
int signals_asked(void);             /* 0: none */

/* ---- timer.c ---- */

/* Calls the function after so many seconds, in a handler, which may call this again. 0: not any more. */
void timer_start(double seconds, void (*passed)(void));
/* Makes ready for output_flush(), which writes out in a handler what C's buffer of standard output still holds, and
 * waits for a second at most: nobody may read it. */
void output_prepare_flush(void);
void output_flush(void);

/* ---- time.c ---- */

double time_monotonic(void);     /* seconds of a clock that no one sets */
double time_processors(void);    /* seconds that the processors worked for this process */
void time_pause(double seconds); /* a signal ends it early */

/* ---- terminal_calls.c ---- */

bool terminal_is(int32_t descriptor);
int32_t terminal_columns(int32_t descriptor); /* 0: not known */
/* Keeps how the terminal of standard input is set, and sets it so again, even from the background. */
void terminal_note(void);
void terminal_restore(void);

/* ---- keys.c: the terminal while a line is edited, with signals that are only noted ---- */

enum keys_event { KEYS_BYTE, KEYS_ENDED, KEYS_RESIZED, KEYS_STOP, KEYS_CONTINUED };

bool keys_open(void);
void keys_begin(void);
void keys_leave(void);           /* a signal that ends the process comes again now */
enum keys_event keys_wait(void); /* KEYS_ENDED: by a signal */
int keys_read(char *byte_out);   /* 1; 0 at the end of the input; -1: try again; -2 */
bool keys_interrupted(void);     /* whether Ctrl-C was pressed, once */
void keys_stop(void);            /* as Ctrl-Z does */

/* ---- locale.c ---- */

/* Around what prints or reads fractions, which then have a point in any locale. Only this thread sees it. */
void *numbers_plain(void); /* returns what numbers_back() takes */
void numbers_back(void *before);
/* The characters of the user's locale; of UTF-8 where there is none. */
void *characters_of_user(void);
void *characters_use(void *characters); /* returns what it was before */

/* ---- path.c: what paths name, and reading it ---- */

enum { PATH_ROOM = 4096, NAME_ROOM = 256 };

enum path_kind { PATH_NOTHING, PATH_FILE, PATH_FOLDER, PATH_FIFO, PATH_SOCKET, PATH_DEVICE };

typedef struct path_facts {
    enum path_kind kind;
    int64_t size;
    int64_t used[2];   /* seconds and nanoseconds */
    bool is_ours;      /* it belongs to the user, and nobody else may write it */
    bool is_of_others; /* it does not belong to the user, or everyone may write it */
} path_facts;

/* What a path names. follow: at the end of a link, if it is one. PATH_NOTHING: with errno. */
enum path_kind path_look(path_facts *out, const char *path, bool follow);
bool path_is_readable(const char *path);
bool path_is_program(const char *path);
bool path_is_given(const char *path); /* what the process was given, whatever it is: its user chose it */
/* Makes a link to what `to` leads to; nothing if that does not exist. */
bool path_link(const char *made, const char *to);
/* fopen(), but child processes do not get the file. */
FILE *file_open(const char *path, const char *mode);
/* A file in memory. Closed, it is `size` bytes on the heap with a zero after them, which the caller frees; false:
 * there was no memory for all of them, or the file was not open. */
typedef struct memory_file {
    FILE *to;
    char *bytes;
    size_t size;
} memory_file;
bool memory_file_open(memory_file *self);
bool memory_file_close(memory_file *self);
/* What is in a file that is the user's own and not a link, on the heap with a zero after it, and marks it as used;
 * NULL for any other, and for one of more than so many bytes. Never waits. */
char *file_read_own(size_t *size_out, const char *path, int64_t most);
/* Appends to a file that only its owner may read, in one call. Never waits. */
bool file_append_own(const char *path, const char *text, size_t size);
/* Writes all of it to a descriptor; for signal handlers. */
bool output_write(int32_t descriptor, const void *bytes, size_t size);

/* ---- beside.c: replacing files in one step ---- */

/* Makes a new file that is to replace the one at `path`, and writes its name and the name that it is to get. They
 * are the same if the file itself must be written. Each has PATH_ROOM bytes. */
bool file_beside(char *made_out, char *target_out, const char *path);
/* Writes a file that only its owner may read. */
bool file_replace(const char *path, const char *bytes, size_t size);
bool file_is_beside(const char *name); /* whether it is of the form that new files have */
/* Removes the last new file, unless it was renamed. For signal handlers. */
void file_remove_last(void);

/* ---- folder.c ---- */

/* Calls with the name of each thing in a folder until it returns false; false if the folder cannot be listed. */
bool folder_each(const char *path, bool (*visit)(void *data, const char *name), void *data);
bool folder_make(const char *path, bool is_private);
void folder_remove(const char *path); /* with all that is in it, as far as possible */
/* Makes a folder whose name ends in six letters in place of the path's XXXXXX. Returns its whole path, on the heap,
 * and what holds it open: a process that has used up its descriptors could not list it at its end. */
char *folder_make_temporary(int *held_out, char *path);
/* Removes such a folder and all in it. False: another process still makes files there. For signal handlers. */
bool folder_remove_held(int held, const char *path);
void folder_let_go(int held);

/* ---- library.c: shared objects ---- */

/* The file of a library by its name and the number of its interface, and how a user comes by it. */
typedef struct library_words {
    char file[NAME_ROOM], remedy[NAME_ROOM];
} library_words;
void library_describe(library_words *out, const char *name, int number);

void *library_open(const char *name); /* NULL, with library_failure() */
bool library_find(void *library, void *function_out, const char *name);
void library_close(void *library);
const char *library_failure(void);

/* ---- pages.c: memory by pages ---- */

void pages_want_huge(void *data, size_t size);
void *pages_reserve(size_t size); /* without access */
bool pages_open(void *data, size_t size);
void pages_release(void *data, size_t size);
int64_t pages_huge_bytes(const void *data, int64_t size); /* of the system's parts of memory that it touches */

/* ---- spawn.c: starting processes ---- */

enum { SPAWN_STREAMS = 3 }; /* output, errors and the result's */

typedef struct spawned {
    int streams[SPAWN_STREAMS]; /* to read, see pipe.c; -1: none */
    int input;                  /* to send; -1: none */
} spawned;

struct clue_child_options;
/* Starts a process, and calls started() with its number before any signal is handled. Gives 0, or the error's
 * number and the call that failed. */
int spawn(spawned *out, const char **call_out, const struct clue_child_options *options,
          void (*started)(void *data, int process), void *data);
/* While a child is in the foreground, the terminal's keys are the child's. */
void spawn_foreground_end(void);

/* ---- pipe.c: what children write and read; nothing here waits, but pipes_await() ---- */

int64_t pipe_read(int pipe, char *out, size_t room); /* 0: nothing now; -1: ended */
int64_t pipe_size(int pipe);                         /* of what can be read now */
int64_t pipe_send(int pipe, const char *data, size_t size);
void pipe_close(int pipe);
enum { PIPES_AWAITED = 64 };
/* Waits until one of them (so many at most) can be read, or has ended. ready_out: whether so. False: a signal came.
 */
bool pipes_await(bool *ready_out, const int *pipes, int count, double seconds);

/* ---- group.c: a child with all that it started ---- */

enum group_end { GROUP_RUNS, GROUP_EXITED, GROUP_SIGNALLED, GROUP_LOST }; /* lost: others have collected it */

enum { GROUP_KILLED = 9 }; /* the value of a child that was killed */

/* How the process is. value_out: its exit status or signal. Once it has ended, its number stays until
 * group_collect(). */
enum group_end group_look(int32_t *value_out, int process);
void group_collect(int process);
void group_stop(int process); /* asks it to end */
void group_kill(int process); /* for signal handlers, too */
bool group_memory_is_known(void);
double group_memory(int process); /* resident bytes */
double group_time(int process);   /* of the processor, in seconds, by processes that live; < 0: not known */
/* From here on, a process whose parent has ended becomes a child of this one. */
void group_adopt_orphans(void);
bool group_tell_children(int number);    /* sends a signal; false if there are none, or none are known */
void group_kill_orphans(double seconds); /* until there are none, or so long */

/* ---- exit.c ---- */

/* The function is called at the end of the process with its exit status. */
void exit_watch(void (*ends)(int status));

#ifdef __cplusplus
}
#endif

#endif
