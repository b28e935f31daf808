/* SPDX-License-Identifier: MIT */
#include "cli/run/raw.h"

#include <limits.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "trace/obs/wire.h"

enum { WINDOW = 64 << 10 };

bool
raw_open(struct raw *r, const char *folder)
{
	char path[PATH_MAX];
	struct stat st;

	*r = (struct raw){ .cap = WINDOW };
	if (snprintf(path, sizeof path, "%s/stream.obs", folder) >=
		(int)sizeof path)
		return false;
	r->file = fopen(path, "rb");
	if (r->file == NULL)
		return false;
	r->buf = mem_resize(NULL, r->cap, 1);
	if (fstat(fileno(r->file), &st) != 0 || st.st_size < OBS_FIRST ||
		fseek(r->file, OBS_FIRST, SEEK_SET) != 0)
		return false;
	r->left = st.st_size - OBS_FIRST;
	return true;
}

/* Tries to have at least n bytes from `at` on in the buffer. */
static bool
want(struct raw *r, size_t n)
{
	size_t got;

	if (r->n - r->at >= n)
		return true;
	if ((uint64_t)r->left + (r->n - r->at) < n)
		return false;
	memmove(r->buf, r->buf + r->at, r->n - r->at);
	r->n -= r->at;
	r->at = 0;
	if (n > r->cap) {
		while (r->cap < n)
			r->cap *= 2;
		r->buf = mem_resize(r->buf, r->cap, 1);
	}
	got = fread(r->buf + r->n, 1, r->cap - r->n, r->file);
	r->n += got;
	r->left -= (int64_t)got;
	return r->n >= n;
}

/* Returns the size of the next event, or 0 if it is cut. */
static size_t
next_size(struct raw *r)
{
	size_t n = sizeof(struct obs_event_header);
	uint32_t jumbo;
	uint8_t flags;

	if (!want(r, n))
		return 0;
	flags = r->buf[r->at];
	if ((flags & OBS_PAYLOAD) != 0)
		n += (size_t)(flags & OBS_PAYLOAD) + 1;
	if ((flags & OBS_JUMBO) != 0) {
		if (n < sizeof(struct obs_event_header) + sizeof jumbo ||
			!want(r, n))
			return 0;
		memcpy(&jumbo, r->buf + r->at + sizeof(struct obs_event_header),
			sizeof jumbo);
		n += jumbo;
	}
	return want(r, n) ? n : 0;
}

const unsigned char *
raw_next(struct raw *r, size_t *n)
{
	const unsigned char *event;

	*n = r->file == NULL ? 0 : next_size(r);
	if (*n == 0)
		return NULL;
	event = r->buf + r->at;
	r->at += *n;
	return event;
}

const unsigned char *
raw_rest(struct raw *r, size_t *n)
{
	const unsigned char *rest;

	*n = 0;
	if (r->file == NULL)
		return NULL;
	want(r, 1);
	rest = r->buf + r->at;
	*n = r->n - r->at;
	r->at = r->n;
	return rest;
}

void
raw_close(struct raw *r)
{
	if (r->file != NULL)
		fclose(r->file);
	mem_free(r->buf);
	r->file = NULL;
	r->buf = NULL;
}
