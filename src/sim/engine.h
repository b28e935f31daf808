/* SPDX-License-Identifier: MIT */
/*
 * engine.h - the state of one simulation; private to src/sim.
 *
 * Whoever changes it from a handler asks first whether several run at once
 * (in_round): then the change is written down as an op of that event, and
 * done when the round is over, event by event: in the order of one thread.
 */
#ifndef WEFT_SIM_ENGINE_H
#define WEFT_SIM_ENGINE_H

#include <pthread.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"
#include "sim/hook.h"
#include "sim/queue.h"

struct workers;
struct turn;

/* A handler stops the run when the time has passed at which it was called: the
 * others of that time may run already, on other threads. */
enum stop { STOP_NO, STOP_NOW, STOP_AFTER_TIME };

struct end_handler {
	void (*fn)(void *arg, int64_t now);
	void *arg;
};

/* Something that a handler does to the engine. */
struct op {
	enum op_kind {
		OP_SCHEDULE, /* time, handler, arg: data */
		OP_TICKED,   /* handler: a ticker */
		OP_TICK_NOW,
		OP_TICK_LATER,
		OP_ATTACH, /* arg: hook, domain, mask */
		OP_ATTACH_BELOW,
		OP_DETACH,
	} kind;
	int64_t time;
	uint64_t mask;
	struct weft_sim_handler *handler;
	struct weft_sim_domain *domain;
	void *arg;
};

struct weft_sim_engine {
	struct sim_core core; /* first */
	struct queue queue;
	struct workers *workers; /* NULL: one thread */
	uint64_t count;
	size_t ahead;    /* events of a round on one thread that are to run */
	uint64_t judged; /* count at the last fault of a run that is stuck */
	bool late;       /* hooks change at the end of the round */
	bool tasks_seen; /* all domains have WEFT_SIM_TASKS_SEEN */
	unsigned char running, paused, stands; /* atomic */
	unsigned char stop;                    /* atomic; enum stop */
	const char *runner; /* atomic; of the thread that runs it, or NULL */
	int failed;         /* what the first handler returned */

	struct weft_sim_domain domain, *newest;
	struct weft_sim_wire *wires; /* newest first */
	uint32_t ndomains, nhandlers;
	struct weft_sim_handler outside; /* gives ids out of handlers */
	struct weft_sim_setup setup;
	struct arena arena;
	struct intern strings;
	struct map names; /* number of an interned name: its domain */
	VEC(struct end_handler) ends;
	bool finished;
	uint64_t faults[WEFT_SIM_NFAULTS];
	VEC(const char *) fault_texts;
	VEC(struct op) late_ops;
	pthread_mutex_t lock; /* of pause */
	pthread_cond_t wake;
};

/* Does the op, or writes it down for the end of the round. */
int sim_do(struct weft_sim_engine *e, const struct op *op);

/* Does it now. */
int sim_apply(struct weft_sim_engine *e, const struct op *op);

/* Runs one event on the main thread; calls hooks and handler of an event. */
void sim_run_one(struct weft_sim_engine *e, const struct queue_item *item);
void sim_call(struct weft_sim_engine *e, const struct queue_item *item);

/* The handler that runs, or the one that stands for none. */
struct weft_sim_handler *sim_running(struct weft_sim_engine *e);

/* workers.c: threads that run the handlers of one time at once. */
struct workers *workers_open(struct weft_sim_engine *e, int threads);
void workers_close(struct workers *w);
/* Takes all primary events of the earliest time, and runs them. */
void workers_round(struct workers *w);
/* The event whose handler calls, in a round; NULL in turn_here(): none does. */
struct turn *turn_of(struct weft_sim_engine *e);
struct turn *turn_here(const struct weft_sim_engine *e);
struct weft_sim_handler *turn_handler(struct turn *t);
/* Events of the round up to this one; behind it. */
size_t turn_number(const struct turn *t);
size_t turns_behind(const struct turn *t);
/* Applies what was written down by the turns before, and so far by this. */
void turn_settle(struct turn *t);
void turn_write(struct turn *t, const struct op *op);
void turn_take(struct turn *t);

/* stuck.c: WEFT_SIM_STUCK, with a fault unless this was said, if something
 * waits though nothing is left to run. */
int sim_judge(struct weft_sim_engine *e);

/* fault.c: the same as sim_fault, with a text of any length. */
int sim_fault_text(
	struct weft_sim_engine *e, enum weft_sim_fault kind, const char *text);

/* The parts that ops end in. */
int hook_apply_attach(struct weft_sim_domain *d, struct weft_sim_hook *hook,
	uint64_t mask, bool below);
int hook_apply_detach(struct weft_sim_domain *d, struct weft_sim_hook *hook);
void ticker_apply(struct weft_sim_engine *e, const struct op *op);

/* A domain with the name of fmt, and what hooks above want. */
int domain_init(struct weft_sim_domain *d, struct weft_sim_engine *e,
	struct weft_sim_domain *parent, const char *fmt, va_list ap)
	__attribute__((format(printf, 4, 0)));
void handler_number(struct weft_sim_handler *h, uint32_t number);
int handler_init(struct weft_sim_handler *h, struct weft_sim_engine *e,
	struct weft_sim_domain *parent, const char *fmt, va_list ap)
	__attribute__((format(printf, 4, 0)));
int ticker_init(struct weft_sim_ticker *t, struct weft_sim_engine *e,
	struct weft_sim_domain *parent, const char *fmt, va_list ap)
	__attribute__((format(printf, 4, 0)));

#endif
