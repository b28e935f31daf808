/* SPDX-License-Identifier: MIT */
#include "cli/cmd.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/log.h"
#include "base/near.h"
#include "cli/screen.h"

#define MAX_OPTIONS 40
#define HELP_INDENT 29 /* columns before an option's description */
#define LONG 256       /* getopt's value of a long option: LONG + its row */
#define HELP (LONG + MAX_OPTIONS)
#define QUIET (HELP + 1)

static const struct cmd *running; /* whose options were parsed last */

const struct cmd *
cmd_find(const char *name)
{
	for (const struct cmd *const *c = cmds; *c != NULL; c++)
		if (strcmp((*c)->name, name) == 0)
			return *c;
	return NULL;
}

enum exit_code
cmd_usage_error(const struct cmd *cmd, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	log_error("%s", text);
	fprintf(stderr, "Try 'weft help %s'.\n",
		cmd != NULL ? cmd->name : running->name);
	return EXIT_USAGE;
}

/* perf's names of commands, which differ too much from ours to be found as
 * typing errors. */
static const struct {
	const char *theirs, *ours;
} of_perf[] = {
	{ "record", "run" },
	{ "report", "stat" },
	{ "script", "dump" },
};

/* Compares the unknown word with the name of one of our commands and with the
 * name that perf gives such a command. */
static void
try_command(struct near *near, const char *ours)
{
	for (size_t i = 0; i < sizeof of_perf / sizeof of_perf[0]; i++)
		if (near->best == NULL && strcmp(of_perf[i].ours, ours) == 0 &&
			strcmp(of_perf[i].theirs, near->word) == 0)
			near->best = ours;
	near_try(near, ours);
}

enum exit_code
cmd_unknown(const char *name)
{
	struct near near = { .word = name };

	if (*name == '-') {
		log_error("unknown option %s before the command; 'weft help' "
			  "lists the commands",
			name);
		return EXIT_USAGE;
	}
	for (const struct cmd *const *c = cmds; *c != NULL; c++)
		try_command(&near, (*c)->name);
	if (near.best != NULL)
		log_error("unknown command \"%s\"; did you mean weft %s?", name,
			near.best);
	else
		log_error(
			"unknown command \"%s\"; 'weft help' lists them", name);
	return EXIT_USAGE;
}

static void
print_option(const struct option_def *o)
{
	char left[64], line[256], same[64];
	const char *help = o->help;
	int n = 0;

	if (o->letter != '\0')
		n = snprintf(left, sizeof left, "-%c, ", o->letter);
	else
		n = snprintf(left, sizeof left, "    ");
	snprintf(left + n, sizeof left - (size_t)n, "--%s%s%s", o->name,
		o->arg == NULL ? "" : " ", o->arg == NULL ? "" : o->arg);
	if (o->means != NULL) {
		const char *value = strchr(o->means, '=');

		snprintf(same, sizeof same, "the same as --%.*s%s%s",
			(int)strcspn(o->means, "="), o->means,
			value == NULL ? "" : " ",
			value == NULL ? "" : value + 1);
		help = same;
	}
	snprintf(line, sizeof line, "  %-*s %s\n", HELP_INDENT - 3, left, help);
	screen_text(line);
}

const struct option_def cmd_for_all[] = {
	{ .letter = 'q',
		.name = "quiet",
		.help = "print no progress, no notes and no summary" },
	{ .letter = 'h', .name = "help", .help = "print this and exit" },
	{ 0 },
};

static void
print_help(const struct cmd *cmd, const struct option_def *opts)
{
	char line[256];

	snprintf(line, sizeof line, "Usage: weft %s [OPTIONS]%s%s", cmd->name,
		cmd->args == NULL ? "" : " ",
		cmd->args == NULL ? "" : cmd->args);
	screen_say(line, 4);
	printf("\n");
	screen_say(cmd->brief, 0);
	if (cmd->help != NULL) {
		printf("\n");
		screen_text(cmd->help);
	}
	printf("\nOptions:\n");
	for (const struct option_def *o = opts; o->name != NULL; o++)
		if (!o->old)
			print_option(o);
	for (const struct option_def *o = cmd_for_all; o->name != NULL; o++)
		print_option(o);
	if (cmd->more != NULL)
		cmd->more();
	if (cmd->examples != NULL) {
		printf("\nExamples:\n");
		screen_examples(cmd->examples);
	}
}

/* Called with the options of a command that is asked for its help. */
static void (*describe)(
	const struct cmd *cmd, const struct option_def *opts) = print_help;

void
cmd_describe(const struct cmd *cmd,
	void (*fn)(const struct cmd *cmd, const struct option_def *opts))
{
	char name[32];

	snprintf(name, sizeof name, "%s", cmd->name);
	describe = fn;
	cmd->run(2, (char *[]){ name, (char[]){ "--help" }, NULL });
	describe = print_help;
}

/* Returns the row with that name of n bytes. */
static const struct option_def *
row_named(const struct option_def *opts, const char *word, size_t n)
{
	while (opts->name != NULL &&
		(strlen(opts->name) != n || memcmp(opts->name, word, n) != 0))
		opts++;
	BUG_ON(opts->name == NULL);
	return opts;
}

/* Returns the row that handles this option: its own or that of `means`. */
static const struct option_def *
meant(const struct option_def *opts, const struct option_def *o)
{
	return o->means == NULL
		? o
		: row_named(opts, o->means, strcspn(o->means, "="));
}

static int
takes_arg(const struct option_def *opts, const struct option_def *o)
{
	bool has_value = o->means != NULL && strchr(o->means, '=') != NULL;
	const char *arg = meant(opts, o)->arg;

	return has_value || arg == NULL ? no_argument
		: arg[0] == '['         ? optional_argument
					: required_argument;
}

/* getopt's tables, made from the option table. */
struct tables {
	struct option longs[MAX_OPTIONS + 3];
	const struct option_def *row[MAX_OPTIONS + 3]; /* the table row of each
	                                                * entry of longs */
	char shorts[2 * MAX_OPTIONS + 6];
};

/* Makes getopt's tables. Two spellings of one option have the same value, so
 * getopt does not call their common abbreviation ambiguous. */
static void
make_tables(
	struct tables *t, const struct cmd *cmd, const struct option_def *opts)
{
	char *s = t->shorts;
	int n = 0;

	if (cmd->options_first)
		*s++ = '+';
	*s++ = ':'; /* makes getopt tell a missing argument from an unknown
	             * option */
	for (const struct option_def *o = opts; o->name != NULL; o++) {
		int arg = takes_arg(opts, o);

		BUG_ON(o - opts >= MAX_OPTIONS);
		if (o->letter != 0)
			*s++ = o->letter;
		if (o->letter != 0 && arg != no_argument)
			*s++ = ':';
		if (*o->name == '\0')
			continue;
		t->row[n] = o;
		t->longs[n++] = (struct option){ o->name, arg, NULL,
			LONG + (int)((o->old ? meant(opts, o) : o) - opts) };
	}
	*s++ = 'h';
	*s++ = 'q';
	*s = '\0';
	t->longs[n] = (struct option){ "help", 0, NULL, HELP };
	t->longs[n + 1] = (struct option){ "quiet", 0, NULL, QUIET };
	t->longs[n + 2] = (struct option){ 0 };
}

static const struct option_def *
row_of_letter(const struct option_def *opts, int letter)
{
	for (; opts->name != NULL; opts++)
		if (opts->letter == letter)
			return opts;
	return NULL;
}

static bool
parse_number(const char *text, int64_t *to)
{
	char *end;

	BUG_ON(text == NULL); /* getopt has found the argument that the table
	                       * requires */
	errno = 0;
	*to = strtoll(text, &end, 10);
	return errno == 0 && end != text && *end == '\0' && *to >= 0;
}

int
cmd_choice(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (int i = 0;; i++) {
		size_t length = strcspn(list, ",");

		if (length == n && memcmp(list, word, n) == 0)
			return i;
		if (list[length] == '\0')
			return -1;
		list += length + 1;
	}
}

/* Stores one more text of an option that may be repeated. Returns false after
 * an error message if there are too many. */
static bool
store_one_more(
	const struct cmd *cmd, const struct option_def *o, const char *text)
{
	for (int i = 0; i < CMD_TEXTS; i++)
		if (o->texts[i] == NULL) {
			o->texts[i] = text;
			return true;
		}
	cmd_usage_error(cmd, "--%s %s: it may be given at most %d times",
		o->name, text, CMD_TEXTS);
	return false;
}

/* Stores the option's value. Returns false after an error message. */
static bool
store(const struct cmd *cmd, const struct option_def *o, const char *text)
{
	char hint[NEAR_HINT];

	if (o->flag != NULL)
		*o->flag = true;
	else if (o->text != NULL)
		*o->text = text;
	else if (o->texts != NULL)
		return store_one_more(cmd, o, text);
	else if (o->choice != NULL && text == NULL) {
		*o->choice = 0;
	} else if (o->choice != NULL) {
		*o->choice = cmd_choice(o->choices, text);
		if (*o->choice < 0)
			cmd_usage_error(cmd,
				"--%s takes one of %s, not \"%s\"%s", o->name,
				o->choices, text,
				near_hint(o->choices, text, hint));
		return *o->choice >= 0;
	} else if (!parse_number(text, o->number)) {
		cmd_usage_error(
			cmd, "--%s needs a number, not \"%s\"", o->name, text);
		return false;
	}
	return true;
}

/* Reports an unknown long option and the one that was probably meant. */
static enum exit_code
unknown_option(
	const struct cmd *cmd, const struct option_def *opts, const char *word)
{
	char name[64];
	struct near near = { .word = name };

	snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
	memmove(name, name + strspn(name, "-"),
		strlen(name) - strspn(name, "-") + 1);
	for (; opts->name != NULL; opts++)
		if (!opts->old)
			near_try(&near, opts->name);
	near_try(&near, "help");
	near_try(&near, "quiet");
	if (near.best != NULL)
		return cmd_usage_error(cmd,
			"unknown option %s; did you mean --%s?", word,
			near.best);
	return cmd_usage_error(cmd, "unknown option %s", word);
}

static enum exit_code
bad_option(const struct cmd *cmd, const struct option_def *opts, int value,
	const char *word)
{
	if (value == ':')
		return cmd_usage_error(cmd, "%s needs an argument", word);
	if (optopt != 0 && optopt < LONG)
		return cmd_usage_error(cmd, "unknown option -%c", optopt);
	return unknown_option(cmd, opts, word);
}

/* An option on the command line and its argument, or NULL. */
struct use {
	const struct option_def *row;
	const char *text;
};

/* An old spelling and the new one. */
struct change {
	struct use was, now;
};

/* The state of the parser. */
struct parse {
	const struct cmd *cmd;
	const struct option_def *opts;
	struct use last[MAX_OPTIONS];  /* the option as typed, and the row that
	                                * handles it */
	const char *text[MAX_OPTIONS]; /* the values of these options */
	struct change old[MAX_OPTIONS];
	int nold;
	char word[32]; /* new name of an old value */
};

enum { SPELLING = 128 };

/* Writes an option as on a command line: "--format csv". */
static const char *
spell(const struct use *use, char to[SPELLING])
{
	const struct option_def *o = use->row;
	int n = *o->name == '\0' ? snprintf(to, SPELLING, "-%c", o->letter)
				 : snprintf(to, SPELLING, "--%s", o->name);

	if (use->text != NULL)
		snprintf(to + n, (size_t)(SPELLING - n), " %.60s%s", use->text,
			strlen(use->text) > 60 ? "..." : "");
	return to;
}

static void
say_old(const struct parse *p)
{
	char was[SPELLING], now[SPELLING];

	for (int i = 0; i < p->nold; i++)
		log_note("%s is now %s; the next release will not accept the "
			 "old spelling",
			spell(&p->old[i].was, was), spell(&p->old[i].now, now));
}

/* Remembers an old spelling once, for a note. */
static void
note_old(struct parse *p, struct use was, struct use now)
{
	for (int i = 0; i < p->nold; i++)
		if (p->old[i].was.row == was.row)
			return;
	p->old[p->nold++] = (struct change){ was, now };
}

static bool
begins_as_time(const char *text)
{
	return text != NULL && *text != '\0' &&
		strchr("0123456789@+", *text) != NULL;
}

static bool
is_same(const char *text, const char *other)
{
	return text != NULL && other != NULL && strcmp(text, other) == 0;
}

static bool
is_short(const struct option_def *o)
{
	return o->means != NULL && strchr(o->means, '=') != NULL;
}

/* Translates an option to today's spelling. */
static struct use
renew(struct parse *p, struct use was)
{
	const struct option_def *o = meant(p->opts, was.row);
	struct use now = { o, was.text };
	bool old = was.row->old;

	if (is_short(was.row))
		now.text = strchr(was.row->means, '=') + 1;
	if (o->old_words != NULL && !begins_as_time(now.text)) {
		now.row =
			row_named(p->opts, o->old_words, strlen(o->old_words));
		old = true;
	}
	if (is_same(now.text, o->old_value)) {
		snprintf(p->word, sizeof p->word, "%.*s",
			(int)strcspn(o->choices, ","), o->choices);
		now.text = p->word;
		old = true;
	}
	if (old)
		note_old(p, was, now);
	return now;
}

/* Handles one option. Returns false after an error message. */
static bool
take(struct parse *p, struct use was)
{
	struct use now = renew(p, was);
	ptrdiff_t i = now.row - p->opts;
	struct use *last = &p->last[i];
	char one[SPELLING], two[SPELLING];

	if (last->row != NULL && (is_short(was.row) || is_short(last->row)) &&
		!is_same(p->text[i], now.text)) {
		cmd_usage_error(p->cmd, "%s and %s exclude each other",
			spell(last, one), spell(&was, two));
		return false;
	}
	*last = was;
	p->text[i] = now.text;
	return store(p->cmd, now.row, now.text);
}

/* Parses all options. Returns false if the command ends with *code. */
static bool
parse_options(struct parse *p, int argc, char *argv[], enum exit_code *code)
{
	struct tables t = { 0 };
	int value, at = 0;

	make_tables(&t, p->cmd, p->opts);
	optind = 0; /* makes glibc's getopt start anew */
	opterr = 0;
	*code = EXIT_USAGE;
	while ((value = getopt_long(argc, argv, t.shorts, t.longs, &at)) !=
		-1) {
		const struct option_def *o = value >= LONG
			? t.row[at]
			: row_of_letter(p->opts, value);

		if (value == 'h' || value == HELP) {
			describe(p->cmd, p->opts);
			*code = EXIT_YES;
			return false;
		}
		if (value == 'q' || value == QUIET) {
			log_quiet(true);
		} else if (o == NULL) {
			bad_option(p->cmd, p->opts, value, argv[optind - 1]);
			return false;
		} else if (!take(p, (struct use){ o, optarg })) {
			return false;
		}
	}
	return true;
}

int
cmd_parse(const struct cmd *cmd, const struct option_def *opts, int argc,
	char *argv[], enum exit_code *code)
{
	struct parse p = { .cmd = cmd, .opts = opts };
	int n;

	running = cmd;
	if (!parse_options(&p, argc, argv, code))
		return -1;
	say_old(&p);
	n = argc - optind;
	if (n >= cmd->min_args && n <= cmd->max_args) {
		memmove(argv, argv + optind, (size_t)n * sizeof *argv);
		return n;
	}
	if (n < cmd->min_args)
		*code = cmd_usage_error(cmd, "missing argument: %s", cmd->args);
	else
		*code = cmd_usage_error(cmd, "unexpected argument \"%s\"",
			argv[optind + cmd->max_args]);
	return -1;
}
