/* SPDX-License-Identifier: MIT */
#include "inproc/ctf/hwc.h"

#include <ctype.h>
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

#include "inproc/core/confined.h"
#include "inproc/core/ending.h"
#include "inproc/core/say.h"
#include "inproc/core/wiped.h"
#include "inproc/ctf/papi_module.h"

#define HARDWARE "instructions,cycles,cache-misses,branch-misses"
#define SOFTWARE "task-clock,page-faults,context-switches,cpu-migrations"

enum { HARD, SOFT, GROUPS, PAPI = GROUPS, SOURCES };

/* Written once, at load(); then read by any thread. */
static struct {
	bool is_loaded; /* atomic */
	int n;
	char name[WEFT_HWC_MAX + 1][64];
	struct weft_perf_event event[GROUPS][WEFT_HWC_MAX];
	int size[SOURCES];
	const struct papi_module *papi;
	bool is_rusage;               /* SOFT comes from getrusage() */
	char refused[512];            /* names */
	int why;                      /* the first errno */
	struct weft_perf_share share; /* time that HARD counted, in all threads;
	                               * atomic */
} all;

/* State of a thread; in pages that a fork wipes. */
struct counts {
	struct hwc_thread thread; /* first */
	bool is_open;
	struct weft_perf_group group[GROUPS];
	struct papi_sets papi;
	uint64_t moves;
	int cpu;
};

__thread struct hwc_thread *weft_rt_hwc_self;

static struct counts *
mine(void)
{
	return (struct counts *)(void *)weft_rt_hwc_self;
}

/* Writes the name for the trace: an identifier of C. */
static void
put_name(char to[64], const char *name)
{
	int n = 0;

	for (; *name != '\0' && n < 63; name++)
		if (isalnum((unsigned char)*name))
			to[n++] = *name;
		else if (n > 0 && to[n - 1] != '_')
			to[n++] = '_';
	to[n] = '\0';
}

/* Adds a counter; those of one source are contiguous. */
static void
add_counter(const char *name, int source, const struct weft_perf_event *e)
{
	int at = 0;
	char *to;

	for (int s = 0; s <= source; s++)
		at += all.size[s];
	to = all.name[at];
	memmove(all.name[at + 1], to, (size_t)(all.n - at) * sizeof(*all.name));
	put_name(to, name);
	if (e)
		all.event[source][all.size[source]] = *e;
	all.size[source]++;
	all.n++;
}

/* why: an errno; or 0, and PAPI's text. */
static void
refuse(const char *name, int why, const char *text)
{
	size_t n = strlen(all.refused);

	snprintf(all.refused + n, sizeof(all.refused) - n,
		text ? "%s%s (PAPI: %s)" : "%s%s", n > 0 ? ", " : "", name,
		text);
	if (all.why == 0)
		all.why = why;
}

/* Returns true if the event can count together with those before. Software
 * events always can, by perf or getrusage(). */
static bool
try_one(const struct weft_perf_event *e)
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
	if (!weft_perf_open(&g, list, n + 1))
		return false;
	weft_perf_close(&g);
	return true;
}

/* why_perf: the errno of perf, or 0 if perf does not know the name. */
static void
add_papi(const char *name, int why_perf)
{
	const char *why;

	all.papi = weft_rt_papi(&why);
	if (all.papi)
		why = all.papi->add(name);
	if (!why)
		add_counter(name, PAPI, NULL);
	else if (!all.papi && why_perf != 0)
		refuse(name, why_perf, NULL);
	else
		refuse(name, 0, why);
}

static bool
is_there(const char *name)
{
	char text[64];
	int i = 0;

	put_name(text, name);
	while (i < all.n && strcmp(all.name[i], text) != 0)
		i++;
	return i < all.n;
}

/* Adds a counter; PAPI is tried only for what perf cannot count. */
static void
add_named(const char *name)
{
	struct weft_perf_event e;
	bool is_known = weft_perf_find(name, &e);

	if (is_there(name))
		return;
	if (all.n == WEFT_HWC_MAX)
		refuse(name, E2BIG, NULL);
	else if (is_known && try_one(&e))
		add_counter(name, weft_perf_is_software(&e) ? SOFT : HARD, &e);
	else if (weft_rt_papi_is(name))
		add_papi(name, is_known ? errno : 0);
	else
		refuse(name, is_known ? errno : EINVAL, NULL);
}

/* Adds the names of a list, and the sets that a word names. */
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

/* Reads a file with names in lines; # begins a comment. */
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

static bool
is_missing(int error)
{
	return error == ENOENT || error == ENODEV || error == EOPNOTSUPP;
}

/* Prints one warning for all; a wrong name comes first, as the user can correct
 * it. */
static void
say_how(void)
{
	bool is_rusage = all.is_rusage && all.size[SOFT] > 0;
	const char *why = all.why == 0 ? ""
		: is_missing(all.why)  ? ": not available on this machine"
				       : ":";
	const char *left =
		all.n == 0 ? "no counter is left" : "the others are counted";

	errno = all.why;
	if (all.refused[0] == '\0' && is_rusage)
		weft_rt_warn("weft: the kernel refuses perf counters; software "
			     "counters come from getrusage()");
	else if (all.refused[0] != '\0' && all.why == EINVAL)
		weft_rt_warn("weft: cannot count %s; %s: use names of perf "
			     "(page-faults), PAPI (PAPI_TOT_INS) or the "
			     "hardware (r01c2)",
			all.refused, left);
	else if (all.refused[0] != '\0')
		weft_rt_warn("weft: cannot count %s; %s%s%s", all.refused, left,
			is_rusage ? ", by getrusage()" : "", why);
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

	if (!__atomic_load_n(&all.is_loaded, __ATOMIC_ACQUIRE) &&
		!weft_rt_is_confined())
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
	bool is_rusage = all.size[SOFT] > 0 && all.is_rusage;

	if (all.size[PAPI] == 0)
		return all.n == 0 ? "" : is_rusage ? "getrusage" : "perf";
	if (all.size[PAPI] == all.n)
		return "papi";
	return is_rusage ? "getrusage, papi" : "perf, papi";
}

static uint64_t
thread_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Reads software counters without perf; counts the CPU changes that are
 * noticed. */
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

static void
open_papi(struct counts *c)
{
	static bool is_said;
	const char *why =
		all.size[PAPI] > 0 ? (all.papi->open)(&c->papi) : NULL;

	if (why && !__atomic_exchange_n(&is_said, true, __ATOMIC_RELAXED))
		weft_rt_warn("weft: PAPI cannot count in a thread, its "
			     "counters stay 0 there: %s",
			why);
}

/* Opens a group; a thread may find no free descriptor in the process. */
static void
open_group(struct counts *c, int g)
{
	static bool is_said;

	if (all.size[g] > 0 &&
		!weft_perf_open(&c->group[g], all.event[g], all.size[g]) &&
		!__atomic_exchange_n(&is_said, true, __ATOMIC_RELAXED))
		weft_rt_warn("weft: perf counters could not be opened for a "
			     "thread: software counters come from "
			     "getrusage(), all others stay 0:");
}

static struct counts *
open_counts(void)
{
	struct counts *c = mine();

	if (!c) {
		c = wiped_map(sizeof(*c), MAP_POPULATE);
		if (!c)
			return NULL;
		weft_rt_hwc_self = &c->thread;
	}
	c->is_open = true;
	c->cpu = sched_getcpu();
	open_group(c, HARD);
	if (!all.is_rusage)
		open_group(c, SOFT);
	c->group[HARD].sum = &all.share;
	open_papi(c);
	for (int g = 0; g < GROUPS; g++)
		if (c->group[g].n == all.n && !c->group[g].page[0])
			c->thread.group = &c->group[g];
	c->thread.now = &c->thread.read[0];
	c->thread.last = &c->thread.read[1];
	weft_rt_ending_watch();
	return c;
}

/* Counts a value that fell as 0: some PAPI values are not monotonic. */
static void
read_papi(struct counts *c, uint64_t *now, uint64_t *last)
{
	(all.papi->read)(&c->papi, now);
	for (int i = 0; i < all.size[PAPI]; i++)
		if (now[i] < last[i])
			last[i] = now[i];
}

/* Values of a hardware group that could not be opened stay 0. */
static void
read_groups(struct counts *c, uint64_t *now, uint64_t *last)
{
	struct weft_perf_values group;
	int at = 0;

	for (int g = 0; g < GROUPS; at += all.size[g++])
		if (c->group[g].n > 0) {
			weft_perf_read(&c->group[g], &group, last + at);
			memcpy(now + at, group.value,
				(size_t)c->group[g].n * sizeof(*now));
		} else if (g == SOFT && all.size[SOFT] > 0)
			read_rusage(c, now + at);
	if (c->papi.n > 0)
		read_papi(c, now + at, last + at);
}

struct hwc_values
weft_rt_hwc_read_all(void)
{
	static const uint64_t none[WEFT_HWC_MAX];
	struct counts *c = mine();
	bool is_first = !c || !c->is_open;
	struct weft_perf_values *now, *last;

	if (is_first)
		c = !weft_rt_is_confined() && weft_hwc_count() > 0
			? open_counts()
			: NULL;
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
	if (c->papi.n > 0)
		(all.papi->close)(&c->papi);
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
		weft_rt_warn("weft: %s counted %.1f %% of the time, because "
			     "other programs use the hardware, too; values are "
			     "scaled to the whole time",
			s.names, s.ran);
}
