/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/describe.h"

/* Prints a text in roff, with requests and escapes disabled. */
static void
put(const char *text, size_t n)
{
	bool begins = true; /* at the beginning of a line */

	for (size_t i = 0; i < n; i++) {
		char c = text[i];

		if (begins && (c == '.' || c == '\''))
			fputs("\\&", stdout);
		if (c == '\\')
			fputs("\\e", stdout);
		else if (c == '-')
			fputs("\\-", stdout);
		else
			putchar(c);
		begins = c == '\n';
	}
}

static void
puts_text(const char *text)
{
	put(text, strlen(text));
}

static void
put_title(const char *name, const char *brief)
{
	printf(".TH weft%s%s 1 \"\" \"weft %s\" \"Weft\"\n.SH NAME\nweft%s%s",
		*name != '\0' ? "-" : "", name, WEFT_VERSION,
		*name != '\0' ? "\\-" : "", name);
	fputs(" \\- ", stdout);
	puts_text(brief);
	printf("\n.SH SYNOPSIS\n.B weft");
}

static void
put_option(const struct option_def *o)
{
	printf(".TP\n");
	if (o->letter != '\0')
		printf("\\fB\\-%c\\fR, ", o->letter);
	printf("\\fB\\-\\-");
	puts_text(o->name);
	printf("\\fR");
	if (o->arg != NULL) {
		printf(" \\fI");
		puts_text(o->arg);
		printf("\\fR");
	}
	putchar('\n');
	if (o->means != NULL) {
		size_t n = strcspn(o->means, "=");

		printf("the same as \\-\\-");
		put(o->means, n);
		putchar(' ');
		puts_text(o->means + n + (o->means[n] != '\0'));
	} else {
		puts_text(o->help);
	}
	putchar('\n');
}

/* Prints lines without filling; removes two blanks of indent. */
static void
put_lines(const char *title, const char *lines)
{
	if (lines == NULL)
		return;
	printf(".SH %s\n.nf\n", title);
	puts_text(lines);
	printf(".fi\n");
}

static void
put_page(const struct cmd *cmd, const struct option_def *opts)
{
	put_title(cmd->name, cmd->brief);
	printf(" %s\n[\\fIOPTIONS\\fR]", cmd->name);
	if (cmd->args != NULL) {
		putchar(' ');
		puts_text(cmd->args);
	}
	printf("\n");
	put_lines("DESCRIPTION", cmd->help);
	printf(".SH OPTIONS\n");
	for (; opts->name != NULL; opts++)
		if (!opts->old)
			put_option(opts);
	for (const struct option_def *o = cmd_for_all; o->name != NULL; o++)
		put_option(o);
	put_lines("EXAMPLES", cmd->examples);
	printf(".SH SEE ALSO\n.BR weft (1)\n");
}

void
describe_man(const struct cmd *cmd)
{
	cmd_describe(cmd, put_page);
}

void
describe_man_of_all(void)
{
	put_title("", "record and show what threads, CPUs and tasks did");
	printf("\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]\n"
	       ".SH COMMANDS\n");
	for (const struct cmd *const *c = cmds; *c != NULL; c++) {
		printf(".TP\n.BR weft\\-%s (1)\n", (*c)->name);
		puts_text((*c)->brief);
		putchar('\n');
	}
	printf(".SH EXIT STATUS\n");
	puts_text(CMD_EXIT_CODES);
	printf(".SH OTHER NAMES\n");
	puts_text("Called as ovniemu, ovnidump, ovnitop, ovnisort, ovnisync, "
		  "ovniver, ovnievents or ctf2prv, weft takes the options of "
		  "the tool of that name: the option -h lists them.\n");
}
