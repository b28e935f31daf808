/* SPDX-License-Identifier: MIT */
#include "cli/old/tools.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/log.h"
#include "cli/cmd.h"
#include "cli/old/options.h"
#include "cli/trace/dump.h"
#include "cli/trace/top.h"
#include "trace/finding.h"
#include "trace/obs/sort.h"

#define OVNI_VERSION "1.14.0" /* version of the tools that these replace */

static int
usage(const char *text)
{
	fprintf(stderr, "Usage: %s\n", text);
	return 1;
}

static void
start(const char *name)
{
	log_start(name);
	log_old_words();
}

/* Returns the exit code: an event that no model knows is an error in the text
 * but not in the exit code. */
static int
dump_code(const struct dump *d, enum exit_code code)
{
	uint64_t errors = (uint64_t)d->run->findings.count[FINDING_ERROR];

	if (code == EXIT_UNABLE)
		return 255;
	return errors > d->undescribed;
}

int
old_dump(int argc, char *argv[])
{
	struct pipeline r = { .max_findings = 1000000,
		.compat = -1,
		.heap_order = true,
		.raw_clocks = true,
		.merge_all = true };
	struct events events = { 0 };
	struct dump d = { .run = &r, .events = &events, .line = dump_ovnidump };
	int c, code;

	start("ovnidump");
	log_quiet(true);
	opterr = 0;
	while ((c = getopt(argc, argv, OLD_DUMP_OPTIONS)) != -1) {
		if (c != 'x')
			return usage("ovnidump [-x] DIR");
		d.payload = true;
	}
	if (optind != argc - 1)
		return usage("ovnidump [-x] DIR");
	code = dump_code(&d, dump_trace(&d, argv[optind]));
	pipeline_close(&r);
	return code;
}

int
old_top(int argc, char *argv[])
{
	enum exit_code code;

	start("ovnitop");
	log_quiet(true);
	if (argc != 2 || argv[1][0] == '-')
		return usage("ovnitop DIR");
	code = top_as_ovnitop(argv[1]);
	return code != EXIT_YES;
}

/* The state of ovnisort. */
struct sorting {
	struct obs_sort_options options;
	bool check, failed;
};

static void
report_backwards(struct sorting *s, const char *path,
	const struct obs_sort_result *result)
{
	if (result->backwards == 0)
		return;
	log_error("%s: backwards jump in time %llu -> %llu at byte %lld", path,
		(unsigned long long)result->from,
		(unsigned long long)result->to, (long long)result->back_at);
	s->failed = s->failed || s->check;
}

static void
sort_stream(void *arg, const char *path, const char *relative)
{
	struct sorting *s = arg;
	struct obs_sort_result result = { 0 };
	struct err err = { 0 };
	bool ok;

	(void)relative;
	if (s->check)
		ok = obs_sort_check(path, s->options.findings, &result, &err);
	else
		ok = obs_sort_in_place(path, &s->options, &result, &err);
	if (!ok) {
		log_error("%s", err.text);
		s->failed = true;
	} else if (s->check) {
		report_backwards(s, path, &result);
	}
}

static void
left_out(void *arg, const char *path, const char *why)
{
	struct sorting *s = arg;

	log_error("%s: %s", path, why);
	s->failed = true;
}

static int
sort_all(struct sorting *s, const char *dir)
{
	struct arena arena = { 0 };
	struct findings findings;
	struct err err = { 0 };
	const struct file_visitor v = {
		.file = sort_stream, .unreadable = left_out, .arg = s
	};

	findings_init(&findings, &arena, 1000);
	s->options.findings = &findings;
	if (!file_find(&arena, dir, "stream.obs", &v, &err)) {
		log_error("%s", err.text);
		s->failed = true;
	}
	for (int i = 0; i < findings.list.n; i++)
		log_warning("%s: %s", findings.list.at[i].file,
			findings.list.at[i].text);
	arena_fini(&arena);
	return s->failed;
}

int
old_sort(int argc, char *argv[])
{
	static const char text[] = "ovnisort [-c] [-n N] tracedir";
	struct sorting s = { .options.look_back = OBS_SORT_LOOK_BACK };
	int c;

	start("ovnisort");
	while ((c = getopt(argc, argv, OLD_SORT_OPTIONS)) != -1) {
		if (c == 'c')
			s.check = true;
		else if (c == 'n')
			s.options.look_back = strtoll(optarg, NULL, 10);
		else
			return usage(text);
	}
	if (optind != argc - 1 || s.options.look_back < 1)
		return usage(text);
	return sort_all(&s, argv[optind]);
}

/* Prints the version of the library that a program started here would load. */
static void
print_library(void)
{
	const char *version = "?", *commit = "?";
	void *library = dlopen("libovni.so.1", RTLD_NOW | RTLD_LOCAL);
	union {
		void *address;
		void (*call)(const char **version, const char **commit);
	} get = { NULL };

	if (library != NULL)
		get.address = dlsym(library, "ovni_version_get");
	if (get.address == NULL) {
		printf("dynamic not found (libovni.so.1)\n");
		return;
	}
	get.call(&version, &commit);
	printf("dynamic %s (%s)\n", version, commit);
}

int
old_version(int argc, char *argv[])
{
	const char *path = getenv("LD_LIBRARY_PATH");

	(void)argv;
	start("ovniver");
	if (argc != 1)
		return usage("ovniver");
	if (path == NULL)
		printf("LD_LIBRARY_PATH not set\n");
	else
		printf("LD_LIBRARY_PATH set to %s\n", path);
	printf("libovni: build %s (weft-%s), ", OVNI_VERSION, WEFT_VERSION);
	print_library();
	return 0;
}
