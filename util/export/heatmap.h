/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Latencies of pairs of events, and samples over time, as pictures and as text.
 *
 * A picture is an SVG file, or a page that contains it together with figures and a histogram. Both
 * are self-contained: they load no script or style. The colour of a cell shows its count, for pairs
 * on a logarithmic scale, and pointing at a cell shows its bounds and its count.
 */
#ifndef PERF_EXPORT_HEATMAP_H
#define PERF_EXPORT_HEATMAP_H

#include "analyze/pair.h"
#include "base/err.h"
#include "base/strbuf.h"

/* The contents of a picture. Everything is borrowed. */
struct heatmap_conf {
	const char *title, *subtitle; /* any text */
	const struct grid *grid;
	struct pairs *pairs; /* NULL: the grid is one of density.h */
	const char *what;    /* the unit of counts: "pairs", "samples" */
	u64 begin;           /* when the recording began: times are told from there on */
};

/** heatmap_svg - append a picture of @nr heat maps below each other, at least one. */
void heatmap_svg(const struct heatmap_conf *conf, u32 nr, struct strbuf *out);
/** heatmap_html - append a page with that picture and, of pairs, the text of the first one. */
void heatmap_html(const struct heatmap_conf *conf, u32 nr, struct strbuf *out);

/**
 * heatmap_write - write either one to a file: a page if the name ends so. "-" is standard output.
 * Return: 0, or negative and a sentence.
 */
int heatmap_write(const struct heatmap_conf *conf, u32 nr, const char *path, struct err *err);

/** pair_text - append the histogram, the figures, and the numbers of events without a partner. */
void pair_text(struct pairs *pairs, const char *title, const char *subtitle, struct strbuf *out);

/* A heat map of pairs that shows things which take a time: delays, runs, waits or calls. */
struct span_map;

/* The words of a map, which are borrowed. */
struct span_map_words {
	const char *title, *subtitle;
	const char *what; /* its cells count these: "delays" */
};

/** span_map_new - make an empty map. span_map_free() frees it. */
struct span_map *span_map_new(const struct span_map_words *words);
void span_map_free(struct span_map *m);
/** span_map_add - count something that took from @begin to @end, in ns. They come in the order of
 * @end. */
void span_map_add(struct span_map *m, u64 begin, u64 end);
/**
 * span_map_write - write the map as a picture, or as a page if the name ends so.
 * Return: 0, or negative and a sentence.
 */
int span_map_write(struct span_map *m, const char *path, struct err *err);

#endif
