/* SPDX-License-Identifier: MIT */
/* The input is the table of clock offsets of a trace with two nodes. */
#include <string.h>

#include "harness.h"

#define METADATA(loom) \
	"{\"version\":3,\"ovni\":{\"lib\":{\"version\":\"1.14.0\"," \
	"\"commit\":\"x\"},\"part\":\"thread\",\"tid\":10,\"pid\":9," \
	"\"loom\":\"" loom "\",\"app_id\":1," \
	"\"require\":{\"ovni\":\"1.1.0\"}," \
	"\"loom_cpus\":[{\"index\":0,\"phyid\":0}],\"finished\":1}}"

#define U32(n) n, 0, 0, 0
#define U64(n) U32(n), U32(0)

/* clang-format off */
static const uint8_t stream[] = {
	'o', 'v', 'n', 'i', U32(1),
	15, 'O', 'H', 'x', U64(10), U32(0), U32(0), U64(0),
	0, 'O', 'B', '.', U64(17),
	0, 'O', 'B', '.', 0, 0, 0, 0, 0, 8, 0, 0, /* hours later */
	0, 'O', 'B', '.', 0, 0, 0, 0, 0, 0, 0, 0x7f,
	0, 'O', 'H', 'e', 1, 0, 0, 0, 0, 0, 0, 0x7f,
};
/* clang-format on */

static void
add_node(struct harness *h, const char *meta, const char *data,
	const char *metadata)
{
	harness_write(h, meta, metadata, strlen(metadata));
	harness_write(h, data, stream, sizeof stream);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct harness h;

	if (h.dir[0] == '\0') {
		add_node(&h, "a/stream.json", "a/stream.obs", METADATA("a.1"));
		add_node(&h, "b/stream.json", "b/stream.obs", METADATA("b.1"));
	}
	harness_write(&h, "clock-offsets.txt", data, size);
	harness_emulate(&h, "", NULL);
	return 0;
}
