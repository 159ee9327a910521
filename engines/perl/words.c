// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Some fields are shown as words: flags, and numbers with names. The functions flag_str() and
 * symbol_str() of the module Perf::Trace::Core, which scripts use for them, learn the words from
 * four others that a script imports with them: these are called here before the first sample of an
 * event.
 */
#define PERL_NO_GET_CONTEXT
#include <EXTERN.h>
#include <perl.h>

#include "engines/perl/perl-internal.h"

struct words_call {
	struct perl *pl;
	const char *event;
	int verdict;
};

/* Call one of the four functions, with values that are taken. */
static void call(struct words_call *c, const char *name, SV **args, size_t nr)
{
	dTHXa(c->pl->interpreter);

	if (c->verdict == SCRIPT_GO_ON)
		c->verdict = pl_call_named(c->pl, name, args, nr);
	for (size_t i = 0; i < nr; i++)
		SvREFCNT_dec(args[i]);
}

static void define_value(struct words_call *c, const struct tf_words *w, const struct tf_sym *s)
{
	dTHXa(c->pl->interpreter);
	SV *args[] = { newSVpv(c->event, 0), newSVpv(w->field->name, 0), newSVuv(s->value),
		       newSVpvn(s->str, s->len) };

	call(c, w->flags ? "main::define_flag_value" : "main::define_symbolic_value", args,
	     ARRAY_SIZE(args));
}

static void define_field(struct words_call *c, const struct tf_words *w)
{
	dTHXa(c->pl->interpreter);
	SV *args[3] = { newSVpv(c->event, 0), newSVpv(w->field->name, 0) };
	size_t nr = 2;

	if (w->flags)
		args[nr++] = newSVpvn(w->delim ? w->delim : "", w->delim ? w->delim_len : 0);
	call(c, w->flags ? "main::define_flag_field" : "main::define_symbolic_field", args, nr);
}

static void define(void *ctx, const struct tf_words *w)
{
	for (u32 i = 0; i < w->nr_syms; i++)
		define_value(ctx, w, &w->syms[i]);
	define_field(ctx, w);
}

int pl_define_words(struct perl *pl, const struct perl_event *pe)
{
	struct words_call c = { .pl = pl, .event = pe->name, .verdict = SCRIPT_GO_ON };

	pl->host->walk_words(pe->tf, define, &c);
	return c.verdict;
}
