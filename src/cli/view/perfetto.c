/* SPDX-License-Identifier: MIT */
#include "cli/view/perfetto.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/log.h"
#include "base/now.h"
#include "cli/undo.h"
#include "cli/view/view.h"

#define PAGE "https://ui.perfetto.dev"
#define SECRET 16          /* random bytes in the address */
#define PATIENCE_MS 120000 /* for the whole visit */
#define REQUEST_MS 5000    /* for one request */
#define REQUEST_MAX 8192   /* bytes of a request without a body */

struct visit {
	struct arena arena;
	const char *path, *name; /* name: in the address */
	char secret[2 * SECRET + 1];
	int file, listener, port;
	int64_t size;
};

static bool
make_secret(struct visit *v, struct err *err)
{
	unsigned char bytes[SECRET];

	if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
		return err_set(err, ERR_SYSTEM, "no random bytes");
	for (int i = 0; i < SECRET; i++)
		snprintf(v->secret + 2 * i, 3, "%02x", bytes[i]);
	return true;
}

static bool
open_file(struct visit *v, struct err *err)
{
	struct stat st;

	v->file = open(v->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (v->file < 0 || fstat(v->file, &st) != 0)
		return err_set(err, ERR_SYSTEM, "cannot open %s", v->path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_INPUT,
			"%s is not a file; 'weft convert TRACE -o "
			"OUT.pftrace' writes one",
			v->path);
	v->size = st.st_size;
	return true;
}

static bool
listen_here(struct visit *v, struct err *err)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
		.sin_port = htons((uint16_t)v->port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int yes = 1;

	v->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (v->listener < 0)
		return err_set(err, ERR_SYSTEM, "cannot open a socket");
	setsockopt(v->listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
	if (bind(v->listener, (struct sockaddr *)&at, sizeof at) == 0 &&
		listen(v->listener, 8) == 0)
		return true;
	return err_set(err, ERR_SYSTEM,
		"cannot listen on 127.0.0.1:%d, the only port that the page "
		"may use",
		v->port);
}

/* Returns the name as a part of an address: what might be special becomes
 * "_". */
static const char *
address_name(struct visit *v)
{
	char *name = arena_strdup(&v->arena, file_name(v->path));

	for (char *c = name; *c != '\0'; c++)
		if (strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			   "abcdefghijklmnopqrstuvwxyz0123456789.-_",
			    *c) == NULL)
			*c = '_';
	return name;
}

/* Waits until the socket is ready. Returns false at the deadline, after a
 * signal, or if the socket failed. */
static bool
wait_for(int fd, short events, int64_t until)
{
	struct pollfd p = { .fd = fd, .events = events };

	for (;;) {
		int64_t left = until - now_ms();
		int n;

		if (left <= 0 || undo_is_noted())
			return false;
		n = poll(&p, 1, left < 200 ? (int)left : 200);
		if (n > 0)
			return (p.revents & (events | POLLHUP)) != 0;
		if (n < 0 && errno != EINTR)
			return false;
	}
}

/* Reads the head of a request. Returns false if it does not come. */
static bool
read_head(int fd, char to[REQUEST_MAX], int64_t until)
{
	size_t n = 0;

	to[0] = '\0';
	while (n < REQUEST_MAX - 1 && strstr(to, "\r\n\r\n") == NULL) {
		ssize_t got;

		if (!wait_for(fd, POLLIN, until))
			return false;
		got = read(fd, to + n, REQUEST_MAX - 1 - n);
		if (got <= 0)
			return false;
		n += (size_t)got;
		to[n] = '\0';
	}
	return n < REQUEST_MAX - 1;
}

/* Returns true if the request names this server: a page of another site whose
 * name leads here must get nothing. */
static bool
has_host(const struct visit *v, const char *head)
{
	const char *host = strcasestr(head, "\r\nhost:");
	char want[32];

	snprintf(want, sizeof want, "127.0.0.1:%d\r\n", v->port);
	if (host == NULL)
		return false;
	host += strlen("\r\nhost:");
	host += strspn(host, " \t");
	return strncmp(host, want, strlen(want)) == 0;
}

/* Returns true if the request is `method` for the file. */
static bool
is_request(const struct visit *v, const char *head, const char *method)
{
	char want[PATH_MAX];

	snprintf(want, sizeof want, "%s /%s/%s HTTP/1.", method, v->secret,
		v->name);
	return strncmp(head, want, strlen(want)) == 0 && has_host(v, head);
}

static bool
send_text(int fd, const char *text, int64_t until)
{
	size_t left = strlen(text);

	while (left > 0) {
		ssize_t done;

		if (!wait_for(fd, POLLOUT, until))
			return false;
		done = send(fd, text, left, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (done < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (done <= 0)
			return false;
		text += done;
		left -= (size_t)done;
	}
	return true;
}

/* Sends the whole file. Returns false if the browser went away. */
static bool
send_file(struct visit *v, int fd, int64_t until)
{
	off_t at = 0;

	while (at < v->size) {
		ssize_t done;

		if (!wait_for(fd, POLLOUT, until))
			return false;
		done = sendfile(fd, v->file, &at, (size_t)(v->size - at));
		if (done < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (done <= 0)
			return false;
	}
	return true;
}

#define ALLOW "Access-Control-Allow-Origin: " PAGE "\r\n"

/* Answers one request. Returns true if it got the whole file. */
static bool
answer(struct visit *v, int fd, int64_t until)
{
	static const char refuse[] = "HTTP/1.1 404 Not Found\r\n"
				     "Content-Length: 0\r\n"
				     "Connection: close\r\n\r\n";
	static const char may[] = "HTTP/1.1 204 No Content\r\n" ALLOW
				  "Access-Control-Allow-Methods: GET\r\n"
				  "Access-Control-Allow-Private-Network: "
				  "true\r\nConnection: close\r\n\r\n";
	char head[REQUEST_MAX];

	if (!read_head(fd, head, now_ms() + REQUEST_MS))
		return false;
	if (is_request(v, head, "OPTIONS")) {
		send_text(fd, may, until);
		return false;
	}
	if (!is_request(v, head, "GET")) {
		send_text(fd, refuse, until);
		return false;
	}
	return send_text(fd,
		       arena_printf(&v->arena,
			       "HTTP/1.1 200 OK\r\n" ALLOW
			       "Content-Type: application/octet-stream\r\n"
			       "Cache-Control: no-store\r\n"
			       "X-Content-Type-Options: nosniff\r\n"
			       "Content-Length: %lld\r\n"
			       "Connection: close\r\n\r\n",
			       (long long)v->size),
		       until) &&
		send_file(v, fd, until);
}

/* Answers requests until one got the file. Returns false if none did. */
static bool
wait_for_page(struct visit *v)
{
	int64_t until = now_ms() + PATIENCE_MS;
	bool done = false;

	while (!done && wait_for(v->listener, POLLIN, until)) {
		int fd = accept4(
			v->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd < 0)
			continue;
		done = answer(v, fd, until);
		shutdown(fd, SHUT_WR);
		close(fd);
	}
	return done;
}

static enum exit_code
visit(struct visit *v, bool no_open)
{
	struct err err = { 0 };
	char *address;

	if (!open_file(v, &err) || !make_secret(v, &err) ||
		!listen_here(v, &err))
		return pipeline_unable(&err);
	address = arena_printf(&v->arena,
		PAGE "/#!/?url=http://127.0.0.1:%d/%s/%s", v->port, v->secret,
		v->name);
	printf("open  %s\n", address);
	if (fflush(stdout) != 0)
		return EXIT_UNABLE;
	if (!no_open)
		view_browse(address);
	undo_note_first();
	if (wait_for_page(v)) {
		log_done("%s was read", v->path);
		return EXIT_YES;
	}
	if (undo_is_noted()) {
		log_error("interrupted: nobody read %s", v->path);
		undo_cut();
		return EXIT_UNABLE;
	}
	log_error("nobody read %s within %d s; drag it into %s instead",
		v->path, PATIENCE_MS / 1000, PAGE);
	return EXIT_UNABLE;
}

enum exit_code
perfetto_serve(const char *path, int port, bool no_open)
{
	struct visit v = { .path = path,
		.file = -1,
		.listener = -1,
		.port = port > 0 ? port : PERFETTO_PORT };
	enum exit_code code;

	v.name = address_name(&v);
	code = visit(&v, no_open);
	if (v.file >= 0)
		close(v.file);
	if (v.listener >= 0)
		close(v.listener);
	arena_fini(&v.arena);
	return code;
}
