/* SPDX-License-Identifier: MIT */
/*
 * frames.c - measures what a sample in a stack frame costs because its frame is
 * recorded, beside what the sample's call path costs anyway.
 *
 *	frames [RATE]    prints ns, and the share of a processor at RATE samples
 *	                 a second (1000), all of them in stack frames
 *
 * "cold": the processor's caches hold other data, as after the program ran. The
 * recorder finds the frame after the call path, which uses the same tables.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "inproc/code/walk.h"
#include "mem/wire.h"

enum {
	WARM = 200000,    /* calls of a round */
	COLD = 200,       /* calls, each after its caches were emptied */
	ROUNDS = 9,       /* the median counts */
	OTHERS = 64 << 20 /* bytes that empty the caches */
};

extern void *__libc_stack_end;

static struct {
	struct stack stack;
	struct frame at;
	uint64_t address; /* in the frame of the outermost deeper() */
	uint32_t depth;
} sample;
static double rate = 1000;
static char *others;
static volatile uint64_t sink;

static double
now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
path(void)
{
	uint64_t to[MEM_PATH_MAX];
	bool cut;

	sink += (uint64_t)walk(
		&sample.stack, sample.at, to, MEM_PATH_MAX, &cut);
}

/* Finds the frame, and makes its record. */
static void
frame(void)
{
	static struct mem_frame f;
	struct walk_owner of;

	if (!walk_owner(&sample.stack, sample.at, sample.address, &of)) {
		fputs("frames: the frame was not found\n", stderr);
		exit(1);
	}
	f = (struct mem_frame){ .ip = of.ip,
		.offset = (int64_t)(sample.address - of.cfa),
		.inner = of.inner,
		.inner_offset = (int64_t)(sample.address - of.inner_cfa),
		.depth = of.depth };
	f.record.size = sizeof f;
	f.record.type = MEM_FRAME;
	f.record.check = mem_record_check(&f.record);
	sink += f.record.check;
	sample.depth = of.depth;
}

static double
warm(void (*call)(void))
{
	double ns[ROUNDS];

	for (int round = 0; round < ROUNDS; round++) {
		double begin = now(CLOCK_PROCESS_CPUTIME_ID);

		for (int i = 0; i < WARM; i++)
			call();
		ns[round] = (now(CLOCK_PROCESS_CPUTIME_ID) - begin) / WARM;
	}
	qsort(ns, ROUNDS, sizeof ns[0], compare);
	return ns[ROUNDS / 2];
}

static void
nothing(void)
{
}

/* Measures a call that comes after another one, which is not measured. */
static double
cold(void (*before)(void), void (*call)(void))
{
	double ns[COLD];

	for (int round = 0; round < COLD; round++) {
		double begin;

		for (int i = 0; i < OTHERS; i += 64)
			others[i]++;
		before();
		begin = now(CLOCK_MONOTONIC);
		call();
		ns[round] = now(CLOCK_MONOTONIC) - begin;
	}
	qsort(ns, COLD, sizeof ns[0], compare);
	return ns[COLD / 2];
}

static __attribute__((noinline)) void
innermost(void)
{
	static const struct {
		const char *name;
		void (*before)(void), (*call)(void);
	} parts[] = {
		{ "its call path", nothing, path },
		{ "its frame, then", path, frame },
		{ "its frame alone", nothing, frame },
	};

	__asm__ volatile(
		"lea (%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2"
		: "=r"(sample.at.ip), "=r"(sample.at.sp), "=r"(sample.at.bp));
	sample.stack = (struct stack){ sample.at.sp,
		(uint64_t)(uintptr_t)__libc_stack_end + 8,
		(const void *)(uintptr_t)sample.at.sp };
	frame();
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		double hot = warm(parts[i].call);
		double first = cold(parts[i].before, parts[i].call);

		printf("%2u frames up: %-15s %5.0f ns, cold %5.0f ns: %.3f and "
		       "%.3f %% of a processor\n",
			sample.depth, parts[i].name, hot, first,
			hot * rate / 1e7, first * rate / 1e7);
	}
}

static __attribute__((noinline)) int
deeper(int depth)
{
	volatile char room[100];

	room[0] = (char)depth;
	if (sample.address == 0)
		sample.address = (uint64_t)(uintptr_t)room;
	if (depth == 0)
		innermost();
	else
		deeper(depth - 1);
	return room[0];
}

int
main(int argc, char *argv[])
{
	static const int depths[] = { 0, 7, 31 };

	if (argc > 1)
		rate = strtod(argv[1], NULL);
	others = calloc(OTHERS, 1);
	if (others == NULL || rate <= 0) {
		fputs("usage: frames [RATE]\n", stderr);
		return 2;
	}
	for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++) {
		sample.address = 0;
		deeper(depths[i]);
	}
	free(others);
	return 0;
}
