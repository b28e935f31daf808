/* SPDX-License-Identifier: MIT */
/*
 * machine.h - nodes and CPUs, for the header of a .prv file and the levels NODE
 * and CPU of a .row file.
 *
 * They follow from the row identities (`place`). A row that stands for a CPU
 * (place.cpu set, tid -1) gets a number among all CPUs, from 1, node by node;
 * so nodes are ordered as their CPUs' rows. A node without a CPU counts as
 * having one.
 */
#ifndef WEFT_EXPORT_PRV_MACHINE_H
#define WEFT_EXPORT_PRV_MACHINE_H

#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "export/sink.h"

struct prv_node {
	const char *name;
	int ncpus;
	uint32_t first_cpu; /* number of CPUs of all nodes before this one */
};

struct prv_machine {
	struct arena *arena; /* borrowed */
	VEC(struct prv_node) node;
	VEC(const char *) cpu; /* names of the CPUs, by number - 1 */
	struct map cpu_of;     /* (node, kernel's CPU number) -> number;
	                        * owned */
};

/* Returns the number of the row's node, from 1; 0: the row has no node. */
uint32_t prv_machine_node(struct prv_machine *p, const struct row *row);

/* Returns the number of the CPU that the row stands for; 0: none. `node` must
 * be the number of the row's node. */
uint32_t prv_machine_cpu(
	struct prv_machine *p, const struct row *row, uint32_t node);

/* Makes sure that the only node has that CPU (from 1; VALUE_NONE: none).
 * Returns false if there are several nodes, whose CPUs would have to be counted
 * before the first one is used. */
bool prv_machine_use_cpu(struct prv_machine *p, int64_t cpu);

/* Gives one CPU to each node without a CPU. Call it when all rows are known. */
void prv_machine_end(struct prv_machine *p);

void prv_machine_fini(struct prv_machine *p);

#endif
