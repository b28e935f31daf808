/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "task/book.h"

/*
 * The histogram has 64 buckets for each power of two, and a bucket for each
 * value below 128. Values in a bucket differ from its middle by less than
 * 1/128.
 */
#define SUB 64
#define SUB_BITS 6
#define NBUCKETS \
	(sizeof((struct weft_tracer_average_time *)0)->bucket / \
		sizeof(uint32_t))

static uint32_t
bucket_of(int64_t value)
{
	uint64_t v = (uint64_t)value;
	int exponent;

	if (v < (uint64_t)2 * SUB)
		return (uint32_t)v;
	exponent = 63 - __builtin_clzll(v);
	return (uint32_t)(exponent - SUB_BITS) * SUB +
		(uint32_t)(v >> (exponent - SUB_BITS));
}

static int64_t
middle_of(uint32_t bucket)
{
	int shift = (int)(bucket / SUB) - 1;
	uint64_t low = SUB + bucket % SUB;

	if (bucket < 2 * SUB)
		return bucket;
	return (int64_t)((low << shift) + (UINT64_C(1) << shift) / 2);
}

/* Halves all counts because a bucket is full. From now on only one of every two
 * values (four, eight, ...) is counted. */
static void
halve(struct weft_tracer_average_time *t)
{
	for (size_t i = 0; i < NBUCKETS; i++)
		t->bucket[i] /= 2;
	t->scale++;
}

static void
end(struct weft_tracer *tracer, const struct weft_task *task)
{
	struct weft_tracer_average_time *t = (void *)tracer;
	int64_t time = task->end - task->start;

	t->min = t->count == 0 || time < t->min ? time : t->min;
	t->max = time > t->max ? time : t->max;
	t->count++;
	t->sum[0] += (uint64_t)time;
	t->sum[1] += t->sum[0] < (uint64_t)time;
	if (t->scale > 0 && (++t->skipped & ((1u << t->scale) - 1)) != 0)
		return;
	if (++t->bucket[bucket_of(time)] == UINT32_MAX)
		halve(t);
}

static const struct weft_tracer_ops ops = { .end = end };

void
weft_tracer_average_time_init(struct weft_tracer_average_time *t)
{
	memset(t, 0, sizeof *t);
	t->tracer.ops = &ops;
	t->tracer.name = "average time";
}

double
weft_tracer_average_time_mean(const struct weft_tracer_average_time *t)
{
	double sum;

	tracer_take_turn(&t->tracer);
	sum = (double)t->sum[1] * 0x1p64 + (double)t->sum[0];
	return t->count == 0 ? 0 : sum / (double)t->count;
}

int64_t
weft_tracer_average_time_percentile(
	const struct weft_tracer_average_time *t, double percent)
{
	uint64_t all = 0, below = 0;
	int64_t value;
	double rank;

	tracer_take_turn(&t->tracer);
	value = t->max;
	for (size_t i = 0; i < NBUCKETS; i++)
		all += t->bucket[i];
	rank = percent * (double)all / 100;
	for (uint32_t i = 0; i < NBUCKETS; i++) {
		below += t->bucket[i];
		if (t->bucket[i] > 0 && (double)below >= rank) {
			value = middle_of(i);
			break;
		}
	}
	value = value < t->min ? t->min : value;
	return value > t->max ? t->max : value;
}
