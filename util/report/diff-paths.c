// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Call paths below a row of a diff: numbers in columns on the left, the tree on the right, the
 * function that called first at the top.
 *
 *                before    after    delta    noise
 *              12.00%   20.00%   +8.00%  +-2.10%  |--lookup
 *                                                 |  serve
 *               9.00%   18.50%   +9.50%  +-2.00%  |  |--handle_get
 *               3.00%    1.50%   -1.50%  +-0.80%  |  `--handle_put
 *               8.00%    6.00%   -2.00%  +-1.00%  `--rehash
 */
#include "base/compat.h"
#include "report/diff-text.h"

#define MARGIN 14
#define LEAST_NAME 16 /* columns that are left of a name, however deep it stands */

struct paths {
	const struct diff *d;
	const struct diff_text *t;
	struct strbuf *out;
	struct strbuf prefix; /* prefix of the tree; with separators, of the path */
};

static void put_numbers(struct paths *p, const struct diff_sum *sums)
{
	double base = diff_share(p->d, sums, 0);
	char noise[32];

	strbuf_addf(p->out, "%*s%7.2f%%", MARGIN, "", base);
	for (u32 side = 1; side < p->d->nr_sides; side++) {
		double share = diff_share(p->d, sums, side);

		snprintf(noise, sizeof(noise), "+-%.2f%%", diff_noise(p->d, sums, side));
		strbuf_addf(p->out, "  %7.2f%%  %+7.2f%%  %8s", share, share - base, noise);
	}
}

static void put_branches(struct paths *p, const struct diff_path *parent);

static void put_branch(struct paths *p, const struct diff_path *n, bool last)
{
	size_t len = p->prefix.len;
	u32 blank = MARGIN + 8 + 30 * (p->d->nr_sides - 1);

	for (u32 i = 0; i < n->nr_frames; i++) {
		size_t at;

		if (i)
			strbuf_addf(p->out, "%*s", (int)blank, "");
		else
			put_numbers(p, n->sums);
		strbuf_addstr(p->out, "  ");
		strbuf_add(p->out, p->prefix.buf, p->prefix.len);
		if (i)
			strbuf_addstr(p->out, last ? "   " : "|  ");
		else
			strbuf_addstr(p->out, last ? "`--" : "|--");
		at = p->out->len;
		strbuf_addname(p->out, n->frames[i]);
		if (p->t->fit.columns)
			fit_in_line(p->out, at, p->out->len, &p->t->fit, LEAST_NAME);
		strbuf_addch(p->out, '\n');
	}
	strbuf_addstr(&p->prefix, last ? "   " : "|  ");
	put_branches(p, n);
	p->prefix.len = len;
}

/* With separators each path is a separate line, beginning at the row. */
static void put_folded(struct paths *p, const struct diff_path *n)
{
	const char *sep = p->t->sep;
	double base = diff_share(p->d, n->sums, 0);
	size_t len = p->prefix.len;

	for (u32 i = 0; i < n->nr_frames; i++) {
		if (p->prefix.len)
			strbuf_addch(&p->prefix, ';');
		strbuf_addname(&p->prefix, n->frames[i]);
	}
	strbuf_addf(p->out, "%.2f", base);
	for (u32 side = 1; side < p->d->nr_sides; side++) {
		double share = diff_share(p->d, n->sums, side);

		strbuf_addf(p->out, "%s%.2f%s%+.2f%s%.2f", sep, share, sep, share - base, sep,
			    diff_noise(p->d, n->sums, side));
	}
	strbuf_addstr(p->out, sep);
	strbuf_add(p->out, p->prefix.buf, p->prefix.len);
	strbuf_addch(p->out, '\n');
	put_branches(p, n);
	p->prefix.len = len;
}

static void put_branches(struct paths *p, const struct diff_path *parent)
{
	for (u32 i = 0; i < parent->nr_children; i++) {
		if (p->t->sep)
			put_folded(p, parent->children[i]);
		else
			put_branch(p, parent->children[i], i + 1 == parent->nr_children);
	}
}

void diff_path_titles(const struct diff *d, const struct diff_text *t, struct strbuf *out)
{
	static const char *const titles[] = { "after", "delta", "noise" };
	const char *sep = t->sep;
	char title[32];

	strbuf_addf(out, sep ? "# before" : "# below a row:%*s", MARGIN + 8 - 14, "before");
	for (u32 side = 1; side < d->nr_sides; side++) {
		for (size_t i = 0; i < ARRAY_SIZE(titles); i++) {
			snprintf(title, sizeof(title), t->numbered ? "%s/%u" : "%s", titles[i],
				 side);
			strbuf_addf(out, sep ? "%s%s" : "%s%8s", sep ? sep : "  ", title);
		}
	}
	strbuf_addf(out, "%scall path\n", sep ? sep : "  ");
	if (!sep)
		strbuf_addstr(out, "#\n");
}

void diff_path_lines(const struct diff *d, const struct diff_text *t, const struct diff_path *root,
		     struct strbuf *out)
{
	struct paths p = { .d = d, .t = t, .out = out, .prefix = STRBUF_INIT };

	put_branches(&p, root);
	if (!t->sep)
		strbuf_addch(out, '\n');
	strbuf_release(&p.prefix);
}
