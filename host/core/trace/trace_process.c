/* trace_process.c - what a trace says about its process. */
#define CLUE_UNTRACED
#include "trace/internal.h"

#include <unistd.h>

long trace_process(void) {
    return (long)getpid();
}

/* Writes the command line as the system keeps it: words that end with zeros. Writes none if there is no /proc. */
void trace_write_process(FILE *file) {
    FILE *words = fopen("/proc/self/cmdline", "re");
    int c;
    (void)fprintf(file, "process\t%ld\t", trace_process());
    while (words && (c = fgetc(words)) != EOF)
        (void)fputc(c < ' ' ? ' ' : c, file);
    if (words) (void)fclose(words);
    (void)fputc('\n', file);
}
