/* SPDX-License-Identifier: MIT */
#include "mem/rt/calibrate.h"

#include <stddef.h>
#include <time.h>

#include "mem/rt/events.h"
#include "mem/rt/ring.h"
#include "mem/rt/room.h"
#include "mem/rt/timer.h"

enum {
	LINE = 64,
	LINES = 16384, /* more than the nearest cache holds */
	ROUNDS = 2000,
	SPAN = 5000000, /* ns of CPU time, others may run */
	TIMES = 100     /* interruptions in that */
};

/* Of the chain's load, and of what comes after. */
extern const char weft_mem_chain_load[] __attribute__((visibility("hidden")));
extern const char weft_mem_chain_next[] __attribute__((visibility("hidden")));

static struct {
	enum mem_skid skid;
	uint32_t before, at, tried;
} found;

/* Work that waits for each load, and a little that does not. */
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

/* All lines in one circle, each far from the one before. */
static void *
make_chain(void)
{
	char *bytes = room_map((size_t)LINE * LINES);
	unsigned at = 0;

	if (bytes == NULL)
		return NULL;
	for (int i = 0; i < LINES; i++) {
		/* a full period, since the factor is 1 modulo 4 */
		unsigned next = (at * 4 * 1021 + at + 8191) % LINES;

		*(void **)(void *)(bytes + (size_t)at * LINE) =
			bytes + (size_t)next * LINE;
		at = next;
	}
	return bytes;
}

void
calibrate_note(uint64_t ip)
{
	uint64_t load = (uint64_t)(uintptr_t)weft_mem_chain_load;
	uint64_t next = (uint64_t)(uintptr_t)weft_mem_chain_next;

	if (ip < load || ip > next + 32)
		return; /* between rounds */
	found.tried++;
	found.before += ip == next;
	found.at += ip == load;
}

static enum mem_skid
judge(void)
{
	if (found.tried < TIMES / 10)
		return MEM_SKID_UNKNOWN;
	if (found.before * 10 >= found.tried * 7)
		return MEM_SKID_ONE;
	if (found.at * 10 >= found.tried * 7)
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

static uint64_t
cpu_time(void)
{
	struct timespec t = { 0 };

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void
calibrate_run(void)
{
	const struct event *e = events_find(MEM_EVENT_DATA);
	uint64_t until;
	void *chain;

	if (e == NULL || e->source == MEM_SOURCE_NONE)
		return;
	chain = make_chain();
	if (chain != NULL && begin(e)) {
		until = cpu_time() + SPAN;
		while (cpu_time() < until)
			chain = chase(chain, ROUNDS);
		end(e);
	}
	found.skid = judge();
}

bool
calibrate_has_skid(void)
{
	return found.skid != MEM_SKID_NONE;
}

void
calibrate_write(struct mem_setup *r)
{
	r->skid = found.skid;
	r->skid_hits = found.skid == MEM_SKID_NONE ? found.at : found.before;
	r->skid_tried = found.tried;
}
