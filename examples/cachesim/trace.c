/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "parts.h"

static void
add_line(struct trace *t, uint64_t line, bool write)
{
	if (t->n == t->room) {
		t->room = t->room == 0 ? 4096 : 2 * t->room;
		t->access = realloc(t->access, t->room * sizeof *t->access);
		if (t->access == NULL)
			exit(3);
	}
	t->access[t->n++] = (struct access){ line, write };
}

void
trace_add(struct trace *t, uint64_t address, uint64_t size, bool write)
{
	uint64_t last = (address + size - 1) / LINE;

	for (uint64_t line = address / LINE; line <= last; line++)
		add_line(t, line, write);
}

bool
trace_lackey(struct trace *t, const char *path)
{
	FILE *file = fopen(path, "r");
	char text[256], kind;
	uint64_t address, size;

	if (file == NULL)
		return false;
	while (fgets(text, sizeof text, file) != NULL) {
		if (sscanf(text, " %c %" SCNx64 ",%" SCNu64, &kind, &address,
			    &size) != 3 ||
			size == 0)
			continue;
		if (kind == 'L' || kind == 'M')
			trace_add(t, address, size, false);
		if (kind == 'S' || kind == 'M')
			trace_add(t, address, size, true);
	}
	fclose(file);
	return true;
}

void
trace_matrix(struct trace *t, uint64_t n, uint64_t from, uint64_t step)
{
	uint64_t size = 8 * n * n, a = 0x100000, b = a + size, c = b + size;

	for (uint64_t i = from; i < n; i += step)
		for (uint64_t j = 0; j < n; j++) {
			for (uint64_t k = 0; k < n; k++) {
				trace_add(t, a + 8 * (i * n + k), 8, false);
				trace_add(t, b + 8 * (k * n + j), 8, false);
			}
			trace_add(t, c + 8 * (i * n + j), 8, true);
		}
}
