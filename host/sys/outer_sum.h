/* outer_sum.h - what every use of a clue_outer_sum checks first; in verify_outer_sum.c. */
#ifndef CLUE_OUTER_SUM_H
#define CLUE_OUTER_SUM_H

#include "clue.h"

/* 0, or the failure recorded: no elements, no data. */
int32_t outer_sum_check(const clue_outer_sum *sum, const char *call);

#endif
