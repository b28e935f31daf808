/* SPDX-License-Identifier: MIT */
/*
 * weft/sim.h - event engine for simulators, with hooks everywhere.
 *
 *	struct weft_sim_engine *e = weft_sim_engine_open(NULL);
 *	weft_sim_ticker_init(&core.ticker, e, NULL, &ghz, "Core[%d]", 0);
 *	weft_sim_tick_now(&core.ticker);
 *	weft_sim_run(e);
 *	weft_sim_engine_close(e);
 *
 * Time is in picoseconds. Events run in the order of (time, primary before
 * secondary, order of scheduling): the same in every run, with one thread or
 * many. A component embeds a ticker or a handler, which embeds a domain: the
 * thing that has a name and that hooks attach to. All structs are the user's
 * memory and live until the engine is closed; members marked "own" are not to
 * be touched. There is no global state: an engine is a simulation, and two of
 * them in one process know nothing of each other.
 *
 * What goes wrong (an event in the past, a full buffer, a name taken) is
 * returned as a fault, counted, and kept as text (weft_sim_fault_text); the
 * simulation goes on. The functions belong to the thread that runs the engine
 * and to its handlers, except weft_sim_pause, _continue and _stop.
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
 * Where a hook can be called: the address is the identity, the name is for
 * people. A position of your own is
 *
 *	static const struct weft_sim_hook_pos walk = WEFT_SIM_HOOK_POS("Walk");
 *
 * The mask says fast that nobody listens. Positions may share a bit of it:
 * then a hook that wanted only one of them is also called for the other.
 */
struct weft_sim_hook_pos {
	const char *name;
	uint64_t mask; /* one bit; those of the library are below 32 */
};

#define WEFT_SIM_HOOK_POS(name) \
	{ \
		(name), UINT64_C(1) << (32 + __LINE__ % 32) \
	}

/* Masks of the library's positions, for attach; any set of them with |. */
#define WEFT_SIM_ON_EVENT UINT64_C(0x3) /* before, after */
#define WEFT_SIM_ON_TICK UINT64_C(0xc)  /* before, after */
#define WEFT_SIM_ON_PORT_SEND UINT64_C(0x10)
#define WEFT_SIM_ON_PORT_RECVD UINT64_C(0x20)
#define WEFT_SIM_ON_PORT_TAKE_IN UINT64_C(0x40)
#define WEFT_SIM_ON_PORT_TAKE_OUT UINT64_C(0x80)
#define WEFT_SIM_ON_PORT UINT64_C(0xf0)    /* all four */
#define WEFT_SIM_ON_BUFFER UINT64_C(0x300) /* push, pop */
#define WEFT_SIM_ON_WIRE UINT64_C(0x3c00)  /* its four */
#define WEFT_SIM_ON_TASK UINT64_C(0x7c000) /* start .. end */
#define WEFT_SIM_ON_ALL UINT64_MAX
/* own: somebody traces tasks, though maybe not those of this domain */
#define WEFT_SIM_TASKS_SEEN UINT64_C(0x80000)

/* On the engine; item: struct weft_sim_event. */
extern WEFT_API const struct weft_sim_hook_pos weft_sim_before_event,
	weft_sim_after_event;
/* On a ticker; item: the ticker. After: detail is NULL if no progress. */
extern WEFT_API const struct weft_sim_hook_pos weft_sim_before_tick,
	weft_sim_after_tick;
/* On a port; item: struct weft_sim_msg. Recvd comes before the message is in
 * the incoming buffer, the others when it is in or out. */
extern WEFT_API const struct weft_sim_hook_pos weft_sim_port_send,
	weft_sim_port_recvd, weft_sim_port_take_in, weft_sim_port_take_out;
/* On a buffer; item: the element, that was put in or taken out. */
extern WEFT_API const struct weft_sim_hook_pos weft_sim_buffer_push,
	weft_sim_buffer_pop;
/* On a wire; item: struct weft_sim_msg. StartSend: it is the first that a port
 * has to send, and begins to wait; StartTrans: the other end has room;
 * DoneTrans: it is there; Deliver: the sender's buffer has let it go. */
extern WEFT_API const struct weft_sim_hook_pos weft_sim_wire_start_send,
	weft_sim_wire_start_trans, weft_sim_wire_done_trans,
	weft_sim_wire_deliver;

/* What a hook is told. Borrowed for the call. */
struct weft_sim_hook_ctx {
	struct weft_sim_domain *domain; /* where it happens */
	const struct weft_sim_hook_pos *pos;
	void *item;
	void *detail;
};

/* A hook is a struct of yours that has this first, or arg. */
struct weft_sim_hook {
	void (*call)(struct weft_sim_hook *hook,
		const struct weft_sim_hook_ctx *ctx);
	void *arg;
};

/* A thing with a name that hooks attach to: engine, handler, port, buffer... */
struct weft_sim_domain {
	uint64_t mask; /* own: positions that somebody here or above wants */
	struct weft_sim_engine *engine;
	struct weft_sim_domain *parent; /* NULL: top */
	const char *name;               /* whole: "GPU.L1[0]" */
	uint32_t id;                    /* 1, 2... in the order of their init */
	/* own: */
	bool late;      /* events ran before anybody traced its tasks */
	uint64_t above; /* positions that hooks of ancestors want */
	struct weft_sim_hooks *hooks;
	struct weft_sim_domain *child, *sibling, *older;
	const char *location[2];
};

enum weft_sim_fault {
	WEFT_SIM_OK,
	WEFT_SIM_PAST,      /* an event before now, or after the end of time */
	WEFT_SIM_FULL,      /* no room in a buffer */
	WEFT_SIM_NOWHERE,   /* a message with no, a wrong or an unknown end */
	WEFT_SIM_NAME,      /* a name breaks the rules or is taken */
	WEFT_SIM_TWICE,     /* attached, plugged in or collected before */
	WEFT_SIM_MISSING,   /* detaching what is not attached */
	WEFT_SIM_HANDLER,   /* a handler returned an error */
	WEFT_SIM_BUSY,      /* run while it runs */
	WEFT_SIM_LIMIT,     /* more than we handle */
	WEFT_SIM_TASK,      /* task without kind or what, or its own parent */
	WEFT_SIM_TASK_OPEN, /* a task id that is open starts again */
	WEFT_SIM_TASK_NONE, /* end, tag... of a task that is not open */
	WEFT_SIM_STORE,     /* a store could not take what it was given */
	WEFT_SIM_OTHER,     /* told by weft_sim_report */
	WEFT_SIM_ELSEWHERE, /* end, tag... by a component that has not started
	                     * the task; it counts where the task started */
	WEFT_SIM_STUCK,     /* nothing is left to run, but something waits */
	WEFT_SIM_NFAULTS
};

/*
 * Makes a domain of the engine below parent (NULL: at the top). The local name
 * is printf-like; tokens are CamelCase with indexes ("L1[3]", "Bank[0][1]"),
 * and are joined by dots. A name that breaks the rules or is taken is a fault,
 * WEFT_SIM_NAME; the domain works all the same.
 */
WEFT_API int weft_sim_domain_init(struct weft_sim_domain *d,
	struct weft_sim_engine *e, struct weft_sim_domain *parent,
	const char *name, ...) __attribute__((format(printf, 4, 5)));

/* True if every token of a name keeps the rules. */
WEFT_API bool weft_sim_name_ok(const char *name);

/* The domain of that whole name, or NULL. */
WEFT_API struct weft_sim_domain *weft_sim_domain_find(
	struct weft_sim_engine *e, const char *name);

/*
 * Calls hook at every firing of the positions on this domain, after the hooks
 * that were attached before. Attaching and detaching are allowed at any time,
 * also from inside a hook: a hook attached there is first called at the next
 * firing, one detached is not called any more. A hook may be attached to many
 * domains, but once to each: else WEFT_SIM_TWICE. With several threads, what a
 * handler attaches or detaches holds, and is judged, when all handlers of that
 * time are done: the call returns WEFT_SIM_OK.
 */
WEFT_API int weft_sim_hook_attach(
	struct weft_sim_domain *d, struct weft_sim_hook *hook, uint64_t mask);

/* The same for the domain and all below it, also those made later. Hooks of a
 * domain come first, then those of its parents; none is called twice. */
WEFT_API int weft_sim_hook_attach_below(
	struct weft_sim_domain *d, struct weft_sim_hook *hook, uint64_t mask);

/* Attaches to every domain there is whose name matches: * is any text, ? any
 * character. Returns how many. Those that had the hook are left out. */
WEFT_API int weft_sim_hook_attach_all(struct weft_sim_engine *e,
	const char *pattern, struct weft_sim_hook *hook, uint64_t mask);

/* WEFT_SIM_MISSING if it was not attached to this domain. */
WEFT_API int weft_sim_hook_detach(
	struct weft_sim_domain *d, struct weft_sim_hook *hook);

WEFT_API void weft_sim_hook_fire(struct weft_sim_domain *d,
	const struct weft_sim_hook_pos *pos, void *item, void *detail);

/* Calls the hooks that want the position. No hook: a load and a branch. */
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
	void *data; /* the user's */
};

/*
 * What events are for. A handler changes its own component only: then those of
 * one time may run at once, each on a thread. It never runs twice at once.
 */
struct weft_sim_handler {
	struct weft_sim_domain domain;
	/* 0, or an error, which is reported; the simulation goes on. */
	int (*handle)(
		struct weft_sim_handler *h, const struct weft_sim_event *ev);
	bool secondary; /* its events come after all primary ones of a time,
	                 * and run alone */
	/* own: */
	uint32_t tag, shift, mark;
	uint64_t ids;
};

/* {0} or NULL is the usual one. */
struct weft_sim_setup {
	int threads; /* that run handlers; 0 and 1: the caller's alone */
	bool spread; /* share even the shortest work among them: for tests */
	/* Told each fault when it happens. NULL: a store that cannot take
	 * what it is given, and a run that is stuck, are told on standard
	 * error. */
	void (*fault)(void *arg, enum weft_sim_fault kind, const char *text);
	void *arg;
};

/* NULL if the threads cannot be started. */
WEFT_API struct weft_sim_engine *weft_sim_engine_open(
	const struct weft_sim_setup *setup);

/* Finishes and frees it. NULL is fine. */
WEFT_API void weft_sim_engine_close(struct weft_sim_engine *e);

/* The engine's domain, "Engine", for hooks on events. */
WEFT_API struct weft_sim_domain *weft_sim_engine_domain(
	struct weft_sim_engine *e);

/* A handler is a domain, with a number. handle is set by the caller. */
WEFT_API int weft_sim_handler_init(struct weft_sim_handler *h,
	struct weft_sim_engine *e, struct weft_sim_domain *parent,
	const char *name, ...) __attribute__((format(printf, 4, 5)));

/* Time of the event that runs or ran last; 0 before. */
WEFT_API int64_t weft_sim_now(const struct weft_sim_engine *e);

/*
 * Calls the handler at that time, now or later. WEFT_SIM_PAST: earlier, or
 * WEFT_SIM_NEVER; nothing is scheduled. Equal times run as scheduled.
 */
WEFT_API int weft_sim_schedule(
	struct weft_sim_handler *h, int64_t time, void *data);

/*
 * Runs until nothing is left, or until weft_sim_stop. Returns 0, or what the
 * first failing handler returned, or WEFT_SIM_BUSY from inside a handler, or
 * WEFT_SIM_STUCK. May be called again after more was scheduled.
 *
 * WEFT_SIM_STUCK: nothing is left to run, but messages lie in the buffers of
 * ports, or tasks are open that handlers started (those that the caller of run
 * started itself may stay open). This is a fault, whose text says how many, at
 * which components, and which of them wait for each other. Without a fault
 * function in the setup the text is also printed on standard error.
 */
WEFT_API int weft_sim_run(struct weft_sim_engine *e);

/* The same for events up to that time. Now stays that of the last one. What
 * waits then is no fault, since more may be scheduled: weft_sim_finish looks
 * for it if no event is left. */
WEFT_API int weft_sim_run_until(struct weft_sim_engine *e, int64_t time);

/* Events that wait. A handler gets the same answer with any number of threads,
 * here and from _count, _faults and _fault_text. With several threads it waits
 * for its turn, as for a hook, except in _count. */
WEFT_API size_t weft_sim_pending(const struct weft_sim_engine *e);

/* Events run so far, with the one that runs. */
WEFT_API uint64_t weft_sim_count(const struct weft_sim_engine *e);

/*
 * From any thread. A paused engine stands between two events (rounds, with
 * threads) until continue; both may be called twice. Paused: it really stands
 * or does not run. Stop: the run ends after this event (round); from a handler
 * when the events of its time have run, so that it ends at the same event with
 * any number of threads.
 */
WEFT_API void weft_sim_pause(struct weft_sim_engine *e);
WEFT_API bool weft_sim_paused(struct weft_sim_engine *e);
WEFT_API void weft_sim_continue(struct weft_sim_engine *e);
WEFT_API void weft_sim_stop(struct weft_sim_engine *e);

/* Calls fn when the simulation is finished, in the order of registration. */
WEFT_API void weft_sim_at_end(struct weft_sim_engine *e,
	void (*fn)(void *arg, int64_t now), void *arg);

/* Calls the end handlers, once; closing the engine does that, too. */
WEFT_API void weft_sim_finish(struct weft_sim_engine *e);

/*
 * A new number that is not 0, for a message or a task: from the handler that
 * runs, so it is the same in every run, with any number of threads, and with
 * tracing on or off.
 */
WEFT_API uint64_t weft_sim_id(struct weft_sim_engine *e);

/* The copy of a string, one for equal ones, that lives as the engine does. */
WEFT_API const char *weft_sim_string(struct weft_sim_engine *e, const char *s);

/* Records a fault of the user's own. Returns WEFT_SIM_OTHER. */
WEFT_API int weft_sim_report(struct weft_sim_domain *d, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Faults of a kind so far; of all kinds for WEFT_SIM_OK. */
WEFT_API uint64_t weft_sim_faults(
	const struct weft_sim_engine *e, enum weft_sim_fault kind);

/* Text of the i-th fault, from 0; NULL beyond those that are kept (100). */
WEFT_API const char *weft_sim_fault_text(
	const struct weft_sim_engine *e, size_t i);

/* ---- clocks and tickers ---- */

/*
 * An exact clock: edge k lies at floor(k * 10^12 * den / hz) ps, so that the
 * edges of 3 GHz never drift. {3000000000, 1}; den 0 means 1.
 */
struct weft_sim_clock {
	uint64_t hz, den; /* hz / den edges a second; hz > 0 */
};

#define WEFT_SIM_DEN_MAX (UINT64_C(1) << 24) /* den is less */

/* Edges in (0, t]; the time of edge k; the first edge at or after, and after,
 * t. WEFT_SIM_NEVER if that is beyond the end of time. */
WEFT_API int64_t weft_sim_cycle(const struct weft_sim_clock *c, int64_t t);
WEFT_API int64_t weft_sim_edge(const struct weft_sim_clock *c, int64_t k);
WEFT_API int64_t weft_sim_this_tick(const struct weft_sim_clock *c, int64_t t);
WEFT_API int64_t weft_sim_next_tick(const struct weft_sim_clock *c, int64_t t);

/*
 * A component that works once a cycle, and sleeps when a tick makes no
 * progress, until somebody wakes it.
 */
struct weft_sim_ticker {
	struct weft_sim_handler handler;
	struct weft_sim_clock clock;
	/* Works for a cycle; true: made progress, so tick again. */
	bool (*tick)(struct weft_sim_ticker *t);
	/* own: */
	int64_t next, last;  /* tick that waits, tick that was; or -1 */
	int64_t cycle, edge; /* an edge and its time, as a base */
	int64_t period;      /* ps, if whole; else 0 */
};

/* tick is set by the caller; handler.secondary may be. */
WEFT_API int weft_sim_ticker_init(struct weft_sim_ticker *t,
	struct weft_sim_engine *e, struct weft_sim_domain *parent,
	const struct weft_sim_clock *clock, const char *name, ...)
	__attribute__((format(printf, 5, 6)));

/* Wakes it at the first edge at or after now (now), or after now (later); no
 * effect if a tick waits already. It ticks once a cycle at most. */
WEFT_API void weft_sim_tick_now(struct weft_sim_ticker *t);
WEFT_API void weft_sim_tick_later(struct weft_sim_ticker *t);

/* ---- messages, buffers, ports, wires ---- */

/* Embedded first in what components send. The user's memory: it belongs to
 * whoever has it, sender, port or receiver. */
struct weft_sim_msg {
	uint64_t id;                     /* 0: given by send */
	struct weft_sim_port *src, *dst; /* src is set by send */
	uint64_t response_to;            /* id of the request, or 0 */
	const char *type;                /* "ReadReq": the what of its tasks */
	uint32_t bytes, traffic;         /* for the user's hooks */
};

/* A bounded queue of pointers. */
struct weft_sim_buffer {
	struct weft_sim_domain domain;
	/* own: */
	void **slot;
	uint32_t capacity, size, first;
};

/* WEFT_SIM_LIMIT for a capacity of 0 (it becomes 1). */
WEFT_API int weft_sim_buffer_init(struct weft_sim_buffer *b,
	struct weft_sim_engine *e, struct weft_sim_domain *parent,
	uint32_t capacity, const char *name, ...)
	__attribute__((format(printf, 5, 6)));

/* WEFT_SIM_FULL, and the element is not in. */
WEFT_API int weft_sim_push(struct weft_sim_buffer *b, void *element);
/* The oldest element, or NULL; pop takes it out. */
WEFT_API void *weft_sim_pop(struct weft_sim_buffer *b);
WEFT_API void *weft_sim_peek(const struct weft_sim_buffer *b);

WEFT_INLINE bool
weft_sim_can_push(const struct weft_sim_buffer *b)
{
	return b->size < b->capacity;
}

/* Where messages leave and enter a component. */
struct weft_sim_port {
	struct weft_sim_domain domain;  /* parent: its owner */
	struct weft_sim_buffer in, out; /* ".Incoming", ".Outgoing" */
	struct weft_sim_ticker *owner;  /* woken a cycle later; or NULL */
	/* Called instead of waking the owner: a message came in (true), or
	 * one has left an outgoing buffer that was full (false), until that
	 * buffer is empty. May be NULL. */
	void (*notify)(struct weft_sim_port *p, bool received);
	/* own: */
	struct weft_sim_wire *wire;
	void *tasks;
	uint32_t index;                     /* on the wire */
	bool waits;                         /* in the queue of a receiver */
	bool waited;                        /* has a queue */
	bool was_full;                      /* out: and not empty since */
	struct weft_sim_port *first, *last; /* queue: who waits to send to it */
	struct weft_sim_port *behind;       /* it, in such a queue */
	struct weft_sim_port *more;         /* next that has a queue */
};

WEFT_API int weft_sim_port_init(struct weft_sim_port *p,
	struct weft_sim_ticker *owner, uint32_t in, uint32_t out,
	const char *name, ...) __attribute__((format(printf, 5, 6)));

/* Room to send one more? */
WEFT_INLINE bool
weft_sim_can_send(const struct weft_sim_port *p)
{
	return weft_sim_can_push(&p->out);
}

/*
 * Hands a message to the wire. WEFT_SIM_FULL: no room; WEFT_SIM_NOWHERE: no
 * destination, the port itself, or one that is not on this wire. The message
 * stays the caller's then.
 */
WEFT_API int weft_sim_send(struct weft_sim_port *p, struct weft_sim_msg *msg);

/* The oldest message that came in, or NULL; receive takes it out. */
WEFT_API struct weft_sim_msg *weft_sim_receive_peek(
	const struct weft_sim_port *p);
WEFT_API struct weft_sim_msg *weft_sim_receive(struct weft_sim_port *p);

/*
 * A direct connection without latency: after all components of a cycle, it
 * moves what the receivers have room for. The first message of a port holds up
 * those behind it. Ports that send to one receiver take turns, a message each:
 * who was served goes behind all that wait, so the first message of a port
 * waits for at most one of each other port.
 */
struct weft_sim_wire {
	struct weft_sim_ticker ticker;
	/* own: */
	struct weft_sim_port **port;
	uint32_t n, cap, turn; /* turn: behind the last that was served */
	struct weft_sim_port *waited, *last_waited; /* receivers with a queue */
	struct weft_sim_wire *older;
};

WEFT_API int weft_sim_wire_init(struct weft_sim_wire *w,
	struct weft_sim_engine *e, struct weft_sim_domain *parent,
	const struct weft_sim_clock *clock, const char *name, ...)
	__attribute__((format(printf, 5, 6)));

/* WEFT_SIM_TWICE if the port is on a wire already. */
WEFT_API int weft_sim_plug(struct weft_sim_wire *w, struct weft_sim_port *p);

/* ---- logs ---- */

/* A hook for weft_sim_before_event on the engine: a line an event, "seconds,
 * Event -> handler", to the file, which the caller closes after the engine. */
WEFT_API struct weft_sim_hook *weft_sim_event_log(
	struct weft_sim_engine *e, FILE *to);

/* A hook for ports: a CSV line a message and position: seconds, port,
 * position, source, destination, type, id. */
WEFT_API struct weft_sim_hook *weft_sim_msg_log(
	struct weft_sim_engine *e, FILE *to);

#ifdef __cplusplus
}
#endif

#endif
