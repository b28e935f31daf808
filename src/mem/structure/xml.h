/* SPDX-License-Identifier: MIT */
/*
 * xml.h - reads and writes XML: elements and attributes. Text between elements
 * carries no information in the files of this project and is skipped.
 *
 *	xml_read_text(&x, text, size);            text is changed in place
 *	while ((event = xml_next(&x)) > XML_EOF)
 *		if (event == XML_BEGIN && strcmp(x.name, "V") == 0)
 *			use(xml_value(&x, "n"));
 *	if (event == XML_ERROR)
 *		complain(x.line, x.why);
 *
 * The reader takes elements, attributes, the five named entities, character
 * references, comments, processing instructions, CDATA and a DOCTYPE, whose
 * declarations it skips: a file cannot define entities of its own.
 */
#ifndef WEFT_MEM_STRUCTURE_XML_H
#define WEFT_MEM_STRUCTURE_XML_H

#include <stdbool.h>
#include <stddef.h>

#define XML_ATTRIBUTES 16 /* attributes of an element; the rest is ignored */
#define XML_DEPTH 200     /* nested elements */

enum xml_event { XML_ERROR, XML_EOF, XML_BEGIN, XML_END };

struct xml_attribute {
	const char *name, *value; /* live as long as the text */
};

struct xml {
	char *at, *end;
	int line;         /* line of `at`, from 1 */
	const char *name; /* name of the element that begins or ends */
	struct xml_attribute attribute[XML_ATTRIBUTES];
	int n;           /* attributes */
	bool is_empty;   /* <name/>: the next event is its end */
	const char *why; /* reason of XML_ERROR */
	const char *open[XML_DEPTH];
	int depth;
};

/* Begins to read `size` bytes, which the reader modifies. text[size] must be a
 * NUL. */
void xml_read_text(struct xml *x, char *text, size_t size);

/* Returns the next event. After XML_ERROR or XML_EOF returns the same again. */
enum xml_event xml_next(struct xml *x);

/* Returns the value of an attribute of the element that begins, or NULL. */
const char *xml_value(const struct xml *x, const char *name);

/* A writer: elements with their attributes, indented by one blank a level. */
struct xml_writer {
	void (*put)(void *arg, const void *data, size_t n);
	void *arg;
	int depth;
	bool is_open; /* the current tag can still take attributes */
	size_t n;
	char buffer[1 << 16];
};

void xml_write_begin(struct xml_writer *w, const char *name);
void xml_write_end(struct xml_writer *w, const char *name);

/* Adds an attribute to the element that was begun last. Bytes that XML cannot
 * hold become '?'. */
void xml_write_text(struct xml_writer *w, const char *name, const char *value);
void xml_write_number(struct xml_writer *w, const char *name, long long value);

/* Adds text without escaping it: part of a value, or a whole line. */
void xml_write_bare(struct xml_writer *w, const char *text);

/* Passes on what the buffer holds. */
void xml_write_flush(struct xml_writer *w);

#endif
