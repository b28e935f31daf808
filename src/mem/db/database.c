/* SPDX-License-Identifier: MIT */
#include "mem/db/database.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

#define COST \
	{ "samples", STORE_UINT, false, false }, \
		{ "periods", STORE_UINT, false, false }, \
	{ \
		"cycles", STORE_UINT, false, false \
	}

/* clang-format off */
static const struct store_column info_columns[] = {
	{ "key", STORE_NAME, false, false },
	{ "value", STORE_TEXT, false, false },
};
static const struct store_column event_columns[] = {
	{ "event", STORE_INT, false, false },
	{ "name", STORE_NAME, false, false },
	{ "kind", STORE_INT, false, false },
	{ "source", STORE_INT, false, false },
	{ "error", STORE_INT, false, false },
	{ "period", STORE_UINT, false, false },
	{ "step", STORE_UINT, false, false },
	{ "computes", STORE_UINT, false, false },
	{ "unsure", STORE_UINT, false, false },
	{ "known", STORE_UINT, false, false },
	COST,
	{ "guessed_samples", STORE_UINT, false, false },
	{ "guessed_periods", STORE_UINT, false, false },
	{ "guessed_cycles", STORE_UINT, false, false },
	{ "mixed_samples", STORE_UINT, false, false },
	{ "mixed_periods", STORE_UINT, false, false },
	{ "mixed_cycles", STORE_UINT, false, false },
};
static const struct store_column process_columns[] = {
	{ "process", STORE_INT, false, false },
	{ "image", STORE_UINT, false, false },
	{ "pid", STORE_INT, false, false },
	{ "rank", STORE_INT, true, false },
	{ "host", STORE_NAME, true, false },
	{ "program", STORE_NAME, true, false },
	{ "called", STORE_NAME, true, false },
	{ "started_ns", STORE_UINT, false, false },
	{ "duration_ns", STORE_UINT, false, false },
	{ "threads", STORE_INT, false, false },
	{ "silent_threads", STORE_INT, false, false },
	{ "silent_ns", STORE_UINT, false, false },
	{ "samples", STORE_UINT, false, false },
	{ "ended", STORE_FLAG, false, false },
	{ "live_bytes", STORE_UINT, false, false },
	{ "live_blocks", STORE_UINT, false, false },
	{ "peak_bytes", STORE_UINT, false, false },
};
static const struct store_column heap_columns[] = {
	{ "process", STORE_INT, false, false },
	{ "time_ns", STORE_INT, false, false },
	{ "live_bytes", STORE_UINT, false, false },
	{ "live_blocks", STORE_UINT, false, false },
	{ "mapped_bytes", STORE_UINT, false, false },
	{ "peak_bytes", STORE_UINT, false, false },
};
static const struct store_column loss_columns[] = {
	{ "process", STORE_INT, false, false },
	{ "kind", STORE_INT, false, false },
	{ "count", STORE_UINT, false, false },
};
static const struct store_column process_cost_columns[] = {
	{ "process", STORE_INT, false, false },
	{ "event", STORE_INT, false, false },
	COST,
};
static const struct store_column location_columns[] = {
	{ "location", STORE_INT, false, false },
	{ "function", STORE_NAME, false, false },
	{ "file", STORE_NAME, true, false },
	{ "line", STORE_INT, false, false },
	{ "module", STORE_NAME, true, false },
	{ "is_named", STORE_FLAG, false, false },
	{ "is_inlined", STORE_FLAG, false, false },
	{ "call", STORE_UINT, false, false },
};
static const struct store_column variable_columns[] = {
	{ "variable", STORE_INT, false, false },
	{ "kind", STORE_NAME, false, false },
	{ "name", STORE_NAME, false, false },
	{ "given", STORE_NAME, true, false },
	{ "location", STORE_INT, false, false },
	{ "bytes", STORE_UINT, false, false },
	{ "blocks", STORE_UINT, false, false },
	{ "live_bytes", STORE_UINT, false, false },
	{ "live_blocks", STORE_UINT, false, false },
	{ "half_bytes", STORE_UINT, false, false },
	{ "peak_bytes", STORE_UINT, false, false },
	{ "least_bytes", STORE_UINT, false, false },
	{ "most_bytes", STORE_UINT, false, false },
	{ "is_estimate", STORE_FLAG, false, false },
	{ "freed_samples", STORE_UINT, false, false },
	{ "threads", STORE_UINT, false, false },
};
static const struct store_column chain_columns[] = {
	{ "variable", STORE_INT, false, false },
	{ "position", STORE_INT, false, false },
	{ "location", STORE_INT, false, false },
};
static const struct store_column total_columns[] = {
	{ "variable", STORE_INT, false, false },
	{ "event", STORE_INT, false, false },
	COST,
	{ "guessed_samples", STORE_UINT, false, false },
	{ "guessed_periods", STORE_UINT, false, false },
	{ "guessed_cycles", STORE_UINT, false, false },
	{ "mixed_samples", STORE_UINT, false, false },
	{ "mixed_periods", STORE_UINT, false, false },
	{ "mixed_cycles", STORE_UINT, false, false },
};
static const struct store_column cost_columns[] = {
	{ "process", STORE_INT, false, false },
	{ "variable", STORE_INT, false, false },
	{ "event", STORE_INT, false, false },
	COST,
	{ "threads", STORE_INT, false, false },
};
static const struct store_column access_columns[] = {
	{ "variable", STORE_INT, false, false },
	{ "location", STORE_INT, false, false },
	{ "event", STORE_INT, false, false },
	{ "is_outer", STORE_FLAG, false, false },
	COST,
};
static const struct store_column node_columns[] = {
	{ "node", STORE_INT, false, false },
	{ "parent", STORE_INT, false, false },
	{ "kind", STORE_INT, false, false },
	{ "location", STORE_INT, false, false },
	{ "variable", STORE_INT, true, false },
	{ "bytes", STORE_UINT, false, false },
	{ "blocks", STORE_UINT, false, false },
};
static const struct store_column node_cost_columns[] = {
	{ "node", STORE_INT, false, false },
	{ "event", STORE_INT, false, false },
	COST,
};
static const struct store_column metric_columns[] = {
	{ "variable", STORE_INT, false, false },
	{ "number", STORE_INT, false, false },
	{ "is_level", STORE_FLAG, false, false },
	{ "samples", STORE_UINT, false, false },
};
#define TABLE(of) { #of, of##_columns, sizeof of##_columns / sizeof of##_columns[0] }
const struct store_table database_tables[DATABASE_TABLES] = {
	[DATABASE_INFO] = TABLE(info),
	[DATABASE_EVENT] = TABLE(event),
	[DATABASE_PROCESS] = TABLE(process),
	[DATABASE_HEAP] = TABLE(heap),
	[DATABASE_LOSS] = TABLE(loss),
	[DATABASE_PROCESS_COST] = TABLE(process_cost),
	[DATABASE_LOCATION] = TABLE(location),
	[DATABASE_VARIABLE] = TABLE(variable),
	[DATABASE_CHAIN] = TABLE(chain),
	[DATABASE_TOTAL] = TABLE(total),
	[DATABASE_COST] = TABLE(cost),
	[DATABASE_ACCESS] = TABLE(access),
	[DATABASE_NODE] = TABLE(node),
	[DATABASE_NODE_COST] = TABLE(node_cost),
	[DATABASE_METRIC] = TABLE(metric),
};
/* clang-format on */

bool
database_is(const char *path)
{
	static const char magic[16] = "SQLite format 3";
	char head[sizeof magic];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is;

	if (fd < 0)
		return false;
	is = file_is_regular(path) &&
		file_pread(fd, head, sizeof head, 0) == sizeof head &&
		memcmp(head, magic, sizeof head) == 0;
	close(fd);
	return is;
}
