/* SPDX-License-Identifier: MIT */
/*
 * class_list.h - keeps the rows of one class (thread, cpu...).
 */
#ifndef WEFT_CLI_TRACE_CLASS_LIST_H
#define WEFT_CLI_TRACE_CLASS_LIST_H

#include <stdbool.h>

struct arena;
struct err;
struct pipeline;
struct sink;

/* Returns true if the open trace has types of that class, or if it is NULL;
 * else err lists the classes. */
bool class_list_check(struct pipeline *r, const char *class, struct err *err);

/* Returns a sink in front of `next` that keeps rows and types of the class;
 * NULL: `next` itself. */
struct sink *class_list_filter(
	struct arena *a, struct sink *next, const char *class);

#endif
