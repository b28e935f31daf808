/* SPDX-License-Identifier: MIT */
#include <stdarg.h>

#include "sim/engine.h"
#include "sim/port.h"

int
buffer_init(struct weft_sim_buffer *b, struct weft_sim_domain *parent,
	struct weft_sim_engine *e, uint32_t capacity, const char *fmt, ...)
{
	va_list ap;
	int fault;

	va_start(ap, fmt);
	fault = domain_init(&b->domain, e, parent, fmt, ap);
	va_end(ap);
	b->capacity = capacity == 0 ? 1 : capacity;
	b->slot = ARENA_ARRAY(&e->arena, void *, b->capacity);
	b->size = 0;
	b->first = 0;
	if (capacity == 0)
		return sim_fault(e, WEFT_SIM_LIMIT,
			"%s: a buffer of capacity 0; it gets capacity 1",
			b->domain.name);
	return fault;
}

int
weft_sim_buffer_init(struct weft_sim_buffer *b, struct weft_sim_engine *e,
	struct weft_sim_domain *parent, uint32_t capacity, const char *name,
	...)
{
	char text[256];
	va_list ap;

	va_start(ap, name);
	vsnprintf(text, sizeof text, name, ap);
	va_end(ap);
	return buffer_init(b, parent, e, capacity, "%s", text);
}

int
weft_sim_push(struct weft_sim_buffer *b, void *element)
{
	uint32_t at = b->first + b->size;

	if (b->size == b->capacity)
		return sim_fault(b->domain.engine, WEFT_SIM_FULL,
			"%s: full, with %u elements", b->domain.name, b->size);
	b->slot[at < b->capacity ? at : at - b->capacity] = element;
	b->size++;
	weft_sim_hook_call(&b->domain, &weft_sim_buffer_push, element, NULL);
	return WEFT_SIM_OK;
}

void *
weft_sim_peek(const struct weft_sim_buffer *b)
{
	return b->size == 0 ? NULL : b->slot[b->first];
}

void *
weft_sim_pop(struct weft_sim_buffer *b)
{
	void *element = weft_sim_peek(b);

	if (b->size == 0)
		return NULL;
	b->first = b->first + 1 < b->capacity ? b->first + 1 : 0;
	b->size--;
	weft_sim_hook_call(&b->domain, &weft_sim_buffer_pop, element, NULL);
	return element;
}
