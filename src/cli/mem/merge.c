/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "base/log.h"
#include "base/text.h"
#include "cli/mem/mem.h"
#include "cli/ranks.h"
#include "mem/db/merge.h"

#define FINDINGS_SHOWN 20

/* Reports damage. Each rank tells what it found itself. */
static void
say_findings(const struct merge_result *r)
{
	const struct mem_findings *f = &r->findings;

	for (int i = 0; i < f->list.n && i < FINDINGS_SHOWN; i++)
		log_warning("%s: byte %" PRIu64 ": %s", f->list.at[i].file,
			f->list.at[i].at, f->list.at[i].text);
	if (f->n > FINDINGS_SHOWN)
		log_warning("%" PRIu64 " more defects", f->n - FINDINGS_SHOWN);
}

static enum exit_code
merge(struct arena *a, const struct mem_options *o, struct team *team)
{
	const struct merge_request request = { .path = o->paths,
		.n = o->n_paths,
		.output = o->output,
		.structs = o->structs,
		.min_bytes = o->min_bytes < 0 ? 0 : (uint64_t)o->min_bytes,
		.team = team };
	struct merge_result r;
	struct err err = { 0 };

	if (!merge_run(a, &request, &r, &err)) {
		log_error("%s", err.text);
		return EXIT_UNABLE;
	}
	say_findings(&r);
	if (team->rank > 0)
		return EXIT_YES;
	log_done("merged %d process%s, %d variables, %" PRIu64
		 " samples into %s",
		r.processes, r.processes == 1 ? "" : "es", r.variables,
		r.samples, o->output);
	return r.damaged > 0 ? EXIT_NO : EXIT_YES;
}

enum exit_code
mem_merge(struct arena *a, const char *path, const struct mem_options *o)
{
	struct team team;
	enum exit_code code;

	(void)path;
	if (o->output == NULL) {
		log_error(
			"merge writes a file: name it with -o, as in weft mem "
			"merge -o all.db prog-1.weft prog-2.weft");
		return EXIT_USAGE;
	}
	if (!ranks_open(&team))
		return EXIT_UNABLE;
	code = merge(a, o, &team);
	team_close(&team);
	return code;
}
