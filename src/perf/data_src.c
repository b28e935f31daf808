/* SPDX-License-Identifier: MIT */
#include "perf/data_src.h"

#include <string.h>

#define LVL(x) PERF_MEM_LVL_##x
#define SNOOP(x) PERF_MEM_SNOOP_##x
#define REMOTE_CACHE (LVL(REM_CCE1) | LVL(REM_CCE2))
#define REMOTE_RAM (LVL(REM_RAM1) | LVL(REM_RAM2))
#define REMOTE (REMOTE_CACHE | REMOTE_RAM)

/* Newer than the kernel headers of this system. */
enum {
	LVLNUM_L2_MHB = 5,
	LVLNUM_MSC = 6,
	LVLNUM_L0 = 7,
	LVLNUM_CXL = 9,
	LVLNUM_IO = 10,
};

static const char *const level_names[PERF_LEVELS] = {
	[PERF_LEVEL_UNKNOWN] = "unknown level",
	[PERF_LEVEL_L1] = "L1",
	[PERF_LEVEL_LFB] = "fill buffer",
	[PERF_LEVEL_L2] = "L2",
	[PERF_LEVEL_L3] = "L3",
	[PERF_LEVEL_L4] = "L4",
	[PERF_LEVEL_CORE_CLEAN] = "other core, clean",
	[PERF_LEVEL_CORE_HITM] = "other core, modified",
	[PERF_LEVEL_LOCAL_RAM] = "local RAM",
	[PERF_LEVEL_REMOTE_RAM] = "remote RAM",
	[PERF_LEVEL_REMOTE_CLEAN] = "remote cache, clean",
	[PERF_LEVEL_REMOTE_HITM] = "remote cache, modified",
	[PERF_LEVEL_PMEM] = "persistent memory",
	[PERF_LEVEL_CXL] = "CXL memory",
	[PERF_LEVEL_IO] = "I/O",
	[PERF_LEVEL_UNCACHED] = "uncached",
};

/* clang-format off */
const struct perf_metric perf_metrics[PERF_METRICS] = {
	{ "MEM-Load", "MEM-Load", PERF_MEM_OP_LOAD, 0, 0, 0, 0 },
	{ "MEM-Load-FBhit", "MEM-Load-FBhit",
	  PERF_MEM_OP_LOAD, LVL(LFB), LVL(HIT), 0, 0 },
	{ "MEM-Load-L1hit", "MEM-Load-L1hit",
	  PERF_MEM_OP_LOAD, LVL(L1), LVL(HIT), 0, 0 },
	{ "MEM-Load-L2hit", "MEM-Load-L2hit",
	  PERF_MEM_OP_LOAD, LVL(L2), LVL(HIT), 0, 0 },
	{ "MEM-LLC-hit", "MEM-LLC-hit",
	  PERF_MEM_OP_LOAD, LVL(L3), LVL(HIT), 0, SNOOP(HITM) },
	{ "MEM-hitm-local", "MEM-hitm-local",
	  PERF_MEM_OP_LOAD, LVL(L3), LVL(HIT), SNOOP(HITM), 0 },
	{ "MEM-hitm-rmt", "MEM-hitm-rmt",
	  PERF_MEM_OP_LOAD, REMOTE_CACHE, 0, SNOOP(HITM), SNOOP(HIT) },
	{ "MEM-rmt-hit", "MEM-rmt-hit",
	  PERF_MEM_OP_LOAD, REMOTE_CACHE, 0, SNOOP(HIT), 0 },
	{ "DRAM-miss-to-lcl", "Load-miss-to-lcl-DRAM",
	  PERF_MEM_OP_LOAD, LVL(LOC_RAM), LVL(HIT), 0, 0 },
	{ "DRAM-miss-to-rmt", "Load-miss-to-rmt-DRAM",
	  PERF_MEM_OP_LOAD, REMOTE_RAM, LVL(HIT), 0, 0 },
	{ "MEM-Load-miss", "MEM-Load-miss",
	  PERF_MEM_OP_LOAD, 0, LVL(MISS), 0, 0 },
	{ "MEM-Load I/O Address", "Load I/O Address",
	  PERF_MEM_OP_LOAD, LVL(IO), LVL(HIT), 0, 0 },
	{ "MEM-Load MESI State Shared", "MEM-Load MESI State Shared",
	  PERF_MEM_OP_LOAD, LVL(LOC_RAM) | REMOTE_RAM, LVL(HIT), SNOOP(HIT), 0 },
	{ "MEM-Load Uncache", "MEM-Load Uncache",
	  PERF_MEM_OP_LOAD, LVL(UNC), LVL(HIT), 0, 0 },
	{ "MEM-Load Exclusive", "MEM-Load Exclusive",
	  PERF_MEM_OP_LOAD, LVL(LOC_RAM) | REMOTE_RAM, LVL(HIT), 0, SNOOP(HIT) },
	{ "MEM-Store", "MEM-Store", PERF_MEM_OP_STORE, 0, 0, 0, 0 },
	{ "MEM-Store-L1hit", "MEM-Store-L1hit",
	  PERF_MEM_OP_STORE, LVL(L1), LVL(HIT), 0, 0 },
	{ "MEM-Store-L1miss", "MEM-Store-L1miss",
	  PERF_MEM_OP_STORE, LVL(L1), LVL(MISS), 0, 0 },
	{ "MEM-Store-Uncache", "MEM-Store-Uncache",
	  PERF_MEM_OP_STORE, LVL(UNC), LVL(HIT), 0, 0 },
};
/* clang-format on */

static bool
has_number(const union perf_mem_data_src *d)
{
	return d->mem_lvl_num != 0 && d->mem_lvl_num != PERF_MEM_LVLNUM_NA;
}

/* One hop leads to another core of the same node. */
static bool
is_remote(const union perf_mem_data_src *d)
{
	if (d->mem_hops != 0)
		return d->mem_hops > 1;
	return d->mem_remote || (d->mem_lvl & REMOTE) != 0;
}

static bool
is_forwarded(const union perf_mem_data_src *d)
{
	return d->mem_snoopx != 0 || (d->mem_snoop & SNOOP(HIT)) != 0;
}

/* Returns the class of a hit in a cache: own, another core's or remote, and
 * clean or modified. */
static enum perf_level
cache(const union perf_mem_data_src *d, enum perf_level own)
{
	bool modified = (d->mem_snoop & SNOOP(HITM)) != 0;

	if (is_remote(d))
		return modified ? PERF_LEVEL_REMOTE_HITM
				: PERF_LEVEL_REMOTE_CLEAN;
	if (modified)
		return PERF_LEVEL_CORE_HITM;
	if (d->mem_hops == 1 || (own != PERF_LEVEL_L1 && is_forwarded(d)))
		return PERF_LEVEL_CORE_CLEAN;
	return own;
}

static enum perf_level
ram(const union perf_mem_data_src *d)
{
	return is_remote(d) ? PERF_LEVEL_REMOTE_RAM : PERF_LEVEL_LOCAL_RAM;
}

static enum perf_level
by_number(const union perf_mem_data_src *d)
{
	switch (d->mem_lvl_num) {
	case PERF_MEM_LVLNUM_L1:
	case LVLNUM_L0:
		return cache(d, PERF_LEVEL_L1);
	case PERF_MEM_LVLNUM_L2:
		return cache(d, PERF_LEVEL_L2);
	case PERF_MEM_LVLNUM_L3:
	case LVLNUM_MSC:
		return cache(d, PERF_LEVEL_L3);
	case PERF_MEM_LVLNUM_L4:
		return cache(d, PERF_LEVEL_L4);
	case PERF_MEM_LVLNUM_ANY_CACHE:
		return cache(d, PERF_LEVEL_UNKNOWN);
	case PERF_MEM_LVLNUM_LFB:
	case LVLNUM_L2_MHB:
		return PERF_LEVEL_LFB;
	case PERF_MEM_LVLNUM_RAM:
		return ram(d);
	case PERF_MEM_LVLNUM_PMEM:
		return PERF_LEVEL_PMEM;
	case LVLNUM_CXL:
		return PERF_LEVEL_CXL;
	case LVLNUM_IO:
		return PERF_LEVEL_IO;
	default:
		return PERF_LEVEL_UNKNOWN;
	}
}

/* If several bits are set, returns the farthest level. */
static enum perf_level
by_bits(const union perf_mem_data_src *d)
{
	uint64_t lvl = d->mem_lvl;

	if (lvl & LVL(UNC))
		return PERF_LEVEL_UNCACHED;
	if (lvl & LVL(IO))
		return PERF_LEVEL_IO;
	if (lvl & REMOTE_CACHE)
		return cache(d, PERF_LEVEL_REMOTE_CLEAN);
	if (lvl & (REMOTE_RAM | LVL(LOC_RAM)))
		return ram(d);
	if (lvl & LVL(L3))
		return cache(d, PERF_LEVEL_L3);
	if (lvl & LVL(L2))
		return cache(d, PERF_LEVEL_L2);
	if (lvl & LVL(LFB))
		return PERF_LEVEL_LFB;
	return lvl & LVL(L1) ? cache(d, PERF_LEVEL_L1) : PERF_LEVEL_UNKNOWN;
}

static enum perf_tlb
tlb(uint64_t bits)
{
	bool hit = (bits & PERF_MEM_TLB_HIT) != 0;

	if (bits & PERF_MEM_TLB_OS)
		return PERF_TLB_FAULT;
	if ((bits & PERF_MEM_TLB_MISS) || (bits & PERF_MEM_TLB_WK && !hit))
		return PERF_TLB_WALK;
	if (hit && bits & PERF_MEM_TLB_L1)
		return PERF_TLB_L1;
	return hit && bits & PERF_MEM_TLB_L2 ? PERF_TLB_L2 : PERF_TLB_UNKNOWN;
}

struct perf_access
perf_data_src_decode(uint64_t data_src)
{
	union perf_mem_data_src d = { .val = data_src };
	struct perf_access a = { .op = (uint8_t)(d.mem_op & ~1u) };

	a.missed = (d.mem_lvl & LVL(MISS)) != 0 && !(d.mem_lvl & LVL(HIT));
	if (!a.missed)
		a.level = has_number(&d) ? by_number(&d) : by_bits(&d);
	a.remote = is_remote(&d);
	a.tlb = tlb(d.mem_dtlb);
	a.locked = (d.mem_lock & PERF_MEM_LOCK_LOCKED) != 0;
	a.data_blocked = (d.mem_blk & PERF_MEM_BLK_DATA) != 0;
	a.addr_blocked = (d.mem_blk & PERF_MEM_BLK_ADDR) != 0;
	return a;
}

const char *
perf_level_name(enum perf_level level)
{
	return level_names[level];
}

/* Returns the level bits that correspond to a class. */
static uint16_t
bits_of(enum perf_level level)
{
	static const uint16_t bits[PERF_LEVELS] = {
		[PERF_LEVEL_L1] = LVL(L1),
		[PERF_LEVEL_LFB] = LVL(LFB),
		[PERF_LEVEL_L2] = LVL(L2),
		[PERF_LEVEL_L3] = LVL(L3),
		[PERF_LEVEL_CORE_CLEAN] = LVL(L3),
		[PERF_LEVEL_CORE_HITM] = LVL(L3),
		[PERF_LEVEL_LOCAL_RAM] = LVL(LOC_RAM),
		[PERF_LEVEL_REMOTE_RAM] = LVL(REM_RAM1),
		[PERF_LEVEL_REMOTE_CLEAN] = LVL(REM_CCE1),
		[PERF_LEVEL_REMOTE_HITM] = LVL(REM_CCE1),
		[PERF_LEVEL_IO] = LVL(IO),
		[PERF_LEVEL_UNCACHED] = LVL(UNC),
	};

	return bits[level];
}

/* Adds the level bits to a sample whose level is given only by number. */
static void
widen(union perf_mem_data_src *d)
{
	enum perf_level level;

	if ((d->mem_lvl & ~(LVL(HIT) | LVL(MISS) | LVL(NA))) != 0 ||
		(d->mem_lvl & LVL(MISS)) != 0 || !has_number(d))
		return;
	level = by_number(d);
	if (level == PERF_LEVEL_UNKNOWN)
		return;
	if (level == PERF_LEVEL_REMOTE_CLEAN)
		d->mem_snoop |= SNOOP(HIT);
	d->val |= (uint64_t)(bits_of(level) | LVL(HIT)) << PERF_MEM_LVL_SHIFT;
}

static bool
counts_for(const struct perf_metric *m, const union perf_mem_data_src *d)
{
	if (!(d->mem_op & m->op))
		return false;
	if (m->level_of != 0 && !(d->mem_lvl & m->level_of))
		return false;
	if (m->outcome != 0 && !(d->mem_lvl & m->outcome))
		return false;
	if (m->snoop != 0 && !(d->mem_snoop & m->snoop))
		return false;
	return !(d->mem_snoop & m->no_snoop);
}

uint32_t
perf_data_src_metrics(uint64_t data_src)
{
	union perf_mem_data_src d = { .val = data_src };
	uint32_t set = 0;

	widen(&d);
	for (int i = 0; i < PERF_METRICS; i++)
		if (counts_for(&perf_metrics[i], &d))
			set |= 1u << i;
	return set;
}
