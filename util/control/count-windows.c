// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "control/count-windows.h"

bool count_windows_given(const struct count_windows *w)
{
	return (w->begin.list && w->begin.list->nr) || (w->end.list && w->end.list->nr);
}

int count_windows_turn(struct count_windows *w, size_t begins, size_t ends)
{
	const bool was = w->open;

	if (!begins && !ends)
		return EVENT_LOOP_GO_ON;
	w->open = w->begin.list->nr ? w->begun > w->ended : !w->ended;
	/* a window that closed and opened again meanwhile is another one */
	if (w->open && (!was || w->ended > w->since)) {
		w->since = w->begun;
		w->nr++;
	} else if (!w->open && !was && begins) {
		w->missed++;
	}
	if (w->open != was)
		w->measure(w->ctx, w->open);
	return !w->open && w->last && !w->begin.list->nr ? EVENT_LOOP_STOP : EVENT_LOOP_GO_ON;
}

static int on_events(void *ctx, struct err *err __unused)
{
	struct count_windows *w = ctx;
	size_t begins = event_watch_read(&w->begin, &w->begun);

	return count_windows_turn(w, begins, event_watch_read(&w->end, &w->ended));
}

int count_windows_start(struct count_windows *w, const struct open_opts *o, bool inherit,
			struct event_loop *loop, struct err *err)
{
	struct event_watch *const both[] = { &w->begin, &w->end };
	int rc = 0;

	w->open = !w->begin.list->nr;
	for (size_t i = 0; i < ARRAY_SIZE(both) && !rc; i++) {
		both[i]->ready = on_events;
		both[i]->ctx = w;
		if (both[i]->list->nr)
			rc = event_watch_open(both[i], o, inherit, loop, err);
	}
	return rc;
}

void count_windows_release(struct count_windows *w)
{
	event_watch_release(&w->begin);
	event_watch_release(&w->end);
}
