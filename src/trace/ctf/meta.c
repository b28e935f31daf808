/* SPDX-License-Identifier: MIT */
#include "trace/ctf/meta.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "trace/ctf/fragments.h"
#include "trace/ctf/parse.h"
#include "trace/finding.h"

#define META_MAX (256u << 20)
#define HEADER 37 /* bytes of a packet's header */

/* The header of a packet of metadata. */
struct packet {
	uint32_t content, all; /* bytes */
};

static uint32_t
u32_at(const char *at, bool big)
{
	uint32_t u;

	memcpy(&u, at, sizeof u);
	return big ? __builtin_bswap32(u) : u;
}

static bool
is_packet(const char *at, bool *big)
{
	*big = u32_at(at, true) == CTF_META_MAGIC;
	return *big || u32_at(at, false) == CTF_META_MAGIC;
}

/* Parses a packet header: magic (4 bytes), UUID (16), checksum (4), sizes in
 * bits. */
static bool
read_packet(const char *at, struct packet *p, struct err *err)
{
	bool big;

	if (!is_packet(at, &big))
		return err_set(err, ERR_INPUT,
			"a packet of metadata does not begin with its magic "
			"number");
	p->content = u32_at(at + 24, big) / 8;
	p->all = u32_at(at + 28, big) / 8;
	if (at[32] != 0 || at[33] != 0)
		return err_set(err, ERR_INPUT,
			"metadata that is compressed or encrypted cannot be "
			"read");
	if (p->content < HEADER || p->all < p->content)
		return err_set(err, ERR_INPUT,
			"a packet of metadata of %u bytes, of which %u are "
			"used",
			p->all, p->content);
	return true;
}

static void
report_cut(struct findings *fs, const char *file, size_t at)
{
	finding_add(fs,
		(struct finding){ .severity = FINDING_WARNING,
			.file = file,
			.offset = (int64_t)at,
			.time = FINDING_NEVER },
		"the last packet of the metadata is cut");
}

/* Joins the texts of all packets, in place. */
static bool
join_packets(char *text, size_t *size, const char *file, struct findings *fs,
	struct err *err)
{
	size_t from = 0, to = 0;

	while (from < *size) {
		struct packet p = { 0 };
		size_t n = *size - from;

		if (n < HEADER) {
			report_cut(fs, file, from);
			break;
		}
		if (!read_packet(text + from, &p, err))
			return err_in(err, "%.300s: byte %zu", file, from);
		if (p.content > n)
			report_cut(fs, file, from);
		n = p.content < n ? p.content : n;
		BUG_ON(n < HEADER);
		memmove(text + to, text + from + HEADER, n - HEADER);
		to += n - HEADER;
		from = p.all > *size - from ? *size : from + p.all;
	}
	text[to] = '\0';
	*size = to;
	return true;
}

bool
ctf_meta_read(struct ctf_meta *m, struct arena *a, const char *file,
	struct findings *fs, struct err *err)
{
	size_t size;
	char *text = file_read(a, file, META_MAX, &size, err);
	bool big;

	if (text == NULL)
		return err_in(err, "%.300s", file);
	if (text[0] == CTF_FRAGMENT)
		return ctf_fragments_parse(m, a, file, text, size, err);
	if (size >= 4 && is_packet(text, &big) &&
		!join_packets(text, &size, file, fs, err))
		return false;
	return ctf_parse(m, a, file, text, size, err);
}

bool
ctf_meta_begins(const char *file)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char head[16] = "";
	int64_t n = fd < 0 ? 0 : file_pread(fd, head, sizeof head - 1, 0);
	bool big;

	if (fd >= 0)
		close(fd);
	return n >= 4 &&
		(is_packet(head, &big) || head[0] == CTF_FRAGMENT ||
			strncmp(head, "/* CTF 1", 8) == 0);
}
