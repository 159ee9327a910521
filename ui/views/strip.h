/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A strip of time: when samples were taken, with a row for each CPU or for each thread below one
 * for all of them. A range of time is chosen on it, with keys or with the mouse.
 */
#ifndef PERF_UI_VIEWS_STRIP_H
#define PERF_UI_VIEWS_STRIP_H

#include "analyze/tracks.h"
#include "ui/widgets/view.h"

/* The counts, of CPUs and of threads. Pointers are borrowed. */
struct strip_tracks {
	const struct tracks *of[NR_TRACKS_OF];
	/* Append the name of a track. */
	void (*name)(void *ctx, enum tracks_of kind, const struct track *track, struct strbuf *out);
	void *ctx;
};

/* This is shown. Pointers are borrowed. */
struct strip_shown {
	const struct strip_tracks *tracks;
	const char *event; /* whose samples they are */
	/* Append the command that prints the samples of a range. @time: for its --time */
	void (*command)(void *ctx, const char *time, struct strbuf *out);
	void *ctx;
};

/** strip_bindings - what its keys ask for. */
extern const struct binding strip_bindings[];

/** STRIP_CHOSEN - is returned when a range was chosen, beside enum view_result. */
enum { STRIP_CHOSEN = VIEW_OWN };

/**
 * strip_view - show it until a range is chosen, or it is left.
 * @time: receives the range as --time takes it
 * Return: as view_run(), or STRIP_CHOSEN
 */
int strip_view(struct ui *ui, const struct strip_shown *shown, struct strbuf *time);

#endif
