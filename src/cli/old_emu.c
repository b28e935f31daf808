/* SPDX-License-Identifier: MIT */
#include "cli/old_emu.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/run.h"
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
		fprintf(stderr, "  %c %s %s\n", (*m)->id, (*m)->name,
			(*m)->old_version != NULL ? (*m)->old_version
						  : (*m)->version);
	return OLD_FAILED;
}

/* The trace's folder, or -1 after the usage. */
static int
parse(struct run *r, int argc, char *argv[])
{
	int c;

	opterr = 0;
	while ((c = getopt(argc, argv, "c:abdlh")) != -1) {
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

static int
count_cpus(const struct trace *t)
{
	int n = 0;

	for (int i = 0; i < t->nodes.n; i++)
		n += t->nodes.at[i].cpus.n;
	return n;
}

static void
say_loaded(const struct run *r)
{
	const struct trace *t = &r->source->trace;
	int n = 0;

	log_note("loaded %d streams", t->streams.n);
	log_note("loaded %d looms, %d processes, %d threads and %d cpus",
		t->nodes.n, t->processes.n, t->threads.n, count_cpus(t));
	for (const struct model *const *m = models; *m != NULL; m++)
		n++;
	if (r->all_models)
		log_note("all %d models are enabled", n);
	log_note("emulation starts");
}

static int
emulate(struct run *r, const char *dir)
{
	struct sink_setup setup = { .unit = "ns",
		.original = true,
		.title = dir,
		.start_realtime = CLOCK_UNKNOWN,
		.start_monotonic = CLOCK_UNKNOWN };
	struct err err = { 0 };
	struct sink *sink;
	bool ok;

	if (!run_open(r, dir))
		return OLD_FAILED;
	if (r->findings.count[FINDING_ERROR] > 0) {
		run_report(r);
		return OLD_FAILED;
	}
	say_loaded(r);
	sink = run_sinks(r, "prv", dir, &setup, &err);
	if (sink == NULL) {
		log_error("%s", err.text);
		return OLD_FAILED;
	}
	ok = run_emulate(r, sink, &err);
	ok = sink_close(sink, &err) && ok;
	if (!ok)
		log_error("%s", err.text);
	if (run_report(r) != EXIT_YES || !ok) {
		log_error("emulation failed");
		return OLD_FAILED;
	}
	log_note("processed %" PRIu64 " input events", r->events);
	log_note(r->stopped ? "emulation finished partially but ok"
			    : "emulation finished ok");
	return OLD_OK;
}

int
old_emu(int argc, char *argv[])
{
	struct run r = { .max_findings = 1000000,
		.strict = true,
		.heap_order = true,
		.merge_all = true,
		.may_stop = true };
	int i, code;

	log_start("ovniemu");
	log_old_words();
	i = parse(&r, argc, argv);
	if (i < 0)
		return usage();
	code = emulate(&r, argv[i]);
	run_close(&r);
	return code;
}
