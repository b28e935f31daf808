/* SPDX-License-Identifier: MIT */
#include "test.h"

#include <string.h>

#include "export/proto.h"

static void
check_bytes(struct proto *p, const char *want, size_t n)
{
	CHECK_INT(p->n, n);
	CHECK(p->n == n && memcmp(p->at, want, n) == 0);
	proto_fini(p);
}

/* The examples of the documents of Protocol Buffers. */
TEST(fields_have_the_documented_bytes)
{
	struct proto p = { 0 };

	proto_u64(&p, 1, 150);
	proto_text(&p, 2, "testing");
	check_bytes(&p, "\x08\x96\x01\x12\x07testing", 12);
	proto_i64(&p, 1, -2);
	check_bytes(&p, "\x08\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11);
	proto_fixed64(&p, 47, 0x0102);
	check_bytes(&p, "\xf9\x02\x02\x01\0\0\0\0\0\0", 10);
	proto_bytes(&p, 3, "", 0);
	check_bytes(&p, "\x1a\0", 2);
}

TEST(messages_nest_at_any_length)
{
	struct proto p = { 0 };
	char text[200];
	size_t outer, inner;

	memset(text, 'x', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	outer = proto_begin(&p, 1);
	inner = proto_begin(&p, 2);
	proto_text(&p, 3, text); /* 1 + 2 + 199 bytes */
	proto_end(&p, inner);
	proto_u64(&p, 4, 5);
	proto_end(&p, outer);
	CHECK(memcmp(p.at, "\x0a\xcf\x01\x12\xca\x01\x1a\xc7\x01x", 10) == 0);
	CHECK(memcmp(p.at + p.n - 3, "x\x20\x05", 3) == 0);
	CHECK_INT(p.n, 3 + 3 + 3 + 199 + 2);
	proto_fini(&p);
}

TEST(texts_are_repaired_and_counted)
{
	struct proto p = { 0 };

	proto_text(&p, 1, "a\xff");
	CHECK_INT(p.mended, 1);
	check_bytes(&p,
		"\x0a\x04"
		"a\xef\xbf\xbd",
		6);
}

TEST_MAIN(RUN(fields_have_the_documented_bytes),
	RUN(messages_nest_at_any_length), RUN(texts_are_repaired_and_counted))
