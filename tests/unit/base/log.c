/* SPDX-License-Identifier: MIT */
#include "base/log.h"

#include "scratch.h"
#include "test.h"

static void
speak(void)
{
	log_done("read %d streams", 3);
	log_start("weft emu");
	log_note("one");
	log_warning("two %s", "x");
	log_error("three");
	log_quiet(true);
	log_note("not shown");
	log_done("not shown");
	log_warning("shown");
}

TEST(lines_have_prefix_and_level)
{
	char text[1000];

	CHECK_INT(scratch_child(speak, text, sizeof text), 0);
	CHECK_STR(text,
		"weft: read 3 streams\n"
		"weft emu: note: one\n"
		"weft emu: warning: two x\n"
		"weft emu: error: three\n"
		"weft emu: warning: shown\n");
}

static void
speak_rudely(void)
{
	char name[10000];

	log_warning("name \033[2J\n\r\t\x7f\x01 caf\xc3\xa9");
	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	log_error("%s", name);
}

TEST(a_text_cannot_steer_the_terminal)
{
	char text[12000];
	size_t n;

	CHECK_INT(scratch_child(speak_rudely, text, sizeof text), 0);
	CHECK(strstr(text, "warning: name ?[2J????? caf\xc3\xa9\n") != NULL);
	n = strlen(text);
	CHECK(n > 2000 && n < 3000);
	CHECK(text[n - 1] == '\n' && text[n - 2] == 'x');
}

static void
warn_in_colour(void)
{
	setenv("TERM", "xterm", 1);
	unsetenv("NO_COLOR");
	log_warning("w");
	log_error("e");
	setenv("NO_COLOR", "1", 1);
	log_warning("plain");
	setenv("NO_COLOR", "", 1);
	setenv("TERM", "dumb", 1);
	log_warning("dumb");
	_exit(log_colour(stderr));
}

TEST(colour_only_where_it_is_wanted)
{
	char text[1000];
	int code = scratch_terminal(warn_in_colour, text, sizeof text);

	if (code < 0)
		TEST_SKIP("no terminal to be had");
	CHECK_INT(code, 0);
	CHECK_STR(text,
		"weft: \033[1;33mwarning: \033[0mw\r\n"
		"weft: \033[1;31merror: \033[0me\r\n"
		"weft: warning: plain\r\n"
		"weft: warning: dumb\r\n");
}

TEST_MAIN(RUN(lines_have_prefix_and_level),
	RUN(a_text_cannot_steer_the_terminal),
	RUN(colour_only_where_it_is_wanted))
