/* SPDX-License-Identifier: MIT */
#include "cli/cmd.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/near.h"
#include "cli/screen.h"

#define MAX_OPTIONS 40
#define HELP_INDENT 29 /* columns before what an option is for */
#define LONG_ONLY 256  /* getopt's value of option i without a letter: + i */
#define HELP (LONG_ONLY + MAX_OPTIONS)
#define QUIET (HELP + 1)

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
	fprintf(stderr, "Try 'weft help %s'.\n", cmd->name);
	return EXIT_USAGE;
}

/* What perf calls it, too far from our word to be taken for a slip. */
static const struct {
	const char *theirs, *ours;
} of_perf[] = {
	{ "record", "run" },
	{ "report", "stat" },
	{ "script", "dump" },
};

/* Looks at one more command that may be meant, and at what perf calls it. */
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
print_option(char letter, const char *name, const char *arg, const char *help)
{
	char left[64], line[256];
	int n = 0;

	if (letter != '\0')
		n = snprintf(left, sizeof left, "-%c, ", letter);
	else
		n = snprintf(left, sizeof left, "    ");
	snprintf(left + n, sizeof left - (size_t)n, "--%s%s%s", name,
		arg == NULL ? "" : " ", arg == NULL ? "" : arg);
	snprintf(line, sizeof line, "  %-*s %s", HELP_INDENT - 3, left, help);
	screen_say(line, HELP_INDENT);
}

static void
print_help(const struct cmd *cmd, const struct option_def *opts)
{
	printf("Usage: weft %s [OPTIONS]%s%s\n\n%s\n", cmd->name,
		cmd->args == NULL ? "" : " ",
		cmd->args == NULL ? "" : cmd->args, cmd->brief);
	if (cmd->help != NULL)
		printf("\n%s", cmd->help);
	printf("\nOptions:\n");
	for (const struct option_def *o = opts; o->name != NULL; o++)
		print_option(o->letter, o->name, o->arg, o->help);
	print_option('q', "quiet", NULL,
		"print no progress, no notes and no summary");
	print_option('h', "help", NULL, "print this and exit");
	if (cmd->more != NULL)
		cmd->more();
	if (cmd->examples != NULL)
		printf("\nExamples:\n%s", cmd->examples);
}

/* getopt's tables, made from ours. */
struct tables {
	struct option longs[MAX_OPTIONS + 3];
	char shorts[2 * MAX_OPTIONS + 6];
};

static void
make_tables(
	struct tables *t, const struct cmd *cmd, const struct option_def *opts)
{
	char *s = t->shorts;
	int n = 0;

	if (cmd->options_first)
		*s++ = '+';
	*s++ = ':'; /* tells a missing argument from an unknown option */
	for (; opts[n].name != NULL && n < MAX_OPTIONS; n++) {
		int has_arg = opts[n].arg == NULL ? no_argument
			: opts[n].arg[0] == '['   ? optional_argument
						  : required_argument;

		t->longs[n] = (struct option){ opts[n].name, has_arg, NULL,
			opts[n].letter != 0 ? opts[n].letter : LONG_ONLY + n };
		if (opts[n].letter != 0)
			*s++ = opts[n].letter;
		if (opts[n].letter != 0 && has_arg != no_argument)
			*s++ = ':';
	}
	*s++ = 'h';
	*s++ = 'q';
	*s = '\0';
	t->longs[n] = (struct option){ "help", 0, NULL, HELP };
	t->longs[n + 1] = (struct option){ "quiet", 0, NULL, QUIET };
	t->longs[n + 2] = (struct option){ 0 };
}

static const struct option_def *
option_of(const struct option_def *opts, int value)
{
	for (int i = 0; opts[i].name != NULL; i++)
		if (opts[i].letter == value || LONG_ONLY + i == value)
			return &opts[i];
	return NULL;
}

static bool
parse_number(const char *text, int64_t *to)
{
	char *end;

	errno = 0;
	*to = strtoll(text, &end, 10);
	return errno == 0 && end != text && *end == '\0' && *to >= 0;
}

/* The position of a word in a list with commas, or -1. */
static int
find_choice(const char *list, const char *word)
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

/* In the first free place. */
static bool
store_one_more(
	const struct cmd *cmd, const struct option_def *o, const char *text)
{
	for (int i = 0; i < CMD_TEXTS; i++)
		if (o->texts[i] == NULL) {
			o->texts[i] = text;
			return true;
		}
	cmd_usage_error(cmd, "--%s %s: it is given %d times already", o->name,
		text, CMD_TEXTS);
	return false;
}

/* Stores the option's value. False with a message. */
static bool
store(const struct cmd *cmd, const struct option_def *o, const char *text)
{
	char hint[NEAR_HINT];

	if (o->flag != NULL)
		*o->flag = true;
	else if (o->time != NULL && *text != '\0' &&
		strchr("0123456789@+", *text) != NULL)
		*o->time = text;
	else if (o->text != NULL)
		*o->text = text;
	else if (o->texts != NULL)
		return store_one_more(cmd, o, text);
	else if (o->choice != NULL && text == NULL) {
		*o->choice = 0;
	} else if (o->choice != NULL) {
		*o->choice = find_choice(o->choices, text);
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

/* The option that prints in a format, where it is not --format FORMAT. */
static const char *
format_option(const struct option_def *opts)
{
	for (; opts->name != NULL; opts++)
		if (strcmp(opts->name, "csv") == 0)
			return "csv or --json";
		else if (strcmp(opts->name, "json") == 0)
			return "json";
	return NULL;
}

/* An unknown long option, and the one that may be meant. */
static enum exit_code
unknown_option(
	const struct cmd *cmd, const struct option_def *opts, const char *word)
{
	char name[64];
	struct near near = { .word = name };

	snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
	memmove(name, name + strspn(name, "-"),
		strlen(name) - strspn(name, "-") + 1);
	if (strcmp(name, "format") == 0)
		near.best = format_option(opts);
	for (; opts->name != NULL; opts++)
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
	if (optopt != 0 && optopt < LONG_ONLY)
		return cmd_usage_error(cmd, "unknown option -%c", optopt);
	return unknown_option(cmd, opts, word);
}

static bool
parse_options(const struct cmd *cmd, const struct option_def *opts, int argc,
	char *argv[], enum exit_code *code)
{
	struct tables t = { 0 };
	int value;

	make_tables(&t, cmd, opts);
	optind = 0; /* glibc: begin anew */
	opterr = 0;
	while ((value = getopt_long(argc, argv, t.shorts, t.longs, NULL)) !=
		-1) {
		const struct option_def *o = option_of(opts, value);

		if (value == 'h' || value == HELP) {
			print_help(cmd, opts);
			*code = EXIT_YES;
			return false;
		}
		if (value == 'q' || value == QUIET) {
			log_quiet(true);
			continue;
		}
		if (o == NULL) {
			*code = bad_option(cmd, opts, value, argv[optind - 1]);
			return false;
		}
		if (!store(cmd, o, optarg)) {
			*code = EXIT_USAGE;
			return false;
		}
	}
	return true;
}

int
cmd_parse(const struct cmd *cmd, const struct option_def *opts, int argc,
	char *argv[], enum exit_code *code)
{
	int n;

	if (!parse_options(cmd, opts, argc, argv, code))
		return -1;
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
