/* SPDX-License-Identifier: MIT */
/* Call paths: of this program's own stack, compared with the C library's. */
#include "inproc/code/walk.h"

#include <execinfo.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>

#include "test.h"

extern void *__libc_stack_end;

enum { MOST = 64 };

static uint64_t ours[MOST];
static void *theirs[MOST];
static int nours, ntheirs;
static bool was_cut;
static struct walk_lately lately;

static __attribute__((noinline)) void
both(void)
{
	const uint64_t *f = __builtin_frame_address(0);
	uint64_t sp = (uint64_t)(uintptr_t)f;
	struct stack s = { sp, (uint64_t)(uintptr_t)__libc_stack_end + 8, f };

	nours = walk_callers(&s, (struct frame){ f[1], sp + 16, f[0] }, ours,
		MOST, &was_cut, &lately);
	ntheirs = backtrace(theirs, MOST);
}

/* Compares from the outer end on: backtrace() also returns both() itself, and
 * the frames that a sanitizer puts in front of it. */
static int
differences(void)
{
	int n = 0;

	for (int i = 1; i <= nours; i++)
		n += i > ntheirs ||
			(uint64_t)(uintptr_t)theirs[ntheirs - i] !=
				ours[nours - i];
	return n;
}

static __attribute__((noinline)) int
deeper(int depth)
{
	volatile char room[100];

	room[0] = (char)depth;
	if (depth == 0)
		both();
	else
		deeper(depth - 1);
	return room[0];
}

static int
compare(const void *a, const void *b)
{
	(void)a;
	(void)b;
	both();
	return 0;
}

static void
on_signal(int signal)
{
	(void)signal;
	both();
}

static __attribute__((noinline)) void
with_aligned_stack(void)
{
	volatile char room[256] __attribute__((aligned(128)));

	room[0] = 1;
	both();
	room[1] = room[0];
}

static __attribute__((noinline)) void
with_room(size_t n)
{
	volatile char *room = __builtin_alloca(n);

	room[0] = 1;
	both();
	room[n - 1] = room[0];
}

static void
check_same(void)
{
	CHECK_INT(differences(), 0);
	CHECK(nours > 3 && nours >= ntheirs - 2);
	CHECK(!was_cut);
}

TEST(own_frames)
{
	deeper(10);
	check_same();
	CHECK(nours > 12);
}

TEST(frames_of_libraries)
{
	int list[2] = { 1, 2 };

	qsort(list, 2, sizeof(list[0]), compare);
	check_same();
}

TEST(frames_with_odd_stacks)
{
	with_aligned_stack();
	check_same();
	with_room(1234);
	check_same();
}

TEST(through_a_handler)
{
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	/* an interrupted address: one more, since it did not return there */
	CHECK(nours >= ntheirs - 2);
	CHECK(differences() <= 1);
	CHECK(!was_cut);
}

TEST(nothing_outside_the_stack_is_read)
{
	uint64_t bytes[4] = { 1, 2, 3, 4 }, to[MOST];
	struct stack s = { 0x1000, 0x1000 + sizeof(bytes), bytes };
	bool cut;

	for (uint64_t bp = 0; bp < 0x2000; bp += 4)
		walk(&s, (struct frame){ 12345, 0x1000, bp }, to, MOST, &cut);
	CHECK_INT(walk(&s, (struct frame){ 12345, 0x1000, ~0ull - 8 }, to, MOST,
			  &cut),
		0);
	CHECK(cut);
}

/* Returns how many frames above its caller's an object lies; -1: not found. */
static __attribute__((noinline)) int
depth_of(volatile const void *object)
{
	const uint64_t *f = __builtin_frame_address(0);
	uint64_t sp = (uint64_t)(uintptr_t)f;
	uint64_t address = (uint64_t)(uintptr_t)object;
	struct stack s = { sp, (uint64_t)(uintptr_t)__libc_stack_end + 8, f };
	struct walk_owner o;

	if (!walk_owner(
		    &s, (struct frame){ f[1] - 1, sp + 16, f[0] }, address, &o))
		return -1;
	CHECK(address < o.cfa);
	CHECK(o.depth == 0 || o.inner == 0 || address >= o.inner_cfa);
	return (int)o.depth;
}

static __attribute__((noinline)) int
from_callee(volatile char *object)
{
	volatile int depth;

	object[0]++;
	depth = depth_of(object);
	return depth;
}

TEST(finds_the_frame_of_an_object)
{
	volatile char mine[200];

	mine[0] = 0;
	CHECK_INT(depth_of(mine), 0);
	CHECK_INT(depth_of(mine + 199), 0);
	CHECK_INT(from_callee(mine), 1);
	CHECK_INT(depth_of(&nours), -1);
	CHECK_INT(depth_of((const char *)__libc_stack_end + 4096), -1);
}

TEST_MAIN(RUN(finds_the_frame_of_an_object), RUN(own_frames),
	RUN(frames_of_libraries), RUN(frames_with_odd_stacks),
	RUN(through_a_handler), RUN(nothing_outside_the_stack_is_read))
