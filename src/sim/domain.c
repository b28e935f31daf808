/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "sim/engine.h"

#define NAME_MAX_LOCAL 256
#define HANDLERS_MAX 0xfffff

/* Skips indexes such as "[12]" or "[0][1]", which end at a dot or at the end of
 * the name. Returns NULL if they are malformed. */
static const char *
skip_indexes(const char *s)
{
	while (*s == '[') {
		const char *digits = ++s;

		while (isdigit((unsigned char)*s))
			s++;
		if (s == digits || *s++ != ']')
			return NULL;
	}
	return s;
}

bool
weft_sim_name_ok(const char *name)
{
	for (const char *s = name;; s++) {
		if (!isupper((unsigned char)*s))
			return false;
		while (isalnum((unsigned char)*s))
			s++;
		s = skip_indexes(s);
		if (s == NULL || (*s != '.' && *s != '\0'))
			return false;
		if (*s == '\0')
			return true;
	}
}

/* When a character does not match, matching resumes at the last star. */
bool
sim_name_matches(const char *pattern, const char *name)
{
	const char *star = NULL, *from = NULL;

	while (*name != '\0') {
		if (*pattern == '*') {
			star = pattern++;
			from = name;
		} else if (*pattern == '?' || *pattern == *name) {
			pattern++;
			name++;
		} else if (star != NULL) {
			pattern = star + 1;
			name = ++from;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}

/* Enters the full name into the table of names. */
static int
take_name(struct weft_sim_domain *d, const char *local, int length)
{
	struct weft_sim_engine *e = d->engine;
	uint64_t *owner;

	if (length >= NAME_MAX_LOCAL)
		return sim_fault(e, WEFT_SIM_NAME,
			"%s...: name cut after %d characters", d->name,
			NAME_MAX_LOCAL - 1);
	if (!weft_sim_name_ok(local))
		return sim_fault(e, WEFT_SIM_NAME,
			"%s: not a name: CamelCase with indexes, joined by "
			"dots",
			d->name);
	owner = map_put(&e->names, intern_add(&e->strings, d->name));
	if (*owner != 0)
		return sim_fault(
			e, WEFT_SIM_NAME, "%s: this name is in use", d->name);
	*owner = (uintptr_t)d;
	return WEFT_SIM_OK;
}

int
domain_init(struct weft_sim_domain *d, struct weft_sim_engine *e,
	struct weft_sim_domain *parent, const char *fmt, va_list ap)
{
	char local[NAME_MAX_LOCAL];
	const char *name;
	int length;

	sim_take_turn(e);
	length = vsnprintf(local, sizeof local, fmt, ap);
	name = local;
	if (parent != NULL)
		name = arena_printf(&e->arena, "%s.%s", parent->name, local);
	*d = (struct weft_sim_domain){ .engine = e,
		.parent = parent,
		.name = weft_sim_string(e, name),
		.id = ++e->ndomains,
		.older = e->newest };
	e->newest = d;
	if (parent != NULL) {
		d->sibling = parent->child;
		parent->child = d;
	}
	/* Computes the mask of hooks above without attaching one. */
	hook_apply_attach(d, NULL, 0, false);
	d->late = false;
	return take_name(d, local, length);
}

int
weft_sim_domain_init(struct weft_sim_domain *d, struct weft_sim_engine *e,
	struct weft_sim_domain *parent, const char *name, ...)
{
	va_list ap;
	int fault;

	va_start(ap, name);
	fault = domain_init(d, e, parent, name, ap);
	va_end(ap);
	return fault;
}

struct weft_sim_domain *
weft_sim_domain_find(struct weft_sim_engine *e, const char *name)
{
	uint32_t id;
	uint64_t *at;

	sim_take_turn(e);
	id = intern_find(&e->strings, name);
	at = id == INTERN_NONE ? NULL : map_get(&e->names, id);
	return at == NULL ? NULL : (struct weft_sim_domain *)(uintptr_t)*at;
}

/*
 * An id is a counter above the number of its handler. The first 63 handlers
 * have short numbers, which keeps the ids of small machines small, also in a
 * database.
 */
void
handler_number(struct weft_sim_handler *h, uint32_t number)
{
	bool is_short = number < 63;

	h->shift = is_short ? 6 : 26;
	h->tag = is_short ? number : number << 6 | 63;
}

int
handler_init(struct weft_sim_handler *h, struct weft_sim_engine *e,
	struct weft_sim_domain *parent, const char *fmt, va_list ap)
{
	int fault = domain_init(&h->domain, e, parent, fmt, ap);

	if (e->nhandlers == HANDLERS_MAX)
		fault = sim_fault(e, WEFT_SIM_LIMIT,
			"%s: more than %d handlers: ids repeat", h->domain.name,
			HANDLERS_MAX);
	else
		e->nhandlers++;
	handler_number(h, e->nhandlers);
	h->mark = 0;
	h->ids = 0;
	return fault;
}

int
weft_sim_handler_init(struct weft_sim_handler *h, struct weft_sim_engine *e,
	struct weft_sim_domain *parent, const char *name, ...)
{
	va_list ap;
	int fault;

	va_start(ap, name);
	fault = handler_init(h, e, parent, name, ap);
	va_end(ap);
	return fault;
}
