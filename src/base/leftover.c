/* SPDX-License-Identifier: MIT */
#include "base/leftover.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

#define LEFTOVERS 64 /* more than a command writes at once */
#define LEVELS 8     /* of directories in a tree */
#define TRIES 3      /* another thread may add files meanwhile */

enum { FREE, CHANGES, EXISTS, IS_TREE };

/* The paths are copies: the memory of a caller may be gone when a signal
 * comes. */
static struct {
	atomic_int state;
	char path[PATH_MAX];
} list[LEFTOVERS];

static int
add(const char *path, int state)
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
		atomic_store(&list[i].state, state);
		return i;
	}
	return -1;
}

int
leftover_add(const char *path)
{
	return add(path, EXISTS);
}

int
leftover_add_tree(const char *path)
{
	return add(path, IS_TREE);
}

bool
leftover_mkdtemp(char *path, bool is_tree, int *number)
{
	sigset_t all, before;
	bool is_made;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	is_made = mkdtemp(path) != NULL;
	*number = is_made ? add(path, is_tree ? IS_TREE : EXISTS) : -1;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return is_made;
}

void
leftover_drop(int number)
{
	if (number >= 0)
		atomic_store(&list[number].state, FREE);
}

/* nftw() and opendir() allocate memory, which a signal handler must not. */
static void
remove_tree(int parent, const char *name, int levels)
{
	_Alignas(struct dirent64) char entries[2048];
	int fd = openat(
		parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return;
	while ((n = getdents64(fd, entries, sizeof entries)) > 0)
		for (ssize_t at = 0; at < n;) {
			const struct dirent64 *e = (const void *)(entries + at);

			at += e->d_reclen;
			if (!file_is_dots(e->d_name) &&
				unlinkat(fd, e->d_name, 0) != 0 && levels > 1)
				remove_tree(fd, e->d_name, levels - 1);
		}
	close(fd);
	unlinkat(parent, name, AT_REMOVEDIR);
}

void
leftovers_remove(void)
{
	for (int i = LEFTOVERS - 1; i >= 0; i--) {
		int state = atomic_load(&list[i].state);

		for (int try = 0; state == IS_TREE && try < TRIES; try++)
			remove_tree(AT_FDCWD, list[i].path, LEVELS);
		if (state == EXISTS && unlink(list[i].path) != 0)
			rmdir(list[i].path);
	}
}
