/* SPDX-License-Identifier: MIT */
#include "perf/counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "perf/group.h"

#define HW(event) PERF_TYPE_HARDWARE, PERF_COUNT_HW_##event
#define SW(event) PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##event
#define CACHE(cache, op, result) \
	PERF_TYPE_HW_CACHE, \
		PERF_COUNT_HW_CACHE_##cache | \
		PERF_COUNT_HW_CACHE_OP_##op << 8 | \
		PERF_COUNT_HW_CACHE_RESULT_##result << 16

/* clang-format off */
static const struct {
	const char *name, *papi;
	struct weft_perf_event event;
} known[] = {
	{ "instructions",            "PAPI_TOT_INS", { HW(INSTRUCTIONS) } },
	{ "cycles",                  "PAPI_TOT_CYC", { HW(CPU_CYCLES) } },
	{ "ref-cycles",              "PAPI_REF_CYC", { HW(REF_CPU_CYCLES) } },
	{ "cache-references",        "PAPI_L3_TCA",  { HW(CACHE_REFERENCES) } },
	{ "cache-misses",            "PAPI_L3_TCM",  { HW(CACHE_MISSES) } },
	{ "branches",                "PAPI_BR_INS",  { HW(BRANCH_INSTRUCTIONS) } },
	{ "branch-misses",           "PAPI_BR_MSP",  { HW(BRANCH_MISSES) } },
	{ "stalled-cycles-frontend", "PAPI_STL_ICY", { HW(STALLED_CYCLES_FRONTEND) } },
	{ "stalled-cycles-backend",  "PAPI_RES_STL", { HW(STALLED_CYCLES_BACKEND) } },
	{ "L1-dcache-loads",         "PAPI_L1_DCR",  { CACHE(L1D, READ, ACCESS) } },
	{ "L1-dcache-load-misses",   "PAPI_L1_DCM",  { CACHE(L1D, READ, MISS) } },
	{ "L1-icache-load-misses",   "PAPI_L1_ICM",  { CACHE(L1I, READ, MISS) } },
	{ "LLC-load-misses",         "PAPI_L3_LDM",  { CACHE(LL, READ, MISS) } },
	{ "LLC-store-misses",        "PAPI_L3_STM",  { CACHE(LL, WRITE, MISS) } },
	{ "dTLB-load-misses",        "PAPI_TLB_DM",  { CACHE(DTLB, READ, MISS) } },
	{ "iTLB-load-misses",        "PAPI_TLB_IM",  { CACHE(ITLB, READ, MISS) } },
	{ "task-clock",              "",             { SW(TASK_CLOCK) } },
	{ "page-faults",             "",             { SW(PAGE_FAULTS) } },
	{ "minor-faults",            "",             { SW(PAGE_FAULTS_MIN) } },
	{ "major-faults",            "",             { SW(PAGE_FAULTS_MAJ) } },
	{ "context-switches",        "",             { SW(CONTEXT_SWITCHES) } },
	{ "cpu-migrations",          "",             { SW(CPU_MIGRATIONS) } },
};
/* clang-format on */

bool
weft_perf_find(const char *name, struct weft_perf_event *e)
{
	char *end;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(name, known[i].name) == 0 ||
			(known[i].papi[0] != '\0' &&
				strcmp(name, known[i].papi) == 0)) {
			*e = known[i].event;
			return true;
		}
	*e = (struct weft_perf_event){ PERF_TYPE_RAW, 0 };
	if (name[0] != 'r' || name[1] == '\0')
		return false;
	e->config = strtoull(name + 1, &end, 16);
	return *end == '\0';
}

bool
weft_perf_is_software(const struct weft_perf_event *e)
{
	return e->type == PERF_TYPE_SOFTWARE;
}

/* Hardware counters exclude the kernel; software counters include it, because
 * switches and faults happen in the kernel. */
static int
open_one(const struct weft_perf_event *e, int leader)
{
	struct perf_event_attr attr = {
		.type = e->type,
		.size = sizeof(attr),
		.config = e->config,
		.read_format = PERF_FORMAT_GROUP |
			PERF_FORMAT_TOTAL_TIME_ENABLED |
			PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = leader < 0, /* counts only when all are open */
		.exclude_kernel = !weft_perf_is_software(e),
		.exclude_hv = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, leader,
		PERF_FLAG_FD_CLOEXEC);
}

static void
map_page(struct weft_perf_group *g, int i)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *page =
		mmap(NULL, size, PROT_READ, MAP_SHARED, g->fd[i], 0);

	if (page != MAP_FAILED && page->cap_user_rdpmc)
		g->page[i] = page;
	else if (page != MAP_FAILED)
		munmap(page, size);
}

bool
weft_perf_open(
	struct weft_perf_group *g, const struct weft_perf_event *events, int n)
{
	int error;

	*g = (struct weft_perf_group){ 0 };
	for (; g->n < n; g->n++) {
		const struct weft_perf_event *e = &events[g->n];

		g->fd[g->n] = open_one(e, g->n > 0 ? g->fd[0] : -1);
		if (g->fd[g->n] < 0) {
			error = errno;
			weft_perf_close(g);
			errno = error;
			return false;
		}
		if (!weft_perf_is_software(e))
			map_page(g, g->n);
	}
	return n > 0 && ioctl(g->fd[0], PERF_EVENT_IOC_ENABLE, 0) == 0;
}

static void
note_share(struct weft_perf_group *g, const struct weft_perf_values *all)
{
	struct weft_perf_share was = g->share;

	g->share = (struct weft_perf_share){ all->enabled, all->running };
	if (!g->sum)
		return;
	__atomic_fetch_add(
		&g->sum->enabled, all->enabled - was.enabled, __ATOMIC_RELAXED);
	__atomic_fetch_add(
		&g->sum->running, all->running - was.running, __ATOMIC_RELAXED);
}

void
weft_perf_scale(struct weft_perf_group *g, struct weft_perf_values *all,
	const uint64_t *last)
{
	for (int i = 0; i < g->n; i++) {
		__extension__ unsigned __int128 wide = all->value[i];

		if (all->running > 0)
			all->value[i] =
				(uint64_t)(wide * all->enabled / all->running);
		if (all->running == 0 || all->value[i] < last[i])
			all->value[i] = last[i];
	}
	if (all->enabled > 0)
		note_share(g, all);
}

void
weft_perf_close(struct weft_perf_group *g)
{
	struct weft_perf_values all;

	if (g->n > 0 && g->sum && weft_perf_read_fd(g->fd[0], &all))
		note_share(g, &all);
	for (int i = 0; i < g->n; i++) {
		if (g->page[i])
			munmap(g->page[i], (size_t)sysconf(_SC_PAGESIZE));
		close(g->fd[i]);
	}
	g->n = 0;
}
