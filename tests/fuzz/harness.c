/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/bug.h"
#include "check_sink.h"
#include "emu/emu.h"
#include "export/sinks.h"
#include "export/stat/stat.h"
#include "trace/finding.h"
#include "trace/source.h"

#define MAX_FINDINGS 200
#define OUTPUT "out"

static struct harness *used; /* for the clean-up at exit */

static void
remove_output(void)
{
	static const char *const name[] = { "thread.prv", "thread.pcf",
		"thread.row", "cpu.prv", "cpu.pcf", "cpu.row", "states.csv",
		"" };

	for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
		char path[128];

		snprintf(path, sizeof path, "%s/" OUTPUT "/%s", used->dir,
			name[i]);
		remove(path);
	}
}

static void
clean_up(void)
{
	remove_output();
	for (int i = 0; i < HARNESS_FILES; i++) {
		char path[128];

		if (used->file[i].name == NULL)
			continue;
		snprintf(path, sizeof path, "%s/%s", used->dir,
			used->file[i].name);
		unlink(path);
		*strrchr(path, '/') = '\0';
		rmdir(path);
	}
	rmdir(used->dir);
}

static void
start(struct harness *h)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(h->dir, sizeof h->dir, "%s/weft-fuzz-XXXXXX",
		tmp == NULL ? "/dev/shm" : tmp);
	BUG_ON(mkdtemp(h->dir) == NULL);
	used = h;
	BUG_ON(atexit(clean_up) != 0);
}

static void
make_parent(char *path)
{
	char *end = strrchr(path, '/');

	*end = '\0';
	BUG_ON(mkdir(path, 0700) != 0 && errno != EEXIST);
	*end = '/';
}

static int
file_of(struct harness *h, const char *name)
{
	char path[128];
	int i = 0;

	while (h->file[i].name != NULL && strcmp(h->file[i].name, name) != 0)
		BUG_ON(++i == HARNESS_FILES);
	if (h->file[i].name != NULL)
		return h->file[i].fd;
	snprintf(path, sizeof path, "%s/%s", h->dir, name);
	make_parent(path);
	h->file[i].name = name;
	h->file[i].fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	BUG_ON(h->file[i].fd < 0);
	return h->file[i].fd;
}

void
harness_write(
	struct harness *h, const char *name, const void *data, size_t size)
{
	int fd;

	if (h->dir[0] == '\0')
		start(h);
	fd = file_of(h, name);
	BUG_ON(ftruncate(fd, 0) != 0);
	BUG_ON(pwrite(fd, data, size, 0) != (ssize_t)size);
}

static struct sink *
open_sink(struct arena *a, const struct trace *t, const char *formats)
{
	struct sink_setup *setup = ARENA_NEW(a, struct sink_setup);

	setup->no_cfg = true;
	struct stat_options options = { 0 };
	struct err err = { 0 };
	struct sink *sink;

	if (formats == NULL)
		return stat_open(a, &options);
	setup->unit = t->unit;
	setup->rows_grow = t->rows_grow;
	setup->title = t->path;
	sink = sinks_open(a, formats, arena_printf(a, "%s/" OUTPUT, used->dir),
		setup, &err);
	BUG_ON(sink == NULL);
	return sink;
}

static void
emulate(struct arena *a, struct source *source, const char *formats)
{
	const struct trace *t = &source->trace;
	struct sink *sink =
		check_sink_open(a, open_sink(a, t, formats), t->rows_grow);
	struct emu *emu = emu_open(a, source, sink,
		&(struct emu_options){ .breakdown = true }, &(struct err){ 0 });
	struct err err = { 0 };

	if (emu != NULL)
		emu_run(emu, NULL);
	BUG_ON(emu_time(emu) < 0);
	if (emu != NULL)
		emu_close(emu);
	BUG_ON(!sink_close(sink, &err));
}

/* Checks that the texts for people have no control bytes, and an end. */
static void
read_findings(const struct findings *fs)
{
	for (int i = 0; i < fs->list.n; i++) {
		char text[512];

		finding_text(&fs->list.at[i], text, (int)sizeof text);
		for (const char *c = text; *c != '\0'; c++)
			BUG_ON((unsigned char)*c < ' ');
	}
}

void
harness_emulate(struct harness *h, const char *name, const char *formats)
{
	struct source_options options = { 0 };
	struct findings fs;
	struct arena a = { 0 };
	struct err err = { 0 };
	struct source *source;
	char path[128];

	snprintf(path, sizeof path, "%s/%s", h->dir, name);
	findings_init(&fs, &a, MAX_FINDINGS);
	source = sources_open(&a, path, &options, &fs, &err);
	BUG_ON((source == NULL) != (err.kind != ERR_NONE));
	if (source != NULL) {
		emulate(&a, source, formats);
		source_close(source);
	}
	read_findings(&fs);
	arena_fini(&a);
}

static int64_t removed;

static int
drop(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)at;
	BUG_ON(!S_ISREG(st->st_mode) && !S_ISDIR(st->st_mode));
	removed += kind == FTW_F ? st->st_size : 0;
	return remove(path);
}

int64_t
harness_remove(const char *path)
{
	removed = 0;
	nftw(path, drop, 8, FTW_DEPTH | FTW_PHYS);
	return removed;
}
