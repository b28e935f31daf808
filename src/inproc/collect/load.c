/* SPDX-License-Identifier: MIT */
/*
 * load.c - reads which waits to record, when the library is loaded.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "inproc/collect/call.h"
#include "inproc/collect/callers.h"
#include "inproc/collect/confine.h"
#include "inproc/collect/fd.h"
#include "inproc/collect/objects.h"
#include "inproc/collect/openmp.h"
#include "inproc/collect/real.h"
#include "inproc/collect/tell.h"
#include "inproc/collect/thread_memory.h"
#include "inproc/collect/wait.h"
#include "inproc/core/guest.h"
#include "inproc/core/sanitized.h"

/* The hooks that the recorder calls. On another stack, a thread is busy until
 * it leaves that: addresses there cannot be compared with its stack's. */
static uintptr_t
enter(void)
{
	uintptr_t before = collect_self.stack;

	collect_self.busy++;
	collect_self.stack = UINTPTR_MAX;
	return before;
}

static void
leave(uintptr_t before)
{
	collect_self.stack = before;
	collect_self.busy--;
}

static void
quiet(void)
{
	collect_begin();
	enter();
}

static bool
is_inside(void)
{
	return collect_self.busy > collect_self.is_unborn;
}

static bool
is_confined(void)
{
	return (collect_self.is_confined && !collect_self.is_lent) ||
		(collect_self.is_unborn &&
			__atomic_load_n(&collect_nconfined, __ATOMIC_RELAXED) !=
				0);
}

static uint64_t
began(void)
{
	return call_counts.began;
}

WRAPPER extern const struct guest weft_guest;
const struct guest weft_guest = { .load = call_take_host,
	.is_inside = is_inside,
	.is_confined = is_confined,
	.quiet = quiet,
	.enter = enter,
	.leave = leave,
	.began = began,
	.losses = &collect_losses };

/* Returns the list after a word, at the end of the word or at its '@', or NULL
 * if the word is not in the list, which has commas. */
static const char *
find_word(const char *list, const char *word)
{
	size_t n = strlen(word);

	while (list != NULL && *list != '\0') {
		size_t len = strcspn(list, ",");

		if (strcspn(list, ",@") == n && strncmp(list, word, n) == 0)
			return list + n;
		list += len + (list[len] != '\0');
	}
	return NULL;
}

/* Reads the collectors from the environment. weft run has checked the list. */
static unsigned
read_words(const char *list)
{
	static const struct {
		const char *word;
		unsigned does;
	} words[] = { { "locks", LOCKS }, { "io", IO }, { "sleep", SLEEP },
		{ "openmp", OPENMP }, { "openmp:chunks", OPENMP | CHUNKS } };
	unsigned has = 0;
	const char *io = find_word(list, "io");

	/* only what the models of the ovni tools have */
	if (find_word(list, "compat") != NULL)
		return OPENMP;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (find_word(list, words[i].word) != NULL)
			has |= words[i].does;
	if (io != NULL && *io == '@')
		collect_io_ns = strtoull(io + 1, NULL, 10);
	return has;
}

void
collect_load(void)
{
	unsigned has = read_words(getenv("WEFT_COLLECT"));
	static bool is_loaded;

	if (is_loaded)
		return;
	is_loaded = true;
	collect_begin();
	real_find(NULL);
	real_find_entries(); /* also for children, which must not search */
	if (has == 0 || is_sanitized() || !objects_init() || !fd_init())
		return;
	if ((has & OPENMP) != 0 && !omp_init())
		return;
	memory_load();
	if (!call_load())
		return;
	callers_load();
	tell_load();
	confine_load();
	collect_has = has;
}

static __attribute__((constructor)) void
load(void)
{
	collect_load();
}
