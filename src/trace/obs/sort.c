/* SPDX-License-Identifier: MIT */
#include "trace/obs/sort.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "trace/finding.h"
#include "trace/obs/stream.h"
#include "trace/obs/wire.h"

#define WINDOW (256u << 10)
#define FIRST_PAST 1024

#define KEY(a, b, c) ((uint32_t)((a) | (b) << 8 | (c) << 16))
#define REGION_BEGIN KEY('O', 'U', '[')
#define REGION_END KEY('O', 'U', ']')

/* The input. Findings about clocks that go back are only counted. */
struct input {
	struct obs_stream stream;
	struct findings quiet;
	struct arena arena;
	uint64_t clock; /* clock of the current event, as stored in the file */
};

/* A copied event. */
struct past {
	uint64_t clock, length;
};

struct sorter {
	struct input in;
	struct outfile out;
	int copy;          /* file descriptor to read the output */
	struct past *past; /* a ring buffer of cap (a power of two) events;
	                    * owned */
	uint64_t cap;
	uint64_t n;     /* events copied */
	bool open;      /* between OU[ and OU] */
	uint64_t begin; /* number of the last OU[ event */
	uint64_t earliest;
	const struct obs_sort_options *options;
	struct obs_sort_result *result;
};

static bool
input_open(struct input *in, const char *path, struct err *err)
{
	findings_init(&in->quiet, &in->arena, 1);
	if (obs_stream_open(&in->stream, path, &in->quiet, WINDOW, true)) {
		in->quiet.max = 0;
		return true;
	}
	err_set(err, ERR_INPUT, "%s: %s", path, in->quiet.list.at[0].text);
	arena_fini(&in->arena);
	return false;
}

static void
input_close(struct input *in)
{
	obs_stream_close(&in->stream);
	arena_fini(&in->arena);
}

static bool
input_next(struct input *in)
{
	if (!obs_stream_next(&in->stream))
		return false;
	memcpy(&in->clock,
		in->stream.at + offsetof(struct obs_event_header, clock),
		sizeof in->clock);
	return true;
}

/* Reports where the events end, if that is before the end of the file. */
static void
note_damage(struct input *in, struct findings *fs, struct obs_sort_result *r)
{
	const struct obs_stream *s = &in->stream;
	int64_t at = obs_stream_offset(s);
	bool cut;

	r->size_bytes = s->size_bytes;
	if (at >= s->size_bytes)
		return;
	r->damage_at = at;
	cut = s->at == s->end || (s->at[0] & OBS_JUMBO) == 0 ||
		(s->at[0] & OBS_PAYLOAD) == 3;
	finding_add(fs,
		(struct finding){
			.severity = cut ? FINDING_WARNING : FINDING_ERROR,
			.file = s->file,
			.offset = at,
			.time = FINDING_NEVER },
		cut ? "the last event is incomplete: %" PRId64
		      " bytes are left out"
		    : "no event begins here: %" PRId64 " bytes are left out",
		s->size_bytes - at);
}

static struct obs_sort_result
no_result(void)
{
	return (struct obs_sort_result){ .back_at = -1, .damage_at = -1 };
}

bool
obs_sort_check(const char *path, struct findings *fs,
	struct obs_sort_result *result, struct err *err)
{
	struct input in = { 0 };
	uint64_t last = 0;

	*result = no_result();
	if (!input_open(&in, path, err))
		return false;
	while (input_next(&in)) {
		if (in.clock < last && result->backwards++ == 0) {
			result->back_at = obs_stream_offset(&in.stream);
			result->from = last;
			result->to = in.clock;
		}
		last = in.clock;
		result->events++;
	}
	note_damage(&in, fs, result);
	input_close(&in);
	return true;
}

static struct past *
past_of(const struct sorter *s, uint64_t i)
{
	return &s->past[i & (s->cap - 1)];
}

static void
remember(struct sorter *s, uint64_t length)
{
	if (s->n == s->cap && s->cap < (uint64_t)s->options->look_back) {
		s->cap = s->cap == 0 ? FIRST_PAST : 2 * s->cap;
		s->past = mem_resize(s->past, s->cap, sizeof *s->past);
	}
	*past_of(s, s->n) = (struct past){ s->in.clock, length };
	if (s->n > 0 && past_of(s, s->n - 1)->clock > s->in.clock)
		s->result->backwards++;
	s->n++;
}

/* An event of a range being sorted. */
struct item {
	uint64_t clock, at, length; /* at: in the bytes of the range */
};

static int
by_clock(const void *pa, const void *pb)
{
	const struct item *a = pa, *b = pb;

	if (a->clock != b->clock)
		return a->clock < b->clock ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

/* The events of a range, unsorted and sorted. */
struct range {
	uint64_t first, n; /* events */
	struct item *item;
	uint64_t bytes;
	uint8_t *from, *to;
};

static void
range_init(struct range *r, const struct sorter *s, uint64_t first)
{
	*r = (struct range){ .first = first, .n = s->n - first };
	r->item = mem_resize(NULL, r->n, sizeof *r->item);
	for (uint64_t i = 0; i < r->n; i++) {
		const struct past *p = past_of(s, first + i);

		r->item[i] = (struct item){ p->clock, r->bytes, p->length };
		r->bytes += p->length;
	}
	r->from = mem_resize(NULL, r->bytes, 1);
	r->to = mem_resize(NULL, r->bytes, 1);
}

static void
range_fini(struct range *r)
{
	mem_free(r->item);
	mem_free(r->from);
	mem_free(r->to);
}

/* Returns how often the clock goes back in the events [first, n), or from the
 * event before them. */
static uint64_t
count_back(const struct sorter *s, uint64_t first)
{
	uint64_t n = 0;

	for (uint64_t i = first == 0 ? 1 : first; i < s->n; i++)
		n += past_of(s, i)->clock < past_of(s, i - 1)->clock;
	return n;
}

static void
take_over(struct sorter *s, const struct range *r)
{
	uint64_t at = 0;

	for (uint64_t i = 0; i < r->n; i++) {
		const struct item *item = &r->item[i];

		s->result->moved += item->at != at;
		memcpy(r->to + at, r->from + item->at, item->length);
		at += item->length;
		*past_of(s, r->first + i) =
			(struct past){ item->clock, item->length };
	}
}

/* Sorts the events from `first` on in the output. */
static bool
sort_range(struct sorter *s, uint64_t first, struct err *err)
{
	struct range r;
	int64_t at;
	bool ok;

	range_init(&r, s, first);
	at = outfile_tell(&s->out) - (int64_t)r.bytes;
	outfile_flush(&s->out);
	ok = s->out.err.kind != ERR_NONE || /* close() will report the
	                                     * failure */
		file_pread(s->copy, r.from, r.bytes, at) == (int64_t)r.bytes;
	if (!ok) {
		err_set(err, ERR_SYSTEM, "%s: cannot read back", s->out.path);
	} else {
		s->result->backwards -= count_back(s, first);
		qsort(r.item, r.n, sizeof *r.item, by_clock);
		take_over(s, &r);
		s->result->backwards += count_back(s, first);
		outfile_patch(&s->out, at, r.to, r.bytes);
	}
	range_fini(&r);
	return ok;
}

static void
odd_region(struct sorter *s, const char *what)
{
	finding_add(s->options->findings,
		(struct finding){ .severity = FINDING_WARNING,
			.file = s->in.stream.file,
			.offset = obs_stream_offset(&s->in.stream),
			.time = FINDING_NEVER },
		"%s", what);
}

/* Handles an OU], which is not copied yet. */
static bool
end_region(struct sorter *s, struct err *err)
{
	uint64_t look = (uint64_t)s->options->look_back;
	uint64_t oldest = s->n > look ? s->n - look : 0;
	uint64_t first = s->begin + 1;

	if (!s->open) {
		odd_region(s, "an unsorted region ends, but none has begun");
		return true;
	}
	s->open = false;
	s->result->regions++;
	if (first == s->n) {
		s->result->empty_regions++;
		odd_region(s, "the unsorted region is empty");
		return true;
	}
	while (first > oldest && past_of(s, first - 1)->clock > s->earliest)
		first--;
	if (first > oldest || oldest == 0)
		return sort_range(s, first, err);
	return err_set(err, ERR_LIMIT,
		"%s: byte %" PRId64 ": cannot find a event previous to clock "
		"%" PRIu64 " among the last %" PRIu64
		" events; look back further with -n",
		s->in.stream.file, obs_stream_offset(&s->in.stream),
		s->earliest, look);
}

static void
begin_region(struct sorter *s)
{
	if (s->open) {
		odd_region(s, "an unsorted region begins inside another one");
		if (s->in.clock < s->earliest)
			s->earliest = s->in.clock;
		return;
	}
	s->open = true;
	s->begin = s->n;
	s->earliest = UINT64_MAX;
}

static bool
copy_events(struct sorter *s, struct err *err)
{
	const struct obs_stream *in = &s->in.stream;

	while (input_next(&s->in)) {
		if (in->key == REGION_END && !end_region(s, err))
			return false;
		if (in->key == REGION_BEGIN)
			begin_region(s);
		else if (s->open && s->in.clock < s->earliest)
			s->earliest = s->in.clock;
		outfile_write(&s->out, in->at, in->length);
		remember(s, in->length);
	}
	s->result->events = s->n;
	note_damage(&s->in, s->options->findings, s->result);
	return true;
}

static bool
output_open(struct sorter *s, const char *path, struct err *err)
{
	struct obs_file_header h = { OBS_MAGIC, OBS_VERSION };

	if (!outfile_open(&s->out, &s->in.arena, path, WINDOW, err))
		return false;
	if (s->out.tmp != NULL)
		s->copy = open(s->out.tmp, O_RDONLY | O_CLOEXEC);
	else
		errno = ESPIPE;
	if (s->copy < 0) {
		err_set(err, ERR_SYSTEM, "cannot create %s", path);
		outfile_discard(&s->out);
		return false;
	}
	outfile_write(&s->out, &h, sizeof h);
	return true;
}

/* Opens input and output and copies the events; the caller then closes or
 * discards the output. */
static bool
start(struct sorter *s, const char *in, const char *out, struct err *err)
{
	*s->result = no_result();
	s->copy = -1;
	if (!input_open(&s->in, in, err)) {
		s->result->not_a_stream = true;
		return false;
	}
	if (!output_open(s, out, err)) {
		input_close(&s->in);
		return false;
	}
	if (copy_events(s, err))
		return true;
	outfile_discard(&s->out);
	return false;
}

static void
finish(struct sorter *s)
{
	if (s->copy >= 0) {
		close(s->copy);
		input_close(&s->in);
	}
	mem_free(s->past);
}

bool
obs_sort_stream(const char *in, const char *out,
	const struct obs_sort_options *options, struct obs_sort_result *result,
	struct err *err)
{
	struct sorter s = { .options = options, .result = result };
	bool ok = start(&s, in, out, err) && outfile_close(&s.out, err);

	finish(&s);
	return ok;
}

static bool
replace(struct sorter *s, const char *path, struct err *err)
{
	struct stat st;

	if (s->result->damage_at >= 0) {
		outfile_discard(&s->out);
		return err_set(err, ERR_INPUT,
			"%s: byte %" PRId64 ": damaged: not sorted in place, "
			"because the rest would be lost",
			path, s->result->damage_at);
	}
	if (s->result->moved == 0) {
		outfile_discard(&s->out);
		return true;
	}
	if (stat(path, &st) != 0 ||
		chmod(s->out.tmp, st.st_mode & 07777) != 0) {
		err_set(err, ERR_SYSTEM, "cannot write %s", path);
		outfile_discard(&s->out);
		return false;
	}
	return outfile_close(&s->out, err);
}

bool
obs_sort_in_place(const char *path, const struct obs_sort_options *options,
	struct obs_sort_result *result, struct err *err)
{
	struct sorter s = { .options = options, .result = result };
	char real[PATH_MAX]; /* the target of a link is replaced, not the
	                      * link */
	bool ok;

	if (realpath(path, real) == NULL)
		return err_set(err, ERR_SYSTEM, "cannot open %s", path);
	ok = start(&s, path, real, err) && replace(&s, path, err);
	finish(&s);
	return ok;
}
