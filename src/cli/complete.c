/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "cli/cmd.h"
#include "cli/describe.h"
#include "cli/old/old.h"

/* Prints a text in single quotes for a shell. */
static void
put_quoted(const char *text)
{
	putchar('\'');
	for (; *text != '\0'; text++)
		if (*text == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*text);
	putchar('\'');
}

/* Prints the words of a list with commas, separated by single blanks. */
static void
put_words(const char *list)
{
	for (; *list != '\0'; list++)
		if (*list != ' ')
			putchar(*list == ',' ? ' ' : *list);
}

/* Returns the words that an option or the first argument may be, or NULL. */
static const char *
words_of(struct arena *a, const char *choices,
	const char *(*words)(struct arena *a))
{
	return words != NULL ? words(a) : choices;
}

/* Returns true if the argument is a list with commas. */
static bool
is_list(const struct option_def *o)
{
	return strcmp(o->arg, "LIST") == 0;
}

static void
each_option(
	const struct option_def *opts, void (*put)(const struct option_def *o))
{
	for (; opts->name != NULL; opts++)
		if (!opts->old)
			put(opts);
	for (opts = cmd_for_all; opts->name != NULL; opts++)
		put(opts);
}

static const char *
help_of(const struct option_def *o)
{
	return o->help != NULL ? o->help : "short for --format";
}

/* bash: a case for the words of each command, and one for the values of each
 * option. */
static void
put_bash_word(const struct option_def *o)
{
	printf(" --%s", o->name);
}

static void
put_bash(const struct cmd *cmd, const struct option_def *opts)
{
	struct arena a = { 0 };
	const char *list;

	printf("\t%s)\n\t\twords='", cmd->name);
	each_option(opts, put_bash_word);
	printf("'\n\t\tcase $before in\n");
	for (; opts->name != NULL; opts++) {
		list = words_of(&a, opts->choices, opts->words);
		if (opts->old || list == NULL)
			continue;
		printf("\t\t--%s", opts->name);
		if (opts->letter != '\0')
			printf(" | -%c", opts->letter);
		printf(") values='");
		put_words(list);
		printf("' ;;\n");
	}
	printf("\t\tesac\n");
	if ((list = words_of(&a, NULL, cmd->words)) != NULL) {
		printf("\t\tfirst='");
		put_words(list);
		printf("'\n");
	}
	printf("\t\t;;\n");
	arena_fini(&a);
}

/* Prints the options of an old tool as words: " -c -a". */
static void
put_letters(const char *options, const char *before)
{
	for (; *options != '\0'; options++)
		if (*options != ':')
			printf("%s%c", before, *options);
}

/* Completes the old names, which have options of one letter and take files. */
static void
put_bash_old(void)
{
	const struct old *o;

	printf("_weft_old() {\n"
	       "\tlocal cur=${COMP_WORDS[COMP_CWORD]} words=\n"
	       "\tCOMPREPLY=()\n"
	       "\tcase ${COMP_WORDS[0]##*/} in\n");
	for (int i = 0; (o = old_at(i)) != NULL; i++) {
		printf("\t%s) words='", o->name);
		put_letters(o->options, " -");
		printf("' ;;\n");
	}
	printf("\tesac\n"
	       "\tif [[ $cur == -* ]]; then\n"
	       "\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
	       "\tfi\n"
	       "}\n"
	       "complete -o default -o bashdefault -F _weft_old");
	for (int i = 0; (o = old_at(i)) != NULL; i++)
		printf(" %s", o->name);
	putchar('\n');
}

static void
bash(void)
{
	printf("# bash completion of weft: weft help --format bash\n"
	       "_weft() {\n"
	       "\tlocal cur=${COMP_WORDS[COMP_CWORD]} words= values= first=\n"
	       "\tlocal before=${COMP_WORDS[COMP_CWORD-1]} head=\n"
	       "\t# --name=VALUE is three words to readline\n"
	       "\tif [[ $cur == = ]]; then\n"
	       "\t\tcur=\n"
	       "\telif [[ $before == = ]]; then\n"
	       "\t\tbefore=${COMP_WORDS[COMP_CWORD-2]}\n"
	       "\tfi\n"
	       "\tCOMPREPLY=()\n"
	       "\tif ((COMP_CWORD == 1)); then\n"
	       "\t\tCOMPREPLY=($(compgen -W '");
	for (const struct cmd *const *c = cmds; *c != NULL; c++)
		printf("%s%s", c == cmds ? "" : " ", (*c)->name);
	printf("' -- \"$cur\"))\n\t\treturn\n\tfi\n"
	       "\tcase ${COMP_WORDS[1]} in\n");
	for (const struct cmd *const *c = cmds; *c != NULL; c++)
		cmd_describe(*c, put_bash);
	printf("\tesac\n"
	       "\tif [[ $COMP_CWORD == 2 && $cur != -* ]]; then\n"
	       "\t\tvalues=$first\n"
	       "\telif [[ $cur == *,* ]]; then\n"
	       "\t\thead=${cur%%,*},\n"
	       "\tfi\n"
	       "\tif [[ -n $values ]]; then\n"
	       "\t\tCOMPREPLY=($(compgen -P \"$head\" -W \"$values\" -- "
	       "\"${cur##*,}\"))\n"
	       "\telif [[ $cur == -* ]]; then\n"
	       "\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
	       "\tfi\n"
	       "}\n"
	       "complete -o default -o bashdefault -F _weft weft\n");
	put_bash_old();
}

/* Prints a text between brackets in a description of _arguments. */
static void
put_zsh_text(const char *text)
{
	for (; *text != '\0'; text++) {
		if (strchr("[]:\\", *text) != NULL)
			putchar('\\');
		if (*text == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*text);
	}
}

static void
put_zsh_values(const struct option_def *o)
{
	struct arena a = { 0 };
	const char *list = words_of(&a, o->choices, o->words);

	if (list == NULL) {
		printf("_files");
	} else {
		printf("%s", is_list(o) ? "_sequence compadd - " : "(");
		put_words(list);
		printf("%s", is_list(o) ? "" : ")");
	}
	arena_fini(&a);
}

static void
put_zsh_spelling(const struct option_def *o, const char *dashes, char letter)
{
	printf(" \\\n\t\t\t'");
	if (letter != '\0')
		printf("%s%c", dashes, letter);
	else
		printf("%s%s", dashes, o->name);
	putchar('[');
	put_zsh_text(help_of(o));
	putchar(']');
	if (o->arg != NULL) {
		putchar(':');
		put_zsh_text(o->arg);
		putchar(':');
		put_zsh_values(o);
	}
	putchar('\'');
}

static void
put_zsh_option(const struct option_def *o)
{
	put_zsh_spelling(o, "--", '\0');
	if (o->letter != '\0')
		put_zsh_spelling(o, "-", o->letter);
}

static void
put_zsh(const struct cmd *cmd, const struct option_def *opts)
{
	struct arena a = { 0 };
	const char *list = words_of(&a, NULL, cmd->words);

	printf("\t\t%s)\n\t\t\t_arguments", cmd->name);
	each_option(opts, put_zsh_option);
	if (list != NULL) {
		printf(" \\\n\t\t\t'1:word:(");
		put_words(list);
		printf(")'");
	}
	printf(" \\\n\t\t\t'*:file:_files' ;;\n");
	arena_fini(&a);
}

static void
zsh(void)
{
	printf("#compdef weft\n# zsh completion of weft: weft help --format "
	       "zsh\n"
	       "local -a commands\n"
	       "commands=(\n");
	for (const struct cmd *const *c = cmds; *c != NULL; c++) {
		printf("\t'%s:", (*c)->name);
		put_zsh_text((*c)->brief);
		printf("'\n");
	}
	printf(")\n"
	       "_arguments -C '1:command:->command' '*::argument:->rest'\n"
	       "case $state in\n"
	       "\tcommand) _describe command commands ;;\n"
	       "\trest)\n"
	       "\t\tcase $words[1] in\n");
	for (const struct cmd *const *c = cmds; *c != NULL; c++)
		cmd_describe(*c, put_zsh);
	printf("\t\tesac ;;\nesac\n");
}

static const struct cmd *described;

static void
put_fish_option(const struct option_def *o)
{
	struct arena a = { 0 };
	const char *list = NULL;

	printf("complete -c weft -n '__fish_seen_subcommand_from %s' -l %s",
		described->name, o->name);
	if (o->letter != '\0')
		printf(" -s %c", o->letter);
	if (o->arg != NULL)
		list = words_of(&a, o->choices, o->words);
	if (list != NULL) {
		printf(" -x -a '%s", is_list(o) ? "(__fish_append , " : "");
		put_words(list);
		printf("%s'", is_list(o) ? ")" : "");
	} else if (o->arg != NULL) {
		printf(" -r");
	}
	printf(" -d ");
	put_quoted(help_of(o));
	putchar('\n');
	arena_fini(&a);
}

static void
put_fish(const struct cmd *cmd, const struct option_def *opts)
{
	struct arena a = { 0 };

	described = cmd;
	printf("complete -c weft -n __fish_use_subcommand -f -a %s -d ",
		cmd->name);
	put_quoted(cmd->brief);
	putchar('\n');
	each_option(opts, put_fish_option);
	if (cmd->words == NULL)
		return;
	printf("complete -c weft -n '__fish_seen_subcommand_from %s; and "
	       "__fish_is_nth_token 2' -f -a '",
		cmd->name);
	put_words(cmd->words(&a));
	printf("'\n");
	arena_fini(&a);
}

static void
fish(void)
{
	const struct old *o;

	printf("# fish completion of weft: weft help --format fish\n");
	for (const struct cmd *const *c = cmds; *c != NULL; c++)
		cmd_describe(*c, put_fish);
	for (int i = 0; (o = old_at(i)) != NULL; i++) {
		if (o->options[0] == '\0')
			continue;
		printf("complete -c %s", o->name);
		put_letters(o->options, " -s ");
		putchar('\n');
	}
}

void
describe_for_shell(enum describe_form shell)
{
	if (shell == DESCRIBE_BASH)
		bash();
	else if (shell == DESCRIBE_ZSH)
		zsh();
	else
		fish();
}
