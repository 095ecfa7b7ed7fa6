/* run_signals.c - what ends, interrupts or crashes a run: the console's keys and unhandled exceptions, with POSIX's
 * numbers of signals. Windows calls the handlers of keys in a thread of their own. */
#include "room.h"

#include <signal.h>
#include <stdatomic.h>

enum { BUS = 7, KILL = 9 };

static signal_actions actions;
static atomic_bool interrupts_ignored, is_noting, notes_interrupt;
static atomic_int asked;
static DWORD last_exception;

HANDLE wake_event(void) {
    static HANDLE _Atomic event;
    HANDLE made = atomic_load(&event), none = NULL;
    if (made) return made;
    made = CreateEventA(NULL, FALSE, FALSE, NULL);
    if (atomic_compare_exchange_strong(&event, &none, made)) return made;
    (void)CloseHandle(made);
    return none;
}

/* ---- statuses ---- */

int signal_of_status(DWORD status) {
    switch (status) {
    case EXCEPTION_ACCESS_VIOLATION:
    case EXCEPTION_STACK_OVERFLOW:
    case 0xC0000374: /* the heap is damaged */
    case 0xC0000409: /* a buffer's end was written over */
        return SIGSEGV;
    case EXCEPTION_ILLEGAL_INSTRUCTION:
    case EXCEPTION_PRIV_INSTRUCTION:
        return SIGILL;
    case EXCEPTION_INT_DIVIDE_BY_ZERO:
    case EXCEPTION_INT_OVERFLOW:
    case EXCEPTION_FLT_DIVIDE_BY_ZERO:
    case EXCEPTION_FLT_INVALID_OPERATION:
        return SIGFPE;
    case EXCEPTION_DATATYPE_MISALIGNMENT:
    case EXCEPTION_IN_PAGE_ERROR:
        return BUS;
    case 0xC000013A: /* STATUS_CONTROL_C_EXIT */
        return SIGNAL_INTERRUPT;
    default:
        return (status & 0xFFFFFF00U) == STATUS_OF_SIGNAL(0) ? (int)(status & 0xFF) : 0;
    }
}

void signal_end_by(int number) {
    const DWORD status = signal_of_status(last_exception) == number ? last_exception : STATUS_OF_SIGNAL(number);
    (void)TerminateProcess(GetCurrentProcess(), number == SIGNAL_INTERRUPT ? 0xC000013A : status);
}

const char *signal_name(int number) {
    switch (number) {
    case SIGSEGV:
        return "SIGSEGV";
    case BUS:
        return "SIGBUS";
    case SIGILL:
        return "SIGILL";
    case SIGFPE:
        return "SIGFPE";
    case 6: /* POSIX's number of it */
    case SIGABRT:
        return "SIGABRT";
    case KILL:
        return "SIGKILL";
    default:
        return NULL;
    }
}

/* ---- a run ---- */

static LONG WINAPI crash(EXCEPTION_POINTERS *about) {
    const int number = signal_of_status(about->ExceptionRecord->ExceptionCode);
    last_exception = about->ExceptionRecord->ExceptionCode;
    if (number == 0) return EXCEPTION_CONTINUE_SEARCH;
    actions.crash(number, signal_name(number), last_exception == EXCEPTION_STACK_OVERFLOW);
    return EXCEPTION_CONTINUE_SEARCH;
}

static void give_up(int number) {
    actions.crash(6, signal_name(number), false);
}

static BOOL act(bool is_key) {
    if (atomic_load(&is_noting)) {
        if (!is_key) atomic_store(&asked, SIGNAL_TERMINATE);
        return TRUE;
    }
    if (is_key && actions.interrupt)
        actions.interrupt(SIGNAL_INTERRUPT);
    else if (!is_key && actions.end)
        actions.end(SIGNAL_TERMINATE);
    else
        return FALSE;
    return TRUE;
}

/* What sleeps is woken last: it goes on at once, and must find what was asked. */
static BOOL WINAPI handle(DWORD event) {
    const bool is_key = event == CTRL_C_EVENT;
    BOOL acted;
    if (is_key && atomic_load(&interrupts_ignored) && !atomic_load(&notes_interrupt)) return TRUE;
    acted = act(is_key);
    (void)SetEvent(wake_event());
    return acted;
}

static void install(void) {
    static atomic_flag done = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&done)) (void)SetConsoleCtrlHandler(handle, TRUE);
}

void interrupts_ignore(bool ignore) {
    atomic_store(&interrupts_ignored, ignore);
    install();
}

void signals_handle(const signal_actions *wanted) {
    actions = *wanted;
    install();
    (void)SetUnhandledExceptionFilter(crash);
    (void)signal(SIGABRT, give_up);
}

/* ---- a wait for a child ---- */

void signals_note(void) {
    atomic_store(&is_noting, true);
    install();
}

/* Ctrl-C goes to the child as well, which decides. */
void signals_note_interrupt(void) {
    atomic_store(&notes_interrupt, true);
}

bool signals_ignore_interrupt(void) {
    return false;
}

int signals_asked(void) {
    return atomic_load(&asked);
}

/* ---- what any process with the library has: Windows has no handlers that drivers replace, nor suspensions ---- */

void handlers_keep(void) {}

void handlers_put_back(void) {}

void signals_watch_suspensions(void (*after)(void)) {
    (void)after;
}
