/* trace_process.c - what a trace says of the process that it is of. */
#define CLUE_UNTRACED
#include "trace/internal.h"

#include <unistd.h>

long trace_process(void) {
    return (long)getpid();
}

/* The command line, as the system keeps it: words end with zeros. Nothing where there is no /proc. */
void trace_write_process(FILE *file) {
    FILE *words = fopen("/proc/self/cmdline", "re");
    int c;
    (void)fprintf(file, "process\t%ld\t", trace_process());
    while (words && (c = fgetc(words)) != EOF)
        (void)fputc(c < ' ' ? ' ' : c, file);
    if (words) (void)fclose(words);
    (void)fputc('\n', file);
}
