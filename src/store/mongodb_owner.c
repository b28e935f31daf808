/* SPDX-License-Identifier: MIT */
#include "store/mongodb_owner.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"

#define COLLECTION "weft_owner"
#define BEAT_S 1
#define PATIENCE_S 5
#define TIMEOUT_MS \
	1000 /* limit of a beat, so that stopping the thread is \
	      * quick */
#define DUPLICATE 11000

struct mongodb_owner {
	const char *database;
	mongoc_client_t *client; /* while the thread runs, only the thread uses
	                          * it */
	bson_oid_t holder;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool ends, away, lost; /* under the lock, or atomic */
};

/* The fields of the document that names the holder. */
struct holder {
	bson_oid_t holder;
	char machine[160], host[64];
	int64_t pid, born, beat;
};

static bool
fail(const bson_error_t *error, struct err *err)
{
	return err_set(
		err, ERR_INPUT, "%s (error %u)", error->message, error->code);
}

/* Returns when the process began, in clock ticks since boot; 0: it does not
 * exist. */
static int64_t
birth(int64_t pid)
{
	char path[64], text[1024], *at;
	FILE *file;
	size_t n;

	snprintf(path, sizeof path, "/proc/%" PRId64 "/stat", pid);
	file = fopen(path, "re");
	if (file == NULL)
		return 0;
	n = fread(text, 1, sizeof text - 1, file);
	fclose(file);
	text[n] = '\0';
	at = strrchr(text, ')'); /* field 3, the state, follows the name */
	if (at == NULL || at[1] == '\0' || at[2] == 'Z' || at[2] == 'X')
		return 0;
	for (int field = 2; at != NULL && field < 22; field++)
		at = strchr(at + 1, ' ');
	return at != NULL ? strtoll(at, NULL, 10) : 0;
}

/* Fills in the boot id and the PID namespace, within which PIDs are unique. */
static void
describe(struct holder *h)
{
	char boot[64] = "", space[64] = "";
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
	ssize_t n = readlink("/proc/self/ns/pid", space, sizeof space - 1);

	if (file != NULL && fscanf(file, "%63s", boot) != 1)
		boot[0] = '\0';
	if (file != NULL)
		fclose(file);
	space[n > 0 ? n : 0] = '\0';
	snprintf(h->machine, sizeof h->machine, "%s %s", boot, space);
	gethostname(h->host, sizeof h->host - 1);
	h->pid = getpid();
	h->born = birth(h->pid);
}

static bool
is_dead(const struct holder *h)
{
	struct holder here = { 0 };

	describe(&here);
	return strcmp(h->machine, here.machine) == 0 && h->born != 0 &&
		birth(h->pid) != h->born;
}

/* Returns the _id of the only document. */
static bson_t *
selector(void)
{
	bson_oid_t id;

	memcpy(id.bytes, "weft's owner", sizeof id.bytes);
	return BCON_NEW("_id", BCON_OID(&id));
}

static mongoc_collection_t *
collection(const struct mongodb_owner *o)
{
	return mongoc_client_get_collection(o->client, o->database, COLLECTION);
}

static void
get_text(const bson_t *document, const char *key, char *to, size_t size)
{
	bson_iter_t at;

	if (bson_iter_init_find(&at, document, key) &&
		BSON_ITER_HOLDS_UTF8(&at))
		snprintf(to, size, "%s", bson_iter_utf8(&at, NULL));
}

static int64_t
get_number(const bson_t *document, const char *key)
{
	bson_iter_t at;

	return bson_iter_init_find(&at, document, key) ? bson_iter_as_int64(&at)
						       : 0;
}

/* Reads the document. *found: it exists. */
static bool
look(const struct mongodb_owner *o, struct holder *h, bool *found,
	struct err *err)
{
	mongoc_collection_t *c = collection(o);
	bson_t *what = selector();
	mongoc_cursor_t *cursor =
		mongoc_collection_find_with_opts(c, what, NULL, NULL);
	const bson_t *document;
	bson_error_t error;
	bson_iter_t at;
	bool ok;

	*h = (struct holder){ 0 };
	*found = mongoc_cursor_next(cursor, &document);
	if (*found) {
		get_text(document, "machine", h->machine, sizeof h->machine);
		get_text(document, "host", h->host, sizeof h->host);
		h->pid = get_number(document, "pid");
		h->born = get_number(document, "born");
		h->beat = get_number(document, "beat");
		if (bson_iter_init_find(&at, document, "holder") &&
			BSON_ITER_HOLDS_OID(&at))
			h->holder = *bson_iter_oid(&at);
	}
	ok = !mongoc_cursor_error(cursor, &error);
	mongoc_cursor_destroy(cursor);
	bson_destroy(what);
	mongoc_collection_destroy(c);
	return ok || fail(&error, err);
}

/* Updates the document of that holder. Returns 1 if done, 0 if another process
 * holds it, -1 on failure. */
static int
update(const struct mongodb_owner *o, const bson_oid_t *holder,
	const bson_t *change, bson_error_t *error)
{
	mongoc_collection_t *c = collection(o);
	bson_t *what = selector(), reply;
	bool ok;
	int n;

	BSON_APPEND_OID(what, "holder", holder);
	ok = mongoc_collection_update_one(c, what, change, NULL, &reply, error);
	n = !ok ? -1 : get_number(&reply, "matchedCount") > 0;
	bson_destroy(&reply);
	bson_destroy(what);
	mongoc_collection_destroy(c);
	return n;
}

static void
append(bson_t *to, const struct mongodb_owner *o)
{
	struct holder me = { 0 };

	describe(&me);
	BSON_APPEND_OID(to, "holder", &o->holder);
	BSON_APPEND_UTF8(to, "machine", me.machine);
	BSON_APPEND_UTF8(to, "host", me.host);
	BSON_APPEND_INT64(to, "pid", me.pid);
	BSON_APPEND_INT64(to, "born", me.born);
	BSON_APPEND_INT64(to, "beat", 1);
}

/* Inserts the document; only the first process succeeds. Returns false with err
 * on failure, without err if another process was first. */
static bool
insert(const struct mongodb_owner *o, struct err *err)
{
	mongoc_collection_t *c = collection(o);
	bson_t *document = selector();
	bson_error_t error;
	bool ok;

	append(document, o);
	ok = mongoc_collection_insert_one(c, document, NULL, NULL, &error);
	bson_destroy(document);
	mongoc_collection_destroy(c);
	if (!ok && error.code != DUPLICATE)
		fail(&error, err);
	return ok;
}

/* Replaces the document of a dead holder; only the first process succeeds.
 * Returns false with err on failure, without err if another process was first.
 */
static bool
replace(const struct mongodb_owner *o, const struct holder *h, struct err *err)
{
	bson_t change = BSON_INITIALIZER, set;
	bson_error_t error;
	int n;

	BSON_APPEND_DOCUMENT_BEGIN(&change, "$set", &set);
	append(&set, o);
	bson_append_document_end(&change, &set);
	n = update(o, &h->holder, &change, &error);
	bson_destroy(&change);
	if (n < 0)
		fail(&error, err);
	return n > 0;
}

/* Waits until the holder's beat changes or the holder is gone; then *gone is
 * set. Returns false and sets err on failure, or if the beat changed. */
static bool
watch(const struct mongodb_owner *o, const struct holder *h, bool *gone,
	struct err *err)
{
	*gone = is_dead(h);
	for (int i = 0; !*gone && i < 10 * PATIENCE_S; i++) {
		struct holder now;
		bool found;

		nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
		if (!look(o, &now, &found, err))
			return false;
		if (!found || !bson_oid_equal(&now.holder, &h->holder))
			return true; /* the caller tries again */
		if (now.beat != h->beat)
			return err_set(err, ERR_INPUT,
				"another program is writing to it (process "
				"%" PRId64 " on %s): wait until it ends, or "
				"use another database",
				h->pid, h->host);
		*gone = is_dead(h);
	}
	*gone = true;
	return true;
}

static bool
take(const struct mongodb_owner *o, struct err *err)
{
	for (int i = 0; i < 20; i++) {
		struct holder h;
		bool found, gone = false;

		if (!look(o, &h, &found, err))
			return false;
		if (found && bson_oid_equal(&h.holder, &o->holder))
			return true;
		if (found && !watch(o, &h, &gone, err))
			return false;
		if (gone)
			replace(o, &h, err);
		else if (!found)
			insert(o, err);
		if (err->kind != ERR_NONE)
			return false;
	}
	return err_set(err, ERR_INPUT,
		"other programs are writing to it: use another database");
}

static void
beat(struct mongodb_owner *o)
{
	bson_t *change = BCON_NEW("$inc", "{", "beat", BCON_INT64(1), "}");
	bson_error_t error;
	int n = update(o, &o->holder, change, &error);

	bson_destroy(change);
	__atomic_store_n(&o->away, n < 0, __ATOMIC_RELAXED);
	if (n == 0)
		__atomic_store_n(&o->lost, true, __ATOMIC_RELAXED);
}

static void *
work(void *arg)
{
	struct mongodb_owner *o = arg;
	struct timespec until;
	bool ends = false;

	while (!ends) {
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_sec += BEAT_S;
		pthread_mutex_lock(&o->lock);
		if (!o->ends)
			pthread_cond_timedwait(&o->wake, &o->lock, &until);
		ends = o->ends;
		pthread_mutex_unlock(&o->lock);
		if (!ends)
			beat(o);
	}
	return NULL;
}

static bool
start(struct mongodb_owner *o)
{
	sigset_t all, before;
	bool ok;

	pthread_mutex_init(&o->lock, NULL);
	pthread_cond_init(&o->wake, NULL);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ok = pthread_create(&o->thread, NULL, work, o) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ok;
}

static mongoc_client_t *
make_client(const mongoc_uri_t *uri, struct err *err)
{
	mongoc_uri_t *own = mongoc_uri_copy(uri);
	mongoc_client_t *client;
	bson_error_t error;

	mongoc_uri_set_option_as_int32(
		own, MONGOC_URI_SOCKETTIMEOUTMS, TIMEOUT_MS);
	mongoc_uri_set_option_as_int32(
		own, MONGOC_URI_CONNECTTIMEOUTMS, TIMEOUT_MS);
	mongoc_uri_set_option_as_int32(
		own, MONGOC_URI_SERVERSELECTIONTIMEOUTMS, TIMEOUT_MS);
	client = mongoc_client_new_from_uri_with_error(own, &error);
	mongoc_uri_destroy(own);
	if (client != NULL)
		mongoc_client_set_error_api(client, MONGOC_ERROR_API_VERSION_2);
	else
		fail(&error, err);
	return client;
}

struct mongodb_owner *
mongodb_owner_take(struct arena *a, const mongoc_uri_t *uri,
	const char *database, struct err *err)
{
	struct mongodb_owner *o = ARENA_NEW(a, struct mongodb_owner);

	*o = (struct mongodb_owner){ .database = database };
	bson_oid_init(&o->holder, NULL);
	o->client = make_client(uri, err);
	if (o->client == NULL)
		return NULL;
	if (take(o, err)) {
		if (start(o))
			return o;
		err_set(err, ERR_LIMIT, "cannot create a thread");
	}
	mongoc_client_destroy(o->client);
	return NULL;
}

bool
mongodb_owner_is_lost(const struct mongodb_owner *o)
{
	return __atomic_load_n(&o->lost, __ATOMIC_RELAXED);
}

static void
remove_document(const struct mongodb_owner *o)
{
	mongoc_collection_t *c = collection(o);
	bson_t *what = selector();

	BSON_APPEND_OID(what, "holder", &o->holder);
	mongoc_collection_delete_one(c, what, NULL, NULL, NULL);
	bson_destroy(what);
	mongoc_collection_destroy(c);
}

void
mongodb_owner_leave(struct mongodb_owner *o)
{
	if (o == NULL)
		return;
	pthread_mutex_lock(&o->lock);
	o->ends = true;
	pthread_cond_signal(&o->wake);
	pthread_mutex_unlock(&o->lock);
	pthread_join(o->thread, NULL);
	if (!o->away) /* else the server cannot be reached */
		remove_document(o);
	mongoc_client_destroy(o->client);
	pthread_mutex_destroy(&o->lock);
	pthread_cond_destroy(&o->wake);
}
