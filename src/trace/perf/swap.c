/* SPDX-License-Identifier: MIT */
#include "trace/perf/swap.h"

#include <stdbool.h>
#include <string.h>

#define WORD sizeof(uint64_t)
#define MISC_BUILD_ID (1u << 14) /* MMAP2 has a build id, not an inode */

/* The words of a record behind its header. */
struct words {
	uint8_t *at;
	size_t n;
};

static void
swap_16(uint16_t *v)
{
	*v = __builtin_bswap16(*v);
}

static void
swap_32(uint32_t *v)
{
	*v = __builtin_bswap32(*v);
}

static uint64_t
word(const struct words *w, size_t i)
{
	uint64_t v = 0;

	if (i < w->n)
		memcpy(&v, w->at + i * WORD, WORD);
	return v;
}

static void
set_word(const struct words *w, size_t i, uint64_t v)
{
	if (i < w->n)
		memcpy(w->at + i * WORD, &v, WORD);
}

/* Puts two numbers of 32 bits right. */
static void
fix_pair(const struct words *w, size_t i)
{
	uint64_t v = word(w, i);

	set_word(w, i, v << 32 | v >> 32);
}

/* Gives bytes that are no numbers their order back. */
static void
fix_bytes(const struct words *w, size_t from, size_t to)
{
	for (size_t i = from; i < to && i < w->n; i++)
		set_word(w, i, __builtin_bswap64(word(w, i)));
}

/* The first bit field is the highest bit on a big-endian machine. */
static uint8_t
mirrored(uint8_t b)
{
	uint8_t to = 0;

	for (int i = 0; i < 8; i++)
		to = (uint8_t)(to << 1 | (b >> i & 1));
	return to;
}

void
perf_swap_attr(struct perf_event_attr *a)
{
	uint8_t *flags = (uint8_t *)&a->read_format + sizeof a->read_format;
	struct words w = { (uint8_t *)a, sizeof *a / WORD };

	perf_swap_words((uint8_t *)a, sizeof *a);
	swap_32(&a->type);
	swap_32(&a->size);
	fix_bytes(&w, (size_t)(flags - w.at) / WORD,
		(size_t)(flags - w.at) / WORD + 1);
	for (size_t i = 0; i < WORD; i++)
		flags[i] = mirrored(flags[i]);
	fix_pair(&w, offsetof(struct perf_event_attr, wakeup_events) / WORD);
	fix_pair(
		&w, offsetof(struct perf_event_attr, sample_stack_user) / WORD);
}

void
perf_swap_header(struct perf_event_header *h)
{
	swap_32(&h->type);
	swap_16(&h->misc);
	swap_16(&h->size);
}

void
perf_swap_words(uint8_t *record, size_t size)
{
	size_t head = sizeof(struct perf_event_header);
	struct words w = { record + head, (size - head) / WORD };

	fix_bytes(&w, 0, w.n);
}

/* Returns 1 if the set has the bit, else 0. */
static size_t
has(uint64_t set, uint64_t bit)
{
	return (set & bit) != 0;
}

/* Returns the words of the counters in a sample, which begin at i. */
static size_t
words_of_read(const struct words *w, size_t i, uint64_t format)
{
	size_t times = has(format, PERF_FORMAT_TOTAL_TIME_ENABLED) +
		has(format, PERF_FORMAT_TOTAL_TIME_RUNNING);
	size_t each = 1 + has(format, PERF_FORMAT_ID);
	uint64_t n = word(w, i);

	if ((format & PERF_FORMAT_GROUP) == 0)
		return each + times;
	return 1 + times + (n < w->n ? (size_t)n * each : w->n);
}

/* The raw data is a size of 32 bits and bytes. */
static void
fix_raw(const struct words *w, size_t i)
{
	uint32_t size = (uint32_t)(word(w, i) >> 32);

	fix_bytes(w, i, i + ((size_t)size + 4 + WORD - 1) / WORD);
	if (i < w->n)
		memcpy(w->at + i * WORD, &size, sizeof size);
}

static void
fix_sample(const struct words *w, const struct perf_event_attr *attr)
{
	uint64_t type = attr->sample_type;
	size_t i =
		has(type, PERF_SAMPLE_IDENTIFIER) + has(type, PERF_SAMPLE_IP);

	if (has(type, PERF_SAMPLE_TID) != 0)
		fix_pair(w, i++);
	i += has(type, PERF_SAMPLE_TIME) + has(type, PERF_SAMPLE_ADDR) +
		has(type, PERF_SAMPLE_ID) + has(type, PERF_SAMPLE_STREAM_ID);
	if (has(type, PERF_SAMPLE_CPU) != 0)
		fix_pair(w, i++);
	i += has(type, PERF_SAMPLE_PERIOD);
	if (has(type, PERF_SAMPLE_READ) != 0)
		i += words_of_read(w, i, attr->read_format);
	if (has(type, PERF_SAMPLE_CALLCHAIN) != 0)
		i += 1 + (word(w, i) < w->n ? (size_t)word(w, i) : w->n);
	if (has(type, PERF_SAMPLE_RAW) != 0)
		fix_raw(w, i);
}

/* Puts right what follows the body of records other than samples. Returns the
 * words of the body. */
static size_t
fix_end(const struct words *w, const struct perf_event_attr *attr)
{
	static const uint64_t parts[] = { PERF_SAMPLE_TID, PERF_SAMPLE_TIME,
		PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU,
		PERF_SAMPLE_IDENTIFIER };
	size_t n = 0, body, i;

	for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
		n += attr->sample_id_all ? has(attr->sample_type, parts[k]) : 0;
	body = i = n < w->n ? w->n - n : 0;
	for (size_t k = 0; n > 0 && k < sizeof parts / sizeof parts[0]; k++) {
		if ((attr->sample_type & parts[k]) == 0)
			continue;
		if (parts[k] == PERF_SAMPLE_TID || parts[k] == PERF_SAMPLE_CPU)
			fix_pair(w, i);
		i++;
	}
	return body;
}

static void
fix_mmap2(const struct words *w, size_t body, bool has_build)
{
	fix_pair(w, 0);
	if (has_build)
		fix_bytes(w, 4, 7);
	else
		fix_pair(w, 4);
	fix_pair(w, 7);
	fix_bytes(w, 8, body);
}

void
perf_swap_parts(
	uint8_t *record, size_t size, const struct perf_event_attr *attr)
{
	struct perf_event_header h;
	struct words w = { record + sizeof h, (size - sizeof h) / WORD };
	size_t body;

	memcpy(&h, record, sizeof h);
	if (h.type == PERF_RECORD_SAMPLE) {
		fix_sample(&w, attr);
		return;
	}
	body = fix_end(&w, attr);
	switch (h.type) {
	case PERF_RECORD_MMAP:
		fix_pair(&w, 0);
		fix_bytes(&w, 4, body);
		break;
	case PERF_RECORD_MMAP2:
		fix_mmap2(&w, body, (h.misc & MISC_BUILD_ID) != 0);
		break;
	case PERF_RECORD_COMM:
		fix_pair(&w, 0);
		fix_bytes(&w, 1, body);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		fix_pair(&w, 0);
		fix_pair(&w, 1);
		break;
	case PERF_RECORD_READ:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		fix_pair(&w, 0);
		break;
	default:
		break;
	}
}
