/* SPDX-License-Identifier: MIT */
#include "inproc/ctf/tracepoints.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "inproc/core/assert.h"
#include "inproc/core/confined.h"
#include "inproc/core/gate.h"
#include "inproc/core/held.h"
#include "inproc/core/proc.h"
#include "inproc/core/say.h"
#include "inproc/ctf/ctf.h"

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

bool
weft_rt_ctf_is_name(const char *text)
{
	size_t n = strspn(text,
		"abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return n > 0 && n < 128 && text[n] == '\0' &&
		!isdigit((unsigned char)text[0]);
}

/* Parses one field, "u32 id"; returns false for other texts. */
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
		!weft_rt_ctf_is_name(name))
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
				"invalid fields \"%s\" of tracepoint \"%s\": "
				"write for instance \"u32 id, str label\", at "
				"most %d",
				fields, e->point->name, CTF_FIELDS);
		for (int i = 0; i < last; i++)
			if (strcmp(name[i], name[last]) == 0)
				weft_rt_die("weft_ctf",
					"two fields of tracepoint \"%s\" have "
					"the "
					"name \"%s\"",
					e->point->name, name[i]);
		at += n + (at[n] == ',');
	}
	for (int i = 0; i < e->nfields; i++) {
		e->has_text = e->has_text || e->size[i] == 0;
		e->fixed += e->size[i];
	}
}

/* Events about threads, and those that define names, are always recorded. */
static bool
is_kept(const struct weft_ctf_tracepoint *p)
{
	return p->does >= WEFT_CTF_EXTERNAL_CREATE;
}

static bool
is_wanted(const struct weft_ctf_tracepoint *p)
{
	return is_kept(p) || weft_rt_gate_point(p->name);
}

static void
add_event(struct weft_ctf_tracepoint *p, int which, int counters)
{
	struct ctf *c = weft_rt_ctf;
	struct ctf_event *e;
	bool is_enter =
		which == WEFT_CTF_TC_ENTER || which == WEFT_CTF_OC_ENTER;

	if (c->nevents + 1 >= CTF_EVENTS)
		weft_rt_die("weft_ctf",
			"tracepoint \"%s\": more than %d events", p->name,
			CTF_EVENTS - 1);
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
check_point(const struct weft_ctf_tracepoint *p)
{
	const struct ctf *c = weft_rt_ctf;

	if (!weft_rt_ctf_is_name(p->name))
		weft_rt_die("weft_ctf",
			"invalid tracepoint name \"%s\": use letters, digits "
			"and _",
			p->name);
	for (int i = 1; i <= c->nevents; i++)
		if (strcmp(c->event[i].point->name, p->name) == 0)
			weft_rt_die("weft_ctf",
				"two tracepoints have the name \"%s\"",
				p->name);
}

static bool is_off; /* atomic; any thread reads and sets it */

/* Enables the events from `from` on. Repeats if the switch moved meanwhile. */
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
add_point(struct weft_ctf_tracepoint *p)
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

/* Adds tracepoints. The metadata declares each event before a stream contains
 * it. */
void
weft_rt_ctf_add_tracepoints(struct weft_ctf_tracepoint *points)
{
	int first;

	WEFT_ASSERT(points_are_added_under_the_lock, held_is(RANK_PROC));
	for (struct weft_ctf_tracepoint *p = points; p->name; p++)
		add_point(p);
	weft_rt_ctf_meta();
	first = weft_rt_ctf->nready + 1;
	__atomic_store_n(
		&weft_rt_ctf->nready, weft_rt_ctf->nevents, __ATOMIC_RELEASE);
	set_ids(first);
}

void
weft_ctf_declare(struct weft_ctf_tracepoint *points)
{
	sigset_t was;

	if (!weft_rt_ctf_is_on() || weft_rt_is_confined())
		return;
	weft_rt_proc_lock(&was);
	weft_rt_ctf_add_tracepoints(points);
	weft_rt_proc_unlock(&was);
}
