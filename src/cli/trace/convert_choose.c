/* SPDX-License-Identifier: MIT */
/* What the output of weft convert is to be, and whether that can be. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/keep.h"
#include "cli/trace/convert_job.h"
#include "cli/trace/formats.h"
#include "export/db/db.h"

/* Returns true if a line of ops->options begins with the option's key. */
static bool
has_option(const struct sink_ops *ops, const char *option)
{
	size_t n = strcspn(option, "=");
	const char *line = ops != NULL ? ops->options : NULL;

	while (line != NULL && *line != '\0') {
		line += strspn(line, " ");
		if (strncmp(line, option, n) == 0 && line[n] == '=' &&
			option[n] == '=')
			return true;
		line = strchr(line, '\n');
		line = line != NULL ? line + 1 : NULL;
	}
	return false;
}

/* Splits --set at its commas. Returns false with err. */
static bool
split_options(struct convert_job *j, struct err *err)
{
	char *rest = j->settings == NULL
		? NULL
		: arena_strdup(&j->r.arena, j->settings);
	int n = 0;

	while (rest != NULL) {
		const char *option = strsep(&rest, ",");

		if (n == CONVERT_OPTIONS || !has_option(j->to->out, option))
			return err_set(err, ERR_INPUT,
				"%s has no option \"%.100s\"; 'weft help "
				"convert' lists them",
				format_name(j->to), option);
		j->options[n++] = option;
	}
	return true;
}

/* Chooses the format of the output. Returns false with err. */
static bool
choose_format(struct convert_job *j, struct err *err)
{
	const struct format *f;

	if (j->format != NULL) {
		f = format_find(j->format);
		if (f == NULL || !format_is_written(f))
			return err_set(err, ERR_INPUT,
				"there is no output format \"%.100s\"; "
				"'weft convert --list' lists them",
				j->format);
		if (*format_extensions(f) == '\0')
			return err_set(err, ERR_INPUT,
				"%s is a directory of files: use weft emu -f "
				"%s",
				format_name(f), format_name(f));
	} else if (convert_to_stdout(j)) {
		return err_set(err, ERR_INPUT,
			"-o - needs a format: -f NAME ('weft convert --list' "
			"lists them)");
	} else {
		f = format_of_output(j->path);
		if (f == NULL)
			return err_set(err, ERR_INPUT,
				"the name %.200s tells no format; known are %s "
				"(or -f NAME)",
				j->path, format_outputs(&j->r.arena));
	}
	j->to = f;
	return true;
}

/* Chooses how the file is compressed. Returns false with err. */
static bool
choose_packing(struct convert_job *j, struct err *err)
{
	bool packs = j->to->out != NULL && j->to->out->packs;
	struct compress_options *o = &j->packing;
	enum compress_kind named = compress_of_name(j->path);

	o->kind = j->compress >= 0 ? (enum compress_kind)j->compress
		: packs            ? named
				   : COMPRESS_NONE;
	o->level = j->level > 100 ? 100 : (int)j->level;
	o->jobs = j->r.threads > COMPRESS_JOBS ? COMPRESS_JOBS
		: j->r.threads > 0             ? (int)j->r.threads
					       : 2;
	if (j->to->out == NULL && named != COMPRESS_NONE)
		return err_set(err, ERR_INPUT,
			"%s is a directory, which cannot be compressed; weft "
			"pack makes one file of it",
			format_name(j->to));
	if (!packs && (o->kind != COMPRESS_NONE || named != COMPRESS_NONE))
		return err_set(err, ERR_INPUT,
			"a file of %s cannot be compressed",
			format_name(j->to));
	if (packs && named != COMPRESS_NONE && o->kind != named)
		return err_set(err, ERR_INPUT,
			"%s would not be what its name says: leave out "
			"--compress, or %s",
			j->path, compress_extension(named));
	return compress_check(o, err);
}

const char *
convert_option_of_states(const struct convert_job *j)
{
	return j->class != NULL     ? "--class"
		: j->r.breakdown    ? "--breakdown"
		: j->time_unit >= 0 ? "--time-unit"
				    : NULL;
}

/* Checks outputs that have events or samples. Returns false with err. */
static bool
check_events(const struct convert_job *j, struct err *err)
{
	const char *option =
		j->events ? "--events" : convert_option_of_states(j);

	if (j->sampled && option != NULL)
		return err_set(err, ERR_INPUT, "--sampled takes no %s", option);
	if (j->r.npaths > 1 && (j->events || j->to->out == NULL))
		return err_set(err, ERR_INPUT,
			"of several traces only states can be written");
	if (!j->events)
		return true;
	if (j->to->out != &sink_sqlite)
		return err_set(err, ERR_INPUT,
			"--events: %s has no table of events, sqlite has",
			format_name(j->to));
	return strcmp(j->in, "-") != 0 ||
		err_set(err, ERR_INPUT,
			"--events reads the trace twice, which standard input "
			"does not allow: name a file");
}

/* Checks what the output is before anything is opened. Returns false with
 * err. */
static bool
check_output(const struct convert_job *j, struct err *err)
{
	const struct sink_ops *ops = j->to->out;
	struct stat out;

	if (!convert_to_stdout(j)) {
		if (stat(j->path, &out) != 0)
			return true;
		if (!keep_check(j->path, err))
			return false;
		if (S_ISDIR(out.st_mode) && ops != NULL)
			return err_set(err, ERR_INPUT,
				"%s is a directory; name a file in it",
				j->path);
		return true;
	}
	if (ops == NULL || !ops->streams)
		return err_set(err, ERR_INPUT,
			"%s cannot go to standard output: name a file",
			format_name(j->to));
	if (j->json)
		return err_set(err, ERR_INPUT,
			"--json and the output would be in one stream");
	if (isatty(STDOUT_FILENO) &&
		(!ops->is_text || j->packing.kind != COMPRESS_NONE))
		return err_set(err, ERR_INPUT,
			"the output is binary: send it to a file or a program");
	return true;
}

bool
convert_choose(struct convert_job *j, struct err *err)
{
	if (j->outputs[1] != NULL)
		return err_set(err, ERR_INPUT,
			"-o %s and -o %s: one output at a time", j->path,
			j->outputs[1]);
	return choose_format(j, err) && choose_packing(j, err) &&
		split_options(j, err) && check_output(j, err) &&
		check_events(j, err);
}
