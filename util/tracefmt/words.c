// SPDX-License-Identifier: GPL-2.0-or-later
/* Find the fields that a print fmt shows as words, and these words, for those who print events in
 * another way. */
#include "base/compat.h"
#include "tracefmt/tracefmt-internal.h"

struct words_walk {
	void (*fn)(void *ctx, const struct tf_words *w);
	void *ctx;
};

/* Return the first field that an expression reads. */
static const struct tf_field *first_field(const struct tf_expr *x)
{
	const struct tf_field *f;

	if (!x)
		return NULL;
	if (x->field)
		return x->field;
	f = first_field(x->a);
	f = f ? f : first_field(x->b);
	return f ? f : first_field(x->c);
}

static void walk(const struct words_walk *w, const struct tf_expr *x)
{
	struct tf_words words;

	if (!x)
		return;
	words = (struct tf_words){
		.field = first_field(x->a),
		.flags = x->kind == X_FLAGS,
		.delim = x->str,
		.delim_len = x->len,
		.syms = x->syms,
		.nr_syms = x->nr_syms,
	};
	if ((x->kind == X_FLAGS || x->kind == X_SYMBOL) && words.field)
		w->fn(w->ctx, &words);
	walk(w, x->a);
	walk(w, x->b);
	walk(w, x->c);
	for (u32 i = 0; i < x->nr_args; i++)
		walk(w, x->args[i]);
}

void tf_walk_words(const struct tf_event *ev, void (*fn)(void *ctx, const struct tf_words *w),
		   void *ctx)
{
	const struct words_walk w = { fn, ctx };
	const struct tf_op *op = ev->prog ? ev->prog->ops : NULL;

	for (; op && op->kind != TF_OP_END; op++)
		walk(&w, op->arg);
}
