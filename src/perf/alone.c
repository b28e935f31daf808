/* SPDX-License-Identifier: MIT */
#include "perf/alone.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perf/smallfile.h"

/* Stop at the third task besides the main one: weft has at most two. */
enum { MOST = 3 };

static bool
main_has_ended(void)
{
	char text[512];
	const char *state;

	if (!smallfile_read("/proc/self/stat", text, sizeof(text)))
		return false;
	state = strrchr(text, ')');
	return state != NULL && strncmp(state, ") Z", 3) == 0;
}

/* Returns true for a thread that has ended meanwhile, too: one of ours may have
 * been joined just before. */
static bool
is_ours(const char *tid)
{
	char path[sizeof("/proc/self/task//comm") + NAME_MAX], name[32];

	snprintf(path, sizeof(path), "/proc/self/task/%s/comm", tid);
	errno = 0;
	if (!smallfile_read(path, name, sizeof(name)))
		return errno == ENOENT || errno == ESRCH;
	return (strcmp(name, ALONE_WRITER "\n") == 0 ||
		strcmp(name, ALONE_MEM "\n") == 0);
}

/* Returns the number of threads besides one, which all are weft's; -1: not all
 * are. Entries that are not numbers are no tasks. */
static int
count_ours(const char *entries, long n, pid_t besides)
{
	int left = 0;

	for (long at = 0; at < n;) {
		char *end;
		long tid;
		const struct dirent64 *e = (const void *)(entries + at);

		at += e->d_reclen;
		tid = strtol(e->d_name, &end, 10);
		if (tid == 0 || *end != '\0' || tid == besides)
			continue;
		if (++left == MOST || !is_ours(e->d_name))
			return -1;
	}
	return left;
}

/* Uses the system call: opendir() would allocate. */
static int
count_others(pid_t besides)
{
	_Alignas(8) char entries[1024];
	long n;
	int fd;

	fd = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	n = getdents64(fd, entries, sizeof(entries));
	close(fd);
	return n > 0 ? count_ours(entries, n, besides) : -1;
}

bool
weft_is_left_alone(void)
{
	return main_has_ended() && count_others(getpid()) > 0;
}

bool
weft_is_only_thread(void)
{
	return count_others(gettid()) >= 0;
}
