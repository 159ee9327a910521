// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A whole perf.data file passes all engines of a triage in one pass, and becomes verdicts as text,
 * as JSON and as a page.
 */
#include "base/compat.h"
#include "analysis/analysis.h"
#include "with-recording.h"
#include "triagetext/triagetext.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void judge(struct recording *r, u32 form)
{
	const struct triage_show show = { .form = (enum triage_form)form,
					  .file = "a b",
					  .all = form & 1 };
	struct analysis *a = analysis_new(r);
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };

	if (!triage_run(&show, a, &text, &err) && !text.len)
		abort();
	strbuf_release(&text);
	analysis_free(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (u32 form = 0; form < 3; form++)
		if (!with_recording(data, size, judge, form))
			break;
	return 0;
}
