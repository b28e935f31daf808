/* SPDX-License-Identifier: MIT */
/* weft-papi.so: the only file that uses PAPI. */
#include "inproc/ctf/papi_module.h"

#include <papi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct {
	pid_t pid; /* the process in which PAPI is set up */
	int n;
	char name[WEFT_HWC_MAX][64];
	struct papi_sets trial; /* counters are added for a test; never
	                         * counts */
} all;

/* Sets PAPI up again in a child of fork: there it still has the parent's
 * state. */
static const char *
set_up(void)
{
	int version;

	if (all.pid == getpid())
		return NULL;
	if (all.pid != 0)
		PAPI_shutdown();
	version = PAPI_library_init(PAPI_VER_CURRENT);
	if (version != PAPI_VER_CURRENT)
		return version > 0 ? "libpapi of another version"
				   : PAPI_strerror(version);
	PAPI_thread_init(pthread_self); /* the program may have done so
	                                 * already */
	all.pid = getpid();
	return NULL;
}

/* PAPI has an event set for each component. */
static struct papi_set *
set_of(struct papi_sets *s, int component)
{
	struct papi_set *set = s->set;

	while (set < &s->set[s->n] && set->component != component)
		set++;
	if (set == &s->set[PAPI_SETS])
		return NULL;
	if (set == &s->set[s->n]) {
		*set = (struct papi_set){ .id = PAPI_NULL,
			.component = component };
		if (PAPI_create_eventset(&set->id) != PAPI_OK)
			return NULL;
		s->n++;
	}
	return set;
}

static const char *
add_to(struct papi_sets *s, const char *name, int at)
{
	struct papi_set *set;
	char text[64];
	int code, error;

	snprintf(text, sizeof(text), "%s", name);
	error = PAPI_event_name_to_code(text, &code);
	if (error != PAPI_OK)
		return PAPI_strerror(error);
	set = set_of(s, PAPI_get_event_component(code));
	if (!set)
		return "too many components of PAPI";
	error = PAPI_add_event(set->id, code);
	if (error != PAPI_OK)
		return PAPI_strerror(error);
	set->at[set->n++] = (unsigned char)at;
	return NULL;
}

static const char *
papi_add(const char *name)
{
	const char *why = set_up();

	if (!why && strlen(name) >= sizeof(all.name[0]))
		why = "too long a name";
	if (!why)
		why = add_to(&all.trial, name, all.n);
	if (!why)
		memcpy(all.name[all.n++], name, strlen(name) + 1);
	return why;
}

static void
papi_close(struct papi_sets *s)
{
	long long none[WEFT_HWC_MAX];

	for (int i = 0; i < s->n; i++) {
		PAPI_stop(s->set[i].id, none);
		PAPI_cleanup_eventset(s->set[i].id);
		PAPI_destroy_eventset(&s->set[i].id);
	}
	s->n = 0;
	PAPI_unregister_thread();
}

static const char *
papi_open(struct papi_sets *s)
{
	const char *why = set_up();
	int error = PAPI_OK;

	s->n = 0;
	for (int i = 0; i < all.n && !why; i++)
		why = add_to(s, all.name[i], i);
	for (int i = 0; i < s->n && !why; i++) {
		error = PAPI_start(s->set[i].id);
		why = error != PAPI_OK ? PAPI_strerror(error) : NULL;
	}
	if (why)
		papi_close(s);
	return why;
}

static void
papi_read(const struct papi_sets *s, uint64_t *values)
{
	long long have[WEFT_HWC_MAX] = { 0 };

	for (int i = 0; i < s->n; i++) {
		PAPI_read(s->set[i].id, have);
		for (int k = 0; k < s->set[i].n; k++)
			values[s->set[i].at[k]] = (uint64_t)have[k];
	}
}

WEFT_API extern const struct papi_module weft_papi;
const struct papi_module weft_papi = {
	.layout = PAPI_LAYOUT,
	.add = papi_add,
	.open = papi_open,
	.read = papi_read,
	.close = papi_close,
};
