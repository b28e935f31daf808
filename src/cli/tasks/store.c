/* SPDX-License-Identifier: MIT */
#include "cli/tasks/store.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/choices.h"
#include "cli/times.h"
#include "store/address.h"
#include "store/catalog.h"
#include "store/copy.h"
#include "task/schema.h"
#include "task/stream_store.h"

static bool
is(const struct store_value *v, const char *text)
{
	return v->size == strlen(text) && memcmp(v->text, text, v->size) == 0;
}

/* Reads the facts of meta. */
static void
read_facts(struct task_store *ts)
{
	struct store_value row[META_COLUMNS];
	const struct store_value *v = &row[META_VALUE];

	ts->unit = "ps";
	if (ts->meta == NULL)
		return;
	store_read_start(ts->reader, ts->meta, NULL);
	while (store_read_next(ts->reader, row))
		if (is(&row[META_KEY], "unit"))
			ts->unit = arena_strndup(&ts->arena, v->text, v->size);
		else if (is(&row[META_KEY], SCHEMA_LOST))
			ts->lost = arena_strndup(&ts->arena, v->text, v->size);
}

/* Returns the table if its columns are the expected ones, else NULL with
 * err. */
static const struct store_table *
find_table(const struct task_store *ts, const struct store_table *want,
	struct err *err)
{
	const struct store_table *t = store_read_find(ts->reader, want->name);

	if (schema_fits(t, want))
		return t;
	err_set(err, ERR_INPUT, "is not a store of tasks: %s %s",
		t == NULL ? "it has no"
			  : "this build expects other columns in table",
		want->name);
	return NULL;
}

static void
find_journals(struct task_store *ts)
{
	struct store_address *address =
		ARENA_NEW(&ts->arena, struct store_address);
	struct err ignored = { 0 };

	if (store_address_parse(address, &ts->arena,
		    arena_strdup(&ts->arena, ts->address), &ignored) &&
		strcmp(address->kind, "stream") != 0)
		journals_find(&ts->journals, &ts->arena, address);
	ts->is_server = address->path == NULL;
}

/* Chooses the run to read: one of the store, or one that only a journal has. */
static bool
choose_run(struct task_store *ts, uint64_t run, struct err *err)
{
	uint64_t stored = ts->reader != NULL ? schema_last_run(ts->reader) : 0;
	int n = ts->journals.run.n;
	uint64_t told = n > 0 ? ts->journals.run.at[n - 1].run : 0;

	ts->runs = stored > told ? stored : told;
	ts->run = run != 0 ? run : ts->runs;
	if (run > (ts->runs > 0 ? ts->runs : 1) ||
		(run != 0 && stored > 0 &&
			journals_path(&ts->journals, run) == NULL &&
			!schema_has_run(ts->reader, run)))
		return err_set(err, ERR_INPUT, "%s: has no run %llu%s",
			ts->address, (unsigned long long)run,
			ts->runs > 1 ? " ('weft tasks runs' lists them)" : "");
	if (ts->runs > 1 && ts->reader != NULL)
		store_read_only(ts->reader, SCHEMA_RUN, ts->run);
	return true;
}

/* Returns true if the journal begins with the same tasks of its run as the
 * store. */
static bool
is_continued(struct store_reader *store, struct store_reader *journal)
{
	const struct store_table *t = store_read_find(store, schema_tasks.name);
	struct store_value a[STORE_COLUMNS_MAX], b[STORE_COLUMNS_MAX];

	if (t == NULL || !store_table_equal(t, &schema_tasks))
		return true;
	store_read_start(store, t, NULL);
	if (!store_read_next(store, a) || a[TASKS_OPEN].flag)
		return true;
	store_read_start(journal, &schema_tasks, NULL);
	return store_read_next(journal, b) &&
		store_same_row(t, store, a, journal, b);
}

/* Opens the journal of the run, which lies beside a store whose writer died or
 * still writes. The journal has all rows of the store, and more. Returns NULL
 * if there is none. why: what is wrong with the store. */
static struct store_reader *
open_journal(struct task_store *ts, const char *why)
{
	const char *path =
		journals_path(&ts->journals, ts->run != 0 ? ts->run : 1);
	struct err wrong = { 0 };
	struct store_reader *journal;

	if (path == NULL)
		return NULL;
	journal =
		store_read(arena_printf(&ts->arena, "stream:%s", path), &wrong);
	if (journal == NULL && access(path, F_OK) == 0)
		log_warning(
			"%s; its rows that are not in the store are not shown",
			wrong.text);
	if (journal != NULL && ts->reader == NULL && ts->is_server)
		log_warning("%s; reading %s instead", why, path);
	if (journal == NULL || ts->reader == NULL ||
		is_continued(ts->reader, journal))
		return journal;
	log_warning(
		"%s does not belong to %s and is not read", path, ts->address);
	store_read_close(journal);
	return NULL;
}

bool
task_store_open_run(struct task_store *ts, const char *address, uint64_t run,
	struct err *err)
{
	struct err why = { 0 };
	struct store_reader *journal;

	*ts = (struct task_store){ 0 };
	ts->address = arena_strdup(&ts->arena, address);
	stream_store_register();
	ts->reader = store_read(address, &why);
	find_journals(ts);
	if (ts->reader == NULL && ts->journals.run.n == 0)
		*err = why;
	else if (choose_run(ts, run, err)) {
		journal = open_journal(ts, why.text);
		if (journal != NULL && ts->reader != NULL)
			store_read_close(ts->reader);
		if (journal != NULL)
			ts->reader = journal;
		if (ts->reader == NULL)
			*err = why;
	}
	if (err->kind == ERR_NONE)
		return true;
	task_store_close(ts, &(struct err){ 0 });
	return false;
}

bool
task_store_open(struct task_store *ts, const char *address, uint64_t run,
	struct err *err)
{
	struct err ignored = { 0 };

	if (!task_store_open_run(ts, address, run, err))
		return false;
	ts->tasks = find_table(ts, &schema_tasks, err);
	if (ts->tasks != NULL)
		ts->milestones = find_table(ts, &schema_milestones, err);
	if (ts->milestones == NULL) {
		err_in(err, "%s", address);
		task_store_close(ts, err);
		return false;
	}
	ts->meta = find_table(ts, &schema_meta, &ignored);
	read_facts(ts);
	return true;
}

bool
task_store_filter(struct task_store *ts, const struct task_filter *filter,
	struct err *err)
{
	struct times_zero zero = { ts->unit, TIMES_UNKNOWN, TIMES_UNKNOWN, 0 };
	struct task_filter *f = &ts->filter;

	*f = *filter;
	f->from_time = INT64_MIN;
	f->to_time = INT64_MAX;
	ts->kind.pattern = f->kind;
	ts->what.pattern = f->what;
	ts->location.pattern = f->location;
	if (f->from != NULL &&
		!times_moment("from", f->from, &zero, &f->from_time, err))
		return false;
	zero.from = f->from == NULL ? 0 : f->from_time;
	return f->to == NULL ||
		times_moment("to", f->to, &zero, &f->to_time, err);
}

/* Returns true if the text matches the pattern, in which * stands for any
 * text. */
static bool
matches(const char *pattern, const char *text)
{
	const char *star = NULL, *again = NULL;

	while (*text != '\0') {
		if (*pattern == '*') {
			star = ++pattern;
			again = text;
		} else if (*pattern == *text) {
			pattern++;
			text++;
		} else if (star != NULL) {
			pattern = star;
			text = ++again;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}

enum { UNKNOWN, FITS, FITS_NOT };

static bool
fits(struct task_store *ts, struct task_fits *f, uint32_t name)
{
	uint8_t *known;

	if (f->pattern == NULL)
		return true;
	if (name > store_read_names(ts->reader)) /* a damaged store */
		return false;
	while (name >= (uint32_t)f->known.n)
		VEC_PUSH(&f->known, &ts->arena, UNKNOWN);
	known = &f->known.at[name];
	if (*known == UNKNOWN)
		*known = matches(f->pattern,
				 store_read_name(ts->reader, name, NULL))
			? FITS
			: FITS_NOT;
	return *known == FITS;
}

static struct task
task_of(const struct store_value *row)
{
	return (struct task){
		.id = row[TASKS_ID].u,
		.parent = row[TASKS_PARENT].null ? 0 : row[TASKS_PARENT].u,
		.has_parent = !row[TASKS_PARENT].null,
		.kind = row[TASKS_KIND].name,
		.what = row[TASKS_WHAT].name,
		.location = row[TASKS_LOCATION].name,
		.start = row[TASKS_START].i,
		.end = row[TASKS_END].i,
		.open = row[TASKS_OPEN].flag,
	};
}

static bool
next_task(struct task_store *ts, struct task *t)
{
	struct store_value row[TASKS_COLUMNS];

	if (!store_read_next(ts->reader, row))
		return false;
	*t = task_of(row);
	return true;
}

void
task_store_start(struct task_store *ts)
{
	store_read_start(ts->reader, ts->tasks, NULL);
}

bool
task_store_next(struct task_store *ts, struct task *t)
{
	ts->asked = true;
	while (next_task(ts, t))
		if (t->start < ts->filter.to_time &&
			t->end >= ts->filter.from_time &&
			fits(ts, &ts->kind, t->kind) &&
			fits(ts, &ts->what, t->what) &&
			fits(ts, &ts->location, t->location))
			return ts->passed = true;
	return false;
}

/* Lists a name once; f->known has those that were listed. */
static void
list_once(struct task_store *ts, struct task_fits *f, struct choices *there,
	uint32_t name)
{
	while (name >= (uint32_t)f->known.n)
		VEC_PUSH(&f->known, &ts->arena, UNKNOWN);
	if (f->known.at[name] == UNKNOWN)
		choices_add(there,
			arena_strdup(&ts->arena,
				store_read_name(ts->reader, name, NULL)));
	f->known.at[name] = FITS;
}

static void
say_unmatched(struct task_store *ts, const char *option, const char *pattern,
	size_t column)
{
	struct task_fits one = { .pattern = pattern }, seen = { 0 };
	struct choices there = { .near.word = pattern };
	char said[CHOICES_SAID];
	struct task t;

	if (pattern == NULL)
		return;
	store_read_start(ts->reader, ts->tasks, NULL);
	while (next_task(ts, &t)) {
		uint32_t name = *(uint32_t *)((char *)&t + column);

		if (name > store_read_names(ts->reader))
			continue;
		if (fits(ts, &one, name))
			return;
		list_once(ts, &seen, &there, name);
	}
	log_note("no task matches --%s %s; %s", option, pattern,
		choices_said(&there, said));
}

void
task_store_say_unmatched(struct task_store *ts)
{
	const struct task_filter *f = &ts->filter;

	if (!ts->asked || ts->passed)
		return;
	say_unmatched(ts, "kind", f->kind, offsetof(struct task, kind));
	say_unmatched(ts, "what", f->what, offsetof(struct task, what));
	say_unmatched(
		ts, "location", f->location, offsetof(struct task, location));
}

void
task_store_start_milestones(struct task_store *ts)
{
	store_read_start(ts->reader, ts->milestones, NULL);
}

bool
task_store_next_milestone(struct task_store *ts, struct milestone *m)
{
	struct store_value row[MILESTONES_COLUMNS];

	if (!store_read_next(ts->reader, row))
		return false;
	*m = (struct milestone){ row[MILESTONES_TASK].u, row[MILESTONES_TIME].i,
		row[MILESTONES_KIND].name, row[MILESTONES_WHAT].name };
	return true;
}

bool
task_store_find(struct task_store *ts, uint64_t id, struct task *t)
{
	store_read_start(ts->reader, ts->tasks,
		&(struct store_where){
			ts->tasks->column[TASKS_ID].name, store_uint(id) });
	return next_task(ts, t);
}

static int
by_parent(const void *pa, const void *pb)
{
	const struct task *a = pa, *b = pb;

	if (a->has_parent != b->has_parent)
		return a->has_parent ? 1 : -1;
	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

static void
sort(struct task *at, int n)
{
	if (n > 1)
		qsort(at, (size_t)n, sizeof *at, by_parent);
}

/* Reads all tasks of a file once; a database is queried each time instead. */
static void
load(struct task_store *ts)
{
	struct task t;

	if (ts->loaded)
		return;
	ts->loaded = true;
	store_read_start(ts->reader, ts->tasks, NULL);
	while (next_task(ts, &t))
		if (t.has_parent)
			VEC_PUSH(&ts->all, &ts->arena, t);
	sort(ts->all.at, ts->all.n);
}

/* Returns the index in ts->all of the first task whose parent is at least
 * id. */
static int
lower_bound(const struct task_store *ts, uint64_t id)
{
	int low = 0, high = ts->all.n;

	while (low < high) {
		int middle = low + (high - low) / 2;

		if (ts->all.at[middle].parent < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct task *
task_store_children(struct task_store *ts, uint64_t id, int *n)
{
	VEC(struct task) found = { 0 };
	struct task t;

	if (!store_read_has_index(ts->reader)) {
		int first;

		load(ts);
		first = lower_bound(ts, id);
		for (*n = 0; first + *n < ts->all.n &&
			ts->all.at[first + *n].parent == id;)
			++*n;
		return *n > 0 ? &ts->all.at[first] : NULL;
	}
	store_read_start(ts->reader, ts->tasks,
		&(struct store_where){
			ts->tasks->column[TASKS_PARENT].name, store_uint(id) });
	while (next_task(ts, &t))
		VEC_PUSH(&found, &ts->arena, t);
	sort(found.at, found.n);
	*n = found.n;
	return found.at;
}

const struct milestone *
task_store_milestones(struct task_store *ts, uint64_t id, int *n)
{
	VEC(struct milestone) found = { 0 };
	struct milestone m;

	store_read_start(ts->reader, ts->milestones,
		&(struct store_where){
			ts->milestones->column[MILESTONES_TASK].name,
			store_uint(id) });
	while (task_store_next_milestone(ts, &m))
		VEC_PUSH(&found, &ts->arena, m);
	*n = found.n;
	return found.at;
}

bool
task_store_close(struct task_store *ts, struct err *err)
{
	bool ok = true;

	if (ts->reader != NULL) {
		ok = !store_read_failed(ts->reader, err);
		store_read_close(ts->reader);
	}
	arena_fini(&ts->arena);
	return ok;
}
