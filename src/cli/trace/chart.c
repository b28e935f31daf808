/* SPDX-License-Identifier: MIT */
#include "cli/trace/chart.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/columns.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/fit.h"
#include "cli/screen.h"
#include "cli/times.h"
#include "cli/trace/stat_print.h"
#include "export/stat/slices.h"

#define WIDTH 80
#define WIDTH_MIN 24
#define WIDTH_MAX 400
#define ROWS 16
#define ROWS_MAX 1000
#define NAME_WIDTH \
	16 /* columns of a row's name; fewer if the screen is \
	    * narrow */
#define LABEL_WIDTH \
	34           /* columns of a state's label; fewer if the screen is \
	              * narrow */
#define BAR_LEAST 12 /* columns of a bar beside a long label, at least */
#define BAR_SIDES 28 /* columns of a bar's line without bar and label */

/* The number of states that have a letter or a colour of their own; the
 * remaining states share one. */
#define SIGNS 26

/* The capabilities of the terminal. */
struct screen {
	int width, height;
	bool utf8, colour;
};

/* A type of state on the screen. */
struct chart {
	const struct stat_report *report;
	struct screen screen;
	int type;
	struct stat_lines lines; /* the n-th line has the n-th sign */
};

static bool
speaks_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	const char *term = getenv("TERM");

	if (term != NULL && strcmp(term, "dumb") == 0)
		return false;
	for (int i = 0; i < 3; i++) {
		const char *value = getenv(names[i]);

		if (value != NULL && *value != '\0')
			return strcasestr(value, "utf-8") != NULL ||
				strcasestr(value, "utf8") != NULL;
	}
	return false;
}

/* Returns the width of the terminal or of COLUMNS, within the limits. */
static int
width_of_screen(void)
{
	int columns = screen_columns(), width = columns > 0 ? columns : WIDTH;

	return width < WIDTH_MIN    ? WIDTH_MIN
		: width > WIDTH_MAX ? WIDTH_MAX
				    : width;
}

static struct screen
look_at_screen(void)
{
	struct screen s = { WIDTH, 0, speaks_utf8(), log_colour(stdout) };
	struct winsize size = { 0 };

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
		s.height = size.ws_row;
	s.width = width_of_screen();
	return s;
}

static int
name_width(const struct screen *s)
{
	return s->width / 4 < NAME_WIDTH ? (s->width + 8) / 4 : NAME_WIDTH;
}

int
chart_rows(int asked)
{
	int height = look_at_screen().height;

	if (asked > 0)
		return asked < ROWS_MAX ? asked : ROWS_MAX;
	return height == 0 ? ROWS : height < 16 ? 4 : height / 2;
}

/* Returns a colour that is readable on dark and on light backgrounds. */
static int
colour_of(int sign)
{
	static const int colours[] = { 34, 32, 33, 31, 35, 36, 94, 92, 93, 91,
		95, 96, 90 };

	return colours[(size_t)sign % (sizeof colours / sizeof colours[0])];
}

/* Returns the block character of a state. Two states that share a colour have
 * different shades. */
static const char *
block_of(int sign)
{
	return sign < SIGNS / 2 ? "\xe2\x96\x88" : "\xe2\x96\x92";
}

/* Prints the sign of a cell. sign -1 stands for no state, SIGNS for the states
 * without a sign of their own. mixed: other states share the cell. */
static void
put_sign(const struct screen *s, int sign, bool mixed)
{
	char letter = (char)((mixed ? 'a' : 'A') + sign);

	if (sign < 0)
		printf("%s", s->utf8 ? "\xc2\xb7" : ".");
	else if (sign >= SIGNS)
		putchar('+');
	else if (s->colour && s->utf8)
		printf("\033[%dm%s\033[0m", colour_of(sign),
			mixed ? "\xe2\x96\x84" : block_of(sign));
	else if (s->colour)
		printf("\033[%dm%c\033[0m", colour_of(sign), letter);
	else
		putchar(letter);
}

/* Prints a text in exactly `width` columns, cut or filled with blanks. */
static void
put_text(const struct screen *s, const char *text, int width)
{
	while (*text != '\0') {
		int columns, n = columns_next(text, &columns);
		bool ascii = (unsigned char)*text < 0x80;

		if (!s->utf8)
			columns = 1;
		if (columns > width)
			break;
		if (ascii || (s->utf8 && n > 1))
			printf("%.*s", n, text);
		else
			putchar('?');
		text += n;
		width -= columns;
	}
	printf("%*s", width, "");
}

/* Returns the index of the value's line, or -1 for no state. */
static int
sign_of(const struct chart *c, int64_t value)
{
	if (value == VALUE_NONE)
		return -1;
	for (int i = 0; i < c->lines.line.n; i++)
		if (c->lines.line.at[i].value == value &&
			c->lines.line.at[i].more == 0)
			return i < SIGNS ? i : SIGNS;
	return SIGNS;
}

/* Returns how many slices go into a cell so that the timeline fits on a
 * line. */
static int
slices_a_cell(const struct chart *c, const struct slices *s)
{
	int room = c->screen.width - name_width(&c->screen) - 4;

	return (slices_count(s) + room - 1) / room;
}

/* The time of each sign in one cell. Index 0 is no state, sign n has index n +
 * 1. */
struct cell {
	const struct chart *chart;
	int64_t time[SIGNS + 2];
};

static void
add_piece(void *arg, int64_t value, int64_t time)
{
	struct cell *cell = arg;

	cell->time[sign_of(cell->chart, value) + 1] += time;
}

/* The share of a cell above which a state gets the whole cell. */
#define PURE 0.9

/*
 * Chooses the sign of a cell. Neighbouring cells that several states share show
 * these states in turn, in proportion to their shares: debt[] holds how much
 * too little each state was shown so far.
 */
static int
choose_sign(const struct cell *cell, double debt[SIGNS + 2], bool *mixed)
{
	double whole = 0;
	int best = 0, most = 0;

	for (int i = 0; i < SIGNS + 2; i++)
		whole += (double)cell->time[i];
	for (int i = 0; i < SIGNS + 2 && whole > 0; i++) {
		debt[i] += (double)cell->time[i] / whole;
		if (cell->time[i] > cell->time[most])
			most = i;
		if (cell->time[i] > 0 &&
			(cell->time[best] == 0 || debt[i] > debt[best]))
			best = i;
	}
	*mixed = (double)cell->time[most] < PURE * whole;
	if (!*mixed) {
		memset(debt, 0, (SIGNS + 2) * sizeof *debt);
		return most - 1;
	}
	debt[best] -= 1;
	return best - 1;
}

/* Returns true if several states share a cell. */
static bool
print_row(const struct chart *c, const struct stat_lane *lane, const char *name)
{
	int step = slices_a_cell(c, lane->slices);
	double debt[SIGNS + 2] = { 0 };
	bool any = false;

	printf(" ");
	put_text(&c->screen, name, name_width(&c->screen));
	printf("%s", c->screen.utf8 ? "\xe2\x94\x82" : "|");
	for (int i = 0; i < slices_count(lane->slices); i += step) {
		struct cell cell = { .chart = c };
		bool mixed;
		int sign;

		slices_each(lane->slices, i, step, add_piece, &cell);
		sign = choose_sign(&cell, debt, &mixed);
		put_sign(&c->screen, sign, mixed);
		any = any || mixed;
	}
	printf("%s\n", c->screen.utf8 ? "\xe2\x94\x82" : "|");
	return any;
}

/* Prints the times at both ends of the timeline. */
static void
print_axis(const struct chart *c, const struct slices *s)
{
	int step = slices_a_cell(c, s);
	int cells = (slices_count(s) + step - 1) / step;
	char first[TIMES_TEXT], last[TIMES_TEXT];
	int room;

	times_text(s->from, c->report->unit, first);
	times_text(s->end, c->report->unit, last);
	room = cells - (int)strlen(first);
	printf(" %*s %s%*s\n", name_width(&c->screen), "", first,
		room > (int)strlen(last) ? room : (int)strlen(last) + 1, last);
}

static const struct stat_lane *
lane_of(const struct chart *c, int row)
{
	const struct stat_table *st = c->report->table;

	for (int i = 0; i < st->lanes.n; i++)
		if (st->lanes.at[i].type == (uint32_t)c->type &&
			st->lanes.at[i].row == (uint32_t)row)
			return &st->lanes.at[i];
	return NULL;
}

/* Returns the names of all rows, shortened to fit. */
static const char **
row_names(const struct chart *c)
{
	const struct stat_table *st = c->report->table;
	struct arena *a = c->report->arena;
	const char **name = ARENA_ARRAY(a, const char *, st->rows.n);

	for (int i = 0; i < st->rows.n; i++)
		name[i] = text_disarm(
			arena_strdup(a, text_trim(st->rows.at[i].name)));
	return fit_texts(a, name, st->rows.n, name_width(&c->screen));
}

static void
print_timeline(const struct chart *c, int rows)
{
	const struct stat_table *st = c->report->table;
	const char **name = row_names(c);
	const struct slices *any = NULL;
	int all = stat_report_rows(c->report, c->type);
	bool mixed = false;

	for (int i = 0; i < st->rows.n; i++) {
		const struct stat_lane *lane = lane_of(c, i);

		if (lane == NULL || lane->slices == NULL)
			continue;
		mixed |= print_row(c, lane, name[i]);
		any = lane->slices;
	}
	if (any != NULL)
		print_axis(c, any);
	if (mixed)
		screen_say(c->screen.colour && c->screen.utf8
				? " (half a block: columns that several states "
				  "share)"
				: " (small letters: columns that several "
				  "states share)",
			2);
	if (all > rows)
		screen_say(arena_printf(c->report->arena,
				   " (%d of %d rows; choose with --rows, "
				   "--thread and --cpu)",
				   rows, all),
			2);
}

/* Returns the width of the labels' column; longest is the length of the longest
 * label. A narrow screen has no room for bars, a wide one has room for both. */
static int
label_width(const struct screen *s, int longest)
{
	int room = s->width - BAR_SIDES - 18;
	int most = s->width - BAR_SIDES - BAR_LEAST;

	if (room >= LABEL_WIDTH && longest > LABEL_WIDTH)
		return longest < most ? longest : most;
	if (room >= 16)
		return room < LABEL_WIDTH ? room : LABEL_WIDTH;
	room = s->width - BAR_SIDES;
	return room > 8 ? room : 8;
}

/* Prints a bar of whole blocks that ends with eighths of a block. */
static void
put_bar(const struct screen *s, double share, int width)
{
	static const char *const eighth[] = { "", "\xe2\x96\x8f",
		"\xe2\x96\x8e", "\xe2\x96\x8d", "\xe2\x96\x8c", "\xe2\x96\x8b",
		"\xe2\x96\x8a", "\xe2\x96\x89" };
	int eighths = (int)(share * 8 * width + 0.5);
	int full = s->utf8 ? eighths / 8 : (eighths + 4) / 8;
	int used = full;

	for (int i = 0; i < full; i++)
		printf("%s", s->utf8 ? "\xe2\x96\x88" : "#");
	if (s->utf8 && eighths % 8 != 0) {
		printf("%s", eighth[eighths % 8]);
		used++;
	}
	printf("%*s", width - used, "");
}

static void
print_bar(const struct chart *c, int i, const char *label, int width)
{
	const struct stat_line *line = &c->lines.line.at[i];
	bool nothing = line->value == VALUE_NONE;
	int sign = nothing ? -1 : line->more > 0 || i >= SIGNS ? SIGNS : i;
	double whole = (double)stat_report_whole(c->report, &c->lines);
	double share = whole <= 0 ? 0 : (double)line->time / whole;
	bool colour = c->screen.colour && sign >= 0 && sign < SIGNS;
	int room = c->screen.width - BAR_SIDES - width;
	char time[TIMES_TEXT];

	printf(" ");
	put_sign(&c->screen, sign, false);
	printf(" ");
	put_text(&c->screen, label, width);
	printf(" ");
	if (colour)
		printf("\033[%dm", colour_of(sign));
	put_bar(&c->screen, share, room > 0 ? room : 0);
	printf("%s", colour ? "\033[0m" : "");
	printf(" %5.1f %%  %12s\n", 100.0 * share,
		times_text(line->time, c->report->unit, time));
}

static void
print_bars(const struct chart *c)
{
	int n = c->lines.line.n;
	struct arena *a = c->report->arena;
	const char **label = ARENA_ARRAY(a, const char *, n);
	char text[STAT_LABEL_ROOM];
	int longest = 0, width;

	for (int i = 0; i < n; i++) {
		label[i] = arena_strdup(
			a, stat_print_label(&c->lines.line.at[i], text));
		if (columns_of(label[i]) > longest)
			longest = columns_of(label[i]);
	}
	width = label_width(&c->screen, longest);
	label = fit_texts(a, label, n, width);
	for (int i = 0; i < n; i++)
		print_bar(c, i, label[i], width);
}

static void
print_chart(struct chart *c, int rows)
{
	const struct stat_type *t = &c->report->table->types.at[c->type];
	struct arena *a = c->report->arena;
	char time[TIMES_TEXT];
	const char *title = arena_printf(a, "%s  (%s, %s)", t->title, t->key,
		times_text(c->report->table->duration, c->report->unit, time));

	screen_say(text_disarm(arena_strdup(a, title)), 2);
	c->lines = stat_report_lines(c->report, c->type, -1);
	print_timeline(c, rows);
	printf("\n");
	print_bars(c);
	stat_lines_fini(&c->lines);
}

/* Returns the position of the type that tells users most among the report's
 * types. */
static int
best_type(const struct stat_report *r)
{
	for (int n = 0, type; (type = stat_report_type(r, n)) >= 0; n++) {
		const char *dot = strchr(r->table->types.at[type].key, '.');

		if (dot != NULL && strcmp(dot, ".subsystem") == 0)
			return n;
	}
	return 0;
}

bool
chart_print(const struct stat_report *r, int asked)
{
	struct chart c = { .report = r, .screen = look_at_screen() };

	int n = r->chosen ? 0 : best_type(r), drawn = 0;

	while ((c.type = stat_report_type(r, n++)) >= 0 &&
		(r->chosen || drawn == 0)) {
		printf("%s", drawn++ > 0 ? "\n" : "");
		print_chart(&c, chart_rows(asked));
	}
	return drawn > 0;
}
