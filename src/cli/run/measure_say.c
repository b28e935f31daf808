/* SPDX-License-Identifier: MIT */
/* Reports at the end of weft run what was measured. */
#include <glob.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/run/measure.h"
#include "cli/run/room.h"
#include "cli/shell.h"
#include "mem/db/memfile.h"
#include "mem/wire.h"

static int
count(struct arena *a, const char *folder, const char *pattern, uint64_t *bytes)
{
	glob_t found;
	struct stat st;
	int n = 0;

	if (glob(arena_printf(a, "%s/%s", folder, pattern), 0, NULL, &found) ==
		0) {
		n = (int)found.gl_pathc;
		for (int i = 0; i < n; i++)
			if (stat(found.gl_pathv[i], &st) == 0)
				*bytes += (uint64_t)st.st_size;
		globfree(&found);
	}
	return n;
}

/* Reports programs with a sanitizer that the program started: the recorder has
 * written a line with the name of each. */
static void
say_left_out(const struct measure *m)
{
	struct err err = { 0 };
	size_t size;
	char *names = file_read(m->arena,
		arena_printf(m->arena, "%s/" MEM_LEFT_OUT, m->folder), 1 << 20,
		&size, &err);
	unsigned n = 0;

	for (const char *at = names; at != NULL && *at != '\0'; n++)
		at += strcspn(at, "\n") + 1;
	if (n == 0)
		return;
	names[strcspn(names, "\n")] = '\0';
	log_warning(
		"%u program%s built with a sanitizer %s not measured (%s%s)", n,
		text_plural(n), n == 1 ? "was" : "were", names,
		n == 1 ? "" : ", ...");
}

/* Returns the bytes of records that the recorder could not write, as far as its
 * last records say. */
static uint64_t
unwritten(struct arena *a, const char *folder)
{
	struct mem_findings findings = { .arena = a };
	uint64_t sum = 0;
	glob_t found;

	if (glob(arena_printf(a, "%s/*/process.mem", folder), 0, NULL,
		    &found) != 0)
		return 0;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const struct mem_record *r;
		uint64_t lost = 0;
		struct memfile f;

		if (!memfile_open(&f, a, found.gl_pathv[i], MEM_FILE_PROCESS,
			    &findings))
			continue;
		while ((r = memfile_next(&f)) != NULL) {
			const struct mem_loss *l = (const void *)r;

			if (r->type == MEM_LOSS && l->kind == MEM_LOST_WRITE)
				lost = l->count; /* the count so far */
		}
		sum += lost;
	}
	globfree(&found);
	return sum;
}

/* Warns of a full disk, because of which some threads lose more samples than
 * others. */
static void
say_full(const struct measure *m)
{
	uint64_t lost = unwritten(m->arena, m->folder);
	bool is_full = room_is_full(m->folder);

	if (lost == 0 && !is_full)
		return;
	log_warning("the measurement in %s is incomplete%s: %s, so shares are "
		    "wrong; make room, or use another disk with -o, and "
		    "measure again",
		m->folder,
		is_full ? " because the disk is full"
			: " because files could not be written, as on a full "
			  "disk or by another user",
		lost == 0 ? "records may be lost"
			  : arena_printf(m->arena,
				    "%" PRIu64 " bytes were lost", lost));
}

bool
measure_say(const struct measure *m, const char *weft, const char *shown)
{
	uint64_t bytes = 0;
	int images, threads;

	if (m->folder == NULL)
		return false;
	images = count(m->arena, m->folder, "*/process.mem", &bytes);
	threads = count(m->arena, m->folder, "*/thread-*.mem", &bytes);
	say_left_out(m);
	say_full(m);
	if (images == 0) {
		rmdir(m->folder);
		log_note("no memory was measured: the program did not load the "
			 "recorder (LD_PRELOAD), or ended at once");
		return false;
	}
	log_done("measured memory in %d program image%s, samples of %d "
		 "thread%s, %.3f MB",
		images, text_plural((unsigned)images), threads,
		text_plural((unsigned)threads), (double)bytes / 1e6);
	shown = arena_printf(m->arena, "%s/mem", shown);
	log_done("look at it: %s mem report %s", weft,
		shell_word(m->arena, shown));
	return true;
}
