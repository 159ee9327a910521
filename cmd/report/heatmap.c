// SPDX-License-Identifier: GPL-2.0-or-later
/* perf report --pair, --key, --heatmap: the options of a timeline, and where its result goes. */
#include "base/compat.h"

#include "cmd/common/message.h"
#include "cmd/common/progress.h"
#include "cmd/common/refusal.h"
#include "cmd/report/report.h"

#include "timeline/timeline.h"

/* Samples that are left out do not count in anything: the recording leaves them out. Which CPUs are
 * wanted it knows. */
static struct timeline *make_timeline(struct report *rep)
{
	const struct profile_options *p = &rep->asked;
	const struct timeline_options o = {
		.pair = rep->heatmap.pair,
		.key = rep->heatmap.key,
		.title = rep->exports.opts.title,
		.dsos = p->dsos,
		.symbols = p->symbols,
		.socket = p->socket,
	};

	rep->source.comms = p->comms;
	rep->source.pids = p->pids;
	rep->source.tids = p->tids;
	return timeline_new(&o, &rep->rec);
}

static int write_results(const struct report *rep, const struct timeline *t, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int ret = rep->heatmap.file ? timeline_picture(t, rep->heatmap.file, err) : 0;

	if (!ret) {
		timeline_text(t, &text);
		fwrite(strbuf_str(&text), 1, text.len,
		       report_heatmap_stdout(&rep->heatmap) ? stderr : stdout);
	}
	strbuf_release(&text);
	return ret;
}

int report_heatmap(struct report *rep)
{
	const struct report_heatmap *h = &rep->heatmap;
	const struct refusal rows[] = {
		{ .holds = exports_any(&rep->exports),
		  .sentence = "--pair and --heatmap do not go with exports",
		  .status = EXIT_FAILED },
		{ .holds = h->key && !h->pair,
		  .sentence = "--key is for --pair",
		  .status = EXIT_FAILED },
	};
	struct session *s = &rep->rec.session;
	struct err err = { 0 };
	struct timeline *t;
	int ret, status = EXIT_OK;

	if (refusal_tell(rows, ARRAY_SIZE(rows), rep->usage, rep->options, &ret))
		return ret;
	t = make_timeline(rep);
	s->progress = progress_open();
	ret = timeline_run(t, &err);
	progress_close(s->progress);
	if (!ret) {
		warn_lost(s);
		ret = write_results(rep, t, &err);
		status = warn_diag(s);
	}
	if (ret)
		error_err(&err);
	timeline_free(t);
	return ret ? EXIT_FAILED : status;
}
