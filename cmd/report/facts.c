// SPDX-License-Identifier: GPL-2.0-or-later
/* perf report --stats, --tasks, --mmaps, -D: what a file holds, without a profile. */
#include "base/compat.h"

#include "cmd/report/report.h"
#include "cmd/common/header.h"
#include "cmd/common/message.h"

#include "base/alloc.h"
#include "machine/tasks.h"
#include "dump/stats-text.h"
#include "dump/tasks-text.h"
#include "session/session.h"

#include <errno.h>

int report_stats(struct session *s, bool losses, bool all)
{
	struct stats_event *events = xcalloc(s->evlist.nr + 1, sizeof(*events));
	struct strbuf sb = STRBUF_INIT;
	size_t i;

	for (i = 0; i < s->evlist.nr; i++) {
		events[i].name = s->evlist.evsels[i]->name;
		events[i].samples = s->of_event[i].samples;
		events[i].lost_samples = losses ? s->of_event[i].lost_samples : 0;
	}
	stats_text(s->counts, events, s->evlist.nr, all, &sb);
	fwrite(strbuf_str(&sb), 1, sb.len, stdout);
	strbuf_release(&sb);
	free(events);
	return 0;
}

static int on_state(void *ctx, const struct session_event *ev, struct err *err)
{
	(void)err;
	return tasks_apply(ctx, ev->hdr, ev->hdr->size);
}

static int write_stdout(void *ctx, const char *text, size_t len)
{
	(void)ctx;
	return fwrite(text, 1, len, stdout) == len ? 0 : -EPIPE;
}

int report_facts(const struct report_facts *f, struct session *s, int workers)
{
	const struct session_sample_ops ops = {
		.state = { .state = f->stats ? NULL : on_state, .plain = true },
	};
	struct tasks *tasks = f->stats ? NULL : tasks_new(f->mmaps);
	struct err err = { 0 };
	int ret;

	s->by_event = s->counts_only = f->stats;
	ret = session_samples(s, &ops, tasks, workers, &err);
	if (ret) {
		error_err(&err);
		ret = -1;
	} else if (f->stats) {
		ret = report_stats(s, true, f->all);
	} else {
		tasks_end(tasks);
		ret = tasks_text(tasks, write_stdout, NULL);
	}
	tasks_free(tasks);
	return ret;
}

int report_dump(struct session *s, int workers)
{
	int ret = print_dump(s, workers);

	if (!ret)
		return report_stats(s, false, false);
	return ret == -EPIPE ? 0 : ret;
}
