/* SPDX-License-Identifier: MIT */
#include "inproc/core/sweep.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "inproc/core/ring.h"

#define AGE 600 /* s */
#define STEP 8  /* names per step: some 0.1 ms */

/* Returns true if the name has ring.c's form weft-PID-ID.ring and no process
 * PID exists. */
static bool
is_of_dead(const char *name)
{
	size_t n = strlen(name);
	char *end;
	long pid;

	if (strncmp(name, "weft-", 5) != 0 ||
		strcmp(name + n - 5, ".ring") != 0)
		return false;
	pid = strtol(name + 5, &end, 10);
	return *end == '-' && pid > 0 && pid <= INT_MAX &&
		kill((pid_t)pid, 0) != 0 && errno == ESRCH;
}

/* Returns the time in seconds since 1970. */
static time_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec;
}

static bool
is_spare(int folder, const char *name)
{
	int fd = openat(
		folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	struct ringfile f;
	struct stat st;
	bool is;

	if (fd < 0)
		return false;
	is = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		now() - st.st_mtime > AGE &&
		pread(fd, &f, sizeof(f), 0) == (ssize_t)sizeof(f) &&
		f.id == 0 && !ringfile_is_held(fd);
	close(fd);
	return is;
}

void
weft_rt_sweep_start(struct directory *f)
{
	weft_rt_folder_open(f, weft_rt_ring_folder());
}

void
weft_rt_sweep_step(struct directory *f)
{
	const char *name;

	for (int i = 0; i < STEP; i++) {
		name = weft_rt_folder_next(f);
		if (!name)
			return;
		if (is_of_dead(name) && is_spare(f->fd, name))
			unlinkat(f->fd, name, 0);
	}
}
