/* SPDX-License-Identifier: MIT */
/* kit.h - handlers and hooks that write each call down as a line. */
#ifndef WEFT_TESTS_SIM_KIT_H
#define WEFT_TESTS_SIM_KIT_H

#include <stdarg.h>
#include <stdlib.h>

#include "test.h"
#include "weft/sim.h"

static char said[4096];

__attribute__((format(printf, 1, 2), unused)) static void
say(const char *fmt, ...)
{
	size_t n = strlen(said);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(said + n, sizeof said - n, fmt, ap);
	va_end(ap);
}

/* Returns the texts that were passed to say() since the last call. */
__attribute__((unused)) static const char *
heard(void)
{
	static char copy[sizeof said];

	memcpy(copy, said, sizeof said);
	said[0] = '\0';
	return copy;
}

/* A handler that writes down the number in its event. */
__attribute__((unused)) static int
say_number(struct weft_sim_handler *h, const struct weft_sim_event *ev)
{
	(void)h;
	say("%d ", (int)(intptr_t)ev->data);
	return 0;
}

/* A hook that writes its letter and the first letter of the hook position. */
__attribute__((unused)) static void
say_letter(struct weft_sim_hook *hook, const struct weft_sim_hook_ctx *ctx)
{
	say("%s%c ", (const char *)hook->arg, ctx->pos->name[0]);
}

#define NUMBER(n) ((void *)(intptr_t)(n))

#endif
