/* SPDX-License-Identifier: MIT */
#include "cli/trace/tar.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"

#define BLOCK 512
#define SIZE_MAX_USTAR ((UINT64_C(1) << 33) - 1) /* 11 octal digits */

/* The block before a file. */
struct head {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], sum[8];
	char type, link[100], magic[6], version[2], user[32], group[32];
	char major[8], minor[8], prefix[155], rest[12];
};

static_assert(sizeof(struct head) == BLOCK, "a head is a block");

static void
put_head(struct outfile *f, const char *name, char type, uint64_t size,
	int64_t mtime)
{
	struct head h = { .type = type,
		.mode = "0000644",
		.uid = "0000000",
		.gid = "0000000",
		.magic = "ustar",
		.version = { '0', '0' },
		.major = "0000000",
		.minor = "0000000" };
	const unsigned char *bytes = (const unsigned char *)&h;
	unsigned sum = 0;

	memccpy(h.name, name, '\0', sizeof h.name);
	snprintf(h.size, sizeof h.size, "%011" PRIo64,
		size <= SIZE_MAX_USTAR ? size : 0);
	snprintf(h.mtime, sizeof h.mtime, "%011" PRIo64,
		mtime < 0 ? 0 : (uint64_t)mtime & SIZE_MAX_USTAR);
	memset(h.sum, ' ', sizeof h.sum);
	for (size_t i = 0; i < sizeof h; i++)
		sum += bytes[i];
	snprintf(h.sum, sizeof h.sum, "%06o", sum);
	outfile_write(f, &h, sizeof h);
}

/* Returns the length of a record "LENGTH key=value\n", which counts itself. */
static uint64_t
record_length(const char *key, const char *value)
{
	uint64_t rest = strlen(key) + strlen(value) + 3, n = rest + 1;

	while ((uint64_t)snprintf(NULL, 0, "%" PRIu64, n) + rest != n)
		n++;
	return n;
}

void
tar_file(struct outfile *f, const char *name, uint64_t size, int64_t mtime)
{
	char big[32];
	bool is_long = strlen(name) >= sizeof((struct head *)0)->name;
	uint64_t n = 0, m = 0;

	snprintf(big, sizeof big, "%" PRIu64, size);
	if (is_long)
		n = record_length("path", name);
	if (size > SIZE_MAX_USTAR)
		m = record_length("size", big);
	if (n + m > 0) {
		put_head(f, "pax", 'x', n + m, mtime);
		if (n > 0)
			outfile_printf(f, "%" PRIu64 " path=%s\n", n, name);
		if (m > 0)
			outfile_printf(f, "%" PRIu64 " size=%s\n", m, big);
		tar_pad(f, n + m);
	}
	put_head(f, name, '0', size, mtime);
}

void
tar_pad(struct outfile *f, uint64_t size)
{
	static const char zeros[BLOCK];

	if (size % BLOCK > 0)
		outfile_write(f, zeros, BLOCK - size % BLOCK);
}

void
tar_end(struct outfile *f)
{
	static const char zeros[2 * BLOCK];

	outfile_write(f, zeros, sizeof zeros);
}
