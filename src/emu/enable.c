/* SPDX-License-Identifier: MIT */
#include "emu/enable.h"

#include <stdlib.h>
#include <string.h>

#include "emu/mark.h"
#include "emu/models/models.h"
#include "emu/state.h"

/* "X.Y.Z", and perhaps "-suffix". */
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
		f.advice = "its events are taken as those of the version that "
			   "we have; a newer weft may know more";
		finding_add(emu->findings, f,
			"unsupported %s model version (want %s, have %s)",
			m->name, r->version, known);
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
	VEC_PUSH(&emu->enabled.model, emu->arena, m);
	VEC_PUSH(&emu->enabled.first, emu->arena, emu->chans.n);
	for (int i = 0; i < m->nchans; i++)
		emu_add_chan(emu, &m->chans[i], m, i);
	emu->past |= emu_writes_past(m);
}

void
enable_models(struct emu *emu, const struct emu_options *options)
{
	for (const struct model *const *m = models; *m != NULL; m++) {
		bool required = is_required(emu, *m);

		if (required || options->all_models || *m == &model_ovni)
			turn_on(emu, *m);
	}
	for (int i = 0; i < options->nextra; i++) {
		is_required(emu, options->extra[i]); /* for the version */
		turn_on(emu, options->extra[i]);
	}
	mark_add_chans(emu, &model_ovni);
}
