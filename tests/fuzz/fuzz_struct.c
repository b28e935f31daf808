/* SPDX-License-Identifier: MIT */
/* The input is a structure file. A module that was read answers for each
 * address in it, and for some beside. */
#include <stdio.h>

#include "base/arena.h"
#include "base/bug.h"
#include "harness.h"
#include "mem/structure/outline.h"
#include "mem/structure/struct_file.h"

static void
ask(struct module *m, uint64_t address)
{
	struct frames f = module_code(m, address);
	struct locals l = module_locals(m, address);

	BUG_ON(f.n < 1);
	for (int i = 0; i < l.n; i++)
		BUG_ON(l.at[i].size > 0 &&
			locals_at(&l, l.at[i].offset) == NULL);
	module_variable(m, address);
	module_local(m, address);
	module_section_name(m, address);
}

static void
check(struct module *m)
{
	const struct outline *o = m->outline;

	for (int i = 0; i < o->range.n; i++) {
		BUG_ON(outline_at(o, o->range.at[i].lo) < 0);
		ask(m, o->range.at[i].lo);
		ask(m, o->range.at[i].hi);
	}
	for (int i = 0; i < m->variable.n; i++)
		ask(m, m->variable.at[i].address);
	for (int i = 0; i < o->scope.n; i++)
		BUG_ON(o->scope.at[i].parent >= i);
	ask(m, 0);
	ask(m, UINT64_MAX);
	module_declare(m);
	module_close(m);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct harness h;
	struct struct_modules modules = { 0 };
	struct arena a = { 0 };
	struct err err = { 0 };
	char path[96];

	harness_write(&h, "struct", data, size);
	snprintf(path, sizeof path, "%s/struct", h.dir);
	if (struct_read(&modules, &a, path, &err))
		for (int i = 0; i < modules.list.n; i++)
			check(modules.list.at[i]);
	else
		BUG_ON(err.text[0] == '\0' || modules.list.n > 0);
	arena_fini(&a);
	return 0;
}
