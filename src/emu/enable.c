/* SPDX-License-Identifier: MIT */
#include "emu/enable.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "emu/change.h"
#include "emu/counter.h"
#include "emu/ctf/declared.h"
#include "emu/emu.h"
#include "emu/hwc.h"
#include "emu/mark.h"
#include "emu/models/models.h"
#include "emu/state.h"

/* Parses "X.Y.Z" with an optional "-suffix". */
static bool
parse_version(const char *text, long v[3])
{
	for (int i = 0; i < 3; i++) {
		char *end;

		if (*text < '0' || *text > '9')
			return false;
		v[i] = strtol(text, &end, 10);
		if (i < 2 && *end++ != '.')
			return false;
		text = end;
	}
	return *text == '\0' || *text == '-';
}

/* Reports that this build does not support the version that a stream
 * requires. */
static void
report_version(struct emu *emu, struct finding f, const struct trace_require *r,
	const struct model *m, const char *known)
{
	long v[3] = { 0 };

	if (emu->strict) {
		finding_add(emu->findings, f,
			"unsupported %s model version (want %s, have %s)",
			m->name, r->version, known);
		return;
	}
	parse_version(known, v);
	f.advice = "its events are read as those of the newest supported "
		   "version; a newer weft may support more";
	finding_add(emu->findings, f,
		"the trace requires version %s of model %s, but this weft "
		"supports only %ld.x up to %s",
		r->version, m->name, v[0], known);
}

static void
check_version(
	struct emu *emu, const struct trace_require *r, const struct model *m)
{
	struct finding f = { .severity = FINDING_ERROR,
		.file = r->file,
		.key = "ovni.require",
		.offset = FINDING_NOWHERE,
		.time = FINDING_NEVER };
	const char *known = emu->strict && m->old_version != NULL
		? m->old_version
		: m->version;
	long want[3], have[3] = { 0 };

	parse_version(known, have);
	if (!parse_version(r->version, want)) {
		finding_add(emu->findings, f,
			"version \"%s\" of model %s is not of the form X.Y.Z",
			r->version, m->name);
	} else if (want[0] != have[0] || want[1] > have[1]) {
		report_version(emu, f, r, m, known);
	}
}

static bool
is_required(struct emu *emu, const struct model *m)
{
	bool required = false;

	for (int i = 0; i < emu->trace->requires.n; i++) {
		const struct trace_require *r = &emu->trace->requires.at[i];

		if (strcmp(r->model, m->name) != 0)
			continue;
		check_version(emu, r, m);
		required = true;
	}
	return required;
}

static void
turn_on(struct emu *emu, const struct model *m)
{
	int first = emu->chans.n;

	VEC_PUSH(&emu->enabled.model, emu->arena, m);
	VEC_PUSH(&emu->enabled.first, emu->arena, first);
	for (int i = 0; i < m->nchans; i++)
		emu_add_chan(emu, &m->chans[i], m, i);
	for (int i = 0; i < m->nrows; i++)
		if (m->rows[i].since != SINCE_NOW)
			emu->chans.at[first + m->rows[i].chan].past = true;
	emu->past |= emu_writes_past(m);
	counter_add_chans(emu, m);
	hwc_add_chans(emu, m);
}

bool
enable_by_events(const struct trace *t, const struct model *m)
{
	struct arena scratch = { 0 };
	bool known = false;

	for (int i = 0; i < t->classes.n && t->by_cpu && !known; i++)
		known = bind_class(&scratch, &t->classes.at[i], &m, &(int){ 0 },
				1, false)
				->action != ACTION_UNKNOWN;
	arena_fini(&scratch);
	return known;
}

/* Returns true if the model's rows only fit CTF traces. */
static bool
is_of_ctf(const struct model *m)
{
	return m->prefix != NULL;
}

void
enable_models(struct emu *emu, const struct emu_options *options)
{
	struct model_list more = { 0 };

	for (const struct model *const *m = models; *m != NULL; m++) {
		bool required;

		if ((*m)->is_new && emu->strict)
			continue;
		required = is_required(emu, *m);
		if (required || (options->all_models && !is_of_ctf(*m)) ||
			(*m == &model_ovni && !emu->trace->by_cpu) ||
			enable_by_events(emu->trace, *m))
			turn_on(emu, *m);
	}
	for (int i = 0; i < options->nextra; i++) {
		is_required(emu, options->extra[i]); /* called to check the
		                                      * version */
		VEC_PUSH(&more.model, emu->arena, options->extra[i]);
	}
	declared_models(emu->arena, emu->trace, &more);
	for (int i = 0; i < more.model.n; i++)
		turn_on(emu, more.model.at[i]);
	mark_add_chans(emu, &model_ovni);
}
