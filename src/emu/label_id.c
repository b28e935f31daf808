/* SPDX-License-Identifier: MIT */
#include "emu/label_id.h"

#include <stddef.h>
#include <string.h>

static void
mix(uint32_t v[3])
{
	static const uint8_t shift[3][3] = {
		{ 13, 8, 13 },
		{ 12, 16, 5 },
		{ 3, 10, 15 },
	};
	uint32_t a = v[0], b = v[1], c = v[2];

	for (int i = 0; i < 3; i++) {
		a = (a - b - c) ^ (c >> shift[i][0]);
		b = (b - c - a) ^ (a << shift[i][1]);
		c = (c - a - b) ^ (b >> shift[i][2]);
	}
	v[0] = a;
	v[1] = b;
	v[2] = c;
}

static uint32_t
hash(const uint8_t *text, size_t n)
{
	uint32_t v[3] = { 0x9e3779b9, 0x9e3779b9, 0xfeedbeef };
	uint8_t block[12];
	size_t left = n;

	for (; left >= sizeof block; left -= sizeof block) {
		for (int i = 0; i < 12; i++)
			v[i / 4] += (uint32_t)text[i] << (8 * (i % 4));
		mix(v);
		text += sizeof block;
	}
	/* The last block holds the length in the low byte of c. */
	memset(block, 0, sizeof block);
	memcpy(block, text, left < 8 ? left : 8);
	if (left > 8)
		memcpy(block + 9, text + 8, left - 8);
	v[2] += (uint32_t)n;
	for (int i = 0; i < 12; i++)
		v[i / 4] += (uint32_t)block[i] << (8 * (i % 4));
	mix(v);
	return v[2];
}

uint32_t
label_id(const char *label)
{
	uint32_t id = hash((const uint8_t *)label, strlen(label));

	id = (id + 666) & 0x7fffffff;
	return id < 1000 ? id + 1000 : id;
}
