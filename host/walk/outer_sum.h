/* outer_sum.h - what every use of a walk_outer_sum checks first; in verify_outer_sum.c. */
#ifndef WALK_OUTER_SUM_H
#define WALK_OUTER_SUM_H

#include "walk.h"

/* 0, or the failure recorded: no elements, no data. */
int32_t outer_sum_check(const walk_outer_sum *sum, const char *call);

#endif
