/* SPDX-License-Identifier: MIT */
#include "export/index/column.h"

#include <string.h>

#include "export/index/format.h"

#define MORE 0x80

/* The classes of a column and their quanta. */
struct portion {
	uint8_t class;
	int quanta;
};

#define LIFT 8 /* bits: the quanta of a column have as many */

/*
 * A division takes much longer than a product. With t = time << LIFT, w = whole
 * << LIFT and 2^n for 2^(64 + shift), factor is q * 2^n / w + e, 0 < e <= 1. So
 * t * factor / 2^n exceeds t * q / w by at most t / 2^n, which is less than 1 /
 * w and cannot reach the next integer: w * w is below 2^n for a whole below
 * 2^46. As q is below 1 << LIFT, factor has at most 64 bits.
 */
void
column_scale(struct column_scale *s, int q, index_wide whole)
{
	index_uwide product;

	s->q = q;
	s->least = 0;
	s->whole = whole;
	s->most = 0;
	if (q >> LIFT != 0 || whole >> 46 != 0)
		return;
	s->most = (uint64_t)whole;
	s->shift = 63 - (unsigned)__builtin_clzll((uint64_t)whole);
	product = (index_uwide)(unsigned)q << (64 - LIFT) << s->shift;
	s->factor = (uint64_t)(product / (index_uwide)whole) + 1;
}

/* Returns floor(time * q / whole) for times up to s->most. */
static inline unsigned
portion_quick(const struct column_scale *s, uint64_t time)
{
	index_uwide product = (index_uwide)(time << LIFT) * s->factor;

	return (unsigned)((uint64_t)(product >> 64) >> s->shift);
}

/* Returns floor(time * q / whole); in a damaged index, where time may exceed
 * the whole, any number above q. */
static int
portion_of(const struct column_scale *s, int64_t time)
{
	if (time > s->whole)
		return s->q + 1;
	return (int)((index_wide)time * s->q / s->whole);
}

static bool
is_hot(const struct hot *hot, uint8_t class)
{
	for (int i = 0; i < hot->n; i++)
		if (hot->class[i] == class)
			return true;
	return false;
}

/* Adds highlighted classes without time, in the order of classes. Returns the
 * number of shares. */
static int
add_hot(const struct hot *hot, uint8_t found, struct index_share *share, int n)
{
	for (int i = 0; i < hot->n; i++) {
		int at = 0;

		if ((found & 1 << i) == 0)
			continue;
		while (at < n && share[at].class < hot->class[i])
			at++;
		if (at < n && share[at].class == hot->class[i])
			continue;
		memmove(share + at + 1, share + at,
			(size_t)(n - at) * sizeof *share);
		share[at] = (struct index_share){ 0, hot->class [i], { 0 } };
		n++;
	}
	return n;
}

/* Divides q among the shares. Returns how many remain; *more is set if some do
 * not. */
static int
divide(const struct column_scale *s, const struct hot *hot,
	const struct index_column *c, struct portion *to, uint8_t *more)
{
	const struct index_share *share = c->share;
	int largest = 0, left = s->q, kept = 0, others = 0, at = 0;

	for (int i = 1; i < c->nshares; i++)
		if (share[i].time > share[largest].time)
			largest = i;
	for (int i = 0; i < c->nshares; i++) {
		int quanta;

		if (i == largest) {
			at = kept;
			to[kept++].class = share[i].class;
			continue;
		}
		quanta = portion_of(s, share[i].time);
		if (quanta == 0 && share[i].time > 0)
			quanta = s->least;
		if (quanta == 0 && is_hot(hot, share[i].class))
			quanta = 1;
		if (quanta == 0 || quanta >= left ||
			others == COLUMN_CLASSES - 1) {
			*more = MORE;
			continue;
		}
		left -= quanta;
		others++;
		to[kept++] = (struct portion){ share[i].class, quanta };
	}
	to[at].quanta = left;
	return kept;
}

/* Divides q among the shares of most columns, without branches that depend on
 * the times. Returns NULL for others: no shares, or too many, or times that are
 * not divided quickly, or a class has no quantum that needs one. */
static uint8_t *
put_quickly(
	const struct column_scale *s, const struct index_column *c, uint8_t *at)
{
	const struct index_share *share = c->share;
	int n = c->nshares, kept = 0, largest = 0;
	unsigned q = (unsigned)s->q, sum = 0;
	uint8_t *to = at + 1;
	uint64_t most = 0;

	if (n == 0 || n > COLUMN_CLASSES || s->most == 0)
		return NULL;
	for (int i = 0; i < n; i++) {
		uint64_t time = (uint64_t)share[i].time;
		unsigned quanta = portion_quick(s, time);

		to[2 * kept] = share[i].class;
		to[2 * kept + 1] = (uint8_t)quanta;
		largest = time > most ? kept : largest;
		most = time > most ? time : most;
		sum += quanta;
		kept += quanta > 0;
	}
	/* In a damaged index times may exceed the whole. */
	if (most > s->most || sum > q || portion_quick(s, most) == 0 ||
		(kept < n && s->least > 0))
		return NULL;
	to[2 * largest + 1] = (uint8_t)(to[2 * largest + 1] + q - sum);
	*at = (uint8_t)(kept | (kept < n ? MORE : 0));
	return kept == 1 ? at + 2 : to + 2 * kept;
}

uint8_t *
column_put_classes(const struct column_scale *s, const struct hot *hot,
	uint8_t found, const struct index_column *c, uint8_t *at)
{
	struct index_share share[INDEX_CLASSES + 8];
	struct portion portion[INDEX_CLASSES + 8];
	struct index_column with = *c;
	uint8_t more = 0, *end;
	int n;

	if (hot->n == 0 && (end = put_quickly(s, c, at)) != NULL)
		return end;
	if (found != 0) {
		memcpy(share, c->share, (size_t)c->nshares * sizeof *share);
		with.share = share;
		with.nshares = add_hot(hot, found, share, c->nshares);
	}
	n = divide(s, hot, &with, portion, &more);
	*at++ = (uint8_t)n | more;
	for (int i = 0; i < n; i++) {
		*at++ = portion[i].class;
		if (n > 1 && s->q > UINT8_MAX)
			at = varint_put(at, (uint64_t)portion[i].quanta);
		else if (n > 1)
			*at++ = (uint8_t)portion[i].quanta;
	}
	return at;
}

uint8_t *
column_put_id(uint64_t changes, int64_t longest, uint8_t *at)
{
	return varint_put_signed(varint_put(at, changes), longest);
}

uint8_t *
column_put_points(const struct index_column *c, uint8_t *at)
{
	int n = c->nshares > COLUMN_CLASSES ? COLUMN_CLASSES : c->nshares;

	if (n == 0)
		return memcpy(at, (uint8_t[]){ 1, INDEX_CLASS_NONE, 0 }, 3),
		       at + 3;
	*at++ = (uint8_t)(n | (n < c->nshares ? MORE : 0));
	for (int i = 0; i < n; i++) {
		*at++ = c->share[i].class;
		at = varint_put(at, (uint64_t)c->share[i].time);
	}
	return at;
}

uint8_t *
column_put_numbers(const struct index_extent *e, uint8_t *at)
{
	*at++ = 1;
	at = varint_put_signed(at, e->some ? e->min : VALUE_NONE);
	at = varint_put_signed(at, e->some ? e->max : VALUE_NONE);
	at = varint_put_signed(at, e->mean);
	return varint_put_signed(at, e->last);
}
