/* SPDX-License-Identifier: MIT */
#include "base/leftover.h"

#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#define LEFTOVERS 64 /* more than a command writes at once */

enum { FREE, CHANGES, EXISTS };

/* The paths are copies: the memory of a caller may be gone when a signal
 * comes. */
static struct {
	atomic_int state;
	char path[PATH_MAX];
} list[LEFTOVERS];

int
leftover_add(const char *path)
{
	size_t size = strlen(path) + 1;

	if (size > sizeof list->path)
		return -1;
	for (int i = 0; i < LEFTOVERS; i++) {
		int is = FREE;

		if (!atomic_compare_exchange_strong(
			    &list[i].state, &is, CHANGES))
			continue;
		memcpy(list[i].path, path, size);
		atomic_store(&list[i].state, EXISTS);
		return i;
	}
	return -1;
}

void
leftover_drop(int number)
{
	if (number >= 0)
		atomic_store(&list[number].state, FREE);
}

void
leftovers_remove(void)
{
	for (int i = LEFTOVERS - 1; i >= 0; i--)
		if (atomic_load(&list[i].state) == EXISTS &&
			unlink(list[i].path) != 0)
			rmdir(list[i].path);
}
