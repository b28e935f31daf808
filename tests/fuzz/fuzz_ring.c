/* SPDX-License-Identifier: MIT */
/* The input is the header page of a ring, without the zeros at its end,
 * followed by the bytes of the ring; these are repeated until the ring is
 * full. */
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "inproc/core/ringfile.h"

#define RING 16384
#define U32(n) n, 0, 0, 0
#define U64(n) U32(n), U32(0)

/* clang-format off */
static const uint8_t stream[] = {
	'o', 'v', 'n', 'i', U32(1),
	15, 'O', 'H', 'x', U64(10), U32(0), U32(0), U64(0),
	0, 'O', 'B', '.', U64(11),
};
/* clang-format on */

static const char meta[] =
	"{\"version\": 3, \"ovni\": {\"lib\": {\"version\": \"1.14.0\", "
	"\"commit\": \"x\"}, \"part\": \"thread\", \"tid\": 1, \"pid\": 1, "
	"\"loom\": \"n\", \"app_id\": 1, \"require\": {\"ovni\": \"1.1.0\"}, "
	"\"loom_cpus\": [{\"index\": 0, \"phyid\": 0}]}, \"weft\": {\"ring\": "
	"{\"kind\": \"tmpfs\", \"id\": \"2a\", \"file\": \"%s/ring\"}}}";

static void
write_all(struct harness *h)
{
	char text[1024];
	int n;

	harness_write(h, "stream.obs", stream, sizeof stream);
	n = snprintf(text, sizeof text, meta, h->dir);
	harness_write(h, "stream.json", text, (size_t)n);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct harness h;
	static uint8_t file[RINGFILE_PAGE + RING];
	size_t n =
		size < sizeof(struct ringfile) ? size : sizeof(struct ringfile);
	struct ringfile page = { 0 };

	memcpy(&page, data, n);
	memcpy(page.magic, RINGFILE_MAGIC, sizeof page.magic);
	page.version = RINGFILE_VERSION;
	page.id = 0x2a;
	memcpy(file, &page, sizeof page);
	for (size_t i = 0; i < RING; i++)
		file[RINGFILE_PAGE + i] =
			size > n ? data[n + i % (size - n)] : 0;
	if (h.dir[0] == '\0')
		write_all(&h);
	harness_write(&h, "ring", file, sizeof file);
	harness_emulate(&h, "", NULL);
	return 0;
}
