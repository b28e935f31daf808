/* SPDX-License-Identifier: MIT */
#include "inproc/ctf/ctf.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "inproc/core/begin.h"
#include "inproc/core/clock.h"
#include "inproc/core/gate.h"
#include "inproc/core/proc.h"
#include "inproc/core/say.h"
#include "inproc/core/who.h"
#include "inproc/core/writer.h"
#include "inproc/ctf/hwc.h"
#include "inproc/ctf/kernel.h"
#include "inproc/ctf/totals.h"

struct ctf *weft_rt_ctf;

static const struct {
	const char *name;
	uint8_t size;
} types[] = {
	{ "u8", 1 },
	{ "u16", 2 },
	{ "u32", 4 },
	{ "u64", 8 },
	{ "i8", 1 },
	{ "i16", 2 },
	{ "i32", 4 },
	{ "i64", 8 },
	{ "str", 0 },
};

static bool
is_name(const char *text)
{
	size_t n = strspn(text,
		"abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return n > 0 && n < 128 && text[n] == '\0' &&
		!isdigit((unsigned char)text[0]);
}

/* One field, "u32 id"; false: it is none. */
static bool
read_field(struct ctf_event *e, const char *text, size_t n, char name[64])
{
	char type[8], rest;
	char one[96];

	if (n >= sizeof(one) || e->nfields == CTF_FIELDS)
		return false;
	memcpy(one, text, n);
	one[n] = '\0';
	if (sscanf(one, " %7s %63s %c", type, name, &rest) != 2 ||
		!is_name(name))
		return false;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(types[i].name, type) == 0) {
			e->size[e->nfields++] = types[i].size;
			return true;
		}
	return false;
}

static void
read_fields(struct ctf_event *e, const char *fields)
{
	char name[CTF_FIELDS + 1][64];

	for (const char *at = fields; at && *at != '\0';) {
		size_t n = strcspn(at, ",");
		int last = e->nfields;

		if (!read_field(e, at, n, name[last]))
			weft_rt_die("weft_ctf",
				"\"%s\" of point \"%s\" are no fields, such "
				"as \"u32 id, str label\", at most %d",
				fields, e->point->name, CTF_FIELDS);
		for (int i = 0; i < last; i++)
			if (strcmp(name[i], name[last]) == 0)
				weft_rt_die("weft_ctf",
					"two fields of point \"%s\" have the "
					"name \"%s\"",
					e->point->name, name[i]);
		at += n + (at[n] == ',');
	}
	for (int i = 0; i < e->nfields; i++) {
		e->has_text = e->has_text || e->size[i] == 0;
		e->fixed += e->size[i];
	}
}

uint64_t
weft_rt_ctf_fields(const struct ctf_event *e, const unsigned char *fields)
{
	uint64_t n = e->has_text ? 0 : e->fixed;

	for (int i = 0; i < e->nfields && e->has_text; i++)
		n += e->size[i] != 0
			? e->size[i]
			: strnlen((const char *)fields + n, CTF_TEXT - 1) + 1;
	return n;
}

/* What shows who was there, and what gives names, is always recorded. */
static bool
is_kept(const struct weft_ctf_point *p)
{
	return p->does >= WEFT_CTF_EXTERNAL_CREATE;
}

static bool
is_wanted(const struct weft_ctf_point *p)
{
	return is_kept(p) || weft_rt_gate_point(p->name);
}

static void
add_event(struct weft_ctf_point *p, int which, int counters)
{
	struct ctf *c = weft_rt_ctf;
	struct ctf_event *e;
	bool is_enter =
		which == WEFT_CTF_TC_ENTER || which == WEFT_CTF_OC_ENTER;

	if (c->nevents + 1 >= CTF_EVENTS)
		weft_rt_die("weft_ctf", "point \"%s\": more than %d events",
			p->name, CTF_EVENTS - 1);
	e = &c->event[c->nevents + 1];
	*e = (struct ctf_event){
		.point = p, .which = which, .is_wanted = is_wanted(p)
	};
	read_fields(e, is_enter ? p->fields : "");
	c->nevents++;
	p->event[which].own = (uint8_t)c->nevents;
	p->event[which].counters = (uint8_t)counters;
	if (p->variants == 0 && p->does != WEFT_CTF_NOTHING)
		c->does[p->does] = (uint8_t)c->nevents;
}

static void
check_point(const struct weft_ctf_point *p)
{
	const struct ctf *c = weft_rt_ctf;

	if (!is_name(p->name))
		weft_rt_die("weft_ctf",
			"\"%s\" is no name of a point: letters, digits and _",
			p->name);
	for (int i = 1; i <= c->nevents; i++)
		if (strcmp(c->event[i].point->name, p->name) == 0)
			weft_rt_die("weft_ctf",
				"two points have the name \"%s\"", p->name);
}

static bool is_off; /* atomic */

/* From here on others may record them. Once more if the switch moved
 * meanwhile. */
static void
set_ids(int from)
{
	struct ctf *c = weft_rt_ctf;
	int n = __atomic_load_n(&c->nready, __ATOMIC_ACQUIRE);
	bool off;

	do {
		off = __atomic_load_n(&is_off, __ATOMIC_SEQ_CST);
		for (int i = from; i <= n; i++) {
			struct ctf_event *e = &c->event[i];
			struct weft_ctf_event *to = &e->point->event[e->which];

			__atomic_store_n(&to->id,
				e->is_wanted && (!off || is_kept(e->point))
					? to->own
					: 0,
				__ATOMIC_RELEASE);
		}
	} while (off != __atomic_load_n(&is_off, __ATOMIC_SEQ_CST));
}

void
weft_rt_ctf_switch(bool is_on)
{
	__atomic_store_n(&is_off, !is_on, __ATOMIC_SEQ_CST);
	if (weft_rt_ctf_is_on())
		set_ids(1);
}

static void
add_point(struct weft_ctf_point *p)
{
	check_point(p);
	memset(p->event, 0, sizeof(p->event));
	if (p->variants == 0)
		add_event(p, 0, p->counters);
	if (p->variants & WEFT_CTF_TC) {
		add_event(p, WEFT_CTF_TC_ENTER, p->counters & WEFT_CTF_TASK);
		add_event(p, WEFT_CTF_TC_EXIT, p->counters & WEFT_CTF_RUNTIME);
	}
	if (p->variants & WEFT_CTF_OC) {
		add_event(p, WEFT_CTF_OC_ENTER, 0);
		add_event(p, WEFT_CTF_OC_EXIT, 0);
	}
}

/* The metadata knows an event before any stream has it. */
static void
add_points(struct weft_ctf_point *points)
{
	int first;

	for (struct weft_ctf_point *p = points; p->name; p++)
		add_point(p);
	weft_rt_ctf_meta();
	first = weft_rt_ctf->nready + 1;
	__atomic_store_n(
		&weft_rt_ctf->nready, weft_rt_ctf->nevents, __ATOMIC_RELEASE);
	set_ids(first);
}

void
weft_ctf_declare(struct weft_ctf_point *points)
{
	sigset_t was;

	if (!weft_rt_ctf_is_on())
		return;
	weft_rt_proc_lock(&was);
	add_points(points);
	weft_rt_proc_unlock(&was);
}

static struct ctf *
make(const struct weft_ctf_runtime *runtime)
{
	size_t n = sizeof(struct ctf) +
		(size_t)runtime->ncpus * sizeof(struct ctf_cpu);
	struct ctf *c = mmap(NULL, n, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (c == MAP_FAILED)
		return NULL;
	madvise(c, n, MADV_WIPEONFORK);
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

/* Each has a stream of its own, by its number. */
static void
check_cpus(const int *cpus, int n)
{
	uint8_t seen[UINT16_MAX / 8 + 1] = { 0 };

	for (int i = 0; i < n; i++) {
		uint8_t bit;

		if (cpus[i] < 0 || cpus[i] > UINT16_MAX - 2)
			weft_rt_die("weft_ctf_start", "CPU %d: 0 to %d",
				cpus[i], UINT16_MAX - 2);
		bit = (uint8_t)(1 << cpus[i] % 8);
		if (seen[cpus[i] / 8] & bit)
			weft_rt_die("weft_ctf_start", "CPU %d is there twice",
				cpus[i]);
		seen[cpus[i] / 8] |= bit;
	}
}

static void
check_runtime(const struct weft_ctf_runtime *r)
{
	if (!r->prefix || !is_name(r->prefix) || strlen(r->prefix) > 60)
		weft_rt_die("weft_ctf_start",
			"\"%s\" is no prefix: letters, "
			"digits and _",
			r->prefix ? r->prefix : "");
	if (r->ncpus < 1 || r->ncpus > UINT16_MAX)
		weft_rt_die("weft_ctf_start", "%d CPUs: 1 to %d", r->ncpus,
			UINT16_MAX);
	if (r->cpus)
		check_cpus(r->cpus, r->ncpus);
}

/* Under the lock. */
static bool
start(const struct weft_ctf_runtime *runtime)
{
	struct ctf *c;

	if (weft_rt_ctf_is_on() || weft_rt_proc->state == PROC_GONE)
		return false;
	if (weft_rt_proc->state == PROC_NEW)
		weft_rt_begin();
	if (weft_rt_proc->wants_writer)
		weft_rt_writer_start();
	weft_rt_who_rank(weft_rt_proc);
	c = make(runtime);
	if (!c)
		return false;
	weft_rt_ctf = c;
	c->ncounters = weft_hwc_count();
	weft_rt_totals_start();
	c->start = weft_rt_clock_now();
	if (!weft_rt_ctf_place(c)) {
		weft_rt_proc_trouble(errno, c->folder);
		return false;
	}
	__atomic_store_n(&c->is_on, true, __ATOMIC_RELEASE);
	add_points(runtime->points);
	weft_rt_kernel_start();
	return true;
}

int
weft_ctf_start(const struct weft_ctf_runtime *runtime)
{
	sigset_t was;
	bool ok;

	check_runtime(runtime);
	weft_rt_proc_lock(&was);
	ok = start(runtime);
	weft_rt_proc_unlock(&was);
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

	if (!weft_rt_ctf_is_on() || c->is_ended)
		return;
	c->is_ended = true;
	c->end = weft_rt_clock_now();
	weft_rt_ctf_meta();
	weft_rt_totals_say();
	weft_rt_hwc_say_scaled();
	check_rules(c);
}
