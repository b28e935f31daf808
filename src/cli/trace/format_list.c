/* SPDX-License-Identifier: MIT */
#include "cli/trace/format_list.h"

#include <stdio.h>

#include "base/arena.h"
#include "base/document.h"
#include "cli/screen.h"
#include "cli/trace/formats.h"
#include "export/sink.h"

static void
put_losses(struct doc *d, const struct format *f)
{
	const char *const *losses = format_losses(f);

	doc_begin(d, "losses", '[');
	for (int i = 0; losses != NULL && losses[i] != NULL; i++)
		doc_word(d, NULL, losses[i]);
	doc_end(d, ']');
}

enum exit_code
format_list_print(struct arena *a, bool json)
{
	struct doc d;

	if (!json)
		screen_line(36, "%-10s %-24s %s", "FORMAT", "EXTENSIONS",
			"USE (in: is read, out: is written)");
	else
		doc_open(&d);
	for (const struct format *f = formats; f->use != NULL; f++) {
		const char *ways = format_ways(f);
		const char *extensions = format_extensions(f);

		if (!json) {
			screen_line(36, "%-10s %-24s %s", format_name(f),
				*extensions == '\0' ? "-" : extensions,
				arena_printf(a, "%s: %s", ways, f->use));
			continue;
		}
		doc_begin(&d, NULL, '{');
		doc_word(&d, "name", format_name(f));
		doc_word(&d, "extensions", extensions);
		doc_word(&d, "ways", ways);
		doc_word(&d, "use", f->use);
		put_losses(&d, f);
		doc_end(&d, '}');
	}
	return !json || doc_close(&d) ? EXIT_YES : EXIT_UNABLE;
}

void
format_list_help(void)
{
	printf("\nFormats:\n");
	for (const struct format *f = formats; f->use != NULL; f++)
		if (format_is_written(f) && *format_extensions(f) != '\0')
			screen_line(29, "  %-26s %s", format_name(f), f->use);
	for (const struct format *f = formats; f->use != NULL; f++)
		if (f->out != NULL && f->out->options != NULL) {
			printf("\nOptions of %s (--set):\n", format_name(f));
			screen_text(f->out->options);
		}
}
