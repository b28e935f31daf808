/* SPDX-License-Identifier: MIT */
/*
 * unsaid_page.h - the page in which the recorder leaves its warnings, so that
 * they do not come between the program's own lines (inproc/core/unsaid.h).
 */
#ifndef WEFT_CLI_RUN_UNSAID_PAGE_H
#define WEFT_CLI_RUN_UNSAID_PAGE_H

#include "base/arena.h"
#include "base/vec.h"

struct unsaid_lines {
	VEC(const char *) line;
};

/* Makes the page, a file in the directory, and sets WEFT_UNSAID. On a full
 * disk the warnings are dropped. */
void unsaid_begin(struct arena *a, const char *folder);

/* Adds the warnings to the list, and removes the file. */
void unsaid_end(struct arena *a, const char *folder, struct unsaid_lines *to);

#endif
