/* SPDX-License-Identifier: MIT */
#include "rt/place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
	char path[PATH_MAX + 300], text[16384], want[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "%s/stream.json", thread);
	snprintf(want, sizeof(want), "\"started\": %" PRIu64 ",", started);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return started != 0 && strstr(text, want) != NULL;
}

static bool
empty_thread(const char *thread, uint64_t started)
{
	char path[PATH_MAX + 300];
	bool was = false;

	if (is_ours(thread, started))
		return false;
	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", thread, files[i]);
		was = unlink(path) == 0 || was;
	}
	rmdir(thread);
	return was;
}

static void
empty(const char *folder, uint64_t started)
{
	DIR *d = opendir(folder);
	char path[PATH_MAX + 280];
	bool was = false;

	for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
		if (strncmp(e->d_name, "thread.", 7) != 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		was = empty_thread(path, started) || was;
	}
	if (d)
		closedir(d);
	if (was)
		weft_rt_warn("weft: %s held an earlier run of a process with "
			     "the same id, which is replaced; set "
			     "OVNI_TRACEDIR to keep both",
			folder);
}

bool
weft_rt_place_make(struct proc *p)
{
	const char *temp = value_of("OVNI_TMPDIR", "");

	if (!place_in(p->folder, value_of("OVNI_TRACEDIR", "ovni"), p) ||
		!weft_rt_folder_make(p->folder))
		return false;
	empty(p->folder, p->started);
	if (temp[0] == '\0')
		return true;
	if (!place_in(p->temp, temp, p) || !weft_rt_folder_make(p->temp))
		return false;
	empty(p->temp, p->started);
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
	bool ok;

	if (rename(from, to) == 0)
		return true;
	in = open(from, O_RDONLY | O_CLOEXEC);
	if (in < 0)
		return false;
	snprintf(temp, sizeof(temp), "%s.new", to);
	out = open(temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	ok = out >= 0 && copy(in, out);
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
