/* SPDX-License-Identifier: MIT */
/*
 * port.h - the functions of a port that only its wire calls; private to
 * src/sim.
 *
 * A component calls only its own ports, a wire calls the ports at its ends.
 * Wires are secondary handlers, so components and wires never run at the same
 * time on different threads.
 */
#ifndef WEFT_SIM_PORT_H
#define WEFT_SIM_PORT_H

#include "weft/sim.h"

int buffer_init(struct weft_sim_buffer *b, struct weft_sim_domain *parent,
	struct weft_sim_engine *e, uint32_t capacity, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/* Appends a message; the caller has checked that there is room. Wakes the
 * owner. */
void port_deliver(struct weft_sim_port *p, struct weft_sim_msg *msg);

/* Removes the oldest message. Wakes the owner if the buffer had been full and
 * was not empty in between. */
void port_take_out(struct weft_sim_port *p);

#endif
