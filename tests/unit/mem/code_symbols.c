/* SPDX-License-Identifier: MIT */
#include "mem/structure/code_symbols.h"

#include <stdlib.h>

#include "base/arena.h"
#include "test.h"

enum { MOST = 40, SPACE = 200, ROUNDS = 2000 };

/* Computes the result that the header promises by looking at each symbol. */
static const char *
slow_at(const struct code_symbol *s, int n, uint64_t address)
{
	const struct code_symbol *best = NULL, *near = NULL;

	for (int i = 0; i < n; i++) {
		if (s[i].address > address)
			continue;
		if (s[i].end > address &&
			(best == NULL || s[i].address > best->address))
			best = &s[i];
		if (near == NULL || s[i].address > near->address)
			near = &s[i];
	}
	if (best != NULL)
		return best->name;
	return near != NULL && near->end == near->address ? near->name : NULL;
}

/* Makes symbols with distinct addresses in a random order. Returns their
 * number. */
static int
some(struct code_symbol *s, char names[][4])
{
	bool used[SPACE] = { false };
	int n = rand() % MOST;

	for (int i = 0; i < n; i++) {
		unsigned at;

		do
			at = (unsigned)rand() % SPACE;
		while (used[at]);
		used[at] = true;
		names[i][0] = (char)('a' + i % 26);
		names[i][1] = (char)('a' + i / 26);
		names[i][2] = '\0';
		s[i] = (struct code_symbol){ .address = at,
			.end = at + (unsigned)(rand() % 4 * (rand() % 20)),
			.name = names[i] };
	}
	return n;
}

TEST(finds_what_a_look_at_each_symbol_finds)
{
	for (int round = 0; round < ROUNDS; round++) {
		struct code_symbol s[MOST];
		char names[MOST][4];
		struct code_symbols f = { 0 };
		struct arena a = { 0 };
		int n = some(s, names);

		for (int i = 0; i < n; i++)
			code_symbols_add(&f, &a, &s[i]);
		code_symbols_sort(&f);
		for (unsigned at = 0; at < SPACE + 80; at++) {
			const struct code_symbol *got = code_symbols_at(&f, at);

			CHECK(slow_at(s, n, at) ==
				(got == NULL ? NULL : got->name));
		}
		arena_fini(&a);
	}
}

TEST(of_one_address_the_best_name_counts)
{
	struct code_symbols f = { 0 };
	struct arena a = { 0 };

	code_symbols_add(&f, &a,
		&(struct code_symbol){
			.address = 8, .end = 20, .name = "_f", .rank = 2 });
	code_symbols_add(&f, &a,
		&(struct code_symbol){
			.address = 8, .end = 20, .name = "f", .rank = 1 });
	code_symbols_sort(&f);
	CHECK_STR(code_symbols_at(&f, 9)->name, "f");
	arena_fini(&a);
}

TEST_MAIN(RUN(finds_what_a_look_at_each_symbol_finds),
	RUN(of_one_address_the_best_name_counts))
