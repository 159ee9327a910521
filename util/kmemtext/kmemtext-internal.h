/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PERF_KMEMTEXT_KMEMTEXT_INTERNAL_H
#define PERF_KMEMTEXT_KMEMTEXT_INTERNAL_H

#include "kmem/kmem.h"
#include "kmemtext/kmemtext.h"
#include "tracefmt/tracefmt.h"

/* The rows are made of this. */
struct kmem_text {
	const struct kmem_show *show;
	struct analysis *a;
	const struct kmem *kmem;
	struct strbuf *out; /* borrowed */
};

/* ---- order ---- */

/** kmem_order_parse - read "frag,hit". Return: 0, or -EINVAL and a sentence. */
int kmem_order_parse(struct kmem_order *o, enum kmem_kind kind, const char *keys, struct err *err);
/** kmem_sort_slab, kmem_sort_pages - sort rows, the largest first; those that are equal by address.
 */
void kmem_sort_slab(const struct kmem_order *o, struct kmem_use *rows, size_t nr);
void kmem_sort_pages(const struct kmem_order *o, struct kmem_pages *rows, size_t nr);

/* ---- pieces ---- */

/** put_rule - append a line of dashes. */
void put_rule(struct strbuf *out);
/** put_title - append an empty line and a title that is underlined. */
void put_title(struct strbuf *out, const char *title);
/** put_code - append the name of a call site. @offset: with the distance from its start */
void put_code(const struct kmem_text *t, u64 address, bool offset, struct strbuf *out);
/** rows_shown - return how many rows of a table are shown. */
size_t rows_shown(const struct kmem_show *show, enum kmem_table table, size_t nr);

/* ---- flags of allocations ---- */

/* The words of the flags, as the recording has them. */
struct gfp_words {
	const struct tf_sym *syms; /* borrowed from the formats */
	u32 nr;
};

/** gfp_words_of - find the words in the formats of a recording. @tf: NULL: there are none */
struct gfp_words gfp_words_of(const struct tracefmt *tf);
/** gfp_put - append "GFP_KERNEL|__GFP_ZERO". */
void gfp_put(const struct gfp_words *w, u64 flags, struct strbuf *out);
/** gfp_put_short - append the same in few letters: "K|Z". */
void gfp_put_short(const struct gfp_words *w, u64 flags, struct strbuf *out);

/* ---- tables ---- */

/** put_slab, put_page - append all that is shown of an allocator. */
void put_slab(const struct kmem_text *t);
void put_page(const struct kmem_text *t);
/** put_leaks - append the table of what was not freed. @offset: as for put_code(); @rows: owned
 * from now on */
void put_leaks(const struct kmem_text *t, bool offset, struct kmem_leak *rows, size_t nr);

#endif
