/* SPDX-License-Identifier: MIT */
#include "perf/record.h"

/* Newer than the kernel headers of this system. */
#define BRANCH_COUNTERS (1ull << 19)
#define READ_LOST (1ull << 4)

/* The unread bytes of a record. Errors are sticky: a field that does not fit
 * reads as 0, and bad is set. */
struct cursor {
	const unsigned char *at, *end;
	bool bad;
};

static const unsigned char *
take(struct cursor *c, uint64_t n)
{
	const unsigned char *at = c->at;

	if (c->bad || n > (uint64_t)(c->end - c->at)) {
		c->bad = true;
		return NULL;
	}
	c->at += n;
	return at;
}

static uint64_t
u64(struct cursor *c)
{
	const unsigned char *at = take(c, sizeof(uint64_t));
	uint64_t value = 0;

	if (at != NULL)
		memcpy(&value, at, sizeof value);
	return value;
}

static uint32_t
u32(struct cursor *c)
{
	const unsigned char *at = take(c, sizeof(uint32_t));
	uint32_t value = 0;

	if (at != NULL)
		memcpy(&value, at, sizeof value);
	return value;
}

/* Reads a list of n entries of `words` words each. */
static struct perf_list
list(struct cursor *c, uint64_t n, uint64_t words)
{
	struct perf_list l = { 0 };

	if (n > (uint64_t)(c->end - c->at) / (8 * words)) {
		c->bad = true;
		return l;
	}
	l.n = n * words;
	l.at = take(c, l.n * 8);
	return l;
}

static struct perf_blob
blob(struct cursor *c, uint64_t size)
{
	const unsigned char *at = take(c, size);

	return (struct perf_blob){ at == NULL ? 0 : size, at };
}

/* Reads a text that must end inside the record. */
static const char *
text(struct cursor *c)
{
	size_t left = (size_t)(c->end - c->at);
	const char *at = (const char *)c->at;

	if (c->bad || memchr(at, '\0', left) == NULL) {
		c->bad = true;
		return "";
	}
	c->at += strlen(at) + 1;
	return at;
}

static struct perf_read
read_values(struct cursor *c, uint64_t format)
{
	struct perf_read r = { .n = 1, .width = 1 };
	bool group = (format & PERF_FORMAT_GROUP) != 0;
	bool id = (format & PERF_FORMAT_ID) != 0;
	bool lost = (format & READ_LOST) != 0;

	if (group)
		r.n = u64(c);
	else
		r.value = list(c, 1, 1);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		r.enabled = u64(c);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		r.running = u64(c);
	if (group) {
		r.width = 1u + id + lost;
		r.value = list(c, r.n, r.width);
		return r;
	}
	r.id = id ? u64(c) : 0;
	r.lost = lost ? u64(c) : 0;
	return r;
}

static struct perf_regs
regs(struct cursor *c, uint64_t mask)
{
	struct perf_regs r = { .abi = u64(c), .mask = mask };

	if (r.abi != PERF_SAMPLE_REGS_ABI_NONE)
		r.value = list(c, (uint64_t)__builtin_popcountll(mask), 1);
	return r;
}

static void
branches(struct cursor *c, const struct perf_event_attr *attr,
	struct perf_sample *s)
{
	uint64_t n = u64(c);

	s->branch_index = ~0ull;
	if (attr->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		s->branch_index = u64(c);
	s->branch = list(c, n, 3);
	if (attr->branch_sample_type & BRANCH_COUNTERS)
		s->branch_counts = list(c, n, 1);
}

static void
stack(struct cursor *c, struct perf_sample *s)
{
	s->stack = blob(c, u64(c));
	if (s->stack.size > 0)
		s->stack_used = u64(c);
	if (s->stack_used > s->stack.size)
		c->bad = true;
}

static void
weight(struct cursor *c, uint64_t type, struct perf_sample *s)
{
	uint64_t w = u64(c);

	if (type & PERF_SAMPLE_WEIGHT) {
		s->weight = w;
		return;
	}
	s->weight = w & 0xffffffff;
	s->weight_2 = (uint16_t)(w >> 32);
	s->weight_3 = (uint16_t)(w >> 48);
}

/* Reads the plain words from IDENTIFIER to PERIOD. */
static void
sample_head(struct cursor *c, uint64_t type, struct perf_record *r)
{
	struct perf_sample *s = &r->sample;

	if (type & PERF_SAMPLE_IDENTIFIER)
		r->id = u64(c);
	if (type & PERF_SAMPLE_IP)
		s->ip = u64(c);
	if (type & PERF_SAMPLE_TID) {
		r->pid = u32(c);
		r->tid = u32(c);
	}
	if (type & PERF_SAMPLE_TIME)
		r->time = u64(c);
	if (type & PERF_SAMPLE_ADDR)
		s->addr = u64(c);
	if (type & PERF_SAMPLE_ID)
		r->id = u64(c);
	if (type & PERF_SAMPLE_STREAM_ID)
		r->stream_id = u64(c);
	if (type & PERF_SAMPLE_CPU) {
		r->cpu = u32(c);
		u32(c);
	}
	if (type & PERF_SAMPLE_PERIOD)
		s->period = u64(c);
}

/* Reads the fields of variable size, from READ to STACK_USER. */
static void
sample_lists(struct cursor *c, const struct perf_event_attr *attr,
	struct perf_sample *s)
{
	uint64_t type = attr->sample_type;

	if (type & PERF_SAMPLE_READ)
		s->read = read_values(c, attr->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN)
		s->chain = list(c, u64(c), 1);
	if (type & PERF_SAMPLE_RAW)
		s->raw = blob(c, u32(c));
	if (type & PERF_SAMPLE_BRANCH_STACK)
		branches(c, attr, s);
	if (type & PERF_SAMPLE_REGS_USER)
		s->user = regs(c, attr->sample_regs_user);
	if (type & PERF_SAMPLE_STACK_USER)
		stack(c, s);
}

static void
sample_tail(struct cursor *c, const struct perf_event_attr *attr,
	struct perf_sample *s)
{
	uint64_t type = attr->sample_type;

	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		weight(c, type, s);
	if (type & PERF_SAMPLE_DATA_SRC)
		s->data_src = u64(c);
	if (type & PERF_SAMPLE_TRANSACTION)
		s->transaction = u64(c);
	if (type & PERF_SAMPLE_REGS_INTR)
		s->interrupted = regs(c, attr->sample_regs_intr);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		s->phys_addr = u64(c);
	if (type & PERF_SAMPLE_CGROUP)
		s->cgroup = u64(c);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		s->data_page = u64(c);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		s->code_page = u64(c);
	if (type & PERF_SAMPLE_AUX)
		s->aux = blob(c, u64(c));
}

/* Reads the id fields that records other than samples have at their end. */
static void
read_id(struct cursor *c, const struct perf_event_attr *attr,
	struct perf_record *r)
{
	uint64_t type = attr->sample_type;
	uint64_t words = (uint64_t)__builtin_popcountll(type &
		(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
			PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
			PERF_SAMPLE_IDENTIFIER));
	struct cursor end = *c;

	if (!attr->sample_id_all)
		return;
	if (words * 8 > (uint64_t)(c->end - c->at)) {
		c->bad = true;
		return;
	}
	c->end -= words * 8;
	end.at = c->end;
	if (type & PERF_SAMPLE_TID) {
		r->pid = u32(&end);
		r->tid = u32(&end);
	}
	if (type & PERF_SAMPLE_TIME)
		r->time = u64(&end);
	if (type & PERF_SAMPLE_ID)
		r->id = u64(&end);
	if (type & PERF_SAMPLE_STREAM_ID)
		r->stream_id = u64(&end);
	if (type & PERF_SAMPLE_CPU) {
		r->cpu = u32(&end);
		u32(&end);
	}
	if (type & PERF_SAMPLE_IDENTIFIER)
		r->id = u64(&end);
}

static void
mmap2_file(struct cursor *c, struct perf_record *r)
{
	struct perf_mmap *m = &r->mmap;
	const unsigned char *id;

	if (r->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		m->build_id_size = (uint8_t)(u32(c) & 0xff);
		id = take(c, sizeof m->build_id);
		/* gcc 12 reports a memcpy() here as out of bounds. */
		for (size_t i = 0; id != NULL && i < sizeof m->build_id; i++)
			m->build_id[i] = id[i];
		if (m->build_id_size > sizeof m->build_id)
			c->bad = true;
	} else {
		m->major = u32(c);
		m->minor = u32(c);
		m->inode = u64(c);
		m->generation = u64(c);
	}
	m->prot = u32(c);
	m->flags = u32(c);
}

static void
read_mmap(struct cursor *c, struct perf_record *r)
{
	struct perf_mmap *m = &r->mmap;

	m->pid = u32(c);
	m->tid = u32(c);
	m->addr = u64(c);
	m->len = u64(c);
	m->offset = u64(c);
	if (r->type == PERF_RECORD_MMAP2)
		mmap2_file(c, r);
	m->name = text(c);
}

static void
read_task(struct cursor *c, struct perf_record *r)
{
	r->task.pid = u32(c);
	r->task.ppid = u32(c);
	r->task.tid = u32(c);
	r->task.ptid = u32(c);
	r->task.time = u64(c);
}

static void
read_comm(struct cursor *c, struct perf_record *r)
{
	r->comm.pid = u32(c);
	r->comm.tid = u32(c);
	r->comm.name = text(c);
}

static void
read_counters(struct cursor *c, const struct perf_event_attr *attr,
	struct perf_record *r)
{
	r->read.pid = u32(c);
	r->read.tid = u32(c);
	r->read.read = read_values(c, attr->read_format);
}

static void
read_other(struct cursor *c, const struct perf_event_attr *attr,
	struct perf_record *r)
{
	switch (r->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		read_mmap(c, r);
		break;
	case PERF_RECORD_COMM:
		read_comm(c, r);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		read_task(c, r);
		break;
	case PERF_RECORD_LOST:
		r->lost.id = u64(c);
		r->lost.n = u64(c);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		r->lost.n = u64(c);
		break;
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		r->throttle.time = u64(c);
		r->throttle.id = u64(c);
		r->throttle.stream_id = u64(c);
		break;
	case PERF_RECORD_SWITCH_CPU_WIDE:
		r->other.pid = u32(c);
		r->other.tid = u32(c);
		break;
	case PERF_RECORD_READ:
		read_counters(c, attr, r);
		break;
	default:
		break;
	}
}

/* Reads the header. Returns false if the record is longer than the data. */
static bool
open_record(struct cursor *c, struct perf_event_header *h, const void *data,
	size_t size)
{
	if (size < sizeof *h)
		return false;
	memcpy(h, data, sizeof *h);
	if (h->size < sizeof *h || h->size > size)
		return false;
	c->at = (const unsigned char *)data + sizeof *h;
	c->end = (const unsigned char *)data + h->size;
	c->bad = false;
	return true;
}

bool
perf_record_parse(struct perf_record *r, const struct perf_event_attr *attr,
	const void *data, size_t size)
{
	struct perf_event_header h;
	struct cursor c;

	memset(r, 0, sizeof *r);
	if (!open_record(&c, &h, data, size))
		return false;
	r->type = h.type;
	r->misc = h.misc;
	if (h.type == PERF_RECORD_SAMPLE) {
		sample_head(&c, attr->sample_type, r);
		sample_lists(&c, attr, &r->sample);
		sample_tail(&c, attr, &r->sample);
	} else if (h.type < 64) { /* written by the kernel, not by a tool */
		read_id(&c, attr, r);
		read_other(&c, attr, r);
	}
	return !c.bad;
}

/* Returns the number of words between the header of a sample and its id. */
static uint64_t
words_before_id(uint64_t type)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		return 0;
	return (uint64_t)__builtin_popcountll(type &
		(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			PERF_SAMPLE_ADDR));
}

/* Returns the number of words from the id to the end of another record. */
static uint64_t
words_after_id(uint64_t type)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		return 1;
	return 1u + ((type & PERF_SAMPLE_STREAM_ID) != 0) +
		((type & PERF_SAMPLE_CPU) != 0);
}

uint64_t
perf_record_id(
	const struct perf_event_attr *attr, const void *data, size_t size)
{
	uint64_t type = attr->sample_type;
	struct perf_event_header h;
	struct cursor c;

	if (!(type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER)) ||
		!open_record(&c, &h, data, size))
		return 0;
	if (h.type == PERF_RECORD_SAMPLE) {
		take(&c, words_before_id(type) * 8);
		return u64(&c);
	}
	if (!attr->sample_id_all || h.type >= 64 ||
		words_after_id(type) * 8 > (uint64_t)(c.end - c.at))
		return 0;
	c.at = c.end - words_after_id(type) * 8;
	return u64(&c);
}
