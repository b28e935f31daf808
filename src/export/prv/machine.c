/* SPDX-License-Identifier: MIT */
#include "export/prv/machine.h"

#include <string.h>

#include "base/arena.h"

#define CPUS_MAX 65535

uint32_t
prv_machine_node(struct prv_machine *p, const struct row *row)
{
	const char *name = row->identity == NULL ? NULL : row->identity->node;

	if (name == NULL)
		return 0;
	for (int i = p->node.n - 1; i >= 0; i--)
		if (strcmp(p->node.at[i].name, name) == 0)
			return (uint32_t)i + 1;
	VEC_PUSH(&p->node, p->arena,
		((struct prv_node){ arena_strdup(p->arena, name), 0, 0 }));
	return (uint32_t)p->node.n;
}

static void
add_cpu(struct prv_machine *p, struct prv_node *node, const char *name)
{
	if (node->ncpus++ == 0)
		node->first_cpu = (uint32_t)p->cpu.n;
	VEC_PUSH(&p->cpu, p->arena, arena_strdup(p->arena, name));
}

uint32_t
prv_machine_cpu(struct prv_machine *p, const struct row *row, uint32_t node)
{
	const struct row_identity *place = row->identity;
	struct prv_node *of;
	uint64_t *number;

	if (node == 0 || place->cpu < 0 || place->tid >= 0)
		return 0;
	number = map_put(
		&p->cpu_of, (uint64_t)node << 32 | (uint32_t)place->cpu);
	if (*number != 0)
		return (uint32_t)*number;
	of = &p->node.at[node - 1];
	for (struct prv_node *n = p->node.at; n < of; n++)
		if (n->ncpus == 0)
			add_cpu(p, n, "CPU");
	/* The next number already belongs to another node. */
	if (of->ncpus > 0 &&
		of->first_cpu + (uint32_t)of->ncpus != (uint32_t)p->cpu.n)
		return 0;
	if (of->ncpus == 0)
		for (int i = (int)node; i < p->node.n; i++)
			if (p->node.at[i].ncpus > 0)
				return 0;
	add_cpu(p, of, row->name + strspn(row->name, " "));
	*number = (uint64_t)p->cpu.n;
	return (uint32_t)p->cpu.n;
}

bool
prv_machine_use_cpu(struct prv_machine *p, int64_t cpu)
{
	if (p->node.n != 1 || cpu > CPUS_MAX)
		return false;
	while (p->node.at[0].ncpus < cpu)
		add_cpu(p, &p->node.at[0],
			arena_printf(
				p->arena, "CPU %d", p->node.at[0].ncpus + 1));
	return true;
}

void
prv_machine_end(struct prv_machine *p)
{
	for (int i = 0; i < p->node.n; i++)
		if (p->node.at[i].ncpus == 0)
			add_cpu(p, &p->node.at[i], "CPU");
}

void
prv_machine_fini(struct prv_machine *p)
{
	map_fini(&p->cpu_of);
}
