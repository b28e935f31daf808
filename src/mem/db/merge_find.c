/* SPDX-License-Identifier: MIT */
#include "mem/db/merge_find.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "mem/db/database.h"
#include "mem/wire.h"

struct finder {
	struct merge_inputs *to;
	struct arena *arena;
	struct mem_findings *findings;
	int found; /* files with the name of an image's */
};

static int
order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

int
merge_order(const struct merge_image *a, const struct merge_image *b)
{
	int by = order(a->started, b->started);

	if (by == 0)
		by = (a->pid > b->pid) - (a->pid < b->pid);
	return by != 0 ? by : order(a->image, b->image);
}

static int
by_order(const void *a, const void *b)
{
	return merge_order(a, b);
}

static bool
read_head(const char *path, struct mem_head *h)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int64_t got = fd < 0 ? -1 : file_pread(fd, h, sizeof *h, 0);
	int error = errno;

	if (fd >= 0)
		close(fd);
	errno = error;
	return got == (int64_t)sizeof *h &&
		memcmp(h->magic, MEM_MAGIC, sizeof h->magic) == 0 &&
		mem_check(h, offsetof(struct mem_head, check), 0) == h->check;
}

static void
add_image(void *arg, const char *path, const char *relative)
{
	struct finder *f = arg;
	struct mem_head h;

	(void)relative;
	f->found++;
	if (!read_head(path, &h)) {
		mem_findings_add(f->findings, arena_strdup(f->arena, path), 0,
			"its head is unreadable or damaged: left out");
		return;
	}
	VEC_PUSH(&f->to->image, f->arena,
		((struct merge_image){ file_parent(f->arena, path), h.image,
			h.realtime, h.pid }));
}

static void
unreadable(void *arg, const char *path, const char *why)
{
	struct finder *f = arg;

	mem_findings_add(
		f->findings, arena_strdup(f->arena, path), 0, "%s", why);
}

static bool
look_into(struct finder *f, const char *path, struct err *err)
{
	const struct file_visitor visitor = {
		.file = add_image, .unreadable = unreadable, .arg = f
	};
	int before = f->found;

	if (database_is(path)) {
		VEC_PUSH(&f->to->database, f->arena, path);
		return true;
	}
	if (!file_is_dir(path))
		return err_set(err, ERR_INPUT,
			"%s: neither a directory of a measurement nor a "
			"database of weft mem merge",
			path);
	if (!file_find(f->arena, path, "process.mem", &visitor, err))
		return false;
	return f->found > before ||
		err_set(err, ERR_INPUT,
			"%s: has no memory measurement: record one with weft "
			"run -e datacentric",
			path);
}

/* Sorts the images and drops those that were found twice. */
static void
sort(struct merge_inputs *to)
{
	int n = 0;

	if (to->image.n == 0)
		return;
	qsort(to->image.at, (size_t)to->image.n, sizeof *to->image.at,
		by_order);
	for (int i = 0; i < to->image.n; i++)
		if (n == 0 ||
			merge_order(&to->image.at[n - 1], &to->image.at[i]) !=
				0)
			to->image.at[n++] = to->image.at[i];
	to->image.n = n;
}

bool
merge_find(struct merge_inputs *to, struct arena *a, const char *const *path,
	int n, struct mem_findings *findings, struct err *err)
{
	struct finder f = { .to = to, .arena = a, .findings = findings };

	for (int i = 0; i < n; i++)
		if (!look_into(&f, path[i], err))
			return false;
	sort(to);
	return true;
}
