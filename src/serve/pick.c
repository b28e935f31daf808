/* SPDX-License-Identifier: MIT */
#include "serve/pick.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "serve/param.h"

struct list {
	VEC(struct tile_row) row;
};

static bool
is_of(const struct pick *which, const char *class)
{
	return which->class == NULL || strcmp(which->class, class) == 0;
}

static bool
add_row(struct arena *a, const struct pick *which, struct list *to, int64_t row,
	struct err *err)
{
	if (!is_of(which, which->meta->row[row].row.class))
		return err_set(err, ERR_INPUT,
			"rows: row %" PRId64 " is of class %.40s, not %.40s",
			row, which->meta->row[row].row.class, which->class);
	VEC_PUSH(&to->row, a, ((struct tile_row){ false, (uint32_t)row }));
	return true;
}

static bool
add_group(struct arena *a, const struct pick *which, struct list *to,
	int64_t group, struct err *err)
{
	if (!which->groups)
		return err_set(err, ERR_INPUT, "rows: takes no groups here");
	if (!is_of(which, which->meta->group[group].class))
		return err_set(err, ERR_INPUT,
			"rows: group %" PRId64 " is of class %.40s, not %.40s",
			group, which->meta->group[group].class, which->class);
	VEC_PUSH(&to->row, a, ((struct tile_row){ true, (uint32_t)group }));
	return true;
}

/* Reads "3-34" or "40" at *text, and moves *text past it. */
static bool
read_range(const char **text, int64_t *first, int64_t *last, struct err *err)
{
	if (!param_digits(text, INT32_MAX, first))
		return err_set(err, ERR_INPUT,
			"rows: r and g must be followed by a number");
	*last = *first;
	if (**text != '-')
		return true;
	++*text;
	if (param_digits(text, INT32_MAX, last) && *last >= *first)
		return true;
	return err_set(err, ERR_INPUT,
		"rows: the last row of a range must not be before its first");
}

/* Reads "r3-34", "r40" or "g2" at *text, and moves *text past it. */
static bool
read_item(struct arena *a, const struct pick *which, struct list *to,
	const char **text, struct err *err)
{
	bool group = **text == 'g';
	int64_t n = group ? which->meta->ngroups : which->meta->nrows;
	int64_t first = 0, last = 0;

	if (**text != 'r' && !group)
		return err_set(err, ERR_INPUT,
			"rows takes r3-34 and g2, with commas between them");
	++*text;
	if (!read_range(text, &first, &last, err))
		return false;
	if (last >= n)
		return err_set(err, ERR_INPUT,
			"rows: there are %" PRId64 " %s, from 0", n,
			group ? "groups" : "rows");
	if (last - first >= which->most - to->row.n)
		return err_set(err, ERR_INPUT, "rows takes at most %d rows",
			which->most);
	for (int64_t i = first; i <= last; i++)
		if (!(group ? add_group : add_row)(a, which, to, i, err))
			return false;
	return true;
}

bool
pick_rows(struct arena *a, const struct pick *which, const char *text,
	struct picked *out, struct err *err)
{
	struct list to = { 0 };

	for (uint32_t i = 0; text == NULL && i < which->meta->nrows; i++)
		if (is_of(which, which->meta->row[i].row.class) &&
			!add_row(a, which, &to, i, err))
			return false;
	while (text != NULL) {
		if (!read_item(a, which, &to, &text, err))
			return false;
		if (*text == '\0')
			break;
		if (*text++ != ',')
			return err_set(err, ERR_INPUT,
				"rows takes r3-34 and g2, with commas "
				"between them");
	}
	*out = (struct picked){ to.row.at, to.row.n };
	return true;
}
