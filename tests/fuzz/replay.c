/* replay.c - runs a fuzz target once for each file in the folders or files given, as libFuzzer would. For builds
 * without libFuzzer, so that every kept input is a test in each of them. */
#include "fuzz.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_SECONDS = 60 }; /* for one input, on a busy machine */

/* Each input lies in a block of exactly its size, so that the sanitizers see a read past its end. */
static int run_file(const char *path) {
    FILE *file = fopen(path, "rb");
    struct stat about;
    uint8_t *bytes;
    size_t size;
    if (!file || fstat(fileno(file), &about) != 0) {
        perror(path);
        exit(2);
    }
    bytes = malloc((size_t)about.st_size + !about.st_size);
    fuzz_require(bytes);
    size = fread(bytes, 1, (size_t)about.st_size, file);
    (void)fclose(file);
    fuzz_require(size == (size_t)about.st_size);
    (void)printf("%s\n", path);
    (void)fflush(stdout); /* if it crashes, this is the last line */
    (void)alarm(MOST_SECONDS);
    (void)LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    return 1;
}

static int run_folder(const char *path) {
    DIR *folder = opendir(path);
    const struct dirent *next;
    int count = 0;
    if (!folder) return run_file(path);
    while ((next = readdir(folder))) {
        char file[4096];
        if (next->d_name[0] == '.') continue;
        (void)snprintf(file, sizeof file, "%s/%s", path, next->d_name);
        count += run_file(file);
    }
    (void)closedir(folder);
    return count;
}

int main(int count, char **arguments) {
    int ran = 0;
    (void)LLVMFuzzerInitialize(&count, &arguments);
    for (int i = 1; i < count; i++)
        ran += run_folder(arguments[i]);
    (void)printf("%d inputs\n", ran);
    return ran == 0;
}
