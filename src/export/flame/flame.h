/* SPDX-License-Identifier: MIT */
/*
 * flame.h - what the formats of flame graphs have in common: how long each
 * stack of states lasted, as a tree.
 *
 * A flame graph has one type: the first with stacks, or else the first of
 * states (primary.h) of all classes. A node of the tree is an entry of a stack
 * below those of its ancestors; its time is how long it was the top. Records of
 * other types are left out. So the times of all nodes with a label add up to
 * that label's line of `weft stat`.
 */
#ifndef WEFT_EXPORT_FLAME_FLAME_H
#define WEFT_EXPORT_FLAME_FLAME_H

#include "base/file.h"
#include "base/map.h"
#include "export/primary.h"
#include "export/stacks.h"

#define FLAME_SMALL 64 /* values whose frames are found without the map */
#define FLAME_ROOT 0   /* node of the empty stack, or above those of rows */

struct flame_node {
	uint32_t parent, frame;
	int64_t time;   /* as the top of a stack, in the unit of the trace */
	uint64_t count; /* how often it was entered */
};

/* A distinct value; in trees by row, also a row. */
struct flame_frame {
	int64_t value;     /* of the type */
	uint32_t row;      /* or ROW_NONE */
	const char *label; /* NULL: the value */
	bool is_checked;   /* its text was looked at */
};

struct flame_type {
	const char *title;
	const char *unit; /* of the weights of samples; or NULL */
	bool sampled;
	uint32_t small[FLAME_SMALL]; /* frame + 1 of small values; 0: none */
	struct map frame_of;         /* the same for other values; owned */
};

struct flame_row {
	const char *name;
	uint32_t frame; /* + 1; 0: none yet */
};

struct flame {
	struct sink base;
	struct arena *arena; /* borrowed */
	const char *name;    /* usual name of the file; a literal */
	struct outfile out;
	const char *unit; /* of the times in the file: "ns" or "ps" */
	int64_t per;      /* trace time units per unit of the file */
	bool by_row;      /* the first level of the tree are the rows */
	bool chosen, has_type;
	struct primary candidates;
	uint32_t type; /* the one whose records count */
	bool sampled;  /* its records are samples: count counts them */
	const char *title;
	VEC(struct flame_type) types;
	VEC(struct flame_row) rows;
	struct stacks stacks;
	VEC(struct flame_node) nodes;
	VEC(struct flame_frame) frames;
	struct map node_of; /* parent, frame -> node; owned */
	int64_t end;
	uint64_t others; /* records of other types */
	uint64_t links, gaps, panels;
	uint64_t rounded; /* times that are not whole units of the file */
	uint64_t mended;  /* texts of frames that are not UTF-8 */
	/* Called when the stack of a row changes: from `same` entries on it is
	 * another one; or NULL. */
	void (*changed)(struct flame *f, const struct stack_lane *l,
		const struct stack_now *now, uint32_t same, int64_t time);
};

/* Opens the file, f->name in `dir` if the setup has none, and prepares the
 * tree. Returns false with err. */
bool flame_open(struct flame *f, const struct sink_ops *ops, struct arena *a,
	const char *dir, const struct sink_setup *setup, struct err *err);

/* The members of struct sink_ops that all formats of flame graphs have. */
void flame_row(struct sink *s, const struct row *row);
void flame_type(struct sink *s, const struct type *type);
void flame_label(struct sink *s, uint32_t type, int64_t value, const char *text,
	enum meaning meaning);
void flame_state(struct sink *s, const struct record *r);
void flame_advance(struct sink *s, int64_t time);
void flame_link(struct sink *s, const struct link *l);
void flame_gap(struct sink *s, const struct gap *g);
void flame_panel(struct sink *s, const struct panel *p);
void flame_rename(struct sink *s, uint32_t row, const char *name);
void flame_loss(struct sink *s, void (*fn)(void *arg, const struct loss *loss),
	void *arg);
extern const char *const flame_losses[];

#define FLAME_CALLS FLAME_DRAWN, .loss = flame_loss, .losses = flame_losses
#define FLAME_DRAWN \
	.takes_samples = true, .row = flame_row, .type = flame_type, \
	.label = flame_label, .state = flame_state, .advance = flame_advance, \
	.link = flame_link, .gap = flame_gap, .panel = flame_panel, \
	.rename = flame_rename

/* Ends all stacks at the end of the timeline. */
void flame_end(struct flame *f);

/* Returns the frame of a value. */
uint32_t flame_frame(struct flame *f, int64_t value);

/* Returns the text of a frame; may be called after flame_end(). */
const char *flame_text(struct flame *f, uint32_t frame);

/* Finishes the file and frees everything. */
bool flame_close(struct flame *f, struct err *err);

#endif
