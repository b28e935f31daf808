/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "perf/data_src.h"

/* Names of bits, from the lowest; bit 0 is "not available". */
static const char *const ops[] = { "N/A", "LOAD", "STORE", "PFETCH", "EXEC" };
static const char *const levels[] = { "N/A", "HIT", "MISS", "L1", "LFB/MAB",
	"L2", "L3", "Local RAM", "Remote RAM (1 hop)", "Remote RAM (2 hops)",
	"Remote Cache (1 hop)", "Remote Cache (2 hops)", "I/O", "Uncached" };
static const char *const snoops[] = { "N/A", "None", "Hit", "Miss", "HitM" };
static const char *const tlbs[] = { "N/A", "HIT", "MISS", "L1", "L2", "Walker",
	"Fault" };
static const char *const level_numbers[] = { NULL, "L1", "L2", "L3", "L4", "L5",
	"L6", "L7", "L8", "CXL", "I/O", "Any cache", "LFB/MAB", "RAM", "PMEM",
	"N/A" };
static const char *const hops[] = { NULL, "core, same node",
	"node, same socket", "socket, same board", "board", "L5", "L6", "L7" };

#define HIT 2u /* also of the TLB bits */
#define MISS 4u

struct text {
	char *at, *end;
};

static void
put(struct text *t, const char *s)
{
	size_t n = strlen(s), room = (size_t)(t->end - t->at);

	n = n < room ? n : room;
	memcpy(t->at, s, n);
	t->at += n;
	*t->at = '\0';
}

/* Writes the names of the bits with "or" between them. Returns their number. */
static int
put_bits(struct text *t, uint64_t bits, const char *const *names)
{
	int n = 0;

	for (int i = 0; bits != 0; i++, bits >>= 1) {
		if (!(bits & 1))
			continue;
		put(t, n++ > 0 ? " or " : "");
		put(t, names[i]);
	}
	return n;
}

static void
put_outcome(struct text *t, uint64_t bits)
{
	put(t, bits & HIT ? " hit" : "");
	put(t, bits & MISS ? " miss" : "");
}

static void
put_level(struct text *t, const union perf_mem_data_src *d)
{
	const char *begin = t->at;
	int n = 0;

	put(t, d->mem_remote ? "Remote " : "");
	if (d->mem_hops != 0) {
		put(t, hops[d->mem_hops]);
		put(t, " ");
	} else {
		n = put_bits(t, d->mem_lvl & ~(uint64_t)(HIT | MISS), levels);
	}
	if (d->mem_lvl_num != 0) {
		put(t, n > 0 ? " or " : "");
		put(t, level_numbers[d->mem_lvl_num]);
	}
	if (t->at == begin)
		put(t, "N/A");
	put_outcome(t, d->mem_lvl);
}

static void
put_snoop(struct text *t, const union perf_mem_data_src *d)
{
	int n = put_bits(t, d->mem_snoop, snoops);

	if (d->mem_snoopx & PERF_MEM_SNOOPX_FWD) {
		put(t, n++ > 0 ? " or " : "");
		put(t, "Fwd");
	}
	if (d->mem_snoopx & PERF_MEM_SNOOPX_PEER) {
		put(t, n++ > 0 ? " or " : "");
		put(t, "Peer");
	}
	if (n == 0)
		put(t, "N/A");
}

static void
put_blocked(struct text *t, uint64_t bits)
{
	if (bits == 0 || (bits & PERF_MEM_BLK_NA) != 0) {
		put(t, " N/A");
		return;
	}
	put(t, bits & PERF_MEM_BLK_DATA ? " Data" : "");
	put(t, bits & PERF_MEM_BLK_ADDR ? " Addr" : "");
}

static const char *
op_name(uint64_t bits)
{
	for (int i = 0; i < 5; i++)
		if (bits & (1u << i))
			return ops[i];
	return "No";
}

static const char *
lock_name(uint64_t bits)
{
	if (bits & PERF_MEM_LOCK_NA)
		return "N/A";
	return bits & PERF_MEM_LOCK_LOCKED ? "Yes" : "No";
}

void
perf_data_src_text(uint64_t data_src, char text[PERF_DATA_SRC_TEXT])
{
	union perf_mem_data_src d = { .val = data_src };
	struct text t = { text, text + PERF_DATA_SRC_TEXT - 1 };

	put(&t, "|OP ");
	put(&t, op_name(d.mem_op));
	put(&t, "|LVL ");
	put_level(&t, &d);
	put(&t, "|SNP ");
	put_snoop(&t, &d);
	put(&t, "|TLB ");
	if (put_bits(&t, d.mem_dtlb & ~(uint64_t)(HIT | MISS), tlbs) == 0)
		put(&t, "N/A");
	put_outcome(&t, d.mem_dtlb);
	put(&t, "|LCK ");
	put(&t, lock_name(d.mem_lock));
	put(&t, "|BLK ");
	put_blocked(&t, d.mem_blk);
}
