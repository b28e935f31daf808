/* SPDX-License-Identifier: MIT */
#include "cli/old/emu.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/old/options.h"
#include "cli/old/say.h"
#include "cli/old/views.h"
#include "cli/trace/pipeline.h"
#include "emu/model.h"

enum { OLD_OK = 0, OLD_FAILED = 1 };

static int
usage(void)
{
	fprintf(stderr,
		"Usage: ovniemu [-c offsetfile] [-abdlh] tracedir\n"
		"\n"
		"Emulates a trace of ovni streams and writes Paraver files "
		"into tracedir.\n"
		"\n"
		"  -c offsetfile  clock offsets between hosts\n"
		"  -a             enable all models\n"
		"  -b             write breakdown timelines\n"
		"  -d             accepted; 'weft dump' shows each event\n"
		"  -l             lint: extra checks at the end\n"
		"  -h             this text\n"
		"\n"
		"Available emulation models:\n");
	for (const struct model *const *m = models; *m != NULL; m++)
		if (old_has_model(*m))
			fprintf(stderr, "  %c %s %s\n", (*m)->id, (*m)->name,
				old_model_version(*m));
	return OLD_FAILED;
}

/* Parses the options. Returns the index of the trace's argument, or -1 after
 * printing the usage. */
static int
parse(struct pipeline *r, int argc, char *argv[])
{
	int c;

	opterr = 0;
	while ((c = getopt(argc, argv, OLD_EMU_OPTIONS)) != -1) {
		switch (c) {
		case 'c':
			r->clock_table = optarg;
			break;
		case 'a':
			r->all_models = true;
			break;
		case 'b':
			r->breakdown = true;
			break;
		case 'd':
			break;
		case 'l':
			r->lint = true;
			break;
		default:
			return -1;
		}
	}
	return optind == argc - 1 ? optind : -1;
}

static double
seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Emulates into the opened trace's directory. Returns false if anything went
 * wrong, which has been printed. */
static bool
write_files(struct pipeline *r, const char *dir)
{
	struct sink_setup setup = { .unit = "ns",
		.original = true,
		.title = dir,
		.start_realtime = CLOCK_UNKNOWN,
		.start_monotonic = CLOCK_UNKNOWN };
	struct err err = { 0 }, of_views = { 0 };
	bool ok, has_views = old_views_exist(&r->arena, dir);
	double begin = seconds_now();
	struct sink *sink = pipeline_sinks(r, "prv", dir, &setup, &err);

	if (sink == NULL) {
		log_error("%s", err.text);
		return false;
	}
	ok = pipeline_emulate(r, sink, &err);
	ok = sink_close(sink, &err) && ok;
	if (!ok)
		log_error("%s", err.text);
	if (!has_views && !old_views_copy(&r->arena, dir, &of_views)) {
		log_error("%s", of_views.text);
		ok = false;
	}
	old_say_findings(r);
	ok = ok && r->findings.count[FINDING_ERROR] == 0;
	old_say_end(r, ok, seconds_now() - begin);
	return ok;
}

static int
emulate(struct pipeline *r, const char *dir)
{
	if (!pipeline_open(r, dir))
		return OLD_FAILED;
	old_say_streams(r);
	if (r->findings.count[FINDING_ERROR] > 0) {
		pipeline_report(r);
		return OLD_FAILED;
	}
	old_say_loaded(r);
	return write_files(r, dir) ? OLD_OK : OLD_FAILED;
}

int
old_emu(int argc, char *argv[])
{
	struct pipeline r = { .max_findings = 1000000,
		.strict = true,
		.heap_order = true,
		.merge_all = true,
		.keeps_files = true,
		.may_stop = true };
	int i, code;

	log_start("ovniemu");
	log_old_words();
	i = parse(&r, argc, argv);
	if (i < 0)
		return usage();
	code = emulate(&r, argv[i]);
	pipeline_close(&r);
	return code;
}
