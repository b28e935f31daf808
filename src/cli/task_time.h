/* SPDX-License-Identifier: MIT */
/*
 * task_time.h - times of a simulator, in the unit that its store names.
 */
#ifndef WEFT_CLI_TASK_TIME_H
#define WEFT_CLI_TASK_TIME_H

#include <stdbool.h>
#include <stdint.h>

/* "12.500 ns": in the largest unit that leaves four digits before the point or
 * fewer; what is no unit of time stays as it is. */
const char *task_time_text(int64_t time, const char *unit, char to[48]);

/* "12.5ns", or a number in the store's unit. False if it is no time. */
bool task_time_parse(const char *text, const char *unit, int64_t *time);

#endif
