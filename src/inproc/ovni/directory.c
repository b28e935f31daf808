/* SPDX-License-Identifier: MIT */
#include "inproc/ovni/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inproc/core/claim.h"
#include "inproc/core/directory.h"
#include "inproc/core/hush.h"
#include "inproc/core/proc.h"
#include "inproc/core/say.h"
#include "inproc/core/unsaid.h"

static const char *const files[] = { "stream.obs", "stream.json" };

static const char *
value_of(const char *name, const char *otherwise)
{
	const char *text = getenv(name);

	return text && text[0] != '\0' ? text : otherwise;
}

/* Makes the path absolute: the program may change its directory. */
static bool
place_in(char *path, const char *root, const struct proc *p)
{
	char here[PATH_MAX] = "";
	int n;

	if (root[0] != '/' && !getcwd(here, sizeof(here)))
		return false;
	n = snprintf(path, PATH_MAX, "%s%s%s/loom.%s/proc.%d", here,
		here[0] != '\0' ? "/" : "", root, p->loom, p->pid);
	if (n < PATH_MAX)
		return true;
	errno = ENAMETOOLONG;
	return false;
}

static bool
empty_thread(const char *thread)
{
	char path[PATH_MAX + 300];
	bool was = false;

	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", thread, files[i]);
		was = unlink(path) == 0 || was;
	}
	rmdir(thread);
	return was;
}

/* Removes the streams of an earlier run. */
static void
empty(const char *folder)
{
	struct directory f;
	const char *one;
	char path[PATH_MAX + 280];
	bool any = false;

	weft_rt_folder_open(&f, folder);
	while ((one = weft_rt_folder_next(&f)) != NULL) {
		if (strncmp(one, "thread.", 7) != 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, one);
		any = empty_thread(path) || any;
	}
	if (any)
		weft_rt_warn("weft: %s held an earlier run of a process with "
			     "the same id, which is replaced; set "
			     "OVNI_TRACEDIR to keep both",
			folder);
}

/* Sets the directories for the process's number in the trace. */
static bool
name(struct proc *p)
{
	const char *temp = value_of("OVNI_TMPDIR", "");
	char usual[PATH_MAX + 8];

	snprintf(usual, sizeof(usual), "%s%sovni", weft_rt_unsaid_folder(),
		weft_rt_unsaid_folder()[0] != '\0' ? "/" : "");
	return place_in(p->folder, value_of("OVNI_TRACEDIR", usual), p) &&
		(temp[0] == '\0' || place_in(p->temp, temp, p));
}

static bool
is_same_folder(const char *a, const char *b)
{
	struct stat sa, sb;

	return stat(a, &sa) == 0 && stat(b, &sb) == 0 &&
		sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

/* Claims both directories, or neither. */
static enum claim
claim_both(struct proc *p)
{
	enum claim home = weft_rt_claim(p->folder, &p->ident), temp;

	if (home > CLAIM_EARLIER)
		return home;
	if (p->temp[0] != '\0' && is_same_folder(p->folder, p->temp))
		p->temp[0] = '\0';
	temp = p->temp[0] != '\0' ? weft_rt_claim(p->temp, &p->ident)
				  : CLAIM_FRESH;
	if (temp > CLAIM_EARLIER) {
		int error = errno;

		/* an earlier run stays as it is; we hold its lock until we end,
		 * so other processes skip it, too */
		if (home == CLAIM_FRESH)
			weft_rt_claim_undo(p->folder);
		errno = error;
		return temp;
	}
	if (home == CLAIM_EARLIER)
		empty(p->folder);
	if (temp == CLAIM_EARLIER)
		empty(p->temp);
	return home;
}

/* Keeps the records that this process made before an exec, and the records of a
 * process that may still run: this process then takes another directory. */
bool
weft_rt_directory_make(struct proc *p)
{
	char taken[PATH_MAX] = "";
	int pid = p->pid;

	for (int i = 0; i < PLACE_NUMBERS && name(p); i++) {
		enum claim claim = claim_both(p);

		if (claim == CLAIM_FAILED)
			return false;
		if (claim <= CLAIM_EARLIER) {
			if (taken[0] != '\0')
				weft_rt_warn(
					"weft: %s belongs to another process, "
					"which may still run: this one is "
					"process %d of the trace",
					taken, p->pid);
			return true;
		}
		if (claim == CLAIM_TAKEN && taken[0] == '\0')
			snprintf(taken, sizeof(taken), "%s", p->folder);
		errno = EEXIST;
		if (p->pid > INT_MAX - PLACE_IMAGE)
			break;
		p->pid += PLACE_IMAGE;
	}
	p->pid = pid;
	return false;
}

static bool
copy(int from, int to)
{
	char data[65536];
	ssize_t n;

	while ((n = read(from, data, sizeof(data))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		for (ssize_t i = 0, w; i < n; i += w) {
			w = write(to, data + i, (size_t)(n - i));
			if (w < 0 && errno == EINTR)
				w = 0;
			else if (w <= 0)
				return false;
		}
		if (n < 0)
			return false;
	}
	return true;
}

static bool
move_file(const char *from, const char *to)
{
	char temp[PATH_MAX + 80];
	int in, out;
	struct hush limit;
	bool ok;

	if (rename(from, to) == 0)
		return true;
	in = open(from, O_RDONLY | O_CLOEXEC);
	if (in < 0)
		return false;
	snprintf(temp, sizeof(temp), "%s.new", to);
	out = open(temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	weft_rt_hush(&limit, SIGXFSZ);
	ok = out >= 0 && copy(in, out);
	weft_rt_unhush(&limit);
	close(in);
	if (out >= 0)
		ok = close(out) == 0 && ok;
	ok = ok && rename(temp, to) == 0;
	unlink(ok ? from : temp);
	return ok;
}

static void
move_files(int tid, const char *folder, const char *other)
{
	char from[PATH_MAX + 64], to[PATH_MAX + 64];

	for (int i = 0; i < 2; i++) {
		snprintf(from, sizeof(from), "%s/thread.%d/%s", folder, tid,
			files[i]);
		snprintf(to, sizeof(to), "%s/thread.%d/%s", other, tid,
			files[i]);
		if (!move_file(from, to))
			weft_rt_proc_trouble(errno, from);
	}
}

void
weft_rt_directory_move(int tid)
{
	const struct proc *p = weft_rt_proc;
	char thread[PATH_MAX + 32];

	move_files(tid, p->temp, p->folder);
	snprintf(thread, sizeof(thread), "%s/thread.%d", p->temp, tid);
	rmdir(thread);
}

void
weft_rt_directory_move_back(int tid)
{
	const struct proc *p = weft_rt_proc;
	char thread[PATH_MAX + 32];

	snprintf(thread, sizeof(thread), "%s/thread.%d", p->temp, tid);
	weft_rt_folder_make(thread);
	move_files(tid, p->folder, p->temp);
}

void
weft_rt_directory_clean(void)
{
	char path[PATH_MAX], owner[PATH_MAX + 16];
	char *slash;

	if (weft_rt_proc->temp[0] == '\0')
		return;
	snprintf(owner, sizeof(owner), "%s/owner", weft_rt_proc->temp);
	unlink(owner);
	memcpy(path, weft_rt_proc->temp, sizeof(path));
	for (int i = 0; i < 3; i++) {
		if (rmdir(path) != 0 && errno != ENOTEMPTY && errno != ENOENT &&
			errno != EEXIST)
			weft_rt_warn("cannot remove %s:", path);
		slash = strrchr(path, '/');
		if (!slash || slash == path)
			return;
		*slash = '\0';
	}
}
