/* SPDX-License-Identifier: MIT */
#include "inproc/ctf/kernel_list.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "inproc/core/say.h"

/* clang-format off */
static const struct {
	const char *name, *points;
} presets[] = {
	{ "context_switch", "sched:sched_switch" },
	{ "preemption", "sched:sched_switch,irq:irq_handler_entry,"
	  "irq:irq_handler_exit,irq:softirq_entry,irq:softirq_exit" },
	{ "syscall", "sched:sched_switch,raw_syscalls:sys_enter,"
	  "raw_syscalls:sys_exit" },
};
/* clang-format on */

uint16_t
weft_rt_kernel_id(const struct kernel *k, uint16_t id, const uint8_t *raw)
{
	int64_t number;

	if (id != k->enter && id != k->exit)
		return id;
	memcpy(&number, raw + 8, 8);
	if (number < 0 || number >= KERNEL_CALLS ||
		!weft_rt_kernel_calls[number])
		return 0;
	return (uint16_t)((id == k->enter ? KERNEL_ENTER : KERNEL_EXIT) +
		number);
}

static void
remove_named(struct kernel *k, const char *name)
{
	for (int i = 0; i < k->npoints; i++)
		if (strcmp(k->point[i].name, name) == 0)
			k->point[i--] = k->point[--k->npoints];
}

static void
add_folder(struct kernel *k, const char *folder)
{
	struct tracepoint *t = &k->point[k->npoints];

	if (k->npoints == KERNEL_POINTS || !weft_tracepoint_read(t, folder))
		return;
	for (int i = 0; i < k->npoints; i++)
		if (k->point[i].id == t->id)
			return;
	if (strcmp(t->name, "sys_enter") == 0)
		k->enter = t->id;
	if (strcmp(t->name, "sys_exit") == 0)
		k->exit = t->id;
	k->npoints++;
}

/* Adds [SYSTEM:]NAME, which may contain *. */
static void
add_named(struct kernel *k, const char *name)
{
	const char *colon = strchr(name, ':');
	char pattern[512];
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%s/events/%.*s/%s",
		weft_tracepoint_root(), colon ? (int)(colon - name) : 1,
		colon ? name : "*", colon ? colon + 1 : name);
	if (glob(pattern, GLOB_NOSORT, NULL, &found) != 0) {
		weft_rt_warn(
			"WEFT_KERNEL: there is no tracepoint \"%s\"", name);
		return;
	}
	for (size_t i = 0; i < found.gl_pathc; i++)
		add_folder(k, found.gl_pathv[i]);
	globfree(&found);
}

static void
add_word(struct kernel *k, const char *word)
{
	if (word[0] == '-') {
		remove_named(k, word + 1);
		return;
	}
	for (size_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++)
		if (strcmp(word, presets[i].name) == 0) {
			weft_rt_kernel_list(k, presets[i].points);
			return;
		}
	add_named(k, word);
}

void
weft_rt_kernel_list(struct kernel *k, const char *words)
{
	char word[128];

	while (*words != '\0') {
		size_t n = strcspn(words, ", \t\n");

		snprintf(word, sizeof(word), "%.*s", (int)n, words);
		if (n > 0)
			add_word(k, word);
		words += n + (words[n] != '\0');
	}
}
