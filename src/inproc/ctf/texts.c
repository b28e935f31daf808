/* SPDX-License-Identifier: MIT */
/* weft_ctf_ev_texts: CTF events with texts. */
#include <string.h>

#include "inproc/ctf/ctf.h"

/* The texts, then the bytes of other fields. */
struct parts {
	const char *const *texts;
	int ntexts;
	uint64_t len[CTF_FIELDS]; /* lengths of the texts, without their NUL */
	const void *data;
	uint64_t n;
	uint64_t size; /* bytes of all fields */
};

static void
measure(struct parts *p)
{
	p->size = p->n;
	for (int i = 0; i < p->ntexts; i++) {
		p->len[i] = strnlen(p->texts[i], CTF_TEXT - 1);
		p->size += p->len[i] + 1;
	}
}

static void
put_parts(unsigned char *to, const struct parts *p)
{
	for (int i = 0; i < p->ntexts; i++) {
		memcpy(to, p->texts[i], p->len[i]);
		to += p->len[i];
		*to++ = '\0';
	}
	if (p->n > 0)
		memcpy(to, p->data, p->n);
}

/* Emits an event that has counters: weft_ctf_data() needs all its fields in one
 * piece. */
__attribute__((noinline)) static void
put_counted(const struct weft_ctf_event *e, const struct parts *p)
{
	unsigned char all[CTF_FIELDS * CTF_TEXT];

	put_parts(all, p);
	weft_ctf_data(e, all, p->size);
}

/* Writes directly into the ring: a handler's stack has no room for texts. */
static void
put(const struct weft_ctf_event *e, const struct parts *p)
{
	struct weft_ctf_ring *r = weft_ctf_self;
	uint8_t id = __atomic_load_n(&e->id, __ATOMIC_ACQUIRE);
	uint64_t pos, most = WEFT_CTF_HEAD + 4 + p->size;

	if (id == 0)
		return;
	if (r->ring.res + most > weft_rt_ring_limit(&r->ring)) {
		if (!weft_ctf_room(most, WEFT_CTF_LAYOUT))
			return;
		r = weft_ctf_self;
	}
	put_parts(weft_ctf_head(r, id, p->size, &pos), p);
	weft_publish(&r->ring, pos);
}

void
weft_ctf_ev_texts(const struct weft_ctf_tracepoint *p, const char *const *texts,
	int ntexts, const void *data, uint64_t n)
{
	const struct weft_ctf_event *e = &p->event[0];
	struct parts parts = {
		.texts = texts, .ntexts = ntexts, .data = data, .n = n
	};

	if (e->own == 0 || !weft_rt_ctf_is_on())
		return;
	weft_rt_ctf_check_texts(&weft_rt_ctf->event[e->own], ntexts, n);
	measure(&parts);
	if (e->counters & weft_ctf_self->counters)
		put_counted(e, &parts);
	else
		put(e, &parts);
}
