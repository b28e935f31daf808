/* SPDX-License-Identifier: MIT */
#include "perf/allow.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "perf/tracepoint.h"

/* Closes the event; returns 0, or the errno if it was not opened. */
static int
closed(int fd)
{
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static int
try(struct perf_event_attr *attr)
{
	attr->size = sizeof(*attr);
	attr->disabled = 1;
	attr->exclude_hv = 1;
	return closed((int)syscall(
		SYS_perf_event_open, attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

static int
software(uint64_t config, bool kernel)
{
	return try(&(struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.config = config,
		.sample_period = 1000003,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_ADDR,
		.exclude_kernel = !kernel,
	});
}

static int
tracepoint(void)
{
	const char *root = weft_tracepoint_root();
	struct tracepoint t;
	char folder[512];

	if (root == NULL)
		return ENOENT;
	snprintf(folder, sizeof folder, "%s/events/%s", root, PERF_TRACEPOINT);
	if (!weft_tracepoint_read(&t, folder))
		return EACCES;
	return closed(weft_tracepoint_open(&t, 0));
}

int
perf_refuses(enum perf_what what)
{
	switch (what) {
	case PERF_CPU_TIME:
		return software(PERF_COUNT_SW_TASK_CLOCK, false);
	case PERF_FAULTS:
		return software(PERF_COUNT_SW_PAGE_FAULTS, false);
	case PERF_KERNEL_FAULTS:
		return software(PERF_COUNT_SW_PAGE_FAULTS, true);
	case PERF_SWITCHES:
		return closed(weft_tracepoint_open_switches(0, 0));
	case PERF_COUNTERS:
		return try(&(struct perf_event_attr){
			.type = PERF_TYPE_HARDWARE,
			.config = PERF_COUNT_HW_INSTRUCTIONS,
			.exclude_kernel = 1,
		});
	case PERF_TRACEPOINTS:
		return tracepoint();
	}
	return EINVAL;
}

const char *
perf_advice(int error)
{
	switch (error) {
	case EACCES:
	case EPERM:
		return "sysctl kernel.perf_event_paranoid=2 (1 for faults in "
		       "the kernel) allows it; in a container the seccomp "
		       "profile must allow perf_event_open, too";
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		return "this machine has no such event";
	case ENOSYS:
		return "this kernel has no perf_event_open";
	case EMFILE:
	case ENFILE:
		return "raise the limit of open files (ulimit -n)";
	default:
		return "the kernel gives no other reason";
	}
}
