/* SPDX-License-Identifier: MIT */
#include "mem/db/findings.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/arena.h"

void
mem_findings_add(struct mem_findings *f, const char *file, uint64_t at,
	const char *fmt, ...)
{
	struct mem_finding *new;
	char text[256];
	va_list ap;

	if (f->n++ >= FINDINGS_MOST)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	new = VEC_ADD(&f->list, f->arena);
	*new = (struct mem_finding){ arena_strdup(f->arena, file), at,
		arena_strdup(f->arena, text) };
}
