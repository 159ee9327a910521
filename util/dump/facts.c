// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "dump/facts.h"

#include "base/alloc.h"
#include "dump/stats-text.h"
#include "dump/tasks-text.h"
#include "machine/tasks.h"

void facts_counts(const struct session *s, bool losses, bool all, struct strbuf *out)
{
	struct stats_event *events = xcalloc(s->evlist.nr + 1, sizeof(*events));
	size_t i;

	for (i = 0; i < s->evlist.nr; i++) {
		events[i].name = s->evlist.evsels[i]->name;
		events[i].samples = s->of_event[i].samples;
		events[i].lost_samples = losses ? s->of_event[i].lost_samples : 0;
	}
	stats_text(s->counts, events, s->evlist.nr, all, out);
	free(events);
}

int facts_read_counts(struct session *s, int workers, struct err *err)
{
	const struct session_sample_ops ops = { .state.plain = true };

	s->by_event = s->counts_only = true;
	return session_samples(s, &ops, NULL, workers, err);
}

static int on_state(void *ctx, const struct session_event *ev, struct err *err)
{
	return ev->guest ? 0 : tasks_apply(ctx, ev->hdr, ev->hdr->size);
}

int facts_tasks(struct session *s, bool mmaps, int workers,
		int (*write)(void *ctx, const char *text, size_t len), void *ctx, struct err *err)
{
	const struct session_sample_ops ops = { .state = { .state = on_state, .plain = true } };
	struct tasks *tasks = tasks_new(mmaps);
	int ret = session_samples(s, &ops, tasks, workers, err);

	if (!ret) {
		tasks_end(tasks);
		ret = tasks_text(tasks, write, ctx);
	}
	tasks_free(tasks);
	return ret;
}
