/* SPDX-License-Identifier: MIT */
#include "rt/sweep.h"

#include <dirent.h>
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

#include "rt/ring.h"

#define AGE 600 /* s */
#define STEP 8  /* names: some 0.1 ms */

/* Of a name as ring.c makes them: weft-PID-ID.ring */
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
		time(NULL) - st.st_mtime > AGE &&
		pread(fd, &f, sizeof(f), 0) == (ssize_t)sizeof(f) && f.id == 0;
	close(fd);
	return is;
}

void
weft_rt_sweep_start(struct sweep *s)
{
	s->folder = open(weft_rt_ring_folder(),
		O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
	s->at = s->n = 0;
}

/* The next name of the folder; NULL at its end. */
static const char *
next_name(struct sweep *s)
{
	const struct dirent64 *e;

	if (s->at == s->n) {
		s->n = getdents64(s->folder, s->buffer, sizeof(s->buffer));
		s->at = 0;
		if (s->n <= 0)
			return NULL;
	}
	e = (const void *)(s->buffer + s->at);
	s->at += e->d_reclen;
	return e->d_name;
}

void
weft_rt_sweep_step(struct sweep *s)
{
	const char *name;

	for (int i = 0; i < STEP && s->folder >= 0; i++) {
		name = next_name(s);
		if (!name) {
			close(s->folder);
			s->folder = -1;
		} else if (is_of_dead(name) && is_spare(s->folder, name)) {
			unlinkat(s->folder, name, 0);
		}
	}
}
