/* SPDX-License-Identifier: MIT */
/* Checks the kinds of stores that a simulator can write to. */
#include "cli/doctor/doctor.h"
#include "store/driver.h"

void
doctor_stores(struct doctor *d)
{
	doctor_tell(d, "stream, csv, json", DOCTOR_YES,
		"files; they need no client library");
	for (const struct store_client *c = store_clients; c->kind; c++) {
		struct err err = { 0 };
		const struct store_driver *driver =
			store_driver_find(c->kind, &err);

		if (driver != NULL)
			doctor_tell(d, c->kind, DOCTOR_YES, "%s", driver->what);
		else
			doctor_tell(d, c->kind, DOCTOR_NO, "%s", err.text);
	}
}
