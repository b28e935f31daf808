/* SPDX-License-Identifier: MIT */
/* Tests the colours of labels in an index that an older version made. */
#include "test.h"

#include <stdio.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "export/index/format.h"
#include "index_model.h"

/* Replaces the colours of the last label in the file by those of an older
 * palette; the second type has no labels. */
static bool
paint_last_label(const char *path)
{
	FILE *file = fopen(path, "r+b");
	struct widx_header h;
	struct widx_section *s = h.section;
	uint8_t *bytes;
	bool ok;

	if (file == NULL)
		return false;
	ok = fread(&h, sizeof h, 1, file) == 1;
	while (s->kind != WIDX_LABELS)
		s++;
	bytes = mem_resize(NULL, s->length, 1);
	ok = ok && fseek(file, (long)s->offset, SEEK_SET) == 0 &&
		fread(bytes, s->length, 1, file) == 1;
	memset(bytes + s->length - 10, 0xff, 6);
	s->check = XXH3_64bits(bytes, s->length);
	h.check = XXH3_64bits(&h, sizeof h - sizeof h.check);
	ok = ok && fseek(file, (long)s->offset, SEEK_SET) == 0 &&
		fwrite(bytes, s->length, 1, file) == 1 &&
		fseek(file, 0, SEEK_SET) == 0 &&
		fwrite(&h, sizeof h, 1, file) == 1;
	mem_free(bytes);
	return fclose(file) == 0 && ok;
}

TEST(labels_have_the_colours_of_this_build)
{
	struct model m = { 0 };
	struct err err = { 0 };
	struct sink *s;
	const struct index_label *l;
	struct rgb dark, light;

	m.dir = dir_make(&m.arena);
	s = sink_index.open(
		&m.arena, m.dir, &(struct sink_setup){ .unit = "ns" }, &err);
	for (uint32_t i = 0; i < 2; i++)
		sink_type(s,
			&(struct type){ .id = i,
				.class = "thread",
				.key = i == 0 ? "a" : "b" });
	sink_label(s, 0, 1, "one", MEANS_TASK);
	sink_label(s, 0, 2, "two", MEANS_IDLE);
	sink_label(s, 0, 3, "three", MEANS_TASK);
	sink_advance(s, 9);
	CHECK(sink_close(s, &err));
	CHECK(model_open(&m));
	l = index_label(&index_meta(m.ix)->type[0], 3);
	dark = palette_meaning(MEANS_TASK, 1, GROUND_DARK);
	light = palette_meaning(MEANS_TASK, 1, GROUND_LIGHT);
	CHECK(memcmp(&l->dark, &dark, sizeof dark) == 0);
	index_close(m.ix);
	CHECK(paint_last_label(model_path(&m)));
	CHECK(model_open(&m));
	l = index_label(&index_meta(m.ix)->type[0], 3);
	CHECK(memcmp(&l->dark, &dark, sizeof dark) == 0);
	CHECK(memcmp(&l->light, &light, sizeof light) == 0);
	model_fini(&m);
}

TEST_MAIN(RUN(labels_have_the_colours_of_this_build))
