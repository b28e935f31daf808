/* SPDX-License-Identifier: MIT */
#include "trace/ctf/tail.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "inproc/ctf/wire.h"
#include "trace/ctf/stream.h"
#include "trace/finding.h"
#include "trace/ring_tail.h"

#define WINDOW 65536
#define TRIES 100 /* attempts, while a process writes its ring to the file */

/* How much of the stream its file holds. */
struct written {
	int64_t bytes;     /* bytes of whole packets */
	uint64_t position; /* position in the ring of the bytes that follow */
	struct ctfwire_head head;
};

static bool
read_head(int fd, int64_t at, int64_t size, struct ctfwire_head *h)
{
	uint64_t bytes;

	if (file_pread(fd, h, sizeof *h, at) != (int64_t)sizeof *h ||
		h->magic != CTFWIRE_MAGIC)
		return false;
	bytes = h->packet_bits / 8;
	return bytes >= sizeof *h && bytes <= (uint64_t)(size - at);
}

static bool
measure(const char *file, struct written *w)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct ctfwire_head h;
	struct stat st;

	*w = (struct written){ 0 };
	if (fd < 0)
		return false;
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		st.st_size = 0;
	while (read_head(fd, w->bytes, st.st_size, &h)) {
		w->head = h;
		w->bytes += (int64_t)(h.packet_bits / 8);
		w->position += h.packet_bits / 8 - sizeof h;
	}
	close(fd);
	return w->bytes > 0;
}

/* Returns the path of the ring's file: the path that its writer stored or, if
 * the trace was moved, the path beside the trace. */
static const char *
find_ring(struct arena *a, const char *mark, const char *file)
{
	const char *moved = arena_printf(a, "%s/%s",
		file_parent(a, file_parent(a, mark)), file_name(file));

	return file_is_regular(file) || !file_is_regular(moved)
		? arena_strdup(a, file)
		: moved;
}

static uint64_t
lost(const struct ringfile *page)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < page->nlost; i++)
		n += page->lost[i].count;
	return n;
}

/* Puts everything in one packet; split() may divide it later. */
static void
make_packet(struct ctf_tail *t, uint8_t *data, const struct written *w,
	const struct ringfile *page)
{
	struct ctfwire_head h = w->head;

	h.packet_bits = h.content_bits = 8 * (uint64_t)t->n;
	h.begin = h.end;
	memcpy(data, &h, sizeof h);
	t->at = data;
	*t->page = *page;
}

/* Copies the ring's bytes. Returns false if the recorder has moved on: try
 * again. */
static bool
take(struct ctf_tail *t, struct arena *a, const struct ring_tail *r,
	const struct ringfile *page, const struct written *w)
{
	size_t n = (size_t)(r->end - r->begin);
	uint8_t *data;

	t->n = 0;
	if (n == 0 && lost(page) == w->head.discarded)
		return true;
	data = arena_alloc(a, sizeof w->head + n);
	if (ring_read(r, data + sizeof w->head, n, r->begin) != (int64_t)n)
		return false;
	t->n = sizeof w->head + n;
	make_packet(t, data, w, page);
	return true;
}

static bool
snapshot(struct ctf_tail *t, struct arena *a, const char *file, uint64_t id,
	char why[RING_WHY])
{
	struct ringfile page;
	struct written w;
	struct ring_tail r;

	snprintf(why, RING_WHY, "it is being written out");
	for (int i = 0; i < TRIES; i++) {
		if (!ring_open(&r, t->ring, id, &page, why))
			return false;
		if (!measure(file, &w)) {
			snprintf(why, RING_WHY, "the stream has no packet");
			return false;
		}
		t->begin = w.bytes;
		t->live = r.live;
		if (ring_fit(&r, &page, w.bytes, w.position, why) &&
			take(t, a, &r, &page, &w))
			return true;
		if (!r.live)
			return false;
	}
	return false;
}

static void
note(struct findings *fs, const char *file, const char *text)
{
	finding_add(fs,
		(struct finding){ .severity = FINDING_NOTE,
			.file = file,
			.offset = FINDING_NOWHERE,
			.time = FINDING_NEVER },
		"%s", text);
}

static const char whole_copy[] =
	"other readers, such as babeltrace2, do not see these bytes: weft "
	"check --repair writes a complete copy for them";

static struct ctf_tail *
open_tail(struct arena *a, struct ctf_tail *t, const char *file,
	struct json_object *doc, struct findings *fs)
{
	const char *ring = json_str(json_get(doc, "weft.ring.file"));
	const char *id = json_str(json_get(doc, "weft.ring.id"));
	char why[RING_WHY];

	if (ring == NULL || id == NULL) {
		note(fs, file,
			"the stream is incomplete, and its ring was in memory "
			"only: the events in the ring are lost");
		return NULL;
	}
	t->ring = find_ring(a, t->mark, ring);
	if (!snapshot(t, a, file, strtoull(id, NULL, 16), why)) {
		note(fs, file,
			arena_printf(a,
				"the ring %s is not used: %s: events that were "
				"not yet in the stream are lost, how many is "
				"not known",
				t->ring, why));
		return NULL;
	}
	if (t->n > 0)
		t->bytes = t->n - sizeof(struct ctfwire_head);
	if (t->bytes > 0)
		finding_add(fs,
			(struct finding){ .severity = FINDING_NOTE,
				.file = file,
				.advice = t->live ? NULL : whole_copy,
				.offset = FINDING_NOWHERE,
				.time = FINDING_NEVER },
			"%" PRIu64 " bytes of the stream are read from its "
			"ring",
			t->bytes);
	return t;
}

/* Divides the tail into packets, so that losses are reported between the right
 * events. */
struct split {
	struct ctfwire_head head; /* head of the packet being written */
	const struct ringfile *page;
	uint64_t start;    /* clock value at which the stream's times begin */
	const uint8_t *in; /* the events */
	uint64_t from;     /* offset of the first event not yet in a packet */
	uint8_t *out;
	size_t n;
};

/* Returns how many events were lost before a time of the stream; never less
 * than the previous packet says. */
static uint64_t
lost_before(const struct split *p, uint64_t time)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < p->page->nlost; i++)
		if (p->page->lost[i].from < time + p->start)
			n += p->page->lost[i].count;
	return n > p->head.discarded ? n : p->head.discarded;
}

static void
end_packet(struct split *p, uint64_t to)
{
	uint64_t n = to - p->from;

	p->head.packet_bits = p->head.content_bits = 8 * (sizeof p->head + n);
	memcpy(p->out + p->n, &p->head, sizeof p->head);
	memcpy(p->out + p->n + sizeof p->head, p->in + p->from, n);
	p->n += sizeof p->head + n;
	p->from = to;
}

static void
begin_packet(struct split *p, uint64_t time)
{
	p->head.discarded = lost_before(p, time);
	p->head.begin = time;
}

/* Adds an empty packet that reports the losses after the last event. */
static void
end_stream(struct split *p)
{
	uint64_t all = lost(p->page), last = p->head.end + p->start;

	for (uint32_t i = 0; i < p->page->nlost; i++)
		if (p->page->lost[i].to > last)
			last = p->page->lost[i].to;
	if (all <= p->head.discarded)
		return;
	p->head.begin = p->head.end = last - p->start;
	p->head.discarded = all;
	end_packet(p, p->from);
}

static void
split_events(struct split *p, struct ctf_stream *s, const struct ctf_tail *t)
{
	const int64_t begin = t->begin + (int64_t)sizeof p->head;
	bool any = false;

	while (ctf_stream_next(s)) {
		uint64_t time = s->cursor.clock;

		if (!any) {
			begin_packet(p, time);
		} else if (lost_before(p, time) > p->head.discarded) {
			end_packet(p,
				(uint64_t)(s->base + (int64_t)(s->begin / 8) -
					begin));
			begin_packet(p, time);
		}
		any = true;
		p->head.end = time;
	}
	if (t->bytes > 0)
		end_packet(p, t->bytes);
}

static uint64_t
start_of(const struct ctf_meta *m)
{
	for (int i = 0; i < m->env.n; i++)
		if (strcmp(m->env.at[i].name, "start_ts") == 0)
			return (uint64_t)m->env.at[i].number;
	return 0;
}

static void
split(struct arena *all, struct ctf_tail *t, const struct ctf_stream *of,
	const char *file)
{
	struct findings quiet;
	struct arena a = { 0 };
	struct ctf_stream s = { .layout = of->layout,
		.meta = of->meta,
		.findings = &quiet,
		.tail = t,
		.next = t->begin };
	struct split p = { .page = t->page,
		.start = start_of(of->meta),
		.in = t->at + sizeof p.head };

	memcpy(&p.head, t->at, sizeof p.head);
	p.out = arena_alloc(
		all, t->bytes + (RINGFILE_LOST + 2) * sizeof p.head);
	findings_init(&quiet, &a, 0);
	if (ctf_stream_open(&s, file, WINDOW, true)) {
		split_events(&p, &s, t);
		ctf_stream_close(&s);
	}
	arena_fini(&a);
	end_stream(&p);
	t->at = p.out;
	t->n = p.n;
}

/* Allocates with an alignment that is larger than the arena's. */
static struct ringfile *
new_page(struct arena *a)
{
	const size_t align = _Alignof(struct ringfile);
	char *at = arena_alloc(a, sizeof(struct ringfile) + align);

	return (struct ringfile *)(void *)(at + align - (uintptr_t)at % align);
}

struct ctf_tail *
ctf_tail_open(struct arena *a, const struct ctf_stream *s, const char *file,
	struct findings *fs)
{
	struct ctf_tail *t = ARENA_NEW(a, struct ctf_tail);
	struct json_object *doc;
	struct err err = { 0 };

	t->page = new_page(a);
	t->mark = arena_printf(
		a, "%s/.%s.ring", file_parent(a, file), file_name(file));
	if (!file_is_regular(t->mark))
		return NULL;
	doc = json_read(a, t->mark, &err);
	if (doc == NULL) {
		note(fs, t->mark, err.text);
		return NULL;
	}
	t = open_tail(a, t, file, doc, fs);
	json_close(doc);
	if (t != NULL && t->n > 0)
		split(a, t, s, file);
	return t;
}
