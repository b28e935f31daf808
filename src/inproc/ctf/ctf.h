/* SPDX-License-Identifier: MIT */
/*
 * ctf.h - the CTF trace of the process: its events, its CPUs, its folder.
 *
 * It lies in pages that a fork wipes, as the process does. Ids of events are
 * given in the order of declaration and never change.
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
	struct weft_ctf_point *point;
	int which; /* of the point's events */
	int nfields;
	uint8_t size[CTF_FIELDS]; /* bytes; 0: a text */
	uint32_t fixed;           /* all of them, if there is no text */
	bool has_text;
	bool is_wanted; /* by WEFT_EVENTS */
};

struct ctf_cpu {
	int id;                    /* the system's; from the start on */
	struct ctf_stream *stream; /* atomic, made under the process's lock */
};

struct ctf {
	/* From the start on, which is under the process's lock. */
	size_t bytes; /* of this and what follows */
	char prefix[64];
	uint64_t start;        /* ns */
	int ncounters;         /* that events carry */
	int last_cpu;          /* the highest id */
	char folder[PATH_MAX]; /* .../ctf/user */
	int ncpus;

	bool is_on;    /* atomic, set at the start's end */
	bool is_ended; /* atomic, set once: no event is recorded any more */
	uint64_t end;  /* ns; of who set that */
	uint64_t lost; /* atomic: events of streams that have no file */
	struct totals *totals; /* atomic: of threads; the list only grows */

	/* Written under the process's lock. An event is as it was made once
	 * nready counts it; does[] is read by any thread, behind the id of an
	 * event. */
	int nevents;
	int nready; /* atomic: of them in the metadata */
	struct ctf_event event[CTF_EVENTS]; /* from 1 on */
	uint8_t does[WEFT_CTF_KEPT + 1];    /* id of the event that does it */
	int nexternal;                      /* threads that were */
	struct ctf_stream *leader;          /* atomic */
	struct ctf_cpu cpu[];
};
extern struct ctf *weft_rt_ctf;
extern const struct part weft_rt_ctf_part;

/* A packet of a stream's file. */
struct ctf_packet {
	uint64_t at;          /* byte */
	uint64_t begin;       /* time of its first event */
	uint64_t before, end; /* times of the last event before it, and in it */
	uint64_t lost;        /* events, as it says */
};

struct ctf_stream {
	struct stream stream;      /* first */
	struct weft_ctf_ring ring; /* its owner's */
	int number;                /* of its file; as it was made */
	int owner; /* atomic: thread id of who records, or 0: who takes it */
	struct ctf_packet written, tried; /* the last ones; of who drains */
	uint64_t waits_since;             /* the owner's */
};

/* Is there a trace that the calling process began? */
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

/* The bytes of an event's fields. */
uint64_t weft_rt_ctf_fields(
	const struct ctf_event *e, const unsigned char *fields);

/* Chooses and makes the folders of the trace; errno says why not. */
bool weft_rt_ctf_place(struct ctf *c);

/* Writes the metadata, all of it. */
void weft_rt_ctf_meta(void);

/* The thread that owns the stream on which the calling one records; 0: none. */
int weft_rt_ctf_owner(void);

/* Dies if the event has other fields than so many texts, then n bytes. */
void weft_rt_ctf_check_texts(const struct ctf_event *e, int ntexts, uint64_t n);

#endif
