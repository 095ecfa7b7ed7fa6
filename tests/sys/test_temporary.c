/* test_temporary.c - temporary folders: they are made in the right place, and removed however the process ends.
 *
 * suite: quick */
#define BEFORE make_above
#define AFTER remove_above
#include "child_support.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

static const clue_child_options no_options = {0};
static char above[32];

static int make_above(void **state) {
    (void)state;
    (void)snprintf(above, sizeof above, "/tmp/clue-test-XXXXXX");
    if (mkdtemp(above) == NULL) return -1;
    return setenv("TMPDIR", above, 1);
}

static int remove_above(void **state) {
    (void)state;
    return rmdir(above); /* this succeeds only if the folder is empty */
}

static bool is_there(const char *path) {
    struct stat about;
    return lstat(path, &about) == 0;
}

static const char *make(void) {
    const char *path = NULL;
    assert_int_equal(clue_temporary_folder(&path), 0);
    return path;
}

static void put(const char *folder, const char *name) {
    char path[PATH_MAX];
    FILE *file;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "we");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

static const char *fill(const char *folder) {
    char inner[PATH_MAX];
    put(folder, "file");
    (void)snprintf(inner, sizeof inner, "%s/inner", folder);
    assert_int_equal(mkdir(inner, 0700), 0);
    for (int i = 0; i < 300; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "%d", i);
        put(inner, name);
    }
    (void)snprintf(inner, sizeof inner, "%s/link", folder);
    assert_int_equal(symlink("/", inner), 0); /* the link must not be followed */
    return folder;
}

TEST(is_made_new_and_removed_with_its_contents) {
    char path[PATH_MAX];
    const char *other;
    (void)snprintf(path, sizeof path, "%s", fill(make()));
    assert_int_equal(strncmp(path, above, strlen(above)), 0);
    other = make();
    assert_string_not_equal(path, other);
    clue_temporary_remove(path);
    assert_false(is_there(path));
    assert_true(is_there(other));
    clue_temporary_remove(path); /* the folder is no longer ours */
    clue_temporary_remove(other);
}

TEST(removes_no_folder_that_it_did_not_make) {
    char path[] = "/tmp/clue-test-XXXXXX";
    assert_non_null(mkdtemp(path));
    clue_temporary_remove(path);
    assert_int_equal(rmdir(path), 0);
}

TEST(names_the_place_where_none_can_be_made) {
    const char *path = NULL;
    setenv("TMPDIR", "/no/such/folder", 1);
    assert_true(clue_temporary_folder(&path) < 0);
    setenv("TMPDIR", above, 1);
    assert_non_null(strstr(clue_error_detail(), "/no/such/folder/clue-"));
    assert_non_null(strstr(clue_error_detail(), "No such file or directory"));
}

TEST(is_removed_from_another_working_folder_too) {
    char path[PATH_MAX];
    int before = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_int_equal(chdir(above), 0);
    assert_int_equal(setenv("TMPDIR", ".", 1), 0);
    (void)snprintf(path, sizeof path, "%s", fill(make()));
    assert_int_equal(fchdir(before), 0);
    setenv("TMPDIR", above, 1);
    assert_int_equal(path[0], '/');
    assert_true(is_there(path));
    clue_temporary_remove(path);
    assert_false(is_there(path));
    close(before);
}

TEST(has_room_for_sixteen) {
    const char *paths[16], *more = NULL;
    for (int i = 0; i < 16; i++)
        paths[i] = make();
    assert_true(clue_temporary_folder(&more) < 0);
    for (int i = 0; i < 16; i++)
        clue_temporary_remove(paths[i]);
    clue_temporary_remove(make());
}

/* ---- the end of the process ---- */

static void remove_everything(int number) {
    clue_temporary_remove_all(); /* NOLINT(bugprone-signal-handler): made for this */
    _exit(128 + number);
}

/* Modes of the test program: it makes folders, prints the path of the first, and ends. */
static int host(const char *end) {
    signal(SIGTERM, remove_everything);
    puts(fill(make()));
    make();
    fflush(stdout);
    if (strcmp(end, "exits") == 0) exit(5);
    raise(SIGTERM);
    return 1;
}

static void assert_removes_at_end(const char *mode, int status) {
    captured result = finish(start_mode(mode, no_options));
    assert_int_equal(result.value, status);
    result.text[0][strcspn(result.text[0], "\n")] = '\0';
    assert_int_equal(strncmp(result.text[0], above, strlen(above)), 0);
    assert_false(is_there(result.text[0]));
    forget(&result);
}

TEST(is_gone_when_the_process_exits) {
    assert_removes_at_end("exits", 5);
}

TEST(can_be_removed_by_a_signal_handler) {
    assert_removes_at_end("is-terminated", 128 + SIGTERM);
}

int main(int count, char **arguments) {
    if (count > 1) return host(arguments[1]);
    return unit_run();
}
