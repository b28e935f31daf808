/* SPDX-License-Identifier: MIT */
/* Compares two measurements: which variables cost more or less than before. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/log.h"
#include "cli/mem/mem.h"
#include "cli/mem/same.h"
#include "cli/screen.h"
#include "cli/table_print.h"
#include "mem/db/profile.h"

#define SIGMAS 1.96 /* of a normal distribution: 95 % */

/* One of the two measurements. */
struct side {
	struct mem_report report;
	struct mem_said said;
	struct profile *profile;
	struct same same;
};

struct change {
	struct cost cost[2];
	uint64_t bytes[2];
	int which;         /* side that names the variable; -1: all time */
	uint32_t variable; /* index there */
};

struct changes {
	struct intern text;
	struct map index; /* text to index + 1 */
	VEC(struct change) list;
};

static struct change *
change_of(struct changes *c, struct arena *a, const char *key)
{
	uint64_t *slot = map_put(&c->index, intern_add(&c->text, key));

	if (*slot == 0) {
		VEC_ADD(&c->list, a)->which = -1;
		*slot = (uint64_t)c->list.n;
	}
	return &c->list.at[*slot - 1];
}

static void
add_side(struct changes *c, const struct side side[2], int which)
{
	const struct side *s = &side[which];
	const struct profile *p = s->profile;
	struct arena *a = s->report.arena;
	int event = s->report.event;
	struct change *all = change_of(c, a, "");

	all->cost[which] = p->event[event].cost;
	for (int i = 0; i < p->variable.n; i++) {
		const struct variable_row *v = &p->variable.at[i];
		struct change *to = change_of(c, a,
			same_text(
				a, &c->text, &s->same, &side[!which].same, i));

		to->which = which;
		to->variable = (uint32_t)i;
		to->cost[which].samples += v->cost[event].samples;
		to->cost[which].periods += v->cost[event].periods;
		to->bytes[which] += v->bytes;
	}
}

static double
change(const struct change *c)
{
	return (double)c->cost[1].periods - (double)c->cost[0].periods;
}

/* Returns the variance of a cost: the number of samples varies by its root. */
static double
variance(const struct cost *c)
{
	double periods = (double)c->periods;

	return c->samples == 0 ? 0 : periods * periods / (double)c->samples;
}

/* Returns how far the change may be from the truth, with a probability of
 * 95 %. A variable that one side never saw may have had a sample there. */
static double
error(const struct change *c)
{
	double sum = variance(&c->cost[0]) + variance(&c->cost[1]);
	uint64_t samples = c->cost[0].samples + c->cost[1].samples;
	double periods =
		(double)c->cost[0].periods + (double)c->cost[1].periods;

	if (samples > 0 && (c->cost[0].samples == 0 || c->cost[1].samples == 0))
		sum += (periods / (double)samples) *
			(periods / (double)samples);
	return SIGMAS * sqrt(sum);
}

static const char *
verdict(const struct change *c)
{
	if (fabs(change(c)) <= error(c))
		return "same";
	if (c->cost[0].samples == 0)
		return "new";
	if (c->cost[1].samples == 0)
		return "gone";
	return change(c) > 0 ? "worse" : "better";
}

static int
by_change(const void *pa, const void *pb)
{
	const struct change *a = pa, *b = pb;
	double x = fabs(change(a)), y = fabs(change(b));

	if ((a->which < 0) != (b->which < 0))
		return a->which < 0 ? -1 : 1;
	if (x != y)
		return x < y ? 1 : -1;
	if (a->which != b->which)
		return a->which < b->which ? -1 : 1;
	return (a->variable > b->variable) - (a->variable < b->variable);
}

enum {
	D_VERDICT,
	D_CHANGE,
	D_ERROR,
	D_BEFORE,
	D_AFTER,
	D_PERCENT,
	D_SAMPLES_BEFORE,
	D_SAMPLES_AFTER,
	D_BYTES_BEFORE,
	D_BYTES_AFTER,
	D_KIND,
	D_NAME,
	D_ORIGIN,
	D_COLUMNS
};

static const struct table_column diff_columns[D_COLUMNS] = {
	[D_VERDICT] = { .name = "verdict", .title = "is" },
	[D_CHANGE] = { .name = "change", .kind = TABLE_NUMBER },
	[D_ERROR] = { .name = "error", .title = "+-", .kind = TABLE_NUMBER },
	[D_BEFORE] = { .name = "before", .kind = TABLE_NUMBER },
	[D_AFTER] = { .name = "after", .kind = TABLE_NUMBER },
	[D_PERCENT] = { .name = "change_percent",
		.title = "change",
		.kind = TABLE_SHARE,
		.is_hidden = true },
	[D_SAMPLES_BEFORE] = { .name = "samples_before",
		.title = "samples before",
		.kind = TABLE_NUMBER,
		.is_hidden = true },
	[D_SAMPLES_AFTER] = { .name = "samples_after",
		.title = "samples after",
		.kind = TABLE_NUMBER,
		.is_hidden = true },
	[D_BYTES_BEFORE] = { .name = "bytes_before",
		.title = "bytes before",
		.kind = TABLE_NUMBER,
		.is_hidden = true },
	[D_BYTES_AFTER] = { .name = "bytes_after",
		.title = "bytes after",
		.kind = TABLE_NUMBER,
		.is_hidden = true },
	[D_KIND] = { .name = "kind", .title = "kind" },
	[D_NAME] = { .name = "variable", .title = "variable" },
	[D_ORIGIN] = { .name = "origin", .title = "allocated, declared" },
};

static void
cost_cell(struct table *t, bool is_time, double periods)
{
	table_cell(
		t, "%.*f", is_time ? 1 : 0, is_time ? periods / 1e6 : periods);
}

static void
change_cells(struct table *t, const struct side side[2], const struct change *c)
{
	bool is_time = mem_is_time(&side[0].report);
	const struct mem_report *r =
		c->which < 0 ? NULL : &side[c->which].report;

	table_word(t, verdict(c));
	cost_cell(t, is_time, change(c));
	cost_cell(t, is_time, error(c));
	cost_cell(t, is_time, (double)c->cost[0].periods);
	cost_cell(t, is_time, (double)c->cost[1].periods);
	table_share(t, change(c), (double)c->cost[0].periods);
	table_u64(t, c->cost[0].samples);
	table_u64(t, c->cost[1].samples);
	table_u64(t, c->bytes[0]);
	table_u64(t, c->bytes[1]);
	table_word(t, r == NULL ? "all" : mem_kind(r, c->variable));
	table_word(t,
		r == NULL ? "the whole program"
			  : mem_variable_name(r, c->variable));
	table_word(t, r == NULL ? "" : mem_origin(r, c->variable));
}

/* Prints the table. Returns true if something became worse. */
static bool
print_changes(struct changes *c, const struct side side[2], struct err *err)
{
	const struct mem_report *r = &side[0].report;
	const struct mem_options *o = r->options;
	struct table_column columns[D_COLUMNS];
	struct table t;
	bool is_worse = false;
	int left = o->top > 0 ? (int)o->top + 1 : c->list.n;

	memcpy(columns, diff_columns, sizeof columns);
	columns[D_CHANGE].title = mem_is_time(r) ? "change, ms" : "change";
	columns[D_BEFORE].title = mem_is_time(r) ? "before, ms" : "before";
	columns[D_AFTER].title = mem_is_time(r) ? "after, ms" : "after";
	t = table_new(r->arena, columns, D_COLUMNS,
		(enum table_format)o->format, NULL);
	if (!table_choose(&t, o->columns, err))
		return false;
	qsort(c->list.at, (size_t)c->list.n, sizeof *c->list.at, by_change);
	for (int i = 0; i < c->list.n; i++) {
		const struct change *at = &c->list.at[i];

		if (at->cost[0].samples + at->cost[1].samples == 0)
			continue;
		is_worse |= change(at) > error(at);
		if (left-- > 0)
			change_cells(&t, side, at);
	}
	table_print(&t);
	return is_worse;
}

/* Notes that sums over different numbers of processes were compared. */
static void
say_processes(const struct side side[2])
{
	int n[2] = { 0 };

	for (int s = 0; s < 2; s++)
		for (int i = 0; i < side[s].profile->image.n; i++)
			n[s] += !image_is_replaced(side[s].profile->image.at,
				side[s].profile->image.n, i);
	if (n[0] != n[1])
		log_note("costs are sums over %d process%s before and %d after",
			n[0], n[0] == 1 ? "" : "es", n[1]);
}

static bool
open_side(struct side *s, struct arena *a, const char *path,
	const struct mem_options *o, struct err *err)
{
	const struct profile_request request = {
		.min_bytes = o->min_bytes < 0 ? 0 : (uint64_t)o->min_bytes,
		.rank = o->rank,
		.structs = o->structs
	};

	s->profile = ARENA_NEW(a, struct profile);
	s->report = (struct mem_report){ .arena = a,
		.options = o,
		.event = -1,
		.said = &s->said,
		.profile = s->profile };
	if (!profile_open(s->profile, a, path, &request, err))
		return false;
	mem_tell_apart(&s->report);
	return true;
}

/* Chooses the event that both measurements have. */
static bool
choose_event(struct side side[2], struct err *err)
{
	const struct profile *a = side[0].profile, *b = side[1].profile;
	const char *wanted = side[0].report.options->event;
	int event = wanted != NULL ? profile_find_event(a, wanted)
				   : profile_main_event(a);

	if (event < 0)
		return err_set(err, ERR_INPUT,
			"the first measurement has no sample%s%s",
			wanted == NULL ? "" : " of ",
			wanted == NULL ? "" : wanted);
	side[0].report.event = event;
	side[1].report.event = profile_event_of(b, a->event[event].kind);
	if (side[1].report.event < 0)
		return err_set(err, ERR_INPUT,
			"%s was not measured in the second measurement",
			a->event[event].name);
	return true;
}

enum exit_code
mem_diff(struct arena *a, const char *path, const struct mem_options *o)
{
	struct side side[2] = { 0 };
	struct changes c = { 0 };
	struct err err = { 0 };
	enum exit_code code = EXIT_UNABLE;

	if (o->n_paths != 2) {
		log_error("diff compares two measurements: weft mem diff "
			  "BEFORE AFTER");
		return EXIT_USAGE;
	}
	intern_init(&c.text, a);
	if (open_side(&side[0], a, path, o, &err) &&
		open_side(&side[1], a, o->paths[1], o, &err) &&
		choose_event(side, &err)) {
		say_processes(side);
		for (int i = 0; i < 2; i++)
			side[i].same = same_number(a, &c.text, side[i].profile);
		for (int i = 0; i < 2; i++)
			add_side(&c, side, i);
		code = print_changes(&c, side, &err) ? EXIT_NO : EXIT_YES;
	}
	if (err.text[0] != '\0') {
		log_error("%s", err.text);
		code = EXIT_UNABLE;
	} else if (o->format == TABLE_TEXT) {
		printf("\n");
		screen_say("+- is the error of sampling, of both measurements "
			   "(95 %). Noise of the machine comes on top: compare "
			   "runs of the same program first.",
			2);
	}
	for (int i = 0; i < 2; i++) {
		same_fini(&side[i].same);
		if (side[i].profile != NULL)
			profile_close(side[i].profile);
	}
	map_fini(&c.index);
	return code;
}
