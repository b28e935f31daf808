/* SPDX-License-Identifier: MIT */
#include "export/flame/profile_out.h"

#include "base/arena.h"

/* Numbers of fields, from profile.proto of pprof. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_TIME = 9,
	PROFILE_DURATION = 10,
	PROFILE_DEFAULT = 14,
	VALUE_TYPE = 1,
	VALUE_UNIT = 2,
	SAMPLE_LOCATION = 1,
	SAMPLE_VALUE = 2,
	SAMPLE_LABEL = 3,
	LABEL_KEY = 1,
	LABEL_TEXT = 2,
	MAPPING_ID = 1,
	MAPPING_FILE = 5,
	MAPPING_HAS_FUNCTIONS = 7,
	LOCATION_ID = 1,
	LOCATION_MAPPING = 2,
	LOCATION_LINE = 4,
	LINE_FUNCTION = 1,
	LINE_LINE = 2,
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_FILE = 4,
	FUNCTION_LINE = 5,
};

enum { THE_MAPPING = 1 };

void
profile_out_begin(struct profile_out *p, struct arena *a, struct outfile *file)
{
	*p = (struct profile_out){ .file = file, .arena = a };
	intern_init(&p->strings, a);
	intern_add(&p->strings, "");
}

/* Moves what is encoded so far to the file. */
static void
flush(struct profile_out *p)
{
	outfile_write(p->file, p->all.at, p->all.n);
	p->all.n = 0;
}

void
profile_out_type(struct profile_out *p, const char *type, const char *unit)
{
	size_t at = proto_begin(&p->all, PROFILE_SAMPLE_TYPE);

	proto_u64(&p->all, VALUE_TYPE, intern_add(&p->strings, type));
	proto_u64(&p->all, VALUE_UNIT, intern_add(&p->strings, unit));
	proto_end(&p->all, at);
	p->ntypes++;
}

uint32_t
profile_out_function(
	struct profile_out *p, const char *name, const char *file, int line)
{
	struct profile_out_function f = { intern_add(&p->strings, name),
		intern_add(&p->strings, file != NULL ? file : ""), line };
	uint64_t *number =
		map_put(&p->number_of, (uint64_t)f.name << 32 | f.file);

	if (*number == 0) {
		VEC_PUSH(&p->functions, p->arena, f);
		*number = (uint64_t)p->functions.n;
	}
	return (uint32_t)*number;
}

/* Appends numbers as one field. */
static void
put_packed(struct profile_out *p, uint32_t field, uint64_t value, bool last)
{
	char text[PROTO_VARINT_MAX];

	proto_raw(&p->part, text, (size_t)(proto_varint(text, value) - text));
	if (!last)
		return;
	proto_bytes(&p->all, field, p->part.at, p->part.n);
	p->part.n = 0;
}

void
profile_out_sample(struct profile_out *p, const struct profile_out_sample *s)
{
	size_t at = proto_begin(&p->all, PROFILE_SAMPLE), label;

	for (int i = 0; i < s->n; i++)
		put_packed(p, SAMPLE_LOCATION, s->function[i], i == s->n - 1);
	for (int i = 0; i < p->ntypes; i++)
		put_packed(p, SAMPLE_VALUE, s->value[i], i == p->ntypes - 1);
	if (s->label != NULL) {
		label = proto_begin(&p->all, SAMPLE_LABEL);
		proto_u64(&p->all, LABEL_KEY, intern_add(&p->strings, s->key));
		proto_u64(
			&p->all, LABEL_TEXT, intern_add(&p->strings, s->label));
		proto_end(&p->all, label);
	}
	proto_end(&p->all, at);
	flush(p);
}

/* Location i and function i are the same. */
static void
put_function(struct profile_out *p, int i)
{
	const struct profile_out_function *f = &p->functions.at[i];
	uint64_t id = (uint64_t)i + 1;
	size_t at = proto_begin(&p->all, PROFILE_LOCATION), line;

	proto_u64(&p->all, LOCATION_ID, id);
	proto_u64(&p->all, LOCATION_MAPPING, THE_MAPPING);
	line = proto_begin(&p->all, LOCATION_LINE);
	proto_u64(&p->all, LINE_FUNCTION, id);
	if (f->line > 0)
		proto_i64(&p->all, LINE_LINE, f->line);
	proto_end(&p->all, line);
	proto_end(&p->all, at);
	at = proto_begin(&p->all, PROFILE_FUNCTION);
	proto_u64(&p->all, FUNCTION_ID, id);
	proto_u64(&p->all, FUNCTION_NAME, f->name);
	if (f->file != 0)
		proto_u64(&p->all, FUNCTION_FILE, f->file);
	if (f->line > 0)
		proto_i64(&p->all, FUNCTION_LINE, f->line);
	proto_end(&p->all, at);
	flush(p);
}

void
profile_out_end(struct profile_out *p, const struct profile_out_about *about)
{
	size_t at;

	for (int i = 0; i < p->functions.n; i++)
		put_function(p, i);
	at = proto_begin(&p->all, PROFILE_MAPPING);
	proto_u64(&p->all, MAPPING_ID, THE_MAPPING);
	proto_u64(&p->all, MAPPING_FILE, intern_add(&p->strings, about->title));
	proto_u64(&p->all, MAPPING_HAS_FUNCTIONS, 1);
	proto_end(&p->all, at);
	if (about->start_ns > 0)
		proto_i64(&p->all, PROFILE_TIME, about->start_ns);
	if (about->duration_ns > 0)
		proto_i64(&p->all, PROFILE_DURATION, about->duration_ns);
	proto_u64(&p->all, PROFILE_DEFAULT,
		intern_add(&p->strings, about->shown));
	for (uint32_t i = 0; i < p->strings.n; i++)
		proto_text(
			&p->all, PROFILE_STRING, intern_name(&p->strings, i));
	flush(p);
	proto_fini(&p->all);
	proto_fini(&p->part);
	map_fini(&p->number_of);
}
