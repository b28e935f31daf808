/* SPDX-License-Identifier: MIT */
/*
 * The input is a user's model and, after a line "==", a text trace. The model
 * emulates the trace; its records must be in the order of time, whatever the
 * model does.
 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/bug.h"
#include "check_sink.h"
#include "emu/emu.h"
#include "emu/model_file.h"
#include "export/order.h"
#include "export/stat/stat.h"
#include "harness.h"
#include "trace/source.h"

#define MARK "\n==\n"

static void
emulate(struct arena *a, struct harness *h, const struct model_list *loaded)
{
	struct findings findings;
	struct source_options options = { 0 };
	struct emu_options with = { .extra = loaded->model.at,
		.nextra = loaded->model.n };
	struct stat_options stat = { .numbers = true };
	struct err err = { 0 };
	const char *path = arena_printf(a, "%s/x.tt", h->dir);
	struct source *source;
	struct sink *sink;
	struct emu *emu;

	findings_init(&findings, a, 20);
	source = sources_open(a, path, &options, &findings, &err);
	if (source == NULL)
		return;
	sink = check_sink_open(a, stat_open(a, &stat), false);
	sink = order_open(a, sink, 4096, h->dir, &err);
	emu = emu_open(a, source, sink, &with, &err);
	if (emu != NULL) {
		emu_run(emu, NULL);
		emu_close(emu);
	}
	sink_close(sink, &(struct err){ 0 });
	source_close(source);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct harness h;
	struct arena arena = { 0 };
	struct model_list loaded = { 0 };
	struct err err = { 0 };
	const uint8_t *mark = memmem(data, size, MARK, strlen(MARK));
	size_t n = mark == NULL ? size : (size_t)(mark - data) + 1;
	const uint8_t *rest = mark == NULL ? data + size : mark + strlen(MARK);

	harness_write(&h, "user.model", data, n);
	harness_write(&h, "x.tt", rest, (size_t)(data + size - rest));
	if (model_file_read(&arena, &loaded,
		    arena_printf(&arena, "%s/user.model", h.dir), &err))
		emulate(&arena, &h, &loaded);
	arena_fini(&arena);
	return 0;
}
