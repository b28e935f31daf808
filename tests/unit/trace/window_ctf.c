/* SPDX-License-Identifier: MIT */
/* Windows of CTF traces: packets that lie before them are not decoded. */
#include <sys/stat.h>

#include "windows.h"

#define MAGIC 0xc1fc1fc1u
#define PACKET 32768 /* bytes */
#define EVENT 17     /* bytes: id, clock, field */

static const char metadata[] =
	"/* CTF 1.8 */\n"
	"typealias integer { size = 8; align = 8; } := uint8_t;\n"
	"typealias integer { size = 32; align = 8; } := uint32_t;\n"
	"typealias integer { size = 64; align = 8; } := uint64_t;\n"
	"trace { major = 1; minor = 8; byte_order = le; packet.header := "
	"struct { uint32_t magic; uint32_t stream_id; }; };\n"
	"clock { name = c; freq = 1000000000; offset_s = 5; };\n"
	"typealias integer { size = 64; align = 8; map = clock.c.value; } := "
	"ts_t;\n"
	"stream { id = 1; packet.context := struct { ts_t timestamp_begin; "
	"ts_t timestamp_end; uint64_t content_size; uint64_t packet_size; "
	"uint64_t events_discarded; uint64_t packet_seq_num; uint32_t cpu_id; "
	"}; event.header := struct { uint8_t id; ts_t timestamp; }; };\n"
	"event { name = \"e\"; id = 7; stream_id = 1; fields := struct { "
	"uint64_t x; }; };\n";

struct packet {
	uint32_t magic, stream_id;
	uint64_t begin, end, content, size, discarded, sequence;
	uint32_t cpu;
	uint8_t events[];
} __attribute__((packed));

/* A stream of many packets, of which some report lost events. */
static void
write_stream(const char *path, unsigned cpu, int packets)
{
	static union {
		struct packet p;
		uint8_t bytes[PACKET];
	} u;
	FILE *f = fopen(path, "wb");
	uint64_t state = 4711 + cpu, clock = 1000 + cpu;
	struct packet *p = &u.p;

	*p = (struct packet){
		.magic = MAGIC, .stream_id = 1, .size = PACKET * 8, .cpu = cpu
	};
	for (int i = 0; f != NULL && i < packets; i++) {
		uint64_t n = scratch_random(&state) % 1900;

		p->begin = clock;
		for (uint64_t j = 0; j < n; j++) {
			uint8_t *at = p->events + j * EVENT;

			clock += scratch_random(&state) % 100;
			at[0] = 7;
			memcpy(at + 1, &clock, sizeof clock);
			memcpy(at + 9, &state, sizeof state);
		}
		p->end = clock;
		p->content = (sizeof *p + n * EVENT) * 8;
		p->discarded += i % 50 == 49;
		p->sequence += i % 70 == 69 ? 2 : 1;
		fwrite(&u, 1, PACKET, f);
	}
	if (f != NULL)
		fclose(f);
}

static void
write_trace(char dir[64], int packets)
{
	FILE *f;

	scratch_enter(dir);
	f = mkdir("t", 0777) == 0 ? fopen("t/metadata", "wb") : NULL;
	if (f == NULL)
		return;
	fputs(metadata, f);
	fclose(f);
	write_stream("t/channel_0", 0, packets);
	write_stream("t/channel_1", 1, packets);
}

TEST(a_window_is_the_whole_filtered)
{
	static struct reading whole;
	char dir[64];

	write_trace(dir, 100);
	read_all(&whole, "t", NULL);
	CHECK(whole.seen.n > 40000);
	CHECK(whole.findings.list.n > 5);
	check_windows("t", NULL, &whole, 200);
	end_reading(&whole);
	scratch_leave(dir);
}

TEST(a_window_of_a_hundredth_reads_less_than_a_twentieth)
{
	static struct reading whole, part;
	int64_t last, length;
	char dir[64];

	write_trace(dir, 300);
	read_all(&whole, "t", NULL);
	last = whole.seen.at[whole.seen.n - 1].time - whole.start;
	length = last / 100;
	for (int64_t from = 0; from < last; from += last / 7) {
		read_window(&part, "t", NULL, from, from + length);
		CHECK(is_window(&whole, &part, from, from + length));
		CHECK(part.read_bytes * 20 < part.all_bytes);
	}
	end_reading(&whole);
	end_reading(&part);
	scratch_leave(dir);
}

TEST(losses_of_packets_before_a_window_are_said)
{
	static struct reading want, got;
	char dir[64];

	write_trace(dir, 300);
	remove("t/channel_1");
	for (int64_t from = 0; from < 10000000; from += 999999) {
		read_some(&want, "t", NULL, false, from, from + 5000);
		read_window(&got, "t", NULL, from, from + 5000);
		check_findings(&want, &got);
	}
	CHECK(got.findings.list.n > 2);
	end_reading(&want);
	end_reading(&got);
	scratch_leave(dir);
}

/* The header is as a tracer leaves it before completing the packet. */
TEST(packets_without_an_end_are_read)
{
	static struct reading whole;
	const uint64_t none = 0;
	char dir[64];
	FILE *f;

	write_trace(dir, 60);
	f = fopen("t/channel_0", "r+b");
	for (long i = 20; f != NULL && i < 40; i++) {
		fseek(f, i * PACKET + 16, SEEK_SET);
		fwrite(&none, sizeof none, 1, f);
	}
	if (f != NULL)
		fclose(f);
	read_all(&whole, "t", NULL);
	check_windows("t", NULL, &whole, 50);
	end_reading(&whole);
	scratch_leave(dir);
}

TEST_MAIN(RUN(a_window_is_the_whole_filtered),
	RUN(a_window_of_a_hundredth_reads_less_than_a_twentieth),
	RUN(losses_of_packets_before_a_window_are_said),
	RUN(packets_without_an_end_are_read))
