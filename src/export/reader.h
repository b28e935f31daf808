/* SPDX-License-Identifier: MIT */
/*
 * reader.h - the interface of readers of files that already hold records:
 * Paraver's .prv, for example. Such a file needs no emulation: the reader
 * itself calls the sink (sink.h).
 *
 *	struct reader *r = ops->open(&arena, &setup, &err);
 *	... (the sinks are opened with r->unit, r->rows_grow and the clocks)
 *	ok = reader_read(r, sink, &err);
 *	reader_close(r);
 *
 * A reader calls sink_row() ... sink_advance() as any producer does, but it
 * does not close the sink. If `unordered` is set, records may go back in time,
 * and the caller puts order.c in front of the sink.
 *
 * Damaged bytes become findings, one for each region that is skipped; the rest
 * of the file is read.
 *
 * To add a format, implement struct reader_ops and name it in the table of
 * formats (cli/trace/formats.c).
 */
#ifndef WEFT_EXPORT_READER_H
#define WEFT_EXPORT_READER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/severity.h"
#include "export/sink.h"

struct arena;

/* Bytes of the beginning of a file that recognise() sees, at most. */
#define READER_HEAD 65536

/* What is wrong with the file, odd about it, or assumed. */
struct reader_finding {
	enum severity severity;
	const char *file; /* the file that the finding is about, if it is not
	                   * the input itself ("x.pcf"); else NULL. Borrowed:
	                   * lives as long as the arena */
	uint64_t line;    /* from 1; 0: not known, or the file has no lines */
	int64_t offset;   /* byte; -1: not known */
	int64_t time;     /* in the unit of the reader, or VALUE_NONE */
	uint32_t row;     /* or ROW_NONE */
	const char *text; /* borrowed for the call */
};

/* The arguments of open. Borrowed: valid until the reader is closed. */
struct reader_setup {
	const char *path;           /* path of the file, as the user gave it */
	const char *const *options; /* "key=value" settings of the format; NULL
	                             * ends; or NULL */
	/* Called in open and read for each finding. */
	void (*finding)(void *arg, const struct reader_finding *f);
	void *arg; /* argument of finding() */
	/* For formats whose types have numbers and titles, but no keys: called
	 * before a type is declared. Sets what the caller knows of it (key,
	 * kind, unit), and returns true if 0 is a value of the type like any
	 * other, not "none". Or NULL. */
	bool (*know_type)(void *arg, struct type *type);
	/* Returns the meaning of a label of the type that know_type() was
	 * called for last. Or NULL. */
	enum meaning (*know_label)(void *arg, const struct type *type,
		int64_t value, const char *text);
	/* Not 0: read shall return true soon; all sink calls so far count. Or
	 * NULL. */
	const atomic_int *stop;
};

struct reader;

/* One input format. */
struct reader_ops {
	const char *name;       /* "prv" */
	const char *help;       /* one line: what it reads */
	const char *extensions; /* usual extensions with the dot, with blanks:
	                         * ".prv .prv.gz"; for lists, not for
	                         * recognition */
	/* Returns true if a file that begins with these n bytes has this
	 * format. `head` is decompressed if the file is a gzip or zstd file. */
	bool (*recognise)(const void *head, size_t n);
	/* Opens the file and reads what the sinks must know first: unit,
	 * clocks. Returns NULL with err if no record can be read. */
	struct reader *(*open)(struct arena *a,
		const struct reader_setup *setup, struct err *err);
	/* Declares all rows, types and labels that are known without reading
	 * the records, for filters; read declares them again, with the same
	 * ids. */
	void (*declare)(struct reader *r, struct sink *to);
	/* Reads the whole file into the sink; called once. The last advance
	 * tells the end. Returns false with err if the rest of the file cannot
	 * be read. */
	bool (*read)(struct reader *r, struct sink *to, struct err *err);
	/* Calls fn for what the file has and the records do not, after read. Or
	 * NULL. */
	void (*loss)(struct reader *r,
		void (*fn)(void *arg, const struct loss *loss), void *arg);
	void (*close)(struct reader *r);
};

/* The base of a reader, which is the first member of its struct. open sets all
 * but the counters at the end, which read changes. */
struct reader {
	const struct reader_ops *ops;
	const char *unit; /* unit of all times: "ns" or "ps" */
	bool rows_grow;   /* as in struct sink_setup */
	bool unordered;   /* records may go back in time */
	/* Clocks at time 0, or CLOCK_UNKNOWN. */
	int64_t start_realtime, start_monotonic;
	int64_t end;         /* end of the timeline; -1: not known before the
	                      * file is read */
	uint64_t records;    /* records and links read so far */
	uint64_t done, size; /* bytes read so far, and of the file; size 0: not
	                      * known */
};

static inline void
reader_declare(struct reader *r, struct sink *to)
{
	r->ops->declare(r, to);
}

static inline bool
reader_read(struct reader *r, struct sink *to, struct err *err)
{
	return r->ops->read(r, to, err);
}

static inline void
reader_close(struct reader *r)
{
	r->ops->close(r);
}

#endif
