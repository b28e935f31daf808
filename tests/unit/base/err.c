/* SPDX-License-Identifier: MIT */
#include "base/err.h"

#include <errno.h>

#include "scratch.h"
#include "test.h"

TEST(keeps_the_first_cause)
{
	struct err err = { 0 };

	CHECK(!err_set(&err, ERR_INPUT, "byte %d is wrong", 7));
	CHECK(!err_set(&err, ERR_LIMIT, "later"));
	CHECK_INT(err.kind, ERR_INPUT);
	CHECK_STR(err.text, "byte 7 is wrong");
}

TEST(a_system_error_says_why_and_keeps_errno)
{
	struct err err = { 0 };

	errno = ENOENT;
	err_set(&err, ERR_SYSTEM, "cannot open %s", "a/b");
	CHECK_STR(err.text, "cannot open a/b: No such file or directory");
	CHECK_INT(errno, ENOENT);
}

TEST(notes_go_in_front)
{
	struct err err = { 0 };

	err_set(&err, ERR_INPUT, "shorter than its header");
	CHECK(!err_in(&err, "%s", "stream.obs"));
	CHECK(!err_in(&err, "thread %d", 3));
	CHECK_STR(err.text, "thread 3: stream.obs: shorter than its header");
}

TEST(a_long_name_is_cut_before_the_cause)
{
	struct err err = { 0 };
	char name[2000];

	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	errno = ENOSPC;
	err_set(&err, ERR_SYSTEM, "%s", name);
	CHECK_INT(strlen(err.text), sizeof err.text - 1);
	CHECK(strstr(err.text, "xxx: No space left on device") != NULL);

	err = (struct err){ 0 };
	err_set(&err, ERR_INPUT, "cause");
	err_in(&err, "%s", name);
	err_in(&err, "%s", name);
	CHECK_INT(strlen(err.text), sizeof err.text - 1);
	CHECK(strstr(err.text, "xxx: cause") != NULL);
}

TEST(a_full_text_takes_more_notes)
{
	struct err err = { 0 };
	char name[2000];

	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	err_set(&err, ERR_INPUT, "%s", name);
	CHECK_INT(strlen(err.text), sizeof err.text - 1);
	for (int i = 0; i < 3; i++)
		err_in(&err, "note");
	CHECK(strlen(err.text) < sizeof err.text);
}

static void
note_without_cause(void)
{
	struct err err = { 0 };

	err_in(&err, "nothing happened");
}

TEST(a_note_without_a_cause_is_a_bug)
{
	char text[1];

	CHECK_INT(scratch_child(note_without_cause, text, 1), 134);
}

TEST_MAIN(RUN(keeps_the_first_cause),
	RUN(a_system_error_says_why_and_keeps_errno), RUN(notes_go_in_front),
	RUN(a_long_name_is_cut_before_the_cause),
	RUN(a_full_text_takes_more_notes), RUN(a_note_without_a_cause_is_a_bug))
