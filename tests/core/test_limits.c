/* A limit of processes leaves no room for a driver's threads. Root has no such limit, so pthread_create() is made
 * to fail, under a limit of files that makes the library look.
 *
 * suite: quick */
#include "support.h"

#include <errno.h>
#include <pthread.h>
#include <sys/resource.h>

static int refusal, left; /* the error of pthread_create(), after so many threads; 0: none */

__attribute__((visibility("default"))) int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                                          void *(*start)(void *), void *argument) {
    static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!next) {
        void *symbol = dlsym(RTLD_NEXT, "pthread_create");
        memcpy(&next, &symbol, sizeof next);
    }
    return refusal && left-- <= 0 ? refusal : next(thread, attributes, start, argument);
}

TEST(drivers_are_not_started_without_their_threads) {
    const struct rlimit few = {.rlim_cur = 40, .rlim_max = 40};
    int32_t count = 7;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    refusal = EAGAIN;
    left = 1; /* the first one is made, and must end */
    assert_int_equal(clue_device_count(&count), CL_OUT_OF_RESOURCES);
    assert_string_equal(clue_error_call(), "clGetPlatformIDs");
    assert_int_equal(clue_error_cause(), CLUE_CAUSE_LIMIT);
    assert_non_null(strstr(clue_error_detail(), " threads, and pthread_create: Resource temporarily unavailable"));
    assert_non_null(strstr(clue_error_detail(), "ulimit -n"));
    assert_int_equal(count, 7);
}

/* After the limit was raised, the next call finds the devices. */
TEST(the_next_call_tries_again) {
    int32_t count = 0;
    refusal = 0;
    assert_works(clue_device_count(&count));
    assert_int_equal(count, 1);
}
