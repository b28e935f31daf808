/* SPDX-License-Identifier: MIT */
/*
 * crowd.h - bounds the connections that have no request: anybody who can reach
 * the port may open connections and send nothing, or a byte now and then. When
 * there are too many, the connection that has waited longest is closed, so that
 * there is always room for a new one. A browser opens a closed connection
 * again.
 *
 *	struct guest *g = crowd_enter(&crowd, socket)      (connected)
 *	crowd_serve(&crowd, g, true)                       (a request came)
 *	crowd_serve(&crowd, g, false)                      (its answer is sent)
 *	crowd_leave(&crowd, g)             (before the socket is closed)
 */
#ifndef WEFT_SERVE_CROWD_H
#define WEFT_SERVE_CROWD_H

#include <pthread.h>
#include <stdbool.h>

struct guest {
	struct guest *before, *after; /* in the order of waiting; or NULL */
	int socket;
	bool waits;
};

struct crowd {
	pthread_mutex_t lock;
	struct guest *first, *last; /* guests that wait */
	int n, most;
};

/* At most `most` connections will wait. */
void crowd_init(struct crowd *c, int most);
void crowd_fini(struct crowd *c);

struct guest *crowd_enter(struct crowd *c, int socket);
void crowd_serve(struct crowd *c, struct guest *g, bool served);
void crowd_leave(struct crowd *c, struct guest *g);

#endif
