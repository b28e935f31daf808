/* SPDX-License-Identifier: MIT */
/* weft pack - makes one file of a trace, for a colleague. */
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "archive/archive.h"
#include "base/arena.h"
#include "base/document.h"
#include "base/file.h"
#include "base/keep.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/copy.h"
#include "cli/screen.h"
#include "cli/shell.h"
#include "cli/trace/anonymous.h"
#include "cli/trace/packed.h"
#include "cli/trace/pipeline.h"
#include "cli/trace/tar.h"
#include "cli/undo.h"
#include "export/compress.h"
#include "export/single.h"
#include "export/sink.h"

#define ZSTD_LEVEL 3
#define CHUNK (256 << 10)

struct pack_job {
	struct pipeline r;
	const char *path; /* of the archive */
	bool no_host, json, anonymous;
	struct anonymous names;
	struct compress_options packing;
	struct packed_files files;
	struct outfile out;
};

static void
drop(struct sink *s, const struct record *r)
{
	(void)s;
	(void)r;
}

static bool
end(struct sink *s, struct err *err)
{
	(void)s;
	(void)err;
	return true;
}

/* Emulates a trace for its time and its findings. */
static bool
look(struct pipeline *r, struct err *err)
{
	static const struct sink_ops ops = {
		.name = "none", .help = "nothing", .state = drop, .close = end
	};
	struct sink nothing = { .ops = &ops };

	return pipeline_emulate(r, &nothing, err);
}

/* Returns true if part of the trace is still in the memory of its writer: an
 * archive of the files would lack it. */
static int
rings(const struct pack_job *j)
{
	const struct trace *t = &j->r.source->trace;
	int n = 0;

	for (int i = 0; i < t->streams.n; i++)
		n += t->streams.at[i].ring != NULL;
	return n;
}

static void
put_findings(struct doc *d, const struct findings *fs)
{
	doc_begin(d, "findings", '{');
	for (int i = 0; i < FINDING_SEVERITIES; i++)
		doc_u64(d, finding_severity_name((enum finding_severity)i),
			fs->count[i]);
	doc_end(d, '}');
}

/* Writes what the archive has, as JSON. */
static void
put_about(struct doc *d, const struct pack_job *j)
{
	const struct trace *t = &j->r.source->trace;
	char host[HOST_NAME_MAX + 1] = "";

	doc_begin(d, NULL, '{');
	doc_word(d, "weft", WEFT_VERSION);
	doc_word(d, "format", t->format);
	doc_word(d, "unit", t->unit);
	if (!j->no_host && !j->anonymous &&
		gethostname(host, sizeof host - 1) == 0)
		doc_word(d, "host", host);
	doc_u64(d, "events", j->r.events);
	doc_i64(d, "duration", j->r.duration);
	doc_u64(d, "bytes", j->files.bytes);
	put_findings(d, &j->r.findings);
	doc_begin(d, "files", '[');
	for (int i = 0; i < j->files.list.n; i++) {
		const struct packed_file *f = &j->files.list.at[i];
		char hash[17];

		snprintf(hash, sizeof hash, "%016" PRIx64, f->hash);
		doc_begin(d, NULL, '{');
		doc_word(d, "name", f->name);
		doc_u64(d, "bytes", f->bytes);
		doc_word(d, "xxh64", hash);
		doc_end(d, '}');
	}
	doc_end(d, ']');
	doc_end(d, '}');
}

static void
pack_about(struct pack_job *j)
{
	struct doc d;
	uint64_t n;

	doc_open_memory(&d);
	put_about(&d, j);
	n = (uint64_t)(d.out.at - d.out.buf);
	tar_file(&j->out, ARCHIVE_ABOUT, n, 0);
	outfile_write(&j->out, d.out.buf, n);
	tar_pad(&j->out, n);
	mem_free(d.out.buf);
}

/* Copies a file. It may have changed since it was listed: then the archive
 * would not be what it says. */
static bool
pack_file(struct pack_job *j, const struct packed_file *f, struct err *err)
{
	int fd = open(f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char *buffer = mem_resize(NULL, CHUNK, 1);
	int64_t at = 0, n = 0;

	tar_file(&j->out, f->name, f->bytes, f->mtime);
	while (fd >= 0 && (uint64_t)at < f->bytes) {
		uint64_t left = f->bytes - (uint64_t)at;

		n = file_pread(fd, buffer, left < CHUNK ? left : CHUNK, at);
		if (n <= 0)
			break;
		outfile_write(&j->out, buffer, (size_t)n);
		at += n;
	}
	if (fd >= 0)
		close(fd);
	mem_free(buffer);
	tar_pad(&j->out, f->bytes);
	return (uint64_t)at == f->bytes ||
		err_set(err, ERR_INPUT,
			"%s changes while it is packed: the program that "
			"writes it still runs",
			f->path);
}

static bool
pack(struct pack_job *j, struct err *err)
{
	const struct sink_setup setup = { .file = j->path,
		.compress = &j->packing };
	bool ok = true;

	for (int i = 0; i < j->files.list.n; i++)
		keep_add(j->files.list.at[i].path);
	if (!single_open(&j->out, &j->r.arena, "", "", &setup, err))
		return false;
	pack_about(j);
	for (int i = 0; i < j->files.list.n && ok; i++)
		ok = pack_file(j, &j->files.list.at[i], err);
	tar_end(&j->out);
	if (ok)
		return outfile_close(&j->out, err);
	outfile_discard(&j->out);
	return false;
}

/* Emulates the copy, which must be the same but for its names. */
static bool
is_equal(struct pack_job *j, const char *copy, struct err *err)
{
	struct pipeline r = RUN_DEFAULTS;
	bool ok;

	r.model_files = j->r.model_files;
	r.no_seek = r.quiet = r.no_names = true;
	r.threads = j->r.threads;
	ok = pipeline_open(&r, copy) && look(&r, err);
	if (ok &&
		(r.events != j->r.events || r.duration != j->r.duration ||
			r.findings.count[FINDING_ERROR] !=
				j->r.findings.count[FINDING_ERROR]))
		ok = err_set(err, ERR_INPUT,
			"without names it would be another trace: a name of "
			"a host or a user is also a word of its format; "
			"rename it in a copy of the trace");
	else if (!ok && err->kind == ERR_NONE)
		err_set(err, ERR_INPUT,
			"the copy without names cannot be "
			"read");
	pipeline_close(&r);
	return ok;
}

/* Lists the files to pack: those of the trace, or of a copy without names. */
static bool
list_files(struct pack_job *j, const char *trace, const char *title,
	struct err *err)
{
	struct anonymous *n = &j->names;

	if (!j->anonymous)
		return packed_list(&j->r.arena, copy_inputs(&j->r.arena, trace),
			file_name(title), &j->files, err);
	return anonymous_copy(n, err) && is_equal(j, n->path, err) &&
		packed_list(&j->r.arena, n->path, n->top, &j->files, err);
}

static bool
ends_with(const char *text, const char *with)
{
	size_t n = strlen(text), m = strlen(with);

	return n > m && strcmp(text + n - m, with) == 0;
}

/* Sets the archive's path unless -o did. An archive in the directory that is
 * packed would be a file of the trace later. Returns false with err. */
static bool
choose_path(struct pack_job *j, const char *trace, const char *title,
	struct err *err)
{
	struct arena *a = &j->r.arena;
	const char *packed = copy_inputs(a, trace);
	const char *name = arena_printf(a, "%s.tar.zst",
		j->anonymous ? j->names.top : file_name(title));
	bool inside = file_is_dir(packed) &&
		copy_lies_in(j->path != NULL ? j->path : name, packed);

	if (j->path != NULL && inside)
		return err_set(err, ERR_USAGE,
			"%s lies in the trace that it would hold: name a file "
			"outside of it",
			j->path);
	if (j->path == NULL)
		j->path = inside ? arena_printf(a, "%s/../%s", packed, name)
				 : name;
	return true;
}

static enum exit_code
run_job(struct pack_job *j, const char *trace)
{
	struct pipeline *r = &j->r;
	struct arena *a = &r->arena;
	const char *title = copy_title(a, trace);
	struct err err = { 0 };
	enum exit_code code;

	if (!pipeline_open(r, trace))
		return pipeline_closed(r);
	if (rings(j) > 0) {
		log_error("%d stream%s of %s still have events in memory; pack "
			  "a copy: weft check --repair -o COPY %s",
			rings(j), text_plural((unsigned)rings(j)), trace,
			shell_word(a, trace));
		return EXIT_UNABLE;
	}
	j->names = (struct anonymous){ .run = r, .title = title };
	if (j->anonymous && !anonymous_find(&j->names, &err))
		return pipeline_unable(&err);
	if (!choose_path(j, trace, title, &err))
		return pipeline_unable(&err);
	undo_say(arena_printf(a, "%s is not written", j->path));
	if (!keep_check(j->path, &err) || !look(r, &err) ||
		!list_files(j, trace, title, &err) || !pack(j, &err))
		return pipeline_unable(&err);
	code = pipeline_report(r);
	if (j->json) {
		struct doc d;

		doc_open(&d);
		put_about(&d, j);
		doc_close(&d);
	} else {
		screen_summary("%d file%s, %" PRIu64 " bytes\n",
			j->files.list.n, text_plural((unsigned)j->files.list.n),
			j->files.bytes);
		if (j->anonymous)
			screen_summary("without names of hosts and users, "
				       "arguments of commands, and absolute "
				       "paths\n");
		screen_summary("output: %s\n", j->path);
	}
	return code == EXIT_NO ? EXIT_YES : code;
}

static enum exit_code
run(int argc, char *argv[])
{
	struct pack_job j = { .r = RUN_DEFAULTS };
	/* clang-format off */
	const struct option_def opts[] = {
		{ 'o', "output", "FILE",
		  "the file to write, .tar.zst, .tar.gz or .tar (default: TRACE.tar.zst)",
		  .text = &j.path },
		{ 0, "no-host", NULL, "leave the name of this host out",
		  .flag = &j.no_host },
		{ 0, "anonymous", NULL,
		  "leave names of hosts and users, arguments and absolute paths out",
		  .flag = &j.anonymous },
		{ 0, "json", NULL, "print what is in the file as JSON: --format json",
		  .flag = &j.json },
		{ 'j', "jobs", "N",
		  "threads that compress; 1: use no second thread (default: 2)",
		  .number = &j.r.threads },
		READ_OPTIONS(j.r),
		{ 0 },
	};
	/* clang-format on */
	struct err err = { 0 };
	enum exit_code code;

	j.r.keeps_files = true;
	if (cmd_parse(&cmd_pack, opts, argc, argv, &code) < 0)
		return code;
	j.packing.kind =
		j.path != NULL ? compress_of_name(j.path) : COMPRESS_ZSTD;
	j.packing.level = j.packing.kind == COMPRESS_ZSTD ? ZSTD_LEVEL : 0;
	j.packing.jobs = j.r.threads > 0 ? (int)j.r.threads : 2;
	if (j.path != NULL && !ends_with(j.path, ".tar") &&
		!ends_with(j.path, ".tar.gz") && !ends_with(j.path, ".tar.zst"))
		code = cmd_usage_error(&cmd_pack,
			"%s: the name ends in .tar.zst, .tar.gz or .tar",
			j.path);
	else if (j.anonymous && j.r.clock_table != NULL)
		code = cmd_usage_error(&cmd_pack,
			"--anonymous takes the table of clocks that lies in "
			"the trace, not one of --clocks");
	else if (!compress_check(&j.packing, &err))
		code = cmd_usage_error(&cmd_pack, "%s", err.text);
	else
		code = run_job(&j, argv[0]);
	pipeline_close(&j.r);
	return code;
}

const struct cmd cmd_pack = {
	.name = "pack",
	.brief = "make one file of a trace, for a colleague",
	.args = "TRACE",
	.min_args = 1,
	.max_args = 1,
	.help = "The file is a tar archive of the trace's files, compressed, "
		"with their hashes. Every\ncommand reads it as it reads the "
		"trace, and says if a file in it was changed.\n",
	.examples =
		"  weft pack ovni                 ovni.tar.zst, which all "
		"commands on traces read\n"
		"  weft pack -o heat.tar.zst ovni\n"
		"  weft pack --anonymous ovni      without names and paths\n",
	.run = run,
};
