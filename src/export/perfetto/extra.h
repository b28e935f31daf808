/* SPDX-License-Identifier: MIT */
/*
 * extra.h - what a Perfetto trace has besides the values of rows: links, gaps
 * and findings. A row gets tracks for them when it has any.
 */
#ifndef WEFT_EXPORT_PERFETTO_EXTRA_H
#define WEFT_EXPORT_PERFETTO_EXTRA_H

#include "base/map.h"
#include "base/vec.h"
#include "export/perfetto/names.h"
#include "export/perfetto/wire.h"

struct perfetto_extra {
	struct perfetto_wire *wire; /* borrowed */
	struct arena *arena;        /* borrowed */
	struct map kind_of;         /* kind of links -> index + 1; owned */
	VEC(struct perfetto_name) kinds;
	struct perfetto_head findings; /* track of findings without a row */
	uint64_t nlinks, nowhere;
};

/* What a row has for links, lost events and findings. */
struct perfetto_extra_row {
	uint64_t track; /* track of the row; 0: not described */
	struct perfetto_head links, lost, findings;
	int64_t lost_until; /* end of the last gap */
};

void perfetto_extra_init(
	struct perfetto_extra *x, struct perfetto_wire *w, struct arena *a);
void perfetto_extra_fini(struct perfetto_extra *x);

/* Rows may be NULL: none. */
void perfetto_link(struct perfetto_extra *x, struct perfetto_extra_row *from,
	struct perfetto_extra_row *to, const struct link *l);
void perfetto_link_kind(struct perfetto_extra *x, const struct link_kind *kind);
void perfetto_gap(struct perfetto_extra *x, struct perfetto_extra_row *row,
	const struct gap *g);
void perfetto_finding(struct perfetto_extra *x, struct perfetto_extra_row *row,
	const struct sink_finding *f);

/* Writes a new value of a counter. */
void perfetto_counter(struct perfetto_wire *w, uint64_t time,
	const struct perfetto_head *head, int64_t value);

#endif
