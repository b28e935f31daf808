/* SPDX-License-Identifier: MIT */
#include "inproc/mem/threads.h"

#include <limits.h>
#include <pthread.h>
#include <stddef.h>
#include <threads.h>

#include "inproc/core/pages.h"
#include "inproc/core/spin.h"
#include "inproc/mem/confined.h"
#include "inproc/mem/drain.h"
#include "inproc/mem/first.h"
#include "inproc/mem/hook.h"
#include "inproc/mem/real.h"
#include "inproc/mem/timer.h"
#include "inproc/mem/track.h"

/* The work of a new thread. */
struct birth {
	struct birth *next; /* in the list of free entries */
	void *(*call)(void *);
	thrd_start_t call_int; /* the function, if thrd_create() starts the
	                        * thread */
	void *with;
	uint64_t stack_bytes;
};

static struct {
	struct spin lock;   /* RANK_BIRTHS: for the list */
	struct birth *free; /* other fields of an entry belong to its user */
	pthread_key_t key;  /* set at the start */
} births;

static struct birth *
take_birth(void)
{
	struct birth *b;

	spin_lock(&births.lock, RANK_BIRTHS);
	b = births.free;
	if (b != NULL)
		births.free = b->next;
	spin_unlock(&births.lock, RANK_BIRTHS);
	return b != NULL ? b : room_take(sizeof(*b));
}

/* Returns NULL for a thread of the recorder, or without memory. */
static struct birth *
be_born(void)
{
	confined_by_self();
	if (!track.is_on || self_tls.is_internal || self_tls.is_confined ||
		self_tls.is_forking)
		return NULL;
	drain_sample_now();
	return take_birth();
}

static void
give_birth_back(struct birth *b)
{
	spin_lock(&births.lock, RANK_BIRTHS);
	b->next = births.free;
	births.free = b;
	spin_unlock(&births.lock, RANK_BIRTHS);
}

/* Runs after all other destructors: defers itself to the last round. */
static void
end(void *round)
{
	if ((size_t)round < PTHREAD_DESTRUCTOR_ITERATIONS - 1) {
		pthread_setspecific(births.key, (char *)round + 1);
		return;
	}
	if (self_tls.is_confined)
		return;
	timer_stop();
	self_end();
}

void
threads_init(void)
{
	pthread_key_create(&births.key, end);
}

void
threads_begin(void)
{
	self_tls.is_internal = true;
	self_tls.is_begun = true;
	pthread_setspecific(births.key, (void *)1);
	if (self_get() != NULL)
		timer_start(self_tls.self);
	self_tls.is_internal = false;
}

static void
begin(struct birth *b)
{
	self_tls.stack_bytes = b->stack_bytes;
	give_birth_back(b);
	threads_begin();
	if (self_tls.self != NULL)
		self_tls.self->has_no_chance = !first_begin(self_tls.self);
}

static void *
run(void *birth)
{
	struct birth b = *(struct birth *)birth;

	begin(birth);
	return b.call(b.with);
}

static int
run_int(void *birth)
{
	struct birth b = *(struct birth *)birth;

	begin(birth);
	return b.call_int(b.with);
}

static uint64_t
stack_bytes(const pthread_attr_t *attr)
{
	pthread_attr_t usual;
	size_t bytes = 0;

	if (attr != NULL) {
		pthread_attr_getstacksize(attr, &bytes);
	} else if (pthread_getattr_default_np(&usual) == 0) {
		pthread_attr_getstacksize(&usual, &bytes);
		pthread_attr_destroy(&usual);
	}
	return bytes;
}

HOOK int
pthread_create(pthread_t *to, const pthread_attr_t *attr, void *(*call)(void *),
	void *with)
{
	struct birth *b;
	int error;

	real_find();
	b = be_born();
	if (b == NULL)
		return real.pthread_create(to, attr, call, with);
	*b = (struct birth){
		.call = call, .with = with, .stack_bytes = stack_bytes(attr)
	};
	error = real.pthread_create(to, attr, run, b);
	if (error != 0)
		give_birth_back(b);
	return error;
}

HOOK int
thrd_create(thrd_t *to, thrd_start_t call, void *with)
{
	struct birth *b;
	int code;

	real_find();
	b = be_born();
	if (b == NULL)
		return real.thrd_create(to, call, with);
	*b = (struct birth){
		.call_int = call, .with = with, .stack_bytes = stack_bytes(NULL)
	};
	code = real.thrd_create(to, run_int, b);
	if (code != thrd_success)
		give_birth_back(b);
	return code;
}

void
threads_hold(void)
{
	spin_lock(&births.lock, RANK_BIRTHS);
}

void
threads_let_go(void)
{
	spin_unlock(&births.lock, RANK_BIRTHS);
}
