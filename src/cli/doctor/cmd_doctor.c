/* SPDX-License-Identifier: MIT */
/* weft doctor - reports which parts of Weft work here, and what would make the
 * others work. */
#include <stdarg.h>
#include <stdio.h>

#include "cli/cmd.h"
#include "cli/doctor/doctor.h"
#include "cli/screen.h"
#include "cli/table_print.h"

static const struct table_column columns[] = {
	{ .name = "area" },
	{ .name = "what" },
	{ .name = "works" },
	{ .name = "note",
		.title = "for what, or with what",
		.is_sentence = true,
		.is_whole = true },
};

void
doctor_tell(struct doctor *d, const char *what, enum doctor_works works,
	const char *fmt, ...)
{
	static const char *const words[] = { "no", "partly", "yes" };
	char note[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(note, sizeof note, fmt, args);
	va_end(args);
	table_word(&d->table, d->area);
	table_word(&d->table, what);
	table_word(&d->table, words[works]);
	if (works != DOCTOR_YES)
		VEC_PUSH(&d->missing, &d->arena,
			arena_printf(&d->arena, "- %s: %s", what, note));
	/* Text shows the whole note below the table. */
	if (works != DOCTOR_YES && d->table.format == TABLE_TEXT)
		table_word(&d->table, "see below");
	else
		table_word(&d->table, arena_strdup(&d->arena, note));
}

static void
print(struct doctor *d)
{
	table_print(&d->table);
	if (d->table.format != TABLE_TEXT || d->missing.n == 0)
		return;
	printf("\n");
	screen_say("What does not work here, and what would help:", 2);
	for (int i = 0; i < d->missing.n; i++)
		screen_say(d->missing.at[i], 2);
}

static enum exit_code
run(int argc, char *argv[])
{
	static const struct {
		const char *name;
		void (*look)(struct doctor *d);
	} areas[] = {
		{ "recorder", doctor_recorder },
		{ "kernel", doctor_kernel },
		{ "modules", doctor_modules },
		{ "stores", doctor_stores },
	};
	struct doctor d = { 0 };
	int format = TABLE_TEXT;
	enum exit_code code;
	const struct option_def opts[] = {
		{ 'f', "format", "FORMAT", "text, csv or json",
			.choice = &format, .choices = TABLE_FORMATS },
		{ 0 },
	};

	if (cmd_parse(&cmd_doctor, opts, argc, argv, &code) < 0)
		return code;
	d.table = table_new(&d.arena, columns, sizeof columns / sizeof *columns,
		(enum table_format)format, NULL);
	for (size_t i = 0; i < sizeof areas / sizeof *areas; i++) {
		d.area = areas[i].name;
		areas[i].look(&d);
	}
	print(&d);
	code = d.missing.n > 0 ? EXIT_NO : EXIT_YES;
	arena_fini(&d.arena);
	return code;
}

const struct cmd cmd_doctor = {
	.name = "doctor",
	.brief = "say what works on this machine, and what would make the rest "
		 "work",
	.help = "Nothing is guessed: weft opens each sampler, loads each "
		"module, writes each file.\n"
		"The exit code is 1 if anything does not work, even if you do "
		"not need it.\n",
	.run = run,
};
