/* SPDX-License-Identifier: MIT */
/*
 * record.h - parses a record that the kernel writes to a perf ring, or perf to
 * a file, into a struct.
 *
 * The attributes of a sample's event determine its fields and their order. The
 * parser reads all fields, so that an unused field does not shift the next
 * ones:
 *
 *	struct perf_record r;
 *	if (perf_record_parse(&r, &attr, bytes, size) &&
 *		r.type == PERF_RECORD_SAMPLE)
 *		use(r.sample.addr, perf_list_at(&r.sample.chain, 0));
 *
 * Only numbers are copied: lists and texts point into the bytes, which need no
 * alignment. Nothing here allocates, locks or makes system calls, so signal
 * handlers may use it. Source: the comments of <linux/perf_event.h>;
 * PERF_SAMPLE_AUX comes last, as the kernel writes it.
 */
#ifndef WEFT_PERF_RECORD_H
#define WEFT_PERF_RECORD_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* n entries of 8 bytes each; the bytes are borrowed. */
struct perf_list {
	uint64_t n;
	const unsigned char *at;
};

/* size bytes; borrowed. */
struct perf_blob {
	uint64_t size;
	const unsigned char *at;
};

/* Values of the registers in mask, from the lowest bit up. */
struct perf_regs {
	uint64_t abi; /* 0: the thread has none (it is in the kernel) */
	uint64_t mask;
	struct perf_list value;
};

/* Values of a counter or of a group of counters. */
struct perf_read {
	uint64_t n;                /* counters: 1, or the number in the group */
	uint64_t enabled, running; /* ns; 0 when not asked for */
	uint64_t id, lost;         /* id and losses of a single counter, if
	                            * requested */
	uint32_t width;            /* words per counter: value [, id] [,
	                            * lost] */
	struct perf_list value;    /* n * width words */
};

struct perf_sample {
	uint64_t ip, addr, period;
	struct perf_read read;
	struct perf_list chain;
	struct perf_blob raw;
	uint64_t branch_index;   /* set by the hardware; ~0: unknown */
	struct perf_list branch; /* three words each: from, to, flags */
	struct perf_list branch_counts;
	struct perf_regs user, interrupted;
	struct perf_blob stack;
	uint64_t stack_used;         /* bytes of the stack that were really
	                              * copied */
	uint64_t weight;             /* cycles; if the sample has a weight
	                              * struct, its first part */
	uint16_t weight_2, weight_3; /* parts of PERF_SAMPLE_WEIGHT_STRUCT */
	uint64_t data_src;           /* perf/data_src.h */
	uint64_t transaction, phys_addr, cgroup;
	uint64_t data_page, code_page; /* bytes */
	struct perf_blob aux;
};

/* PERF_RECORD_MMAP and MMAP2. */
struct perf_mmap {
	uint32_t pid, tid;
	uint64_t addr, len, offset;
	uint32_t major, minor;
	uint64_t inode, generation;
	uint8_t build_id_size; /* 0: no build id; major to generation are set
	                        * instead */
	unsigned char build_id[20];
	uint32_t prot, flags;
	const char *name;
};

struct perf_record {
	uint32_t type; /* PERF_RECORD_*; unknown types leave the union 0 */
	uint16_t misc;
	/* In samples, and in other records if the event has sample_id_all; else
	 * 0. */
	uint64_t id, stream_id, time;
	uint32_t pid, tid, cpu;
	union {
		struct perf_sample sample;
		struct perf_mmap mmap;
		struct {
			uint32_t pid, tid;
			const char *name;
		} comm;
		struct {
			uint32_t pid, ppid, tid, ptid;
			uint64_t time;
		} task; /* FORK, EXIT */
		struct {
			uint64_t id, n;
		} lost; /* LOST; LOST_SAMPLES has no id */
		struct {
			uint64_t time, id, stream_id;
		} throttle; /* THROTTLE, UNTHROTTLE */
		struct {
			uint32_t pid, tid; /* next or previous thread */
		} other;                   /* SWITCH_CPU_WIDE */
		struct {
			uint32_t pid, tid;
			struct perf_read read;
		} read; /* READ */
	};
};

/*
 * Parses one record, including its header, of at most `size` bytes. Returns
 * false if the record is shorter than its header or its fields require: then
 * *r must not be used. Fields that a newer kernel appends are ignored.
 */
bool perf_record_parse(struct perf_record *r,
	const struct perf_event_attr *attr, const void *data, size_t size);

/*
 * Returns the id of the event that a record belongs to, for events with
 * different attributes that share a ring; their sample_type bits for fields
 * before the id must be equal. Returns 0 if the events have no id or the record
 * has none.
 */
uint64_t perf_record_id(
	const struct perf_event_attr *attr, const void *data, size_t size);

/* Returns entry i < n. */
static inline uint64_t
perf_list_at(const struct perf_list *list, uint64_t i)
{
	uint64_t value;

	memcpy(&value, list->at + i * sizeof value, sizeof value);
	return value;
}

#endif
