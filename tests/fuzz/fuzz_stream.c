/* SPDX-License-Identifier: MIT */
/* The input is the stream.obs of a trace with one thread. */
#include "harness.h"

static const char metadata[] =
	"{\"version\":3,\"ovni\":{\"lib\":{\"version\":\"1.14.0\","
	"\"commit\":\"x\"},\"part\":\"thread\",\"tid\":10,\"pid\":9,"
	"\"loom\":\"n.0\",\"app_id\":1,\"rank\":0,\"nranks\":1,"
	"\"require\":{\"ovni\":\"1.1.0\",\"nanos6\":\"1.1.0\"},"
	"\"loom_cpus\":[{\"index\":0,\"phyid\":3},{\"index\":1,\"phyid\":1}],"
	"\"mark\":{\"1\":{\"title\":\"phase\",\"chan_type\":\"single\","
	"\"labels\":{\"7\":\"seven\"}},\"2\":{\"title\":\"loop\","
	"\"chan_type\":\"stack\",\"labels\":{\"1\":\"outer\"}}},"
	"\"finished\":1}}";

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct harness h;

	if (h.dir[0] == '\0')
		harness_write(&h, "stream.json", metadata, sizeof metadata - 1);
	harness_write(&h, "stream.obs", data, size);
	harness_emulate(&h, "", NULL);
	return 0;
}
