/* SPDX-License-Identifier: MIT */
/* Reports what a measurement lacks, in sentences that say how to get it. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/mem/mem.h"
#include "cli/screen.h"
#include "mem/db/profile.h"
#include "perf/allow.h"

#define FINDINGS_SHOWN 20
#define UNNAMED_PERCENT \
	5.0               /* a file with this share of its code locations \
	                   * unnamed \ gets a note */
#define NAMES_PERCENT 1.0 /* a file with less of the cost is not mentioned */
#define SMALL_PERCENT 1.0
#define SAMPLES_FEW 10000
#define LEAST_BLOCK 16 /* bytes; the smallest block of a heap */

/* Collects a note; all notes are printed at the end. */
static void __attribute__((format(printf, 2, 3)))
say(const struct mem_report *r, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	VEC_PUSH(&r->said->note, r->arena,
		arena_strdup(r->arena, text_disarm(text)));
}

/* Prints the notes: in text below the table, with CSV on standard error. */
static void
print_notes(const struct mem_report *r)
{
	bool is_text = r->options->format == TABLE_TEXT;

	if (r->said->html != NULL)
		return; /* the page has them */
	if (r->said->has_object) {
		mem_json_end(r);
		return;
	}
	if (is_text && r->said->note.n > 0) {
		printf("\n");
		screen_say("What this report lacks, and how to get it:", 2);
	}
	for (int i = 0; i < r->said->note.n; i++) {
		if (is_text)
			screen_say(arena_printf(r->arena, "- %s",
					   r->said->note.at[i]),
				2);
		else
			log_note("%s", r->said->note.at[i]);
	}
}

static void
say_sources(const struct mem_report *r)
{
	const struct profile *p = r->profile;

	for (int i = 0; i < p->n_events; i++) {
		const struct profile_event *e = &p->event[i];

		if (e->source == MEM_SOURCE_NONE && e->error != 0)
			say(r, "%s was not measured: %s; %s", e->name,
				strerror((int)e->error),
				perf_advice((int)e->error));
		else if (e->source == MEM_SOURCE_TIMER && e->error != 0)
			say(r,
				"%s was sampled by timers, because "
				"perf_event_open was refused (%s): a sample "
				"every %.1f ms; %s",
				e->name, strerror((int)e->error),
				(double)e->real / 1e6,
				perf_advice((int)e->error));
	}
}

static bool
has_kind(const struct profile *p, uint32_t kind)
{
	return profile_event_of(p, kind) >= 0;
}

static bool
has_chains(const struct profile *p)
{
	for (int i = 0; i < p->image.n; i++)
		if (p->image.at[i].path.n > 0)
			return true;
	return false;
}

/* Reports what perf cannot record, or was not asked to record. */
static void
say_recording(const struct mem_report *r)
{
	const struct profile *p = r->profile;
	bool has_data = false;

	say(r,
		"perf does not see allocations: the heap and anonymous "
		"mappings (stacks of threads among them) are one row each, and "
		"there are no blocks, leaks or growth; weft run -e datacentric "
		"tells them apart");
	for (int i = 0; i < p->n_events; i++)
		has_data |= event_has_data(p->event[i].kind);
	if (!has_data)
		say(r,
			"no event with addresses: perf mem record, or perf "
			"record -d -e page-faults");
	if (!has_chains(p))
		say(r, "no call paths: perf record -g");
}

static void
say_kinds(const struct mem_report *r)
{
	const struct profile *p = r->profile;

	if (r->event >= 0 && p->event[r->event].kind == MEM_EVENT_DATA)
		say(r,
			"shares are of time, not of accesses: no loads or "
			"stores were counted, and no latency or cache level");
	if (p->is_recording) {
		say_recording(r);
		return;
	}
	if (!profile_was_asked(p, MEM_EVENT_FAULT))
		say(r,
			"no page faults were measured: weft run -e faults "
			"shows which thread touches memory first");
	if (!profile_was_asked(p, MEM_EVENT_DATA) &&
		!profile_was_asked(p, MEM_EVENT_LOAD) &&
		!profile_was_asked(p, MEM_EVENT_MEMORY))
		say(r, "no accesses were measured: weft run -e datacentric");
}

static void
say_skid(const struct mem_report *r)
{
	const struct profile *p = r->profile;

	for (int i = 0; i < p->image.n; i++) {
		const struct mem_setup *s = p->image.at[i].setup;

		if (s == NULL || !has_kind(p, MEM_EVENT_DATA) ||
			s->skid != MEM_SKID_UNKNOWN)
			continue;
		say(r,
			"uncalibrated: it is uncertain which instruction a "
			"sample belongs to (only %" PRIu32 " of %" PRIu32
			" samples of the self-test agreed), so the one before "
			"is taken",
			s->skid_hits, s->skid_tried);
		return;
	}
}

/* Returns the number of samples from which the shares are computed. */
static uint64_t
samples_of_shares(const struct mem_report *r)
{
	const struct profile *p = r->profile;
	uint64_t n = 0;

	if (!event_has_data(p->event[r->event].kind))
		return p->event[r->event].cost.samples;
	for (int i = 0; i < p->variable.n; i++)
		if (p->variable.at[i].kind != VARIABLE_NONE)
			n += p->variable.at[i].cost[r->event].samples;
	return n;
}

/* Returns true if the event counted every page fault, so that shares have no
 * sampling error. */
static bool
is_exact(const struct profile_event *e)
{
	uint64_t step = e->real > 0 ? e->real : e->period;

	return e->kind == MEM_EVENT_FAULT && step == 1;
}

/* Twice the standard error of a share of 20 %. */
bool
mem_precision(const struct mem_report *r, uint64_t *samples, double *points)
{
	if (r->event < 0 || is_exact(&r->profile->event[r->event]))
		return false;
	*samples = samples_of_shares(r);
	*points = 196.0 * sqrt(0.16 / fmax(1, (double)*samples));
	return *samples > 0;
}

static void
say_precision(const struct mem_report *r)
{
	double points;
	uint64_t n;

	if (mem_precision(r, &n, &points) && n < SAMPLES_FEW)
		say(r,
			"shares come from %" PRIu64
			" sample%s: a share of 20 %% is precise to %.1f points "
			"(95 %%); run longer for more",
			n, text_plural(n), points);
}

#define THROTTLED \
	"times the kernel throttled sampling " \
	"(kernel.perf_event_max_sample_rate)"
#define NO_CALLERS \
	"samples without callers: 4 KB of locals, or no unwind tables"

/* Lost samples are mentioned from this share of all samples on. */
#define LOST_PERCENT 1.0

static const struct {
	const char *text;
	bool is_sample;
} losses[IMAGE_LOSSES] = {
	[MEM_LOST_RING] = { "samples lost because the perf ring was full",
		true },
	[MEM_LOST_THROTTLE] = { THROTTLED, false },
	[MEM_LOST_TOOL] = { "samples in the recorder itself, left out", true },
	[MEM_LOST_THREAD] = { "threads that could not be sampled", false },
	[MEM_LOST_NESTED] = { "allocations in signal handlers and in handlers "
			      "of fork, not tracked",
		false },
	[MEM_LOST_MEMORY] = { "blocks not tracked because the index was full",
		false },
	[MEM_LOST_PATH] = { NO_CALLERS, true },
	[MEM_LOST_WRITE] = { "bytes that could not be written: a full disk?",
		false },
	[MEM_LOST_TABLE] = { "call paths lost because their table was full",
		false },
};

const char *
mem_loss(const struct mem_report *r, int kind, uint64_t *count)
{
	const struct profile *p = r->profile;

	*count = 0;
	for (int i = 0; i < p->image.n; i++)
		*count += p->image.at[i].lost[kind];
	return *count == 0 ? NULL : losses[kind].text;
}

static uint64_t
all_samples(const struct profile *p)
{
	uint64_t n = 0;

	for (int i = 0; i < p->n_events; i++)
		n += p->event[i].cost.samples;
	return n;
}

const char *
mem_unresolved(const struct mem_report *r)
{
	uint64_t bytes;

	return mem_loss(r, MEM_LOST_WRITE, &bytes) != NULL
		? "samples that name records which could not be written"
		: "samples that name missing records: a file is damaged";
}

/* Returns when the perf ring was full, for a single program: several programs
 * have different start times. */
static const char *
when_full(const struct mem_report *r)
{
	const struct profile *p = r->profile;
	const struct image *of = NULL;

	for (int i = 0; i < p->image.n; i++) {
		if (p->image.at[i].ring_from == 0)
			continue;
		if (of != NULL)
			return "";
		of = &p->image.at[i];
	}
	if (of == NULL || of->ring_from < of->head.time)
		return "";
	return arena_printf(r->arena, ", seen from %.3f to %.3f s",
		(double)(of->ring_from - of->head.time) / 1e9,
		(double)(of->ring_to - of->head.time) / 1e9);
}

static void
say_losses(const struct mem_report *r)
{
	const struct profile *p = r->profile;

	for (int kind = 0; kind < IMAGE_LOSSES; kind++) {
		uint64_t n;
		const char *text = mem_loss(r, kind, &n);

		if (text == NULL ||
			(losses[kind].is_sample &&
				(mem_is_of_blocks(r) ||
					mem_percent(n, n + all_samples(p)) <
						LOST_PERCENT)))
			continue;
		say(r, "%s: %" PRIu64 "%s", text, n,
			kind == MEM_LOST_RING ? when_full(r) : "");
	}
	if (p->unresolved > 0)
		say(r, "%s: %" PRIu64, mem_unresolved(r), p->unresolved);
}

uint64_t
mem_silent(const struct mem_report *r, int *threads)
{
	const struct profile *p = r->profile;
	uint64_t ns = 0;

	*threads = 0;
	for (int i = 0; i < p->image.n; i++) {
		*threads += p->image.at[i].silent;
		ns += p->image.at[i].silent_ns;
	}
	return ns;
}

static bool
is_unsampled(const struct image *image)
{
	for (int n = 0; n < IMAGE_EVENTS; n++)
		if (image->event[n] != NULL &&
			image->event[n]->source == MEM_SOURCE_NONE &&
			image->event[n]->error == 0)
			return true;
	return false;
}

static void
say_unsampled(const struct mem_report *r)
{
	const struct profile *p = r->profile;
	int n = 0;

	for (int i = 0; i < p->image.n; i++)
		n += is_unsampled(&p->image.at[i]);
	if (n > 0)
		say(r,
			"%d program%s ended within the first millisecond of "
			"CPU time, before sampling begins",
			n, text_plural((unsigned long long)n));
}

static void
say_ends(const struct mem_report *r)
{
	const struct profile *p = r->profile;
	int open = 0;

	for (int i = 0; i < p->image.n; i++)
		open += !p->image.at[i].ended &&
			!image_is_replaced(p->image.at, p->image.n, i);
	if (open > 0)
		say(r,
			"%d process%s did not exit normally (killed, or exec): "
			"%s data ends there",
			open, open == 1 ? "" : "es",
			open == 1 ? "its" : "their");
	for (int i = 0; i < p->image.n; i++)
		for (int n = 0; n < p->image.at[i].note.n; n++)
			say(r, "%s", p->image.at[i].note.at[n]);
}

/* Returns the per cent of all allocated bytes that a file allocated. */
static double
share_of_blocks(const struct mem_report *r, int file)
{
	const struct profile *p = r->profile;
	uint64_t of_file = 0, all = 0;

	for (int i = 0; i < p->variable.n; i++) {
		const struct variable_row *v = &p->variable.at[i];

		if (v->blocks == 0)
			continue;
		all += v->bytes;
		if (profile_location(p, v->location)->module == file)
			of_file += v->bytes;
	}
	return mem_percent(of_file, all);
}

/* Returns the per cent of the cost that code of the file caused, or that
 * variables allocated or declared in the file have. */
static double
share_of_file(const struct mem_report *r, int file)
{
	const struct profile *p = r->profile;
	uint64_t code = 0, all = 0, data = 0;

	if (mem_is_of_blocks(r))
		return share_of_blocks(r, file);
	if (r->event < 0)
		return 100; /* nothing has a cost, so any file may matter */
	for (int i = 1; i < p->node.n; i++) {
		const struct node *n = &p->node.at[i];

		all += n->own[r->event].periods;
		if (profile_location(p, n->location)->module == file)
			code += n->own[r->event].periods;
	}
	for (int i = 0; i < p->variable.n; i++)
		if (profile_location(p, p->variable.at[i].location)->module ==
			file)
			data += p->variable.at[i].cost[r->event].periods;
	return fmax(mem_percent(code, all), mem_percent(data, mem_whole(r)));
}

/* Reports what is wrong with a file's debug information. */
static void
say_defects(const struct mem_report *r, const struct symbols_file *f)
{
	if (f->module == NULL || f->module->finding.n == 0)
		return;
	say(r, "%s: %s", f->path, f->module->finding.at[0]);
	if (f->module->findings > 1)
		say(r, "%s: %d more such defects: weft mem struct lists them",
			f->path, f->module->findings - 1);
}

static void
say_names(const struct mem_report *r)
{
	const struct symbols *s = &r->profile->symbols;

	for (int i = 0; i < s->file.n; i++) {
		const struct symbols_file *f = &s->file.at[i];

		if (!f->tried || f->path[0] != '/' ||
			share_of_file(r, i) < NAMES_PERCENT)
			continue;
		say_defects(r, f);
		if (f->module == NULL)
			say(r, "no names in %s: %s", f->path, f->why);
		else if (mem_percent(f->unnamed, f->asked) > UNNAMED_PERCENT)
			say(r,
				"%" PRIu64 " of %" PRIu64
				" code locations in %s have no name: install "
				"its debug symbols, or do not strip it",
				f->unnamed, f->asked, f->path);
		else if (!f->module->has_lines && f->asked > 0)
			say(r,
				"no lines in %s: compile with -g, or install "
				"its debug symbols",
				f->path);
	}
}

/* Returns the share of all variables of a kind. */
static double
share_of(const struct mem_report *r, enum variable_kind kind)
{
	const struct profile *p = r->profile;
	uint64_t sum = 0;

	for (int i = 0; i < p->variable.n; i++)
		if (p->variable.at[i].kind == kind)
			sum += p->variable.at[i].cost[r->event].periods;
	return mem_percent(sum, mem_whole(r));
}

/* Returns the share of sections in files that have names of variables; other
 * files cannot name any. */
static double
share_of_sections(const struct mem_report *r)
{
	const struct profile *p = r->profile;
	uint64_t sum = 0;

	for (int i = 0; i < p->variable.n; i++) {
		const struct variable_row *v = &p->variable.at[i];
		const char *of = strstr(v->name, " of ");

		for (int n = 0; v->kind == VARIABLE_SECTION && of != NULL &&
			n < p->symbols.file.n;
			n++) {
			const struct symbols_file *f = &p->symbols.file.at[n];

			if (f->module != NULL && f->module->has_symbols &&
				f->module->variable.n > 0 &&
				strcmp(of + 4, f->name) == 0)
				sum += v->cost[r->event].periods;
		}
	}
	return mem_percent(sum, mem_whole(r));
}

static void
say_small(const struct mem_report *r)
{
	uint64_t least = r->profile->min_bytes;
	double sections, blocks;

	if (r->event < 0 || least <= 1)
		return;
	sections = share_of_sections(r);
	blocks = share_of(r, VARIABLE_SMALL);
	if (sections > SMALL_PERCENT)
		say(r,
			"%.1f %% is in static variables of less than %" PRIu64
			" bytes, or in none: --min-bytes 1 names them",
			sections, least);
	if (blocks > SMALL_PERCENT && least > LEAST_BLOCK)
		say(r,
			"%.1f %% is in heap blocks of less than %" PRIu64
			" bytes: record with WEFT_MEM_MIN_BYTES=16 in the "
			"environment to tell them apart",
			blocks, least);
}

/* Reports costs that were charged to a similar block, where only some blocks of
 * a site are known. */
static void
say_guess(const struct mem_report *r)
{
	const struct profile *p = r->profile;
	const struct profile_event *e;
	double guess, mixed;

	if (r->event < 0)
		return;
	e = &p->event[r->event];
	guess = mem_percent(e->guess.periods, mem_whole(r));
	mixed = mem_percent(e->mixed.periods, mem_whole(r));
	if (guess > SMALL_PERCENT)
		say(r,
			"%.1f %% is estimated: %" PRIu64
			" sample%s in heap blocks of less than %" PRIu64
			" bytes, of which one in some thousands is tracked "
			"(%" PRIu64
			" sample%s hit one); they are charged to the site of "
			"the nearest tracked block of the same size",
			guess, e->guess.samples, text_plural(e->guess.samples),
			p->min_bytes, e->known, text_plural(e->known));
	if (mixed > SMALL_PERCENT)
		say(r,
			"%.1f %% is mixed: blocks of the same size that other "
			"statements allocated lie in between, so believe the "
			"sum of these rows, not the parts; record with "
			"WEFT_MEM_MIN_BYTES=16 in the environment to tell them "
			"apart",
			mixed);
}

static void
tell_findings(const struct mem_findings *f)
{
	for (int i = 0; i < f->list.n && i < FINDINGS_SHOWN; i++)
		log_error("%s: byte %" PRIu64 ": %s", f->list.at[i].file,
			f->list.at[i].at, f->list.at[i].text);
	if (f->n > FINDINGS_SHOWN)
		log_error("... %" PRIu64 " more", f->n - FINDINGS_SHOWN);
}

bool
mem_missing(const struct mem_report *r)
{
	const struct profile *p = r->profile;

	tell_findings(&p->findings);
	if (p->image.n == 0)
		return true;
	say_sources(r);
	say_kinds(r);
	say_skid(r);
	say_precision(r);
	say_losses(r);
	say_small(r);
	say_guess(r);
	say_names(r);
	say_unsampled(r);
	say_ends(r);
	print_notes(r);
	return p->findings.n > 0 || p->unresolved > 0;
}
