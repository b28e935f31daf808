/* SPDX-License-Identifier: MIT */
/*
 * cmd.h - the interface of a subcommand, and the parser of its options.
 *
 * Each command is a file with a row in the table of commands (cmds.c). A table
 * of options in the command both parses and prints the help. All commands also
 * have --help and --quiet (log.h):
 *
 *	const struct option_def opts[] = {
 *		{ 'o', "output", "DIR", "write into DIR", .text = &dir },
 *		{ 0 },
 *	};
 *	int n = cmd_parse(&cmd_emu, opts, argc, argv, &code);
 *	if (n < 0)
 *		return code;
 */
#ifndef WEFT_CLI_CMD_H
#define WEFT_CLI_CMD_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

enum exit_code {
	EXIT_YES = 0,    /* done; the answer is yes */
	EXIT_NO = 1,     /* done; the answer is no: the trace has errors */
	EXIT_USAGE = 2,  /* usage error: the command line was not understood */
	EXIT_UNABLE = 3, /* nothing could be read, or nothing written */
};

struct cmd {
	const char *name;
	const char *brief; /* a line for the list of commands */
	const char *args;  /* the arguments after the options, for the usage
	                    * line */
	/* Returns the words that the first argument may be, with commas; or
	 * NULL. */
	const char *(*words)(struct arena *a);
	int min_args, max_args;
	bool options_first;   /* everything after the first argument is an
	                       * argument */
	const char *help;     /* paragraphs of the help text, or NULL */
	const char *examples; /* lines with examples, or NULL */
	void (*more)(void);   /* prints the part of the help that depends on
	                       * the build, or NULL */
	enum exit_code (*run)(int argc, char *argv[]);
};

enum { CMD_TEXTS = 8 };

/*
 * An option. Either one of flag, text, texts, number, choice is set, or
 * `means`. A letter stands for the same word in all commands, and a word has
 * one meaning (tests/cli/words).
 */
struct option_def {
	char letter;      /* 0: the option has only a long form */
	const char *name; /* without the dashes; NULL ends the table */
	const char *arg;  /* name of its argument; NULL for flags; "[KIND]":
	                   * optional, the default is the first choice */
	const char *help;
	bool *flag;
	const char **text;
	const char **texts;  /* receives up to CMD_TEXTS arguments, one for each
	                      * use of the option, then NULL */
	int64_t *number;     /* receives a number >= 0 */
	int *choice;         /* receives the index of the word in `choices` */
	const char *choices; /* "show,null,all"; with `text` these words are
	                      * only proposed by shell completion */
	/* Returns further choices, which come from another table, with commas;
	 * or NULL. */
	const char *(*words)(struct arena *a);
	/* The option for which this row is another spelling, by name ("by"), or
	 * such an option with its value ("format=csv"). */
	const char *means;
	/* Spellings of the previous release. They still work, print a note with
	 * the new spelling, and are not listed in the help. */
	bool old;              /* this row is an old spelling of `means` */
	const char *old_words; /* an argument that cannot be a time is meant for
	                        * the option of this name: "format" */
	const char *old_value; /* the old name of the first choice */
};

/* Rows of an option table: short for --format; an old letter or word of an
 * option. */
#define SHORT_CSV \
	{ \
		.name = "csv", .means = "format=csv" \
	}
#define SHORT_JSON \
	{ \
		.name = "json", .means = "format=json" \
	}
#define OLD_LETTER(was, now) \
	{ \
		.letter = (was), .name = "", .means = (now), .old = true \
	}
#define OLD_WORD(was, now) \
	{ \
		.name = (was), .means = (now), .old = true \
	}

/*
 * Parses options anywhere among the arguments. argv[0] is the command's name.
 * Moves the other arguments to argv[0..n-1] and returns n. Returns -1 if the
 * command ends with *code: after --help, or after a usage error.
 */
int cmd_parse(const struct cmd *cmd, const struct option_def *opts, int argc,
	char *argv[], enum exit_code *code);

/* The options that every command has; an empty row ends the table. */
extern const struct option_def cmd_for_all[];

/* Returns the index of a word in a list with commas, or -1. */
int cmd_choice(const char *list, const char *word);

/* Calls fn with the options of a command, without running the command. */
void cmd_describe(const struct cmd *cmd,
	void (*fn)(const struct cmd *cmd, const struct option_def *opts));

#define CMD_EXIT_CODES \
	"Exit codes: 0 yes; 1 the trace has errors, the output is written " \
	"all the same,\n" \
	"or the clocks of several traces are not related; 2 the command was " \
	"not\n" \
	"understood; 3 nothing could be read, or nothing written.\n"

/* Prints a line and "Try 'weft help VERB'" to standard error; returns
 * EXIT_USAGE. cmd: NULL: the command whose options were parsed last. */
enum exit_code cmd_usage_error(const struct cmd *cmd, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Reports a word that is not a command; returns EXIT_USAGE. */
enum exit_code cmd_unknown(const char *name);

/* All commands in the order of the help; NULL ends the list. */
extern const struct cmd *const cmds[];

/* Returns the command with that name, or NULL. */
const struct cmd *cmd_find(const char *name);

extern const struct cmd cmd_check, cmd_convert, cmd_pack, cmd_sort;
extern const struct cmd cmd_doctor, cmd_dump, cmd_emu, cmd_events, cmd_help,
	cmd_mem, cmd_models, cmd_run, cmd_stat, cmd_sync, cmd_tasks, cmd_top,
	cmd_version, cmd_view;

#endif
