/* SPDX-License-Identifier: MIT */
/*
 * port.h - the wire's side of a port; private to src/sim.
 *
 * A component calls its own port only, and a wire both ends; wires are
 * secondary, so the two never meet on different threads.
 */
#ifndef WEFT_SIM_PORT_H
#define WEFT_SIM_PORT_H

#include "weft/sim.h"

int buffer_init(struct weft_sim_buffer *b, struct weft_sim_domain *parent,
	struct weft_sim_engine *e, uint32_t capacity, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/* Puts a message in; there is room. Wakes the owner. */
void port_deliver(struct weft_sim_port *p, struct weft_sim_msg *msg);

/* Takes the oldest message out; wakes the owner if the buffer was full, and has
 * not been empty since. */
void port_take_out(struct weft_sim_port *p);

#endif
