/* SPDX-License-Identifier: MIT */
#include "emu/label_id.h"

#include "test.h"

/*
 * The hash as its author describes it: three words; each 12 bytes of the key
 * are added to them, low byte first, and mixed; the rest of the key leaves
 * the low byte of c to the length.
 */
struct words {
	uint32_t a, b, c;
};

static void
mix(struct words *w)
{
	w->a = (w->a - w->b - w->c) ^ (w->c >> 13);
	w->b = (w->b - w->c - w->a) ^ (w->a << 8);
	w->c = (w->c - w->a - w->b) ^ (w->b >> 13);
	w->a = (w->a - w->b - w->c) ^ (w->c >> 12);
	w->b = (w->b - w->c - w->a) ^ (w->a << 16);
	w->c = (w->c - w->a - w->b) ^ (w->b >> 5);
	w->a = (w->a - w->b - w->c) ^ (w->c >> 3);
	w->b = (w->b - w->c - w->a) ^ (w->a << 10);
	w->c = (w->c - w->a - w->b) ^ (w->b >> 15);
}

/* Adds byte i of a block; the bytes for c begin at its byte `first`. */
static void
add(struct words *w, unsigned i, unsigned first, uint8_t byte)
{
	uint32_t *word = i < 4 ? &w->a : i < 8 ? &w->b : &w->c;
	unsigned at = i < 8 ? i % 4 : i - 8 + first;

	*word += (uint32_t)byte << (8 * at);
}

static uint32_t
expected(const char *key)
{
	struct words w = { 0x9e3779b9, 0x9e3779b9, 0xfeedbeef };
	size_t length = strlen(key), at = 0;
	uint32_t id;

	for (; length - at >= 12; at += 12) {
		for (unsigned i = 0; i < 12; i++)
			add(&w, i, 0, (uint8_t)key[at + i]);
		mix(&w);
	}
	w.c += (uint32_t)length;
	for (unsigned i = 0; at + i < length; i++)
		add(&w, i, 1, (uint8_t)key[at + i]);
	mix(&w);
	id = (w.c + 666) & 0x7fffffff;
	return id < 1000 ? id + 1000 : id;
}

TEST(known_labels_have_known_numbers)
{
	CHECK_INT(label_id("lab"), 727222985);
	CHECK_INT(label_id("type1"), 1788094555);
	CHECK_INT(label_id("block computation"), 41129453);
	CHECK_INT(label_id("Unlabeled0 and more than 24 characters long"),
		846415314);
}

TEST(the_known_pair_collides)
{
	CHECK_INT(label_id("27273"), label_id("55510"));
}

TEST(every_length_agrees_with_the_description)
{
	char text[41] = "";

	for (int n = 0; n <= 40; n++) {
		for (int i = 0; i < n; i++)
			text[i] = (char)('!' + (i * 7 + n * 3) % 90);
		text[n] = '\0';
		CHECK_INT(label_id(text), expected(text));
	}
}

TEST(bytes_above_127_are_not_negative)
{
	char text[41] = "";

	for (int n = 0; n <= 40; n++) {
		memset(text, 0xf0 + n % 16, (size_t)n);
		text[n] = '\0';
		CHECK_INT(label_id(text), expected(text));
	}
}

TEST(every_byte_of_a_label_counts)
{
	char text[41] = "0123456789abcdefghijklmnopqrstuvwxyzABCD";
	uint32_t whole = label_id(text);

	for (size_t i = 0; i < strlen(text); i++) {
		char kept = text[i];

		text[i] = '~';
		CHECK(label_id(text) != whole);
		text[i] = kept;
	}
	CHECK_INT(label_id(text), whole);
}

TEST(small_numbers_and_negative_ones_are_left_to_others)
{
	char text[32];
	int wrong = 0;

	for (int i = 0; i < 100000; i++) {
		uint32_t id;

		snprintf(text, sizeof text, "task %d", i);
		id = label_id(text);
		wrong += id < 1000 || id > 0x7fffffff || id != expected(text);
	}
	CHECK_INT(wrong, 0);
}

TEST_MAIN(RUN(known_labels_have_known_numbers), RUN(the_known_pair_collides),
	RUN(every_length_agrees_with_the_description),
	RUN(bytes_above_127_are_not_negative),
	RUN(every_byte_of_a_label_counts),
	RUN(small_numbers_and_negative_ones_are_left_to_others))
