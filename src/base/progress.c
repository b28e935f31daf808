/* SPDX-License-Identifier: MIT */
#include "base/progress.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/now.h"

#define DRAW_EVERY_NS 100000000
#define BAR 16

/* Is set while the line is on the terminal. Atomic, because another thread may
 * log while one draws. */
static atomic_bool is_drawn;

/* The listener of progress_tell(). */
static struct {
	void (*fn)(void *arg, const struct progress *p, uint64_t done,
		uint64_t count);
	void *arg;
} told;

void
progress_start(
	struct progress *p, const char *what, const char *unit, uint64_t total)
{
	const char *term = getenv("TERM");

	*p = (struct progress){ .what = what, .unit = unit, .total = total };
	p->drawn = isatty(STDERR_FILENO) == 1 && term != NULL &&
		strcmp(term, "dumb") != 0;
	p->on = p->drawn || told.fn != NULL;
	/* Nothing is drawn for the first 100 ms, so quick commands draw
	 * nothing. */
	p->start_ns = p->drawn_ns = p->on ? now_ns() : 0;
}

static void __attribute__((format(printf, 3, 4)))
add(char *to, int room, const char *fmt, ...)
{
	int at = (int)strlen(to);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(to + at, (size_t)(room - at), fmt, ap);
	va_end(ap);
}

static void
add_bar(char *to, int room, double share)
{
	char bar[BAR + 1];
	int full = (int)(share * BAR);

	memset(bar, '.', BAR);
	memset(bar, '#', (size_t)full);
	bar[BAR] = '\0';
	add(to, room, "  [%s]  %2d %%", bar, (int)(share * 100));
}

static void
add_rate(char *to, int room, double rate, const char *unit)
{
	static const char *const scale[] = { "", "k ", "M ", "G ", "T " };
	int i = 0;

	/* 999.95 would print as 1000.0. */
	for (; rate >= 999.95 && i < 4; i++)
		rate /= 1000;
	add(to, room, "  %.*f %s%s/s", i > 0, rate, scale[i], unit);
}

static void
add_left(char *to, int room, double seconds)
{
	long s = (long)(seconds + 0.999); /* never "0 s left" before the end */

	if (s < 60)
		add(to, room, "  %ld s left", s);
	else if (s < 3600)
		add(to, room, "  %ld min %02ld s left", s / 60, s % 60);
	else
		add(to, room, "  %ld h %02ld min left", s / 3600,
			s % 3600 / 60);
}

void
progress_text(const struct progress *p, double seconds, uint64_t done,
	uint64_t count, char *to, int room)
{
	double share = 0;

	to[0] = '\0';
	if (p->total > 0)
		share = done < p->total ? (double)done / (double)p->total : 1;
	add(to, room, "%s", p->what);
	if (p->total > 0)
		add_bar(to, room, share);
	if (seconds <= 0)
		return;
	add_rate(to, room, (double)count / seconds, p->unit);
	if (p->total == 0)
		add(to, room, "  %ld s", (long)seconds);
	/* An estimate of a month or more is not worth showing. */
	else if (share > 0 && seconds / share < 30 * 86400.0)
		add_left(to, room, seconds / share - seconds);
}

/* Returns the width of the terminal: a line that wraps could not be cleared. */
static int
columns(void)
{
	struct winsize w;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &w) != 0 || w.ws_col == 0)
		return 80;
	return w.ws_col;
}

void
progress_step(struct progress *p, uint64_t done, uint64_t count)
{
	char text[256];
	int64_t now;
	int room;

	if (!p->on)
		return;
	now = now_ns();
	if (now - p->drawn_ns < DRAW_EVERY_NS)
		return;
	p->drawn_ns = now;
	if (told.fn != NULL)
		told.fn(told.arg, p, done, count);
	if (!p->drawn)
		return;
	room = columns();
	if (room > (int)sizeof text)
		room = sizeof text;
	progress_text(
		p, (double)(now - p->start_ns) / 1e9, done, count, text, room);
	fprintf(stderr, PROGRESS_CLEAR "%s", text);
	fflush(stderr);
	atomic_store(&is_drawn, true);
}

void
progress_tell(void (*fn)(void *arg, const struct progress *p, uint64_t done,
		      uint64_t count),
	void *arg)
{
	told.fn = fn;
	told.arg = arg;
}

void
progress_hide(void)
{
	if (atomic_exchange(&is_drawn, false)) {
		fputs(PROGRESS_CLEAR, stderr);
		fflush(stderr);
	}
}

bool
progress_is_drawn(void)
{
	return atomic_load(&is_drawn);
}

void
progress_end(struct progress *p)
{
	if (p->drawn)
		progress_hide();
	p->on = false;
}
