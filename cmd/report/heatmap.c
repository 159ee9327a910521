// SPDX-License-Identifier: GPL-2.0-or-later
/* perf report --pair, --key, --heatmap: the options of a timeline, and where its result goes. */
#include "base/compat.h"

#include "cmd/common/message.h"
#include "cmd/common/progress.h"
#include "cmd/common/refusal.h"
#include "cmd/common/settings.h"
#include "cmd/report/report.h"

#include "timeline/timeline.h"

static struct timeline *make_timeline(struct report *rep)
{
	const struct profile *p = &rep->p;
	const struct timeline_options o = {
		.pair = rep->heatmap.pair,
		.key = rep->heatmap.key,
		.title = rep->exports.opts.title,
		.pids = rep->pids,
		.tids = rep->tids,
		.cpus = rep->cpus,
		.time = p->time,
		.comms = p->comms,
		.dsos = p->dsos,
		.symbols = p->symbols,
		.socket = p->socket,
		.on_off = p->on_off,
		.guest = p->guest,
		.symbols_of = { .force = p->force,
				.symfs = p->symfs,
				.vmlinux = p->vmlinux,
				.kallsyms = p->kallsyms,
				.buildid_dir = buildid_dir(),
				.no_demangle = p->no_demangle,
				.parameters = p->origins,
				.demangle_kernel = p->demangle_kernel,
				.ignore_vmlinux = p->ignore_vmlinux },
		.notices = &stderr_notices,
		.verbose = rep->verbose,
	};

	return timeline_new(&o, &rep->p.session);
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
	struct session *s = &rep->p.session;
	struct err err = { 0 };
	struct timeline *t;
	int ret = refusal_find(rows, ARRAY_SIZE(rows), rep->usage, rep->options);

	if (ret)
		return ret;
	t = make_timeline(rep);
	s->progress = progress_open();
	ret = timeline_run(t, &err);
	progress_close(s->progress);
	if (!ret) {
		warn_lost(s);
		ret = write_results(rep, t, &err);
		warn_diag(&s->diag);
	}
	if (ret)
		error_err(&err);
	timeline_free(t);
	profile_release(&rep->p);
	return ret ? EXIT_FAILED : 0;
}
