// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A whole perf.data file passes all engines of a triage in one pass, and becomes verdicts as text,
 * as JSON and as a page.
 */
#include "base/compat.h"
#include "analysis/analysis.h"
#include "pdata-build.h"
#include "triagetext/triagetext.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void judge(struct recording *r, enum triage_form form, bool all)
{
	const struct triage_show show = { .form = form, .file = "a b", .all = all };
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
	struct recording_options o = { .buildid_dir = "" };
	struct recording r;
	char path[64];
	int fd;

	o.input = pb_save(data, size, &fd, path);
	for (u32 form = 0; form < 3; form++) {
		struct err err = { 0 };

		if (recording_open(&r, &o, NULL, &err))
			break;
		judge(&r, (enum triage_form)form, form & 1);
		recording_close(&r);
	}
	pb_unsave(fd);
	return 0;
}
