/* SPDX-License-Identifier: MIT */
/* The input is the stream.json beside a stream that holds a few events. */
#include "harness.h"

#define U32(n) n, 0, 0, 0
#define U64(n) U32(n), U32(0)

/* clang-format off */
static const uint8_t stream[] = {
	'o', 'v', 'n', 'i', U32(1),
	15, 'O', 'H', 'x', U64(10), U32(0), U32(0), U64(0),
	11, 'O', 'M', '[', U64(11), U64(7), U32(2),
	0x13, '6', 'Y', 'c', U64(12), U32(6), U32(1), 'a', 0,
	7, '6', 'T', 'c', U64(13), U32(1), U32(1),
	3, '6', 'T', 'x', U64(14), U32(1),
	3, 'O', 'A', 's', U64(15), U32(1),
	0, 'V', 'T', 'x', U64(16),
	0, 'O', 'H', 'e', U64(17),
};
/* clang-format on */

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct harness h;

	if (h.dir[0] == '\0')
		harness_write(&h, "stream.obs", stream, sizeof stream);
	harness_write(&h, "stream.json", data, size);
	harness_emulate(&h, "", "prv");
	return 0;
}
