/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "sim/hook.h"
#include "task/direct.h"
#include "weft/task.h"

/* A hook that makes tasks of the messages in a port's buffers. */
struct port_tasks {
	struct weft_sim_hook hook;
	struct weft_sim_port *port;
};

static struct weft_milestone
queued(const struct weft_sim_port *p)
{
	return (struct weft_milestone){ .kind = WEFT_WAIT_QUEUE,
		.what = p->domain.name };
}

/* Starts the task of a message that enters the buffer, in which `others`
 * messages were. */
static __attribute__((noinline)) void
enters(const struct weft_sim_port *p, const struct weft_sim_buffer *b,
	struct weft_sim_msg *msg, uint32_t others)
{
	struct weft_sim_domain *d = p->domain.parent;
	struct weft_milestone wait = queued(p);
	struct weft_task task = { .id = task_id_at(&b->domain, msg),
		.parent = msg->response_to != 0 ? msg->response_to : msg->id,
		.kind = b == &p->in ? "incoming_buffer" : "outgoing_buffer",
		.what = msg->type == NULL ? "message" : msg->type,
		.location = b->domain.name,
		.detail = msg };
	struct task_entry *entry = NULL;
	struct direct x;

	if (direct_may(d) && direct_open(&x, d))
		entry = direct_start(&x, d, &task, task.location, task.id);
	if (entry == NULL)
		weft_task_start(d, &task);
	if (others > 0)
		return;
	if (entry == NULL || !direct_has_room(&x) ||
		!direct_milestone(&x, entry, &wait))
		weft_task_milestone_traced(d, task.id, &wait);
}

/* Ends the task of a message that leaves the buffer. The next message is now
 * first in line. */
static __attribute__((noinline)) void
leaves(const struct weft_sim_port *p, const struct weft_sim_buffer *b,
	const struct weft_sim_msg *msg)
{
	struct weft_sim_domain *d = p->domain.parent;
	const struct weft_sim_msg *head = weft_sim_peek(b);
	uint64_t id = task_id_at(&b->domain, msg);
	struct direct x;

	if (!direct_may(d) || !direct_open(&x, d) || !direct_end(&x, d, id))
		weft_task_end(d, id);
	if (head != NULL)
		weft_task_milestone(d, task_id_at(&b->domain, head),
			WEFT_WAIT_QUEUE, p->domain.name);
}

/* For a received message, the hook runs before the message is in the buffer;
 * for a sent one, after. The task of a message ends even if tracing stopped
 * after the message arrived. */
static void
call(struct weft_sim_hook *hook, const struct weft_sim_hook_ctx *ctx)
{
	struct weft_sim_port *p = ((struct port_tasks *)hook)->port;
	uint64_t at = ctx->pos->mask;

	if (at == WEFT_SIM_ON_PORT_TAKE_IN)
		leaves(p, &p->in, ctx->item);
	else if (at == WEFT_SIM_ON_PORT_TAKE_OUT)
		leaves(p, &p->out, ctx->item);
	else if (!weft_task_traced(p->domain.parent))
		return;
	else if (at == WEFT_SIM_ON_PORT_RECVD)
		enters(p, &p->in, ctx->item, p->in.size);
	else
		enters(p, &p->out, ctx->item, p->out.size - 1);
}

int
weft_task_port(struct weft_sim_port *p)
{
	struct weft_sim_engine *e = p->domain.engine;
	struct port_tasks *tasks;

	sim_take_turn(e);
	if (p->tasks != NULL)
		return sim_fault(e, WEFT_SIM_TWICE,
			"%s: weft_task_port() was called before",
			p->domain.name);
	tasks = ARENA_NEW(sim_arena(e), struct port_tasks);
	tasks->hook.call = call;
	tasks->port = p;
	p->tasks = tasks;
	return weft_sim_hook_attach(&p->domain, &tasks->hook, WEFT_SIM_ON_PORT);
}
