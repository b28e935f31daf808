/* SPDX-License-Identifier: MIT */
/*
 * A database of a MongoDB server. A table is a collection, a row a document.
 * The last bytes of the document's _id, an ObjectId, are the row's number in
 * big-endian order (mongod would take a number as _id, but other servers
 * replace it by an ObjectId). Nulls are left out. The documents of a batch are
 * inserted in order, so a failure leaves the beginning of a batch.
 */
#include <endian.h>
#include <mongoc/mongoc.h>
#include <pthread.h>
#include <string.h>

#include "base/arena.h"
#include "store/driver.h"
#include "store/mongodb_owner.h"

#define INSERT_ROWS 1000
#define PATIENCE_MS 600000 /* limit of reading and of building indexes */
#define NOT_FOUND 26       /* error code: no such collection */

struct mongodb_back {
	struct store_back back;
	const struct store_setup *setup;
	mongoc_client_t *client;
	struct mongodb_owner *owner;     /* NULL: open for reading only */
	mongoc_collection_t *collection; /* being read or written */
	const struct store_table *table; /* table being read */
	mongoc_cursor_t *cursor;
	bson_t *document[INSERT_ROWS]; /* allocated when first needed */
};

static bool
fail(const bson_error_t *error, struct err *err)
{
	return err_set(
		err, ERR_INPUT, "%s (error %u)", error->message, error->code);
}

static void
quiet(mongoc_log_level_t level, const char *domain, const char *message,
	void *arg)
{
	(void)level;
	(void)domain;
	(void)message;
	(void)arg;
}

static void
start_client(void)
{
	/* Without this, the library also prints the failures that it
	 * returns. */
	mongoc_log_set_handler(quiet, NULL);
	mongoc_init();
}

/* Builds the URI of the server and the user. Returns NULL and sets err on
 * failure. */
static mongoc_uri_t *
make_uri(const struct mongodb_back *m, int64_t timeout_ms, struct err *err)
{
	const struct store_address *p = m->setup->address;
	int32_t connect_ms = (int32_t)m->setup->timeout_ms;
	const char *password;
	mongoc_uri_t *uri;

	if (!store_password(m->setup->arena, &password, err))
		return NULL;
	uri = mongoc_uri_new_for_host_port(
		p->host, (uint16_t)(p->port != 0 ? p->port : 27017));
	if (uri == NULL) {
		err_set(err, ERR_INPUT, "%s: not a valid host", p->host);
		return NULL;
	}
	mongoc_uri_set_database(uri, p->database);
	if (p->user != NULL)
		mongoc_uri_set_username(uri, p->user);
	if (p->user != NULL && password != NULL)
		mongoc_uri_set_password(uri, password);
	/* A user of this database need not exist in "admin". */
	if (p->user != NULL)
		mongoc_uri_set_auth_source(uri, p->database);
	mongoc_uri_set_option_as_int32(
		uri, MONGOC_URI_CONNECTTIMEOUTMS, connect_ms);
	mongoc_uri_set_option_as_int32(
		uri, MONGOC_URI_SERVERSELECTIONTIMEOUTMS, connect_ms);
	mongoc_uri_set_option_as_int32(
		uri, MONGOC_URI_SOCKETTIMEOUTMS, (int32_t)timeout_ms);
	mongoc_uri_set_option_as_bool(uri, MONGOC_URI_RETRYWRITES, false);
	return uri;
}

static bool
connect_for(struct mongodb_back *m, int64_t timeout_ms, struct err *err)
{
	mongoc_uri_t *uri = make_uri(m, timeout_ms, err);
	bson_error_t error;

	if (uri == NULL)
		return false;
	m->client = mongoc_client_new_from_uri_with_error(uri, &error);
	mongoc_uri_destroy(uri);
	if (m->client == NULL)
		return fail(&error, err);
	mongoc_client_set_error_api(m->client, MONGOC_ERROR_API_VERSION_2);
	return true;
}

static void
leave(struct mongodb_back *m)
{
	if (m->collection != NULL)
		mongoc_collection_destroy(m->collection);
	m->collection = NULL;
}

static void
disconnect(struct mongodb_back *m)
{
	leave(m);
	if (m->client != NULL)
		mongoc_client_destroy(m->client);
	m->client = NULL;
}

static mongoc_collection_t *
enter(struct mongodb_back *m, const char *table)
{
	leave(m);
	m->collection = mongoc_client_get_collection(
		m->client, m->setup->address->database, table);
	return m->collection;
}

static void
close_mongodb(struct store_back *b)
{
	struct mongodb_back *m = (struct mongodb_back *)b;

	for (size_t i = 0; i < INSERT_ROWS && m->document[i] != NULL; i++)
		bson_destroy(m->document[i]);
	mongodb_owner_leave(m->owner);
	disconnect(m);
}

/* Connects: the client library connects only for a command. */
static bool
ping(struct mongodb_back *m, struct err *err)
{
	bson_t *command = BCON_NEW("ping", BCON_INT32(1));
	bson_error_t error;
	bool ok = mongoc_client_command_simple(m->client,
		m->setup->address->database, command, NULL, NULL, &error);

	bson_destroy(command);
	return ok || fail(&error, err);
}

/* Takes the lock by which one program at a time writes. */
static bool
take_lock(struct mongodb_back *m, struct err *err)
{
	mongoc_uri_t *uri;

	if (m->setup->mode == STORE_READ)
		return true;
	uri = make_uri(m, m->setup->timeout_ms, err);
	if (uri == NULL)
		return false;
	m->owner = mongodb_owner_take(
		m->setup->arena, uri, m->setup->address->database, err);
	mongoc_uri_destroy(uri);
	return m->owner != NULL;
}

static struct store_back *
open_mongodb(const struct store_setup *s, struct err *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct mongodb_back *m = ARENA_NEW(s->arena, struct mongodb_back);
	bool read = s->mode == STORE_READ;

	pthread_once(&once, start_client);
	m->back.driver = &weft_store_driver;
	m->setup = s;
	if (connect_for(m, read ? PATIENCE_MS : s->timeout_ms, err) &&
		ping(m, err) && take_lock(m, err))
		return &m->back;
	close_mongodb(&m->back);
	return NULL;
}

static bson_oid_t
id_of_row(uint64_t row)
{
	bson_oid_t id = { 0 };
	uint64_t big = htobe64(row);

	memcpy(id.bytes + 4, &big, 8);
	return id;
}

static uint64_t
row_of_id(const bson_oid_t *id)
{
	uint64_t big;

	memcpy(&big, id->bytes + 4, 8);
	return be64toh(big);
}

/* Returns the number in the last document's _id, 0 if there is no document. */
static bool
last_row(struct mongodb_back *m, const char *table, uint64_t *row,
	struct err *err)
{
	bson_t *filter = bson_new();
	bson_t *opts = BCON_NEW("sort", "{", "_id", BCON_INT32(-1), "}",
		"limit", BCON_INT64(1));
	mongoc_cursor_t *cursor = mongoc_collection_find_with_opts(
		enter(m, table), filter, opts, NULL);
	const bson_t *document;
	bson_error_t error;
	bson_iter_t at;
	bool ok;

	*row = 0;
	if (mongoc_cursor_next(cursor, &document)) {
		*row = 1; /* the _id of documents of other programs may be
		           * anything */
		if (bson_iter_init_find(&at, document, "_id") &&
			BSON_ITER_HOLDS_OID(&at))
			*row = row_of_id(bson_iter_oid(&at));
	}
	ok = !mongoc_cursor_error(cursor, &error);
	mongoc_cursor_destroy(cursor);
	bson_destroy(opts);
	bson_destroy(filter);
	return ok || fail(&error, err);
}

static bool
is_there(struct store_back *b, struct err *err)
{
	uint64_t rows;

	return last_row((struct mongodb_back *)b, "weft_schema", &rows, err) &&
		rows > 0;
}

static bool
clear(struct store_back *b, const struct store_table *const *table, uint32_t n,
	struct err *err)
{
	struct mongodb_back *m = (struct mongodb_back *)b;

	for (uint32_t i = 0; i < n; i++) {
		bson_error_t error;

		if (!mongoc_collection_drop(enter(m, table[i]->name), &error) &&
			error.code != NOT_FOUND &&
			strstr(error.message, "not found") == NULL)
			return fail(&error, err);
	}
	return true;
}

static bool
table(struct store_back *b, const struct store_table *t, bool there,
	uint64_t *rows, struct err *err)
{
	if (!last_row((struct mongodb_back *)b, t->name, rows, err))
		return false;
	return there || *rows == 0 ||
		err_set(err, ERR_INPUT,
			"collection %s exists and is not part of a weft store",
			t->name);
}

static void
append(bson_t *to, const struct store_column *c, const struct store_value *v)
{
	int n = (int)strlen(c->name);

	switch (c->type) {
	case STORE_REAL:
		bson_append_double(to, c->name, n, v->real);
		break;
	case STORE_TEXT:
		bson_append_utf8(to, c->name, n, v->text, (int)v->size);
		break;
	case STORE_FLAG:
		bson_append_bool(to, c->name, n, v->flag);
		break;
	default:
		bson_append_int64(to, c->name, n, v->i);
		break;
	}
}

static bson_t *
make_document(struct mongodb_back *m, const struct store_batch *batch,
	uint32_t i, uint32_t slot)
{
	const struct store_table *t = batch->table;
	const struct store_value *row = batch->row + (size_t)i * t->n;
	bson_t *to = m->document[slot];
	bson_oid_t id;

	if (to == NULL)
		to = m->document[slot] = bson_new();
	bson_reinit(to);
	id = id_of_row(batch->first + i);
	bson_append_oid(to, "_id", 3, &id);
	for (uint32_t c = 0; c < t->n; c++)
		if (!row[c].null)
			append(to, &t->column[c], &row[c]);
	return to;
}

/* Counts the documents of a batch that are stored: always the beginning of the
 * batch. */
static bool
count_there(struct mongodb_back *m, const struct store_batch *batch,
	uint32_t *n, bson_error_t *error)
{
	bson_oid_t first = id_of_row(batch->first);
	bson_oid_t end = id_of_row(batch->first + batch->n);
	bson_t *filter = BCON_NEW("_id", "{", "$gte", BCON_OID(&first), "$lt",
		BCON_OID(&end), "}");
	int64_t count = mongoc_collection_count_documents(
		m->collection, filter, NULL, NULL, NULL, error);

	bson_destroy(filter);
	*n = count < 0 ? 0 : (uint32_t)count;
	return count >= 0;
}

static bool
insert(struct mongodb_back *m, const struct store_batch *batch, uint32_t i,
	bson_error_t *error)
{
	while (i < batch->n) {
		uint32_t n = 0;

		for (; n < INSERT_ROWS && i < batch->n; n++, i++)
			make_document(m, batch, i, n);
		if (!mongoc_collection_insert_many(m->collection,
			    (const bson_t **)m->document, n, NULL, NULL, error))
			return false;
	}
	return true;
}

/* Removes the stored part of a refused batch; otherwise its rows would be
 * stored twice when the spool file is imported. If the removal fails, the
 * import recognises these rows. */
static void
remove_begin(struct mongodb_back *m, const struct store_batch *batch)
{
	bson_oid_t first = id_of_row(batch->first);
	bson_t *filter = BCON_NEW("_id", "{", "$gte", BCON_OID(&first), "}");

	mongoc_collection_delete_many(m->collection, filter, NULL, NULL, NULL);
	bson_destroy(filter);
}

/* Returns true if the server is no primary, is shutting down, was interrupted,
 * or did not answer. */
static bool
is_away(const bson_error_t *error)
{
	static const uint32_t codes[] = { 6, 7, 50, 64, 89, 91, 189, 262, 9001,
		10058, 10107, 11600, 11602, 13388, 13435, 13436 };

	if (error->domain == MONGOC_ERROR_STREAM ||
		error->domain == MONGOC_ERROR_SERVER_SELECTION)
		return true;
	for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
		if (error->domain != MONGOC_ERROR_BSON &&
			error->code == codes[i])
			return true;
	return false;
}

static enum store_result
write_rows(
	struct store_back *b, const struct store_batch *batch, struct err *err)
{
	struct mongodb_back *m = (struct mongodb_back *)b;
	bson_error_t error = { 0 };
	uint32_t there = 0;

	if (mongodb_owner_is_lost(m->owner)) {
		err_set(err, ERR_INPUT,
			"another program has taken the database over");
		return STORE_REFUSED;
	}
	enter(m, batch->table->name);
	if (batch->again && !count_there(m, batch, &there, &error)) {
		fail(&error, err);
		return is_away(&error) ? STORE_AWAY : STORE_REFUSED;
	}
	if (insert(m, batch, there, &error))
		return STORE_DONE;
	fail(&error, err);
	if (is_away(&error))
		return STORE_AWAY;
	remove_begin(m, batch);
	return STORE_REFUSED;
}

static bool
reconnect(struct store_back *b, struct err *err)
{
	struct mongodb_back *m = (struct mongodb_back *)b;

	disconnect(m);
	return connect_for(m, m->setup->timeout_ms, err) && ping(m, err);
}

static bool
build_index(struct mongodb_back *m, const char *table, const char *column,
	struct err *err)
{
	char name[80];
	bson_error_t error;
	bson_t *command;
	bool ok;

	snprintf(name, sizeof name, "%s_1", column);
	command = BCON_NEW("createIndexes", BCON_UTF8(table), "indexes", "[",
		"{", "key", "{", column, BCON_INT32(1), "}", "name",
		BCON_UTF8(name), "}", "]");
	ok = mongoc_client_command_simple(m->client,
		m->setup->address->database, command, NULL, NULL, &error);
	bson_destroy(command);
	return ok || fail(&error, err);
}

static bool
build_indexes(
	struct store_back *b, const struct store_table *t, struct err *err)
{
	struct mongodb_back *m = (struct mongodb_back *)b;

	disconnect(m);
	if (!connect_for(m, PATIENCE_MS, err))
		return false;
	for (uint32_t i = 0; i < t->n; i++)
		if (t->column[i].index &&
			!build_index(m, t->name, t->column[i].name, err))
			return false;
	return true;
}

static bool
start(struct store_back *b, const struct store_table *t,
	const struct store_where *where, struct err *err)
{
	struct mongodb_back *m = (struct mongodb_back *)b;
	bson_t *filter = bson_new();
	bson_t *opts = BCON_NEW("sort", "{", "_id", BCON_INT32(1), "}");

	(void)err; /* the first next() reports failures */
	for (uint32_t i = 0; where != NULL && i < t->n; i++)
		if (strcmp(t->column[i].name, where->column) == 0)
			append(filter, &t->column[i], &where->value);
	m->table = t;
	m->cursor = mongoc_collection_find_with_opts(
		enter(m, t->name), filter, opts, NULL);
	bson_destroy(opts);
	bson_destroy(filter);
	return true;
}

static struct store_value
get(enum store_type type, const bson_iter_t *at)
{
	uint32_t size;
	const char *text;

	if (BSON_ITER_HOLDS_NULL(at))
		return store_null();
	switch (type) {
	case STORE_TEXT:
		text = bson_iter_utf8(at, &size);
		return text != NULL ? store_text(text, size) : store_null();
	case STORE_REAL:
		return store_real(bson_iter_as_double(at));
	case STORE_FLAG:
		return store_flag(bson_iter_as_bool(at));
	default:
		return store_int(bson_iter_as_int64(at));
	}
}

static uint32_t
column_of(const struct store_table *t, const char *key)
{
	uint32_t i = 0;

	while (i < t->n && strcmp(t->column[i].name, key) != 0)
		i++;
	return i;
}

static bool
next(struct store_back *b, struct store_value *row, struct err *err)
{
	struct mongodb_back *m = (struct mongodb_back *)b;
	const struct store_table *t = m->table;
	const bson_t *document;
	bson_error_t error;
	bson_iter_t at;

	if (!mongoc_cursor_next(m->cursor, &document))
		return mongoc_cursor_error(m->cursor, &error) &&
			fail(&error, err);
	for (uint32_t i = 0; i < t->n; i++)
		row[i] = store_null();
	if (!bson_iter_init(&at, document))
		return err_set(err, ERR_INPUT, "a damaged document");
	while (bson_iter_next(&at)) {
		uint32_t i = column_of(t, bson_iter_key(&at));

		if (i < t->n)
			row[i] = get(t->column[i].type, &at);
	}
	for (uint32_t i = 0; i < t->n; i++)
		if (row[i].null && !t->column[i].nullable &&
			t->column[i].type != STORE_REAL)
			return err_set(
				err, ERR_INPUT, "no %s", t->column[i].name);
	return true;
}

static void
stop(struct store_back *b)
{
	struct mongodb_back *m = (struct mongodb_back *)b;

	mongoc_cursor_destroy(m->cursor);
	m->cursor = NULL;
}

const struct store_driver weft_store_driver = {
	.layout = STORE_DRIVER_LAYOUT,
	.name = "mongodb",
	.what = "libmongoc " MONGOC_VERSION_S,
	.open = open_mongodb,
	.is_there = is_there,
	.clear = clear,
	.table = table,
	.write = write_rows,
	.reconnect = reconnect,
	.index = build_indexes,
	.start = start,
	.next = next,
	.stop = stop,
	.close = close_mongodb,
};
