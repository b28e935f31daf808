/* SPDX-License-Identifier: MIT */
/*
 * resume.h - the events that a flight recorder writes at a gap: the thread ends
 * where the file ends, and starts again where the kept records begin.
 */
#ifndef WEFT_INPROC_OVNI_RESUME_H
#define WEFT_INPROC_OVNI_RESUME_H

#include <stdbool.h>
#include <stdint.h>

struct stream;

/* The state of a thread at some position of its stream. */
struct resume_state {
	char last; /* third letter of its last OH event; 0: none yet */
	int32_t cpu;
	uint64_t time; /* time of the last record, ns */
};

struct resume {
	struct resume_state oldest;  /* state at the oldest kept record */
	struct resume_state written; /* state at the end of the file */
};

/* See struct stream_format. */
void weft_rt_resume_pass(
	struct resume *r, const unsigned char *record, bool is_written);
bool weft_rt_resume_bridge(struct resume *r, struct stream *s);

#endif
