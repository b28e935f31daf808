/* SPDX-License-Identifier: MIT */
/*
 * engine.h - the state of one simulation; private to src/sim.
 *
 * A handler that changes the engine first checks whether handlers run on
 * several threads (in_round). If so, the change is stored as an op of the
 * event. All ops are applied after the round, event by event, in the order that
 * a single thread would have.
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

/* When the simulation stops. A handler's stop takes effect after all events of
 * its time, because other threads may be running some of them. */
enum stop { STOP_NO, STOP_NOW, STOP_AFTER_TIME };

struct end_handler {
	void (*fn)(void *arg, int64_t now);
	void *arg;
};

/* A change that a handler makes to the engine. */
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
	struct sim_core core; /* must be the first member */
	struct queue queue;
	struct workers *workers; /* NULL: one thread */
	uint64_t count;
	size_t ahead;    /* the events of a round that are still to run, on one
	                  * thread */
	uint64_t judged; /* `count` when a stuck run was last reported */
	bool late;       /* hooks change at the end of the round */
	bool tasks_seen; /* all domains have WEFT_SIM_TASKS_SEEN */
	unsigned char running, paused, stands; /* atomic */
	unsigned char stop;                    /* atomic; enum stop */
	const char *runner; /* atomic; identifies the thread that runs the
	                     * engine; or NULL */
	int failed;         /* error of the first handler that failed */

	struct weft_sim_domain domain, *newest;
	struct weft_sim_wire *wires; /* newest first */
	uint32_t ndomains, nhandlers;
	struct weft_sim_handler outside; /* assigns ids while no handler runs */
	struct weft_sim_setup setup;
	struct arena arena;
	struct intern strings;
	struct map names; /* number of an interned name: its domain */
	VEC(struct end_handler) ends;
	bool finished;
	uint64_t faults[WEFT_SIM_NFAULTS];
	VEC(const char *) fault_texts;
	VEC(struct op) late_ops;
	pthread_mutex_t lock; /* protects the state of a pause */
	pthread_cond_t wake;
};

/* Applies the op or, in a round on several threads, stores it for the end of
 * the round. */
int sim_do(struct weft_sim_engine *e, const struct op *op);

/* Applies the op at once. */
int sim_apply(struct weft_sim_engine *e, const struct op *op);

/* Run one event on the main thread; call the hooks and the handler of an
 * event. */
void sim_run_one(struct weft_sim_engine *e, const struct queue_item *item);
void sim_call(struct weft_sim_engine *e, const struct queue_item *item);

/* Returns the running handler, or a stand-in if no handler runs. */
struct weft_sim_handler *sim_running(struct weft_sim_engine *e);

/* workers.c: threads that run the handlers of one time at once. */
struct workers *workers_open(struct weft_sim_engine *e, int threads);
void workers_close(struct workers *w);
/* Takes all primary events of the earliest time and runs them. */
void workers_round(struct workers *w);
/* Return the event whose handler is calling, in a round. turn_here() returns
 * NULL if there is none. */
struct turn *turn_of(struct weft_sim_engine *e);
struct turn *turn_here(const struct weft_sim_engine *e);
struct weft_sim_handler *turn_handler(struct turn *t);
/* Return the number of events in the round up to this one, and the number of
 * events after it. */
size_t turn_number(const struct turn *t);
size_t turns_behind(const struct turn *t);
/* Applies the ops of all earlier turns and those of this turn so far. */
void turn_settle(struct turn *t);
void turn_write(struct turn *t, const struct op *op);
void turn_take(struct turn *t);

/* stuck.c: returns WEFT_SIM_STUCK if something waits although no event is left.
 * Reports the fault unless it was reported before. */
int sim_judge(struct weft_sim_engine *e);

/* fault.c: does the same as sim_fault(), with a text of any length. */
int sim_fault_text(
	struct weft_sim_engine *e, enum weft_sim_fault kind, const char *text);

/* The functions that apply the ops. */
int hook_apply_attach(struct weft_sim_domain *d, struct weft_sim_hook *hook,
	uint64_t mask, bool below);
int hook_apply_detach(struct weft_sim_domain *d, struct weft_sim_hook *hook);
void ticker_apply(struct weft_sim_engine *e, const struct op *op);

/* Initialises a domain: its name from fmt, and the mask of hooks above it. */
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
