/* SPDX-License-Identifier: MIT */
#include "export/prv_in/header.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"

#define MAGIC "#Paraver ("
#define NEW_FORMAT "new format" /* some producers write this line first */
#define APPLS_MAX 65535         /* Paraver counts in 16 bits */

/* The rest of the line that is being parsed. */
struct rest {
	const char *line, *at;
	struct err *err;
};

bool
prv_in_header_is(const char *head, size_t n)
{
	size_t skip = sizeof NEW_FORMAT - 1, magic = sizeof MAGIC - 1;

	if (n > skip && memcmp(head, NEW_FORMAT, skip) == 0) {
		while (skip < n && (head[skip] == '\r' || head[skip] == '\n'))
			skip++;
		head += skip;
		n -= skip;
	}
	return n >= magic && memcmp(head, MAGIC, magic) == 0;
}

static bool
fail(struct rest *r, const char *what)
{
	return err_set(r->err, ERR_INPUT,
		"the header is not that of a Paraver trace: column %zu: %s",
		(size_t)(r->at - r->line) + 1, what);
}

static bool
take(struct rest *r, char c)
{
	if (*r->at != c)
		return false;
	r->at++;
	return true;
}

/* Reads a number of at most `max`. */
static bool
number(struct rest *r, uint64_t max, uint64_t *to)
{
	uint64_t u = 0;

	if (!isdigit((unsigned char)*r->at))
		return fail(r, "a number is expected");
	for (; isdigit((unsigned char)*r->at); r->at++) {
		unsigned digit = (unsigned)(*r->at - '0');

		if (u > (max - digit) / 10)
			return fail(r, "the number is too large");
		u = u * 10 + digit;
	}
	*to = u;
	return true;
}

static bool
read_end(struct prv_in_header *h, struct rest *r)
{
	static const struct {
		const char *text;
		int64_t ns;
	} units[] = { { "_ns", 1 }, { "_us", 1000 }, { "_ms", 1000000 } };
	uint64_t end = 0;

	if (!number(r, INT64_MAX, &end))
		return false;
	if (*r->at == '.') /* some producers write a fraction */
		for (r->at++; isdigit((unsigned char)*r->at);)
			r->at++;
	h->end = (int64_t)end;
	h->unit_ns = 1000;
	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
		if (strncmp(r->at, units[i].text, 3) == 0) {
			h->unit_ns = units[i].ns;
			r->at += 3;
			break;
		}
	return true;
}

static bool
read_nodes(struct prv_in_header *h, struct arena *a, struct rest *r)
{
	uint64_t nodes = 0, cpus = 0;

	if (!number(r, UINT32_MAX, &nodes) || !take(r, '('))
		return r->err->kind == ERR_NONE;
	do {
		if (!number(r, UINT32_MAX, &cpus))
			return false;
		VEC_PUSH(&h->cpus, a, (uint32_t)cpus);
	} while (take(r, ','));
	return take(r, ')') || fail(r, "\")\" is expected");
}

static bool
read_task(struct prv_in_header *h, struct arena *a, struct rest *r)
{
	uint64_t threads, node = 0;

	if (!number(r, UINT32_MAX, &threads) ||
		(take(r, ':') && !number(r, UINT32_MAX, &node)))
		return false;
	VEC_PUSH(&h->tasks, a,
		((struct prv_in_task){ .appl = (uint32_t)h->appls.n,
			.threads = (uint32_t)threads,
			.node = (uint32_t)node }));
	h->threads += threads;
	return true;
}

static bool
read_appl(struct prv_in_header *h, struct arena *a, struct rest *r)
{
	struct prv_in_appl appl = { .first = (uint32_t)h->tasks.n };
	uint64_t tasks;

	if (!number(r, UINT32_MAX, &tasks))
		return false;
	if (!take(r, '('))
		return fail(r, "the threads of each task are expected");
	do {
		if (!read_task(h, a, r))
			return false;
	} while (take(r, ','));
	if (!take(r, ')'))
		return fail(r, "\")\" is expected");
	appl.tasks = (uint32_t)h->tasks.n - appl.first;
	VEC_PUSH(&h->appls, a, appl);
	return true;
}

bool
prv_in_header_parse(struct prv_in_header *h, struct arena *a, const char *line,
	struct err *err)
{
	struct rest r = { line, line, err };
	uint64_t appls = 0;

	*h = (struct prv_in_header){ 0 };
	while (*r.at != '\0' && *r.at != ')')
		r.at++;
	if (!take(&r, ')') || !take(&r, ':'))
		return fail(&r, "the end of the date is expected");
	if (!read_end(h, &r) || !take(&r, ':') || !read_nodes(h, a, &r) ||
		!take(&r, ':') || !number(&r, APPLS_MAX, &appls))
		return err->kind == ERR_NONE ? fail(&r, "\":\" is expected")
					     : false;
	for (uint64_t i = 0; i < appls; i++) {
		if (!take(&r, ':') && !(i > 0 && take(&r, ',')))
			return fail(&r, "an application is expected");
		if (!read_appl(h, a, &r))
			return false;
	}
	return h->threads > 0 || fail(&r, "it has no thread");
}
