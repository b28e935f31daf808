/* SPDX-License-Identifier: MIT */
#include "task/stream_store.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "store/catalog.h"
#include "store/driver.h"
#include "task/schema.h"
#include "task/stream.h"

static const struct store_table *const tables[] = { &schema_tasks, &schema_tags,
	&schema_milestones, &schema_meta };

struct stream_back {
	struct store_back back;
	const struct store_setup *setup;
	int fd;
	uint64_t head;        /* the position at which all walks
	                       * end */
	struct stream stream; /* stream that the current walk reads */
	const struct store_table *table; /* table being read; NULL: none */
	const struct stream_task *open;  /* the open tasks at the end, or
	                                  * NULL */
	int nopen, next_open;
	bool told_damage, told_loss;
	struct store_value schema[4 * STORE_COLUMNS_MAX][5];
	uint32_t nschema, next_schema;
	char text[32];
};

static const struct store_driver driver;

static bool
open_file(struct stream_back *b, const char *path, struct err *err)
{
	b->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (b->fd < 0)
		return err_set(err, ERR_SYSTEM, "cannot open");
	if (!stream_open(&b->stream, b->fd, err))
		return false;
	b->head = b->stream.head;
	stream_close(&b->stream);
	return true;
}

static void
describe(struct stream_back *b)
{
	for (size_t i = 0; i < 4; i++) {
		store_table_describe(tables[i], b->schema[b->nschema]);
		b->nschema += tables[i]->n;
	}
}

static struct store_back *
open_stream(const struct store_setup *s, struct err *err)
{
	struct stream_back *b = ARENA_NEW(s->arena, struct stream_back);

	b->back.driver = &driver;
	b->setup = s;
	b->fd = -1;
	if (s->mode != STORE_READ) {
		err_set(err, ERR_INPUT,
			"only simulators write streams: use another kind of "
			"store");
		return NULL;
	}
	if (!open_file(b, s->address->path, err)) {
		if (b->fd >= 0)
			close(b->fd);
		return NULL;
	}
	describe(b);
	return &b->back;
}

static bool
is_there(struct store_back *b, struct err *err)
{
	(void)b;
	(void)err;
	return true;
}

static bool
start(struct store_back *back, const struct store_table *t,
	const struct store_where *where, struct err *err)
{
	struct stream_back *b = (struct stream_back *)back;

	(void)where;
	b->table = t;
	b->next_schema = 0;
	b->open = NULL;
	b->nopen = b->next_open = 0;
	b->told_damage = b->told_loss = false;
	if (!stream_open(&b->stream, b->fd, err))
		return false;
	stream_limit(&b->stream, b->head);
	return true;
}

static struct store_value
name(const struct stream_back *b, uint32_t number)
{
	const struct stream_name *n;

	if (number == 0)
		return store_null();
	n = stream_name_of(&b->stream, number);
	return store_text(n->text, n->size);
}

static struct store_value
run_of(const struct stream_back *b)
{
	return store_uint(b->stream.run);
}

static void
task_row(const struct stream_back *b, const struct stream_task *task, bool open,
	struct store_value *row)
{
	const struct stream_class *c = stream_class_of(&b->stream, task->class);

	row[TASKS_ID] = store_uint(task->id);
	row[TASKS_PARENT] =
		task->parent != 0 ? store_uint(task->parent) : store_null();
	row[TASKS_KIND] = name(b, c->kind);
	row[TASKS_WHAT] = name(b, c->what);
	row[TASKS_LOCATION] = name(b, c->location);
	row[TASKS_START] = store_int(task->start);
	row[TASKS_END] = store_int(b->stream.time);
	row[TASKS_OPEN] = store_flag(open);
	row[TASKS_RUN] = run_of(b);
}

static bool
next_task(struct stream_back *b, struct store_value *row)
{
	struct stream_event ev;

	while (b->open == NULL && stream_next(&b->stream, &ev))
		if (ev.kind == JOURNAL_END) {
			task_row(b, &ev.task, false, row);
			return true;
		}
	if (b->open == NULL)
		b->open = stream_open_tasks(&b->stream, &b->nopen);
	if (b->next_open == b->nopen)
		return false;
	task_row(b, &b->open[b->next_open++], true, row);
	return true;
}

static bool
next_tag(struct stream_back *b, struct store_value *row)
{
	struct stream_event ev;

	while (stream_next(&b->stream, &ev)) {
		if (ev.kind != JOURNAL_TAG && ev.kind != JOURNAL_STEP)
			continue;
		row[TAGS_TASK] = store_uint(ev.id);
		row[TAGS_TIME] = store_int(ev.time);
		row[TAGS_WHAT] = name(b, ev.class->kind);
		row[TAGS_STEP] = store_flag(ev.kind == JOURNAL_STEP);
		row[TAGS_RUN] = run_of(b);
		return true;
	}
	return false;
}

static bool
next_milestone(struct stream_back *b, struct store_value *row)
{
	struct stream_event ev;

	while (stream_next(&b->stream, &ev)) {
		if (ev.kind != JOURNAL_MILESTONE)
			continue;
		row[MILESTONES_TASK] = store_uint(ev.id);
		row[MILESTONES_TIME] = store_int(ev.time);
		row[MILESTONES_KIND] = name(b, ev.class->kind);
		row[MILESTONES_WHAT] = name(b, ev.class->what);
		row[MILESTONES_LOCATION] = name(b, ev.class->location);
		row[MILESTONES_RUN] = run_of(b);
		return true;
	}
	return false;
}

/* Fills a row of meta with a fact about the stream itself. Returns true. */
static bool
tell(struct stream_back *b, const char *property, const char *fmt,
	uint64_t number, struct store_value *row)
{
	snprintf(b->text, sizeof b->text, fmt, (unsigned long long)number);
	row[META_KEY] = store_text(property, (uint32_t)strlen(property));
	row[META_VALUE] = store_text(b->text, (uint32_t)strlen(b->text));
	return true;
}

static bool
next_fact(struct stream_back *b, struct store_value *row)
{
	struct stream_event ev;

	row[META_RUN] = run_of(b);
	while (stream_next(&b->stream, &ev)) {
		if (ev.kind != JOURNAL_FACT)
			continue;
		row[META_KEY] = name(b, ev.property);
		row[META_VALUE] = name(b, ev.value);
		return true;
	}
	if (b->stream.why != 0 && !b->told_loss) {
		b->told_loss = true;
		return tell(b, SCHEMA_LOST, "%llu", b->stream.lost, row);
	}
	if (!b->stream.damaged || b->told_damage)
		return false;
	b->told_damage = true;
	return tell(b, "damaged after", "byte %llu", b->stream.at, row);
}

static bool
next(struct store_back *back, struct store_value *row, struct err *err)
{
	struct stream_back *b = (struct stream_back *)back;

	(void)err;
	if (strcmp(b->table->name, schema_tasks.name) == 0)
		return next_task(b, row);
	if (strcmp(b->table->name, schema_tags.name) == 0)
		return next_tag(b, row);
	if (strcmp(b->table->name, schema_milestones.name) == 0)
		return next_milestone(b, row);
	if (strcmp(b->table->name, schema_meta.name) == 0)
		return next_fact(b, row);
	if (b->table != &store_schema || b->next_schema == b->nschema)
		return false;
	memcpy(row, b->schema[b->next_schema++], sizeof b->schema[0]);
	return true;
}

static void
stop(struct store_back *back)
{
	stream_close(&((struct stream_back *)back)->stream);
}

static void
close_stream(struct store_back *back)
{
	close(((struct stream_back *)back)->fd);
}

static const struct store_driver driver = {
	.layout = STORE_DRIVER_LAYOUT,
	.name = "stream",
	.texts = true,
	.open = open_stream,
	.is_there = is_there,
	.start = start,
	.next = next,
	.stop = stop,
	.close = close_stream,
};

void
stream_store_register(void)
{
	store_driver_add(&driver);
}
