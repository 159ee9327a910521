// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat --control: what the commands do. */
#include "base/compat.h"
#include "statrun/statrun.h"

#include <stdio.h>

int opt_stat_control(const struct option *opt, const char *arg, int unset)
{
	struct stat_cmd *s = opt->value;

	return control_take(&s->control, arg, unset);
}

static int do_enable(struct stat_cmd *s, const char *arg, bool on)
{
	if (*arg && !stat_bpf_used(s)) {
		control_enable_event(&s->evlist, &s->kevents, arg, on);
		return 0;
	}
	stat_enable(s, on);
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
	(void)ctx;
	(void)arg;
	return 1;
}

static int ping(void *ctx, const char *arg)
{
	(void)ctx;
	(void)arg;
	return 0;
}

static const struct control_verb verbs[] = {
	{ "enable", true, cmd_enable },  { "disable", true, cmd_disable },
	{ "evlist", true, list_events }, { "stop", false, stop },
	{ "ping", false, ping },
};

bool stat_serve_control(struct stat_cmd *s)
{
	bool gone;

	if (control_read(&s->control, verbs, ARRAY_SIZE(verbs), s, &gone) > 0)
		s->stopped = true;
	return !gone;
}
