/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "sim/hook.h"
#include "task/book.h"
#include "weft/task.h"

/* The tasks of messages in the buffers of a port. */
struct port_tasks {
	struct weft_sim_hook hook;
	struct weft_sim_port *port;
};

static void
at_head(const struct weft_sim_port *p, const struct weft_sim_buffer *b,
	const struct weft_sim_msg *msg)
{
	weft_task_milestone(p->domain.parent, task_id_at(&b->domain, msg),
		WEFT_WAIT_QUEUE, p->domain.name);
}

static void
enters(const struct weft_sim_port *p, const struct weft_sim_buffer *b,
	struct weft_sim_msg *msg)
{
	weft_task_start(p->domain.parent,
		&(struct weft_task){ .id = task_id_at(&b->domain, msg),
			.parent = msg->response_to != 0 ? msg->response_to
							: msg->id,
			.kind = b == &p->in ? "incoming_buffer"
					    : "outgoing_buffer",
			.what = msg->type == NULL ? "message" : msg->type,
			.location = b->domain.name,
			.detail = msg });
}

static void
leaves(const struct weft_sim_port *p, const struct weft_sim_buffer *b,
	const struct weft_sim_msg *msg)
{
	const struct weft_sim_msg *head = weft_sim_peek(b);

	weft_task_end(p->domain.parent, task_id_at(&b->domain, msg));
	if (head != NULL)
		at_head(p, b, head);
}

/* A message is received before it is in the buffer, and sent when it is. */
static void
call(struct weft_sim_hook *hook, const struct weft_sim_hook_ctx *ctx)
{
	struct weft_sim_port *p = ((struct port_tasks *)hook)->port;

	/* What came in while the owner was traced ends all the same. */
	if (ctx->pos == &weft_sim_port_take_in)
		leaves(p, &p->in, ctx->item);
	else if (ctx->pos == &weft_sim_port_take_out)
		leaves(p, &p->out, ctx->item);
	else if (!weft_task_traced(p->domain.parent))
		return;
	else if (ctx->pos == &weft_sim_port_recvd) {
		enters(p, &p->in, ctx->item);
		if (p->in.size == 0)
			at_head(p, &p->in, ctx->item);
	} else if (ctx->pos == &weft_sim_port_send) {
		enters(p, &p->out, ctx->item);
		if (p->out.size == 1)
			at_head(p, &p->out, ctx->item);
	}
}

int
weft_task_port(struct weft_sim_port *p)
{
	struct weft_sim_engine *e = p->domain.engine;
	struct port_tasks *tasks;

	sim_take_turn(e);
	if (p->tasks != NULL)
		return sim_fault(e, WEFT_SIM_TWICE,
			"%s: its messages are tasks already", p->domain.name);
	tasks = ARENA_NEW(sim_arena(e), struct port_tasks);
	tasks->hook.call = call;
	tasks->port = p;
	p->tasks = tasks;
	return weft_sim_hook_attach(&p->domain, &tasks->hook, WEFT_SIM_ON_PORT);
}
