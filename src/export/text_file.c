/* SPDX-License-Identifier: MIT */
#include "export/text_file.h"

#include <string.h>

#include "base/digits.h"
#include "base/file.h"
#include "base/quote.h"
#include "base/utf8.h"

bool
text_file_string(struct outfile *f, const char *text)
{
	size_t n = strlen(text);
	const char *at = text, *stop = text + n;

	outfile_write(f, "\"", 1);
	while (at < stop) {
		char *to = outfile_room(f, QUOTE_ROOM);

		f->at = quote_json(to, f->end, &at, stop);
	}
	outfile_write(f, "\"", 1);
	return !utf8_is_valid(text, n);
}

void
text_file_number(struct outfile *f, int64_t number)
{
	f->at = digits_i64(outfile_room(f, DIGITS_MAX), number);
}
