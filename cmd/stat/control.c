// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat --control: what the commands do. */
#include "base/compat.h"
#include "cmd/stat/stat.h"

#include <stdio.h>

static int do_enable(struct stat_cmd *s, const char *arg, bool on)
{
	const struct kevents *k = stat_run_kevents(s->run);

	if (*arg && k) {
		control_enable_event(&s->evlist, k, arg, on);
		return 0;
	}
	stat_run_enable(s->run, on);
	fputs(on ? "Events enabled\n" : "Events disabled\n", stderr);
	return 0;
}

static int cmd_enable(void *ctx, const char *arg)
{
	return do_enable(ctx, arg, true);
}

static int cmd_disable(void *ctx, const char *arg)
{
	return do_enable(ctx, arg, false);
}

static int list_events(void *ctx, const char *arg)
{
	struct stat_cmd *s = ctx;

	control_list_events(&s->evlist, arg);
	return 0;
}

static int stop(void *ctx, const char *arg)
{
	return STAT_STOPPED;
}

static int ping(void *ctx, const char *arg)
{
	return 0;
}

static const struct control_verb verbs[] = {
	{ "enable", true, cmd_enable },  { "disable", true, cmd_disable },
	{ "evlist", true, list_events }, { "stop", false, stop },
	{ "ping", false, ping },
};

static int on_command(void *ctx, int fd, u32 events, struct err *err)
{
	struct stat_cmd *s = ctx;
	bool gone;
	int rc = control_read(&s->control, verbs, ARRAY_SIZE(verbs), s, &gone);

	if (gone)
		event_loop_forget(stat_run_loop(s->run), fd);
	return rc;
}

int control_start(struct stat_cmd *s, struct err *err)
{
	if (!s->control.given)
		return 0;
	return event_loop_watch(stat_run_loop(s->run), s->control.fd, EPOLLIN, on_command, s, err);
}
