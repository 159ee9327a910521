// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Folded stacks, which flame graph scripts read: on each line the frames from the outermost on,
 * separated by ';', then a blank and the weight. The name of the thread comes first.
 */
#include "base/compat.h"

#include "export/formats.h"

#include "base/alloc.h"
#include "codec/quote.h"

#include <errno.h>

/* All names in one buffer, because each of them is used on many lines. */
struct names {
	struct strbuf text;
	size_t *at; /* offset of each frame's name; one more than there are frames */
};

static void make_names(const struct stacks *s, struct names *n)
{
	n->at = xcalloc((size_t)s->nr_frames + 1, sizeof(*n->at));
	for (u32 i = 0; i < s->nr_frames; i++) {
		const struct stacks_frame *f = &s->frames[i];
		bool object = !f->symbol && f->dso;

		n->at[i] = n->text.len;
		if (object) /* in the form of collapse scripts: "[[vdso]]" */
			strbuf_addch(&n->text, '[');
		quote_folded(&n->text, stacks_text(s, object ? f->dso : f->name));
		if (object)
			strbuf_addch(&n->text, ']');
	}
	n->at[s->nr_frames] = n->text.len;
}

/* The text of the last stack is kept, because the next stacks begin with the same frames. */
struct folder {
	const struct stacks *s;
	struct export_out *o;
	struct names names;
	struct strbuf line;
	u32 *path, *last, nr_last;
	size_t *len; /* length of the line after each frame */
};

static void folder_start(struct folder *f, const struct stacks *s, struct export_out *o)
{
	u32 max = stacks_depth(s);

	*f = (struct folder){ .s = s, .o = o };
	f->path = xcalloc((size_t)max + 1, sizeof(*f->path));
	f->last = xcalloc((size_t)max + 1, sizeof(*f->last));
	f->len = xcalloc((size_t)max + 1, sizeof(*f->len));
	make_names(s, &f->names);
}

static void folder_end(struct folder *f)
{
	strbuf_release(&f->line);
	strbuf_release(&f->names.text);
	free(f->names.at);
	free(f->path);
	free(f->last);
	free(f->len);
}

/* Append "comm;main;f". */
static void put_stack(struct folder *f, const struct stacks_sum *m)
{
	u32 nr = stacks_path(f->s, m->node, f->path), same = 0;
	const size_t *at = f->names.at;

	while (same < nr && same < f->nr_last && f->path[same] == f->last[same])
		same++;
	f->line.len = same ? f->len[same - 1] : 0;
	for (u32 i = same; i < nr; i++) {
		u32 frame = f->path[i];

		strbuf_addch(&f->line, ';');
		strbuf_add(&f->line, f->names.text.buf + at[frame], at[frame + 1] - at[frame]);
		f->len[i] = f->line.len;
		f->last[i] = frame;
	}
	f->nr_last = nr;
	quote_folded_comm(export_buf(f->o), stacks_text(f->s, f->s->threads[m->thread].comm));
	export_put(f->o, f->line.buf, f->line.len);
}

static int write_folded(const struct stacks *s, const struct export_opts *opts,
			struct export_out *o, struct err *err)
{
	int event = export_event(s, opts, err);
	struct folder f;

	if (event < 0)
		return event;
	folder_start(&f, s, o);
	for (size_t i = 0; i < s->nr_sums && !export_failed(o); i++) {
		const struct stacks_sum *m = &s->sums[i];

		if (m->event != (u32)event || !stacks_weight(m, opts->weight))
			continue;
		put_stack(&f, m);
		export_ch(o, ' ');
		export_dec(o, stacks_weight(m, opts->weight));
		export_ch(o, '\n');
	}
	folder_end(&f);
	return 0;
}

const struct export_ops export_folded = {
	.name = "folded",
	.arg = "FILE",
	.arg_optional = true,
	.help = "Write stacks as lines of frames with their weights (- or no FILE: standard output)",
	.dims = { .comm = true, .names = true, .bare = true },
	.write = write_folded,
};

/* ---- two recordings ---- */

static int stack_order(const struct stacks_sum *a, const struct stacks_sum *b)
{
	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return a->thread < b->thread ? -1 : a->thread > b->thread;
}

/*
 * Sums are ordered by event: those of the earlier recording, then those of the current one, each
 * sorted.
 */
static void write_both(const struct stacks *s, enum stacks_weight w, struct export_out *o)
{
	size_t now = 0, nr = s->nr_sums, i = 0, k;
	struct folder f;

	while (now < nr && s->events[s->sums[now].event].evsel == STACKS_BEFORE)
		now++;
	folder_start(&f, s, o);
	for (k = now; (i < now || k < nr) && !export_failed(o);) {
		const struct stacks_sum *a = i < now ? &s->sums[i] : NULL;
		const struct stacks_sum *b = k < nr ? &s->sums[k] : NULL;
		int order = !a ? 1 : !b ? -1 : stack_order(a, b);

		put_stack(&f, order <= 0 ? a : b);
		export_ch(o, ' ');
		export_dec(o, order <= 0 ? stacks_weight(a, w) : 0);
		export_ch(o, ' ');
		export_dec(o, order >= 0 ? stacks_weight(b, w) : 0);
		export_ch(o, '\n');
		i += order <= 0;
		k += order >= 0;
	}
	folder_end(&f);
}

static int write_diff(const struct stacks *s, const struct export_opts *opts, struct export_out *o,
		      struct err *err)
{
	struct stacks *both;

	if (!opts->other)
		return err_set(err, -EINVAL,
			       "There is nothing to compare with: --compare names the recording.");
	both = export_joined(s, opts, err);
	if (!both)
		return err->code;
	write_both(both, opts->weight, o);
	stacks_free(both);
	return 0;
}

const struct export_ops export_diff = {
	.name = "collapsed-diff",
	.arg = "FILE",
	.compares = true,
	.help = "Write stacks as lines with their weights in two recordings (see --compare)",
	.dims = { .comm = true, .names = true, .bare = true },
	.write = write_diff,
};
