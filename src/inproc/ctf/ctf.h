/* SPDX-License-Identifier: MIT */
/*
 * ctf.h - the CTF trace of the process: its events, CPUs and directory.
 *
 * The state lies in pages that a fork wipes, like that of the process. Event
 * ids are assigned in the order of declaration and never change.
 */
#ifndef WEFT_INPROC_CTF_CTF_H
#define WEFT_INPROC_CTF_CTF_H

#include <limits.h>

#include "inproc/core/part.h"
#include "inproc/core/stream.h"
#include "weft/ctf.h"

enum { CTF_EVENTS = 256, CTF_FIELDS = 8, CTF_TEXT = 512 };

/* An event, by its id. */
struct ctf_event {
	struct weft_ctf_tracepoint *point;
	int which; /* index into point->event */
	int nfields;
	uint8_t size[CTF_FIELDS]; /* bytes; 0: a text */
	uint32_t fixed;           /* sum of all sizes, if there is no text */
	bool has_text;
	bool is_wanted; /* WEFT_EVENTS selects the event */
};

struct ctf_cpu {
	int id;                    /* CPU number of the system; set at the
	                            * start */
	struct ctf_stream *stream; /* atomic, made under the process's lock */
};

struct ctf {
	/* Set at the start, under the process's lock. */
	size_t bytes; /* size of this struct with cpu[] */
	char prefix[64];
	uint64_t start;        /* time of the start, ns */
	int ncounters;         /* counters that events carry */
	int last_cpu;          /* the highest id */
	char folder[PATH_MAX]; /* .../ctf/user */
	int ncpus;

	bool is_on;    /* atomic, set when the start is complete */
	bool is_ended; /* atomic, set once: no more events are recorded */
	uint64_t end;  /* ns; written by the thread that set is_ended */
	uint64_t lost; /* atomic: lost events of streams without a file */
	struct totals *totals; /* atomic: totals of threads; the list only
	                        * grows */

	/* Written under the process's lock. An event does not change after
	 * nready counts it; any thread reads does[], after an event's id. */
	int nevents;
	int nready; /* atomic: number of events in the metadata */
	struct ctf_event event[CTF_EVENTS]; /* index is the id, from 1 on */
	uint8_t does[WEFT_CTF_KEPT + 1];    /* id of the event with this
	                                     * meaning, or 0 */
	int nexternal;                      /* external threads so far */
	struct ctf_stream *leader;          /* atomic */
	struct ctf_cpu cpu[];
};
extern struct ctf *weft_rt_ctf;
extern const struct part weft_rt_ctf_part;

/* A packet of a stream's file. */
struct ctf_packet {
	uint64_t at;          /* byte offset */
	uint64_t begin;       /* time of its first event */
	uint64_t before, end; /* times of the last event before the packet, and
	                       * in it */
	uint64_t lost;        /* lost events up to here, as its head says */
};

struct ctf_stream {
	struct stream stream;      /* first member */
	struct weft_ctf_ring ring; /* used by the owner */
	int number;                /* number of the file; never changes */
	int owner;                 /* atomic: thread id of the owner; 0: free */
	struct ctf_packet written, tried; /* the last packets; used by the
	                                   * drainer */
	uint64_t waits_since; /* time when the last wait began; used by the
	                       * owner */
};

/* Returns true if the calling process has begun a trace. */
static inline bool
weft_rt_ctf_is_on(void)
{
	const struct ctf *c = weft_rt_ctf;

	return c && __atomic_load_n(&c->is_on, __ATOMIC_ACQUIRE);
}

static inline bool
weft_rt_ctf_has_ended(void)
{
	return __atomic_load_n(&weft_rt_ctf->is_ended, __ATOMIC_RELAXED);
}

/* Returns true if the calling thread may record: a trace has begun and has not
 * ended, and the thread has not entered seccomp. */
bool weft_rt_ctf_records(void);

/* Returns the number of bytes of an event's fields. */
uint64_t weft_rt_ctf_fields(
	const struct ctf_event *e, const unsigned char *fields);

/* Chooses and creates the directories of the trace. Returns false with
 * errno. */
bool weft_rt_ctf_directory(struct ctf *c);

/* Writes all metadata. */
void weft_rt_ctf_meta(void);

/* Returns the id of the thread that owns the caller's current stream; 0:
 * none. */
int weft_rt_ctf_owner(void);

/* Dies unless the event's fields are ntexts texts followed by n bytes. */
void weft_rt_ctf_check_texts(const struct ctf_event *e, int ntexts, uint64_t n);

#endif
