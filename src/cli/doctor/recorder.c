/* SPDX-License-Identifier: MIT */
/* Checks the recorder in the program: its clock, its ring buffers, its
 * libraries. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/err.h"
#include "base/tempfile.h"
#include "cli/doctor/doctor.h"
#include "cli/run/measure.h"
#include "perf/tsc.h"

#define SELF "/proc/self/exe"
#define RINGS "/dev/shm" /* the default of WEFT_RING_DIR */
#define RING_BYTES ((uint64_t)1 << 20)

/* Libraries and modules are found beside the program, whose path /proc tells.
 */
static void
processes(struct doctor *d)
{
	if (access(SELF, X_OK) == 0)
		doctor_tell(d, "/proc", DOCTOR_YES, "mounted");
	else
		doctor_tell(d, "/proc", DOCTOR_NO,
			SELF ": %s; mount /proc: without it Weft finds neither "
			     "its libraries nor its modules",
			strerror(errno));
}

static void
clock(struct doctor *d)
{
	if (weft_tsc_is_clock())
		doctor_tell(d, "clock", DOCTOR_YES, "the time-stamp counter");
	else
		doctor_tell(d, "clock", DOCTOR_PARTLY,
			"clock_gettime, because the kernel does not use the "
			"time-stamp counter as its clock: see "
			"/sys/devices/system/clocksource/clocksource0");
}

static void
rings(struct doctor *d)
{
	const char *dir = getenv("WEFT_RING_DIR");
	struct err err = { 0 };
	struct statvfs fs;
	uint64_t room;
	int fd;

	if (dir == NULL || *dir == '\0')
		dir = RINGS;
	fd = tempfile_open(dir, &err);
	if (fd < 0 || fstatvfs(fd, &fs) != 0) {
		doctor_tell(d, "rings", DOCTOR_NO,
			"%s; set WEFT_RING_DIR to another directory", err.text);
		return;
	}
	close(fd);
	room = (uint64_t)fs.f_bavail * fs.f_frsize / RING_BYTES;
	doctor_tell(d, "rings", room < 64 ? DOCTOR_PARTLY : DOCTOR_YES,
		"%s has room for the rings of %llu threads%s", dir,
		(unsigned long long)room,
		room < 64 ? "; mount it larger (in a container: --shm-size), "
			    "or set WEFT_RING_DIR to another directory"
			  : "");
}

static void
memory(struct doctor *d)
{
	const char *library = measure_library(&d->arena, MEASURE_LIBRARY);

	if (library != NULL)
		doctor_tell(d, "memory", DOCTOR_YES, "%s", library);
	else
		doctor_tell(d, "memory", DOCTOR_NO,
			"libweft-mem.so is not beside weft: install both");
}

void
doctor_recorder(struct doctor *d)
{
	processes(d);
	clock(d);
	rings(d);
	memory(d);
}
