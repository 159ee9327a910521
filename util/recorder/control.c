// SPDX-License-Identifier: GPL-2.0-or-later
/* perf record --control: what the commands do. */
#include "base/compat.h"
#include "recorder/recorder-internal.h"

#include <sys/epoll.h>

int record_opt_control(const struct option *opt, const char *arg, int unset)
{
	struct record *r = opt->value;

	return control_take(&r->ro.control, arg, unset);
}

void record_control_close(struct record *r)
{
	control_close(&r->ro.control);
}

void record_control_switched(struct record *r)
{
	if (r->ro.control.ack_late)
		control_ack(&r->ro.control);
	r->ro.control.ack_late = false;
}

static int do_enable(struct record *r, const char *arg, bool on)
{
	if (!*arg)
		record_measure(r, on);
	else
		control_enable_event(&r->evlist, &r->kevents, arg, on);
	return LOOP_GO_ON;
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
	struct record *r = ctx;

	control_list_events(&r->evlist, arg);
	return LOOP_GO_ON;
}

static int take_snapshot(void *ctx, const char *arg)
{
	struct record *r = ctx;

	(void)arg;
	r->ro.control.ack_late = record_switch_trigger(r);
	return LOOP_GO_ON;
}

static int stop(void *ctx, const char *arg)
{
	(void)ctx;
	(void)arg;
	return LOOP_END;
}

static int ping(void *ctx, const char *arg)
{
	(void)ctx;
	(void)arg;
	return LOOP_GO_ON;
}

static const struct control_verb verbs[] = {
	{ "enable", true, cmd_enable },  { "disable", true, cmd_disable },
	{ "evlist", true, list_events }, { "snapshot", false, take_snapshot },
	{ "stop", false, stop },         { "ping", false, ping },
};

static int on_control(struct record *r, void *ctx, u32 revents, struct err *err)
{
	bool gone = !(revents & EPOLLIN);
	int rc = LOOP_GO_ON;

	(void)ctx;
	(void)err;
	if (!gone)
		rc = control_read(&r->ro.control, verbs, ARRAY_SIZE(verbs), r, &gone);
	if (gone)
		loop_forget(r, r->ro.control.fd);
	return rc;
}

int record_control_start(struct record *r, struct err *err)
{
	if (!r->ro.control.given)
		return 0;
	if (!loop_watch(r, r->ro.control.fd, EPOLLIN, on_control, NULL, err))
		return 0;
	err_prefix(err, "--control");
	return err->code;
}
