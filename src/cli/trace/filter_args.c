/* SPDX-License-Identifier: MIT */
#include "cli/trace/filter_args.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/log.h"
#include "base/text.h"
#include "base/vec.h"
#include "cli/choices.h"
#include "cli/times.h"
#include "cli/trace/filter_view.h"
#include "cli/trace/type_list.h"
#include "emu/enable.h"
#include "emu/model.h"
#include "emu/system.h"
#include "trace/trace.h"

static bool
read_window(
	struct filter_args *f, const struct filter_trace *of, struct err *err)
{
	struct times_zero zero = { of->trace->unit, of->trace->start,
		of->trace->start_realtime, 0 };

	f->unit = of->trace->unit;
	f->options.from = 0;
	f->options.to = FILTER_END;
	if (f->from != NULL &&
		!times_moment("from", f->from, &zero, &f->options.from, err))
		return false;
	zero.from = f->options.from;
	if (f->options.from < 0)
		f->options.from = 0;
	if (f->to != NULL &&
		!times_moment("to", f->to, &zero, &f->options.to, err))
		return false;
	if (f->options.from >= f->options.to)
		return err_set(err, ERR_INPUT,
			"nothing is between --from %.100s and --to %.100s: "
			"--from must be the earlier time",
			f->from == NULL ? "0" : f->from, f->to);
	return true;
}

/* Cuts the next item of a list with commas out of *rest. Returns NULL at the
 * end. */
static char *
next_item(char **rest)
{
	return *rest == NULL ? NULL : strsep(rest, ",");
}

/* Sets err to a message that there is no `what` of that name, with the possible
 * values, and returns false. */
static bool
refuse(struct err *err, const char *what, const char *item,
	const struct choices *there)
{
	char said[CHOICES_SAID];

	return err_set(err, ERR_INPUT, "the trace has no %s \"%.100s\"; %s",
		what, item, choices_said(there, said));
}

/* The threads or CPUs to choose from. */
struct part {
	const char *what, *list;
	struct filter_rows *rows;
	int64_t *id;
	bool is_lenient;
};

static bool
keep_id(const struct part *p, const char *item, const bool *allowed)
{
	char *end;
	long long id = strtoll(item, &end, 10);
	bool found = false;

	for (int i = 0; i < p->rows->n && end != item && *end == '\0'; i++)
		if (allowed[i] && p->id[i] == id)
			found = p->rows->keep[i] = true;
	return found;
}

/* Short numbers differ in so few characters that proposing another one would be
 * a guess. */
enum { DIGITS_NEAR = 4 };

static bool
refuse_id(const struct part *p, struct arena *a, const char *item,
	const bool *allowed, struct err *err)
{
	struct choices there = {
		.near.word = strlen(item) < DIGITS_NEAR ? NULL : item
	};

	for (int i = 0; i < p->rows->n; i++)
		if (allowed[i])
			choices_add(
				&there, arena_printf(a, "%" PRId64, p->id[i]));
	return refuse(err, p->what, item, &there);
}

/* Keeps the rows that the list names, among those that --loom allows. */
static bool
keep_listed(const struct part *p, struct arena *a, struct err *err)
{
	char *rest = arena_strdup(a, p->list), *item;
	bool *allowed = p->rows->keep;

	p->rows->keep = ARENA_ARRAY(a, bool, p->rows->n);
	while ((item = next_item(&rest)) != NULL)
		if (!keep_id(p, item, allowed) && !p->is_lenient)
			return refuse_id(p, a, item, allowed, err);
	return true;
}

static bool
mark_looms(const struct filter_args *f, struct arena *a,
	const struct system *sys, bool *marked, struct err *err)
{
	char *rest = arena_strdup(a, f->looms), *item;

	while ((item = next_item(&rest)) != NULL) {
		struct choices there = { .near.word = item };
		bool found = false;

		for (int i = 0; i < sys->nnodes; i++) {
			choices_add(&there, sys->nodes[i].name);
			if (strcmp(sys->nodes[i].name, item) == 0)
				found = marked[i] = true;
		}
		if (!found && !f->is_lenient)
			return refuse(err, "loom", item, &there);
	}
	return true;
}

/* Keeps the rows of the looms that were asked for, or all rows. */
static bool
keep_looms(const struct filter_args *f, struct arena *a,
	const struct system *sys, struct part *threads, struct part *cpus,
	struct err *err)
{
	bool *marked = ARENA_ARRAY(a, bool, sys->nnodes);

	if (f->looms == NULL)
		memset(marked, true, (size_t)sys->nnodes);
	else if (!mark_looms(f, a, sys, marked, err))
		return false;
	for (int i = 0; i < sys->nthreads; i++) {
		threads->id[i] = sys->threads[i].tid;
		threads->rows->keep[i] =
			marked[sys->threads[i].process->node->index];
	}
	for (int i = 0; i < sys->ncpus; i++) {
		cpus->id[i] = sys->cpus[i].phyid;
		cpus->rows->keep[i] = marked[sys->cpus[i].node->index];
	}
	return true;
}

static struct part
make_part(struct arena *a, const char *what, const char *list,
	struct filter_rows *rows, int n)
{
	*rows = (struct filter_rows){ .keep = ARENA_ARRAY(a, bool, n), .n = n };
	return (struct part){ what, list, rows, ARENA_ARRAY(a, int64_t, n),
		false };
}

/* Chooses the rows of a part. other: the user's list for the other part; if
 * only that list is given, no row of this part is kept. */
static bool
choose(const struct part *p, const char *other, struct arena *a,
	struct err *err)
{
	if (p->list != NULL) {
		if (!keep_listed(p, a, err))
			return false;
	} else if (other != NULL) {
		memset(p->rows->keep, false, (size_t)p->rows->n);
	}
	for (int i = 0; i < p->rows->n; i++)
		p->rows->any = p->rows->any || p->rows->keep[i];
	return true;
}

static bool
has_row_choice(const struct filter_args *f)
{
	return f->threads != NULL || f->cpus != NULL || f->looms != NULL;
}

static void
choose_streams(struct filter_args *f, struct arena *a, const struct trace *t,
	const struct system *sys)
{
	f->streams = ARENA_ARRAY(a, bool, t->streams.n);
	for (int i = 0; i < t->streams.n; i++)
		f->streams[i] = sys->of_stream[i] != NULL &&
			f->thread.keep[sys->of_stream[i] - sys->threads];
}

/* Reads the TIDs to keep. Threads of CTF become known with their events. */
static bool
read_tids(struct filter_args *f, struct arena *a, struct err *err)
{
	char *rest = arena_strdup(a, f->threads), *item;
	size_t n = 1;

	for (const char *at = f->threads; *at != '\0'; at++)
		n += *at == ',';
	f->by_tid = f->thread.by_tid = true;
	f->tid = ARENA_ARRAY(a, int64_t, n);
	f->tid_met = ARENA_ARRAY(a, bool, n);
	while ((item = next_item(&rest)) != NULL) {
		char *end;

		f->tid[f->ntids++] = strtoll(item, &end, 10);
		if (end == item || *end != '\0')
			return err_set(err, ERR_INPUT,
				"--thread takes TIDs, not \"%.100s\"", item);
	}
	f->thread.any = true;
	return true;
}

bool
filter_args_keeps_tid(struct filter_args *f, int64_t tid)
{
	bool keep = false;

	for (int i = 0; i < f->ntids; i++)
		if (f->tid[i] == tid)
			keep = f->tid_met[i] = true;
	return keep;
}

/* Rows have the order of the system's threads and CPUs. */
static bool
choose_rows(
	struct filter_args *f, const struct filter_trace *of, struct err *err)
{
	struct system sys;
	struct arena *a = of->arena;
	struct part threads, cpus;
	bool later = f->threads != NULL &&
		(of->trace->by_cpu || of->of_records),
	     ok;

	if (!has_row_choice(f))
		return true;
	if (of->of_records && (f->cpus != NULL || f->looms != NULL))
		return err_set(err, ERR_INPUT,
			"%s: a file of %s has rows and no CPUs or looms; "
			"--thread takes the TID in names of rows (\"TH "
			"1.TID\")",
			f->cpus != NULL ? "--cpu" : "--loom",
			of->trace->format);
	system_init(&sys, a, of->trace, 0, 0);
	threads = make_part(a, "thread", f->threads, &f->thread, sys.nthreads);
	cpus = make_part(a, "CPU", f->cpus, &f->cpu, sys.ncpus);
	threads.is_lenient = cpus.is_lenient = f->is_lenient;
	if (later)
		threads.list = NULL;
	ok = keep_looms(f, a, &sys, &threads, &cpus, err) &&
		choose(&threads, f->cpus, a, err) &&
		choose(&cpus, f->threads, a, err);
	ok = ok && (!later || read_tids(f, a, err));
	if (ok)
		choose_streams(f, a, of->trace, &sys);
	system_fini(&sys);
	return ok;
}

static struct filter_rows *
rows_of(struct filter_args *f, const char *class)
{
	if (strcmp(class, "thread") == 0)
		return &f->thread;
	return strcmp(class, "cpu") == 0 ? &f->cpu : NULL;
}

/* Returns true if rows of this class are kept. Call it after resolving. */
static bool
has_class(const struct filter_args *f, const char *class)
{
	if (f->rows_apart || !has_row_choice(f))
		return true;
	if (strcmp(class, "thread") == 0)
		return f->thread.any;
	return strcmp(class, "cpu") == 0 && f->cpu.any;
}

/* Returns the TID that ends the name of a row, as in "bash 0.4242", or -1;
 * "THREAD 1.1.2" has none. */
static int64_t
tid_of(const struct row *row)
{
	const char *blank = strrchr(row->name, ' ');
	const char *dot = strrchr(row->name, '.');

	return dot == NULL || (blank != NULL && strchr(blank, '.') != dot)
		? -1
		: strtoll(dot + 1, NULL, 10);
}

static bool
keep_row(void *arg, const struct row *row)
{
	struct filter_rows *rows = rows_of(arg, row->class);
	const struct filter_args *f = arg;

	if (f->rows_apart || !has_row_choice(f))
		return true;
	if (rows != NULL && rows->by_tid)
		return filter_args_keeps_tid(arg, tid_of(row));
	if (rows == NULL || rows->seen >= rows->n)
		return false;
	return rows->keep[rows->seen++];
}

/* "KEY" and "NUMBER" are the types of all classes, "cpu:KEY" is that of the
 * CPUs. */
static bool
is_type(const struct type *type, const char *item, size_t n)
{
	char number[24];
	size_t class = strlen(type->class);

	snprintf(number, sizeof number, "%" PRId64, type->number);
	if ((strlen(type->key) == n && strncmp(type->key, item, n) == 0) ||
		(strlen(number) == n && strncmp(number, item, n) == 0))
		return true;
	return n > class && item[class] == ':' &&
		strncmp(item, type->class, class) == 0 &&
		is_type(type, item + class + 1, n - class - 1);
}

static bool
is_of_model(const struct type *type, const char *item, size_t n)
{
	return strncmp(type->key, item, n) == 0 && type->key[n] == '.';
}

typedef bool type_match(const struct type *type, const char *item, size_t n);

/* Returns true if there is no list or an item of the list matches. */
static bool
fits(const struct type *type, const char *list, type_match *match)
{
	if (list == NULL)
		return true;
	for (;;) {
		size_t n = strcspn(list, ",");

		if (match(type, list, n))
			return true;
		if (list[n] == '\0')
			return false;
		list += n + 1;
	}
}

bool
filter_args_is_type(const char *list, const struct type *type)
{
	return fits(type, list, is_type);
}

static bool
keep_type(void *arg, const struct type *type)
{
	const struct filter_args *f = arg;

	if (!has_class(f, type->class))
		return false;
	if (f->needed != NULL && fits(type, f->needed, is_type))
		return true;
	if (!fits(type, f->types, is_type))
		return false;
	((struct filter_args *)arg)->type_met = true;
	return f->of_events || fits(type, f->models, is_of_model);
}

/* Returns true if an earlier type has the same key or model: a type is declared
 * once for each class, and a model has several types. */
static bool
is_repeated(const struct type_list *l, int i, size_t n)
{
	const char *key = l->types.at[i].key;

	for (int j = 0; j < i; j++)
		if (strncmp(l->types.at[j].key, key, n) == 0 &&
			strchr(".", l->types.at[j].key[n]) != NULL)
			return true;
	return false;
}

/* Adds the names of a type, or of its model, to those that an error lists. */
static void
offer(const struct type_list *l, int i, struct arena *a, type_match *match,
	struct choices *there)
{
	const struct type *type = &l->types.at[i];
	size_t n =
		match == is_type ? strlen(type->key) : strcspn(type->key, ".");

	if (!is_repeated(l, i, n))
		choices_add(there, arena_strndup(a, type->key, n));
	if (match == is_type && type->title != NULL)
		near_try(&there->near, type->title);
}

static bool
check_list(const struct type_list *l, const struct filter_trace *of,
	const char *list, type_match *match, struct err *err)
{
	struct arena *a = of->arena;
	char *rest = arena_strdup(a, list), *item;

	while ((item = next_item(&rest)) != NULL) {
		struct choices there = { .near.word = item };
		bool found = match == is_type && of->of_records &&
			type_list_may_appear(item);

		for (int i = 0; i < l->types.n; i++) {
			found = found ||
				match(&l->types.at[i], item, strlen(item));
			offer(l, i, a, match, &there);
		}
		if (!found)
			return refuse(err, match == is_type ? "type" : "model",
				item, &there);
	}
	return true;
}

/* Returns false and sets err if the trace has none of a chosen type or model.
 */
static bool
check_types(struct filter_args *f, const struct filter_trace *of,
	struct type_list *l, struct err *err)
{
	if (f->types == NULL && (f->models == NULL || f->of_events))
		return true;
	if (!type_list_fill(l, of, err))
		return false;
	if (f->types != NULL)
		f->types = type_list_keys(l, of->arena, f->types);
	f->types_later = of->of_records && f->types != NULL;
	if (f->types != NULL && !check_list(l, of, f->types, is_type, err))
		return false;
	return f->models == NULL || f->of_events ||
		check_list(l, of, f->models, is_of_model, err);
}

/* Checks the names of models. The model of an event need not be enabled. */
static bool
check_models(const struct filter_args *f, const struct filter_trace *of,
	struct err *err)
{
	const struct model *const *all = of->models;
	char *rest, *item;

	if (f->models == NULL || !f->of_events)
		return true;
	rest = arena_strdup(of->arena, f->models);
	while ((item = next_item(&rest)) != NULL) {
		struct choices there = { .near.word = item };
		bool found = false;

		for (int i = 0; all[i] != NULL; i++) {
			found = found || strcmp(all[i]->name, item) == 0;
			choices_add(&there, all[i]->name);
		}
		if (!found)
			return refuse(err, "model", item, &there);
	}
	return true;
}

/* Returns the models that have types in the trace. If the streams are those of
 * CPUs, only the models of converters have views. */
static const struct model *const *
models_of(const struct filter_trace *of, const struct type_list *l)
{
	const struct model *const *all = of->models;
	const struct model **on;
	int n = 0, total = 0;

	while (all[total] != NULL)
		total++;
	on = ARENA_ARRAY(of->arena, const struct model *, total + 1);
	for (int i = 0; i < total; i++) {
		bool found = false,
		     fits = all[i]->prefix != NULL || !of->trace->by_cpu;

		for (int k = 0; k < l->types.n && fits && !found; k++)
			found = is_of_model(&l->types.at[k], all[i]->name,
				strlen(all[i]->name));
		if (found)
			on[n++] = all[i];
	}
	return on;
}

static bool
read_views(struct filter_args *f, const struct filter_trace *of,
	struct type_list *l, struct err *err)
{
	const char *types;

	if (f->views == NULL)
		return true;
	if (!type_list_fill(l, of, err))
		return false;
	types = filter_view_types(
		of->arena, f->views, models_of(of, l), of->trace, err);
	if (types == NULL)
		return false;
	f->types = f->types == NULL
		? types
		: arena_printf(of->arena, "%s,%s", f->types, types);
	f->views = NULL;
	return true;
}

bool
filter_args_resolve(
	struct filter_args *f, const struct filter_trace *of, struct err *err)
{
	struct type_list l = { 0 };
	bool ok = read_window(f, of, err) && read_views(f, of, &l, err) &&
		choose_rows(f, of, err) && check_types(f, of, &l, err) &&
		check_models(f, of, err);

	if (!ok)
		text_disarm(err->text);
	return ok;
}

bool
filter_args_any(const struct filter_args *f)
{
	return f->from != NULL || f->to != NULL || f->types != NULL ||
		f->models != NULL || has_row_choice(f);
}

bool
filter_args_listed(const char *list, const char *item)
{
	size_t n = strlen(item);

	while (list != NULL && *list != '\0') {
		size_t length = strcspn(list, ",");

		if (length == n && memcmp(list, item, n) == 0)
			return true;
		list += length + (list[length] == ',');
	}
	return list == NULL;
}

struct sink *
filter_args_open(struct filter_args *f, struct arena *a, struct sink *next)
{
	if (!filter_args_any(f))
		return next;
	f->options.keep_row = keep_row;
	f->options.keep_type = keep_type;
	f->options.arg = f;
	f->thread.seen = f->cpu.seen = 0;
	return filter_open(a, next, &f->options);
}

void
filter_args_report(const struct filter_args *f, int64_t duration)
{
	char end[TIMES_TEXT];

	if (f->options.from > duration)
		log_warning("no events: the trace ends at %s, before --from %s",
			times_text(duration, f->unit, end), f->from);
	if (f->types_later && !f->type_met)
		log_warning("--type: no record has the type %s", f->types);
	for (int i = 0; i < f->ntids && !f->is_lenient; i++)
		if (!f->tid_met[i])
			log_warning("--thread: no event of thread %" PRId64
				    " (weft stat --by thread TRACE lists all "
				    "threads)",
				f->tid[i]);
}
