/* SPDX-License-Identifier: MIT */
#include "cli/trace/same_input.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/arena.h"
#include "base/compare.h"
#include "base/file.h"
#include "base/hash.h"
#include "trace/relate.h"
#include "trace/trace.h"

/* Bytes that are compared: of a stream's file, and of a file with all streams,
 * which begins with a header. */
#define BEGIN 256
#define BEGIN_OF_ALL 4096
#define LEAST 17 /* bytes of the shortest file that has an event */
#define UUID 16  /* bytes of the id of a CTF trace */

static uint64_t
mix_text(uint64_t hash, const char *text)
{
	return text == NULL ? hash_mix(hash, 1)
			    : hash_mix(hash, XXH3_64bits(text, strlen(text)));
}

static uint64_t
mix_node(uint64_t hash, const struct trace_node *n)
{
	return mix_text(mix_text(hash, n->name), n->boot);
}

static uint64_t
mix_thread(uint64_t hash, const struct trace *t, int thread)
{
	const struct trace_process *p =
		&t->processes.at[t->threads.at[thread].process];

	hash = mix_node(hash, &t->nodes.at[p->node]);
	hash = hash_mix(hash, (uint64_t)p->pid);
	return hash_mix(hash, (uint64_t)t->threads.at[thread].tid);
}

static uint64_t
mix_part(uint64_t hash, const struct trace *t, const struct trace_part *p)
{
	if (p->node != TRACE_NONE)
		hash = mix_node(hash, &t->nodes.at[p->node]);
	return p->uuid == NULL ? hash
			       : hash_mix(hash, XXH3_64bits(p->uuid, UUID));
}

/* Returns false if the stream has no file with an event. */
static bool
key_of(const struct trace *t, const struct stream *s, uint64_t *key)
{
	char begin[BEGIN_OF_ALL];
	int fd = open(s->file, O_RDONLY | O_CLOEXEC);
	bool is_all = strcmp(s->file, t->path) == 0;
	int64_t n = fd < 0
		? -1
		: file_pread(fd, begin, is_all ? sizeof begin : BEGIN, 0);

	if (fd >= 0)
		close(fd);
	if (n < LEAST)
		return false;
	*key = XXH3_64bits(begin, (size_t)n);
	if (s->thread != TRACE_NONE)
		*key = mix_thread(*key, t, s->thread);
	if (s->part != NULL)
		*key = mix_part(*key, t, s->part);
	return true;
}

static int
by_key(const void *pa, const void *pb)
{
	const uint64_t *a = pa, *b = pb;

	COMPARE(*a, *b);
	return 0;
}

void
same_input_list(struct arena *a, const struct trace *t, struct same_input *to)
{
	uint64_t key;

	to->trace = t;
	if (relate_is_simulated(t))
		return;
	for (int i = 0; i < t->streams.n; i++)
		if (key_of(t, &t->streams.at[i], &key))
			VEC_PUSH(&to->key, a, key);
	if (to->key.n > 0)
		qsort(to->key.at, (size_t)to->key.n, sizeof key, by_key);
}

int
same_input_count(const struct same_input *a, const struct same_input *b)
{
	int n = 0;

	for (int i = 0, k = 0; i < a->key.n && k < b->key.n;) {
		uint64_t x = a->key.at[i], y = b->key.at[k];

		n += x == y;
		i += x <= y;
		k += y <= x;
	}
	return n;
}

static bool
has_uuid(const struct trace *t, const uint8_t *uuid)
{
	for (int i = 0; i < t->parts.n; i++)
		if (t->parts.at[i]->uuid != NULL &&
			memcmp(t->parts.at[i]->uuid, uuid, UUID) == 0)
			return true;
	return false;
}

bool
same_input_is_part(const struct same_input *a, const struct same_input *b)
{
	for (int i = 0;
		a->trace != NULL && b->trace != NULL && i < a->trace->parts.n;
		i++)
		if (a->trace->parts.at[i]->uuid != NULL &&
			has_uuid(b->trace, a->trace->parts.at[i]->uuid))
			return true;
	return false;
}

static bool
is_same_path(const char *a, const char *b)
{
	char x[PATH_MAX], y[PATH_MAX];

	return realpath(a, x) != NULL && realpath(b, y) != NULL &&
		strcmp(x, y) == 0;
}

/* Returns true if the input shows nothing that `of` does not show. */
static bool
is_copy(const struct same_input *input, const struct same_input *of)
{
	int n = same_input_count(input, of);

	if (is_same_path(input->path, of->path))
		return of < input;
	if (n == 0 || n < input->key.n)
		return false;
	if (of->key.n > n || of->size > input->size)
		return true;
	return of->size == input->size && of < input;
}

const struct same_input *
same_input_whole(
	const struct same_input *all, int n, const struct same_input *input)
{
	for (int i = 0; i < n; i++)
		if (&all[i] != input && all[i].trace != NULL &&
			is_copy(input, &all[i]))
			return &all[i];
	return NULL;
}
