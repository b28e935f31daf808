/* SPDX-License-Identifier: MIT */
#include "inproc/core/config.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inproc/core/clock.h"
#include "inproc/core/say.h"
#include "inproc/core/unsaid.h"

struct config weft_rt_config = { .ring_bytes = 1 << 20, .has_writer = true };

static uint64_t
number_of(const char *name, uint64_t least, uint64_t most, uint64_t otherwise)
{
	const char *text = getenv(name);
	char *end, instead[32] = "no limit";
	unsigned long long n;

	if (!text || text[0] == '\0')
		return otherwise;
	errno = 0;
	n = strtoull(text, &end, 10);
	if (errno == 0 && *end == '\0' && text[0] >= '0' && text[0] <= '9' &&
		n >= least && n <= most)
		return n;
	if (otherwise >= least)
		snprintf(instead, sizeof(instead), "%llu",
			(unsigned long long)otherwise);
	weft_rt_warn("%s=%s is not a number from %llu to %llu, without a unit; "
		     "using %s",
		name, text, (unsigned long long)least, (unsigned long long)most,
		instead);
	return otherwise;
}

/* Returns the index of a variable's value in a list of words; 0 if it is not
 * set. */
static int
word_of(const char *name, const char *const words[], int n)
{
	const char *text = getenv(name);

	if (!text || text[0] == '\0')
		return 0;
	for (int i = 0; i < n; i++)
		if (strcmp(text, words[i]) == 0)
			return i;
	weft_rt_warn("%s=%s is not one of %s, %s%s%s; using %s", name, text,
		words[0], words[1], n > 2 ? ", " : "", n > 2 ? words[2] : "",
		words[0]);
	return 0;
}

void
weft_rt_config_read(void)
{
	static const char *const full[] = { "block", "drop", "overwrite" };
	static const char *const writer[] = { "thread", "inline" };
	static const char *const clock[] = { "tsc", "gettime" };
	struct config *c = &weft_rt_config;
	uint64_t want;

	weft_rt_unsaid_load();
	want = number_of("WEFT_RING_KB", 64, 4194304, 1024) << 10;

	for (c->ring_bytes = 65536; c->ring_bytes < want;)
		c->ring_bytes *= 2;
	c->max_bytes = number_of("WEFT_MAX_MB", 1, 1u << 30, 0) << 20;
	c->full = (enum when_full)word_of("WEFT_FULL", full, 3);
	c->is_lean = getenv("WEFT_COLLECT") != NULL;
	/* the first process of a PID namespace is often a sandbox that checks
	 * that it has a single thread: Chromium's */
	c->has_writer = word_of("WEFT_WRITER", writer, 2) == 0 &&
		!(c->is_lean && getpid() == 1);
	c->app = (int)number_of("WEFT_APP", 1, INT_MAX, 1);
	weft_rt_clock_load(word_of("WEFT_CLOCK", clock, 2) == 0);
}
