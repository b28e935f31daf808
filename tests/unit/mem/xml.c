/* SPDX-License-Identifier: MIT */
#include "mem/structure/xml.h"

#include <stdlib.h>

#include "test.h"

enum { ROOM = 4096, ROUNDS = 500, VALUE = 12 };

struct text {
	char data[ROOM];
	size_t n;
};

static void
put(void *arg, const void *data, size_t n)
{
	struct text *t = arg;

	memcpy(t->data + t->n, data, n);
	t->n += n;
	t->data[t->n] = '\0';
}

static void
any_value(char *value)
{
	static const char some[] = "ab<>&\"'\n\t =/";
	int n = rand() % VALUE;

	for (int i = 0; i < n; i++)
		value[i] = some[rand() % (int)(sizeof some - 1)];
	value[n] = '\0';
}

static void
write_one(struct text *t, const char *a, const char *b, int number)
{
	static struct xml_writer w;

	w = (struct xml_writer){ .put = put, .arg = t };
	t->n = 0;
	xml_write_begin(&w, "LM");
	xml_write_text(&w, "n", a);
	xml_write_begin(&w, "V");
	xml_write_text(&w, "t", b);
	xml_write_number(&w, "l", number);
	xml_write_end(&w, "V");
	xml_write_end(&w, "LM");
	xml_write_flush(&w);
}

TEST(reads_what_it_writes)
{
	struct text t;
	char a[VALUE + 1], b[VALUE + 1];
	struct xml x;

	for (int round = 0; round < TEST_ROUNDS(ROUNDS); round++) {
		any_value(a);
		any_value(b);
		write_one(&t, a, b, round);
		xml_read_text(&x, t.data, t.n);
		CHECK_INT(xml_next(&x), XML_BEGIN);
		CHECK_STR(x.name, "LM");
		CHECK_STR(xml_value(&x, "n"), a);
		CHECK_INT(xml_next(&x), XML_BEGIN);
		CHECK_STR(xml_value(&x, "t"), b);
		CHECK_INT(atoi(xml_value(&x, "l")), round);
		CHECK(xml_value(&x, "n") == NULL);
		CHECK_INT(xml_next(&x), XML_END);
		CHECK_INT(xml_next(&x), XML_END);
		CHECK_INT(xml_next(&x), XML_EOF);
		CHECK_INT(xml_next(&x), XML_EOF);
	}
}

/* Texts, and the reason for which they are refused; NULL: they are read. */
static const struct {
	const char *text, *why;
} files[] = {
	{ "", NULL },
	{ "<a/>", NULL },
	{ "<!DOCTYPE a [ <!ELEMENT a EMPTY> ]><a b='&#65;&#x42;'/>", NULL },
	{ "<?xml version='1.0'?><!-- <b> --><a>text<![CDATA[<]]></a>", NULL },
	{ "<a", "an attribute" },
	{ "<a b", "an attribute" },
	{ "<a b=c/>", "an attribute" },
	{ "<a b='&unknown;'/>", "an attribute" },
	{ "<a b='&#0;'/>", "an attribute" },
	{ "<a b='&#xd800;'/>", "an attribute" },
	{ "<a><b></a>", "does not match" },
	{ "</a>", "does not match" },
	{ "<a>", "ends within an element" },
	{ "<!-- ", "ends within a comment" },
	{ "< a/>", "no name" },
};

TEST(names_what_is_wrong)
{
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		char text[80];
		enum xml_event event;
		struct xml x;

		snprintf(text, sizeof text, "%s", files[i].text);
		xml_read_text(&x, text, strlen(text));
		do
			event = xml_next(&x);
		while (event > XML_EOF);
		CHECK_INT(event, files[i].why == NULL ? XML_EOF : XML_ERROR);
		if (files[i].why != NULL && strstr(x.why, files[i].why) == NULL)
			CHECK_STR(x.why, files[i].why);
	}
}

TEST_MAIN(RUN(reads_what_it_writes), RUN(names_what_is_wrong))
