/* outer_sum.h - the check that precedes every use of a walk_outer_sum; it is in verify_outer_sum.c. */
#ifndef WALK_OUTER_SUM_H
#define WALK_OUTER_SUM_H

#include "walk.h"

/* Records a failure if there are no elements or no data; 0 otherwise. */
int32_t outer_sum_check(const walk_outer_sum *sum, const char *call);

#endif
