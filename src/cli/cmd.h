/* SPDX-License-Identifier: MIT */
/*
 * cmd.h - what a subcommand is, and its options.
 *
 * One file a command, one table of commands (cmds.c), and in each command one
 * table of options that both parses and prints the help. All commands have
 * --help and --quiet besides (log.h):
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

enum exit_code {
	EXIT_YES = 0,    /* done; the answer is yes */
	EXIT_NO = 1,     /* done; the answer is no: the trace has errors */
	EXIT_USAGE = 2,  /* asked in a way that is not understood */
	EXIT_UNABLE = 3, /* could not: nothing read, or nothing written */
};

struct cmd {
	const char *name;
	const char *brief; /* a line for the list of commands */
	const char *args;  /* what follows the options */
	int min_args, max_args;
	bool options_first;   /* behind the first argument, "-x" is one too */
	const char *help;     /* paragraphs for its help, or NULL */
	const char *examples; /* lines, or NULL */
	void (*more)(void);   /* prints what depends on the build, or NULL */
	enum exit_code (*run)(int argc, char *argv[]);
};

enum { CMD_TEXTS = 8 };

/*
 * An option: one of flag, text, texts, number, choice is set, or `means`. In
 * all commands a letter has one word, and a word one meaning (tests/cli/words).
 */
struct option_def {
	char letter;      /* 0: only the long form */
	const char *name; /* without the dashes; NULL ends the table */
	const char *arg;  /* name of its argument; NULL for flags; "[KIND]":
	                   * it may be left out, and is the first choice */
	const char *help;
	bool *flag;
	const char **text;
	const char **texts;  /* CMD_TEXTS of them: one a use, then NULL */
	int64_t *number;     /* >= 0 */
	int *choice;         /* index of the word in choices */
	const char *choices; /* "show,null,all" */
	/* Another spelling of the option of that name: "by"; with a value,
	 * short for both: "format=csv". */
	const char *means;
	/* Spellings of the release before: understood, with a note that says
	 * the new one, and not listed. */
	bool old;              /* this row is one: with `means` */
	const char *old_words; /* a text that begins as no time does meant that
	                        * option: "format" */
	const char *old_value; /* what the first choice was called */
};

/* Rows of an option table: short for --format; what a letter and a word were
 * before. */
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
 * Afterwards argv[0..n-1] are the arguments, and n is returned. -1: the
 * command ends with *code (--help was printed, or a usage error explained).
 */
int cmd_parse(const struct cmd *cmd, const struct option_def *opts, int argc,
	char *argv[], enum exit_code *code);

/* What every command has besides; an empty row ends. */
extern const struct option_def cmd_for_all[];

/* Calls fn with the options of a command, which is not run. */
void cmd_describe(const struct cmd *cmd,
	void (*fn)(const struct cmd *cmd, const struct option_def *opts));

#define CMD_EXIT_CODES \
	"Exit codes: 0 yes; 1 the trace has errors, the output is written " \
	"all the same;\n" \
	"2 the command was not understood; 3 nothing could be read, or " \
	"nothing written.\n"

/* One line on standard error, "try 'weft help VERB'", and EXIT_USAGE. */
enum exit_code cmd_usage_error(const struct cmd *cmd, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The same about a word that is no command. */
enum exit_code cmd_unknown(const char *name);

/* All commands, in the order in which help lists them; ends with NULL. */
extern const struct cmd *const cmds[];

/* The command of that name, or NULL. */
const struct cmd *cmd_find(const char *name);

extern const struct cmd cmd_check, cmd_sort;
extern const struct cmd cmd_doctor, cmd_dump, cmd_emu, cmd_events, cmd_help,
	cmd_mem, cmd_models, cmd_run, cmd_stat, cmd_tasks, cmd_top, cmd_version,
	cmd_view;

#endif
