/* SPDX-License-Identifier: MIT */
#include "rt/place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rt/hush.h"
#include "rt/proc.h"
#include "rt/say.h"

static const char *const files[] = { "stream.obs", "stream.json" };

static const char *
value_of(const char *name, const char *otherwise)
{
	const char *text = getenv(name);

	return text && text[0] != '\0' ? text : otherwise;
}

/* Absolute: the program may change its directory. */
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

/* Did this very process, before an exec, write the stream? */
static bool
is_ours(const char *thread, uint64_t started)
{
	static const char key[] = "\"started\":";
	char path[PATH_MAX + 300], *text, *at = NULL;
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "%s/stream.json", thread);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) != 0)
		st.st_size = 0;
	text = st.st_size == 0
		? MAP_FAILED
		: mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (text == MAP_FAILED)
		return false;
	at = memmem(text, (size_t)st.st_size, key, sizeof(key) - 1);
	if (at)
		at += sizeof(key) - 1;
	/* the text ends with a brace, so the number ends before it */
	fd = at && started != 0 && strtoull(at, NULL, 10) == started;
	munmap(text, (size_t)st.st_size);
	return fd != 0;
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

/* For each thread's folder: empties it, or asks if it is ours. True: one was
 * emptied, or is. */
static bool
each_thread(const char *folder, bool is_emptied, uint64_t started)
{
	DIR *d = opendir(folder);
	char path[PATH_MAX + 280];
	bool any = false;

	for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
		if (strncmp(e->d_name, "thread.", 7) != 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		any = (is_emptied ? empty_thread(path)
				  : is_ours(path, started)) ||
			any;
	}
	if (d)
		closedir(d);
	return any;
}

static void
empty(const char *folder)
{
	if (each_thread(folder, true, 0))
		weft_rt_warn("weft: %s held an earlier run of a process with "
			     "the same id, which is replaced; set "
			     "OVNI_TRACEDIR to keep both",
			folder);
}

/* Finds the folders for the number that the process has in the trace. */
static bool
name(struct proc *p)
{
	const char *temp = value_of("OVNI_TMPDIR", "");

	return place_in(p->folder, value_of("OVNI_TRACEDIR", "ovni"), p) &&
		(temp[0] == '\0' || place_in(p->temp, temp, p));
}

/* After an exec, the same process is another program. What it recorded before
 * stays as it is, as if that one had been killed; this one has a number that no
 * process can have. */
static bool
choose(struct proc *p)
{
	while (name(p)) {
		if (!each_thread(p->folder, false, p->started) &&
			!each_thread(p->temp, false, p->started))
			return true;
		if (p->pid > INT_MAX - PLACE_IMAGE) {
			errno = EEXIST;
			return false;
		}
		p->pid += PLACE_IMAGE;
	}
	return false;
}

bool
weft_rt_place_make(struct proc *p)
{
	if (!choose(p) || !weft_rt_folder_make(p->folder))
		return false;
	empty(p->folder);
	if (p->temp[0] == '\0')
		return true;
	if (!weft_rt_folder_make(p->temp))
		return false;
	empty(p->temp);
	return true;
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

void
weft_rt_place_move(int tid)
{
	const struct proc *p = weft_rt_proc;
	char from[PATH_MAX + 64], to[PATH_MAX + 64];

	for (int i = 0; i < 2; i++) {
		snprintf(from, sizeof(from), "%s/thread.%d/%s", p->temp, tid,
			files[i]);
		snprintf(to, sizeof(to), "%s/thread.%d/%s", p->folder, tid,
			files[i]);
		if (!move_file(from, to))
			weft_rt_proc_trouble(errno, from);
	}
	snprintf(from, sizeof(from), "%s/thread.%d", p->temp, tid);
	rmdir(from);
}

void
weft_rt_place_clean(void)
{
	char path[PATH_MAX];
	char *slash;

	if (weft_rt_proc->temp[0] == '\0')
		return;
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

uint64_t
weft_rt_place_started(void)
{
	char text[1024];
	int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	char *at;

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	/* the second field may hold anything between its parentheses; the
	 * 22nd is ours */
	at = strrchr(text, ')');
	for (int i = 2; at && i < 22; i++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at, NULL, 10) : 0;
}
