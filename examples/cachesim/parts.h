/* SPDX-License-Identifier: MIT */
/*
 * parts.h - the components of a small machine:
 *
 *	core -> L1 --+
 *	             +-- wire -- L2 -- DRAM
 *	core -> L1 --+
 *
 * A core issues the reads and writes of its trace in order, several at once. A
 * cache is set-associative, replaces the least recently used line,
 * writes back, fetches on a write, and works on one miss at a time. DRAM has
 * banks with an open row each. Every request is answered.
 */
#ifndef CACHESIM_PARTS_H
#define CACHESIM_PARTS_H

#include <weft/task.h>

#define LINE 64 /* bytes */

struct access {
	uint64_t address; /* address of a byte; for caches and DRAM, of a
	                   * line */
	bool write;
};

struct trace {
	struct access *access;
	size_t n, room;
};

/* Adds accesses to the lines of size bytes from the address on. */
void trace_add(struct trace *t, uint64_t address, uint64_t size, bool write);
/* Adds the accesses in the output of valgrind --tool=lackey --trace-mem=yes.
 * Returns false if the file cannot be read. */
bool trace_lackey(struct trace *t, const char *path);
/* Adds the accesses of C = A B, n x n doubles, for the rows from, from +
 * step... */
void trace_matrix(struct trace *t, uint64_t n, uint64_t from, uint64_t step);

/* A request and its response, in the memory of the component that asks. The
 * memory is in use until the response arrives. */
struct request {
	struct weft_sim_msg msg; /* first */
	struct response {
		struct weft_sim_msg msg; /* first */
		struct request *to;
	} response;
	uint64_t line;
	bool write, is_used;
	bool whole;     /* asks for the whole line, as a cache does */
	uint64_t cause; /* the task that needs it, or 0 */
};

/* Sends the request, as a task of the domain. The port must have room. */
void request_send(struct request *r, struct weft_sim_domain *d,
	struct weft_sim_port *from, struct weft_sim_port *to);
/* Sends the response. */
void request_answer(struct request *r, struct weft_sim_domain *d,
	struct weft_sim_port *from);
/* Returns the request that was answered, whose memory may be used again; NULL
 * if no response has come. */
struct request *request_finish(
	struct weft_sim_domain *d, struct weft_sim_port *at);

#define WINDOW 8 /* requests of a core at once */

struct core {
	struct weft_sim_ticker ticker;
	struct weft_sim_port port;
	struct weft_sim_port *memory;
	struct trace trace;
	size_t next;
	struct request request[WINDOW];
};

struct line {
	uint64_t tag, used; /* used: the time of the last use, in accesses */
	bool valid, dirty;
};

struct cache {
	struct weft_sim_ticker ticker;
	struct weft_sim_port top, bottom;
	struct weft_sim_port *memory; /* port of the memory below */
	uint32_t sets, ways, latency; /* latency in cycles */
	struct line *line;            /* sets x ways */
	uint64_t uses, hits, misses, write_backs;
	struct request *now; /* the request that it works on, or NULL */
	int64_t ready;       /* cycle when the look-up is done */
	struct line *victim; /* the way that hit, or that the miss replaces */
	enum { LOOK_UP, WRITE_BACK, FETCH, WAIT, ANSWER } state;
	struct request fetch, write_back;
};

#define BANKS 8
#define ROW 4096 /* bytes */

struct dram {
	struct weft_sim_ticker ticker;
	struct weft_sim_port port;
	struct {
		uint64_t row;
		bool is_open;
		struct request *now;
		int64_t ready; /* ps */
	} bank[BANKS];
	uint64_t accesses, row_hits;
};

void core_init(struct core *c, struct weft_sim_engine *e, int i,
	const struct weft_sim_clock *clock);
/* Returns 0, or -1 if memory ran out. */
int cache_init(struct cache *c, struct weft_sim_engine *e,
	const struct weft_sim_clock *clock, const char *name, uint64_t bytes);
void dram_init(struct dram *d, struct weft_sim_engine *e,
	const struct weft_sim_clock *clock);

#endif
