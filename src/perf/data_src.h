/* SPDX-License-Identifier: MIT */
/*
 * data_src.h - where a sampled access found its data.
 *
 * A kernel says it in two ways that overlap: bits of levels (`lvl`), and a
 * number of the level with "remote" and "hops" beside it. Which of them is
 * filled in depends on the processor and the kernel; so both are read, the
 * number first, and the answer is one class:
 *
 *	struct perf_access a = perf_data_src_decode(s->data_src);
 *	if (a.op & PERF_MEM_OP_LOAD)
 *		count[a.level]++;
 *
 * Recordings with loads of a Skylake-SP test this; remote memory, modified
 * lines of other caches, stores, AMD and POWER are tested with tables only.
 */
#ifndef WEFT_PERF_DATA_SRC_H
#define WEFT_PERF_DATA_SRC_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum perf_level {
	PERF_LEVEL_UNKNOWN, /* not said, or only where it was missed */
	PERF_LEVEL_L1,
	PERF_LEVEL_LFB, /* on its way already */
	PERF_LEVEL_L2,
	PERF_LEVEL_L3,
	PERF_LEVEL_L4,
	PERF_LEVEL_CORE_CLEAN, /* another core of this node */
	PERF_LEVEL_CORE_HITM,  /* ..., which had modified it */
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
	uint8_t op; /* PERF_MEM_OP_* bits; none of them: no memory access */
	enum perf_level level;
	enum perf_tlb tlb;
	bool remote;       /* another node */
	bool missed;       /* the level it names was missed */
	bool locked;       /* an atomic instruction */
	bool data_blocked; /* waited for a store before it */
	bool addr_blocked; /* ... of an address that looked the same */
};

struct perf_access perf_data_src_decode(uint64_t data_src);

/* "L3", "remote RAM", ... */
const char *perf_level_name(enum perf_level level);

#define PERF_DATA_SRC_TEXT 160 /* bytes that are always enough */

/* What perf 6.1 prints of it: "|OP LOAD|LVL L1 or L1 hit|SNP None|...". */
void perf_data_src_text(uint64_t data_src, char text[PERF_DATA_SRC_TEXT]);

/*
 * The counts that tools before us made of a sample's data source: a sample may
 * be in several, or in none.
 */
struct perf_metric {
	const char *name;  /* as profiles call it */
	const char *other; /* as a manual called it; often the same */
	/* All of these must hold. */
	uint8_t op;        /* is one of these PERF_MEM_OP_* */
	uint16_t level_of; /* has one of these PERF_MEM_LVL_*; 0: any */
	uint16_t outcome;  /* has HIT, or MISS; 0: any */
	uint8_t snoop;     /* has one of these PERF_MEM_SNOOP_*; 0: any */
	uint8_t no_snoop;  /* has none of these */
};

#define PERF_METRICS 19

extern const struct perf_metric perf_metrics[PERF_METRICS];

/*
 * Bit i is set if the sample counts for perf_metrics[i]. Levels that are given
 * by number only count like those given by bits, so that remote memory of
 * newer processors is not missing.
 */
uint32_t perf_data_src_metrics(uint64_t data_src);

#endif
