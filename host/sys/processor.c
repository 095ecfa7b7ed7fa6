/* processor.c - the number of processors that are online. */
#include "clue.h"
#include "system.h"

enum { MOST = 256 };

int32_t clue_processor_count(void) {
    const int64_t count = process_processors();
    return count < 1 ? 1 : count > MOST ? MOST : (int32_t)count;
}
