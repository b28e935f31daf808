/* SPDX-License-Identifier: MIT */
/*
 * resume.h - what a flight recorder writes of a thread where records are
 * missing: the thread ends where the file ends, and starts again where the
 * records begin that were kept.
 */
#ifndef WEFT_INPROC_OVNI_RESUME_H
#define WEFT_INPROC_OVNI_RESUME_H

#include <stdbool.h>
#include <stdint.h>

struct stream;

/* Where a thread is at some position of its stream. */
struct resume_state {
	char last; /* third letter of its last OH event; 0: there was none */
	int32_t cpu;
	uint64_t time; /* of the last record, ns */
};

struct resume {
	struct resume_state oldest;  /* at the oldest record that is kept */
	struct resume_state written; /* at the end of the file */
};

/* As those of struct stream_format. */
void weft_rt_resume_pass(
	struct resume *r, const unsigned char *record, bool is_written);
bool weft_rt_resume_bridge(struct resume *r, struct stream *s);

#endif
