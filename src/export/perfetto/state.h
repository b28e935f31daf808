/* SPDX-License-Identifier: MIT */
/* state.h - what the Perfetto sink keeps: classes, types, rows and tracks. A
 * part of perfetto.c. */
#ifndef WEFT_EXPORT_PERFETTO_STATE_H
#define WEFT_EXPORT_PERFETTO_STATE_H

#include "base/vec.h"
#include "export/perfetto/extra.h"
#include "export/perfetto/names.h"
#include "export/perfetto/wire.h"
#include "export/primary.h"

#define NOT_CHOSEN (-2)
#define DEEPEST 512 /* slices that Perfetto nests; it drops deeper ones */

/* How the values of a type are drawn. */
enum how { SLICES, STATES, COUNTER, INSTANTS };

struct pf_type {
	const char *title, *about, *unit;
	struct pf_class *class;
	int pos; /* position among the types of its class */
	enum how how;
	bool before; /* as in struct type */
	struct perfetto_names names;
};

struct pf_class {
	struct pf_class *next;
	const char *name;
	uint64_t track;
	int primary; /* position of a type; -1: none; or NOT_CHOSEN */
	int nrows, ntypes;
	struct primary candidates;
};

/* A type of a row. */
struct pf_track {
	struct perfetto_head head; /* length 0: there was no record yet */
	uint32_t depth, room;      /* entries of `stack` */
	uint32_t quick; /* the lowest entries, of which quick.h takes changes;
	                 * 0 for other types than SLICES */
	int64_t *stack; /* the values shown, bottom first */
	int64_t last;   /* a point that is not written yet, or the time of the
	                 * last record of a `before` type */
};

struct pf_row {
	const char *name;
	struct pf_class *class;
	int pos; /* position in the class */
	int ntracks;
	struct pf_track *track; /* by position of the type */
	struct perfetto_extra_row extra;
	bool is_thread;
	int64_t pid, tid;
	uint64_t parent;
};

struct pf {
	struct sink base;
	struct arena *arena; /* borrowed */
	struct perfetto_wire wire;
	struct perfetto_extra extra;
	struct pf_class *classes, **last_class;
	const char *note; /* appended to the names of classes */
	bool os, states;  /* options */
	VEC(struct pf_row) rows;
	VEC(struct pf_type) types;
	int64_t end;
	uint64_t deep, unset, panels;
};

#endif
