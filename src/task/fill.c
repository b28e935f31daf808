/* SPDX-License-Identifier: MIT */
#include "task/fill.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "task/schema.h"
#include "task/stream.h"

#define PAUSE_NS 5000000 /* sleep while the journal has nothing new */

struct fill {
	struct journal *journal;
	struct store *store;
	struct stream stream;
	uint64_t run;
	int tasks, tags, milestones, meta;
	VEC(uint32_t) names; /* the store's names, by number in the stream */
	struct arena arena;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool ends; /* the journal is complete */
	/* Set by the thread before it ends: */
	struct store_report report;
	struct err err;
	bool ok;
};

/* Returns the store's number for a name of the stream. */
static uint32_t
intern(struct fill *f, uint32_t name)
{
	const struct stream_name *n = stream_name_of(&f->stream, name);

	while ((uint32_t)f->names.n < name)
		VEC_PUSH(&f->names, &f->arena, 0);
	if (f->names.at[name - 1] == 0)
		f->names.at[name - 1] =
			store_intern(f->store, n->text, n->size);
	return f->names.at[name - 1];
}

static struct store_value
name(struct fill *f, uint32_t number)
{
	return number == 0 ? store_null() : store_name(intern(f, number));
}

static void
put_task(struct fill *f, const struct stream_task *task, bool open)
{
	const struct stream_class *c = stream_class_of(&f->stream, task->class);
	const struct store_value row[TASKS_COLUMNS] = {
		[TASKS_ID] = store_uint(task->id),
		[TASKS_PARENT] = task->parent != 0 ? store_uint(task->parent)
						   : store_null(),
		[TASKS_KIND] = name(f, c->kind),
		[TASKS_WHAT] = name(f, c->what),
		[TASKS_LOCATION] = name(f, c->location),
		[TASKS_START] = store_int(task->start),
		[TASKS_END] = store_int(f->stream.time),
		[TASKS_OPEN] = store_flag(open),
		[TASKS_RUN] = store_uint(f->run),
	};

	store_put(f->store, f->tasks, row);
}

static void
put_tag(struct fill *f, const struct stream_event *ev)
{
	store_put(f->store, f->tags,
		(const struct store_value[TAGS_COLUMNS]){
			[TAGS_TASK] = store_uint(ev->id),
			[TAGS_TIME] = store_int(ev->time),
			[TAGS_WHAT] = name(f, ev->class->kind),
			[TAGS_STEP] = store_flag(ev->kind == JOURNAL_STEP),
			[TAGS_RUN] = store_uint(f->run),
		});
}

static void
put_milestone(struct fill *f, const struct stream_event *ev)
{
	store_put(f->store, f->milestones,
		(const struct store_value[MILESTONES_COLUMNS]){
			[MILESTONES_TASK] = store_uint(ev->id),
			[MILESTONES_TIME] = store_int(ev->time),
			[MILESTONES_KIND] = name(f, ev->class->kind),
			[MILESTONES_WHAT] = name(f, ev->class->what),
			[MILESTONES_LOCATION] = name(f, ev->class->location),
			[MILESTONES_RUN] = store_uint(f->run),
		});
}

static void
put_fact(struct fill *f, const struct stream_event *ev)
{
	const struct stream_name *key =
		stream_name_of(&f->stream, ev->property);
	const struct stream_name *value = stream_name_of(&f->stream, ev->value);

	store_put(f->store, f->meta,
		(const struct store_value[META_COLUMNS]){
			[META_KEY] = store_text(key->text, key->size),
			[META_VALUE] = store_text(value->text, value->size),
			[META_RUN] = store_uint(f->run),
		});
}

static void
put_event(struct fill *f, const struct stream_event *ev)
{
	switch (ev->kind) {
	case JOURNAL_END:
		put_task(f, &ev->task, false);
		break;
	case JOURNAL_TAG:
	case JOURNAL_STEP:
		put_tag(f, ev);
		break;
	case JOURNAL_MILESTONE:
		put_milestone(f, ev);
		break;
	case JOURNAL_FACT:
		put_fact(f, ev);
		break;
	default:
		break;
	}
}

/* Sleeps a little. Returns true if the journal is complete. */
static bool
rest(struct fill *f)
{
	struct timespec until;
	bool ends;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += PAUSE_NS;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	pthread_mutex_lock(&f->lock);
	if (!f->ends)
		pthread_cond_timedwait(&f->wake, &f->lock, &until);
	ends = f->ends;
	pthread_mutex_unlock(&f->lock);
	return ends;
}

/* Copies all events that the journal has so far. */
static void
fill(struct fill *f)
{
	struct stream_event ev;

	stream_follow(&f->stream, journal_flushed(f->journal));
	while (stream_next(&f->stream, &ev))
		put_event(f, &ev);
}

/* Stores the number of rows for which the journal had no room. */
static void
put_loss(struct fill *f)
{
	char text[24];
	int why;
	uint64_t lost = journal_lost(f->journal, &why);
	int n = snprintf(text, sizeof text, "%llu", (unsigned long long)lost);

	if (lost > 0)
		store_put(f->store, f->meta,
			(const struct store_value[META_COLUMNS]){
				[META_KEY] = store_text(
					SCHEMA_LOST, strlen(SCHEMA_LOST)),
				[META_VALUE] = store_text(text, (uint32_t)n),
				[META_RUN] = store_uint(f->run),
			});
}

/* Stores the first events at once, so that the run's number is taken and
 * readers find the run. */
static void
begin(struct fill *f)
{
	fill(f);
	store_flush(f->store);
}

static void *
work(void *arg)
{
	struct fill *f = arg;
	const struct stream_task *open;
	struct stream_event ev;
	int n;

	while (!rest(f))
		fill(f);
	if (stream_refresh(&f->stream))
		while (stream_next(&f->stream, &ev))
			put_event(f, &ev);
	open = stream_open_tasks(&f->stream, &n);
	for (int i = 0; i < n; i++)
		put_task(f, &open[i], true);
	put_loss(f);
	f->ok = store_close(f->store, &f->report, &f->err);
	return NULL;
}

static void
fini(struct fill *f)
{
	stream_close(&f->stream);
	pthread_mutex_destroy(&f->lock);
	pthread_cond_destroy(&f->wake);
	arena_fini(&f->arena);
	mem_free(f);
}

struct fill *
fill_start(struct journal *j, struct store *s, uint64_t run)
{
	struct fill *f = mem_resize(NULL, 1, sizeof *f);
	struct err err = { 0 };
	sigset_t all, before;
	bool ok;

	*f = (struct fill){ .journal = j, .store = s, .run = run };
	pthread_mutex_init(&f->lock, NULL);
	pthread_cond_init(&f->wake, NULL);
	ok = stream_open(&f->stream, journal_file(j), &err);
	f->tasks = store_table(s, &schema_tasks);
	f->tags = store_table(s, &schema_tags);
	f->milestones = store_table(s, &schema_milestones);
	f->meta = store_table(s, &schema_meta);
	if (ok)
		begin(f);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ok = ok && pthread_create(&f->thread, NULL, work, f) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (ok)
		return f;
	fini(f);
	return NULL;
}

bool
fill_close(struct fill *f, struct store_report *report, struct err *err)
{
	bool ok;

	pthread_mutex_lock(&f->lock);
	f->ends = true;
	pthread_cond_signal(&f->wake);
	pthread_mutex_unlock(&f->lock);
	pthread_join(f->thread, NULL);
	ok = f->ok;
	*report = f->report;
	if (!ok && err->kind == ERR_NONE)
		*err = f->err;
	fini(f);
	return ok;
}
