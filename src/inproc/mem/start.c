/* SPDX-License-Identifier: MIT */
/*
 * start.c - begins and ends recording: load and exit of the program, and fork.
 *
 *	WEFT_MEM_DIR          directory of measurements; not set: none
 *	WEFT_MEM_EVENTS       events to sample (events.h)
 *	WEFT_MEM_MIN_BYTES    blocks of at least this size are all tracked;
 *	                      1024
 *	WEFT_MEM_ALLOCATORS   a list of allocators besides malloc (custom.h)
 *	WEFT_MEM_SMALL_BYTES  of smaller blocks one byte in so many is
 *	                      sampled; 65536; 0: none
 */
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "inproc/code/paths.h"
#include "inproc/core/pages.h"
#include "inproc/core/sanitized.h"
#include "inproc/mem/blame.h"
#include "inproc/mem/confined.h"
#include "inproc/mem/custom.h"
#include "inproc/mem/drain.h"
#include "inproc/mem/events.h"
#include "inproc/mem/loader.h"
#include "inproc/mem/names.h"
#include "inproc/mem/out.h"
#include "inproc/mem/real.h"
#include "inproc/mem/report.h"
#include "inproc/mem/threads.h"
#include "inproc/mem/ticks.h"
#include "inproc/mem/track.h"
#include "mem/wire.h"

enum { MIN_BYTES = 1024, SMALL_BYTES = 65536 };

/* Allocations meanwhile are the recorder's. */
struct internal {
	int64_t until;
	bool was;
};

static struct internal
enter_internal(void)
{
	struct internal i = { self_tls.until, self_tls.is_internal };

	self_tls.until = INT64_MIN / 2;
	self_tls.is_internal = true;
	return i;
}

static void
leave_internal(struct internal i)
{
	self_tls.until = i.until;
	self_tls.is_internal = i.was;
}

static uint64_t
number(const char *name, uint64_t usual)
{
	const char *text = getenv(name);
	char *end;
	uint64_t value;

	if (text == NULL || *text < '0' || *text > '9')
		return usual;
	value = strtoull(text, &end, 10);
	return *end == '\0' ? value : usual;
}

/* The thread that forks, NULL: it is not known. Guarded by the lock of the
 * drain. */
static struct self *forking;

/* Makes the hooks ignore what other handlers of fork allocate and which threads
 * they start: until the fork is done the hooks could only wait for locks that
 * their own thread holds. */
static void
ignore_handlers(void)
{
	struct self *s =
		track.is_on && !self_tls.is_internal ? self_get() : NULL;

	forking = s != NULL && self_enter(s) ? s : NULL;
	self_tls.is_forking = true;
}

/* Takes all locks before fork, in the order of held.h, so that a child finds
 * none held by a thread that does not exist there. */
static void
before_fork(void)
{
	if (self_tls.is_confined)
		return;
	drain_hold();
	ignore_handlers();
	threads_hold();
	track_hold();
	names_hold();
	paths_hold();
	room_hold();
}

static void
in_parent(void)
{
	if (self_tls.is_confined)
		return;
	room_let_go();
	paths_let_go();
	names_let_go();
	track_let_go();
	threads_let_go();
	if (forking != NULL)
		self_leave(forking);
	forking = NULL;
	self_tls.is_forking = false;
	drain_let_go();
}

static void
in_child(void)
{
	struct internal i = enter_internal();

	in_parent();
	if (self_tls.is_confined || !track.is_on || !confined_init()) {
		track.is_on = false;
		leave_internal(i);
		return;
	}
	self_forked();
	drain_forked();
	out_init(NULL);
	drain_start();
	leave_internal(i);
	threads_begin();
}

static void
start(const char *folder)
{
	uint64_t usual = number("DATACENTRIC_MIN_BYTES", MIN_BYTES);

	loader_own_code(&track.lib_lo, &track.lib_hi);
	track.pools.nests = true;
	ticks_choose();
	out_init(folder);
	events_parse(getenv("WEFT_MEM_EVENTS"));
	report_find_rank();
	blame_init();
	threads_init();
	track.small_bytes = number("WEFT_MEM_SMALL_BYTES", SMALL_BYTES);
	track.min_bytes = number("WEFT_MEM_MIN_BYTES", usual);
	pthread_atfork(before_fork, in_parent, in_child);
	custom_load(getenv("WEFT_MEM_ALLOCATORS"));
	custom_hook();
	(void)at_quick_exit(drain_finish);
	drain_start();
}

/* Leaves a line for weft run: this program is not measured. */
static void
note_left_out(const char *folder)
{
	char path[PATH_MAX], name[PATH_MAX + 1];
	ssize_t n = readlink("/proc/self/exe", name, PATH_MAX);
	int fd;

	snprintf(path, sizeof(path), "%s/" MEM_LEFT_OUT, folder);
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (fd < 0 || n < 0)
		return;
	name[n] = '\n';
	if (write(fd, name, (size_t)n + 1) < 0)
		unlink(path);
	close(fd);
}

/* In a static program, before the constructors of the program, which have no
 * priority; those of libraries run earlier in any other program. */
static __attribute__((constructor(101))) void
load(void)
{
	const char *folder = getenv("WEFT_MEM_DIR");
	struct internal i;

	real_find();
	/* a static program with privileges must not write files for its user;
	 * other such programs do not load the recorder */
	if (folder == NULL || *folder == '\0' || getauxval(AT_SECURE) != 0)
		return;
	if (is_sanitized()) {
		note_left_out(folder);
		return;
	}
	if (confined_at_load() || !confined_init())
		return;
	i = enter_internal();
	start(folder);
	leave_internal(i);
	self_tls.until = 0;
	track.is_on = true;
	threads_begin();
}

static __attribute__((destructor(101))) void
unload(void)
{
	confined_by_self();
	if (track.is_on)
		drain_finish();
}
