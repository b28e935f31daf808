/* SPDX-License-Identifier: MIT */
/*
 * progress.h - one line on the terminal: bar, share, rate, time left.
 *
 *	emu  [########........]  52 %  14.1 M events/s  3 s left
 *
 * Drawn on standard error at most ten times a second, only when it is a
 * terminal; in a pipe nothing is written. The caller counts work in whatever
 * unit it knows the total of (bytes read) and events for the rate.
 */
#ifndef WEFT_BASE_PROGRESS_H
#define WEFT_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	const char *what; /* verb, borrowed */
	const char *unit; /* plural of what is counted for the rate */
	int64_t start_ns, drawn_ns;
	uint64_t total; /* work; 0: unknown */
	bool on;
};

void progress_start(
	struct progress *p, const char *what, const char *unit, uint64_t total);

/* Cheap when off; when on, reads the clock: call every few thousand steps. */
void progress_step(struct progress *p, uint64_t done, uint64_t count);

/* Clears the line. */
void progress_end(struct progress *p);

/* Clears whatever line is drawn until the next step: log.c does, so that a
 * message does not run into the bar. */
void progress_hide(void);

/*
 * The text of the line without the terminal control, for tests: seconds since
 * the start are given.
 */
void progress_text(const struct progress *p, double seconds, uint64_t done,
	uint64_t count, char *to, int room);

#endif
