/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Latencies of pairs of events, and samples over time, as pictures and as text.
 *
 * A picture is an SVG file, or a page that holds it with the figures and the histogram. Both stand
 * alone: no script or style comes from elsewhere. Cells are coloured by how many are in them, pairs
 * on a logarithmic scale; each tells its bounds and its count when pointed at.
 */
#ifndef PERF_EXPORT_HEATMAP_H
#define PERF_EXPORT_HEATMAP_H

#include "analyze/pair.h"
#include "base/strbuf.h"

/* Everything is borrowed. */
struct heatmap_conf {
	const char *title, *subtitle; /* any text */
	const struct grid *grid;
	struct pairs *pairs; /* NULL: the grid is of density.h */
	const char *what;    /* what is counted: "pairs", "samples" */
};

/** heatmap_svg - the picture. */
void heatmap_svg(const struct heatmap_conf *conf, struct strbuf *out);
/** heatmap_html - a page with it. */
void heatmap_html(const struct heatmap_conf *conf, struct strbuf *out);

/** pair_text - the histogram, figures, and what was left without a partner. */
void pair_text(struct pairs *pairs, const char *title, const char *subtitle, struct strbuf *out);

#endif
