/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "base/columns.h"

TEST(accents_take_none_and_ideographs_two)
{
	CHECK_INT(columns_of(""), 0);
	CHECK_INT(columns_of("solve"), 5);
	CHECK_INT(columns_of("\u00e4"), 1);
	CHECK_INT(columns_of("a\u0308"), 1);
	CHECK_INT(columns_of("\u8a08\u7b97"), 4);
	CHECK_INT(columns_of("\uff76"), 1); /* a half-width katakana */
	CHECK_INT(columns_of("\U0001f600"), 2);
}

TEST(a_byte_that_is_no_character_takes_one)
{
	int columns;

	CHECK_INT(columns_of("\xff\xfe"), 2);
	CHECK_INT(columns_of("\xe8\xa8"), 2);
	CHECK_INT(columns_next("\xe8\xa8", &columns), 1);
	CHECK_INT(columns, 1);
	/* Cut within a character: the byte after it is not read. */
	CHECK_INT(columns_of_bytes("ab\u8a08", 3), 3);
}

TEST_MAIN(RUN(accents_take_none_and_ideographs_two),
	RUN(a_byte_that_is_no_character_takes_one))
