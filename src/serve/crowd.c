/* SPDX-License-Identifier: MIT */
#include "serve/crowd.h"

#include <stddef.h>
#include <sys/socket.h>

#include "base/arena.h"

void
crowd_init(struct crowd *c, int most)
{
	*c = (struct crowd){ .lock = PTHREAD_MUTEX_INITIALIZER, .most = most };
}

void
crowd_fini(struct crowd *c)
{
	pthread_mutex_destroy(&c->lock);
}

static void
take_off(struct crowd *c, struct guest *g)
{
	if (!g->waits)
		return;
	*(g->before == NULL ? &c->first : &g->before->after) = g->after;
	*(g->after == NULL ? &c->last : &g->after->before) = g->before;
	g->waits = false;
	c->n--;
}

static void
put_on(struct crowd *c, struct guest *g)
{
	if (g->waits)
		return;
	g->before = c->last;
	g->after = NULL;
	*(c->last == NULL ? &c->first : &c->last->after) = g;
	c->last = g;
	g->waits = true;
	c->n++;
}

struct guest *
crowd_enter(struct crowd *c, int socket)
{
	struct guest *g = mem_resize(NULL, 1, sizeof *g);

	*g = (struct guest){ .socket = socket };
	pthread_mutex_lock(&c->lock);
	put_on(c, g);
	if (c->n > c->most) {
		struct guest *oldest = c->first;

		/* The connection's thread then reads the end of its input and
		 * calls crowd_leave(). */
		take_off(c, oldest);
		shutdown(oldest->socket, SHUT_RDWR);
	}
	pthread_mutex_unlock(&c->lock);
	return g;
}

void
crowd_serve(struct crowd *c, struct guest *g, bool served)
{
	pthread_mutex_lock(&c->lock);
	if (served)
		take_off(c, g);
	else
		put_on(c, g);
	pthread_mutex_unlock(&c->lock);
}

void
crowd_leave(struct crowd *c, struct guest *g)
{
	pthread_mutex_lock(&c->lock);
	take_off(c, g);
	pthread_mutex_unlock(&c->lock);
	mem_free(g);
}
