/* SPDX-License-Identifier: MIT */
/*
 * kernel_out.h - writes the streams of kernel.h: changes among other events,
 * and whole streams of threads that recorded nothing.
 */
#ifndef WEFT_CLI_RUN_KERNEL_OUT_H
#define WEFT_CLI_RUN_KERNEL_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "cli/run/changes.h"

struct err;
struct outfile;
struct ready_thread;

struct kernel_out {
	struct arena arena;        /* for one thread */
	const char *to;            /* directory of the trace */
	uint64_t added;            /* events */
	const struct stops *stops; /* of the process `pid`, borrowed */
	int pid;
	struct err *err;
};

/* The changes of a thread, while they are written. */
struct kernel_feed {
	struct changes changes;
	enum reason now;
	bool may_stop; /* a thread of the process whose stops are known */
	const struct ready_thread *samples; /* or NULL */
	int64_t seen; /* when the thread was last seen, if it was sampled; or
	               * 0 */
};

/* Opens the stream of a thread's directory. */
bool kernel_open(struct kernel_out *o, struct outfile *to, const char *folder);

/* Writes the state at the begin of a stream. Of the changes before it only the
 * last one counts. */
void kernel_put_first(struct kernel_out *o, struct outfile *to,
	struct kernel_feed *f, int64_t begin);

/* Writes the changes before a time. */
void kernel_put_until(struct kernel_out *o, struct outfile *to,
	struct kernel_feed *f, int64_t until);

/* Writes what is left of the changes of a thread that did not record its end.
 * The last one has the time at which the kernel ended the thread or, if the
 * changes do not tell, at which it was last seen: readers take the thread's
 * last event as its end. */
void kernel_put_end(
	struct kernel_out *o, struct outfile *to, struct kernel_feed *f);

/* Copies the metadata of a stream, and adds the model wait if it is not
 * required yet. */
bool kernel_require(struct kernel_out *o, const char *from, const char *to);

/* Makes the stream `to` of a thread that recorded nothing from that of its
 * context switches, `from`. name: of the thread, or "". */
bool kernel_copy(struct kernel_out *o, const char *from, const char *to,
	struct kernel_feed *f, const char *name);

/* Makes the stream of a thread that recorded nothing from its samples. beside:
 * directory of a stream of another thread of this node. */
bool kernel_make(struct kernel_out *o, const char *beside,
	const struct ready_thread *th);

#endif
