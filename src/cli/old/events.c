/* SPDX-License-Identifier: MIT */
#include "cli/old/events.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/log.h"
#include "cli/old/say.h"
#include "cli/trace/events_walk.h"
#include "emu/describe.h"
#include "emu/model.h"

/* Events whose rows are not those of the original's list. */
static const struct differs {
	const char *signature; /* in the model */
	const char *listed[3]; /* in the original's list; NULL ends */
} differ[] = {
	{ "6TC", { NULL } }, /* obsolete, not listed */
	{ "6O[(u32 taskid)", { "6O[", NULL } },
	{ "6O](u32 taskid)", { "6O]", NULL } },
	{ "OB?", { "OB.", NULL } },
	{ "OU?", { "OU[", "OU]", NULL } },
};

static void
put_html(const char *text)
{
	for (; *text != '\0'; text++)
		switch (*text) {
		case '&':
			fputs("&amp;", stdout);
			break;
		case '<':
			fputs("&lt;", stdout);
			break;
		case '>':
			fputs("&gt;", stdout);
			break;
		default:
			putchar(*text);
		}
}

static void
print_event(const char *signature, const char *says)
{
	int n = (int)strcspn(signature, "+(");

	printf("<dt><a id=\"%.*s\" href=\"#%.*s\"><pre>", n, signature, n,
		signature);
	put_html(signature);
	printf("</pre></a></dt>\n<dd>");
	put_html(says);
	printf("</dd>\n");
}

static void
print_line(void *arg, const struct events_line *line)
{
	char says[1024];

	(void)arg;
	describe_named(
		line->says, line->signature, "%{", "}", says, sizeof says);
	for (size_t i = 0; i < sizeof differ / sizeof differ[0]; i++) {
		if (strcmp(differ[i].signature, line->signature) != 0)
			continue;
		for (int k = 0; differ[i].listed[k] != NULL; k++)
			print_event(differ[i].listed[k], says);
		return;
	}
	print_event(line->signature, says);
}

/* Prints the day on which the program's file was written: a date inside the
 * program would differ each time that it is built. */
static void
print_date(void)
{
	struct stat info;
	struct tm tm;
	char day[32];

	if (stat("/proc/self/exe", &info) != 0 ||
		gmtime_r(&info.st_mtime, &tm) == NULL ||
		strftime(day, sizeof day, "%b %e %Y", &tm) == 0)
		return;
	printf("Built on %s\n\n", day);
}

int
old_events(int argc, char *argv[])
{
	(void)argv;
	log_start("ovnievents");
	log_old_words();
	if (argc != 1) {
		fprintf(stderr, "Usage: ovnievents\n");
		return 1;
	}
	printf("# Emulator events\n\n"
	       "The events that the emulation models know.\n\n");
	print_date();
	for (const struct model *const *m = models; *m != NULL; m++) {
		if (!old_has_model(*m))
			continue;
		printf("## Model %s\n\n"
		       "Events of the model *%s*, identifier **`%c`**, version "
		       "`%s`:\n\n<dl>\n",
			(*m)->name, (*m)->name, (*m)->id,
			old_model_version(*m));
		events_walk(*m, false, print_line, NULL);
		printf("</dl>\n\n");
	}
	return 0;
}
