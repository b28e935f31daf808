/* SPDX-License-Identifier: MIT */
#include "weft/sim.h"

#define PS_PER_S 1000000000000

__extension__ typedef unsigned __int128 wide;

static wide
numerator(const struct weft_sim_clock *c)
{
	return (wide)PS_PER_S * (c->den == 0 ? 1 : c->den);
}

int64_t
weft_sim_edge(const struct weft_sim_clock *c, int64_t k)
{
	wide whole = numerator(c), n = (wide)(uint64_t)k, t;

	if (k <= 0)
		return 0;
	/* k * whole may overflow, so the whole part is divided first. */
	t = n * (whole / c->hz);
	if (t < WEFT_SIM_NEVER)
		t += n * (whole % c->hz) / c->hz;
	return t < WEFT_SIM_NEVER ? (int64_t)t : WEFT_SIM_NEVER;
}

/* floor(k P) <= t means k P < t + 1, which means k < (t + 1) / P. */
int64_t
weft_sim_cycle(const struct weft_sim_clock *c, int64_t t)
{
	wide hz = c->hz;

	if (t <= 0)
		return 0;
	return (int64_t)((((wide)(uint64_t)t + 1) * hz - 1) / numerator(c));
}

int64_t
weft_sim_this_tick(const struct weft_sim_clock *c, int64_t t)
{
	int64_t k = weft_sim_cycle(c, t), edge = weft_sim_edge(c, k);

	return edge >= t ? edge : weft_sim_edge(c, k + 1);
}

int64_t
weft_sim_next_tick(const struct weft_sim_clock *c, int64_t t)
{
	return weft_sim_edge(c, weft_sim_cycle(c, t) + 1);
}
