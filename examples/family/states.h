/* SPDX-License-Identifier: MIT */
/*
 * states.h - the events that come in pairs, of each model: a state is entered
 * by one event and left by the other.
 */
#ifndef FAMILY_STATES_H
#define FAMILY_STATES_H

struct state {
	char in[4], out[4];
};

/* Each array ends with an empty name. */
extern const struct state nosv_states[], nodes_states[], tampi_states[],
	mpi_states[], openmp_states[];

#endif
