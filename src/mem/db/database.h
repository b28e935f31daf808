/* SPDX-License-Identifier: MIT */
/*
 * database.h - profiles of many processes in one SQLite file, which `weft mem
 * merge` writes and `weft mem report` reads.
 *
 * The file is a store (store/store.h) with the tables below. It is sparse: a
 * row of costs exists only where something was measured. Its bytes depend on
 * the measurements alone, not on their order: processes, code locations,
 * variables and nodes are numbered in the order of what they are.
 * docs/dev/mem-database.md describes the tables.
 */
#ifndef WEFT_MEM_DB_DATABASE_H
#define WEFT_MEM_DB_DATABASE_H

#include "mem/db/profile.h"
#include "store/store.h"

#define DATABASE_VERSION 2

enum database_table {
	DATABASE_INFO,
	DATABASE_EVENT,
	DATABASE_PROCESS,
	DATABASE_HEAP,
	DATABASE_LOSS,
	DATABASE_PROCESS_COST,
	DATABASE_LOCATION,
	DATABASE_VARIABLE,
	DATABASE_CHAIN,
	DATABASE_TOTAL,
	DATABASE_COST,
	DATABASE_ACCESS,
	DATABASE_NODE,
	DATABASE_NODE_COST,
	DATABASE_METRIC,
	DATABASE_TABLES
};

/* Columns, in order. */
enum { INFO_KEY, INFO_VALUE };
enum {
	EVENT_NUMBER,
	EVENT_NAME,
	EVENT_KIND,
	EVENT_SOURCE,
	EVENT_ERROR,
	EVENT_PERIOD,
	EVENT_REAL,
	EVENT_COMPUTES,
	EVENT_UNSURE,
	EVENT_KNOWN,
	EVENT_COST,
	EVENT_GUESS = EVENT_COST + 3,
	EVENT_MIXED = EVENT_GUESS + 3,
	EVENT_COLUMNS = EVENT_MIXED + 3
};
enum {
	PROCESS_NUMBER,
	PROCESS_IMAGE,
	PROCESS_PID,
	PROCESS_RANK,
	PROCESS_NODE,
	PROCESS_PROGRAM,
	PROCESS_CALLED,
	PROCESS_STARTED,
	PROCESS_DURATION,
	PROCESS_THREADS,
	PROCESS_SILENT,
	PROCESS_SILENT_NS,
	PROCESS_SAMPLES,
	PROCESS_ENDED,
	PROCESS_LIVE_BYTES,
	PROCESS_LIVE_BLOCKS,
	PROCESS_PEAK_BYTES,
	PROCESS_COLUMNS
};
enum {
	HEAP_PROCESS,
	HEAP_TIME,
	HEAP_LIVE_BYTES,
	HEAP_LIVE_BLOCKS,
	HEAP_MAPPED_BYTES,
	HEAP_PEAK_BYTES,
	HEAP_COLUMNS
};
enum { LOSS_PROCESS, LOSS_KIND, LOSS_COUNT, LOSS_COLUMNS };
enum { PROCESS_COST_PROCESS, PROCESS_COST_EVENT, PROCESS_COST_COST };
enum {
	LOCATION_NUMBER,
	LOCATION_FUNCTION,
	LOCATION_FILE,
	LOCATION_LINE,
	LOCATION_MODULE,
	LOCATION_IS_NAMED,
	LOCATION_IS_INLINED,
	LOCATION_CALL,
	LOCATION_COLUMNS
};
enum {
	VARIABLE_NUMBER,
	VARIABLE_KIND,
	VARIABLE_NAME,
	VARIABLE_GIVEN,
	VARIABLE_LOCATION,
	VARIABLE_BYTES,
	VARIABLE_BLOCKS,
	VARIABLE_LIVE_BYTES,
	VARIABLE_LIVE_BLOCKS,
	VARIABLE_HALF_BYTES,
	VARIABLE_PEAK_BYTES,
	VARIABLE_LEAST,
	VARIABLE_MOST,
	VARIABLE_IS_ESTIMATE,
	VARIABLE_FREED,
	VARIABLE_THREADS,
	VARIABLE_COLUMNS
};
enum { CHAIN_VARIABLE, CHAIN_POSITION, CHAIN_LOCATION, CHAIN_COLUMNS };
enum {
	TOTAL_VARIABLE,
	TOTAL_EVENT,
	TOTAL_COST,
	TOTAL_GUESSED = TOTAL_COST + 3,
	TOTAL_MIXED = TOTAL_GUESSED + 3,
	TOTAL_COLUMNS = TOTAL_MIXED + 3
};
enum {
	COST_PROCESS,
	COST_VARIABLE,
	COST_EVENT,
	COST_COST,
	COST_THREADS = COST_COST + 3,
	COST_COLUMNS
};
enum {
	ACCESS_VARIABLE,
	ACCESS_LOCATION,
	ACCESS_EVENT,
	ACCESS_IS_OUTER,
	ACCESS_COST,
	ACCESS_COLUMNS = ACCESS_COST + 3
};
enum {
	NODE_NUMBER,
	NODE_PARENT,
	NODE_KIND,
	NODE_LOCATION,
	NODE_VARIABLE_OF,
	NODE_BYTES,
	NODE_BLOCKS,
	NODE_COLUMNS
};
enum { NODE_COST_NODE, NODE_COST_EVENT, NODE_COST_COST };
enum { METRIC_VARIABLE, METRIC_NUMBER, METRIC_IS_LEVEL, METRIC_SAMPLES };

extern const struct store_table database_tables[DATABASE_TABLES];

/* The cost that a variable had in one process. */
struct database_row {
	uint32_t variable; /* index in the profile */
	uint16_t event;
	uint16_t threads; /* threads that touched it */
	struct cost cost;
};

/* Yields the rows of processes, for the table of costs. */
struct database_costs {
	/* Returns the rows of a process, in any order; *n receives their
	 * number. They are valid until the next call. */
	struct database_row *(*rows)(void *arg, int process, int *n);
	void *arg;
};

/* Returns true if the file is a database of this kind, or another store. */
bool database_is(const char *path);

/* Writes a profile, whose images are sorted, to a new file. Returns false and
 * sets err on failure. */
bool database_write(const struct profile *p, const struct database_costs *costs,
	const char *path, struct err *err);

/* What database_read() adds beside variables and their totals. */
struct database_wish {
	/* Receives the rows of each process, whose index is in the profile; may
	 * be NULL. */
	void (*costs)(
		void *arg, int process, const struct database_row *row, int n);
	/* Is called when the profile has the database's processes; may be
	 * NULL. */
	void (*images)(void *arg, const struct profile *p);
	void *arg;
	bool heap; /* reads the heap over time, too */
};

/* Adds a database to a profile, whose event_room is PROFILE_EVENTS, or 0 if the
 * database is the only one. Returns false and sets err if the file is no
 * database of this kind, is damaged, or is of another version. */
bool database_read(struct profile *p, const char *path,
	const struct database_wish *wish, struct err *err);

#endif
