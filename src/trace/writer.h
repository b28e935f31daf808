/* SPDX-License-Identifier: MIT */
/*
 * writer.h - the interface of formats that hold events: CTF, for example.
 *
 *	struct writer *w = ops->open(&arena, &setup, &err);
 *	writer_class(w, class, &description);  (before its first event)
 *	writer_gap(w, stream, &lost);          (before the first later event)
 *	writer_event(w, &ev);
 *	ok = writer_close(w, &err);
 *
 * A writer gets the tables of the trace (trace.h) when it is opened, and the
 * events of each stream in order of time. Nothing is visible under the final
 * name until writer_close() succeeds. Failures are sticky: the writer keeps the
 * first one, ignores later calls, and reports it from writer_close().
 *
 * To add a format, implement struct writer_ops and name it in the table of
 * formats (cli/trace/formats.c).
 */
#ifndef WEFT_TRACE_WRITER_H
#define WEFT_TRACE_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "trace/event.h"
#include "trace/trace.h"

struct arena;

/* The arguments of open. Borrowed: valid until the writer is closed. */
struct writer_setup {
	const char *path;          /* the file or directory to write */
	const struct trace *trace; /* its classes may still grow */
	const char *version;       /* of this program: "0.2.0" */
	bool is_part; /* filters leave out events: what is open at the begin,
	               * and at the end, is not an error of the trace */
};

/* What is known about a class of events. Borrowed for the call. */
struct writer_class {
	const char *name; /* the event's name in the output */
	const char *says; /* a sentence about it; or NULL */
	/* Undescribed classes (event.h): the arguments in the payload, one
	 * after the other without padding, as far as they are known. */
	int nargs;
	const struct field *arg;
};

/* Receives what the format had no place for. */
typedef void writer_loss_fn(void *arg, const char *what, uint64_t count);

struct writer;

/* One output format of events. */
struct writer_ops {
	const char *name;       /* "ctf" */
	const char *help;       /* one line: what it writes */
	const char *extensions; /* with the dot, with blanks between them */
	bool is_directory;      /* the output is a directory */
	/* What the format may have no place for; NULL ends. */
	const char *const *losses;
	/* Returns NULL with err. */
	struct writer *(*open)(struct arena *a,
		const struct writer_setup *setup, struct err *err);
	/* Describes a class before its first event. */
	void (*class)(struct writer *w, uint32_t class,
		const struct writer_class *is);
	void (*event)(struct writer *w, const struct event *ev);
	/* Events of the stream were lost; times are those of events. */
	void (*gap)(struct writer *w, uint32_t stream,
		const struct trace_lost *lost);
	/* Calls tell for each loss that is not 0. */
	void (*loss)(struct writer *w, writer_loss_fn *tell, void *arg);
	/* Writes the rest and gives the output its name. Returns false with
	 * err; then the output is removed. */
	bool (*close)(struct writer *w, struct err *err);
};

/* The base of a writer, which is the first member of its struct. */
struct writer {
	const struct writer_ops *ops;
};

static inline void
writer_class(struct writer *w, uint32_t class, const struct writer_class *is)
{
	w->ops->class(w, class, is);
}

static inline void
writer_event(struct writer *w, const struct event *ev)
{
	w->ops->event(w, ev);
}

static inline void
writer_gap(struct writer *w, uint32_t stream, const struct trace_lost *lost)
{
	w->ops->gap(w, stream, lost);
}

static inline bool
writer_close(struct writer *w, struct err *err)
{
	return w->ops->close(w, err);
}

#endif
