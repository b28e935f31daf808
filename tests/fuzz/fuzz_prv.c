/* SPDX-License-Identifier: MIT */
/* The input is a .prv file, and behind its first NUL the .pcf file, and behind
 * the next one the .row file. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "check_sink.h"
#include "export/order.h"
#include "export/prv_in/prv_in.h"
#include "export/stat/stat.h"
#include "harness.h"

static void
ignore(void *arg, const struct reader_finding *f)
{
	(void)arg;
	(void)f;
}

static void
read_records(const char *path)
{
	struct arena a = { 0 };
	struct err err = { 0 };
	struct reader_setup setup = { .path = path, .finding = ignore };
	struct stat_options options = { .dir = "/tmp" };
	struct reader *r = reader_prv.open(&a, &setup, &err);
	struct sink *sink;

	if (r == NULL) {
		arena_fini(&a);
		return;
	}
	sink = check_sink_open(&a, stat_open(&a, &options), r->rows_grow);
	if (r->unordered)
		sink = order_open(&a, sink, 1 << 16, "/tmp", &err);
	reader_read(r, sink, &err);
	sink_close(sink, &err);
	reader_close(r);
	arena_fini(&a);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = { "x.prv", "x.pcf", "x.row" };
	static struct harness h;
	char path[80];

	for (int i = 0; i < 3; i++) {
		size_t n = size == 0 ? 0 : strnlen((const char *)data, size);

		harness_write(&h, names[i], data, i < 2 ? n : size);
		data += n < size ? n + 1 : size;
		size -= n < size ? n + 1 : size;
	}
	snprintf(path, sizeof path, "%s/x.prv", h.dir);
	read_records(path);
	return 0;
}
