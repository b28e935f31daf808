/* SPDX-License-Identifier: MIT */
#include "sim/engine.h"

int
sim_apply(struct weft_sim_engine *e, const struct op *op)
{
	switch (op->kind) {
	case OP_SCHEDULE:
		queue_push(&e->queue, op->time, op->handler, op->arg);
		break;
	case OP_TICKED:
	case OP_TICK_NOW:
	case OP_TICK_LATER:
		ticker_apply(e, op);
		break;
	case OP_ATTACH:
	case OP_ATTACH_BELOW:
		return hook_apply_attach(op->domain, op->arg, op->mask,
			op->kind == OP_ATTACH_BELOW);
	case OP_DETACH:
		return hook_apply_detach(op->domain, op->arg);
	}
	return WEFT_SIM_OK;
}

int
sim_do(struct weft_sim_engine *e, const struct op *op)
{
	if (e->core.in_round)
		turn_write(turn_of(e), op);
	else if (e->late && op->kind >= OP_ATTACH)
		VEC_PUSH(&e->late_ops, &e->arena, *op);
	else
		return sim_apply(e, op);
	return WEFT_SIM_OK;
}
