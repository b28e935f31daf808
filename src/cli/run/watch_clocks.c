/* SPDX-License-Identifier: MIT */
#include "cli/run/watch_clocks.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/document.h"
#include "perf/boot_id.h"
#include "perf/timens.h"

enum { BRACKETS = 5 }; /* the narrowest counts */

static int64_t
read_clock(clockid_t id)
{
	struct timespec t = { 0 };

	clock_gettime(id, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

struct watch_snap
watch_snap(void)
{
	struct watch_snap best = { .width = INT64_MAX };

	for (int i = 0; i < BRACKETS; i++) {
		int64_t before = read_clock(CLOCK_MONOTONIC);
		struct watch_snap s = { .realtime = read_clock(CLOCK_REALTIME),
			.raw = read_clock(CLOCK_MONOTONIC_RAW) };

		s.width = read_clock(CLOCK_MONOTONIC) - before;
		s.monotonic = before + s.width / 2;
		if (s.width < best.width)
			best = s;
	}
	return best;
}

void
watch_put_clocks(
	struct doc *d, const struct watch_snap *snap, int n, bool by_kernel)
{
	int64_t ahead = timens_read();
	char boot[64], host[256] = "";
	struct stat st;

	doc_begin(d, "clocks", '{');
	boot_id_read(boot, sizeof boot);
	if (boot[0] != '\0')
		doc_word(d, "boot", boot);
	doc_i64(d, "timens", by_kernel ? 0 : ahead);
	if (gethostname(host, sizeof host - 1) == 0)
		doc_word(d, "host", host);
	if (stat("/proc/self/ns/pid", &st) == 0)
		doc_i64(d, "pidns", (int64_t)st.st_ino);
	doc_begin(d, "snap", '[');
	for (int i = 0; i < n; i++) {
		doc_begin(d, NULL, '[');
		doc_i64(d, NULL, snap[i].monotonic - (by_kernel ? ahead : 0));
		doc_i64(d, NULL, snap[i].realtime);
		doc_i64(d, NULL, snap[i].raw);
		doc_i64(d, NULL, snap[i].width);
		doc_end(d, ']');
	}
	doc_end(d, ']');
	doc_end(d, '}');
}
