/* SPDX-License-Identifier: MIT */
/*
 * progress.h - one line on the terminal: bar, share, rate, time left.
 *
 *	emu [########........] 52 % 14.1 M events/s 3 s left
 *
 * Drawn on standard error, at most ten times a second, and only on a terminal.
 * The caller counts work in the unit whose total is known (such as bytes read),
 * and events for the rate.
 */
#ifndef WEFT_BASE_PROGRESS_H
#define WEFT_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	const char *what; /* verb at the begin of the line; borrowed */
	const char *unit; /* plural noun of the counted events, for the rate */
	int64_t start_ns, drawn_ns;
	uint64_t total; /* amount of all work; 0: unknown */
	bool on;        /* a line is drawn, or a listener is called */
	bool drawn;     /* the line is drawn on a terminal */
};

void progress_start(
	struct progress *p, const char *what, const char *unit, uint64_t total);

/* Does almost nothing if no line is drawn. Otherwise reads the clock, so call
 * it only every few thousand steps. */
void progress_step(struct progress *p, uint64_t done, uint64_t count);

/* Also calls fn, as often as the line is drawn, for every progress of this
 * process from now on; NULL removes the listener. Call it before other threads
 * run. */
void progress_tell(void (*fn)(void *arg, const struct progress *p,
			   uint64_t done, uint64_t count),
	void *arg);

/* Clears the line. */
void progress_end(struct progress *p);

/* Clears the line until the next step. log.c calls it, so that a message does
 * not run into the bar. */
void progress_hide(void);

/* Returns true if the line is on the terminal. For a signal handler, which
 * clears the line by writing PROGRESS_CLEAR. */
bool progress_is_drawn(void);
#define PROGRESS_CLEAR "\r\033[K"

/*
 * Formats the line without terminal control, for tests. `seconds`: time since
 * the start.
 */
void progress_text(const struct progress *p, double seconds, uint64_t done,
	uint64_t count, char *to, int room);

#endif
