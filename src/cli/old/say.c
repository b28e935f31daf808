/* SPDX-License-Identifier: MIT */
#include "cli/old/say.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "cli/trace/pipeline.h"
#include "emu/models/models.h"
#include "trace/obs/wire.h"

bool
old_has_model(const struct model *m)
{
	return !islower((unsigned char)m->id) && !m->is_new;
}

const char *
old_model_version(const struct model *m)
{
	return m->old_version != NULL ? m->old_version : m->version;
}

static int
count_cpus(const struct trace *t)
{
	int n = 0;

	for (int i = 0; i < t->nodes.n; i++)
		n += t->nodes.at[i].cpus.n;
	return n;
}

static bool
all_have_ranks(const struct trace *t)
{
	for (int i = 0; i < t->processes.n; i++)
		if (t->processes.at[i].rank == TRACE_NONE)
			return false;
	return true;
}

static bool
is_enabled(const struct pipeline *r, const struct model *m)
{
	const struct trace *t = &r->source->trace;

	if (!old_has_model(m))
		return false;
	if (r->all_models || m == &model_ovni)
		return true;
	for (int i = 0; i < t->requires.n; i++)
		if (strcmp(t->requires.at[i].model, m->name) == 0)
			return true;
	return false;
}

static void
say_models(const struct pipeline *r)
{
	int n = 0;

	for (const struct model *const *m = models; *m != NULL; m++)
		n += is_enabled(r, *m);
	if (r->all_models)
		log_note("all %d models are enabled", n);
	log_note("the following %d models are enabled: ", n);
	for (const struct model *const *m = models; *m != NULL; m++)
		if (is_enabled(r, *m))
			log_note(" %8s %s '%c'", (*m)->name,
				old_model_version(*m), (*m)->id);
}

void
old_say_streams(const struct pipeline *r)
{
	log_note("loaded %d streams", r->source->trace.streams.n);
}

void
old_say_loaded(const struct pipeline *r)
{
	const struct trace *t = &r->source->trace;

	log_note("sorting looms by %s", all_have_ranks(t) ? "rank" : "name");
	log_note("loaded %d looms, %d processes, %d threads and %d cpus",
		t->nodes.n, t->processes.n, t->threads.n, count_cpus(t));
	if (t->lib != NULL)
		log_note("generated with libovni version %s", t->lib);
	say_models(r);
	log_note("emulation starts");
}

static const struct stream *
stream_of(const struct trace *t, const char *file)
{
	for (int i = 0; i < t->streams.n; i++)
		if (strcmp(t->streams.at[i].file, file) == 0)
			return &t->streams.at[i];
	return NULL;
}

static int64_t
offset_of(const struct trace *t, const struct stream *s)
{
	const struct trace_thread *th;

	if (s->thread == TRACE_NONE)
		return 0;
	th = &t->threads.at[s->thread];
	return t->nodes.at[t->processes.at[th->process].node].clock_offset;
}

/* Reads the event's header from the file, and a jumbo's size after it. */
static bool
read_event(const struct finding *f, struct obs_event_header *h, uint32_t *size)
{
	FILE *file = fopen(f->file, "rb");
	bool ok = file != NULL && fseek(file, (long)f->offset, SEEK_SET) == 0 &&
		fread(h, sizeof *h, 1, file) == 1;
	uint32_t jumbo = 0;

	*size = 0;
	if (ok && (h->flags & OBS_JUMBO) != 0)
		ok = fread(&jumbo, sizeof jumbo, 1, file) == 1;
	if (ok && (h->flags & OBS_PAYLOAD) != 0)
		*size = (h->flags & OBS_PAYLOAD) + 1u + jumbo;
	if (file != NULL)
		fclose(file);
	return ok;
}

static void
say_panic(const struct trace *t, const struct finding *f)
{
	static const char at[] = "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@";
	const struct stream *s = stream_of(t, f->file);
	struct obs_event_header h;
	uint32_t size;
	int64_t clock;

	if (s == NULL || !read_event(f, &h, &size))
		return;
	memcpy(&clock, h.clock, sizeof clock);
	log_error("panic: %s", at);
	log_error("panic: @@@@@@@@@@@@@@ EMULATOR PANIC @@@@@@@@@@@@@");
	log_error("panic: %s", at);
	log_error("panic: event: ");
	log_error("panic:   mcv=%.3s", h.mcv);
	log_error("panic:   rclock=%" PRId64, clock);
	log_error("panic:   sclock=%" PRId64, clock + offset_of(t, s));
	log_error("panic:   dclock=%" PRId64, f->time);
	log_error("panic:   payload_size=%" PRIu32, size);
	log_error("panic:   is_jumbo=%d", (h.flags & OBS_JUMBO) != 0);
	log_error("panic: stream: ");
	log_error("panic:   relpath=%s", s->name);
	log_error("panic:   offset=%" PRId64, f->offset);
	log_error("panic:   clock_offset=%" PRId64, offset_of(t, s));
	log_error("panic: %s", at);
}

void
old_say_findings(const struct pipeline *r)
{
	const struct finding *stopped = NULL;
	char text[1024];

	for (int i = 0; i < r->findings.list.n; i++) {
		const struct finding *f = &r->findings.list.at[i];

		finding_text(f, text, (int)sizeof text);
		if (f->severity == FINDING_ERROR)
			log_error("%s", text);
		else if (f->severity == FINDING_WARNING)
			log_warning("%s", text);
		else
			log_note("%s", f->text);
		if (f->severity == FINDING_ERROR && stopped == NULL &&
			f->offset != FINDING_NOWHERE &&
			f->time != FINDING_NEVER)
			stopped = f;
	}
	if (stopped != NULL)
		say_panic(&r->source->trace, stopped);
}

/* Returns the number of events as the original counts them: when the merge
 * reads them, one of each stream ahead. */
static uint64_t
events_taken(const struct pipeline *r, bool ok)
{
	const struct trace *t = &r->source->trace;
	uint64_t n = r->events;

	for (int i = 0; !ok && i < t->streams.n; i++)
		n += !t->streams.at[i].ended;
	return n;
}

void
old_say_end(const struct pipeline *r, bool ok, double seconds)
{
	uint64_t done, total;
	double part, speed = (double)r->events / 1000;

	source_progress(r->source, &done, &total);
	part = total > 0 ? 100 * (double)done / (double)total : 100;
	if (!ok)
		log_note("emulation aborts!");
	log_note("%5.1f%% done at avg %.0f kev/s                  ", part,
		seconds > 0 ? speed / seconds : speed);
	log_note("processed %" PRIu64 " input events in %.2f s",
		events_taken(r, ok), seconds);
	log_note("writing traces to disk, please wait");
	if (!ok)
		log_note("emulation finished with errors");
	else if (r->stopped)
		log_note("emulation finished partially but ok");
	else
		log_note("emulation finished ok");
}
