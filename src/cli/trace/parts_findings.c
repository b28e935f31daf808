/* SPDX-License-Identifier: MIT */
#include "cli/trace/parts_findings.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/compare.h"
#include "base/team.h"
#include "cli/trace/parts_send.h"
#include "cli/trace/pipeline.h"
#include "emu/flush.h"
#include "emu/part.h"

#define MOST 100000 /* findings of a part */

/* A finding of a part. Those that come behind the last event are checks. */
struct found {
	struct finding is;
	bool is_check;
	int number;
};

/* The findings of all parts, in the first process. */
struct parts_found {
	VEC(struct found) at;
	struct findings before; /* the list before the emulation */
};

void
parts_findings_begin(struct pipeline *r, const struct emu_part *part)
{
	r->found = ARENA_NEW(&r->arena, struct parts_found);
	r->found->before = r->findings;
	findings_init(&r->findings, &r->arena, MOST);
	r->findings.strict = r->found->before.strict;
	r->findings.now = &part->now;
	r->findings.stream = &part->stream;
}

static void
put(struct parts_bytes *to, const struct finding *f, bool is_check)
{
	parts_put(to, f, sizeof *f);
	parts_put_i64(to, is_check);
	parts_put_text(to, f->file);
	parts_put_text(to, f->key);
	parts_put_text(to, f->where);
	parts_put_text(to, f->advice);
	parts_put_text(to, f->text);
}

static void
take(struct found *to, const char **at)
{
	memcpy(&to->is, *at, sizeof to->is);
	*at += sizeof to->is;
	to->is_check = parts_take_i64(at) != 0;
	to->is.file = parts_take_text(at);
	to->is.key = parts_take_text(at);
	to->is.where = parts_take_text(at);
	to->is.advice = parts_take_text(at);
	to->is.text = parts_take_text(at);
}

bool
parts_findings_join(
	struct pipeline *r, struct team *t, const struct emu_part *part)
{
	struct parts_bytes mine = { .arena = &r->arena };
	const struct findings *fs = &r->findings;
	struct parts_all all;

	if (fs->list.n >= MOST)
		mine.n = 0;
	for (int i = t->rank == 0 ? 0 : part->nopened;
		i < fs->list.n && fs->list.n < MOST; i++)
		put(&mine, &fs->list.at[i], i >= part->nfindings);
	all = parts_gather(&r->arena, t, &mine);
	for (int i = 0; i < t->size && t->rank == 0; i++) {
		const char *at = all.at[i], *end = at + all.size[i];

		while (at < end) {
			struct found *f = VEC_ADD(&r->found->at, &r->arena);

			take(f, &at);
			f->number = r->found->at.n;
		}
	}
	return fs->list.n < MOST;
}

static int
compare_files(const struct finding *a, const struct finding *b)
{
	return strcmp(
		a->file == NULL ? "" : a->file, b->file == NULL ? "" : b->file);
}

/* Compares findings of events: by time, then by stream. */
static int
compare_events(const struct finding *a, const struct finding *b)
{
	COMPARE(a->found_at, b->found_at);
	COMPARE(a->found_in, b->found_in);
	return 0;
}

/* Compares checks: those of first events, then those of threads by their
 * files. */
static int
compare_checks(const struct finding *a, const struct finding *b)
{
	COMPARE(a->advice == NULL, b->advice == NULL);
	return compare_files(a, b);
}

/* Checks come behind the findings of events. */
static int
compare(const void *pa, const void *pb)
{
	const struct found *a = pa, *b = pb;
	int order;

	COMPARE(a->is_check, b->is_check);
	order = a->is_check ? compare_checks(&a->is, &b->is)
			    : compare_events(&a->is, &b->is);
	return order != 0 ? order : a->number - b->number;
}

static void
add(struct pipeline *r, const struct found *f)
{
	struct finding to = f->is;

	/* Threads are checked when all events were read. */
	if (f->is_check && to.advice == NULL && to.time != FINDING_NEVER)
		to.time = r->duration;
	to.text = NULL;
	to.more = 0;
	finding_add(&r->findings, to, "%s", f->is.text);
}

void
parts_findings_finish(struct pipeline *r, const struct emu_part *part)
{
	struct parts_found *all = r->found;
	int i = 0;

	r->findings = all->before;
	r->source->trace.findings = &r->findings;
	if (all->at.n > 0)
		qsort(all->at.at, (size_t)all->at.n, sizeof *all->at.at,
			compare);
	for (; i < all->at.n &&
		(!all->at.at[i].is_check || all->at.at[i].is.advice != NULL);
		i++)
		add(r, &all->at.at[i]);
	flush_say(&r->findings, r->source->trace.path, part->nflushes,
		part->flushes, part->longest_flush);
	for (; i < all->at.n; i++)
		add(r, &all->at.at[i]);
}
