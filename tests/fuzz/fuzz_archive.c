/* SPDX-License-Identifier: MIT */
/* The input is an archive: a tar or zip file, also compressed, or a file of xz
 * or bzip2. What it holds is unpacked under limits, and nothing outside of its
 * directory may appear. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/driver.h"
#include "base/bug.h"
#include "harness.h"

#define BYTES (1 << 20)
#define ENTRIES 100

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct archive_limits limits = { { BYTES, "" }, ENTRIES };
	struct archive_result result = { 0 };
	static struct harness h;
	struct err err = { 0 };
	char path[80], to[80], outside[80], in[96];

	harness_write(&h, "archive", data, size);
	snprintf(path, sizeof path, "%s/archive", h.dir);
	snprintf(to, sizeof to, "%s/in/to", h.dir);
	snprintf(outside, sizeof outside, "%s/in", h.dir);
	snprintf(in, sizeof in, "%s/file", to);
	mkdir(outside, 0700);
	mkdir(to, 0700);
	if (weft_archive_driver.is_archive(path))
		weft_archive_driver.unpack(path, to, &limits, &result, &err);
	else
		weft_archive_driver.inflate(
			path, in, &limits, &result, &(struct err){ 0 });
	BUG_ON(harness_remove(to) > BYTES);
	BUG_ON(rmdir(outside) != 0); /* something else is there */
	return 0;
}
