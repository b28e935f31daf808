/* SPDX-License-Identifier: MIT */
#include "base/bytes.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	"values are copied as they lie in the trace");

const char *
bytes_str(struct bytes *b)
{
	const uint8_t *nul = NULL;

	if (!b->bad)
		nul = memchr(b->at, 0, bytes_left(b));
	if (nul == NULL) {
		b->bad = true;
		return NULL;
	}
	return (const char *)bytes_take(b, (size_t)(nul - b->at) + 1);
}
