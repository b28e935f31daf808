/* SPDX-License-Identifier: MIT */
#include "perf/allow.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "perf/smallfile.h"
#include "perf/tracepoint.h"

static int
try(struct perf_event_attr *attr, int pid, int cpu)
{
	int fd;

	attr->size = sizeof(*attr);
	attr->disabled = 1;
	attr->exclude_hv = 1;
	fd = (int)syscall(
		SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static int
software(uint64_t config, bool kernel)
{
	return try(
		&(struct perf_event_attr){
			.type = PERF_TYPE_SOFTWARE,
			.config = config,
			.sample_period = 1000003,
			.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_ADDR,
			.exclude_kernel = !kernel,
		},
		0, -1);
}

static int
tracepoint(void)
{
	const char *root = weft_tracepoint_root();
	char path[512], text[32];

	if (root == NULL)
		return ENOENT;
	snprintf(path, sizeof path, "%s/events/%s/id", root, PERF_TRACEPOINT);
	errno = EACCES; /* of an empty file */
	if (!smallfile_read(path, text, sizeof text))
		return errno;
	return try(
		&(struct perf_event_attr){
			.type = PERF_TYPE_TRACEPOINT,
			.config = strtoul(text, NULL, 10),
			.sample_period = 1,
			.sample_type = PERF_SAMPLE_RAW,
		},
		-1, 0);
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
		return try(
			&(struct perf_event_attr){
				.type = PERF_TYPE_SOFTWARE,
				.config = PERF_COUNT_SW_DUMMY,
				.sample_type = PERF_SAMPLE_TID,
				.exclude_kernel = 1,
				.context_switch = 1,
				.sample_id_all = 1,
			},
			0, 0);
	case PERF_COUNTERS:
		return try(
			&(struct perf_event_attr){
				.type = PERF_TYPE_HARDWARE,
				.config = PERF_COUNT_HW_INSTRUCTIONS,
				.exclude_kernel = 1,
			},
			0, -1);
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
		return "nothing more is known of it";
	}
}
