/* SPDX-License-Identifier: MIT */
#include "cli/run/proc_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perf/smallfile.h"

bool
proc_each_thread(int pid, void (*fn)(void *arg, int pid, int tid), void *arg)
{
	char path[64];
	DIR *d;

	snprintf(path, sizeof path, "/proc/%d/task", pid);
	d = opendir(path);
	for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
		int tid = (int)strtol(e->d_name, NULL, 10);

		if (tid > 0)
			fn(arg, pid, tid);
	}
	if (d)
		closedir(d);
	return d != NULL;
}

void
proc_each_child(int pid, int tid, void (*fn)(void *arg, int child), void *arg)
{
	char path[64], text[4096], *at = text, *end;

	snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, tid);
	if (!smallfile_read(path, text, sizeof text))
		return;
	end = strrchr(text, ' '); /* the last number may be cut */
	text[end == NULL ? 0 : end - text] = '\0';
	for (long child = strtol(at, &end, 10); end != at;
		child = strtol(at, &end, 10)) {
		at = end;
		fn(arg, (int)child);
	}
}

int
proc_times_open(int pid, int tid)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/task/%d/schedstat", pid, tid);
	return open(path, O_RDONLY | O_CLOEXEC);
}

bool
proc_times_read(int fd, int pid, int tid, struct proc_times *to)
{
	int file = fd >= 0 ? fd : proc_times_open(pid, tid);
	char text[96], *end;
	ssize_t n = pread(file, text, sizeof text - 1, 0);

	if (fd < 0 && file >= 0)
		close(file);
	if (n <= 0)
		return false;
	text[n] = '\0';
	to->ran = strtoull(text, &end, 10);
	to->waited = strtoull(end, NULL, 10);
	return true;
}

/* Returns the letter of the thread's state, or '\0' if it is gone. The state is
 * the word behind the name, which may have any characters. */
static char
state_of(int pid, int tid)
{
	char path[64], text[512];
	const char *name;

	snprintf(path, sizeof path, "/proc/%d/task/%d/stat", pid, tid);
	if (!smallfile_read(path, text, sizeof text))
		return '\0';
	name = strrchr(text, ')');
	return name != NULL && name[1] == ' ' ? name[2] : '\0';
}

bool
proc_is_stopped(int pid, int tid)
{
	char state = state_of(pid, tid);

	return state == 'T' || state == 't';
}

bool
proc_is_alive(int pid, int tid)
{
	char state = state_of(pid, tid);

	return state != '\0' && state != 'Z' && state != 'X';
}
