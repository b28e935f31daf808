/* SPDX-License-Identifier: MIT */
/*
 * db.h - all records of a trace as a file of SQLite, for questions: trace.db.
 *
 * The tables row, type and label describe the trace; `track` numbers the pairs
 * of a row and a type. A record is a line of state_data: how long the track had
 * which value. The lines of a track lie together, in runs of consecutive ids,
 * and each run is a line of state_chunk: so a window in time touches only the
 * chunks that overlap it, and no index over all records is needed. span_data
 * and span_chunk have the same for whole entries of stacks, with what was on
 * top of them. The views state, span, point_named and link_named join all that:
 *
 *	SELECT label, sum(dur) FROM state WHERE key = 'nanos6.subsystem'
 *	GROUP BY 1 ORDER BY 2 DESC;
 *
 * The events, if they were asked for, are lines of `event` in the order of
 * time; event_chunk tells the times of runs of them.
 *
 * Times are in the unit of `meta`, from the start of the trace. A value of null
 * is VALUE_NONE.
 */
#ifndef WEFT_EXPORT_DB_DB_H
#define WEFT_EXPORT_DB_DB_H

#include "export/db/events.h"
#include "export/sink.h"

extern const struct sink_ops sink_sqlite;

/*
 * The events of the trace, beside its records: tables event, event_chunk,
 * event_class and event_stream, and the view event_named, which exist after the
 * first of these calls. The sink is one of sink_sqlite that has got no call
 * yet. Texts are borrowed for the call; ids are the caller's.
 */
void db_event_stream(struct sink *s, uint32_t id, const char *name, int64_t pid,
	int64_t tid);
void db_event_class(
	struct sink *s, uint32_t id, const char *name, const char *tells);
void db_event(struct sink *s, const struct db_event *ev);

#endif
