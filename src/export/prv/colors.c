/* SPDX-License-Identifier: MIT */
#include "export/prv/colors.h"

#include "base/arena.h"

/* Colours of the views that come with ovni. */
static const struct prv_color state[] = {
	{ 1, { 0, 100, 0 } },
	{ 2, { 110, 110, 110 } },
	{ 3, { 136, 0, 0 } },
	{ 4, { 204, 178, 0 } },
};

static const struct prv_color subsystem[] = {
	{ 1, { 0, 70, 0 } },
	{ 3, { 99, 131, 0 } },
	{ 4, { 53, 121, 221 } },
	{ 5, { 223, 108, 0 } },
	{ 6, { 75, 127, 82 } },
	{ 7, { 242, 110, 162 } },
	{ 8, { 255, 190, 0 } },
	{ 9, { 153, 114, 0 } },
	{ 10, { 156, 12, 231 } },
	{ 11, { 177, 25, 229 } },
	{ 12, { 255, 72, 50 } },
	{ 15, { 0, 171, 255 } },
	{ 16, { 124, 213, 228 } },
	{ 17, { 242, 239, 141 } },
	{ 18, { 80, 80, 80 } },
	{ 19, { 94, 0, 0 } },
	{ 20, { 128, 165, 214 } },
	{ 22, { 222, 101, 128 } },
	{ 23, { 110, 148, 255 } },
};

static const struct prv_color idle[] = {
	{ 100, { 0, 100, 0 } },
	{ 101, { 100, 100, 177 } },
	{ 102, { 150, 150, 0 } },
};

#define ENTRIES(a) a, (int)(sizeof(a) / sizeof(a)[0])

/* The original colours, by the number of the type. */
static const struct original {
	int64_t number;
	const struct prv_color *at;
	int n;
} originals[] = {
	{ 4, ENTRIES(state) },
	{ 37, ENTRIES(subsystem) },
	{ 40, ENTRIES(idle) },
	{ 41, ENTRIES(subsystem) },
	{ 41, ENTRIES(idle) },
};

static void
add(struct prv_colors *to, struct arena *a, int64_t value, struct rgb rgb)
{
	uint64_t *known = map_put(&to->known, (uint64_t)value);

	if (*known == 0 && value != 0 && to->at.n < PRV_COLORS_MAX)
		VEC_PUSH(&to->at, a, ((struct prv_color){ value, rgb }));
	*known = 1;
}

void
prv_colors_fini(struct prv_colors *c)
{
	map_fini(&c->known);
}

static void
add_original(struct prv_colors *to, const struct prv_names *n, int64_t number)
{
	for (size_t i = 0; i < sizeof originals / sizeof *originals; i++)
		for (int j = 0;
			originals[i].number == number && j < originals[i].n;
			j++)
			add(to, n->arena, originals[i].at[j].value,
				originals[i].at[j].rgb);
}

bool
prv_type_is_labelled(const struct prv_type *t)
{
	for (int i = 0; i < t->label.n; i++)
		if (!palette_is_fault(t->label.at[i].means))
			return true;
	return false;
}

void
prv_colors_add(struct prv_colors *to, const struct prv_names *n,
	const struct prv_type *t)
{
	struct palette colors = { 0 };

	if (n->original) {
		add_original(to, n, t->number);
		return;
	}
	for (int i = 0; i < t->label.n; i++)
		palette_look(
			&colors, t->label.at[i].means, t->label.at[i].value);
	for (int i = 0; i < t->label.n; i++) {
		const struct prv_label *l = &t->label.at[i];
		struct palette_color c =
			palette_next(&colors, l->means, l->value);

		add(to, n->arena, l->value, c.on[GROUND_DARK]);
	}
}
