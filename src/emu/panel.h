/* SPDX-License-Identifier: MIT */
/*
 * panel.h - views that lay several types of a row over one another, as the
 * rows of models ask for them.
 *
 * A model names channels; each class of rows that has all of them gets the
 * panel. If one belongs to a model that is off, there is no panel.
 */
#ifndef WEFT_EMU_PANEL_H
#define WEFT_EMU_PANEL_H

struct emu;

/* Tells the sink the panels of all enabled models. After view_declare(). */
void panel_declare(struct emu *emu);

#endif
