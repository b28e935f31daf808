/* SPDX-License-Identifier: MIT */
#include "mem/structure/struct_out.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
by_lo(const void *pa, const void *pb)
{
	const struct struct_range *a = pa, *b = pb;

	if (a->lo != b->lo)
		return a->lo < b->lo ? -1 : 1;
	return (a->hi > b->hi) - (a->hi < b->hi);
}

void
struct_add_range(
	struct struct_ranges *r, struct arena *a, int64_t lo, uint64_t size)
{
	VEC_PUSH(
		&r->list, a, ((struct struct_range){ lo, lo + (int64_t)size }));
}

void
struct_join(struct struct_ranges *r)
{
	int n = 0;

	if (r->list.n == 0)
		return;
	qsort(r->list.at, (size_t)r->list.n, sizeof *r->list.at, by_lo);
	for (int i = 0; i < r->list.n; i++) {
		struct struct_range at = r->list.at[i];

		if (n > 0 && at.lo <= r->list.at[n - 1].hi) {
			if (at.hi > r->list.at[n - 1].hi)
				r->list.at[n - 1].hi = at.hi;
		} else {
			r->list.at[n++] = at;
		}
	}
	r->list.n = n;
}

/* Writes an address, or a distance from the CFA, which may be negative. */
static int
print_hex(char *to, size_t size, int64_t value, bool is_distance)
{
	if (is_distance && value < 0)
		return snprintf(to, size, "-0x%" PRIx64, -(uint64_t)value);
	return snprintf(to, size, "0x%" PRIx64, (uint64_t)value);
}

static void
put_ranges(struct struct_out *o, const char *name,
	const struct struct_ranges *r, bool is_distance)
{
	char text[64];

	xml_write_bare(o->xml, " ");
	xml_write_bare(o->xml, name);
	xml_write_bare(o->xml, "=\"{");
	for (int i = 0; i < r->list.n; i++) {
		int n = snprintf(text, sizeof text, i > 0 ? " [" : "[");

		n += print_hex(text + n, sizeof text - (size_t)n,
			r->list.at[i].lo, is_distance);
		n += snprintf(text + n, sizeof text - (size_t)n, "-");
		n += print_hex(text + n, sizeof text - (size_t)n,
			r->list.at[i].hi, is_distance);
		snprintf(text + n, sizeof text - (size_t)n, ")");
		xml_write_bare(o->xml, text);
	}
	xml_write_bare(o->xml, "}\"");
}

static void
put_text(struct struct_out *o, const char *name, const char *value)
{
	if (value != NULL)
		xml_write_text(o->xml, name, value);
}

void
struct_begin(struct struct_out *o, const struct struct_element *e)
{
	bool is_local = e->live != NULL;

	xml_write_begin(o->xml, e->tag);
	xml_write_number(o->xml, "i", ++o->number);
	put_text(o, "n", e->name);
	if (e->link != NULL && e->name != NULL && strcmp(e->link, e->name) != 0)
		xml_write_text(o->xml, "ln", e->link);
	if (e->file != NULL && o->file != NULL && strcmp(e->file, o->file) != 0)
		xml_write_text(o->xml, "f", e->file);
	if (e->line > 0)
		xml_write_number(o->xml, "l", e->line);
	if (e->range != NULL)
		put_ranges(o, "v", e->range, is_local);
	if (is_local)
		put_ranges(o, "live", e->live, false);
	put_text(o, "t", e->type);
	put_text(o, "k", e->kind);
	put_text(o, "s", e->section);
}

void
struct_end(struct struct_out *o, const char *tag)
{
	xml_write_end(o->xml, tag);
}

void
struct_in_file(struct struct_out *o, const char *file)
{
	if (file != NULL && o->file != NULL && strcmp(file, o->file) == 0)
		return;
	if (o->file != NULL)
		xml_write_end(o->xml, "F");
	o->file = file;
	if (file == NULL)
		return;
	xml_write_begin(o->xml, "F");
	xml_write_number(o->xml, "i", ++o->number);
	xml_write_text(o->xml, "n", file);
}
