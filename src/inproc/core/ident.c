/* SPDX-License-Identifier: MIT */
#include "inproc/core/ident.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perf/boot_id.h"
#include "perf/smallfile.h"

uint64_t
weft_rt_ident_started(int pid)
{
	char path[32], text[512]; /* holds 22 fields */
	char *at;

	if (pid == 0)
		snprintf(path, sizeof(path), "/proc/self/stat");
	else
		snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	if (!smallfile_read(path, text, sizeof(text)))
		return 0;
	/* the second field, in parentheses, may hold any character; field 22 is
	 * the start time */
	at = strrchr(text, ')');
	for (int i = 2; at && i < 22; i++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at, NULL, 10) : 0;
}

struct ident
weft_rt_ident(void)
{
	struct ident id = { .pid = (int)getpid() };
	struct stat st;

	boot_id_read(id.boot, sizeof(id.boot));
	if (stat("/proc/self/ns/pid", &st) == 0)
		id.pidns = (uint64_t)st.st_ino;
	/* "self": /proc may belong to another pid namespace, where our number
	 * names another process */
	id.started = weft_rt_ident_started(0);
	return id;
}

size_t
weft_rt_ident_text(const struct ident *id, char text[IDENT_TEXT])
{
	int n = snprintf(text, IDENT_TEXT,
		"{\"boot\": \"%s\", \"pidns\": %" PRIu64
		", \"pid\": %d, \"started\": %" PRIu64 "}\n",
		id->boot, id->pidns, id->pid, id->started);

	return n < 0 ? 0 : (size_t)n;
}

bool
weft_rt_ident_read(struct ident *id, const char *text)
{
	char end, pidns[21], pid[10], started[21];

	*id = (struct ident){ 0 };
	if (sscanf(text,
		    " { \"boot\" : \"%39[0-9a-f-]\" , \"pidns\" : %20[0-9]"
		    " , \"pid\" : %9[0-9] , \"started\" : %20[0-9] %c",
		    id->boot, pidns, pid, started, &end) != 5)
		return false;
	id->pidns = strtoull(pidns, NULL, 10);
	id->pid = (int)strtol(pid, NULL, 10);
	id->started = strtoull(started, NULL, 10);
	return end == '}' || end == ',';
}

bool
weft_rt_ident_is_same(const struct ident *a, const struct ident *b)
{
	return a->boot[0] != '\0' && a->pidns != 0 && a->started != 0 &&
		strcmp(a->boot, b->boot) == 0 && a->pidns == b->pidns &&
		a->pid == b->pid && a->started == b->started;
}
