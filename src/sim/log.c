/* SPDX-License-Identifier: MIT */
#include "sim/engine.h"

#define PS_PER_S INT64_C(1000000000000)

struct log {
	struct weft_sim_hook hook;
	FILE *to; /* borrowed */
};

static struct weft_sim_hook *
log_open(struct weft_sim_engine *e, FILE *to,
	void (*call)(struct weft_sim_hook *, const struct weft_sim_hook_ctx *))
{
	struct log *log = ARENA_NEW(&e->arena, struct log);

	log->hook.call = call;
	log->to = to;
	return &log->hook;
}

/* Writes a line. A line that is too long is cut and keeps its newline. */
static void
put(struct log *log, char *line, int n, int room)
{
	if (n >= room) {
		n = room - 1;
		line[n - 1] = '\n';
	}
	fwrite(line, 1, (size_t)n, log->to);
}

static void
log_event(struct weft_sim_hook *hook, const struct weft_sim_hook_ctx *ctx)
{
	const struct weft_sim_event *ev = ctx->item;
	char line[512];
	int n = snprintf(line, sizeof line, "%lld.%012lld, Event -> %s\n",
		(long long)(ev->time / PS_PER_S),
		(long long)(ev->time % PS_PER_S), ev->handler->domain.name);

	if (ctx->pos == &weft_sim_before_event)
		put((struct log *)hook, line, n, sizeof line);
}

static void
log_msg(struct weft_sim_hook *hook, const struct weft_sim_hook_ctx *ctx)
{
	const struct weft_sim_msg *msg = ctx->item;
	int64_t now = ctx->domain->engine->core.now;
	char line[512];
	int n = snprintf(line, sizeof line,
		"%lld.%012lld,%s,%s,%s,%s,%s,%llu\n",
		(long long)(now / PS_PER_S), (long long)(now % PS_PER_S),
		ctx->domain->name, ctx->pos->name, msg->src->domain.name,
		msg->dst->domain.name, msg->type == NULL ? "" : msg->type,
		(unsigned long long)msg->id);

	if ((ctx->pos->mask & WEFT_SIM_ON_PORT) != 0)
		put((struct log *)hook, line, n, sizeof line);
}

struct weft_sim_hook *
weft_sim_event_log(struct weft_sim_engine *e, FILE *to)
{
	return log_open(e, to, log_event);
}

struct weft_sim_hook *
weft_sim_msg_log(struct weft_sim_engine *e, FILE *to)
{
	return log_open(e, to, log_msg);
}
