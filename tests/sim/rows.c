/* SPDX-License-Identifier: MIT */
/* rows PLACE - prints all rows of a task store as the same text for every kind
 * of store. */
#include <inttypes.h>
#include <stdio.h>

#include "store/store.h"

static void
print_value(struct store_reader *r, enum store_type type,
	const struct store_value *v)
{
	if (v->null)
		fputs("-", stdout);
	else if (type == STORE_NAME)
		fputs(store_read_name(r, v->name, NULL), stdout);
	else if (type == STORE_TEXT)
		fwrite(v->text, 1, v->size, stdout);
	else if (type == STORE_FLAG)
		fputs(v->flag ? "yes" : "no", stdout);
	else
		printf("%" PRId64, v->i);
	fputs("|", stdout);
}

int
main(int argc, char *argv[])
{
	struct store_value row[STORE_COLUMNS_MAX];
	const struct store_table *t;
	struct err err = { 0 };
	struct store_reader *r = argc == 2 ? store_read(argv[1], &err) : NULL;

	for (uint32_t i = 0; r != NULL && (t = store_read_table(r, i)) != NULL;
		i++) {
		store_read_start(r, t, NULL);
		while (store_read_next(r, row)) {
			printf("%s: ", t->name);
			for (uint32_t k = 0; k < t->n; k++)
				print_value(r, t->column[k].type, &row[k]);
			puts("");
		}
	}
	if (r == NULL || store_read_failed(r, &err)) {
		printf("%s\n", err.text);
		return 1;
	}
	store_read_close(r);
	return 0;
}
