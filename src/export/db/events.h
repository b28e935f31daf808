/* SPDX-License-Identifier: MIT */
/*
 * events.h - the tables of the events in a database: their ids follow their
 * times, and event_chunk has the times of runs of consecutive ids, so that a
 * window in time needs no index over all events.
 */
#ifndef WEFT_EXPORT_DB_EVENTS_H
#define WEFT_EXPORT_DB_EVENTS_H

#include "export/db/driver.h"

/* An event of the trace; texts are borrowed for the call. */
struct db_event {
	int64_t time; /* not before that of the event before */
	uint32_t stream, class;
	const char *args, *context; /* objects of JSON; context: or NULL */
};

struct db_events {
	const struct db_driver *driver;
	struct db_file *file;
	int event, chunk, class, stream; /* inserts */
	int64_t id;                      /* of the last event */
	int64_t first, start, end;       /* of the chunk that is open */
};

/* Creates the tables. */
void db_events_begin(struct db_events *e, const struct db_driver *driver,
	struct db_file *file);

void db_events_put(struct db_events *e, const struct db_event *ev);

/* Writes the last chunk, the index of the chunks, and the view. */
void db_events_end(struct db_events *e);

#endif
