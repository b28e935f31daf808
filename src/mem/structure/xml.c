/* SPDX-License-Identifier: MIT */
#include "mem/structure/xml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

void
xml_read_text(struct xml *x, char *text, size_t size)
{
	*x = (struct xml){ .at = text, .end = text + size, .line = 1 };
}

static enum xml_event
fail(struct xml *x, const char *why)
{
	if (x->why == NULL)
		x->why = why;
	return XML_ERROR;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool
is_name(char c)
{
	return c != '\0' && !is_blank(c) && strchr("<>/=\"'&?!", c) == NULL;
}

static void
skip_blanks(struct xml *x)
{
	for (; x->at < x->end && is_blank(*x->at); x->at++)
		x->line += *x->at == '\n';
}

/* Moves behind the next occurrence of `mark`. */
static bool
skip_past(struct xml *x, const char *mark)
{
	size_t n = strlen(mark);
	char *found = memmem(x->at, (size_t)(x->end - x->at), mark, n);

	if (found == NULL)
		return false;
	for (; x->at < found; x->at++)
		x->line += *x->at == '\n';
	x->at += n;
	return true;
}

/* Skips a DOCTYPE with the declarations in its brackets. */
static bool
skip_doctype(struct xml *x)
{
	int brackets = 0;

	for (; x->at < x->end; x->at++) {
		x->line += *x->at == '\n';
		brackets += *x->at == '[';
		brackets -= *x->at == ']';
		if (*x->at == '>' && brackets <= 0) {
			x->at++;
			return true;
		}
	}
	return false;
}

static bool
starts(const struct xml *x, const char *text)
{
	size_t n = strlen(text);

	return (size_t)(x->end - x->at) >= n && memcmp(x->at, text, n) == 0;
}

/* Writes a character as UTF-8. Returns its length; 0: not a character. */
static size_t
encode(char *to, unsigned long c)
{
	if (c == 0 || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	if (c < 0x80) {
		to[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = (char)(0xc0 | c >> 6);
		to[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		to[0] = (char)(0xe0 | c >> 12);
		to[1] = (char)(0x80 | (c >> 6 & 0x3f));
		to[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	to[0] = (char)(0xf0 | c >> 18);
	to[1] = (char)(0x80 | (c >> 12 & 0x3f));
	to[2] = (char)(0x80 | (c >> 6 & 0x3f));
	to[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

/* Decodes the reference of n characters between & and ;. A text is never longer
 * than its reference. Returns its length; 0: unknown. */
static size_t
decode_one(char *to, const char *text, size_t n)
{
	static const struct {
		const char *name;
		char is;
	} known[] = { { "lt", '<' }, { "gt", '>' }, { "amp", '&' },
		{ "quot", '"' }, { "apos", '\'' } };
	char digits[12] = "", *end;
	unsigned long c;

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (strlen(known[i].name) == n &&
			memcmp(known[i].name, text, n) == 0) {
			*to = known[i].is;
			return 1;
		}
	if (n < 2 || n > sizeof digits || text[0] != '#')
		return 0;
	memcpy(digits, text + 1, n - 1);
	c = digits[0] == 'x' ? strtoul(digits + 1, &end, 16)
			     : strtoul(digits, &end, 10);
	return *end == '\0' ? encode(to, c) : 0;
}

/* Decodes the references of a value in place and ends it with a NUL. */
static bool
decode(char *value, char *end)
{
	char *to = value;

	for (char *at = value; at < end;) {
		char text[4];
		char *semicolon;
		size_t n;

		if (*at != '&') {
			*to++ = *at++;
			continue;
		}
		semicolon = memchr(at, ';', (size_t)(end - at));
		n = semicolon == NULL ? 0
				      : decode_one(text, at + 1,
						(size_t)(semicolon - at - 1));
		if (n == 0)
			return false;
		memcpy(to, text, n);
		to += n;
		at = semicolon + 1;
	}
	*to = '\0';
	return true;
}

static char *
read_name(struct xml *x)
{
	char *name = x->at;

	while (x->at < x->end && is_name(*x->at))
		x->at++;
	return x->at == name ? NULL : name;
}

/* Reads name="value". */
static bool
read_attribute(struct xml *x)
{
	char *name = read_name(x), *name_end = x->at, *value, *end;
	char quote;

	skip_blanks(x);
	if (name == NULL || x->at == x->end || *x->at != '=')
		return false;
	x->at++;
	skip_blanks(x);
	if (x->at == x->end || (*x->at != '"' && *x->at != '\''))
		return false;
	quote = *x->at++;
	value = x->at;
	end = memchr(value, quote, (size_t)(x->end - value));
	if (end == NULL)
		return false;
	for (; x->at < end; x->at++)
		x->line += *x->at == '\n';
	x->at++;
	*name_end = '\0';
	if (!decode(value, end))
		return false;
	if (x->n < XML_ATTRIBUTES)
		x->attribute[x->n++] = (struct xml_attribute){ name, value };
	return true;
}

/* Reads the attributes up to the end of the tag, `>` or `/>`. */
static bool
read_attributes(struct xml *x)
{
	for (;;) {
		char *before = x->at;

		skip_blanks(x);
		if (x->at == x->end)
			return false;
		if (*x->at == '>') {
			x->at++;
			return true;
		}
		if (*x->at == '/') {
			x->at++;
			x->is_empty = true;
			return x->at < x->end && *x->at++ == '>';
		}
		if (before == x->at || !read_attribute(x))
			return false;
	}
}

static enum xml_event
read_begin(struct xml *x)
{
	char *name = read_name(x), *end = x->at;
	bool is_read;

	if (name == NULL)
		return fail(x, "an element has no name");
	x->n = 0;
	is_read = read_attributes(x);
	*end = '\0'; /* only now: its delimiter may have been the tag's end */
	x->name = name;
	if (!is_read)
		return fail(
			x, "an attribute is not of the form name=\"value\"");
	if (x->depth == XML_DEPTH)
		return fail(x, "elements are nested too deeply");
	x->open[x->depth++] = name;
	return XML_BEGIN;
}

static enum xml_event
read_end(struct xml *x)
{
	char *name = read_name(x), *end = x->at;

	skip_blanks(x);
	if (name == NULL || x->at == x->end || *x->at != '>')
		return fail(x, "an end tag is damaged");
	x->at++;
	*end = '\0';
	if (x->depth == 0 || strcmp(x->open[x->depth - 1], name) != 0)
		return fail(x, "an end tag does not match its element");
	x->depth--;
	x->name = name;
	return XML_END;
}

/* Skips a comment, an instruction, CDATA or a DOCTYPE at `<`. Returns 1: done,
 * 0: none is here, -1: it has no end. */
static int
skip_other(struct xml *x)
{
	if (starts(x, "<!--"))
		return skip_past(x, "-->") ? 1 : -1;
	if (starts(x, "<![CDATA["))
		return skip_past(x, "]]>") ? 1 : -1;
	if (starts(x, "<?"))
		return skip_past(x, "?>") ? 1 : -1;
	if (starts(x, "<!"))
		return skip_doctype(x) ? 1 : -1;
	return 0;
}

enum xml_event
xml_next(struct xml *x)
{
	int skipped = 1;

	if (x->why != NULL)
		return XML_ERROR;
	if (x->is_empty) {
		x->is_empty = false;
		x->name = x->open[--x->depth];
		return XML_END;
	}
	while (skipped > 0) {
		for (; x->at < x->end && *x->at != '<'; x->at++)
			x->line += *x->at == '\n';
		if (x->at == x->end && x->depth > 0)
			return fail(x, "the file ends within an element");
		if (x->at == x->end)
			return XML_EOF;
		skipped = skip_other(x);
	}
	if (skipped < 0)
		return fail(x, "the file ends within a comment or declaration");
	x->at++;
	if (x->at < x->end && *x->at == '/') {
		x->at++;
		return read_end(x);
	}
	return read_begin(x);
}

const char *
xml_value(const struct xml *x, const char *name)
{
	for (int i = 0; i < x->n; i++)
		if (strcmp(x->attribute[i].name, name) == 0)
			return x->attribute[i].value;
	return NULL;
}

void
xml_write_flush(struct xml_writer *w)
{
	if (w->n > 0)
		w->put(w->arg, w->buffer, w->n);
	w->n = 0;
}

static void
put(struct xml_writer *w, const char *text, size_t n)
{
	if (n > sizeof w->buffer - w->n)
		xml_write_flush(w);
	if (n > sizeof w->buffer) {
		w->put(w->arg, text, n);
		return;
	}
	memcpy(w->buffer + w->n, text, n);
	w->n += n;
}

void
xml_write_bare(struct xml_writer *w, const char *text)
{
	put(w, text, strlen(text));
}

static void
close_tag(struct xml_writer *w)
{
	if (w->is_open)
		put(w, ">\n", 2);
	w->is_open = false;
}

static void
indent(struct xml_writer *w)
{
	for (int i = 0; i < w->depth; i++)
		put(w, " ", 1);
}

void
xml_write_begin(struct xml_writer *w, const char *name)
{
	close_tag(w);
	indent(w);
	put(w, "<", 1);
	xml_write_bare(w, name);
	w->is_open = true;
	w->depth++;
}

void
xml_write_end(struct xml_writer *w, const char *name)
{
	w->depth--;
	if (w->is_open) {
		put(w, "/>\n", 3);
		w->is_open = false;
		return;
	}
	indent(w);
	put(w, "</", 2);
	xml_write_bare(w, name);
	put(w, ">\n", 2);
}

/* Returns the reference for a character that a value cannot hold as it is, or
 * NULL. */
static const char *
reference(char c)
{
	switch (c) {
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '&':
		return "&amp;";
	case '"':
		return "&quot;";
	case '\n':
		return "&#10;";
	case '\t':
		return "&#9;";
	default:
		return (unsigned char)c < ' ' ? "?" : NULL;
	}
}

void
xml_write_text(struct xml_writer *w, const char *name, const char *value)
{
	size_t left = strlen(value);

	put(w, " ", 1);
	xml_write_bare(w, name);
	put(w, "=\"", 2);
	while (left > 0) {
		size_t n = utf8_length(value, left);
		const char *instead = n == 0 ? "?" : reference(*value);

		if (n == 0)
			n = 1;
		if (instead != NULL)
			xml_write_bare(w, instead);
		else
			put(w, value, n);
		value += n;
		left -= n;
	}
	put(w, "\"", 1);
}

void
xml_write_number(struct xml_writer *w, const char *name, long long value)
{
	char text[64];

	snprintf(text, sizeof text, " %s=\"%lld\"", name, value);
	xml_write_bare(w, text);
}
