/* SPDX-License-Identifier: MIT */
/* The directories of a CTF trace: ROOT/trace_PROGRAM/RANK/ctf/{user,kernel}. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inproc/core/directory.h"
#include "inproc/core/hush.h"
#include "inproc/core/proc.h"
#include "inproc/core/slow.h"
#include "inproc/core/unsaid.h"
#include "inproc/ctf/ctf.h"

enum { RUNS = 1 << 20, MOST = PATH_MAX - 32 };

/* Makes the path absolute: the program may change its directory. */
static bool
find_root(char root[PATH_MAX])
{
	const char *set = getenv("WEFT_CTF_DIR");
	char here[PATH_MAX] = "";
	int n;

	if (!set)
		set = weft_rt_unsaid_folder();
	if (set[0] != '/' && !getcwd(here, sizeof(here)))
		return false;
	n = snprintf(root, PATH_MAX, "%s%s%s", here,
		here[0] != '\0' && set[0] != '\0' ? "/" : "", set);
	errno = ENAMETOOLONG;
	return n < PATH_MAX - 300;
}

static bool
make_version(const char *trace)
{
	char path[PATH_MAX + 16];
	int fd, error;
	bool ok;

	snprintf(path, sizeof(path), "%s/VERSION", trace);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		return false;
	ok = weft_rt_hush_write(fd, "1\n", 2, 0);
	error = errno;
	close(fd);
	errno = error;
	return ok;
}

/* Takes the first name without a directory of our rank. Never moves an existing
 * trace: a process may still write it. */
static bool
claim(const char *root, char trace[PATH_MAX], char rank[PATH_MAX])
{
	for (int i = 0; i < RUNS; i++) {
		char number[16] = "";

		if (i > 0)
			snprintf(number, sizeof(number), "_%d", i);
		if (snprintf(trace, PATH_MAX, "%s/trace_%s%s", root,
			    program_invocation_short_name,
			    number) >= PATH_MAX - 64 ||
			snprintf(rank, PATH_MAX, "%s/%d", trace,
				weft_rt_proc->rank) >= MOST)
			return false;
		if (!weft_rt_folder_make(trace))
			return false;
		if (mkdir(rank, 0755) == 0)
			return true;
		if (errno != EEXIST)
			return false;
	}
	return false;
}

static bool
make(struct ctf *c)
{
	char root[PATH_MAX] = ".", trace[PATH_MAX], rank[PATH_MAX];

	if (!find_root(root) || !claim(root, trace, rank)) {
		snprintf(c->folder, sizeof(c->folder), "%.*s", MOST, root);
		return false;
	}
	snprintf(c->folder, sizeof(c->folder), "%.*s/ctf/kernel", MOST, rank);
	if (!weft_rt_folder_make(c->folder))
		return false;
	snprintf(c->folder, sizeof(c->folder), "%.*s/ctf/user", MOST, rank);
	return weft_rt_folder_make(c->folder) && make_version(trace);
}

struct made {
	struct ctf *ctf;
	bool ok;
	int error;
};

static void
make_in(void *arg)
{
	struct made *m = arg;

	m->ok = make(m->ctf);
	m->error = errno;
}

bool
weft_rt_ctf_directory(struct ctf *c)
{
	struct made m = { .ctf = c };

	weft_rt_slow(make_in, &m);
	errno = m.error;
	return m.ok;
}
