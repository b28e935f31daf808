/* SPDX-License-Identifier: MIT */
/* Checks which kernel interfaces are accessible. */
#include <errno.h>
#include <linux/magic.h>
#include <signal.h>
#include <string.h>
#include <sys/vfs.h>
#include <time.h>

#include "cli/doctor/doctor.h"
#include "perf/allow.h"
#include "perf/tracepoint.h"

/* The kernel's interfaces, and what replaces one that the kernel refuses. */
static const struct source {
	const char *name;
	enum perf_what what;
	const char *use; /* what it is used for */
	const char *instead;
} sources[] = {
	{ "samples of CPU time", PERF_CPU_TIME,
		"weft run -e datacentric, -e time",
		"timers replace them, and threads are sampled less evenly" },
	{ "page faults", PERF_FAULTS, "weft run -e faults", NULL },
	{ "page faults in the kernel", PERF_KERNEL_FAULTS,
		"first touches by system calls",
		"page faults in the program's own code are counted" },
	{ "context switches", PERF_SWITCHES,
		"weft run on programs that emit no events",
		"weft samples their threads 100 times a second" },
	{ "counters of the processor", PERF_COUNTERS,
		"WEFT_COUNTERS in traces of CTF", NULL },
	{ "tracepoints", PERF_TRACEPOINTS,
		"WEFT_KERNEL, and who woke whom in weft run PROG", NULL },
};

/* Returns true if tracefs is mounted where only other users may read it. */
static bool
tracefs_is_closed(void)
{
	struct statfs fs;

	return statfs("/sys/kernel/tracing", &fs) == 0 &&
		fs.f_type == TRACEFS_MAGIC && weft_tracepoint_root() == NULL;
}

static const char *
advice(const struct source *s, int error)
{
	if (s->what == PERF_COUNTERS && error == ENOENT)
		return "the processor has none here, as in most virtual "
		       "machines";
	if (s->what == PERF_KERNEL_FAULTS &&
		(error == EACCES || error == EPERM))
		return "sysctl kernel.perf_event_paranoid=1 allows it; in a "
		       "container the seccomp profile must allow "
		       "perf_event_open, too";
	if (s->what != PERF_TRACEPOINTS)
		return perf_advice(error);
	if (weft_tracepoint_root() == NULL && !tracefs_is_closed())
		return "tracefs is not mounted: as root, "
		       "mount -t tracefs none /sys/kernel/tracing";
	return "be root, or have CAP_PERFMON and read permission in "
	       "/sys/kernel/tracing";
}

static void
timers(struct doctor *d)
{
	timer_t timer;
	struct sigevent event = { .sigev_notify = SIGEV_NONE };

	if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) == 0) {
		timer_delete(timer);
		doctor_tell(d, "timers of threads", DOCTOR_YES,
			"used where the kernel refuses samples");
		return;
	}
	doctor_tell(d, "timers of threads", DOCTOR_NO, "timer_create: %s",
		strerror(errno));
}

void
doctor_kernel(struct doctor *d)
{
	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
		const struct source *s = &sources[i];
		int error = perf_refuses(s->what);

		if (error == 0)
			doctor_tell(d, s->name, DOCTOR_YES, "for %s", s->use);
		else
			doctor_tell(d, s->name,
				s->instead != NULL ? DOCTOR_PARTLY : DOCTOR_NO,
				"%s%s%s", advice(s, error),
				s->instead ? "; " : "",
				s->instead ? s->instead : "");
	}
	timers(d);
}
