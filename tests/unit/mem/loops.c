/* SPDX-License-Identifier: MIT */
#include "mem/structure/loops.h"

#include "base/arena.h"
#include "test.h"

/* Code at address 0x100, and the loops in it: first byte, end. */
static const struct {
	const char *name;
	uint8_t code[24];
	size_t size;
	struct {
		uint64_t lo, hi;
	} loop[2];
} functions[] = {
	{ "no loop", { 0x90, 0xc3 }, 2, { { 0 } } },
	/* 100 nop; 101 dec eax; 103 jnz 100; 105 ret */
	{ "condition at the end", { 0x90, 0xff, 0xc8, 0x75, 0xfb, 0xc3 }, 6,
		{ { 0x100, 0x105 } } },
	/* 100 jmp 103; 102 nop; 103 dec eax; 105 jnz 102; 107 ret */
	{ "starts with the condition",
		{ 0xeb, 0x01, 0x90, 0xff, 0xc8, 0x75, 0xfb, 0xc3 }, 8,
		{ { 0x102, 0x107 } } },
	/* 100 dec ecx; 102 dec eax; 104 jnz 102; 106 jecxz 100; 108 ret */
	{ "a loop in a loop",
		{ 0xff, 0xc9, 0xff, 0xc8, 0x75, 0xfc, 0xe3, 0xf8, 0xc3 }, 9,
		{ { 0x100, 0x108 }, { 0x102, 0x106 } } },
	/* 100 jz 104; 102 nop; 103 ret; 104 nop; 105 jmp 102 */
	{ "code out of the way", { 0x74, 0x02, 0x90, 0xc3, 0x90, 0xeb, 0xfb },
		7, { { 0 } } },
	/* 100 jmp 100 */
	{ "endless", { 0xeb, 0xfe }, 2, { { 0x100, 0x102 } } },
	{ "no instruction", { 0x06, 0x07 }, 2, { { 0 } } },
};

TEST(finds_loops)
{
	for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
		struct arena a = { 0 };
		struct loops found = { 0 };
		int n = 0;

		loops_find(&found, &a, functions[i].code, 0x100,
			functions[i].size);
		if (found.list.n == 0 && functions[i].loop[0].lo != 0 &&
			!HAVE_ZYDIS)
			continue;
		for (; n < 2 && functions[i].loop[n].lo != 0; n++) {
			CHECK(found.list.n > n);
			if (found.list.n <= n)
				break;
			CHECK_INT(found.list.at[n].lo, functions[i].loop[n].lo);
			CHECK_INT(found.list.at[n].hi, functions[i].loop[n].hi);
		}
		if (found.list.n != n)
			printf("# %s\n", functions[i].name);
		CHECK_INT(found.list.n, n);
		arena_fini(&a);
	}
}

TEST_MAIN(RUN(finds_loops))
