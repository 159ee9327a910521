// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Values that are arguments of functions. They are made once, and set anew for each call, which is
 * several times as fast as making them: a function copies its arguments when it names them.
 */
#define PERL_NO_GET_CONTEXT
#include <EXTERN.h>
#include <perl.h>

#include "engines/perl/perl-internal.h"

SV *pl_fresh(struct perl *pl, SV **slot)
{
	dTHXa(pl->interpreter);
	SV *v = *slot;

	/* The script holds a reference to it, or has tied it to something. */
	if (unlikely(SvREFCNT(v) > 1 || SvREADONLY(v) || SvMAGICAL(v))) {
		SvREFCNT_dec(v);
		v = *slot = newSV(0);
	}
	return v;
}

/* A value with no other form than this is a number with a sign, or one without. */
#define FORMS                                                                                      \
	(SVf_IOK | SVp_IOK | SVf_IVisUV | SVf_NOK | SVp_NOK | SVf_POK | SVp_POK | SVf_ROK |        \
	 SVf_UTF8 | SVf_READONLY | SVf_PROTECT | SVf_IsCOW | SVs_GMG | SVs_SMG | SVs_RMG)
#define ONLY_IV (SVf_IOK | SVp_IOK)
#define ONLY_TEXT (SVf_POK | SVp_POK)

#define COPIED 256 /* bytes of texts that are copied at once */

void pl_set_signed(struct perl *pl, SV **slot, s64 v)
{
	dTHXa(pl->interpreter);

	/* most values are what the call before left there, a number: 5 ns less than sv_setiv() */
	if (likely((SvFLAGS(*slot) & FORMS) == ONLY_IV && SvREFCNT(*slot) == 1))
		SvIV_set(*slot, (IV)v);
	else
		sv_setiv(pl_fresh(pl, slot), (IV)v);
}

void pl_set_unsigned(struct perl *pl, SV **slot, u64 v)
{
	dTHXa(pl->interpreter);

	if (likely(v <= (u64)IV_MAX))
		pl_set_signed(pl, slot, (s64)v);
	else
		sv_setuv(pl_fresh(pl, slot), (UV)v);
}

/* Tell whether a value is that text already. */
static bool is_text(SV *v, const void *bytes, size_t len)
{
	return (SvFLAGS(v) & (FORMS & ~SVf_IsCOW)) == ONLY_TEXT && SvREFCNT(v) == 1 &&
	       SvCUR(v) == len && !memcmp(SvPVX_const(v), bytes, len);
}

void pl_set_bytes(struct perl *pl, SV **slot, const void *bytes, size_t len)
{
	dTHXa(pl->interpreter);
	SV *v;

	if (is_text(*slot, bytes, len))
		return;
	v = pl_fresh(pl, slot);
	sv_setpvn(v, bytes, len);
	SvUTF8_off(v); /* the script may have changed it */
	/* Without room behind it, a copy does not share its bytes, from which the next value would
	 * have to part them: that takes longer than to copy most texts. */
	if (len < COPIED)
		SvLEN_set(v, len + 1);
}

void pl_set_field(struct perl *pl, SV **slot, const struct tf_event *tf, const struct tf_field *f)
{
	const struct sample *s = pl->view->ev->sample;
	const void *data;
	size_t len = 0;
	u64 v = 0;

	if (likely(!(f->flags & TF_ARRAY))) {
		pl->host->field_int(tf, f, s->raw, s->raw_size, &v);
		if (f->flags & TF_SIGNED)
			pl_set_signed(pl, slot, (s64)v);
		else
			pl_set_unsigned(pl, slot, v);
		return;
	}
	data = pl->host->field_data(tf, f, s->raw, s->raw_size, &len);
	if (!data)
		len = 0;
	/* Texts end at their zero byte; arrays of numbers are bytes, for unpack(). */
	pl_set_bytes(pl, slot, len ? data : "", f->flags & TF_STRING ? strnlen(data, len) : len);
}

/* ---- call chains ---- */

static HV *symbol_hash(struct perl *pl, const struct view_place *p)
{
	dTHXa(pl->interpreter);
	HV *hash = newHV();

	(void)hv_stores(hash, "start", newSVuv(p->sym_start));
	(void)hv_stores(hash, "end", newSVuv(p->sym_end));
	(void)hv_stores(hash, "binding", newSVuv(pl->host->binding(p)));
	(void)hv_stores(hash, "name", newSVpv(p->sym, 0));
	return hash;
}

static SV *frame(struct perl *pl, const struct view_place *p)
{
	dTHXa(pl->interpreter);
	HV *hash = newHV();

	(void)hv_stores(hash, "ip", newSVuv(p->ip));
	if (p->sym)
		(void)hv_stores(hash, "sym", newRV_noinc((SV *)symbol_hash(pl, p)));
	if (p->object)
		(void)hv_stores(hash, "dso", newSVpv(p->object, 0));
	return newRV_noinc((SV *)hash);
}

/* Tell whether a value is an empty list that nobody else has. */
static bool is_empty_list(const SV *v)
{
	return SvROK(v) && SvREFCNT(v) == 1 && SvTYPE(SvRV(v)) == SVt_PVAV && !SvOBJECT(SvRV(v)) &&
	       SvREFCNT(SvRV(v)) == 1 && !SvMAGICAL(SvRV(v)) && AvFILLp((AV *)SvRV(v)) < 0;
}

void pl_set_chain(struct perl *pl, SV **slot)
{
	dTHXa(pl->interpreter);
	const struct view_place *frames = NULL;
	size_t nr = 0;
	AV *list;

	if (pl->view->ev->evsel->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
		nr = pl->host->frames(pl->view, &frames);
	if (!nr && is_empty_list(*slot))
		return;
	list = newAV();
	for (size_t i = 0; i < nr; i++)
		av_push(list, frame(pl, &frames[i]));
	SvREFCNT_dec(*slot);
	*slot = newRV_noinc((SV *)list);
}
