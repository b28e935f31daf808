/* SPDX-License-Identifier: MIT */
/*
 * data_src.h - decodes where a sampled access found its data.
 *
 * The kernel encodes the level in two ways that overlap: bits of levels
 * (`lvl`), and a level number with "remote" and "hops" beside it. The processor
 * and the kernel decide which of the two is filled in; so the decoder reads
 * both, the number first, and returns one class:
 *
 *	struct perf_access a = perf_data_src_decode(s->data_src);
 *	if (a.op & PERF_MEM_OP_LOAD)
 *		count[a.level]++;
 *
 * Tests use recorded loads of a Skylake-SP; remote memory, modified lines of
 * other caches, stores, AMD and POWER are tested with tables only.
 */
#ifndef WEFT_PERF_DATA_SRC_H
#define WEFT_PERF_DATA_SRC_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum perf_level {
	PERF_LEVEL_UNKNOWN, /* unknown, or only known as a level that missed */
	PERF_LEVEL_L1,
	PERF_LEVEL_LFB, /* line fill buffer: the line was already on its way */
	PERF_LEVEL_L2,
	PERF_LEVEL_L3,
	PERF_LEVEL_L4,
	PERF_LEVEL_CORE_CLEAN, /* cache of another core of this node */
	PERF_LEVEL_CORE_HITM,  /* as above; that core has modified the line */
	PERF_LEVEL_LOCAL_RAM,
	PERF_LEVEL_REMOTE_RAM,
	PERF_LEVEL_REMOTE_CLEAN, /* a cache of another node */
	PERF_LEVEL_REMOTE_HITM,
	PERF_LEVEL_PMEM,
	PERF_LEVEL_CXL,
	PERF_LEVEL_IO,
	PERF_LEVEL_UNCACHED,
	PERF_LEVELS
};

enum perf_tlb {
	PERF_TLB_UNKNOWN,
	PERF_TLB_L1,   /* hit in the first level, or in either */
	PERF_TLB_L2,   /* hit in the second level */
	PERF_TLB_WALK, /* missed: the page tables were walked */
	PERF_TLB_FAULT
};

struct perf_access {
	uint8_t op; /* PERF_MEM_OP_* bits; 0: no memory access */
	enum perf_level level;
	enum perf_tlb tlb;
	bool remote;       /* another node */
	bool missed;       /* the named level was missed */
	bool locked;       /* an atomic instruction */
	bool data_blocked; /* waited for an earlier store */
	bool addr_blocked; /* waited because of a similar address */
};

struct perf_access perf_data_src_decode(uint64_t data_src);

/* "L3", "remote RAM", ... */
const char *perf_level_name(enum perf_level level);

#define PERF_DATA_SRC_TEXT 160 /* bytes; always enough */

/* Writes the text that perf 6.1 prints: "|OP LOAD|LVL L1 or L1 hit|SNP
 * None|...". */
void perf_data_src_text(uint64_t data_src, char text[PERF_DATA_SRC_TEXT]);

/*
 * A count that earlier tools derived from a sample's data source. A sample may
 * belong to several counts, or to none.
 */
struct perf_metric {
	const char *name;  /* the name in profiles */
	const char *other; /* the name in an older manual; often the same */
	/* All of these conditions must hold. */
	uint8_t op;        /* op is one of these PERF_MEM_OP_* */
	uint16_t level_of; /* has one of these PERF_MEM_LVL_*; 0: any */
	uint16_t outcome;  /* has HIT, or MISS; 0: any */
	uint8_t snoop;     /* has one of these PERF_MEM_SNOOP_*; 0: any */
	uint8_t no_snoop;  /* has none of these bits */
};

#define PERF_METRICS 19

extern const struct perf_metric perf_metrics[PERF_METRICS];

/*
 * Returns a set: bit i is set if the sample counts for perf_metrics[i]. Levels
 * given only by number count like levels given by bits, so that remote memory
 * of newer processors is included.
 */
uint32_t perf_data_src_metrics(uint64_t data_src);

#endif
