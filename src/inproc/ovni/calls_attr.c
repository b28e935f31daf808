/* SPDX-License-Identifier: MIT */
/* ovni_*: attributes, and the types and labels of marks. */
#include <json.h>
#include <stdlib.h>
#include <string.h>

#include "inproc/core/confined.h"
#include "inproc/ovni/api.h"
#include "inproc/ovni/attr.h"
#include "inproc/ovni/life.h"
#include "inproc/ovni/mark.h"
#include "ovni.h"

static struct thread *
need(const char *where)
{
	struct thread *th = weft_rt_thread();

	if (!th)
		weft_rt_die(where, "thread is not ready");
	return th;
}

/* Returns all metadata of the thread as a tree. */
static struct json_object *
all_of(struct thread *th)
{
	const struct meta_of of = weft_rt_thread_meta(th);
	struct text text = weft_rt_meta_text(&th->meta, &of, false);
	struct json_object *all = text.failed
		? NULL
		: weft_rt_attr_merge(NULL, th->meta.attr, text.at);

	weft_rt_text_free(&text);
	return all;
}

/* Returns a new reference to the value of a key. */
static struct json_object *
find(const char *where, const char *key)
{
	struct json_object *all, *at;

	if (weft_rt_is_confined())
		return NULL;
	all = all_of(need(where));
	at = json_object_get(weft_rt_attr_get(all, key));
	weft_rt_attr_free(all);
	return at;
}

/* Returns NULL in a thread that has entered seccomp. */
static struct json_object *
get(const char *where, const char *key, enum json_type type)
{
	struct json_object *at = find(where, key);

	if (!at && weft_rt_is_confined())
		return NULL;
	if (!at)
		weft_rt_die(where, "key not found: %s", key);
	if (type != json_type_null && !json_object_is_type(at, type) &&
		!(type == json_type_double &&
			json_object_is_type(at, json_type_int)))
		weft_rt_die(where, "key %s is not a %s", key,
			json_type_to_name(type));
	return at;
}

struct setting {
	struct thread *thread;
	const char *where, *key;
	struct json_object *value; /* NULL: ownership passed on */
};

static void
set_value(void *arg)
{
	struct setting *s = arg;

	if (!weft_rt_attr_set(&s->thread->meta.attr, s->key, s->value))
		weft_rt_die(s->where, "cannot set %s", s->key);
	s->value = NULL;
}

/* Sets a value under the process's lock: the exit may write the same tree. */
static void
set(const char *where, const char *key, struct json_object *value)
{
	struct setting s = { .where = where, .key = key, .value = value };

	if (!weft_rt_is_confined()) {
		s.thread = need(where);
		weft_rt_life_change(s.thread, set_value, &s);
	}
	json_object_put(s.value);
}

int
ovni_attr_has(const char *key)
{
	struct json_object *at = find(__func__, key);

	json_object_put(at);
	return at != NULL;
}

void
ovni_attr_set_double(const char *key, double num)
{
	set(__func__, key, json_object_new_double(num));
}

void
ovni_attr_set_boolean(const char *key, int is_true)
{
	set(__func__, key, json_object_new_boolean(is_true));
}

void
ovni_attr_set_str(const char *key, const char *str)
{
	set(__func__, key, json_object_new_string(str));
}

void
ovni_attr_set_json(const char *key, const char *json)
{
	struct json_object *value = weft_rt_attr_parse(json);

	if (!value)
		weft_rt_die(
			__func__, "cannot parse the json of %s: %s", key, json);
	set(__func__, key, value);
}

double
ovni_attr_get_double(const char *key)
{
	struct json_object *at = get(__func__, key, json_type_double);
	double value = json_object_get_double(at);

	json_object_put(at);
	return value;
}

int
ovni_attr_get_boolean(const char *key)
{
	struct json_object *at = get(__func__, key, json_type_boolean);
	int value = json_object_get_boolean(at);

	json_object_put(at);
	return value;
}

const char *
ovni_attr_get_str(const char *key)
{
	static __thread struct json_object *last;

	if (last)
		json_object_put(last);
	last = get(__func__, key, json_type_string);
	return last ? json_object_get_string(last) : "";
}

char *
ovni_attr_get_json(const char *key)
{
	struct json_object *at = get(__func__, key, json_type_null);
	char *text = strdup(
		json_object_to_json_string_ext(at, JSON_C_TO_STRING_PLAIN));

	json_object_put(at);
	return text;
}

void
ovni_attr_flush(void)
{
	if (weft_rt_is_confined())
		return;
	weft_rt_life_change(need(__func__), NULL, NULL);
}

/* The argument of weft_rt_life_change(), which keeps handlers from adding a
 * mark meanwhile. */
struct mark {
	struct thread *thread;
	int32_t type;
	bool is_stack;
	const char *text;
	int64_t value;
	struct meta_mark *mark;
	bool is_new;
};

static void
add_type(void *arg)
{
	const struct mark *m = arg;

	weft_rt_mark_add(&m->thread->meta, m->type, m->is_stack, m->text);
}

static void
add_label(void *arg)
{
	struct mark *m = arg;

	m->is_new = weft_rt_mark_label(
		&m->thread->meta, m->mark, m->value, m->text);
}

void
ovni_mark_type(int32_t type, long flags, const char *title)
{
	struct mark m = {
		.type = type, .is_stack = flags & OVNI_MARK_STACK, .text = title
	};
	struct thread *th;

	if (weft_rt_is_confined())
		return;
	th = need(__func__);
	if (type < 0 || type > 99)
		weft_rt_die(__func__, "type %d is not in the range 0 to 99",
			(int)type);
	if (!title || title[0] == '\0')
		weft_rt_die(
			__func__, "the title of type %d is empty", (int)type);
	if (weft_rt_meta_mark(&th->meta, type))
		weft_rt_die(__func__, "type %d already defined", (int)type);
	m.thread = th;
	weft_rt_life_change(th, add_type, &m);
}

void
ovni_mark_label(int32_t type, int64_t value, const char *label)
{
	struct mark m = {
		.type = type, .value = value, .text = label, .is_new = true
	};

	if (weft_rt_is_confined())
		return;
	m.thread = need(__func__);
	if (type < 0 || type > 99)
		weft_rt_die(__func__, "type %d is not in the range 0 to 99",
			(int)type);
	if (value <= 0)
		weft_rt_die(
			__func__, "value %lld is not > 0", (long long)value);
	m.mark = weft_rt_meta_mark(&m.thread->meta, type);
	if (!m.mark && weft_rt_proc_is_closing())
		return;
	if (!m.mark)
		weft_rt_die(__func__, "type %d is not defined", (int)type);
	weft_rt_life_change(m.thread, add_label, &m);
	if (!m.is_new)
		weft_rt_die(__func__, "value %lld of type %d has a label",
			(long long)value, (int)type);
}
