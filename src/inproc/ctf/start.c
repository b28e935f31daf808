/* SPDX-License-Identifier: MIT */
#include "inproc/ctf/start.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "inproc/core/begin.h"
#include "inproc/core/clock.h"
#include "inproc/core/confined.h"
#include "inproc/core/gate.h"
#include "inproc/core/proc.h"
#include "inproc/core/say.h"
#include "inproc/core/who.h"
#include "inproc/core/wiped.h"
#include "inproc/core/writer.h"
#include "inproc/ctf/ctf.h"
#include "inproc/ctf/hwc.h"
#include "inproc/ctf/kernel.h"
#include "inproc/ctf/totals.h"
#include "inproc/ctf/tracepoints.h"

static struct ctf *
make(const struct weft_ctf_runtime *runtime)
{
	size_t n = sizeof(struct ctf) +
		(size_t)runtime->ncpus * sizeof(struct ctf_cpu);
	struct ctf *c = wiped_map(n, 0);

	if (!c)
		return NULL;
	c->bytes = n;
	snprintf(c->prefix, sizeof(c->prefix), "%s", runtime->prefix);
	c->ncpus = runtime->ncpus;
	for (int i = 0; i < c->ncpus; i++) {
		c->cpu[i].id = runtime->cpus ? runtime->cpus[i] : i;
		if (c->cpu[i].id > c->last_cpu)
			c->last_cpu = c->cpu[i].id;
	}
	return c;
}

/* Each CPU has a stream, named by its number. */
static void
check_cpus(const int *cpus, int n)
{
	uint8_t seen[UINT16_MAX / 8 + 1] = { 0 };

	for (int i = 0; i < n; i++) {
		uint8_t bit;

		if (cpus[i] < 0 || cpus[i] > UINT16_MAX - 2)
			weft_rt_die("weft_ctf_start",
				"CPU %d is not in the range 0 to %d", cpus[i],
				UINT16_MAX - 2);
		bit = (uint8_t)(1 << cpus[i] % 8);
		if (seen[cpus[i] / 8] & bit)
			weft_rt_die("weft_ctf_start", "CPU %d is listed twice",
				cpus[i]);
		seen[cpus[i] / 8] |= bit;
	}
}

static void
check_runtime(const struct weft_ctf_runtime *r)
{
	if (!r->prefix || !weft_rt_ctf_is_name(r->prefix) ||
		strlen(r->prefix) > 60)
		weft_rt_die("weft_ctf_start",
			"invalid prefix \"%s\": use letters, "
			"digits and _",
			r->prefix ? r->prefix : "");
	if (r->ncpus < 1 || r->ncpus > UINT16_MAX)
		weft_rt_die("weft_ctf_start",
			"%d CPUs: not in the range 1 to %d", r->ncpus,
			UINT16_MAX);
	if (r->cpus)
		check_cpus(r->cpus, r->ncpus);
}

/* Call under the lock. */
static bool
start(const struct weft_ctf_runtime *runtime)
{
	struct ctf *c;

	if (weft_rt_ctf_is_on() || weft_rt_proc->state == PROC_GONE)
		return false;
	if (weft_rt_proc->state == PROC_NEW)
		weft_rt_begin();
	weft_rt_who_rank(weft_rt_proc);
	c = make(runtime);
	if (!c)
		return false;
	weft_rt_ctf = c;
	c->ncounters = weft_hwc_count();
	weft_rt_totals_start();
	c->start = weft_rt_clock_now();
	if (!weft_rt_ctf_directory(c)) {
		weft_rt_proc_trouble(errno, c->folder);
		return false;
	}
	__atomic_store_n(&c->is_on, true, __ATOMIC_RELEASE);
	weft_rt_ctf_add_tracepoints(runtime->points);
	weft_rt_kernel_start();
	return true;
}

int
weft_ctf_start(const struct weft_ctf_runtime *runtime)
{
	sigset_t was;
	bool ok;

	check_runtime(runtime);
	if (weft_rt_is_confined())
		return false;
	/* loading PAPI calls constructors, which may record */
	weft_hwc_count();
	weft_rt_proc_lock(&was);
	ok = start(runtime);
	weft_rt_proc_unlock(&was);
	weft_rt_writer_start();
	return ok;
}

uint64_t
weft_ctf_now(void)
{
	return weft_rt_ctf_is_on() ? weft_rt_clock_now() - weft_rt_ctf->start
				   : 0;
}

static void
check_rules(const struct ctf *c)
{
	const char *names[CTF_EVENTS];

	for (int i = 0; i < c->nevents; i++)
		names[i] = c->event[i + 1].point->name;
	weft_rt_gate_check_points(names, c->nevents);
}

void
weft_rt_ctf_exit(void)
{
	struct ctf *c = weft_rt_ctf;

	if (!weft_rt_ctf_is_on() ||
		__atomic_exchange_n(&c->is_ended, true, __ATOMIC_RELAXED))
		return;
	c->end = weft_rt_clock_now();
	weft_rt_ctf_meta();
	weft_rt_totals_say();
	weft_rt_hwc_say_scaled();
	check_rules(c);
}
