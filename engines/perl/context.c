// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The functions of the module Perf::Trace::Context: what a handler asks about the sample it is
 * called for. They take the context that handlers get as an argument.
 */
#define PERL_NO_GET_CONTEXT
#include <EXTERN.h>
#include <perl.h>

#include <XSUB.h>

#include "engines/perl/perl-internal.h"

/* Answer with a common field of the tracepoint at hand. @cv: the function of the module */
static void answer(pTHX_ CV *cv, const char *name)
{
	dXSARGS;
	struct perl *pl = XSANY.any_ptr;

	if (items != 1)
		croak_xs_usage(cv, "context");
	if (SvIV(ST(0)) != PTR2IV(pl))
		croak("%s() wants the context of a handler", GvNAME(CvGV(cv)));
	if (!pl->view->ev)
		croak("no sample is at hand: %s() is for handlers", GvNAME(CvGV(cv)));
	ST(0) = sv_2mortal(newSViv((IV)pl_common_field(pl, name)));
	XSRETURN(1);
}

static void common_pc(pTHX_ CV *cv)
{
	answer(aTHX_ cv, "common_preempt_count");
}

static void common_flags(pTHX_ CV *cv)
{
	answer(aTHX_ cv, "common_flags");
}

static void common_lock_depth(pTHX_ CV *cv)
{
	answer(aTHX_ cv, "common_lock_depth");
}

/* XSLoader calls this for modules that are linked with a program, of which nothing is to be loaded.
 */
static void bootstrap(pTHX_ CV *cv)
{
	dXSARGS;

	PERL_UNUSED_VAR(items);
	XSRETURN_EMPTY;
}

void pl_context_functions(struct perl *pl)
{
	static const struct {
		const char *name;
		XSUBADDR_t function;
	} functions[] = {
		{ "Perf::Trace::Context::bootstrap", bootstrap },
		{ "Perf::Trace::Context::common_pc", common_pc },
		{ "Perf::Trace::Context::common_flags", common_flags },
		{ "Perf::Trace::Context::common_lock_depth", common_lock_depth },
	};
	dTHXa(pl->interpreter);

	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		CV *cv = newXS(functions[i].name, functions[i].function, __FILE__);

		CvXSUBANY(cv).any_ptr = pl;
	}
}
