/* SPDX-License-Identifier: MIT */
#include "export/prv_in/prv_in.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/keep.h"
#include "export/prv_in/state.h"

#define WINDOW_BYTES (256u << 10)
#define HEADER_MAX (16u << 20)
#define REPORTED 20 /* findings of each kind that have a line of their own */

static bool
recognise(const void *head, size_t n)
{
	return prv_in_header_is(head, n);
}

void
prv_in_say(struct prv_in *p, enum severity severity, const char *file,
	const char *text)
{
	p->setup->finding(p->setup->arg,
		&(struct reader_finding){ .severity = severity,
			.file = file,
			.offset = -1,
			.time = VALUE_NONE,
			.row = ROW_NONE,
			.text = text });
}

static const char *const troubles[PRV_IN_TROUBLES] = {
	[PRV_IN_UNKNOWN] = "no line of a Paraver trace",
	[PRV_IN_FIELDS] = "not the numbers that such a line has",
	[PRV_IN_RANGE] = "a number that does not fit",
	[PRV_IN_NO_ROW] = "a thread that the header does not have",
	[PRV_IN_LATE] = "a time after the end in the header",
	[PRV_IN_BACKWARDS] = "the end is before the begin",
	[PRV_IN_TYPES] = "more than 65536 types of events",
};

/* The end in the header may be wrong: the trace is not, then. */
static enum severity
severity_of(enum prv_in_trouble trouble)
{
	return trouble == PRV_IN_LATE ? SEVERITY_WARNING : SEVERITY_ERROR;
}

void
prv_in_report(struct prv_in *p, enum prv_in_trouble trouble, uint64_t offset)
{
	char text[96];

	if (p->counts[trouble]++ >= REPORTED)
		return;
	snprintf(text, sizeof text, "%s%s", troubles[trouble],
		trouble == PRV_IN_LATE ? "" : ": the line is left out");
	p->setup->finding(p->setup->arg,
		&(struct reader_finding){ .severity = severity_of(trouble),
			.line = p->line,
			.offset = (int64_t)offset,
			.time = VALUE_NONE,
			.row = ROW_NONE,
			.text = text });
}

void
prv_in_report_rest(struct prv_in *p)
{
	char text[160];

	for (int i = 0; i < PRV_IN_TROUBLES; i++) {
		if (p->counts[i] <= REPORTED)
			continue;
		snprintf(text, sizeof text, "%" PRIu64 " more lines: %s",
			p->counts[i] - REPORTED, troubles[i]);
		prv_in_say(p, severity_of((enum prv_in_trouble)i), NULL, text);
	}
	if (p->globals > 0) {
		snprintf(text, sizeof text,
			"%" PRIu64 " global communications (4:) are left out, "
			"as in Paraver",
			p->globals);
		prv_in_say(p, SEVERITY_NOTE, NULL, text);
	}
	if (p->logical > 0) {
		snprintf(text, sizeof text,
			"%" PRIu64 " logical times of links differ from the "
			"physical ones and are left out",
			p->logical);
		prv_in_say(p, SEVERITY_NOTE, NULL, text);
	}
	if (p->in.trouble != NULL) {
		snprintf(text, sizeof text, "%.100s: the rest is left out",
			p->in.trouble);
		prv_in_say(p, SEVERITY_WARNING, NULL, text);
	}
}

/* Returns true if the name ends with "-WORD", or is that word. */
static bool
ends_with(const char *name, const char *word)
{
	size_t n = strlen(name), length = strlen(word);

	return n >= length && strcmp(name + n - length, word) == 0 &&
		(n == length || name[n - length - 1] == '-');
}

/* Returns the path without the extensions ".gz", ".zst" and ".prv". */
static const char *
stem_of(struct arena *a, const char *path)
{
	static const char *const ends[] = { ".gz", ".zst", ".prv" };
	char *stem = arena_strdup(a, path);

	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
		size_t n = strlen(stem), length = strlen(ends[i]);

		if (n > length && strcmp(stem + n - length, ends[i]) == 0)
			stem[n - length] = '\0';
	}
	return stem;
}

/* Returns the class of rows that the file's name says. */
static const char *
class_of(const char *stem)
{
	static const char *const classes[] = { "cpu", "process", "system",
		"component" };
	const char *name = file_name(stem), *dash = strrchr(name, '-');

	for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
		if (ends_with(name, classes[i]))
			return classes[i];
	if (!ends_with(name, "breakdown") || dash == NULL)
		return "thread";
	while (dash > name && dash[-1] != '-')
		dash--;
	return dash;
}

const char *
prv_in_class(struct arena *a, const char *path)
{
	return class_of(stem_of(a, path));
}

static bool
wants_cpu(const struct reader_setup *setup)
{
	const char *const *o = setup->options;

	for (; o != NULL && *o != NULL; o++)
		if (strcmp(*o, "cpu=0") == 0)
			return false;
	return true;
}

/* Reads the first line into the window. Returns false with err. */
static bool
read_header(struct prv_in *p, struct err *err)
{
	struct infile *in = &p->in;
	char *line, *end;
	size_t n;

	for (;;) {
		n = (size_t)(in->end - in->at);
		end = n == 0 ? NULL : memchr(in->at, '\n', n);
		if (end != NULL && in->at[0] == '#')
			break;
		if (end != NULL) { /* "new format" */
			in->at = end + 1;
			p->line++;
			continue;
		}
		if (infile_fill(in))
			continue;
		if (in->is_over || in->trouble != NULL || in->cap >= HEADER_MAX)
			return err_set(
				err, ERR_INPUT, "the file ends in the header");
		infile_grow(in);
	}
	line = arena_strndup(p->arena, in->at, (size_t)(end - in->at));
	line[strcspn(line, "\r")] = '\0';
	in->at = end + 1;
	p->line++;
	return prv_in_header_parse(&p->header, p->arena, line, err);
}

/* Reads labels and names, which may be missing. */
static void
read_beside(struct prv_in *p, const char *stem)
{
	const char *pcf = arena_printf(p->arena, "%s.pcf", stem);
	const char *row = arena_printf(p->arena, "%s.row", stem);
	struct err err = { 0 };

	keep_add(pcf);
	keep_add(row);
	if (!prv_in_pcf_read(&p->pcf, p->arena, pcf, &err))
		prv_in_say(p, SEVERITY_NOTE, pcf,
			"there are no labels: types and values have no names");
	err = (struct err){ 0 };
	if (!prv_in_names_read(&p->names, p->arena, row, &err))
		prv_in_say(p, SEVERITY_NOTE, row, "there are no names of rows");
}

/* Sets the end of the trace in ns. A producer that was killed leaves 0: then
 * there is no limit. */
static bool
set_end(struct prv_in *p, struct err *err)
{
	int64_t end;

	if (__builtin_mul_overflow(p->header.end, p->header.unit_ns, &end))
		return err_set(err, ERR_INPUT,
			"its end is beyond 2^63 ns, which cannot be read");
	p->base.end = p->header.end == 0 ? -1 : end;
	if (p->header.end == 0)
		p->header.end = INT64_MAX / p->header.unit_ns;
	return true;
}

static bool
begin(struct prv_in *p, struct err *err)
{
	const char *path = p->setup->path;

	if (!infile_open(&p->in, path, WINDOW_BYTES, err))
		return err_in(err, "%.300s", path);
	if (!read_header(p, err) || !set_end(p, err)) {
		infile_close(&p->in);
		return err_in(err, "%.300s", path);
	}
	return true;
}

static void
close_reader(struct reader *r)
{
	struct prv_in *p = (struct prv_in *)r;

	infile_close(&p->in);
	prv_in_pcf_fini(&p->pcf);
	map_fini(&p->lazy);
	map_fini(&p->type_of);
	map_fini(&p->zero_of);
	map_fini(&p->tags);
	heap_fini(&p->ends);
}

/* Goes back behind the header, after the order of the lines was checked. */
static bool
start_again(struct prv_in *p, struct err *err)
{
	p->line = 0;
	if (infile_rewind(&p->in))
		return read_header(p, err) && set_end(p, err);
	return err_set(err, ERR_INPUT,
		"it cannot be read twice, as a check of its order needs: copy "
		"it to a file");
}

static struct reader *
open_reader(struct arena *a, const struct reader_setup *setup, struct err *err)
{
	struct prv_in *p = ARENA_NEW(a, struct prv_in);
	const char *stem = stem_of(a, setup->path);

	p->base.ops = &reader_prv;
	p->base.unit = "ns";
	p->base.start_realtime = p->base.start_monotonic = CLOCK_UNKNOWN;
	p->arena = a;
	p->setup = setup;
	p->class = class_of(stem);
	for (int i = 0; i < PRV_IN_CACHE; i++)
		p->found[i].number = -1;
	if (!begin(p, err))
		return NULL;
	p->base.size = p->in.size;
	p->base.rows_grow = p->header.threads > 65536;
	read_beside(p, stem);
	p->reports_cpu = wants_cpu(setup) && p->header.cpus.n > 0 &&
		strcmp(p->class, "cpu") != 0;
	p->base.unordered = !prv_in_is_sorted(p);
	if (start_again(p, err))
		return &p->base;
	close_reader(&p->base);
	err_in(err, "%.300s", setup->path);
	return NULL;
}

static void
declare(struct reader *r, struct sink *to)
{
	prv_in_declare((struct prv_in *)r, to);
}

static bool
read_file(struct reader *r, struct sink *to, struct err *err)
{
	struct prv_in *p = (struct prv_in *)r;
	int64_t end = p->base.end;

	prv_in_declare(p, to);
	if (!prv_in_lines(p, err))
		return false;
	prv_in_report_rest(p);
	p->base.end = p->latest > end ? p->latest : end;
	sink_advance(to, p->base.end);
	return true;
}

static void
tell_losses(struct reader *r, void (*fn)(void *arg, const struct loss *loss),
	void *arg)
{
	static const char *const losses[] = { "global communications (4:)",
		"logical times of links", "CPUs of links", "communicators (c:)",
		NULL };
	const struct prv_in *p = (const struct prv_in *)r;

	sink_tell_losses(losses,
		(const uint64_t[]){ p->globals, p->logical, p->link_cpus,
			p->communicators },
		fn, arg);
}

const struct reader_ops reader_prv = {
	.name = "prv",
	.help = "timelines of Paraver (.prv with .pcf and .row beside it)",
	.extensions = ".prv",
	.recognise = recognise,
	.open = open_reader,
	.declare = declare,
	.read = read_file,
	.loss = tell_losses,
	.close = close_reader,
};
