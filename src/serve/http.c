/* SPDX-License-Identifier: MIT */
/*
 * The threads of libmicrohttpd read requests and send answers. A connection for
 * events has no data most of the time, so it is suspended; http_tell() resumes
 * it when an event arrives.
 */
#include "serve/http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/arena.h"
#include "serve/answer.h"
#include "serve/compress.h"
#include "serve/crowd.h"
#include "serve/jobs.h"
#include "serve/request.h"

#define CONNECTIONS 512 /* most connections of each address */
#define LEAST 4         /* fewer connections are of no use */
#define KEPT_FREE 12    /* descriptors for everything else */
#define WAITING 128     /* connections of both addresses without a request */
#define TIMEOUT_S 30u   /* time limit of a silent connection */
#define MEMORY \
	(32u << 10)  /* memory of a connection, in which its headers must \
	              * fit */
#define LISTENERS 64 /* connections of events, at most */
#define PENDING \
	(64u << 10) /* unsent bytes, above which a slow listener misses events \
	             */

/* A page that listens for events. */
struct listener {
	struct http *http;
	struct listener *next;
	struct MHD_Connection *connection;
	bool suspended;
	size_t n; /* bytes not sent yet */
	char text[PENDING];
};

struct http {
	struct http_options options;
	struct MHD_Daemon *daemon[2]; /* the server of IPv4; that of IPv6, or
	                               * NULL */
	int port;
	int connections; /* most connections of each address */
	struct jobs *jobs;
	struct crowd crowd;
	pthread_mutex_t lock; /* protects the fields below */
	struct listener *listeners;
	int nlisteners;
	bool closing;
};

/* A request and its answer; lives until the answer is sent. */
struct exchange {
	struct job job;
	struct MHD_Connection *connection;
	enum {
		EXCHANGE_NEW,
		EXCHANGE_READ,     /* the headers are read */
		EXCHANGE_WAITS,    /* waits for its job */
		EXCHANGE_ANSWERED, /* the answer is to be sent */
	} state;
	struct request request;
	struct answer answer;
	char *target; /* as sent; owned */
};

static const char *const always[][2] = {
	{ "Content-Security-Policy",
		"default-src 'none'; script-src 'self'; style-src 'self'; "
		"img-src 'self' blob: data:; connect-src 'self'; base-uri "
		"'none'; form-action 'none'; frame-ancestors 'none'" },
	{ "X-Content-Type-Options", "nosniff" },
	{ "Referrer-Policy", "no-referrer" },
	{ "Cross-Origin-Resource-Policy", "same-origin" },
	{ "Cross-Origin-Opener-Policy", "same-origin" },
	{ "Vary", "Accept-Encoding" },
};

static void
on_connection(void *arg, struct MHD_Connection *connection, void **of,
	enum MHD_ConnectionNotificationCode code)
{
	struct http *h = arg;

	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		const union MHD_ConnectionInfo *info = MHD_get_connection_info(
			connection, MHD_CONNECTION_INFO_CONNECTION_FD);

		*of = info == NULL ? NULL
				   : crowd_enter(&h->crowd, info->connect_fd);
	} else if (*of != NULL) {
		crowd_leave(&h->crowd, *of);
		*of = NULL;
	}
}

/* Notes that a request of the connection has begun (served) or was answered. */
static void
note_served(struct http *h, struct MHD_Connection *connection, bool served)
{
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(
		connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	if (info != NULL && info->socket_context != NULL)
		crowd_serve(&h->crowd, info->socket_context, served);
}

/* Called first, with the request's target: the library changes its own copy
 * later. */
static void *
on_target(void *arg, const char *uri, struct MHD_Connection *connection)
{
	struct exchange *e = mem_resize(NULL, 1, sizeof *e);
	size_t n = strlen(uri) + 1;

	(void)arg;
	(void)connection;
	*e = (struct exchange){ .target = mem_resize(NULL, n, 1) };
	memcpy(e->target, uri, n);
	request_target(&e->request, e->target);
	return e;
}

/* Leaves all escapes in place: the guard checks the request as it was sent. */
static size_t
leave_escaped(void *arg, struct MHD_Connection *connection, char *text)
{
	(void)arg;
	(void)connection;
	return strlen(text);
}

static void
on_end(void *arg, struct MHD_Connection *connection, void **of,
	enum MHD_RequestTerminationCode code)
{
	struct exchange *e = *of;

	(void)code;
	note_served(arg, connection, false);
	if (e == NULL)
		return;
	*of = NULL;
	answer_fini(&e->answer);
	mem_free(e->target);
	mem_free(e);
}

static enum MHD_Result
on_header(void *arg, enum MHD_ValueKind kind, const char *name,
	size_t name_size, const char *value, size_t value_size)
{
	(void)kind;
	request_header(arg, name, name_size, value, value_size);
	return MHD_YES;
}

/* Gives the library the next bytes of an event stream. */
static ssize_t
read_events(void *arg, uint64_t position, char *to, size_t room)
{
	struct listener *l = arg;
	struct http *h = l->http;
	ssize_t n;

	(void)position;
	pthread_mutex_lock(&h->lock);
	n = (ssize_t)(l->n < room ? l->n : room);
	memcpy(to, l->text, (size_t)n);
	memmove(l->text, l->text + n, l->n - (size_t)n);
	l->n -= (size_t)n;
	if (n == 0 && h->closing) {
		n = MHD_CONTENT_READER_END_OF_STREAM;
	} else if (n == 0) {
		l->suspended = true;
		MHD_suspend_connection(l->connection);
	}
	pthread_mutex_unlock(&h->lock);
	return n;
}

static void
end_events(void *arg)
{
	struct listener *l = arg, **at;
	struct http *h = l->http;

	pthread_mutex_lock(&h->lock);
	for (at = &h->listeners; *at != l; at = &(*at)->next)
		;
	*at = l->next;
	h->nlisteners--;
	pthread_mutex_unlock(&h->lock);
	mem_free(l);
}

/* Returns NULL if there are too many listeners. */
static struct MHD_Response *
begin_events(struct http *h, struct MHD_Connection *connection)
{
	static const char hello[] = ": weft\n\n";
	struct listener *l = mem_resize(NULL, 1, sizeof *l);
	bool fits;

	memset(l, 0, offsetof(struct listener, text));
	l->http = h;
	l->connection = connection;
	l->n = sizeof hello - 1;
	memcpy(l->text, hello, l->n);
	l->n += h->options.hello(
		h->options.arg, l->text + l->n, sizeof l->text - l->n);
	pthread_mutex_lock(&h->lock);
	fits = h->nlisteners < LISTENERS && !h->closing;
	if (fits) {
		l->next = h->listeners;
		h->listeners = l;
		h->nlisteners++;
	}
	pthread_mutex_unlock(&h->lock);
	if (!fits) {
		mem_free(l);
		return NULL;
	}
	return MHD_create_response_from_callback(
		MHD_SIZE_UNKNOWN, 4096, read_events, l, end_events);
}

static bool
tell(struct http *h, const char *text)
{
	size_t n = strlen(text);
	bool any;

	pthread_mutex_lock(&h->lock);
	any = h->listeners != NULL;
	for (struct listener *l = h->listeners; l != NULL; l = l->next) {
		if (n <= sizeof l->text - l->n) {
			memcpy(l->text + l->n, text, n);
			l->n += n;
		}
		if (l->suspended) {
			l->suspended = false;
			MHD_resume_connection(l->connection);
		}
	}
	pthread_mutex_unlock(&h->lock);
	return any;
}

/* Makes a response; the exchange frees the body when it ends. */
static struct MHD_Response *
body_of(const struct answer *a)
{
	return MHD_create_response_from_buffer(a->size,
		(void *)(uintptr_t)(a->body == NULL ? "" : a->body),
		MHD_RESPMEM_PERSISTENT);
}

static void
put_headers(
	struct MHD_Response *r, const struct answer *a, const char *encoding)
{
	for (size_t i = 0; i < sizeof always / sizeof *always; i++)
		MHD_add_response_header(r, always[i][0], always[i][1]);
	MHD_add_response_header(r, MHD_HTTP_HEADER_CACHE_CONTROL,
		a->cache == NULL ? "no-store" : a->cache);
	if (a->type != NULL)
		MHD_add_response_header(
			r, MHD_HTTP_HEADER_CONTENT_TYPE, a->type);
	if (encoding != NULL)
		MHD_add_response_header(
			r, MHD_HTTP_HEADER_CONTENT_ENCODING, encoding);
	if (a->etag != NULL)
		MHD_add_response_header(r, MHD_HTTP_HEADER_ETAG, a->etag);
	if (a->cookie != NULL)
		MHD_add_response_header(
			r, MHD_HTTP_HEADER_SET_COOKIE, a->cookie);
	if (a->location != NULL)
		MHD_add_response_header(
			r, MHD_HTTP_HEADER_LOCATION, a->location);
	if (a->status == MHD_HTTP_METHOD_NOT_ALLOWED)
		MHD_add_response_header(r, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
	if (a->status == MHD_HTTP_SERVICE_UNAVAILABLE ||
		a->status == MHD_HTTP_ACCEPTED)
		MHD_add_response_header(r, MHD_HTTP_HEADER_RETRY_AFTER, "1");
}

static enum MHD_Result
send_answer(struct http *h, struct exchange *e)
{
	struct answer *a = &e->answer;
	struct MHD_Response *response = NULL;
	const char *encoding = NULL;
	enum MHD_Result ok;

	if (a->events && strcmp(e->request.method, MHD_HTTP_METHOD_GET) == 0) {
		response = begin_events(h, e->connection);
		if (response == NULL)
			answer_error(a, MHD_HTTP_SERVICE_UNAVAILABLE,
				"%d pages listen already", LISTENERS);
	}
	if (response == NULL) {
		encoding = compress_answer(&e->request, a);
		response = body_of(a);
	}
	if (response == NULL)
		return MHD_NO;
	put_headers(response, a, encoding);
	ok = MHD_queue_response(e->connection, (unsigned)a->status, response);
	MHD_destroy_response(response);
	return ok;
}

/* Returns true if the client has closed the connection or reset it: a page that
 * does not need an answer any more does so. Nothing tells a closed connection
 * from one that the client only half closed, as no client does that awaits an
 * answer. */
static bool
has_left(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(
		connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	char byte;
	ssize_t n;

	if (info == NULL)
		return false;
	n = recv(info->connect_fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
	return n == 0 || (n < 0 && errno == ECONNRESET);
}

/* Answers a slow request, on a thread of jobs. */
static void
run_job(void *arg, struct job *job, bool too_late)
{
	struct http *h = arg;
	struct exchange *e = (struct exchange *)job;

	if (too_late)
		answer_error(&e->answer, MHD_HTTP_SERVICE_UNAVAILABLE,
			"the server is ending");
	else if (has_left(e->connection))
		answer_error(&e->answer, MHD_HTTP_SERVICE_UNAVAILABLE,
			"the client has left");
	else
		h->options.answer(h->options.arg, &e->request, &e->answer);
	e->state = EXCHANGE_ANSWERED;
	MHD_resume_connection(e->connection);
}

static enum MHD_Result
answer(struct http *h, struct exchange *e)
{
	struct answer *a = &e->answer;

	MHD_get_connection_values_n(
		e->connection, MHD_HEADER_KIND, on_header, &e->request);
	h->options.answer(h->options.arg, &e->request, a);
	if (!a->slow)
		return send_answer(h, e);
	/* The job calls the function again. */
	answer_fini(a);
	*a = (struct answer){ .may_take_long = true };
	e->state = EXCHANGE_WAITS;
	MHD_suspend_connection(e->connection);
	if (!jobs_add(h->jobs, &e->job)) {
		answer_error(a, MHD_HTTP_SERVICE_UNAVAILABLE,
			"%d requests are waiting already", JOBS_WAITING);
		e->state = EXCHANGE_ANSWERED;
		MHD_resume_connection(e->connection);
	}
	return MHD_YES;
}

static bool
has_no_body(const char *method)
{
	return strcmp(method, MHD_HTTP_METHOD_GET) == 0 ||
		strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;
}

/* Called when the headers are read, again after the body, and when a job is
 * done. A request with a body is answered at the first call, which ends the
 * connection: its body is not read. */
static enum MHD_Result
on_request(void *arg, struct MHD_Connection *connection, const char *url,
	const char *method, const char *version, const char *upload,
	size_t *upload_size, void **of)
{
	struct exchange *e = *of;

	(void)url;
	(void)version;
	(void)upload;
	if (e->state == EXCHANGE_ANSWERED)
		return send_answer(arg, e);
	if (e->state == EXCHANGE_READ && *upload_size != 0)
		return MHD_NO;
	if (e->state == EXCHANGE_NEW && has_no_body(method)) {
		e->state = EXCHANGE_READ;
		return MHD_YES;
	}
	e->connection = connection;
	e->request.method = method;
	note_served(arg, connection, true);
	return answer(arg, e);
}

/* Returns how many threads serve an address; each has descriptors of its own.
 */
static unsigned
threads(const struct http *h)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	if (h->connections < CONNECTIONS)
		return 2;
	return n < 2 ? 2 : n > 8 ? 8 : (unsigned)n;
}

/* Returns how many connections of each address fit into the descriptors that
 * the process may open: the library does not recover soon when it has used up
 * all of them. */
static int
connections(void)
{
	struct rlimit limit = { CONNECTIONS, CONNECTIONS };
	int used = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int64_t left;

	getrlimit(RLIMIT_NOFILE, &limit);
	if (used < 0)
		return 0;
	close(used); /* this descriptor was the lowest free one */
	left = limit.rlim_cur > INT_MAX ? INT_MAX : (int64_t)limit.rlim_cur;
	left = (left - used - KEPT_FREE) / 2;
	return left < 0 ? 0 : left > CONNECTIONS ? CONNECTIONS : (int)left;
}

static struct MHD_Daemon *
listen_at(struct http *h, unsigned flags, struct sockaddr *address)
{
	return MHD_start_daemon(flags | MHD_USE_INTERNAL_POLLING_THREAD |
			MHD_USE_AUTO | MHD_ALLOW_SUSPEND_RESUME,
		0, NULL, NULL, on_request, h,
		/* clang-format off */
		MHD_OPTION_SOCK_ADDR, address,
		MHD_OPTION_THREAD_POOL_SIZE, threads(h),
		MHD_OPTION_CONNECTION_LIMIT, (unsigned)h->connections,
		MHD_OPTION_CONNECTION_TIMEOUT, TIMEOUT_S,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY,
		MHD_OPTION_STRICT_FOR_CLIENT, 1,
		MHD_OPTION_UNESCAPE_CALLBACK, leave_escaped, NULL,
		MHD_OPTION_URI_LOG_CALLBACK, on_target, NULL,
		MHD_OPTION_NOTIFY_COMPLETED, on_end, h,
		MHD_OPTION_NOTIFY_CONNECTION, on_connection, h,
		/* clang-format on */
		MHD_OPTION_END);
}

static void
close_all(struct http *h)
{
	pthread_mutex_lock(&h->lock);
	h->closing = true;
	pthread_mutex_unlock(&h->lock);
	tell(h, "");
	jobs_end(h->jobs);
	for (int i = 0; i < 2; i++)
		if (h->daemon[i] != NULL)
			MHD_stop_daemon(h->daemon[i]);
	jobs_close(h->jobs); /* the threads of the library could still use it
	                      * until now */
	crowd_fini(&h->crowd);
	pthread_mutex_destroy(&h->lock);
	mem_free(h);
}

static struct http *
open_port(const struct http_options *o, struct err *err)
{
	struct http *h = mem_resize(NULL, 1, sizeof *h);
	struct sockaddr_in v4 = { .sin_family = AF_INET,
		.sin_port = htons((uint16_t)o->port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6,
		.sin6_addr = IN6ADDR_LOOPBACK_INIT };
	const union MHD_DaemonInfo *info;

	*h = (struct http){ .options = *o, .lock = PTHREAD_MUTEX_INITIALIZER };
	h->connections = connections();
	crowd_init(&h->crowd,
		h->connections < WAITING ? h->connections / 2 : WAITING);
	h->jobs = jobs_open(run_job, h);
	if (h->jobs == NULL) {
		err_set(err, ERR_SYSTEM, "threads");
		close_all(h);
		return NULL;
	}
	if (h->connections < LEAST) {
		err_set(err, ERR_LIMIT,
			"this process may open too few files for a server: "
			"raise the limit (ulimit -n)");
		close_all(h);
		return NULL;
	}
	h->daemon[0] = listen_at(h, 0, (struct sockaddr *)&v4);
	if (h->daemon[0] == NULL) {
		err_set(err, ERR_SYSTEM,
			"cannot listen on 127.0.0.1:%d (--port chooses another "
			"port)",
			o->port);
		close_all(h);
		return NULL;
	}
	info = MHD_get_daemon_info(h->daemon[0], MHD_DAEMON_INFO_BIND_PORT);
	h->port = info == NULL ? o->port : info->port;
	/* A browser may resolve localhost to this address. */
	v6.sin6_port = htons((uint16_t)h->port);
	h->daemon[1] = listen_at(h, MHD_USE_IPv6, (struct sockaddr *)&v6);
	return h;
}

static int
port_of(const struct http *h)
{
	return h->port;
}

__attribute__((visibility("default"))) extern const struct http_ops weft_http;
const struct http_ops weft_http = {
	.layout = HTTP_LAYOUT,
	.open = open_port,
	.port = port_of,
	.tell = tell,
	.close = close_all,
};
