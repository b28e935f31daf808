/* SPDX-License-Identifier: MIT */
#include "cli/run/collect.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/log.h"
#include "cli/run/measure.h"

#define LIBRARY "libweft-collect.so"

static const char *const words[] = { "locks", "none" };

enum { WORDS = sizeof words / sizeof *words };

const char *
collect_words(struct arena *a)
{
	return arena_printf(a, "%s,%s", words[0], words[1]);
}

static bool
is_word(const char *text, size_t n)
{
	for (int i = 0; i < WORDS; i++)
		if (strlen(words[i]) == n && memcmp(words[i], text, n) == 0)
			return true;
	return false;
}

bool
collect_check(const char *list, struct err *err)
{
	for (const char *at = list; at != NULL && *at != '\0';) {
		size_t n = strcspn(at, ",");

		if (!is_word(at, n))
			return err_set(err, ERR_INPUT,
				"%.*s: there is no such collector; there are "
				"locks and none",
				(int)n, at);
		at += n + (at[n] == ',');
	}
	return true;
}

/* Returns true if the list has a collector; none takes back those before. */
static bool
has_any(const char *list)
{
	const char *last = list == NULL ? NULL : strrchr(list, ',');

	if (list == NULL || *list == '\0')
		return false;
	return strcmp(last == NULL ? list : last + 1, "none") != 0;
}

bool
collect_prepare(
	struct arena *a, const char *list, const char *program, struct err *err)
{
	const char *library, *before, *why;

	if (!has_any(list))
		return true;
	library = measure_library(a, LIBRARY);
	if (library == NULL)
		return err_set(err, ERR_INPUT,
			"%s is not beside weft: this build has no collectors, "
			"or weft was moved without its libraries",
			LIBRARY);
	why = measure_hindrance(a, program);
	if (why != NULL) {
		log_warning("%s %s: what its threads wait for is not recorded",
			program, why);
		return true;
	}
	measure_allow_second_place(a);
	before = getenv("LD_PRELOAD");
	setenv("LD_PRELOAD",
		before == NULL || *before == '\0'
			? library
			: arena_printf(a, "%s:%s", before, library),
		1);
	setenv("WEFT_COLLECT", list, 1);
	return true;
}
