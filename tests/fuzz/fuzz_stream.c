/* SPDX-License-Identifier: MIT */
/* The input is the stream.obs of a trace with one thread, which requires all
 * models of ovni. */
#include "harness.h"

static const char metadata[] =
	"{\"version\":3,\"ovni\":{\"lib\":{\"version\":\"1.14.0\","
	"\"commit\":\"x\"},\"part\":\"thread\",\"tid\":10,\"pid\":9,"
	"\"loom\":\"n.0\",\"app_id\":1,\"rank\":0,\"nranks\":1,"
	"\"require\":{\"ovni\":\"1.1.0\",\"nanos6\":\"1.1.0\","
	"\"nosv\":\"2.7.0\",\"nodes\":\"1.0.0\",\"tampi\":\"1.0.0\","
	"\"mpi\":\"1.0.0\",\"kernel\":\"1.0.0\",\"openmp\":\"1.2.1\","
	"\"wait\":\"1.0.0\"},"
	"\"loom_cpus\":[{\"index\":0,\"phyid\":3},{\"index\":1,\"phyid\":1}],"
	"\"mark\":{\"1\":{\"title\":\"phase\",\"chan_type\":\"single\","
	"\"labels\":{\"7\":\"seven\"}},\"2\":{\"title\":\"loop\","
	"\"chan_type\":\"stack\",\"labels\":{\"1\":\"outer\"}}},"
	"\"finished\":1},\"nosv\":{\"can_breakdown\":true,\"hwc\":{"
	"\"0\":{\"name\":\"INS\"},\"1\":{\"name\":\"CYC\"},"
	"\"2\":{\"name\":\"MISS\"}}}}";

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
