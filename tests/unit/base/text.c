/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <fnmatch.h>
#include <string.h>

#include "scratch.h"
#include "test.h"

/* Makes a text of few letters, so that needles match often. */
static void
make(char *to, const char *letters, uint64_t *seed)
{
	uint64_t n = scratch_random(seed) % 8;

	for (uint64_t i = 0; i < n; i++)
		to[i] = letters[scratch_random(seed) % strlen(letters)];
	to[n] = '\0';
}

TEST(fits_as_fnmatch_does)
{
	uint64_t seed = 3;
	int fitted = 0;

	for (int i = 0; i < 200000; i++) {
		char pattern[8], text[8];
		bool fits;

		make(pattern, "ab*?", &seed);
		make(text, "ab", &seed);
		fits = text_fits(pattern, text);
		CHECK(fits == (fnmatch(pattern, text, 0) == 0));
		fitted += fits;
	}
	CHECK(fitted > 1000);
}

TEST(brackets_stand_for_themselves)
{
	CHECK(text_fits("6W[", "6W["));
	CHECK(text_fits("6?]", "6C]"));
	CHECK(!text_fits("6[W]", "6W"));
}

TEST_MAIN(RUN(fits_as_fnmatch_does), RUN(brackets_stand_for_themselves))
