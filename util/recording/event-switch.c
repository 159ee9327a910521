// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "recording/event-switch.h"

#include <errno.h>

#define NO_EVENT UINT32_MAX

static int find(const struct evlist *l, const char *which, const char *name, u32 *idx,
		struct err *err)
{
	*idx = NO_EVENT;
	if (!name)
		return 0;
	for (u32 i = 0; i < l->nr && *idx == NO_EVENT; i++)
		if (!strcmp(l->evsels[i]->name, name))
			*idx = i;
	if (*idx != NO_EVENT)
		return 0;
	return err_set(err, -ENOENT,
		       "ERROR: switch-%s event not found (%s)\n"
		       "HINT:  use 'perf evlist' to see the available event names",
		       which, name);
}

int event_switch_start(struct event_switch *sw, const struct evlist *l, struct err *err)
{
	int ret = find(l, "on", sw->on, &sw->on_idx, err);

	sw->waiting = sw->on;
	return ret ? ret : find(l, "off", sw->off, &sw->off_idx, err);
}

bool event_switch_takes(struct event_switch *sw, const struct evsel *e)
{
	if (sw->on && sw->waiting) {
		if (e->idx != sw->on_idx)
			return false;
		sw->waiting = false;
		return sw->show;
	}
	if (sw->off && !sw->waiting && e->idx == sw->off_idx) {
		sw->waiting = true;
		return sw->show;
	}
	return true;
}
