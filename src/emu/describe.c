/* SPDX-License-Identifier: MIT */
#include "emu/describe.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/digits.h"
#include "base/vec.h"

/* Characters of a conversion. */
#define FLAGS "#0+- "
#define DIGITS "0123456789"
#define LENGTHS "hljzt" /* ignored: the argument has a type */
#define NUMBERS "diuxXo"

/* The parser of a sentence: "text %name %{name} %#x{name} %%". */
struct template
{
	const char *at;
	const char *wrong; /* what is wrong at `at`, or NULL */
	int nnames;
	const char *name[SIGNATURE_MAX_ARGS];
};

static void
wrong(struct template *t, const char *what)
{
	if (t->wrong == NULL)
		t->wrong = what;
}

/* Returns the index of the argument of that name, or -1. */
static int
find_name(const struct template *t, size_t length)
{
	for (int i = 0; i < t->nnames; i++)
		if (strlen(t->name[i]) == length &&
			memcmp(t->name[i], t->at, length) == 0)
			return i;
	return -1;
}

static void
take_name(struct template *t, struct describe_part *p)
{
	size_t n = 0;

	while (isalnum((unsigned char)t->at[n]) || t->at[n] == '_')
		n++;
	p->arg = find_name(t, n);
	if (p->arg < 0)
		wrong(t, "no such argument");
	else
		t->at += n;
}

/* Parses a conversion: "#llx" becomes the conversion 'x' and the format
 * "%#llx". */
static void
take_conversion(struct template *t, struct describe_part *p, size_t n)
{
	const char *at = t->at;
	size_t flags = strspn(at, FLAGS);
	size_t width = strspn(at + flags, DIGITS);
	size_t kept = flags + width;

	if (n == 0)
		return;
	t->at += kept + strspn(at + kept, LENGTHS);
	p->conversion = *t->at;
	if (t->at + 1 != at + n || strchr(NUMBERS "s", *t->at) == NULL ||
		flags > 4 || width > 2 || (*t->at == 's' && n > 1)) {
		wrong(t, "no such conversion");
		return;
	}
	snprintf(p->format, sizeof p->format, "%%%.*sll%c", (int)kept, at,
		p->conversion);
	t->at++;
}

/* Parses the part that follows a '%'. */
static void
take_arg(struct template *t, struct describe_part *p)
{
	size_t n = strspn(t->at, FLAGS DIGITS LENGTHS NUMBERS "s");
	bool braces = t->at[n] == '{';

	if (braces) {
		take_conversion(t, p, n);
		if (t->wrong != NULL)
			return;
		t->at++;
	}
	take_name(t, p);
	if (!braces || t->wrong != NULL)
		return;
	if (*t->at != '}')
		wrong(t, "expected '}'");
	else
		t->at++;
}

/* Parses the next part. Returns false at the end, or on an error. */
static bool
take_part(struct template *t, struct describe_part *p)
{
	*p = (struct describe_part){ .text = t->at, .arg = -1 };
	if (*t->at == '\0' || t->wrong != NULL)
		return false;
	p->length = strcspn(t->at, "%");
	t->at += p->length;
	if (*t->at == '\0')
		return true;
	t->at++;
	if (*t->at == '%') {
		p->length++;
		t->at++;
	} else {
		take_arg(t, p);
	}
	return t->wrong == NULL;
}

static bool
fits(const struct describe_part *p, const struct signature *sig)
{
	if (p->arg < 0 || p->conversion == 0)
		return true;
	if (sig->arg[p->arg].type == FIELD_F64)
		return false;
	return (sig->arg[p->arg].type == FIELD_STR) == (p->conversion == 's');
}

bool
describe_check(const char *says, const char *signature, struct err *err)
{
	struct template t = { .at = says };
	struct describe_part part;
	struct signature sig;

	if (!signature_parse(&sig, signature, err))
		return false;
	for (int i = 0; i < sig.nargs; i++)
		t.name[t.nnames++] = sig.arg[i].name;
	while (take_part(&t, &part))
		if (!fits(&part, &sig))
			wrong(&t, "a conversion of another type");
	if (t.wrong == NULL)
		return true;
	return err_set(err, ERR_INPUT, "\"%s\": column %td: %s", says,
		t.at - says + 1, t.wrong);
}

/* Returns the last binding of an event that has a sentence. */
static const struct binding *
with_words(const struct binding *b)
{
	const struct binding *found = b;

	for (; b != NULL; b = b->next)
		if (b->says != NULL && b->says[0] != '\0')
			found = b;
	return found;
}

static const struct binding *
find_binding(struct arena *a, const struct event_class *class,
	const struct model *const *m)
{
	for (; *m != NULL; m++) {
		const struct binding *b =
			bind_class(a, class, m, &(int){ 0 }, 1, false);

		if (b->action != ACTION_UNKNOWN)
			return with_words(b);
	}
	return ARENA_NEW(a, struct binding);
}

/* Takes the sentence of a binding apart. */
static const struct description *
describe_as(struct arena *a, const struct event_class *class,
	const struct binding *b, const char *says)
{
	struct description *d = ARENA_NEW(a, struct description);
	struct template t = { .at = says };
	VEC(struct describe_part) parts = { 0 };
	struct describe_part part;

	d->binding = b;
	d->nfields = class->nfields;
	d->field = class->field;
	if (b->says == NULL)
		return d;
	while (t.nnames < SIGNATURE_MAX_ARGS && b->arg[t.nnames].name != NULL) {
		t.name[t.nnames] = b->arg[t.nnames].name;
		t.nnames++;
	}
	while (take_part(&t, &part))
		VEC_PUSH(&parts, a, part);
	/* Rows are checked when they are made. In a sentence with an error, the
	 * text is used unchanged. */
	if (t.wrong != NULL) {
		parts.n = 0;
		VEC_PUSH(&parts, a,
			((struct describe_part){ .text = says,
				.length = strlen(says),
				.arg = -1 }));
	}
	d->part = parts.at;
	d->nparts = parts.n;
	return d;
}

const struct description *
describe_class(struct arena *a, const struct event_class *class,
	const struct model *const *m)
{
	const struct binding *b = find_binding(a, class, m);

	return describe_as(a, class, b, b->says);
}

/* Sentences of a user's model rows stay as the user wrote them. */
const struct description *
describe_plainly(struct arena *a, const struct event_class *class,
	const struct model *const *m)
{
	const struct binding *b = find_binding(a, class, m);
	const char *says = b->says;
	char plain[256];

	if (says != NULL && b->model != NULL && b->action != ACTION_ROW)
		says = arena_strdup(a,
			model_plain(b->model, class->name, says, plain,
				(int)sizeof plain));
	return describe_as(a, class, b, says);
}

/* A buffer that may be too small; length counts all characters. */
struct cursor {
	char *to;
	size_t room, length;
};

static inline void
put(struct cursor *c, const char *text, size_t n)
{
	if (c->length < c->room) {
		size_t left = c->room - c->length;

		memcpy(c->to + c->length, text, n < left ? n : left);
	}
	c->length += n;
}

static int64_t
finish(struct cursor *c)
{
	c->to[c->length < c->room ? c->length : c->room - 1] = '\0';
	return (int64_t)c->length;
}

/* Returns only the bits that the type has, so that %x prints a negative number
 * as its type does. */
static uint64_t
bits_of(int64_t value, const struct arg *arg)
{
	uint32_t bits = 8 * signature_type_size((enum field_type)arg->type);

	return (uint64_t)value & (UINT64_MAX >> (64 - bits));
}

static void
put_number(struct cursor *c, const struct describe_part *p,
	const struct arg *arg, int64_t value)
{
	char text[128]; /* widths have at most two digits */
	char *end;
	int n;

	if (p->conversion == 0) {
		end = arg->type == FIELD_U64 ? digits_u64(text, (uint64_t)value)
					     : digits_i64(text, value);
		n = (int)(end - text);
	} else if (p->conversion == 'd' || p->conversion == 'i') {
		n = snprintf(text, sizeof text, p->format, (long long)value);
	} else {
		n = snprintf(text, sizeof text, p->format,
			(unsigned long long)bits_of(value, arg));
	}
	put(c, text, (size_t)n);
}

static double
load_double(const struct arg *arg, const struct event *ev)
{
	double value;

	if (ev->value != NULL)
		return ev->value[arg->at].f;
	memcpy(&value, ev->data + arg->at, sizeof value);
	return value;
}

/* Writes the argument. Returns false if the payload does not contain it. */
static bool
put_arg(struct cursor *c, const struct binding *b,
	const struct describe_part *p, const struct event *ev)
{
	const struct arg *arg = &b->arg[p->arg];
	char text[32];
	const char *s;

	if (!bind_has(b, ev, p->arg))
		return false;
	if (arg->type == FIELD_STR) {
		s = bind_str(b, ev, p->arg);
		if (s == NULL)
			return false;
		put(c, s, strlen(s));
	} else if (arg->type == FIELD_F64) {
		put(c, text,
			(size_t)snprintf(
				text, sizeof text, "%g", load_double(arg, ev)));
	} else {
		put_number(c, p, arg, bind_i64(b, ev, p->arg));
	}
	return true;
}

int64_t
describe_event(const struct description *d, const struct event *ev, char *to,
	size_t room)
{
	const struct binding *b = d->binding;
	struct cursor c = { to, room, 0 };

	if (b->says == NULL || b->trouble != NULL)
		return -1;
	for (int i = 0; i < d->nparts; i++) {
		const struct describe_part *p = &d->part[i];

		put(&c, p->text, p->length);
		if (p->arg >= 0 && !put_arg(&c, b, p, ev))
			return -1;
	}
	return finish(&c);
}

const char *
describe_why(const struct description *d)
{
	if (d->binding->says == NULL)
		return DESCRIBE_UNKNOWN;
	if (d->binding->trouble != NULL)
		return d->binding->trouble;
	return "missing payload: it lacks an argument, or the end of a string";
}

int64_t
describe_says(const struct description *d, char *to, size_t room)
{
	struct cursor c = { to, room, 0 };

	for (int i = 0; i < d->nparts; i++) {
		const struct describe_part *p = &d->part[i];
		const char *name;

		put(&c, p->text, p->length);
		if (p->arg < 0)
			continue;
		name = d->binding->arg[p->arg].name;
		put(&c, "<", 1);
		put(&c, name, strlen(name));
		put(&c, ">", 1);
	}
	return finish(&c);
}

int64_t
describe_named(const char *says, const char *signature, const char *before,
	const char *after, char *to, size_t room)
{
	struct template t = { .at = says };
	struct cursor c = { to, room, 0 };
	struct describe_part part;
	struct signature sig;
	struct err err = { 0 };

	if (!signature_parse(&sig, signature, &err))
		sig.nargs = 0;
	for (int i = 0; i < sig.nargs; i++)
		t.name[t.nnames++] = sig.arg[i].name;
	while (take_part(&t, &part)) {
		put(&c, part.text, part.length);
		if (part.arg < 0)
			continue;
		put(&c, before, strlen(before));
		put(&c, t.name[part.arg], strlen(t.name[part.arg]));
		put(&c, after, strlen(after));
	}
	if (t.wrong != NULL) {
		c.length = 0;
		put(&c, says, strlen(says));
	}
	return finish(&c);
}

static bool
get_field(const struct description *d, const struct event *ev, int i,
	struct describe_arg *to)
{
	if (i >= d->nfields || ev->value == NULL)
		return false;
	to->name = d->field[i].name;
	to->type = d->field[i].type;
	to->value = ev->value[i];
	return true;
}

bool
describe_get(const struct description *d, const struct event *ev, int i,
	struct describe_arg *to)
{
	const struct binding *b = d->binding;
	const struct arg *arg;

	if (b->nargs == 0 || b->trouble != NULL)
		return get_field(d, ev, i, to);
	if (!bind_has(b, ev, i))
		return false;
	arg = &b->arg[i];
	to->name = arg->name;
	to->type = (enum field_type)arg->type;
	if (to->type == FIELD_STR)
		to->value.s = bind_str(b, ev, i);
	else if (to->type == FIELD_F64)
		to->value.f = load_double(arg, ev);
	else
		to->value.i = bind_i64(b, ev, i);
	return true;
}
