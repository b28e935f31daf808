/* SPDX-License-Identifier: MIT */
/*
 * weft/sim.h - event engine for simulators, with hooks.
 *
 *	struct weft_sim_engine *e = weft_sim_engine_open(NULL);
 *	weft_sim_ticker_init(&core.ticker, e, NULL, &ghz, "Core[%d]", 0);
 *	weft_sim_tick_now(&core.ticker);
 *	weft_sim_run(e);
 *	weft_sim_engine_close(e);
 *
 * Time is in picoseconds. Events run in the order of (time, primary before
 * secondary, order of scheduling): the same in every run, with one thread or
 * many. A component embeds a ticker or a handler, and these embed a domain,
 * which has a name and accepts hooks. The user owns the memory of all structs
 * and keeps it until the engine is closed; members marked "own" are for the
 * library only. There is no global state: each engine is a separate simulation,
 * and two engines in one process do not affect each other.
 *
 * An error (an event in the past, a full buffer, a name that is taken) is
 * returned as a fault, counted, and kept as text (weft_sim_fault_text); the
 * simulation goes on. Only the thread that runs the engine and the engine's
 * handlers may call these functions, except weft_sim_pause, _continue and
 * _stop.
 *
 * C11, C17 and C++17; gcc and clang. Link with -lweft-sim (pkg-config
 * weft-sim).
 */
#ifndef WEFT_SIM_H
#define WEFT_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef WEFT_API
#define WEFT_API __attribute__((visibility("default")))
#define WEFT_INLINE static inline __attribute__((always_inline, unused))
#endif

struct weft_sim_engine;
struct weft_sim_domain;
struct weft_sim_hooks;
struct weft_sim_wire;

/* ---- hooks ---- */

/*
 * A kind of event that hooks can be attached to. The struct's address
 * identifies the position; the name is for people. You define a position of
 * your own with
 *
 *	static const struct weft_sim_hook_pos walk = WEFT_SIM_HOOK_POS("Walk");
 *
 * The mask makes the check for listeners fast. Two positions may share a bit of
 * the mask: then a hook that wants one of them is also called for the other.
 */
struct weft_sim_hook_pos {
	const char *name;
	uint64_t mask; /* one bit; the library's positions use bits below 32 */
};

#define WEFT_SIM_HOOK_POS(name) \
	{ \
		(name), UINT64_C(1) << (32 + __LINE__ % 32) \
	}

/* Masks of the library's positions, for attach; combine them with |. */
#define WEFT_SIM_ON_EVENT UINT64_C(0x3) /* before, after */
#define WEFT_SIM_ON_TICK UINT64_C(0xc)  /* before, after */
#define WEFT_SIM_ON_PORT_SEND UINT64_C(0x10)
#define WEFT_SIM_ON_PORT_RECVD UINT64_C(0x20)
#define WEFT_SIM_ON_PORT_TAKE_IN UINT64_C(0x40)
#define WEFT_SIM_ON_PORT_TAKE_OUT UINT64_C(0x80)
#define WEFT_SIM_ON_PORT UINT64_C(0xf0)    /* all four */
#define WEFT_SIM_ON_BUFFER UINT64_C(0x300) /* push, pop */
#define WEFT_SIM_ON_WIRE UINT64_C(0x3c00)  /* all four */
#define WEFT_SIM_ON_TASK UINT64_C(0x7c000) /* start .. end */
#define WEFT_SIM_ON_ALL UINT64_MAX
/* own: some tracer watches tasks, but perhaps only tasks of other domains */
#define WEFT_SIM_TASKS_SEEN UINT64_C(0x80000)

/* Fire on the engine; item: struct weft_sim_event. */
extern WEFT_API const struct weft_sim_hook_pos weft_sim_before_event,
	weft_sim_after_event;
/* Fire on a ticker; item: the ticker. After: detail is NULL if the tick made no
 * progress. */
extern WEFT_API const struct weft_sim_hook_pos weft_sim_before_tick,
	weft_sim_after_tick;
/* Fire on a port; item: struct weft_sim_msg. Recvd fires before the message is
 * put into the incoming buffer, the others after the buffer has changed. */
extern WEFT_API const struct weft_sim_hook_pos weft_sim_port_send,
	weft_sim_port_recvd, weft_sim_port_take_in, weft_sim_port_take_out;
/* Fire on a buffer; item: the element that was put in or taken out. */
extern WEFT_API const struct weft_sim_hook_pos weft_sim_buffer_push,
	weft_sim_buffer_pop;
/* Fire on a wire; item: struct weft_sim_msg. StartSend: the message is the
 * first that a port has to send, and begins to wait; StartTrans: the receiver
 * has room; DoneTrans: the message is in the receiver's buffer; Deliver: it has
 * left the sender's buffer. */
extern WEFT_API const struct weft_sim_hook_pos weft_sim_wire_start_send,
	weft_sim_wire_start_trans, weft_sim_wire_done_trans,
	weft_sim_wire_deliver;

/* The argument of a hook, borrowed for the call. */
struct weft_sim_hook_ctx {
	struct weft_sim_domain *domain; /* where it happens */
	const struct weft_sim_hook_pos *pos;
	void *item;
	void *detail;
};

/* A hook. Put it first in a struct of yours, or use arg. */
struct weft_sim_hook {
	void (*call)(struct weft_sim_hook *hook,
		const struct weft_sim_hook_ctx *ctx);
	void *arg;
};

/* A named object that hooks attach to: engine, handler, port, buffer... */
struct weft_sim_domain {
	uint64_t mask; /* own: positions wanted by hooks here or at ancestors */
	struct weft_sim_engine *engine;
	struct weft_sim_domain *parent; /* NULL: none */
	const char *name;               /* full name: "GPU.L1[0]" */
	uint32_t id;                    /* 1, 2... in the order of init */
	/* own: */
	bool late;      /* events ran before its tasks were first traced */
	uint64_t above; /* positions that hooks of ancestors want */
	struct weft_sim_hooks *hooks;
	struct weft_sim_domain *child, *sibling, *older;
	const char *location[2];
};

enum weft_sim_fault {
	WEFT_SIM_OK,
	WEFT_SIM_PAST,      /* an event earlier than now, or at
	                     * WEFT_SIM_NEVER */
	WEFT_SIM_FULL,      /* no room in a buffer */
	WEFT_SIM_NOWHERE,   /* a message without destination, or to a wrong
	                     * one */
	WEFT_SIM_NAME,      /* a name breaks the rules or is taken */
	WEFT_SIM_TWICE,     /* already attached, plugged in or collected */
	WEFT_SIM_MISSING,   /* detaching a hook that is not attached */
	WEFT_SIM_HANDLER,   /* a handler returned an error */
	WEFT_SIM_BUSY,      /* weft_sim_run() was called while the engine
	                     * runs */
	WEFT_SIM_LIMIT,     /* a limit of the library is exceeded */
	WEFT_SIM_TASK,      /* task without kind or what, or its own parent */
	WEFT_SIM_TASK_OPEN, /* a task id that is open starts again */
	WEFT_SIM_TASK_NONE, /* end, tag... of a task that is not open */
	WEFT_SIM_STORE,     /* a store could not take its data */
	WEFT_SIM_OTHER,     /* reported by weft_sim_report */
	WEFT_SIM_ELSEWHERE, /* end, tag... by a component that did not start the
	                     * task; the call is treated as if the starting
	                     * component had made it */
	WEFT_SIM_STUCK,     /* no event is left, but messages or tasks wait */
	WEFT_SIM_NFAULTS
};

/*
 * Initializes a domain of the engine below parent (NULL: at the top). The local
 * name is printf-like; tokens are CamelCase with indexes ("L1[3]",
 * "Bank[0][1]"), joined by dots. Returns WEFT_SIM_NAME if the name breaks the
 * rules or is taken; the domain is usable nevertheless.
 */
WEFT_API int weft_sim_domain_init(struct weft_sim_domain *d,
	struct weft_sim_engine *e, struct weft_sim_domain *parent,
	const char *name, ...) __attribute__((format(printf, 4, 5)));

/* Returns true if every token of the name keeps the rules. */
WEFT_API bool weft_sim_name_ok(const char *name);

/* Returns the domain with this full name, or NULL. */
WEFT_API struct weft_sim_domain *weft_sim_domain_find(
	struct weft_sim_engine *e, const char *name);

/*
 * Calls hook at every firing of the positions on this domain, after the hooks
 * that were attached before. Attaching and detaching are allowed at any time,
 * also in a hook: a hook attached there is first called at the next firing, a
 * hook detached there is not called any more. A hook may be attached to many
 * domains, but only once to each, else WEFT_SIM_TWICE. With several threads, a
 * handler's attach or detach takes effect, and is checked for faults, when all
 * handlers of that time are done: the call itself returns WEFT_SIM_OK.
 */
WEFT_API int weft_sim_hook_attach(
	struct weft_sim_domain *d, struct weft_sim_hook *hook, uint64_t mask);

/* Attaches to the domain and all domains below it, also to those made later. A
 * domain's own hooks come first, then those of its ancestors; no hook is called
 * twice. */
WEFT_API int weft_sim_hook_attach_below(
	struct weft_sim_domain *d, struct weft_sim_hook *hook, uint64_t mask);

/* Attaches to every existing domain whose name matches the pattern: * is any
 * text, ? any character. Skips domains that have the hook. Returns the number
 * of domains attached to. */
WEFT_API int weft_sim_hook_attach_all(struct weft_sim_engine *e,
	const char *pattern, struct weft_sim_hook *hook, uint64_t mask);

/* Detaches the hook; WEFT_SIM_MISSING if it was not attached to this domain. */
WEFT_API int weft_sim_hook_detach(
	struct weft_sim_domain *d, struct weft_sim_hook *hook);

WEFT_API void weft_sim_hook_fire(struct weft_sim_domain *d,
	const struct weft_sim_hook_pos *pos, void *item, void *detail);

/* Calls the hooks that want the position. Without hooks: a load and a
 * branch. */
WEFT_INLINE void
weft_sim_hook_call(struct weft_sim_domain *d,
	const struct weft_sim_hook_pos *pos, void *item, void *detail)
{
	if (__builtin_expect((d->mask & pos->mask) != 0, 0))
		weft_sim_hook_fire(d, pos, item, detail);
}

/* ---- engine ---- */

#define WEFT_SIM_NEVER INT64_MAX

struct weft_sim_handler;

struct weft_sim_event {
	int64_t time; /* ps */
	struct weft_sim_handler *handler;
	void *data; /* for the user */
};

/*
 * Receives events. A handler changes only its own component, so handlers of
 * events with the same time may run at once, each on a thread. One handler
 * never runs twice at once.
 */
struct weft_sim_handler {
	struct weft_sim_domain domain;
	/* Returns 0 or an error; an error is reported and the simulation goes
	 * on. */
	int (*handle)(
		struct weft_sim_handler *h, const struct weft_sim_event *ev);
	bool secondary; /* its events run after all primary events of the same
	                 * time, one at a time */
	/* own: */
	uint32_t tag, shift, mark;
	uint64_t ids;
};

/* {0} or NULL selects the defaults. */
struct weft_sim_setup {
	int threads; /* threads that run handlers; 0 or 1: the caller's thread
	              * runs them */
	bool spread; /* runs even the smallest rounds on several threads; for
	              * tests */
	/* Called for each fault when it happens. NULL: only a store that cannot
	 * take its data and a run that is stuck print the fault on standard
	 * error. */
	void (*fault)(void *arg, enum weft_sim_fault kind, const char *text);
	void *arg;
};

/* Creates an engine. Returns NULL if the threads cannot be started. */
WEFT_API struct weft_sim_engine *weft_sim_engine_open(
	const struct weft_sim_setup *setup);

/* Finishes the simulation and frees the engine. NULL is allowed. */
WEFT_API void weft_sim_engine_close(struct weft_sim_engine *e);

/* Returns the engine's own domain, "Engine", for hooks on events. */
WEFT_API struct weft_sim_domain *weft_sim_engine_domain(
	struct weft_sim_engine *e);

/* Initializes the handler's domain and its number. The caller sets handle. */
WEFT_API int weft_sim_handler_init(struct weft_sim_handler *h,
	struct weft_sim_engine *e, struct weft_sim_domain *parent,
	const char *name, ...) __attribute__((format(printf, 4, 5)));

/* Returns the time of the current or last event; 0 before the first. */
WEFT_API int64_t weft_sim_now(const struct weft_sim_engine *e);

/*
 * Schedules a call of the handler at a time, now or later. Returns
 * WEFT_SIM_PAST, and schedules nothing, if the time is earlier or
 * WEFT_SIM_NEVER. Events of equal time run in the order of scheduling.
 */
WEFT_API int weft_sim_schedule(
	struct weft_sim_handler *h, int64_t time, void *data);

/*
 * Runs until no event is left, or until weft_sim_stop. Returns 0, or the error
 * of the first handler that failed, or WEFT_SIM_BUSY if called in a handler, or
 * WEFT_SIM_STUCK. May be called again after more events were scheduled.
 *
 * WEFT_SIM_STUCK: no event is left, but messages lie in the buffers of ports,
 * or tasks are open that handlers started (tasks that the caller of
 * weft_sim_run started itself may stay open). The text of this fault says how
 * many, at which components, and which of them wait for each other. Without a
 * fault function in the setup the text is also printed on standard error.
 */
WEFT_API int weft_sim_run(struct weft_sim_engine *e);

/* Runs the events up to and including that time. weft_sim_now() then is the
 * time of the last of them. Messages and tasks that wait are not a fault,
 * because more events may be scheduled; weft_sim_finish reports them if no
 * event is left. */
WEFT_API int weft_sim_run_until(struct weft_sim_engine *e, int64_t time);

/* Returns the number of events that wait. A handler gets the same answer with
 * any number of threads. This also holds for _count, _faults and _fault_text.
 * With several threads the handler waits for its turn, as it does for a hook,
 * except in _count. */
WEFT_API size_t weft_sim_pending(const struct weft_sim_engine *e);

/* Returns the number of events run so far, including the current one. */
WEFT_API uint64_t weft_sim_count(const struct weft_sim_engine *e);

/*
 * These may be called from any thread. weft_sim_pause stops the engine between
 * two events (with several threads, two rounds) until weft_sim_continue;
 * calling either twice is allowed. weft_sim_paused returns true once the engine
 * has stopped between two events, or does not run. weft_sim_stop ends the run
 * after the current event (round); when a handler calls it, after all events of
 * the current time, so that the run ends at the same event with any number of
 * threads.
 */
WEFT_API void weft_sim_pause(struct weft_sim_engine *e);
WEFT_API bool weft_sim_paused(struct weft_sim_engine *e);
WEFT_API void weft_sim_continue(struct weft_sim_engine *e);
WEFT_API void weft_sim_stop(struct weft_sim_engine *e);

/* Registers fn to be called when the simulation finishes, in order of
 * registration. */
WEFT_API void weft_sim_at_end(struct weft_sim_engine *e,
	void (*fn)(void *arg, int64_t now), void *arg);

/* Calls the functions of weft_sim_at_end, once. Closing the engine does the
 * same. */
WEFT_API void weft_sim_finish(struct weft_sim_engine *e);

/*
 * Returns a new nonzero number for a message or a task. It is derived from the
 * handler that runs, so it is the same in every run, with any number of
 * threads, and with tracing on or off.
 */
WEFT_API uint64_t weft_sim_id(struct weft_sim_engine *e);

/* Returns a copy of the string that lives as long as the engine; equal strings
 * share one copy. */
WEFT_API const char *weft_sim_string(struct weft_sim_engine *e, const char *s);

/* Records a fault of the user's own. Returns WEFT_SIM_OTHER. */
WEFT_API int weft_sim_report(struct weft_sim_domain *d, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Returns the number of faults of a kind so far; of all kinds for
 * WEFT_SIM_OK. */
WEFT_API uint64_t weft_sim_faults(
	const struct weft_sim_engine *e, enum weft_sim_fault kind);

/* Returns the text of the i-th fault, from 0; NULL beyond the 100 that are
 * kept. */
WEFT_API const char *weft_sim_fault_text(
	const struct weft_sim_engine *e, size_t i);

/* ---- clocks and tickers ---- */

/*
 * An exact clock: edge k lies at floor(k * 10^12 * den / hz) ps, so the edges
 * of {3000000000, 1}, 3 GHz, never drift. den 0 means 1.
 */
struct weft_sim_clock {
	uint64_t hz, den; /* hz / den edges a second; hz > 0 */
};

#define WEFT_SIM_DEN_MAX (UINT64_C(1) << 24) /* den must be less */

/* weft_sim_cycle returns the number of edges in (0, t]; weft_sim_edge the time
 * of edge k; _this_tick the first edge at or after t; _next_tick the first edge
 * after t. A time beyond the end of time is WEFT_SIM_NEVER. */
WEFT_API int64_t weft_sim_cycle(const struct weft_sim_clock *c, int64_t t);
WEFT_API int64_t weft_sim_edge(const struct weft_sim_clock *c, int64_t k);
WEFT_API int64_t weft_sim_this_tick(const struct weft_sim_clock *c, int64_t t);
WEFT_API int64_t weft_sim_next_tick(const struct weft_sim_clock *c, int64_t t);

/*
 * A component that works once per cycle. It sleeps after a tick without
 * progress until it is woken.
 */
struct weft_sim_ticker {
	struct weft_sim_handler handler;
	struct weft_sim_clock clock;
	/* Works for one cycle. Returns true if it made progress: then it ticks
	 * again. */
	bool (*tick)(struct weft_sim_ticker *t);
	/* own: */
	int64_t next, last;  /* times of the waiting and the last tick; or -1 */
	int64_t cycle, edge; /* an edge's number and time, as a base */
	int64_t period;      /* ps, if whole; else 0 */
};

/* The caller sets tick, and may set handler.secondary. */
WEFT_API int weft_sim_ticker_init(struct weft_sim_ticker *t,
	struct weft_sim_engine *e, struct weft_sim_domain *parent,
	const struct weft_sim_clock *clock, const char *name, ...)
	__attribute__((format(printf, 5, 6)));

/* Wakes the ticker at the first edge at or after now (_now), or after now
 * (_later); has no effect if a tick waits already. A ticker ticks at most once
 * per cycle. */
WEFT_API void weft_sim_tick_now(struct weft_sim_ticker *t);
WEFT_API void weft_sim_tick_later(struct weft_sim_ticker *t);

/* ---- messages, buffers, ports, wires ---- */

/* The first member of every message. The user owns the memory. Only the holder
 * of the message (sender, port or receiver) may use it. */
struct weft_sim_msg {
	uint64_t id;                     /* 0: weft_sim_send assigns one */
	struct weft_sim_port *src, *dst; /* weft_sim_send sets src */
	uint64_t response_to;            /* id of the request, or 0 */
	const char *type;                /* "ReadReq": the what of the message's
	                                  * tasks */
	uint32_t bytes, traffic;         /* for the user's hooks */
};

/* A bounded queue of pointers. */
struct weft_sim_buffer {
	struct weft_sim_domain domain;
	/* own: */
	void **slot;
	uint32_t capacity, size, first;
};

/* Initializes a buffer. A capacity of 0 becomes 1 and returns
 * WEFT_SIM_LIMIT. */
WEFT_API int weft_sim_buffer_init(struct weft_sim_buffer *b,
	struct weft_sim_engine *e, struct weft_sim_domain *parent,
	uint32_t capacity, const char *name, ...)
	__attribute__((format(printf, 5, 6)));

/* Appends an element; WEFT_SIM_FULL if there is no room. */
WEFT_API int weft_sim_push(struct weft_sim_buffer *b, void *element);
/* Return the oldest element, or NULL; pop also removes it. */
WEFT_API void *weft_sim_pop(struct weft_sim_buffer *b);
WEFT_API void *weft_sim_peek(const struct weft_sim_buffer *b);

WEFT_INLINE bool
weft_sim_can_push(const struct weft_sim_buffer *b)
{
	return b->size < b->capacity;
}

/* A component's connection to a wire, with a buffer for each direction. */
struct weft_sim_port {
	struct weft_sim_domain domain;  /* parent: its owner */
	struct weft_sim_buffer in, out; /* ".Incoming", ".Outgoing" */
	struct weft_sim_ticker *owner;  /* woken a cycle later; or NULL */
	/* Called instead of waking the owner. true: a message came in. false: a
	 * message left the outgoing buffer, and the buffer had been full and
	 * was not empty in between. May be NULL. */
	void (*notify)(struct weft_sim_port *p, bool received);
	/* own: */
	struct weft_sim_wire *wire;
	void *tasks;
	uint32_t index; /* on the wire */
	bool waits;     /* waits in the queue of a receiver */
	bool waited;    /* other ports wait to send to this port */
	bool was_full;  /* `out` was full, and has not been empty since */
	struct weft_sim_port *first, *last; /* queue of ports that wait to send
	                                     * to this port */
	struct weft_sim_port *behind;       /* the next port in the queue that
	                                     * this one is in */
	struct weft_sim_port *more;         /* the next port that has a queue */
};

WEFT_API int weft_sim_port_init(struct weft_sim_port *p,
	struct weft_sim_ticker *owner, uint32_t in, uint32_t out,
	const char *name, ...) __attribute__((format(printf, 5, 6)));

/* Returns true if there is room to send one more message. */
WEFT_INLINE bool
weft_sim_can_send(const struct weft_sim_port *p)
{
	return weft_sim_can_push(&p->out);
}

/*
 * Hands a message to the wire. Returns WEFT_SIM_FULL if there is no room, and
 * WEFT_SIM_NOWHERE if the port has no wire, the message has no destination, or
 * the destination is this port or is not on this wire. After a failure the
 * message remains the caller's.
 */
WEFT_API int weft_sim_send(struct weft_sim_port *p, struct weft_sim_msg *msg);

/* Return the oldest message that came in, or NULL; receive also removes it. */
WEFT_API struct weft_sim_msg *weft_sim_receive_peek(
	const struct weft_sim_port *p);
WEFT_API struct weft_sim_msg *weft_sim_receive(struct weft_sim_port *p);

/*
 * A direct connection without latency. After all components of a cycle the wire
 * moves the messages that the receivers have room for. The first message of a
 * port holds up the messages after it. Ports that send to one receiver take
 * turns, one message each: a port that was served goes to the end of the queue,
 * so the first message of a port waits for at most one message of each other
 * port.
 */
struct weft_sim_wire {
	struct weft_sim_ticker ticker;
	/* own: */
	struct weft_sim_port **port;
	uint32_t n, cap, turn; /* turn: the port after the last served */
	struct weft_sim_port *waited, *last_waited; /* receivers with a queue */
	struct weft_sim_wire *older;
};

WEFT_API int weft_sim_wire_init(struct weft_sim_wire *w,
	struct weft_sim_engine *e, struct weft_sim_domain *parent,
	const struct weft_sim_clock *clock, const char *name, ...)
	__attribute__((format(printf, 5, 6)));

/* Connects the port to the wire; WEFT_SIM_TWICE if it already has a wire. */
WEFT_API int weft_sim_plug(struct weft_sim_wire *w, struct weft_sim_port *p);

/* ---- logs ---- */

/* Returns a hook for weft_sim_before_event on the engine. For each event it
 * writes a line "seconds, Event -> handler" to the file, which the caller
 * closes after the engine. */
WEFT_API struct weft_sim_hook *weft_sim_event_log(
	struct weft_sim_engine *e, FILE *to);

/* Returns a hook for ports. For each message and position it writes a CSV line:
 * seconds, port, position, source, destination, type, id. */
WEFT_API struct weft_sim_hook *weft_sim_msg_log(
	struct weft_sim_engine *e, FILE *to);

#ifdef __cplusplus
}
#endif

#endif
