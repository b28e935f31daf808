/* SPDX-License-Identifier: MIT */
#include "base/scrub_path.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define WORDS 16       /* of a name with blanks, that are looked at */
#define WORDS_BEHIND 4 /* behind a name with an extension */

/* Returns the bytes of what a path may consist of at text[i], or 0. An escape
 * of JSON ends a path, unless it is a letter that is not of ASCII. */
static size_t
of_path(const char *text, size_t n, size_t i)
{
	if (i >= n || text[i] == '\0')
		return 0;
	if (text[i] == '\\' && n - i >= 6 && text[i + 1] == 'u')
		return strncmp(text + i + 2, "00", 2) != 0 ||
				strchr("01234567", text[i + 4]) == NULL
			? 6
			: 0;
	return scrub_is_word(text[i]) || strchr("/.-+~@%#=", text[i]) != NULL;
}

/* Returns the length of what may be in a path but ends a word: a blank, a
 * bracket, a quotation mark, which JSON escapes. 0: nothing. A comma ends a
 * path whose last part is a file name with an extension. */
static size_t
gap_length(const char *text, size_t n, size_t i, bool is_file)
{
	const char *gaps = is_file ? " '&()[]{}" : " '&()[]{},;!";

	if (i < n && text[i] != '\0' && strchr(gaps, text[i]) != NULL)
		return 1;
	return i + 1 < n && text[i] == '\\' &&
			(text[i + 1] == '"' || text[i + 1] == '\\')
		? 2
		: 0;
}

bool
scrub_path_has_slashes(const char *path)
{
	return strchr("/.~", *path) != NULL;
}

/* Returns the index of the last part of a path. */
static size_t
base_of(const char *path, size_t n)
{
	bool windows = !scrub_path_has_slashes(path);

	while (n > 0 && path[n - 1] != '/' && (!windows || path[n - 1] != '\\'))
		n--;
	return n;
}

/* Returns the index of the extension in the last part of a path, or n. */
static size_t
extension_of(const char *path, size_t n)
{
	size_t dot = base_of(path, n) + 1;

	while (dot < n && path[dot] != '.')
		dot++;
	return dot + 1 < n ? dot : n;
}

/* Returns the end of a path whose first word ends at `end`. Names of
 * directories may have blanks: "/srv/My Traces/a" is one path, as a word with a
 * slash within it follows. */
static size_t
path_end(const char *text, size_t n, size_t begin, size_t end)
{
	bool is_file = extension_of(text + begin, end - begin) < end - begin;
	int most = is_file ? WORDS_BEHIND : WORDS;
	size_t at = end, gap, length;

	for (int words = 0;
		words < most && (gap = gap_length(text, n, at, is_file)) > 0;) {
		size_t word = at += gap;
		bool is_part = false;

		if (at < n && text[at] == '/')
			break;
		for (; (length = of_path(text, n, at)) > 0; at += length)
			is_part |= text[at] == '/';
		words += at > word;
		if (is_part) {
			end = at;
			words = 0;
		}
	}
	return end;
}

/* Returns the end of a path that begins a text and has no extension yet: the
 * text is the path, up to another one. */
static size_t
text_end(const char *text, size_t n, size_t end)
{
	size_t length;

	while ((length = of_path(text, n, end)) > 0 ||
		(length = gap_length(text, n, end, false)) > 0) {
		if (text[end] == ' ' && end + 1 < n && text[end + 1] == '/')
			break;
		end += length;
	}
	return end;
}

/* Returns the index of the first slash of a path that begins at text[i]: "/a",
 * "../a", "~name/a"; or n. */
static size_t
first_slash(const char *text, size_t n, size_t i)
{
	size_t at = i;

	if (text[i] == '.' && n - i > 2 && text[i + 1] == '.')
		at = i + 2;
	else if (text[i] == '~' && n - i > 2 && scrub_is_word(text[i + 1]))
		for (at++; at < n && scrub_is_word(text[at]);)
			at++;
	return at < n && text[at] == '/' ? at : n;
}

/* Returns the length of the path with slashes at text[i], or 0. */
static size_t
with_slashes(const char *text, size_t n, size_t i, size_t edge)
{
	size_t end = first_slash(text, n, i), length;

	if (end + 1 >= n || text[end + 1] == '/' ||
		of_path(text, n, end + 1) == 0)
		return 0;
	if (i > edge &&
		(scrub_is_word(text[i - 1]) ||
			strchr(".~", text[i - 1]) != NULL))
		return 0;
	while ((length = of_path(text, n, end)) > 0)
		end += length;
	end = path_end(text, n, i, end);
	if (i == 0 && extension_of(text, end) == end)
		end = text_end(text, n, end);
	return end - i;
}

/* Returns the bytes of a backslash at text[i], or 0. */
static size_t
backslash(const char *text, size_t n, size_t i, enum scrub_source source)
{
	size_t length = source == SCRUB_ESCAPED ? 2 : 1;

	return i + length <= n && text[i] == '\\' &&
			text[i + length - 1] == '\\'
		? length
		: 0;
}

/* Returns the index after "C:\" or "\\" at text[i], or 0. */
static size_t
windows_root(const char *text, size_t n, size_t i, enum scrub_source source)
{
	size_t at = i, length;

	if (n - i > 2 && isalpha((unsigned char)text[i]) && text[i + 1] == ':')
		at = i + 2;
	else if ((length = backslash(text, n, i, source)) > 0)
		at = i + length;
	length = at > i ? backslash(text, n, at, source) : 0;
	return length > 0 ? at + length : 0;
}

/* Returns the bytes of the gap at text[at] behind a path, if a further word may
 * belong to the path; else 0. words: counts the gaps. */
static size_t
next_word(const char *text, size_t n, size_t at, const char *path,
	size_t length, int *words)
{
	bool is_file = extension_of(path, length) < length;

	return ++*words < (is_file ? WORDS_BEHIND : WORDS)
		? gap_length(text, n, at, is_file)
		: 0;
}

/* Returns the length of the path of Windows at text[i], or 0. A word may follow
 * a blank if a backslash comes behind it, as in "C:\Program Files\a". */
static size_t
with_backslashes(const char *text, size_t n, size_t i, size_t edge,
	enum scrub_source source)
{
	size_t at = windows_root(text, n, i, source), end = at, length = 0;
	bool joined = true;
	int words = 0;

	if (at == 0 || of_path(text, n, at) == 0 ||
		(i > edge && scrub_is_word(text[i - 1])))
		return 0;
	do {
		at += length;
		if (joined)
			end = at;
		if ((length = backslash(text, n, at, source)) > 0) {
			joined = true;
			words = 0;
		} else if ((length = of_path(text, n, at)) == 0) {
			joined = false;
			length = next_word(
				text, n, at, text + i, end - i, &words);
		}
	} while (length > 0);
	return end - i;
}

size_t
scrub_path(const char *text, size_t n, size_t i, size_t edge,
	enum scrub_source source)
{
	size_t length = with_slashes(text, n, i, edge);

	return length > 0 ? length : with_backslashes(text, n, i, edge, source);
}

size_t
scrub_path_kept(const char *path, size_t n)
{
	static const char *const homes[] = { "home", "Users", "root" };
	size_t base = base_of(path, n), above = base;

	while (above > 0 && strchr("/\\", path[above - 1]) != NULL)
		above--;
	/* What lies right in a directory of homes is the name of a user. */
	for (size_t i = 0; i < sizeof homes / sizeof *homes; i++) {
		size_t home = strlen(homes[i]);

		if (above > home &&
			strchr("/\\", path[above - home - 1]) != NULL &&
			strncasecmp(path + above - home, homes[i], home) == 0)
			return 0;
	}
	return extension_of(path, n) < n ? n - base : 0;
}

bool
scrub_is_extension(const char *word, size_t n)
{
	static const char *const known[] = { "a", "bin", "bz2", "c", "cc",
		"cfg", "conf", "cpp", "csv", "ctf", "ctf2", "cu", "cxx", "db",
		"dat", "data", "err", "exe", "f", "f90", "go", "gz", "h", "hpp",
		"hh", "html", "java", "jl", "js", "json", "la", "log", "md",
		"o", "obs", "out", "pcf", "pl", "prv", "py", "row", "rs", "s",
		"sh", "so", "sql", "tar", "tmp", "toml", "ts", "tsv", "tt",
		"txt", "weft", "widx", "xml", "xz", "yaml", "yml", "zip", "zst",
		NULL };

	for (const char *const *at = known; *at != NULL; at++)
		if (strlen(*at) == n && strncasecmp(*at, word, n) == 0)
			return true;
	return false;
}
