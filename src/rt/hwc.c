/* SPDX-License-Identifier: MIT */
#include "rt/hwc.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "rt/auto.h"
#include "rt/say.h"

#define HARDWARE "instructions,cycles,cache-misses,branch-misses"
#define SOFTWARE "task-clock,page-faults,context-switches,cpu-migrations"

enum { HARD, SOFT, GROUPS };

static struct {
	bool is_loaded;
	int n;
	char name[WEFT_HWC_MAX + 1][64];
	struct weft_perf_event event[GROUPS][WEFT_HWC_MAX];
	int size[GROUPS];
	bool is_rusage;               /* SOFT, by other means */
	char refused[256];            /* names */
	int why;                      /* an errno */
	struct weft_perf_share share; /* of HARD, in all threads; atomic */
} all;

/* Of a thread; in pages that a fork wipes. */
struct counts {
	struct hwc_thread thread; /* first */
	bool is_open;
	struct weft_perf_group group[GROUPS];
	uint64_t moves;
	int cpu;
};

__thread struct hwc_thread *weft_rt_hwc_self;

static struct counts *
mine(void)
{
	return (struct counts *)(void *)weft_rt_hwc_self;
}

/* Those of the hardware come first, so that the values of a group lie in a row.
 */
static void
add_counter(const char *name, const struct weft_perf_event *e)
{
	int group = weft_perf_is_software(e) ? SOFT : HARD;
	int at = group == HARD ? all.size[HARD] : all.n;
	char *to = all.name[at];

	memmove(all.name[at + 1], to, (size_t)(all.n - at) * sizeof(*all.name));
	snprintf(to, sizeof(all.name[0]), "%.63s", name);
	for (; *to != '\0'; to++)
		if (*to == '-')
			*to = '_';
	all.event[group][all.size[group]++] = *e;
	all.n++;
}

static void
refuse(const char *name, int why)
{
	size_t n = strlen(all.refused);

	snprintf(all.refused + n, sizeof(all.refused) - n, "%s%s",
		n > 0 ? ", " : "", name);
	if (all.why == 0)
		all.why = why;
}

/* Does it count, beside those before it? Those of Linux always do somehow. */
static bool
try_one(const char *name, const struct weft_perf_event *e)
{
	struct weft_perf_group g;
	struct weft_perf_event list[WEFT_HWC_MAX];
	int n = all.size[HARD];

	if (weft_perf_is_software(e)) {
		if (!all.is_rusage && weft_perf_open(&g, e, 1))
			weft_perf_close(&g);
		else
			all.is_rusage = true;
		return true;
	}
	memcpy(list, all.event[HARD], sizeof(list));
	list[n] = *e;
	if (weft_perf_open(&g, list, n + 1)) {
		weft_perf_close(&g);
		return true;
	}
	refuse(name, errno);
	return false;
}

static void
add_named(const char *name)
{
	struct weft_perf_event e;

	if (all.n == WEFT_HWC_MAX)
		refuse(name, E2BIG);
	else if (!weft_perf_find(name, &e))
		refuse(name, EINVAL);
	else if (try_one(name, &e))
		add_counter(name, &e);
}

/* Names, and words for what there is a set of. */
static void
add_list(const char *text)
{
	char name[64];
	int before = all.n;

	while (*text != '\0') {
		size_t n = strcspn(text, ", \t\n");

		snprintf(name, sizeof(name), "%.*s", (int)n, text);
		if (strcmp(name, "software") == 0)
			add_list(SOFTWARE);
		else if (strcmp(name, "hardware") == 0)
			add_list(HARDWARE);
		else if (strcmp(name, "auto") == 0)
			add_list("hardware");
		else if (n > 0)
			add_named(name);
		if (strcmp(name, "auto") == 0 && all.n == before)
			add_list(SOFTWARE);
		text += n + (text[n] != '\0');
	}
}

/* Names in lines; # begins a comment. */
static void
read_file(const char *path)
{
	FILE *f = fopen(path, "re");
	char line[256];

	if (!f) {
		weft_rt_warn("WEFT_COUNTERS_FILE=%s:", path);
		return;
	}
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "#\n")] = '\0';
		add_list(line);
	}
	fclose(f);
}

/* One warning for all. */
static void
say_how(void)
{
	bool is_said = all.is_rusage && all.size[SOFT] > 0;

	errno = all.why;
	/* A name that is none, rather than one that is refused. */
	if (all.refused[0] != '\0' && all.why == EINVAL)
		weft_rt_warn("weft: cannot count %s; %s: names are those of "
			     "perf (page-faults), of PAPI (PAPI_TOT_INS), and "
			     "of the hardware (r01c2)",
			all.refused,
			all.n == 0 ? "no counter is left"
				   : "the others are counted");
	else if (all.refused[0] != '\0')
		weft_rt_warn("weft: cannot count %s; %s%s:", all.refused,
			all.n == 0 ? "no counter is left"
				   : "the others are counted",
			is_said ? ", by getrusage()" : "");
	else if (is_said)
		weft_rt_warn("weft: perf refuses counters; those of Linux come "
			     "from getrusage()");
}

static void
load(void)
{
	const char *names = getenv("WEFT_COUNTERS");
	const char *file = getenv("WEFT_COUNTERS_FILE");

	if (file && file[0] != '\0')
		read_file(file);
	if (names && names[0] != '\0')
		add_list(names);
	say_how();
	__atomic_store_n(&all.is_loaded, true, __ATOMIC_RELEASE);
}

int
weft_hwc_count(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (!__atomic_load_n(&all.is_loaded, __ATOMIC_ACQUIRE))
		pthread_once(&once, load);
	return all.n;
}

const char *
weft_hwc_name(int i)
{
	return i >= 0 && i < weft_hwc_count() ? all.name[i] : NULL;
}

const char *
weft_rt_hwc_source(void)
{
	if (all.n == 0)
		return "";
	return all.size[SOFT] > 0 && all.is_rusage ? "getrusage" : "perf";
}

static uint64_t
thread_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Those of Linux without perf; moves between CPUs as far as they are seen. */
static __attribute__((noinline)) void
read_rusage(struct counts *c, uint64_t *value)
{
	int cpu = sched_getcpu();
	struct rusage u;

	getrusage(RUSAGE_THREAD, &u);
	c->moves += cpu != c->cpu;
	c->cpu = cpu;
	const uint64_t have[] = {
		[PERF_COUNT_SW_TASK_CLOCK] = thread_ns(),
		[PERF_COUNT_SW_PAGE_FAULTS] =
			(uint64_t)(u.ru_minflt + u.ru_majflt),
		[PERF_COUNT_SW_CONTEXT_SWITCHES] =
			(uint64_t)(u.ru_nvcsw + u.ru_nivcsw),
		[PERF_COUNT_SW_CPU_MIGRATIONS] = c->moves,
		[PERF_COUNT_SW_PAGE_FAULTS_MIN] = (uint64_t)u.ru_minflt,
		[PERF_COUNT_SW_PAGE_FAULTS_MAJ] = (uint64_t)u.ru_majflt,
	};
	for (int i = 0; i < all.size[SOFT]; i++)
		value[i] = have[all.event[SOFT][i].config];
}

static struct counts *
open_counts(void)
{
	struct counts *c = mine();

	if (!c) {
		c = mmap(NULL, sizeof(*c), PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
		if (c == MAP_FAILED)
			return NULL;
		madvise(c, sizeof(*c), MADV_WIPEONFORK);
		weft_rt_hwc_self = &c->thread;
	}
	c->is_open = true;
	c->cpu = sched_getcpu();
	weft_perf_open(&c->group[HARD], all.event[HARD], all.size[HARD]);
	if (!all.is_rusage)
		weft_perf_open(
			&c->group[SOFT], all.event[SOFT], all.size[SOFT]);
	c->group[HARD].sum = &all.share;
	for (int g = 0; g < GROUPS; g++)
		if (c->group[g].n == all.n && !c->group[g].page[0])
			c->thread.group = &c->group[g];
	c->thread.now = &c->thread.read[0];
	c->thread.last = &c->thread.read[1];
	weft_rt_auto_watch();
	return c;
}

/* Of a group that could not be opened values stay 0. */
static void
read_groups(struct counts *c, uint64_t *now, const uint64_t *last)
{
	struct weft_perf_values group;
	int at = 0;

	for (int g = 0; g < GROUPS; at += all.size[g++])
		if (c->group[g].n > 0) {
			weft_perf_read(&c->group[g], &group, last + at);
			memcpy(now + at, group.value,
				(size_t)c->group[g].n * sizeof(*now));
		} else if (g == SOFT && all.is_rusage)
			read_rusage(c, now + at);
}

struct hwc_values
weft_rt_hwc_read_all(void)
{
	static const uint64_t none[WEFT_HWC_MAX];
	struct counts *c = mine();
	bool is_first = !c || !c->is_open;
	struct weft_perf_values *now, *last;

	if (is_first)
		c = weft_hwc_count() > 0 ? open_counts() : NULL;
	if (!c)
		return (struct hwc_values){ none, none };
	now = c->thread.last;
	last = c->thread.now;
	c->thread.now = now;
	c->thread.last = last;
	read_groups(c, now->value, last->value);
	return (struct hwc_values){ now->value,
		is_first ? now->value : last->value };
}

void
weft_hwc_delta(uint64_t value[WEFT_HWC_MAX])
{
	struct hwc_values v = weft_rt_hwc_read();

	for (int i = 0; i < all.n; i++)
		value[i] = v.now[i] - v.last[i];
}

void
weft_rt_hwc_open(void)
{
	if (weft_hwc_count() > 0 && (!mine() || !mine()->is_open))
		weft_rt_hwc_read_all();
}

void
weft_rt_hwc_thread_end(void)
{
	struct counts *c = mine();

	if (!c)
		return;
	for (int i = 0; c->is_open && i < GROUPS; i++)
		weft_perf_close(&c->group[i]);
	munmap(c, sizeof(*c));
	weft_rt_hwc_self = NULL;
}

struct hwc_scaled
weft_rt_hwc_scaled(void)
{
	struct hwc_scaled s = { .ran = 100 };
	uint64_t enabled =
		__atomic_load_n(&all.share.enabled, __ATOMIC_RELAXED);
	uint64_t running =
		__atomic_load_n(&all.share.running, __ATOMIC_RELAXED);
	size_t n = 0;

	if (running >= enabled)
		return s;
	for (int i = 0; i < all.size[HARD]; i++)
		n += (size_t)snprintf(s.names + n, sizeof(s.names) - n, "%s%s",
			i > 0 ? ", " : "", all.name[i]);
	s.ran = 100 * (double)running / (double)enabled;
	return s;
}

void
weft_rt_hwc_say_scaled(void)
{
	struct hwc_scaled s = weft_rt_hwc_scaled();

	if (s.names[0] != '\0')
		weft_rt_warn("weft: %s counted %.1f %% of the time, the "
			     "hardware being shared; values are scaled to all "
			     "of it",
			s.names, s.ran);
}
