// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A whole perf.data file passes the engine on guests once for each thing that it follows, all in
 * one pass, and becomes tables. The sums of a row must fit together.
 */
#include "base/compat.h"
#include "analysis/analysis.h"
#include "kvmtext/kvmtext-internal.h"
#include "with-recording.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_rows(const struct kvm *k)
{
	size_t nr;
	const struct kvm_row *rows = kvm_rows(k, &nr);

	for (size_t i = 0; i < nr; i++) {
		const struct kvm_row *r = &rows[i];

		if (!r->count || r->min > r->max || r->max > r->total)
			abort();
		if (!(kvm_row_deviation(r) >= 0) || isnan(r->mean))
			abort();
	}
}

static void analyse(struct recording *r, u32 arg)
{
	struct analysis *a = analysis_new(r);
	struct engine engines[KVM_WHATS];
	struct analysis_part parts[KVM_WHATS];
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };

	for (u32 i = 0; i < KVM_WHATS; i++) {
		const struct kvm_conf conf = { .what = (enum kvm_what)i };

		engines[i] = kvm_engine("kvm", conf.what);
		parts[i] = (struct analysis_part){ &engines[i], kvm_new(&conf), .optional = true };
	}
	(void)analysis_run_parts(a, parts, KVM_WHATS, &err);
	for (u32 i = 0; i < KVM_WHATS; i++) {
		const struct kvm_show show = { .what = (enum kvm_what)i, .by_time = i & 1 };

		check_rows(parts[i].state);
		kvm_put_rows(&show, parts[i].state, &text);
		kvm_free(parts[i].state);
	}
	strbuf_release(&text);
	analysis_free(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	with_recording(data, size, analyse, 0);
	return 0;
}
