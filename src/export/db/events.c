/* SPDX-License-Identifier: MIT */
#include "export/db/events.h"

#include "export/db/chunks.h"

static const char schema[] =
	"CREATE TABLE event_class(id INTEGER PRIMARY KEY, name TEXT,"
	" tells TEXT);"
	"CREATE TABLE event_stream(id INTEGER PRIMARY KEY, name TEXT,"
	" pid INTEGER, tid INTEGER);"
	"CREATE TABLE event(id INTEGER PRIMARY KEY, time INTEGER,"
	" stream INTEGER, class INTEGER, args TEXT, context TEXT);"
	"CREATE TABLE event_chunk(start INTEGER, end INTEGER, first INTEGER,"
	" last INTEGER);";

static const char views[] =
	"CREATE INDEX event_by_time ON event_chunk(start);"
	"CREATE VIEW event_named AS SELECT e.id, e.time, s.name AS stream,"
	" s.pid, s.tid, c.name, c.tells, e.args, e.context"
	" FROM event_chunk k CROSS JOIN event e"
	" ON e.id BETWEEN k.first AND k.last"
	" JOIN event_class c ON c.id = e.class"
	" JOIN event_stream s ON s.id = e.stream;";

void
db_events_begin(struct db_events *e, const struct db_driver *driver,
	struct db_file *file)
{
	*e = (struct db_events){ .driver = driver, .file = file, .first = 1 };
	driver->run(file, schema);
	e->event =
		driver->prepare(file, "INSERT INTO event VALUES(?,?,?,?,?,?)");
	e->chunk = driver->prepare(
		file, "INSERT INTO event_chunk VALUES(?,?,?,?)");
	e->class =
		driver->prepare(file, "INSERT INTO event_class VALUES(?,?,?)");
	e->stream = driver->prepare(
		file, "INSERT INTO event_stream VALUES(?,?,?,?)");
}

static void
put_chunk(struct db_events *e)
{
	const int64_t row[] = { e->start, e->end, e->first, e->id };

	if (e->id >= e->first)
		e->driver->put_many(e->file, e->chunk, row, 1, 4);
	e->first = e->id + 1;
}

void
db_events_put(struct db_events *e, const struct db_event *ev)
{
	const struct db_value row[] = { db_int(++e->id), db_int(ev->time),
		db_int(ev->stream), db_int(ev->class), db_text(ev->args),
		db_text(ev->context) };

	e->driver->put(e->file, e->event, row, sizeof row / sizeof *row);
	if (e->id == e->first)
		e->start = e->end = ev->time;
	if (ev->time < e->start)
		e->start = ev->time;
	if (ev->time > e->end)
		e->end = ev->time;
	if (e->id - e->first + 1 == CHUNK_MOST)
		put_chunk(e);
}

void
db_events_end(struct db_events *e)
{
	put_chunk(e);
	e->driver->run(e->file, views);
}
