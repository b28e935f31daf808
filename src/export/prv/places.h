/* SPDX-License-Identifier: MIT */
/*
 * places.h - nodes and CPUs, as the header of a .prv file and the levels NODE
 * and CPU of a .row file have them.
 *
 * They follow from the places of rows. A row that is a CPU (place.cpu, and no
 * thread) gets a number among all CPUs, from 1, node by node: so nodes come in
 * the order of their CPUs' rows. A node without a CPU counts as one of one CPU.
 */
#ifndef WEFT_EXPORT_PRV_PLACES_H
#define WEFT_EXPORT_PRV_PLACES_H

#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "export/sink.h"

struct prv_node {
	const char *name;
	int ncpus;
	uint32_t first_cpu; /* how many CPUs nodes before it have */
};

struct prv_places {
	struct arena *arena; /* borrowed */
	VEC(struct prv_node) node;
	VEC(const char *) cpu; /* names, by number less 1 */
	struct map cpu_of;     /* node and the kernel's number: number; owned */
};

/* The number of the row's node, from 1; 0: it has none. */
uint32_t prv_places_node(struct prv_places *p, const struct row *row);

/* The number of the CPU that the row is; 0: it is none. Its node is known. */
uint32_t prv_places_cpu(
	struct prv_places *p, const struct row *row, uint32_t node);

/* Gives each node a CPU. All rows are known. */
void prv_places_end(struct prv_places *p);

void prv_places_fini(struct prv_places *p);

#endif
