/* SPDX-License-Identifier: MIT */
/* Every data source that a kernel writes: its class, and what it counts for. */
#include "perf/data_src.h"

#include "test.h"

#define OP(x) ((uint64_t)PERF_MEM_OP_##x << PERF_MEM_OP_SHIFT)
#define LVL(x) ((uint64_t)PERF_MEM_LVL_##x << PERF_MEM_LVL_SHIFT)
#define SNP(x) ((uint64_t)PERF_MEM_SNOOP_##x << PERF_MEM_SNOOP_SHIFT)
#define TLB(x) ((uint64_t)PERF_MEM_TLB_##x << PERF_MEM_TLB_SHIFT)
#define LOCKED PERF_MEM_S(LOCK, LOCKED)
#define NUM(x) ((uint64_t)PERF_MEM_LVLNUM_##x << PERF_MEM_LVLNUM_SHIFT)
#define REM PERF_MEM_S(REMOTE, REMOTE)
#define FWD PERF_MEM_S(SNOOPX, FWD)
#define PEER ((uint64_t)2 << PERF_MEM_SNOOPX_SHIFT)
#define HOPS(n) ((uint64_t)(n) << PERF_MEM_HOPS_SHIFT)
#define LEVEL(n) ((uint64_t)(n) << PERF_MEM_LVLNUM_SHIFT)
#define HIT (OP(LOAD) | LVL(HIT))
#define STORE OP(STORE)

/* Positions in perf_metrics. */
enum {
	LOAD,
	FBHIT,
	L1HIT,
	L2HIT,
	LLC,
	HITM_LOCAL,
	HITM_RMT,
	RMT_HIT,
	LCL_RAM,
	RMT_RAM,
	MISSED,
	IO,
	SHARED,
	UNC,
	EXCLUSIVE,
	STORES,
	ST_L1HIT,
	ST_L1MISS,
	ST_UNC
};

#define M1(a) (1u << LOAD | 1u << (a))
#define M2(a, b) (M1(a) | 1u << (b))

/* clang-format off */
static const struct row {
	const char *name;
	uint64_t value;
	enum perf_level level;
	uint32_t metrics;
} rows[] = {
	/* Load latency on Intel Sandy Bridge: its 16 codes. */
	{ "intel 0", OP(LOAD) | LVL(MISS) | LVL(L3) | SNP(NA), PERF_LEVEL_UNKNOWN, M1(MISSED) },
	{ "intel 1", HIT | LVL(L1) | SNP(NONE), PERF_LEVEL_L1, M1(L1HIT) },
	{ "intel 2", HIT | LVL(LFB) | SNP(NONE), PERF_LEVEL_LFB, M1(FBHIT) },
	{ "intel 3", HIT | LVL(L2) | SNP(NONE), PERF_LEVEL_L2, M1(L2HIT) },
	{ "intel 4", HIT | LVL(L3) | SNP(NONE), PERF_LEVEL_L3, M1(LLC) },
	{ "intel 5", HIT | LVL(L3) | SNP(MISS), PERF_LEVEL_L3, M1(LLC) },
	{ "intel 6", HIT | LVL(L3) | SNP(HIT), PERF_LEVEL_CORE_CLEAN, M1(LLC) },
	{ "intel 7", HIT | LVL(L3) | SNP(HITM), PERF_LEVEL_CORE_HITM, M1(HITM_LOCAL) },
	{ "intel 8", HIT | LVL(REM_CCE1) | SNP(HIT), PERF_LEVEL_REMOTE_CLEAN, M1(RMT_HIT) },
	{ "intel 9", HIT | LVL(REM_CCE1) | SNP(HITM), PERF_LEVEL_REMOTE_HITM, M1(HITM_RMT) },
	{ "intel a", HIT | LVL(LOC_RAM) | SNP(HIT), PERF_LEVEL_LOCAL_RAM, M2(LCL_RAM, SHARED) },
	{ "intel b", HIT | LVL(REM_RAM1) | SNP(HIT), PERF_LEVEL_REMOTE_RAM, M2(RMT_RAM, SHARED) },
	{ "intel c", HIT | LVL(LOC_RAM) | SNP(NONE) | SNP(MISS), PERF_LEVEL_LOCAL_RAM, M2(LCL_RAM, EXCLUSIVE) },
	{ "intel d", HIT | LVL(REM_RAM1) | SNP(NONE) | SNP(MISS), PERF_LEVEL_REMOTE_RAM, M2(RMT_RAM, EXCLUSIVE) },
	{ "intel e", HIT | LVL(IO) | SNP(NONE), PERF_LEVEL_IO, M1(IO) },
	{ "intel f", HIT | LVL(UNC) | SNP(NONE), PERF_LEVEL_UNCACHED, M1(UNC) },
	/* The same levels with a level number as well, as newer kernels report
	 * them. */
	{ "numbered 0", OP(LOAD) | LVL(MISS) | LVL(L3) | NUM(L3) | SNP(NA), PERF_LEVEL_UNKNOWN, M1(MISSED) },
	{ "numbered 1", HIT | LVL(L1) | NUM(L1) | SNP(NONE), PERF_LEVEL_L1, M1(L1HIT) },
	{ "numbered 2", HIT | LVL(LFB) | NUM(LFB) | SNP(NONE), PERF_LEVEL_LFB, M1(FBHIT) },
	{ "numbered 3", HIT | LVL(L2) | NUM(L2) | SNP(NONE), PERF_LEVEL_L2, M1(L2HIT) },
	{ "numbered 4", HIT | LVL(L3) | NUM(L3) | SNP(NONE), PERF_LEVEL_L3, M1(LLC) },
	{ "numbered 7", HIT | LVL(L3) | NUM(L3) | SNP(HITM), PERF_LEVEL_CORE_HITM, M1(HITM_LOCAL) },
	{ "numbered 8", HIT | LVL(REM_CCE1) | REM | NUM(L3) | SNP(HIT), PERF_LEVEL_REMOTE_CLEAN, M1(RMT_HIT) },
	{ "numbered 9", HIT | LVL(REM_CCE1) | REM | NUM(L3) | SNP(HITM), PERF_LEVEL_REMOTE_HITM, M1(HITM_RMT) },
	{ "numbered a", HIT | LVL(LOC_RAM) | NUM(RAM) | SNP(HIT), PERF_LEVEL_LOCAL_RAM, M2(LCL_RAM, SHARED) },
	{ "numbered d", HIT | LVL(REM_RAM1) | REM | NUM(RAM) | SNP(NONE) | SNP(MISS), PERF_LEVEL_REMOTE_RAM, M2(RMT_RAM, EXCLUSIVE) },
	{ "numbered e", HIT | LVL(IO) | NUM(NA) | SNP(NONE), PERF_LEVEL_IO, M1(IO) },
	{ "numbered f", HIT | LVL(UNC) | NUM(NA) | SNP(NONE), PERF_LEVEL_UNCACHED, M1(UNC) },
	/* Skylake and later: five codes by number only. */
	{ "skylake 8, L4", HIT | NUM(L4) | SNP(HIT), PERF_LEVEL_CORE_CLEAN, M1(LLC) },
	{ "skylake 8, PMEM", HIT | NUM(PMEM) | SNP(HIT), PERF_LEVEL_PMEM, 1u << LOAD },
	{ "skylake 9, L4", HIT | NUM(L4) | REM | SNP(HIT), PERF_LEVEL_REMOTE_CLEAN, M1(RMT_HIT) },
	{ "skylake 9, PMEM", HIT | NUM(PMEM) | REM | SNP(HIT), PERF_LEVEL_PMEM, 1u << LOAD },
	{ "skylake b", HIT | NUM(RAM) | REM | SNP(NONE), PERF_LEVEL_REMOTE_RAM, M2(RMT_RAM, EXCLUSIVE) },
	{ "skylake c", HIT | NUM(ANY_CACHE) | REM | FWD, PERF_LEVEL_REMOTE_CLEAN, M1(RMT_HIT) },
	{ "skylake d", HIT | NUM(ANY_CACHE) | REM | SNP(HITM), PERF_LEVEL_REMOTE_HITM, M1(HITM_RMT) },
	/* Efficient cores: a line forwarded by another core. */
	{ "gracemont 5", HIT | LVL(L3) | NUM(L3) | SNP(HIT), PERF_LEVEL_CORE_CLEAN, M1(LLC) },
	{ "gracemont 6", HIT | LVL(L3) | NUM(L3) | SNP(HITM), PERF_LEVEL_CORE_HITM, M1(HITM_LOCAL) },
	{ "gracemont 8", HIT | LVL(L3) | NUM(L3) | FWD, PERF_LEVEL_CORE_CLEAN, M1(LLC) },
	{ "crestmont 8", HIT | NUM(L3) | FWD, PERF_LEVEL_CORE_CLEAN, M1(LLC) },
	/* Nehalem: 5 to 7 differ. */
	{ "nehalem 5", HIT | LVL(L3) | SNP(HIT), PERF_LEVEL_CORE_CLEAN, M1(LLC) },
	{ "nehalem 6", HIT | LVL(L3) | SNP(HITM), PERF_LEVEL_CORE_HITM, M1(HITM_LOCAL) },
	/* Stores of Intel. */
	{ "store in L1", STORE | LVL(HIT) | LVL(L1), PERF_LEVEL_L1, 1u << STORES | 1u << ST_L1HIT },
	{ "store missed L1", STORE | LVL(MISS) | LVL(L1), PERF_LEVEL_UNKNOWN, 1u << STORES | 1u << ST_L1MISS },
	{ "store, no level", STORE | LVL(NA), PERF_LEVEL_UNKNOWN, 1u << STORES },
	{ "store uncached", STORE | LVL(HIT) | LVL(UNC), PERF_LEVEL_UNCACHED, 1u << STORES | 1u << ST_UNC },
	/* IBS of AMD sets level bits, and no level number; from Zen 4 on it
	 * also sets hops. */
	{ "ibs no op", OP(NA), PERF_LEVEL_UNKNOWN, 0 },
	{ "ibs L1", HIT | LVL(L1), PERF_LEVEL_L1, M1(L1HIT) },
	{ "ibs L2", HIT | LVL(L2), PERF_LEVEL_L2, M1(L2HIT) },
	{ "ibs miss buffer", HIT | LVL(LFB), PERF_LEVEL_LFB, M1(FBHIT) },
	{ "ibs L3", HIT | LVL(L3), PERF_LEVEL_L3, M1(LLC) },
	{ "ibs near CCX", HIT | LVL(REM_CCE1) | NUM(ANY_CACHE) | REM | HOPS(1), PERF_LEVEL_CORE_CLEAN, 1u << LOAD },
	{ "ibs far CCX", HIT | LVL(REM_CCE1) | NUM(ANY_CACHE) | REM | HOPS(2), PERF_LEVEL_REMOTE_CLEAN, 1u << LOAD },
	{ "ibs far CCX, modified", HIT | LVL(REM_CCE2) | SNP(HITM) | REM | HOPS(3), PERF_LEVEL_REMOTE_HITM, M1(HITM_RMT) },
	{ "ibs RAM", HIT | LVL(LOC_RAM), PERF_LEVEL_LOCAL_RAM, M2(LCL_RAM, EXCLUSIVE) },
	{ "ibs remote RAM", HIT | LVL(REM_RAM1) | REM | HOPS(2), PERF_LEVEL_REMOTE_RAM, M2(RMT_RAM, EXCLUSIVE) },
	{ "ibs PMEM", HIT | NUM(PMEM), PERF_LEVEL_PMEM, 1u << LOAD },
	{ "ibs CXL", HIT | LEVEL(9), PERF_LEVEL_CXL, 1u << LOAD },
	{ "ibs I/O", HIT | LVL(IO), PERF_LEVEL_IO, M1(IO) },
	{ "ibs I/O by number", HIT | LEVEL(10), PERF_LEVEL_IO, M1(IO) },
	/* POWER 8 and 9 by bits, POWER 10 by number. */
	{ "power L1", HIT | LVL(L1), PERF_LEVEL_L1, M1(L1HIT) },
	{ "power RAM", HIT | LVL(LOC_RAM) | SNP(HIT), PERF_LEVEL_LOCAL_RAM, M2(LCL_RAM, SHARED) },
	{ "power RAM, 2 hops", HIT | LVL(REM_RAM2) | SNP(HIT), PERF_LEVEL_REMOTE_RAM, M2(RMT_RAM, SHARED) },
	{ "power cache, 2 hops", HIT | LVL(REM_CCE2) | SNP(HIT), PERF_LEVEL_REMOTE_CLEAN, M1(RMT_HIT) },
	{ "power cache, modified", HIT | LVL(REM_CCE2) | SNP(HITM), PERF_LEVEL_REMOTE_HITM, M1(HITM_RMT) },
	{ "power store", STORE | LVL(MISS) | LVL(L1), PERF_LEVEL_UNKNOWN, 1u << STORES | 1u << ST_L1MISS },
	{ "power10 L2 of a core", HIT | NUM(L2) | REM | HOPS(1), PERF_LEVEL_CORE_CLEAN, M1(LLC) },
	{ "power10 L3, peer", HIT | NUM(L3) | REM | HOPS(1) | PEER, PERF_LEVEL_CORE_CLEAN, M1(LLC) },
	{ "power10 RAM", HIT | NUM(RAM) | REM | HOPS(4), PERF_LEVEL_REMOTE_RAM, M2(RMT_RAM, EXCLUSIVE) },
	/* Arm SPE. */
	{ "spe peer core", HIT | LVL(L2) | NUM(L2) | PEER, PERF_LEVEL_CORE_CLEAN, M1(L2HIT) },
	{ "spe remote", HIT | NUM(ANY_CACHE) | REM | PEER, PERF_LEVEL_REMOTE_CLEAN, M1(RMT_HIT) },
	/* Newest kernels. */
	{ "L0", HIT | LEVEL(7), PERF_LEVEL_L1, M1(L1HIT) },
	{ "memory-side cache", HIT | LEVEL(6), PERF_LEVEL_L3, M1(LLC) },
	{ "L2 miss buffer", HIT | LEVEL(5), PERF_LEVEL_LFB, M1(FBHIT) },
	/* The source that the kernel gives to a software event. */
	{ "software", 0x1e05080021, PERF_LEVEL_UNKNOWN, 0 },
	{ "nothing", 0, PERF_LEVEL_UNKNOWN, 0 },
};
/* clang-format on */

TEST(each_value_has_its_class_and_metrics)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct row *r = &rows[i];
		struct perf_access a = perf_data_src_decode(r->value);

		if (a.level != r->level ||
			perf_data_src_metrics(r->value) != r->metrics)
			printf("# %s: %s, metrics %x, not %x\n", r->name,
				perf_level_name(a.level),
				perf_data_src_metrics(r->value), r->metrics);
		CHECK(a.level == r->level);
		CHECK(perf_data_src_metrics(r->value) == r->metrics);
	}
}

TEST(translation_lock_and_blocks_are_read_apart)
{
	uint64_t l1 = HIT | LVL(L1) | TLB(HIT) | TLB(L1) | TLB(L2);
	struct perf_access a = perf_data_src_decode(l1 | LOCKED);

	CHECK(a.tlb == PERF_TLB_L1 && a.locked && !a.data_blocked);
	a = perf_data_src_decode(TLB(HIT) | TLB(L2));
	CHECK(a.tlb == PERF_TLB_L2 && !a.locked);
	a = perf_data_src_decode(TLB(MISS) | TLB(L2));
	CHECK(a.tlb == PERF_TLB_WALK);
	a = perf_data_src_decode(TLB(HIT) | TLB(WK));
	CHECK(a.tlb == PERF_TLB_UNKNOWN);
	a = perf_data_src_decode(TLB(WK));
	CHECK(a.tlb == PERF_TLB_WALK);
	a = perf_data_src_decode(TLB(MISS) | TLB(OS));
	CHECK(a.tlb == PERF_TLB_FAULT);
	a = perf_data_src_decode(TLB(NA));
	CHECK(a.tlb == PERF_TLB_UNKNOWN);
	a = perf_data_src_decode(PERF_MEM_S(BLK, DATA) | PERF_MEM_S(BLK, ADDR));
	CHECK(a.data_blocked && a.addr_blocked);
}

TEST(names_are_there_and_differ)
{
	for (int i = 0; i < PERF_METRICS; i++) {
		CHECK(perf_metrics[i].name != NULL);
		CHECK(perf_metrics[i].other != NULL);
		for (int j = 0; j < i; j++)
			CHECK(strcmp(perf_metrics[i].name,
				      perf_metrics[j].name) != 0);
	}
	for (int i = 0; i < PERF_LEVELS; i++)
		CHECK(perf_level_name((enum perf_level)i) != NULL);
	CHECK_STR(perf_metrics[LCL_RAM].other, "Load-miss-to-lcl-DRAM");
}

TEST(any_bits_have_a_text_that_fits)
{
	char text[PERF_DATA_SRC_TEXT];

	for (unsigned bit = 0; bit < 64; bit++) {
		perf_data_src_text(1ull << bit, text);
		CHECK(strlen(text) < sizeof text);
		perf_data_src_text(~(1ull << bit), text);
		CHECK(strlen(text) < sizeof text);
	}
	perf_data_src_text(0x11868100242, text);
	CHECK_STR(text,
		"|OP LOAD|LVL LFB/MAB or LFB/MAB hit|SNP None"
		"|TLB L1 or L2 hit|LCK No|BLK  N/A");
}

TEST_MAIN(RUN(each_value_has_its_class_and_metrics),
	RUN(translation_lock_and_blocks_are_read_apart),
	RUN(names_are_there_and_differ), RUN(any_bits_have_a_text_that_fits))
