/* SPDX-License-Identifier: MIT */
#include "inproc/ctf/totals.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inproc/core/assert.h"
#include "inproc/core/say.h"
#include "inproc/core/text.h"
#include "inproc/core/wiped.h"
#include "inproc/ctf/ctf.h"

enum { ROWS = 512, ALL = TOTALS_RUNTIME + 1 };

/* Found by the address of its text. */
struct total {
	const char *what;
	uint64_t n, value[WEFT_HWC_MAX];
};

/* The sums of a thread, so that threads share no cache line; after the thread's
 * end another thread continues with them. In pages that a fork wipes. */
struct totals {
	bool is_used;        /* atomic; the thread that sets it owns the
	                      * table */
	struct totals *next; /* set when it is made */
	/* Written by the owner; atomic, because the exit reads them. */
	struct total row[ALL][ROWS];
};

bool weft_rt_totals_wanted;
static const char *to;
static __thread struct totals *mine;

void
weft_rt_totals_start(void)
{
	to = getenv("WEFT_COUNTERS_TOTALS");
	weft_rt_totals_wanted =
		to && to[0] != '\0' && weft_rt_ctf->ncounters > 0;
}

static bool
take(struct totals *t)
{
	bool is_used = false;

	return __atomic_compare_exchange_n(&t->is_used, &is_used, true, false,
		__ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static struct totals *
begin(void)
{
	struct totals **head = &weft_rt_ctf->totals;
	struct totals *t = __atomic_load_n(head, __ATOMIC_ACQUIRE);

	while (t && !take(t))
		t = t->next;
	if (t)
		return t;
	t = wiped_map(sizeof(*t), 0);
	if (!t)
		return NULL;
	t->is_used = true;
	t->next = __atomic_load_n(head, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(
		head, &t->next, t, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	return t;
}

void
weft_rt_totals_thread_end(void)
{
	WEFT_ASSERT(totals_are_given_back_once, !mine || mine->is_used);
	if (mine)
		__atomic_store_n(&mine->is_used, false, __ATOMIC_RELEASE);
	mine = NULL;
}

/* Returns the entry for a text; the last one is for texts that found no
 * entry. */
static struct total *
row_of(struct total rows[ROWS], const char *what)
{
	size_t at = ((uintptr_t)what >> 3) % (ROWS - 1);

	for (size_t i = 0; i < ROWS - 1; i++) {
		struct total *t = &rows[(at + i) % (ROWS - 1)];

		if (!t->what)
			__atomic_store_n(&t->what, what, __ATOMIC_RELAXED);
		if (t->what == what)
			return t;
	}
	rows[ROWS - 1].what = "others";
	return &rows[ROWS - 1];
}

/* Adds; only the owner writes, but the exit may read. */
static void
add(uint64_t *sum, uint64_t value)
{
	__atomic_store_n(sum, *sum + value, __ATOMIC_RELAXED);
}

void
weft_rt_totals_add(enum totals_of of, const char *what, struct hwc_values v)
{
	struct total *t;

	if (!mine || !__atomic_load_n(&mine->is_used, __ATOMIC_RELAXED))
		mine = begin();
	if (!mine)
		return;
	t = row_of(mine->row[of], what);
	add(&t->n, 1);
	for (int i = 0; i < weft_rt_ctf->ncounters; i++)
		add(&t->value[i], v.now[i] - v.last[i]);
}

/* Sums the totals of all threads, by text. */
static void
sum_up(enum totals_of of, struct total all[ROWS])
{
	const struct totals *t =
		__atomic_load_n(&weft_rt_ctf->totals, __ATOMIC_ACQUIRE);

	for (; t; t = t->next)
		for (int k = 0; k < ROWS; k++) {
			const struct total *from = &t->row[of][k];
			const char *what =
				__atomic_load_n(&from->what, __ATOMIC_RELAXED);
			struct total *sum = what ? row_of(all, what) : NULL;

			for (int i = 0; sum && i < WEFT_HWC_MAX; i++)
				sum->value[i] += __atomic_load_n(
					&from->value[i], __ATOMIC_RELAXED);
			if (sum)
				sum->n += __atomic_load_n(
					&from->n, __ATOMIC_RELAXED);
		}
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
put_table(struct text *o, const char *head, enum totals_of of)
{
	static struct total all[ALL][ROWS];
	struct total *t = all[of];

	sum_up(of, t);
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

/* Adds the scaled counters to a file; on a terminal weft_rt_hwc_say_scaled()
 * prints them. */
static void
put_scaled(struct text *o)
{
	struct hwc_scaled s = weft_rt_hwc_scaled();

	if (s.names[0] != '\0' && strcmp(to, "1") != 0)
		weft_rt_text_printf(o, "scaled from %.1f %% of the time: %s\n",
			s.ran, s.names);
}

void
weft_rt_totals_say(void)
{
	char scratch[4096], temp[4096 + 8];
	struct text o = { .at = scratch, .room = sizeof(scratch) };
	static bool is_said;

	if (is_said || !weft_rt_totals_wanted || strlen(to) >= 4096)
		return;
	is_said = true;
	put_table(&o, "task type", TOTALS_TASK);
	put_table(&o, "runtime", TOTALS_RUNTIME);
	put_scaled(&o);
	if (strcmp(to, "1") == 0)
		weft_rt_text_write(STDERR_FILENO, o.at, o.n);
	else if (o.failed || !weft_rt_text_save(o.at, o.n, to, temp))
		weft_rt_warn("WEFT_COUNTERS_TOTALS=%s:", to);
	weft_rt_text_free(&o);
}
