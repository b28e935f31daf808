/* SPDX-License-Identifier: MIT */
#include "mem/db/node.h"

#include "test.h"

/* clang-format off */
static const struct row {
	uint32_t kind;
	int valid, variable, root, code, placeholder, adds_up;
} rows[] = {
	{ 0,  1, 0, 0, 1, 0, 1 }, /* frame */
	{ 1,  1, 0, 0, 1, 0, 1 }, /* leaf */
	{ 2,  1, 1, 0, 1, 0, 1 }, /* allocation */
	{ 3,  1, 1, 0, 1, 0, 1 }, /* ... that is a leaf too */
	{ 4,  1, 1, 0, 0, 0, 1 }, /* global variable */
	{ 8,  1, 0, 0, 0, 1, 1 }, /* unknown attribute */
	{ 16, 1, 0, 1, 0, 1, 0 }, /* root */
	{ 32, 1, 0, 0, 0, 1, 1 }, /* memory access */
	{ 6,  0, 1, 0, 0, 0, 1 },
	{ 18, 0, 1, 1, 0, 1, 0 },
	{ 64, 0, 0, 0, 0, 0, 1 },
};
/* clang-format on */

TEST(each_kind_has_its_value_and_predicates)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct row *r = &rows[i];

		CHECK_INT(node_is_valid(r->kind), r->valid);
		CHECK_INT(node_is_variable(r->kind), r->variable);
		CHECK_INT(node_is_root(r->kind), r->root);
		CHECK_INT(node_is_code(r->kind), r->code);
		CHECK_INT(node_is_placeholder(r->kind), r->placeholder);
		CHECK_INT(node_adds_up(r->kind), r->adds_up);
	}
	CHECK_INT(NODE_LEAF, 1);
	CHECK_INT(NODE_ALLOCATION, 2);
	CHECK_INT(NODE_VARIABLE, 4);
	CHECK_INT(NODE_UNKNOWN, 8);
	CHECK_INT(NODE_ROOT, 16);
	CHECK_INT(NODE_ACCESS, 32);
}

TEST_MAIN(RUN(each_kind_has_its_value_and_predicates))
