/* SPDX-License-Identifier: MIT */
#include "perf/record.h"

#include <linux/perf_event.h>

#include "test.h"

#define ALL ((uint64_t)PERF_SAMPLE_MAX - 1)

static unsigned char bytes[4096];
static size_t size;

static void
begin(uint32_t type, uint16_t misc)
{
	struct perf_event_header h = { .type = type, .misc = misc };

	memset(bytes, 0xee, sizeof bytes);
	memcpy(bytes, &h, sizeof h);
	size = sizeof h;
}

static void
put(const void *data, size_t n)
{
	memcpy(bytes + size, data, n);
	size += n;
}

static void
u64(uint64_t value)
{
	put(&value, sizeof value);
}

static void
u32(uint32_t value)
{
	put(&value, sizeof value);
}

static void
text(const char *s)
{
	put(s, strlen(s) + 1);
	while (size % 8 != 0)
		put("", 1);
}

static bool
parse(struct perf_record *r, const struct perf_event_attr *attr)
{
	((struct perf_event_header *)(void *)bytes)->size = (uint16_t)size;
	return perf_record_parse(r, attr, bytes, size);
}

static struct perf_event_attr
attr_of(uint64_t type)
{
	return (struct perf_event_attr){ .sample_type = type,
		.sample_id_all = 1,
		.sample_regs_user = 0x105,
		.sample_regs_intr = 0x2 };
}

/* The bits of `type` in the order of the kernel; each has a value of its own.
 */
static void
put_head(uint64_t type)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		u64(16);
	if (type & PERF_SAMPLE_IP)
		u64(0x1000);
	if (type & PERF_SAMPLE_TID) {
		u32(11);
		u32(12);
	}
	if (type & PERF_SAMPLE_TIME)
		u64(13);
	if (type & PERF_SAMPLE_ADDR)
		u64(0x2000);
	if (type & PERF_SAMPLE_ID)
		u64(16);
	if (type & PERF_SAMPLE_STREAM_ID)
		u64(17);
	if (type & PERF_SAMPLE_CPU) {
		u32(18);
		u32(0);
	}
	if (type & PERF_SAMPLE_PERIOD)
		u64(19);
}

static void
put_lists(uint64_t type)
{
	if (type & PERF_SAMPLE_READ)
		u64(20);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		u64(2);
		u64(21);
		u64(22);
	}
	if (type & PERF_SAMPLE_RAW) {
		u32(4);
		u32(23);
	}
	if (type & PERF_SAMPLE_BRANCH_STACK) {
		u64(1);
		u64(24);
		u64(25);
		u64(26);
	}
	if (type & PERF_SAMPLE_REGS_USER) {
		u64(PERF_SAMPLE_REGS_ABI_64);
		u64(27);
		u64(28);
		u64(29);
	}
	if (type & PERF_SAMPLE_STACK_USER) {
		u64(8);
		u64(30);
		u64(5);
	}
}

static void
put_tail(uint64_t type)
{
	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		u64(0x0003000200000031);
	if (type & PERF_SAMPLE_DATA_SRC)
		u64(32);
	if (type & PERF_SAMPLE_TRANSACTION)
		u64(33);
	if (type & PERF_SAMPLE_REGS_INTR) {
		u64(PERF_SAMPLE_REGS_ABI_64);
		u64(34);
	}
	if (type & PERF_SAMPLE_PHYS_ADDR)
		u64(35);
	if (type & PERF_SAMPLE_CGROUP)
		u64(36);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		u64(4096);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		u64(8192);
	if (type & PERF_SAMPLE_AUX) {
		u64(8);
		u64(37);
	}
}

static void
put_sample(uint64_t type)
{
	begin(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	put_head(type);
	put_lists(type);
	put_tail(type);
}

/* Checks that the value is `want` if the field was requested, else 0. */
#define IF(bit, got, want) \
	CHECK_INT((got), type &PERF_SAMPLE_##bit ? (want) : 0)

static void
check_sample(uint64_t type, const struct perf_record *r)
{
	const struct perf_sample *s = &r->sample;
	bool full = (type & PERF_SAMPLE_WEIGHT) != 0;
	uint64_t value = 0;

	IF(IP, s->ip, 0x1000);
	IF(TID, r->tid, 12);
	IF(TIME, r->time, 13);
	IF(ADDR, s->addr, 0x2000);
	IF(STREAM_ID, r->stream_id, 17);
	IF(CPU, r->cpu, 18);
	IF(PERIOD, s->period, 19);
	IF(READ, s->read.n, 1);
	IF(CALLCHAIN, s->chain.n, 2);
	if (s->chain.n == 2)
		CHECK_INT(perf_list_at(&s->chain, 1), 22);
	IF(RAW, s->raw.size, 4);
	IF(BRANCH_STACK, s->branch.n, 3);
	IF(REGS_USER, s->user.value.n, 3);
	if (s->user.value.n == 3)
		value = perf_list_at(&s->user.value, 2);
	IF(REGS_USER, value, 29);
	IF(STACK_USER, s->stack.size, 8);
	IF(STACK_USER, s->stack_used, 5);
	if (full)
		CHECK(s->weight == 0x0003000200000031);
	else
		IF(WEIGHT_STRUCT, s->weight, 0x31);
	if (!full)
		IF(WEIGHT_STRUCT, s->weight_3, 3);
	IF(DATA_SRC, s->data_src, 32);
	IF(TRANSACTION, s->transaction, 33);
	IF(REGS_INTR, s->interrupted.value.n, 1);
	IF(PHYS_ADDR, s->phys_addr, 35);
	IF(CGROUP, s->cgroup, 36);
	IF(DATA_PAGE_SIZE, s->data_page, 4096);
	IF(CODE_PAGE_SIZE, s->code_page, 8192);
	IF(AUX, s->aux.size, 8);
}

/* Tests all fields, none, each alone, all without each, and many mixtures. */
TEST(every_field_is_read_at_its_place)
{
	struct perf_record r;
	uint64_t seed = 1;

	for (int i = 0; i < 2000 && !test_failed; i++) {
		uint64_t type = i < 25 ? 1ull << i
			: i < 50       ? ALL & ~(1ull << (i - 25))
			: i == 50      ? ALL
				       : (seed >> 20) & ALL;
		struct perf_event_attr attr = attr_of(type);

		put_sample(type);
		CHECK(parse(&r, &attr));
		check_sample(type, &r);
		CHECK_INT(perf_record_id(&attr, bytes, size), r.id);
		seed = seed * 6364136223846793005u + 1442695040888963407u;
	}
}

TEST(a_cut_sample_is_refused_at_every_length)
{
	struct perf_event_attr attr = attr_of(ALL);
	struct perf_record r;
	size_t whole;

	put_sample(ALL);
	CHECK(parse(&r, &attr));
	whole = size;
	for (size = 0; size < whole; size++)
		CHECK(!parse(&r, &attr));
	size = whole;
	CHECK(parse(&r, &attr));
	for (size_t n = 0; n < whole; n++) /* shorter than its header says */
		CHECK(!perf_record_parse(&r, &attr, bytes, n));
}

TEST(counters_of_a_group_have_their_words)
{
	struct perf_event_attr attr = attr_of(PERF_SAMPLE_READ);
	struct perf_record r;

	attr.read_format = 0x1f; /* times, ids, group, lost */
	begin(PERF_RECORD_SAMPLE, 0);
	u64(2);
	u64(100);
	u64(50);
	for (uint64_t i = 1; i <= 6; i++)
		u64(i);
	CHECK(parse(&r, &attr));
	CHECK_INT(r.sample.read.n, 2);
	CHECK_INT(r.sample.read.enabled, 100);
	CHECK_INT(r.sample.read.running, 50);
	CHECK_INT(r.sample.read.width, 3);
	CHECK_INT(perf_list_at(&r.sample.read.value, 3), 4);
	attr.read_format &= ~(uint64_t)PERF_FORMAT_GROUP;
	begin(PERF_RECORD_SAMPLE, 0);
	for (uint64_t i = 1; i <= 5; i++)
		u64(i);
	CHECK(parse(&r, &attr));
	CHECK_INT(perf_list_at(&r.sample.read.value, 0), 1);
	CHECK_INT(r.sample.read.running, 3);
	CHECK_INT(r.sample.read.id, 4);
	CHECK_INT(r.sample.read.lost, 5);
}

TEST(a_list_longer_than_its_record_is_refused)
{
	struct perf_event_attr attr = attr_of(PERF_SAMPLE_CALLCHAIN);
	struct perf_record r;
	uint64_t many[] = { 3, 1ull << 61, ~0ull };

	for (int i = 0; i < 3; i++) {
		begin(PERF_RECORD_SAMPLE, 0);
		u64(many[i]);
		u64(1);
		u64(2);
		CHECK(!parse(&r, &attr));
	}
}

TEST(a_sample_in_the_kernel_has_no_registers_and_no_stack)
{
	struct perf_event_attr attr = attr_of(PERF_SAMPLE_REGS_USER |
		PERF_SAMPLE_STACK_USER | PERF_SAMPLE_DATA_SRC);
	struct perf_record r;

	begin(PERF_RECORD_SAMPLE, 0);
	u64(PERF_SAMPLE_REGS_ABI_NONE);
	u64(0); /* no bytes of stack: no count of them either */
	u64(7);
	CHECK(parse(&r, &attr));
	CHECK_INT(r.sample.data_src, 7);
}

static void
put_id(void)
{
	u32(11);
	u32(12);
	u64(13);
	u32(18);
	u32(0);
	u64(16);
}

#define ID_BITS \
	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | \
		PERF_SAMPLE_IDENTIFIER)

TEST(maps_have_a_file_or_a_build_id)
{
	struct perf_event_attr attr = attr_of(ID_BITS);
	struct perf_record r;

	for (int build_id = 0; build_id < 2; build_id++) {
		begin(PERF_RECORD_MMAP2,
			build_id ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0);
		u32(1);
		u32(2);
		u64(0x400000);
		u64(0x1000);
		u64(0x2000);
		u32(build_id ? 20 : 8);
		u32(build_id ? 0xabcdef01 : 1);
		u64(77);
		u64(78);
		u32(5);
		u32(2);
		text("/bin/true");
		put_id();
		CHECK(parse(&r, &attr));
		CHECK_INT(r.mmap.offset, 0x2000);
		CHECK_INT(r.mmap.inode, build_id ? 0 : 77);
		CHECK_INT(r.mmap.build_id[0], build_id ? 1 : 0);
		CHECK_INT(r.mmap.prot, 5);
		CHECK_STR(r.mmap.name, "/bin/true");
		CHECK_INT(r.time, 13);
		CHECK_INT(perf_record_id(&attr, bytes, size), 16);
	}
}

TEST(other_records_have_their_fields)
{
	struct perf_event_attr attr = attr_of(ID_BITS);
	struct perf_record r;

	begin(PERF_RECORD_COMM, 0);
	u32(1);
	u32(2);
	text("worker");
	put_id();
	CHECK(parse(&r, &attr));
	CHECK_STR(r.comm.name, "worker");
	begin(PERF_RECORD_FORK, 0);
	u32(1);
	u32(2);
	u32(3);
	u32(4);
	u64(99);
	put_id();
	CHECK(parse(&r, &attr));
	CHECK_INT(r.task.ptid, 4);
	CHECK_INT(r.task.time, 99);
	begin(PERF_RECORD_LOST, 0);
	u64(5);
	u64(6);
	put_id();
	CHECK(parse(&r, &attr));
	CHECK_INT(r.lost.n, 6);
	begin(PERF_RECORD_THROTTLE, 0);
	u64(7);
	u64(8);
	u64(9);
	put_id();
	CHECK(parse(&r, &attr));
	CHECK_INT(r.throttle.stream_id, 9);
	begin(PERF_RECORD_SWITCH_CPU_WIDE, PERF_RECORD_MISC_SWITCH_OUT);
	u32(3);
	u32(4);
	put_id();
	CHECK(parse(&r, &attr));
	CHECK_INT(r.other.tid, 4);
	CHECK_INT(r.cpu, 18);
	begin(PERF_RECORD_SWITCH, 0);
	put_id();
	CHECK(parse(&r, &attr));
	CHECK_INT(r.tid, 12);
	begin(PERF_RECORD_COMM, 0); /* a name without an end */
	u32(1);
	u32(2);
	put("abcdefgh", 8);
	put_id();
	CHECK(!parse(&r, &attr));
}

TEST_MAIN(RUN(every_field_is_read_at_its_place),
	RUN(a_cut_sample_is_refused_at_every_length),
	RUN(counters_of_a_group_have_their_words),
	RUN(a_list_longer_than_its_record_is_refused),
	RUN(a_sample_in_the_kernel_has_no_registers_and_no_stack),
	RUN(maps_have_a_file_or_a_build_id),
	RUN(other_records_have_their_fields))
