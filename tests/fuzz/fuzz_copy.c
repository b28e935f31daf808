/* SPDX-License-Identifier: MIT */
/* The input is metadata of CTF up to its first NUL, and after it a stream. The
 * trace is written as CTF 1.8 and as CTF 2, and the copies are read; one that
 * was made of a trace of ovni is that trace again. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/bug.h"
#include "harness.h"
#include "trace/ctf_out/ctf_out.h"
#include "trace/finding.h"
#include "trace/source.h"

#define EVENTS_MAX 2000

static void
describe(struct writer *w, const struct trace *t, bool known[], uint32_t class)
{
	if (class >= EVENTS_MAX || !known[class])
		writer_class(w, class,
			&(struct writer_class){
				.name = t->classes.at[class].name });
	if (class < EVENTS_MAX)
		known[class] = true;
}

/* Writes the events of the source. */
static void
write_all(struct source *s, struct writer *w)
{
	struct trace *t = &s->trace;
	bool known[EVENTS_MAX] = { false };
	struct event ev;

	for (int i = 0; i < EVENTS_MAX; i++) {
		if (source_next(s, &ev) == SOURCE_END)
			break;
		describe(w, t, known, ev.class);
		writer_event(w, &ev);
	}
	for (int i = 0; i < t->streams.n; i++)
		for (int j = 0; j < t->streams.at[i].lost.n; j++)
			writer_gap(
				w, (uint32_t)i, &t->streams.at[i].lost.at[j]);
}

static void
copy(const char *path, const struct writer_ops *ops, const char *to)
{
	struct source_options options = { 0 };
	struct arena a = { 0 };
	struct findings fs;
	struct err err = { 0 };
	struct source *s;
	struct writer *w;

	findings_init(&fs, &a, 100);
	s = sources_open(&a, path, &options, &fs, &err);
	if (s != NULL) {
		struct writer_setup setup = { to, &s->trace, "0", false };

		w = ops == NULL ? NULL : ops->open(&a, &setup, &err);
		BUG_ON(ops != NULL && w == NULL && err.kind == ERR_NONE);
		if (w != NULL) {
			write_all(s, w);
			writer_close(w, &err);
		}
		source_close(s);
	}
	arena_fini(&a);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct harness h;
	size_t n = size == 0 ? 0 : strnlen((const char *)data, size);
	size_t begin = n < size ? n + 1 : size;
	char path[80], one[96], two[96];

	harness_write(&h, "ctf/metadata", data, n);
	harness_write(&h, "ctf/stream-0", data + begin, size - begin);
	snprintf(path, sizeof path, "%s/ctf", h.dir);
	snprintf(one, sizeof one, "%s/a.ctf", h.dir);
	snprintf(two, sizeof two, "%s/a.ctf2", h.dir);
	copy(path, &writer_ctf, one);
	copy(one, &writer_ctf2, two);
	copy(two, NULL, NULL);
	harness_remove(one);
	harness_remove(two);
	return 0;
}
