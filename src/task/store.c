/* SPDX-License-Identifier: MIT */
/*
 * The tracer of stores. It writes events into a journal, and a thread copies
 * the journal into the store. The journal is removed when the store has
 * everything.
 */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/tell.h"
#include "sim/hook.h"
#include "store/address.h"
#include "store/owner.h"
#include "store/store.h"
#include "task/direct.h"
#include "task/fill.h"
#include "task/journal.h"
#include "task/journals.h"
#include "task/schema.h"
#include "weft/task.h"

struct weft_store_state {
	struct told told; /* first */
	struct weft_sim_engine *engine;
	struct store *store; /* owned, until the thread takes it */
	struct fill *fill;   /* owned; NULL: the store is a stream */
	struct owner owner;  /* the lock of a stream */
	struct store_address address;
	const char *path; /* path of the journal; NULL: the file has no name */
	uint64_t run;     /* the number of this run */
	uint64_t others;  /* rows except those of ended tasks, tags and
	                   * milestones */
	struct store_report report;
	struct weft_store_state *next; /* in the list `live` */
};

/* The open stores, for exit() and fork(). */
static pthread_mutex_t live_lock = PTHREAD_MUTEX_INITIALIZER;
static struct weft_store_state *live;
static pid_t live_pid;

/* Returns true while the tracer records. */
static inline bool
is_open(const struct weft_tracer_store *t)
{
	return __builtin_expect(t->state->told.journal != NULL, 1);
}

static uint64_t
rows_of(const struct weft_store_state *st)
{
	return st->told.tasks + st->told.tags + st->told.milestones +
		st->others;
}

/* Stops recording if the rows exceed the limit. The caller calls it after each
 * row. */
static inline void
limit(struct weft_tracer_store *t)
{
	const struct told *told = &t->state->told;

	if (t->max_bytes == 0)
		return;
	t->bytes = 8 *
		(told->tasks * TASKS_COLUMNS + told->tags * TAGS_COLUMNS +
			told->milestones * MILESTONES_COLUMNS);
	if (t->bytes >= t->max_bytes)
		t->tracer.max_tasks = t->tracer.tasks;
}

static void
start(struct weft_tracer *tracer, const struct weft_task *task)
{
	struct weft_tracer_store *t = (void *)tracer;

	if (is_open(t))
		journal_put_start(t->state->told.journal, task, tracer->now);
}

static void
end(struct weft_tracer *tracer, const struct weft_task *task)
{
	struct weft_tracer_store *t = (void *)tracer;

	if (!is_open(t))
		return;
	journal_put_end(t->state->told.journal, task->id, task->end);
	t->state->told.tasks++;
	limit(t);
}

static void
put_tag(struct weft_tracer *tracer, const struct weft_task *task,
	const char *what, bool step)
{
	struct weft_tracer_store *t = (void *)tracer;

	if (!is_open(t))
		return;
	journal_put_tag(
		t->state->told.journal, task->id, what, step, tracer->now);
	t->state->told.tags++;
	limit(t);
}

static void
step(struct weft_tracer *t, const struct weft_task *task, const char *what)
{
	put_tag(t, task, what, true);
}

static void
tag(struct weft_tracer *t, const struct weft_task *task, const char *what)
{
	put_tag(t, task, what, false);
}

static void
milestone(struct weft_tracer *tracer, const struct weft_task *task,
	const struct weft_milestone *m)
{
	struct weft_tracer_store *t = (void *)tracer;

	if (!is_open(t))
		return;
	journal_put_milestone(t->state->told.journal, task->id, m, m->time);
	t->state->told.milestones++;
	limit(t);
}

static void
put_number(struct weft_store_state *st, const char *property, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof text, "%llu", (unsigned long long)value);
	journal_put_fact(st->told.journal, property, text);
	st->others++;
}

/* Removes the state from the list of open stores. */
static void
leave(struct weft_store_state *st)
{
	struct weft_store_state **at = &live;

	pthread_mutex_lock(&live_lock);
	while (*at != NULL && *at != st)
		at = &(*at)->next;
	if (*at != NULL)
		*at = st->next;
	pthread_mutex_unlock(&live_lock);
}

/* Appends to the description of a store's failure. */
static __attribute__((format(printf, 3, 4))) void
explain(const struct weft_store_state *st, struct err *err, const char *fmt,
	...)
{
	char text[sizeof err->text];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (err->kind == ERR_NONE) {
		err_set(err, ERR_INPUT, "%.120s: %.360s", st->address.text,
			text);
	} else {
		struct err before = *err;

		snprintf(err->text, sizeof err->text, "%.300s; %.200s",
			before.text, text);
	}
}

/* Copies all events to the store. Returns false and sets err unless everything
 * is there; st->report has the numbers. */
static bool
close_state(struct weft_store_state *st, struct err *err)
{
	int why;
	uint64_t lost = journal_lost(st->told.journal, &why);
	bool ok = true;

	if (st->fill != NULL)
		ok = fill_close(st->fill, &st->report, err);
	else
		st->report.stored = rows_of(st) - lost;
	st->report.lost += lost;
	journal_close(st->told.journal);
	st->told.journal = NULL;
	st->fill = NULL;
	if (st->report.lost > lost && st->path != NULL)
		explain(st, err,
			"but %s has %s (import it with 'weft tasks load')",
			st->path,
			lost == 0 ? "all rows"
				  : "all rows for which it had room");
	else if (st->path != NULL && strcmp(st->address.kind, "stream") != 0)
		unlink(st->path);
	if (lost > 0)
		explain(st, err,
			"%llu row%s lost: no room for the journal %.60s (%s); "
			"make room there or choose another store address",
			(unsigned long long)lost, lost == 1 ? " is" : "s are",
			st->path != NULL ? st->path : "in TMPDIR",
			strerror(why));
	owner_leave(&st->owner);
	return ok && lost == 0;
}

static void
close_store(struct weft_tracer_store *t)
{
	struct weft_store_state *st = t->state;
	struct err err = { 0 };

	leave(st);
	if (!close_state(st, &err))
		sim_fault(st->engine, WEFT_SIM_STORE, "%s", err.text);
	t->stored = st->report.stored;
	t->spooled = st->report.spooled;
	t->lost = st->report.lost;
}

/* Stores everything when the program exits without closing its engine. */
static void
at_exit(void)
{
	struct err err = { 0 };

	while (live != NULL && live_pid == getpid()) {
		struct weft_store_state *st = live;

		leave(st);
		err = (struct err){ 0 };
		if (!close_state(st, &err))
			tell_user("weft: %s", err.text);
	}
}

/* A child of fork() has no such thread, and shares the file with its parent. */
static void
in_child(void)
{
	for (struct weft_store_state *st = live; st != NULL; st = st->next)
		st->told.journal = NULL;
	live = NULL;
	pthread_mutex_init(&live_lock, NULL);
}

static void
register_exit(void)
{
	atexit(at_exit);
	pthread_atfork(NULL, NULL, in_child);
}

static void
enter(struct weft_store_state *st)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, register_exit);
	pthread_mutex_lock(&live_lock);
	live_pid = getpid();
	st->next = live;
	live = st;
	pthread_mutex_unlock(&live_lock);
}

static void
count_open(void *arg, const struct weft_task *task)
{
	struct weft_store_state *st = arg;

	(void)task;
	st->others++;
}

static void
finish(struct weft_tracer *tracer, int64_t now)
{
	struct weft_tracer_store *t = (void *)tracer;
	struct weft_store_state *st = t->state;

	if (!is_open(t))
		return;
	weft_tracer_open_tasks(tracer, count_open, st);
	put_number(st, "end", (uint64_t)now);
	put_number(st, "dropped", tracer->dropped);
	put_number(st, "faults", weft_sim_faults(tracer->engine, WEFT_SIM_OK));
	journal_put_finish(st->told.journal, now);
	close_store(t);
}

const struct weft_tracer_ops store_tracer_ops = {
	.start = start,
	.step = step,
	.tag = tag,
	.milestone = milestone,
	.end = end,
	.finish = finish,
};

/* Closes the store of a tracer that was never attached, which is therefore
 * never finished. */
static void
close_unused(void *arg, int64_t now)
{
	struct weft_tracer_store *t = arg;

	(void)now;
	if (t->tracer.engine == NULL && is_open(t))
		close_store(t);
}

/* Finds the number after the last run of the database. Returns false and sets
 * err if the database cannot be read or has tables of another version. */
static bool
find_run(struct weft_store_state *st, const char *address, struct err *err)
{
	struct store_reader *r;
	const struct store_table *t;
	bool ok = true;

	if (!store_was_there(st->store))
		return true;
	r = store_read(address, err);
	if (r == NULL)
		return false;
	t = store_read_find(r, schema_tasks.name);
	if (t != NULL && t->n != TASKS_COLUMNS)
		ok = err_set(err, ERR_INPUT,
			"%s: its tables come from an older version and hold "
			"only one run: use another database",
			address);
	st->run = schema_last_run(r) + 1;
	ok = ok && !store_read_failed(r, err);
	store_read_close(r);
	return ok;
}

/* Replaces a file, or adds a run to a database. */
static bool
open_store(struct weft_store_state *st, const char *address, struct err *err)
{
	struct store_options options = { .append = st->address.path == NULL };
	struct err ignored = { 0 };

	st->store = store_open(address, &options, err);
	if (st->store == NULL || !options.append || find_run(st, address, err))
		return st->store != NULL;
	store_close(st->store, NULL, &ignored);
	st->store = NULL;
	return false;
}

/* Opens a stream, which is its own journal. */
static bool
open_stream(struct weft_store_state *st, struct err *err)
{
	struct arena *a = sim_arena(st->engine);

	st->path = st->address.path;
	if (!owner_take(&st->owner, a, st->path, err))
		return err_in(err, "%s", st->address.text);
	st->told.journal = journal_open(st->path, "", st->run, st->engine, err);
	return st->told.journal != NULL;
}

/* Creates the journal. A read-only directory gets a journal without a name, in
 * TMPDIR. */
static bool
open_journal(struct weft_store_state *st, struct err *err)
{
	struct arena *a = sim_arena(st->engine);
	const char *store = journals_store(a, &st->address);
	struct err ignored = { 0 };
	int why;

	st->path = journals_claim(a, &st->address, &st->run, &why);
	if (st->path != NULL)
		st->told.journal = journal_open(
			st->path, store, st->run, st->engine, &ignored);
	if (st->path != NULL && st->told.journal == NULL)
		unlink(st->path);
	if (st->told.journal == NULL) {
		st->path = NULL;
		st->told.journal =
			journal_open(NULL, store, st->run, st->engine, err);
	}
	return st->told.journal != NULL;
}

static void
give_up(struct weft_store_state *st)
{
	struct err ignored = { 0 };

	if (st->store != NULL)
		store_close(st->store, NULL, &ignored);
	if (st->told.journal != NULL && st->path != NULL)
		unlink(st->path);
	journal_close(st->told.journal);
	owner_leave(&st->owner);
	st->told.journal = NULL;
	st->store = NULL;
}

/* Opens store and journal and starts the thread. Returns false and sets err on
 * failure: nothing is stored then. */
static bool
open_all(struct weft_store_state *st, const char *text, struct err *err)
{
	struct arena *a = sim_arena(st->engine);

	st->owner.fd = -1;
	st->run = 1;
	if (!store_address_parse(&st->address, a, arena_strdup(a, text), err))
		return false;
	if (strcmp(st->address.kind, "stream") == 0) {
		if (!open_stream(st, err))
			return false;
	} else if (!open_store(st, text, err) || !open_journal(st, err)) {
		return false;
	}
	journal_put_fact(st->told.journal, "unit", "ps");
	st->others++;
	if (st->store == NULL)
		return true;
	journal_flush(
		st->told.journal); /* the store gets the run's number now */
	st->fill = fill_start(st->told.journal, st->store, st->run);
	return st->fill != NULL ||
		err_set(err, ERR_LIMIT, "%s: cannot create a thread", text);
}

int
weft_tracer_store_init(struct weft_tracer_store *t, struct weft_sim_engine *e,
	const char *address)
{
	struct weft_store_state *state;
	struct err err = { 0 };

	sim_take_turn(e);
	state = ARENA_NEW(sim_arena(e), struct weft_store_state);
	*t = (struct weft_tracer_store){ .tracer = { .ops = &store_tracer_ops,
						 .name = "store" },
		.state = state };
	state->engine = e;
	if (!open_all(state, address, &err)) {
		give_up(state);
		return sim_fault(e, WEFT_SIM_STORE, "%s", err.text);
	}
	enter(state);
	weft_sim_at_end(e, close_unused, t);
	return WEFT_SIM_OK;
}
