/* SPDX-License-Identifier: MIT */
/* The input is a user's model; only reading it is tried. */
#include <stdio.h>

#include "base/arena.h"
#include "emu/model_file.h"
#include "harness.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct harness h;
	struct arena arena = { 0 };
	struct err err = { 0 };
	char path[128];

	harness_write(&h, "user.model", data, size);
	snprintf(path, sizeof path, "%s/user.model", h.dir);
	model_file_read(&arena, path, &err);
	arena_fini(&arena);
	return 0;
}
