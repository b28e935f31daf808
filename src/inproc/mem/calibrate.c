/* SPDX-License-Identifier: MIT */
#include "inproc/mem/calibrate.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "inproc/core/pages.h"
#include "inproc/mem/events.h"
#include "inproc/mem/out.h"
#include "inproc/mem/perf_source.h"
#include "inproc/mem/skid.h"
#include "inproc/mem/ticks.h"
#include "inproc/mem/timer.h"

enum {
	LINE = 64,
	LINES = 16384, /* exceeds the nearest cache */
	ROUNDS = 2000,
	SPAN = 5000000, /* ns of CPU time; other threads may run */
	TIMES = 100     /* interruptions in SPAN */
};

/* Addresses of the chain's load, and of the instruction after it. */
extern const char weft_mem_chain_load[] __attribute__((visibility("hidden")));
extern const char weft_mem_chain_next[] __attribute__((visibility("hidden")));

/* Follows the chain of loads. Some instructions depend on each load, a few do
 * not. */
static __attribute__((noinline)) void *
chase(void *p, uint64_t rounds)
{
	uint64_t sum = 0;

	__asm__ volatile("1:\n"
			 "weft_mem_chain_load:\n"
			 "	movq (%0), %0\n"
			 "weft_mem_chain_next:\n"
			 "	addq $1, %2\n"
			 "	xorq $3, %2\n"
			 "	addq $5, %2\n"
			 "	decq %1\n"
			 "	jnz 1b\n"
			 : "+r"(p), "+r"(rounds), "+r"(sum)
			 :
			 : "cc", "memory");
	return p;
}

/* Links all lines in one circle, each far from the one before. */
static void *
make_chain(void)
{
	char *bytes = room_map((size_t)LINE * LINES);
	unsigned at = 0;

	if (bytes == NULL)
		return NULL;
	for (int i = 0; i < LINES; i++) {
		/* the circle has all lines, since the factor is 1 modulo 4 */
		unsigned next = (at * 4 * 1021 + at + 8191) % LINES;

		*(void **)(void *)(bytes + (size_t)at * LINE) =
			bytes + (size_t)next * LINE;
		at = next;
	}
	return bytes;
}

static enum mem_skid
judge(void)
{
	if (skid.tried < TIMES / 10)
		return MEM_SKID_UNKNOWN;
	if (skid.before * 10 >= skid.tried * 7)
		return MEM_SKID_ONE;
	if (skid.at * 10 >= skid.tried * 7)
		return MEM_SKID_NONE;
	return MEM_SKID_UNKNOWN;
}

static bool
begin(const struct event *e)
{
	return e->source == MEM_SOURCE_RING ? ring_test_begin(SPAN / TIMES)
					    : timer_test_begin(SPAN / TIMES);
}

static void
end(const struct event *e)
{
	if (e->source == MEM_SOURCE_RING)
		ring_test_end();
	else
		timer_test_end();
}

static void
path_of_found(char *path, size_t n)
{
	snprintf(path, n, "%s/" MEM_SELF_TEST, out_parent());
}

/* Uses the result that an earlier program measured with this source. */
static bool
take_found(enum mem_source source)
{
	char path[PATH_MAX], text[64];
	unsigned v[5];
	ssize_t n;
	int fd;

	if (skid.source == source && skid.skid != MEM_SKID_UNKNOWN)
		return true; /* written by us before fork */
	path_of_found(path, sizeof(path));
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n < 0 ? 0 : n] = '\0';
	if (sscanf(text, "%u %u %u %u %u.", &v[0], &v[1], &v[2], &v[3],
		    &v[4]) != 5 ||
		strchr(text, '.') == NULL || v[0] != source ||
		(v[1] != MEM_SKID_ONE && v[1] != MEM_SKID_NONE))
		return false;
	skid.source = source;
	skid.skid = (enum mem_skid)v[1];
	skid.before = v[2];
	skid.at = v[3];
	skid.tried = v[4];
	return true;
}

static void
leave_found(void)
{
	char path[PATH_MAX], text[64];
	int fd, n;

	if (skid.skid == MEM_SKID_UNKNOWN)
		return;
	path_of_found(path, sizeof(path));
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return;
	n = snprintf(text, sizeof(text), "%u %u %u %u %u.\n",
		(unsigned)skid.source, (unsigned)skid.skid, skid.before,
		skid.at, skid.tried);
	/* readers ignore an incomplete line */
	if (write(fd, text, (size_t)n) != n)
		unlink(path);
	close(fd);
}

void
calibrate_run(void)
{
	const struct event *e = events_find(MEM_EVENT_DATA);
	uint64_t until;
	void *chain;

	if (e == NULL || e->source == MEM_SOURCE_NONE)
		return;
	if (take_found(e->source))
		return;
	skid.source = e->source;
	skid.before = skid.at = skid.tried = 0;
	skid.load = weft_mem_chain_load;
	skid.next = weft_mem_chain_next;
	chain = make_chain();
	if (chain != NULL && begin(e)) {
		until = ticks_cpu_ns() + SPAN;
		while (ticks_cpu_ns() < until)
			chain = chase(chain, ROUNDS);
		end(e);
	}
	skid.skid = judge();
	leave_found();
}
