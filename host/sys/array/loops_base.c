/* loops_base.c - the loops for any processor. */
#define LOOPS loops_base
#define LOOPS_NAME "base"
#define LOOPS_VECTOR 16 /* bytes */
#include "level.h"
