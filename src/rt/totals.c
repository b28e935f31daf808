/* SPDX-License-Identifier: MIT */
#include "rt/totals.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rt/hwc.h"
#include "rt/say.h"
#include "rt/text.h"

enum { ROWS = 512, ALL = TOTALS_RUNTIME + 1 };

/* By the address of its text. */
struct total {
	const char *what;
	uint64_t n, value[WEFT_HWC_MAX];
};

static struct total totals[ALL][ROWS];

static const char *
wanted(void)
{
	static const char *to;

	if (!to)
		to = getenv("WEFT_COUNTERS_TOTALS");
	if (!to)
		to = "";
	return to;
}

/* The last one is for all that have no row. */
static struct total *
row_of(enum totals_of of, const char *what)
{
	size_t at = ((uintptr_t)what >> 3) % (ROWS - 1);

	for (size_t i = 0; i < ROWS - 1; i++) {
		struct total *t = &totals[of][(at + i) % (ROWS - 1)];
		const char *none = NULL;

		if (__atomic_compare_exchange_n(&t->what, &none, what, false,
			    __ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
			none == what)
			return t;
	}
	totals[of][ROWS - 1].what = "others";
	return &totals[of][ROWS - 1];
}

void
weft_rt_totals_add(
	enum totals_of of, const char *what, const uint64_t value[WEFT_HWC_MAX])
{
	struct total *t;

	if (wanted()[0] == '\0')
		return;
	t = row_of(of, what);
	__atomic_fetch_add(&t->n, 1, __ATOMIC_RELAXED);
	for (int i = 0; i < weft_hwc_count(); i++)
		__atomic_fetch_add(&t->value[i], value[i], __ATOMIC_RELAXED);
}

static int
by_text(const void *pa, const void *pb)
{
	const struct total *a = pa, *b = pb;

	if (!a->what || !b->what)
		return (a->what == NULL) - (b->what == NULL);
	return strcmp(a->what, b->what);
}

static void
put_table(struct text *o, const char *head, struct total *t)
{
	qsort(t, ROWS, sizeof(*t), by_text);
	weft_rt_text_printf(o, "%-32s %10s", head, "times");
	for (int i = 0; i < weft_hwc_count(); i++)
		weft_rt_text_printf(o, " %20s", weft_hwc_name(i));
	for (int k = 0; k < ROWS && t[k].what; k++) {
		weft_rt_text_printf(o, "\n%-32s %10llu", t[k].what,
			(unsigned long long)t[k].n);
		for (int i = 0; i < weft_hwc_count(); i++)
			weft_rt_text_printf(o, " %20llu",
				(unsigned long long)t[k].value[i]);
	}
	weft_rt_text_puts(o, "\n");
}

void
weft_rt_totals_say(void)
{
	char scratch[4096], temp[4096 + 8];
	struct text o = { .at = scratch, .room = sizeof(scratch) };
	const char *to = wanted();
	static bool is_said;

	if (is_said || weft_hwc_count() == 0 || to[0] == '\0' ||
		strlen(to) >= 4096)
		return;
	is_said = true;
	put_table(&o, "task type", totals[TOTALS_TASK]);
	put_table(&o, "runtime", totals[TOTALS_RUNTIME]);
	if (weft_rt_hwc_is_scaled())
		weft_rt_text_puts(&o,
			"values are scaled: the hardware has fewer "
			"counters\n");
	if (strcmp(to, "1") == 0)
		weft_rt_text_write(STDERR_FILENO, o.at, o.n);
	else if (o.failed || !weft_rt_text_save(o.at, o.n, to, temp))
		weft_rt_warn("WEFT_COUNTERS_TOTALS=%s:", to);
	weft_rt_text_free(&o);
}
